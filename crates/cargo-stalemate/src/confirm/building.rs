//! The tests of one target, built with the witnesses in it. A witness that does not compile is taken out, and its error is
//! what there is to say of it; the others must not suffer.

use super::bounded;
use super::facade::Facade;
use super::gathered::{self, Shown};
use super::program::{self, insertion, module_name};
use super::tree::{self, Tests};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel, DiagnosticSpan};
use finding::Confirmation;
use finding::recipe::{Insertion, Recipe};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long cargo may take.
pub(super) const LIMIT: Duration = Duration::from_secs(1200);

/// How often witnesses are taken out, and the rest is built again.
const ROUNDS: usize = 8;

/// A witness that is to be built.
#[derive(Clone, Debug)]
pub struct Witness {
    pub recipe: Recipe,
    pub text: String,
    /// What there is to say if it does not compile, where that is not the news.
    pub otherwise: Option<Confirmation>,
}

impl Witness {
    pub fn of(recipe: &Recipe) -> Witness {
        Witness { recipe: recipe.clone(), text: program::text(recipe), otherwise: None }
    }
}

/// A library or a binary, and what is to be put into it.
#[derive(Debug)]
pub struct Group {
    /// The manifest of the package, from the root of the workspace.
    pub manifest: PathBuf,
    /// For cargo: `--lib`, or `--bin` and its name.
    pub target: Vec<String>,
    /// Whether the witnesses need the user's tests.
    pub tests: Tests,
    /// What is made a module for them.
    pub shown: Vec<Shown>,
    pub witnesses: Vec<Witness>,
}

impl Group {
    /// Where the copy of the workspace is that it is built in.
    pub fn tree(&self, directory: &Path) -> PathBuf {
        directory.join(match self.tests {
            Tests::TakenOut => "tree",
            Tests::Kept => "tree-with-tests",
            Tests::Gathered => "tree-with-all-tests",
        })
    }

    /// Brings a copy in step with the workspace.
    pub fn copy(&self, root: &Path, tree: &Path, tests: Tests) -> io::Result<()> {
        tree::copy(root, tree, tests)?;
        gathered::add(tree, &self.shown)
    }
}

/// What came of a group.
#[derive(Debug, Default)]
pub struct Built {
    pub executable: Option<PathBuf>,
    /// Why some are not in it, by their fingerprints.
    pub failed: BTreeMap<String, String>,
}

/// Where and how is built.
pub struct Workshop<'a> {
    pub facade: &'a Facade,
    /// The user's workspace, and where our copies of it are.
    pub root: &'a Path,
    pub directory: &'a Path,
    pub members: Vec<&'a str>,
    /// Features and the like, as the user gave them.
    pub words: Vec<OsString>,
}

enum Came {
    Executable(PathBuf),
    /// Errors in witnesses, by their fingerprints.
    Witnesses(BTreeMap<String, String>),
    Elsewhere(String),
}

