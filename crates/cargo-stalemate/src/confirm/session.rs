//! All findings of a run, tried: sorted by the target they are in, built together, run one after the other.

use super::building::{Built, Group, Witness, Workshop};
use super::facade::Facade;
use super::foreign;
use super::gathered::{self, Shown};
use super::keeping::{self, Kept, Proof};
use super::program;
use super::races::Races;
use super::timings::{Timing, Timings};
use super::tree::{self, Tests};
use super::trial::{self, Attempt};
use crate::cargo_args::CargoArgs;
use crate::errors::Failure;
use crate::facts::Checked;
use crate::messages::Target;
use crate::project::Project;
use crate::remarks;
use crate::toolchain::Toolchain;
use cargo_metadata::Package;
use finding::document::ConfirmationStatus::{CannotBuild, Confirmed, NeedsFixture, NotReproduced};
use finding::facts::Recorded;
use finding::recipe::{Lacks, Recipe};
use finding::{Confirmation, Finding};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of cargo that decide what is compiled; those with a value first.
const WITH_VALUE: &[&str] = &["--features", "-F", "--config"];
const ALONE: &[&str] = &["--all-features", "--no-default-features", "--offline"];

/// What is tried, and where.
pub struct Session<'a> {
    /// The pinned one. The witnesses are built by the user's own, all but those for Miri.
    pub toolchain: &'a Toolchain,
    pub project: &'a Project,
    pub args: &'a CargoArgs,
    pub units: &'a [Checked],
    /// Units with their tests, for values that only these show how to make.
    pub with_tests: &'a dyn Fn() -> Vec<Checked>,
    /// The same in a copy of the workspace, with more of cargo's words.
    pub in_copy: &'a dyn Fn(&Path, Vec<OsString>) -> Vec<Checked>,
    pub keep: Option<&'a Path>,
    /// A witness that the user has finished, for the one finding that is tried.
    pub fixture: Option<String>,
}

/// What is known of a finding, by its fingerprint.
pub type Results = BTreeMap<String, Confirmation>;

type Groups = BTreeMap<(Target, Tests), Group>;

