//! What is checked: members of the workspace, and of those what the words behind `--` select.

use crate::project::Project;
use crate::samples::{CLEAN, LOST_UPDATE};

/// A lost update in the tests of a package whose library is clean.
const TESTED: &str = "
#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    static TOTAL: Mutex<i64> = Mutex::new(0);

    #[test]
    fn adds() {
        let total = *TOTAL.lock().unwrap();
        *TOTAL.lock().unwrap() = total + 1;
    }
}
";

const TESTS_ON: &str = "[workspace.metadata.stalemate]\ntests = true\n";

const MAIN: &str = "
use std::sync::Mutex;

static TOTAL: Mutex<i64> = Mutex::new(0);

fn main() {
    let total = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = total + 1;
}
";

#[test]
fn one_member_can_be_picked() {
    let project = Project::workspace("pick", &[("one", LOST_UPDATE), ("two", LOST_UPDATE)]);
    assert_eq!(project.json("").exits(1).functions().len(), 2);
    let run = project.json("-- -p one").exits(1);
    assert_eq!(run.document().run.packages, ["one"], "{run}");
    assert_eq!(run.document().findings.len(), 1, "{run}");
    project.run("-- -p three").exits(2).reports_nothing().notes(&["three", "cargo could not start the check"]);
}

#[test]
fn dependencies_outside_the_workspace_are_not_reported() {
    let root = "[workspace]\nexclude = [\"outside\"]\n[dependencies]\noutside = { path = \"outside\" }\n";
    let project = Project::new("outside").package("bank", root, CLEAN).member("outside", "", LOST_UPDATE);
    let run = project.json("").exits(0);
    assert_eq!(run.document().run.packages, ["bank"], "{run}");
    assert_eq!(run.document().run.functions, 1, "{run}");
}

#[test]
fn targets_can_be_picked() {
    let project = Project::library("targets", LOST_UPDATE).file("src/main.rs", MAIN);
    assert_eq!(project.json("").exits(1).functions(), ["Account::deposit", "main"]);
    assert_eq!(project.json("-- --lib").exits(1).functions(), ["Account::deposit"]);
    // As with `cargo check`, what the picked target needs is compiled with it, and so it is checked.
    assert_eq!(project.json("-- --bins").exits(1).functions(), ["Account::deposit", "main"]);
}

#[test]
fn a_function_in_two_units_is_reported_once() {
    let project = Project::library("twice", LOST_UPDATE);
    let (plain, all) = (project.json("").exits(1), project.json("-- --all-targets").exits(1));
    assert_eq!(plain.document().findings, all.document().findings);
    let shared = Project::library("shared_file", "pub mod account;\n").file("src/account.rs", LOST_UPDATE);
    let run = shared.file("src/main.rs", "mod account;\nfn main() {}\n").json("").exits(1);
    assert_eq!(run.functions(), ["account::Account::deposit"], "{run}");
}

#[test]
fn members_that_a_picked_one_needs_are_checked_with_it() {
    let project = Project::workspace("needed", &[("one", CLEAN), ("two", LOST_UPDATE), ("three", LOST_UPDATE)]);
    let project = project.member("one", "[dependencies]\ntwo = { path = \"../two\" }\n", CLEAN);
    assert_eq!(project.json("-- -p one").exits(1).document().run.packages, ["one", "two"]);
}

#[test]
fn tests_are_reported_only_when_asked() {
    let source = format!("{CLEAN}{TESTED}");
    let off = Project::library("tests_off", &source).file("tests/outer.rs", TESTED);
    off.run("-- --all-targets").exits(0).reports_nothing();
    let on = Project::new("tests_on").package("bank", TESTS_ON, &source).file("tests/outer.rs", TESTED);
    assert_eq!(on.json("-- --all-targets").exits(1).functions(), ["tests::adds", "tests::adds"]);
    // Without `--all-targets` cargo does not compile them.
    on.run("").exits(0).reports_nothing();
}

#[test]
fn build_scripts_run_and_are_not_checked() {
    let script = format!("{MAIN}\n#[allow(dead_code)]\nfn print() {{}}\n")
        .replace("fn main() {", "fn main() {\n    println!(\"cargo::rustc-env=AMOUNT=7\");");
    let source = format!("pub const AMOUNT: &str = env!(\"AMOUNT\");\n{LOST_UPDATE}");
    let run = Project::library("build_script", &source).file("build.rs", &script).json("").exits(1);
    assert_eq!(run.functions(), ["Account::deposit"], "{run}");
    assert_eq!(run.document().run.functions, 2, "{run}");
}

#[test]
fn procedural_macros_run_and_are_checked() {
    let macros = format!(
        "#[proc_macro]\npub fn answer(_: proc_macro::TokenStream) -> proc_macro::TokenStream {{\n    \
         \"42\".parse().unwrap()\n}}\n{}",
        LOST_UPDATE.replace("pub ", "")
    );
    let user = format!("pub const ANSWER: u8 = macros::answer!();\n{LOST_UPDATE}");
    let project = Project::workspace("proc_macro", &[])
        .file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"macros\", \"user\"]\n")
        .member("macros", "[lib]\nproc-macro = true\n", &macros)
        .member("user", "[dependencies]\nmacros = { path = \"../macros\" }\n", &user);
    let run = project.json("").exits(1);
    assert_eq!(run.document().run.packages, ["macros", "user"], "{run}");
    assert_eq!(run.document().findings.len(), 2, "{run}");
    let again = project.json("").exits(1);
    assert!(!again.compiled(), "{again}");
    assert_eq!(again.stdout, run.stdout);
    // The macro alone is not asked for here, but has to be built.
    let user = project.json("-- -p user").exits(1);
    assert_eq!(user.document().run.packages, ["user"], "{user}");
}
