//! Races on plain memory. The facade sees locks and atomics; what a cell or a raw pointer leads to it does not see. So the same
//! two calls are run by Miri, which knows for every byte who touched it last and whether that came before.
//!
//! Miri comes with the pinned nightly, and the project is compiled by it for this one purpose. Both orders run first, one
//! thread after the other: what Miri has to say about those is no race. Then both threads run freely, several times over.
//! ThreadSanitizer would be the other tool for that; it takes code that uses fences for racy, so its word is no proof.

use super::bounded::{self, Said};
use super::building::{Group, Witness, put};
use super::program;
use crate::setup;
use crate::toolchain::Toolchain;
use finding::document::ConfirmationStatus::{CannotBuild, Confirmed, Infeasible, NotReproduced};
use finding::{Confirmation, Finding};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The lints whose findings are about memory that no type ties to a lock.
const LINTS: &[&str] = &["racy_access", "inconsistent_guard"];

/// What Miri is to mind, and what not: files and clocks are the system's own, a witness leaves its state behind, and who may
/// borrow what is not the question here.
pub const FLAGS: &str = "-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-disable-stacked-borrows";

/// For the first build, with Miri's own standard library, and for a run.
const BUILD: Duration = Duration::from_secs(900);
const RUN: Duration = Duration::from_secs(60);

/// What Miri says of a race, and of anything else that no program may do.
const RACE: &str = "Undefined Behavior: Data race detected between ";
const UNDEFINED: &str = "Undefined Behavior: ";
const UNSUPPORTED: &str = "unsupported operation: ";

/// A copy of the workspace for Miri, and how it is built.
pub struct Races<'a> {
    pub toolchain: &'a Toolchain,
    pub root: &'a Path,
    pub directory: &'a Path,
    pub words: &'a [OsString],
}

impl Races<'_> {
    /// `None`: it is not about plain memory, or Miri is not there.
    pub fn run(&self, group: &Group, finding: &Finding, witness: &Witness) -> io::Result<Option<Confirmation>> {
        // What a stand-in is called for may be what keeps the threads apart, and Miri does not see to that.
        if !witness.recipe.items.is_empty() {
            return Ok(None);
        }
        if !LINTS.contains(&finding.lint.as_str()) || !setup::with_miri(self.toolchain) {
            return Ok(None);
        }
        let tree = self.directory.join("races");
        group.copy(self.root, &tree, group.tests)?;
        let text = program::racing(&witness.recipe, &witness.text);
        put(&tree, &Witness { text, ..witness.clone() })?;
        let built = bounded::run(self.cargo(group, &tree).arg("--no-run"), BUILD)?;
        if built.code != Some(0) {
            let why = format!("with Miri: {}", first_error(&built.stderr));
            return Ok(Some(Confirmation::of(CannotBuild, why)));
        }
        let test = program::test_name(&witness.recipe).unwrap_or_default();
        let run = |order: &str| {
            let mut cargo = self.cargo(group, &tree);
            cargo.args(["--", "--exact", &test, "--nocapture"]).env("STALEMATE_ORDER", order);
            bounded::run(&mut cargo, RUN)
        };
        if let Some(why) = objection(&run("serial")?) {
            return Ok(Some(Confirmation::of(Infeasible, format!("one call after the other, Miri says: {why}"))));
        }
        Ok(Some(judged(finding, &run("both")?)))
    }

    fn cargo(&self, group: &Group, tree: &Path) -> Command {
        let mut cargo = Command::new(self.toolchain.cargo());
        cargo.args(["miri", "test", "--quiet"]).args(&group.target).args(self.words);
        cargo.arg("--manifest-path").arg(tree.join(&group.manifest));
        cargo.env("RUSTUP_TOOLCHAIN", self.toolchain.name()).env("MIRIFLAGS", FLAGS).env("NO_COLOR", "1");
        cargo.env("CARGO_TARGET_DIR", self.target()).env("CARGO_TERM_COLOR", "never").env("PATH", self.path());
        cargo.env_remove("RUSTC").env_remove("CARGO").env_remove("RUSTC_WRAPPER").env_remove("RUSTFLAGS");
        cargo
    }

    fn target(&self) -> PathBuf {
        self.directory.join("races-target")
    }

    /// cargo looks for `cargo-miri` on it.
    fn path(&self) -> OsString {
        let before = std::env::var_os("PATH").unwrap_or_default();
        let all = [self.toolchain.programs()].into_iter().chain(std::env::split_paths(&before));
        std::env::join_paths(all).unwrap_or(before)
    }
}