impl Session<'_> {
    pub fn run(&self, findings: &[Recorded]) -> Result<Results, Failure> {
        let directory = self.project.target_directory.join("stalemate-confirm");
        self.try_all(&directory, findings).map_err(|error| Failure::CannotKeep { file: directory, error })
    }

    /// The witnesses that there are, by what they are built in; and what is known without any.
    fn prepared(&self, directory: &Path, findings: &[Recorded]) -> io::Result<(Groups, Results)> {
        let mut results = Results::new();
        let mut groups = Groups::new();
        let tested: OnceCell<Vec<Checked>> = OnceCell::new();
        let gathered: OnceCell<(Vec<Shown>, Vec<Checked>)> = OnceCell::new();
        for Recorded { finding, .. } in findings {
            let (target, tests, witness) = match self.prepare(directory, finding)? {
                Ok((target, witness)) => (target, Tests::TakenOut, witness),
                Err(status) if status.status == NeedsFixture => {
                    let fingerprint = &finding.fingerprint;
                    let inside = as_tests_show(tested.get_or_init(self.with_tests), fingerprint);
                    let inside = inside.map(|(target, recipe)| (target, Tests::Kept, recipe));
                    let shown = inside.or_else(|| {
                        let (_, units) = gathered.get_or_init(|| self.gathered(directory));
                        as_tests_show(units, fingerprint).map(|(target, recipe)| (target, Tests::Gathered, recipe))
                    });
                    let Some((target, tests, recipe)) = shown else {
                        results.insert(fingerprint.clone(), status);
                        continue;
                    };
                    (target, tests, Witness { otherwise: Some(status), ..Witness::of(recipe) })
                }
                Err(status) => {
                    results.insert(finding.fingerprint.clone(), status);
                    continue;
                }
            };
            let group = self.group(&mut groups, target, tests);
            group.witnesses.push(witness);
            if let Some((shown, _)) = gathered.get().filter(|_| tests == Tests::Gathered) {
                group.shown.clone_from(shown);
            }
        }
        Ok((groups, results))
    }

    fn try_all(&self, directory: &Path, findings: &[Recorded]) -> io::Result<Results> {
        let (groups, mut results) = self.prepared(directory, findings)?;
        if groups.is_empty() {
            return Ok(results);
        }
        let tree = directory.join("tree");
        tree::copy(&self.project.root, &tree, Tests::TakenOut)?;
        let facade = match Facade::of_user(&tree, directory) {
            Ok(facade) => facade,
            Err(why) => {
                let all = groups.values().flat_map(|group| &group.witnesses);
                let failed =
                    all.map(|one| (one.recipe.fingerprint.clone(), Confirmation::of(CannotBuild, why.to_string())));
                results.extend(failed);
                return Ok(results);
            }
        };
        let members = self.project.members.values().map(String::as_str).collect();
        let workshop = Workshop { facade: &facade, root: &self.project.root, directory, members, words: self.words() };
        let words = self.words();
        let races = Races { toolchain: self.toolchain, root: &self.project.root, directory, words: &words };
        let mut kept: Vec<Kept<'_>> = Vec::new();
        let mut timings = Timings::default();
        for group in groups.values() {
            let start = Instant::now();
            let built = workshop.build(group)?;
            let build = start.elapsed();
            for witness in &group.witnesses {
                let of = findings.iter().map(|it| &it.finding).find(|it| it.fingerprint == witness.recipe.fingerprint);
                let Some(finding) = of else { continue };
                let start = Instant::now();
                let raced = races.run(group, finding, witness)?;
                let mut timing = Timing { build, miri: raced.as_ref().map(|_| start.elapsed()), run: None };
                let (confirmation, proof) = match raced.filter(|raced| raced.status == Confirmed) {
                    Some(raced) => (raced, Some(Proof::Miri)),
                    None => {
                        let start = Instant::now();
                        let (tried, attempt) = tried(&group.tree(directory), group, &built, finding, witness);
                        timing.run = attempt.as_ref().map(|_| start.elapsed());
                        (tried, attempt.map(Proof::Run))
                    }
                };
                timings.add(&finding.fingerprint, timing);
                let confirmation = as_entered(&witness.recipe, confirmation);
                let proof = proof.filter(|_| confirmation.status == Confirmed);
                kept.extend(proof.map(|proof| (group, witness, proof)));
                results.insert(finding.fingerprint.clone(), confirmation);
            }
        }
        tell_unfit(&facade);
        timings.write(directory)?;
        self.keep(&facade, &kept)?;
        Ok(results)
    }

    fn keep(&self, facade: &Facade, kept: &[Kept<'_>]) -> io::Result<()> {
        match self.keep.filter(|_| !kept.is_empty()) {
            Some(directory) => keeping::keep(&self.project.root, &facade.copies(), directory, kept),
            None => Ok(()),
        }
    }

    /// The witness, or why there is none.
    fn prepare(&self, directory: &Path, finding: &Finding) -> io::Result<Result<(&Target, Witness), Confirmation>> {
        let Some((target, recipe)) = self.recipe(&finding.fingerprint) else {
            return Ok(Err(Confirmation::of(CannotBuild, "nothing is known of how to call it")));
        };
        if recipe.place.is_none() || !is_built(target) {
            return Ok(Err(Confirmation::of(CannotBuild, "there is no module that a witness could be put into")));
        }
        if let Some(text) = &self.fixture {
            return Ok(Ok((target, Witness { text: text.clone(), ..Witness::of(recipe) })));
        }
        let template = directory.join("templates").join(format!("{}.rs", finding.fingerprint));
        fs::create_dir_all(template.parent().unwrap_or(directory))?;
        if let Some(lacks) = recipe.lacks() {
            fs::write(&template, program::text(recipe))?;
            return Ok(Err(Confirmation::of(NeedsFixture, needs(lacks, &template))));
        }
        let mut witness = Witness::of(recipe);
        if !recipe.items.is_empty() {
            fs::write(&template, program::untyped(recipe))?;
            let why = "a stand-in for a trait that nothing implements does not compile";
            witness.otherwise = Some(Confirmation::of(NeedsFixture, to_finish(why, &template)));
        }
        Ok(Ok((target, witness)))
    }

    /// Of the plain unit, if there is one: a library with its tests holds the same functions.
    fn recipe(&self, fingerprint: &str) -> Option<(&Target, &Recipe)> {
        let mut units: Vec<&Checked> = self.units.iter().collect();
        units.sort_by_key(|(target, facts)| (facts.test, target));
        units.into_iter().find_map(|(target, facts)| {
            let recipe = facts.recipes.iter().find(|recipe| recipe.fingerprint == fingerprint)?;
            Some((target, recipe))
        })
    }

    fn group<'g>(&self, groups: &'g mut Groups, target: &Target, tests: Tests) -> &'g mut Group {
        groups.entry((target.clone(), tests)).or_insert_with(|| {
            let package = self.project.packages.iter().find(|package| package.name.as_str() == target.package);
            let manifest = package.map(|package| PathBuf::from(package.manifest_path.clone()));
            let manifest = manifest.as_deref().and_then(|path| path.strip_prefix(&self.project.root).ok());
            let is_binary = target.kind == "bin";
            Group {
                manifest: manifest.unwrap_or(Path::new("Cargo.toml")).to_owned(),
                target: if is_binary { vec!["--bin".into(), target.name.clone()] } else { vec!["--lib".into()] },
                tests,
                shown: Vec::new(),
                witnesses: Vec::new(),
            }
        })
    }

    /// The libraries, with the tests and examples beside them as far as these compile as modules.
    fn gathered(&self, directory: &Path) -> (Vec<Shown>, Vec<Checked>) {
        let is_checked = |package: &&Package| self.units.iter().any(|(of, _)| of.package == package.name.as_str());
        let packages: Vec<&Package> = self.project.packages.iter().filter(is_checked).collect();
        let tree = directory.join("tree-with-all-tests");
        let shown = gathered::of_packages(&packages, &self.project.root);
        if shown.is_empty() {
            return (shown, Vec::new());
        }
        gathered::checked(shown, |shown| {
            let copied = tree::copy(&self.project.root, &tree, Tests::Gathered);
            if copied.and_then(|()| gathered::add(&tree, shown)).is_err() {
                return Vec::new();
            }
            let mut names: Vec<&str> = shown.iter().map(|one| one.package.as_str()).collect();
            names.dedup();
            let packages = names.iter().flat_map(|name| ["--package".into(), name.into()]);
            (self.in_copy)(&tree, self.words().into_iter().chain(["--lib".into()]).chain(packages).collect())
        })
    }

    /// Of the words for cargo, those that decide what is compiled.
    pub(super) fn words(&self) -> Vec<OsString> {
        self.words_among(WITH_VALUE, ALONE)
    }

    /// Of the words for cargo, these options and their values.
    pub(super) fn words_among(&self, with_value: &[&str], alone: &[&str]) -> Vec<OsString> {
        let mut chosen = Vec::new();
        let mut words = self.args.words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            let joined = with_value.iter().any(|option| text.starts_with(&format!("{option}=")));
            if with_value.contains(&text.as_ref()) {
                chosen.extend([Some(word), words.next()].into_iter().flatten().cloned());
            } else if joined || alone.contains(&text.as_ref()) {
                chosen.push(word.clone());
            }
        }
        chosen
    }
}

