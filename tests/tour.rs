//! The walk of docs/tour.md, on the crate as it was published: every command is run, and must print what the page says.
//! `TRYCMD=overwrite cargo test --test tour` writes what is printed now into the page below `target/tour`.

#[path = "support/published.rs"]
mod published;
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// So that git does not take the copy for a part of this repository.
const CEILING: &str = "GIT_CEILING_DIRECTORIES";

const CRATE: (&str, &str) = ("prometheus-client", "0.18.0");

/// What trycmd wants: the page, and beside it the directory that its commands run in.
fn laid_out() -> PathBuf {
    let place = support::target().join("tour");
    let copy = place.join("tour.in");
    if place.exists() {
        fs::remove_dir_all(&place).unwrap();
    }
    fs::create_dir_all(&place).unwrap();
    let (name, version) = CRATE;
    let setup = support::repository().join(format!("crates/fieldcheck/known/setup/{name}-{version}"));
    let status = Command::new("cp").arg("-r").arg(published::published(name, version)).arg(&copy).status().unwrap();
    assert!(status.success());
    fs::copy(setup.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let patch = Command::new("git")
        .arg("apply")
        .arg(setup.join("changes.patch"))
        .current_dir(&copy)
        .env(CEILING, &place)
        .output()
        .unwrap();
    assert!(patch.status.success(), "{}", String::from_utf8_lossy(&patch.stderr));
    fs::copy(support::repository().join("tests/tour/mended.patch"), place.join("mended.patch")).unwrap();
    fs::copy(support::repository().join("docs/tour.md"), place.join("tour.md")).unwrap();
    place
}

#[test]
fn every_command_of_the_tour_prints_what_the_page_says() {
    let tool = support::built("cargo-stalemate");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = tool.parent().map(PathBuf::from).into_iter().chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders).unwrap().into_string().unwrap();
    let page = laid_out().join("tour.md");
    let cases = trycmd::TestCases::new();
    // Neither the user's own toolchain nor the one of these tests.
    cases.env(CEILING, page.parent().unwrap().display().to_string());
    cases.env("PATH", path).env("RUSTUP_TOOLCHAIN", "").env("COLUMNS", "100");
    cases.register_bin("cargo", PathBuf::from(env!("CARGO"))).register_bin("git", program("git"));
    cases.case(page);
}

/// trycmd wants the whole path.
fn program(name: &str) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&folders).map(|folder| folder.join(name)).filter(|path| path.is_file());
    found.next().unwrap_or_else(|| panic!("{name} is not on the PATH"))
}
