//! Only our lints speak, and nothing but a compile error of the project stops a run.

use crate::project::Project;
use crate::samples::{CLEAN, LOST_UPDATE};

/// Breaks what it denies in every line, and a lint that denies by itself.
const DENIES: &str = "\
#![deny(warnings)]
#![deny(unused_qualifications, dead_code, missing_docs)]
#![forbid(unsafe_code)]
#![warn(clippy::all, no_such_lint)]

use std::sync::Mutex;

pub struct Account { pub balance: std::sync::Mutex<i64> }

fn unused() -> u8 { let unused = 256; 255 + 1 }

pub fn lock() -> Mutex<i64> { std::sync::Mutex::new(0) }
";

#[test]
fn other_lints_are_silent_whatever_the_project_denies() {
    let run = Project::library("denies", DENIES).run("").exits(0).reports_nothing();
    run.never_says(&["warning", "error", "unused", "missing documentation", "literal"]);
}

#[test]
fn levels_of_the_manifest_for_other_lints_are_silent() {
    let lints = "[workspace]\n[lints.rust]\nmissing_docs = \"deny\"\nwarnings = \"deny\"\n";
    let run = Project::new("manifest_lints").package("bank", lints, CLEAN).run("").exits(0).reports_nothing();
    run.never_says(&["warning", "error", "missing documentation"]);
}

#[test]
fn warnings_about_the_manifest_are_cargos_own_affair() {
    let more = "no-such-key = 1\n[workspace]\n";
    Project::new("manifest_warning").package("bank", more, CLEAN).run("").exits(0).reports_nothing();
}

#[test]
fn a_newer_rust_version_does_not_stop_it() {
    let more = "rust-version = \"1.999\"\n[workspace]\n";
    Project::new("rust_version").package("bank", more, LOST_UPDATE).run("").exits(1).notes(&["1 finding"]);
}

#[test]
fn a_toolchain_file_of_the_project_does_not_stop_it() {
    let toolchain = "[toolchain]\nchannel = \"nightly-2015-05-15\"\n";
    let project = Project::library("toolchain_file", LOST_UPDATE).file("rust-toolchain.toml", toolchain);
    project.run("").exits(1).notes(&["1 finding"]);
}

#[test]
fn a_wrapper_of_the_compiler_is_switched_off() {
    let config = "[build]\nrustc-wrapper = \"no-such-wrapper\"\n";
    let project = Project::library("wrapper", LOST_UPDATE).file(".cargo/config.toml", config);
    project.run("").exits(1).notes(&["1 finding"]);
}

#[test]
fn compiler_flags_of_the_user_are_kept() {
    let source = format!("#[cfg(not(extra))]\ncompile_error!(\"flag lost\");\n{LOST_UPDATE}");
    let config = "[build]\nrustflags = [\"--cfg=extra\"]\n";
    let project = Project::library("rustflags", &source).file(".cargo/config.toml", config);
    project.run("").exits(1).notes(&["1 finding"]);
}