/// Whether witnesses can be put into it.
fn is_built(target: &Target) -> bool {
    !["test", "bench", "example", "proc-macro"].contains(&target.kind.as_str())
}

/// A recipe that lacks nothing, of a unit with its tests.
fn as_tests_show<'u>(units: &'u [Checked], fingerprint: &str) -> Option<(&'u Target, &'u Recipe)> {
    let with_tests = units.iter().filter(|(target, facts)| facts.test && is_built(target));
    let mut all = with_tests.flat_map(|(target, facts)| facts.recipes.iter().map(move |recipe| (target, recipe)));
    all.find(|(_, recipe)| recipe.fingerprint == fingerprint && recipe.place.is_some() && recipe.lacks().is_none())
}

/// Locks that are not known are worth a word.
pub(super) fn tell_unfit(facade: &Facade) {
    foreign::unfit(&facade.copies()).iter().for_each(|package| remarks::unknown_locks(package));
}

fn tried(
    tree: &Path,
    group: &Group,
    built: &Built,
    finding: &Finding,
    witness: &Witness,
) -> (Confirmation, Option<Attempt>) {
    let fingerprint = &witness.recipe.fingerprint;
    if let Some(why) = built.failed.get(fingerprint) {
        let otherwise = witness.otherwise.clone();
        return (otherwise.unwrap_or_else(|| Confirmation::of(CannotBuild, why.clone())), None);
    }
    let Some(executable) = &built.executable else {
        return (Confirmation::of(CannotBuild, "cargo left no program"), None);
    };
    let directory = tree.join(&group.manifest);
    let directory = directory.parent().unwrap_or(tree);
    let tried = trial::run(executable, directory, finding, &witness.recipe);
    (tried.confirmation, tried.attempt)
}

/// What is shown only by calling a private function past those that lead to it, or with a state that the crate may never
/// make, may not happen otherwise.
fn as_entered(recipe: &Recipe, confirmation: Confirmation) -> Confirmation {
    let what = match () {
        () if confirmation.status != Confirmed => return confirmation,
        () if recipe.enters_private => "a private function is called directly: its callers could not be set up",
        () if recipe.is_made_up() => "a value is put together from private fields: no function could be used for it",
        () => return confirmation,
    };
    let reason = format!("{}, but {what}", confirmation.reason);
    Confirmation { status: NotReproduced, reason, ..confirmation }
}

/// In words, with the way on.
fn needs(lacks: &Lacks, template: &Path) -> String {
    let what = match lacks {
        Lacks::Value { type_name } => format!("no way was found to make a `{type_name}`"),
        Lacks::Types { parameters } => format!("no types were found for `{}`", parameters.join("`, `")),
        Lacks::Name => "one of its types cannot be named from there".to_owned(),
        Lacks::Alone { type_name } => format!("it needs a `{type_name}` for itself alone, and that cannot be cloned"),
    };
    to_finish(&what, template)
}

fn to_finish(what: &str, template: &Path) -> String {
    format!("{what}; finish {} and give it with `--fixture`", template.display())
}