impl Workshop<'_> {
    /// First everything with the facade and without the user's tests; then with less of the one and more of the other.
    pub fn build(&self, group: &Group) -> io::Result<Built> {
        let own = group.tests;
        let ways = [(own, vec!["*"]), (own, self.members.clone()), (Tests::Kept, vec!["*"])];
        let mut first_error = None;
        let tried = if own == Tests::TakenOut { ways.len() } else { 2 };
        for (tests, packages) in ways.into_iter().take(tried) {
            match self.build_so(group, tests, &packages)? {
                Ok(built) => return Ok(built),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        let why = first_error.unwrap_or_default();
        let failed = group.witnesses.iter().map(|one| (one.recipe.fingerprint.clone(), why.clone())).collect();
        Ok(Built { executable: None, failed })
    }

    /// The inner error: it is not the witnesses that do not compile.
    fn build_so(&self, group: &Group, tests: Tests, packages: &[&str]) -> io::Result<Result<Built, String>> {
        let mut failed = BTreeMap::new();
        for _ in 0..ROUNDS {
            let left: Vec<&Witness> =
                group.witnesses.iter().filter(|one| !failed.contains_key(&one.recipe.fingerprint)).collect();
            if left.is_empty() {
                return Ok(Ok(Built { executable: None, failed }));
            }
            let tree = group.tree(self.directory);
            group.copy(self.root, &tree, tests)?;
            for witness in left {
                put(&tree, witness)?;
            }
            match self.cargo(group, packages)? {
                Came::Executable(path) => return Ok(Ok(Built { executable: Some(path), failed })),
                Came::Witnesses(errors) => failed.extend(errors),
                Came::Elsewhere(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(Built { executable: None, failed }))
    }

    fn cargo(&self, group: &Group, packages: &[&str]) -> io::Result<Came> {
        let mut cargo = self.facade.cargo(packages);
        cargo.args(["test", "--no-run", "--quiet", "--message-format=json"]).args(self.facade.target_arguments());
        cargo
            .args(&group.target)
            .arg("--manifest-path")
            .arg(group.tree(self.directory).join(&group.manifest))
            .args(&self.words);
        let said = bounded::run(&mut cargo, LIMIT)?;
        let mut executable = None;
        let mut errors = Vec::new();
        for message in Message::parse_stream(said.stdout.as_bytes()).map_while(Result::ok) {
            match message {
                Message::CompilerArtifact(artifact) if artifact.profile.test => {
                    executable = artifact.executable.map(PathBuf::from).or(executable);
                }
                Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                    errors.push(message.message);
                }
                _ => {}
            }
        }
        if let Some(path) = executable.filter(|_| said.code == Some(0)) {
            return Ok(Came::Executable(path));
        }
        let in_witnesses = errors_of(&errors);
        if !in_witnesses.is_empty() {
            return Ok(Came::Witnesses(in_witnesses));
        }
        let told = errors.first().map(rendered);
        Ok(Came::Elsewhere(told.unwrap_or_else(|| last_words(&said.stderr))))
    }
}

/// The first error of each witness that has one.
fn errors_of(errors: &[Diagnostic]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for error in errors {
        let witness = error.spans.iter().chain(error.children.iter().flat_map(|one| &one.spans)).find_map(witness_of);
        if let Some(witness) = witness {
            all.entry(witness).or_insert_with(|| rendered(error));
        }
    }
    all
}

/// The fingerprint in the name of the file, here or where a macro was called.
fn witness_of(span: &DiagnosticSpan) -> Option<String> {
    let name = Path::new(&span.file_name).file_name()?.to_str()?;
    let own = name.strip_prefix(&module_name("")).and_then(|rest| rest.strip_suffix(".in"));
    own.map(str::to_owned).or_else(|| witness_of(&span.expansion.as_ref()?.span))
}

/// A line: what, and where.
pub(super) fn rendered(error: &Diagnostic) -> String {
    let at = error.spans.iter().find(|span| span.is_primary);
    let line = at.map(|span| format!(" ({}:{})", span.file_name, span.line_start)).unwrap_or_default();
    format!("{}{line}", error.message)
}

pub(super) fn last_words(stderr: &str) -> String {
    let errors = stderr.lines().find(|line| line.starts_with("error"));
    errors.or_else(|| stderr.lines().last()).unwrap_or("cargo does not say why").trim().to_owned()
}

/// Puts a witness into the copy: the text beside the file, and the one line into it.
pub fn put(tree: &Path, witness: &Witness) -> io::Result<()> {
    let Some(place) = &witness.recipe.place else { return Ok(()) };
    let file = tree.join(&place.file);
    let fingerprint = &witness.recipe.fingerprint;
    let beside = file.with_file_name(format!("{}.in", module_name(fingerprint)));
    tree::write(&beside, witness.text.as_bytes())?;
    let text = fs::read_to_string(&file)?;
    let text = inserted(&text, place, &insertion(fingerprint));
    tree::write(&file, text.as_bytes())
}

fn inserted(text: &str, place: &Insertion, line: &str) -> String {
    match place.brace.and_then(|at| offset(text, at)) {
        // Earlier witnesses may stand there already: the brace has moved behind them.
        Some(at) => {
            let brace = text[at..].find('}').map_or(text.len(), |found| at + found);
            let at = if text[at..].starts_with('}') { at } else { at.min(brace) };
            format!("{} {line} {}", &text[..at], &text[at..])
        }
        None => format!("{text}\n{line}\n"),
    }
}

/// Line and column, counted in characters from 1, as a position in the text.
fn offset(text: &str, (line, column): (u32, u32)) -> Option<usize> {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line as usize - 1).map(str::len).sum();
    let own = lines.next()?;
    let column = own.char_indices().nth(column as usize - 1).map(|(at, _)| at)?;
    Some(before + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(brace: Option<(u32, u32)>) -> Insertion {
        Insertion { file: "src/lib.rs".into(), module: Vec::new(), brace }
    }

    #[test]
    fn a_witness_goes_to_the_end_of_its_module() {
        assert_eq!(inserted("fn f() {}", &place(None), "mod w {}"), "fn f() {}\nmod w {}\n");
        let inline = "mod a {\n    fn ä() {} }\nfn g() {}\n";
        let once = inserted(inline, &place(Some((2, 15))), "mod w {}");
        assert_eq!(once, "mod a {\n    fn ä() {}  mod w {} }\nfn g() {}\n");
        let twice = inserted(&once, &place(Some((2, 15))), "mod v {}");
        assert_eq!(twice.lines().nth(1).unwrap(), "    fn ä() {}  mod v {}  mod w {} }");
    }

    #[test]
    fn the_words_of_cargo_are_kept_short() {
        assert_eq!(last_words("   Compiling a\nerror: no such feature\nmore"), "error: no such feature");
        assert_eq!(last_words(""), "cargo does not say why");
    }
}
