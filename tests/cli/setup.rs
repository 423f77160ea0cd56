//! What has to be installed: each missing part is named, with the command that mends it. A driver that fails is an
//! internal error, never a clean project.

use crate::project::{Project, Run};
use crate::samples::CLEAN;

#[test]
fn a_driver_that_is_not_there() {
    let project = Project::library("no_driver", CLEAN);
    let run = Run::of(project.command().env("STALEMATE_DRIVER", "no-such-driver")).exits(4).reports_nothing();
    run.notes(&["error: STALEMATE_DRIVER names ", "no-such-driver, which does not exist"]);
}

#[test]
fn a_driver_that_is_something_else() {
    let project = Project::library("false_driver", CLEAN);
    let driver = project.root.join("Cargo.toml");
    let run = Run::of(project.command().env("STALEMATE_DRIVER", driver)).exits(4).reports_nothing();
    run.notes(&["error: the driver ", "does not run: ", "help: run `cargo stalemate setup`"]);
}

#[test]
fn no_rustup() {
    let project = Project::library("no_rustup", CLEAN);
    let run = Run::of(project.command().env("PATH", &project.root)).exits(4).reports_nothing();
    run.notes(&["error: rustup is not installed", "https://rustup.rs"]);
}

#[test]
fn no_toolchain() {
    let project = Project::library("no_toolchain", CLEAN);
    let mut command = project.command();
    command.env("RUSTUP_HOME", &project.root).env("STALEMATE_SETUP", "never");
    let run = Run::of(&mut command).exits(4).reports_nothing();
    let help = ["help: run `cargo stalemate setup`, or `rustup toolchain install nightly-", "rustc-dev"];
    run.notes(&["error: the toolchain nightly-", "is not installed"]).notes(&help);
}

/// Programs in the driver's place that answer cargo's questions but do not do its work.
#[cfg(unix)]
mod unfit {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A run with a script as the driver. `$@` is the command line of the compiler it stands in for.
    fn with_driver(name: &str, script: &str) -> Run {
        let project = Project::library(name, CLEAN).file("driver", &format!("#!/bin/sh\n{script}\n"));
        let driver = project.root.join("driver");
        std::fs::set_permissions(&driver, PermissionsExt::from_mode(0o755)).expect("the script can be made a program");
        Run::of(project.command().args(["--format", "json"]).env("STALEMATE_DRIVER", driver))
    }

    #[test]
    fn a_driver_that_leaves_no_facts() {
        let run = with_driver("no_facts", "exec \"$@\"").exits(70).reports_nothing();
        run.notes(&["error: the driver left no usable result for the lib `bank` of package `bank`", "is missing"]);
    }

    #[test]
    fn a_driver_that_is_killed() {
        let script = "case \"$*\" in *'--crate-name bank'*) kill -9 $$ ;; esac\nexec \"$@\"";
        let run = with_driver("killed_driver", script).exits(70).reports_nothing();
        run.notes(&["error: the driver stopped with an internal error"]);
    }
}