/// What a run of both threads shows of a finding: a race counts if one of its places is one of the finding's own.
fn judged(finding: &Finding, said: &Said) -> Confirmation {
    let Some(why) = objection(said) else {
        return Confirmation::of(NotReproduced, "Miri sees no race between the two");
    };
    let is_own = || finding.trace.iter().any(|step| names(&said.stderr, &step.place.file, step.place.line));
    match () {
        () if said.stderr.contains(UNSUPPORTED) || !said.stderr.contains(UNDEFINED) => {
            Confirmation::of(Infeasible, format!("Miri cannot run it: {why}"))
        }
        () if !is_own() => Confirmation::of(NotReproduced, format!("Miri finds something else: {why}")),
        () => Confirmation {
            interleaved: Some(why),
            pauses: places(&said.stderr),
            serial: vec!["nothing to object to".to_owned(); 2],
            ..Confirmation::of(Confirmed, proof(&said.stderr))
        },
    }
}

fn proof(stderr: &str) -> &'static str {
    if stderr.contains(RACE) {
        "run by Miri: both threads touch the same memory, and nothing orders them"
    } else {
        "run by Miri: both threads at once do what no program may do, and neither order does it"
    }
}

/// The first error, if the run did not end well.
fn objection(said: &Said) -> Option<String> {
    match said.code {
        Some(0) => None,
        Some(_) => Some(first_error(&said.stderr)),
        None => Some("it does not come to an end".to_owned()),
    }
}

/// Without the numbers of allocations, which differ from run to run.
fn first_error(stderr: &str) -> String {
    let line = stderr.lines().find_map(|line| line.split_once("error: ").map(|(_, error)| error));
    let line = line.or_else(|| stderr.lines().find(|line| line.contains("panicked at")));
    let line = line.unwrap_or("it does not say why").trim();
    let line = line.strip_prefix(UNDEFINED).unwrap_or(line);
    line.split(" at alloc").next().unwrap_or(line).to_owned()
}

/// Whether that place occurs. Paths are told from the package, or from the root.
fn names(stderr: &str, file: &str, line: u32) -> bool {
    let short = file.split_once("/src/").map_or(file, |(_, rest)| rest);
    let ends = format!("{short}:{line}:");
    stderr.lines().any(|text| text.contains(&ends))
}

/// Where the two accesses are.
fn places(stderr: &str) -> Vec<String> {
    let race = stderr.lines().skip_while(|line| !line.contains(UNDEFINED));
    let places = race.filter_map(|line| line.trim_start().strip_prefix("--> "));
    places.take(2).map(|place| format!("access at {place}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{recorded, step};
    use finding::Thread;

    fn said(code: i32, stderr: &str) -> Said {
        Said { code: Some(code), stdout: String::new(), stderr: stderr.to_owned() }
    }

    const TEXT: &str = "test a::witness ... error: Undefined Behavior: Data race detected between (1) non-atomic write on \
        thread `unnamed-2` and (2) non-atomic read on thread `unnamed-3` at alloc40899\n  --> src/a.rs:7:41\n   |\n\
        help: and (1) occurred earlier here\n  --> src/a.rs:3:34\n";

    #[test]
    fn a_race_counts_where_the_finding_is() {
        let mut finding = recorded("src/a.rs", 3).finding;
        finding.trace = vec![step(Thread::B, "src/a.rs", 3, "writes")];
        let told = judged(&finding, &said(1, TEXT));
        assert_eq!((told.status, told.pauses.len()), (Confirmed, 2), "{told:?}");
        assert!(told.interleaved.unwrap().ends_with("thread `unnamed-3`"));
        finding.trace[0].place.line = 4;
        assert_eq!(judged(&finding, &said(1, TEXT)).status, NotReproduced);
        assert_eq!(judged(&finding, &said(0, "")).status, NotReproduced);
        let unsupported = "error: unsupported operation: can't call foreign function `x` on OS `linux`";
        assert_eq!(judged(&finding, &said(1, unsupported)).status, Infeasible);
    }

    #[test]
    fn a_race_is_told_from_other_words() {
        assert!(proof(TEXT).contains("nothing orders them"));
        assert!(proof("error: Undefined Behavior: reading memory that is uninitialized").contains("neither order"));
        assert_eq!(first_error("error: no\nmore"), "no");
        assert_eq!(first_error(""), "it does not say why");
    }
}
