//! What keeps the house in order and no compiler checks: the doors between the rooms of src/, the registry in step with
//! tests and pages, pages made from the sources, sizes, nothing left behind. With BLESS set, the pages are written.

mod doors;
mod leftovers;
mod marks;
mod misses;
mod packages;
mod pages;
mod registry;
mod sizes;
mod source;

use std::fs;
use std::path::Path;

use source::File;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every problem is one line, `file:line: what to do`.
fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn a_room_uses_lower_rooms_only() {
    assert_none(doors::check(&source::rust_files(repository(), "src")));
}

#[test]
fn every_lint_has_its_check_and_its_tests() {
    let names = registry::names(&source::read(repository(), registry::NAMES_FILE));
    assert!(!names.is_empty(), "{}: no lint is named", registry::NAMES_FILE);
    assert_none(registry::check(&names, &source::files(repository())));
}

#[test]
fn findings_in_golden_files_are_marked() {
    assert_none(marks::check(&source::files(repository())));
}

#[test]
fn pages_say_what_the_sources_say() {
    let names = registry::names(&source::read(repository(), registry::NAMES_FILE));
    let (pages, problems) = pages::generate(&names, &source::files(repository()));
    assert_none(problems);
    let stale =
        pages.iter().filter(|page| fs::read_to_string(repository().join(&page.path)).ok().as_ref() != Some(&page.text));
    assert_none(stale.filter_map(stale_page).collect());
}

/// Writes the page if that was asked for, and is a problem otherwise.
fn stale_page(page: &File) -> Option<String> {
    let path = repository().join(&page.path);
    if std::env::var_os("BLESS").is_none() {
        return Some(format!("{}:1: differs from the sources it is made from: run `./x bless`", page.path));
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, &page.text).unwrap();
    None
}

#[test]
fn files_and_functions_are_short() {
    assert_none(sizes::check(&source::files(repository())));
}

#[test]
fn members_can_be_published() {
    assert_none(packages::check(&source::files(repository())));
}

#[test]
fn nothing_is_left_behind() {
    assert_none(leftovers::check(&source::files(repository())));
}

#[test]
fn the_changelog_has_a_place_for_the_next_change() {
    let changelog = source::read(repository(), "CHANGELOG.md");
    assert!(has_unreleased(&changelog), "CHANGELOG.md:1: add a section `## Unreleased`");
}

fn has_unreleased(changelog: &str) -> bool {
    changelog.lines().any(|line| line.starts_with("## ") && line.contains("Unreleased"))
}

#[test]
fn unreleased_is_a_heading() {
    assert!(has_unreleased("# Changelog\n\n## [Unreleased]\n"));
    assert!(!has_unreleased("# Changelog\n\n## 0.1.0\n\nUnreleased\n"));
}
