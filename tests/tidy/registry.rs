//! Every lint that has a name has a check and ui tests, and neither these nor a page is there without a lint. That it has
//! its page, and the right one, is told where pages are made.

use std::collections::BTreeSet;

use crate::pages;
use crate::source::{File, function};

pub const NAMES_FILE: &str = "crates/finding/src/lints.rs";

/// Files and folders beside those of the lints, which belong to none.
const OTHER_CHECKS: &[&str] = &["mod", "evidence", "practice", "published", "sharing", "two_steps"];
const OTHER_UI: &[&str] = &[];
const OTHER_PAGES: &[&str] = &[];

/// The strings of the constant NAMES.
pub fn names(source: &str) -> Vec<String> {
    let Some((_, list)) = source.split_once("NAMES: &[&str] =") else { return Vec::new() };
    let list = list.split("];").next().unwrap();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

pub fn check(names: &[String], files: &[File]) -> Vec<String> {
    let mut problems: Vec<_> = names.iter().flat_map(|name| lacks(name, files)).collect();
    for (before, after, others) in
        [("src/checks/", ".rs", OTHER_CHECKS), ("ui/", "", OTHER_UI), ("docs/lints/", ".md", OTHER_PAGES)]
    {
        for stray in children(before, after, files).into_iter().filter(|child| !names.iter().any(|name| name == child))
        {
            if !others.contains(&stray) {
                problems.push(format!(
                    "{before}{stray}{after}:1: belongs to no lint: name it in {NAMES_FILE}, or delete it"
                ));
            }
        }
    }
    problems
}

/// What there is in a directory: files with an ending, or folders if there is none.
fn children<'a>(before: &str, after: &str, files: &'a [File]) -> BTreeSet<&'a str> {
    let inside = files.iter().filter_map(|file| file.path.strip_prefix(before));
    inside
        .filter_map(|path| match after {
            "" => path.split_once('/').map(|(folder, _)| folder),
            _ => path.strip_suffix(after).filter(|name| !name.contains('/')),
        })
        .collect()
}

fn lacks(name: &str, files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    let check = format!("src/checks/{name}.rs");
    match files.iter().find(|file| file.path == check) {
        None => problems.push(format!("{check}:1: is missing: {NAMES_FILE} names the lint")),
        Some(file) if pages::module_doc(&file.text).trim().is_empty() => {
            problems.push(format!("{check}:1: begin with a `//!` comment: it is the lint's page"));
        }
        Some(_) => {}
    }
    let folder = format!("ui/{name}/");
    for (ending, what) in [("_bad", "code that is reported"), ("_ok", "its twin that is not")] {
        let shows = |file: &&File| file.text.lines().filter_map(function).any(|function| function.ends_with(ending));
        if !files.iter().filter(|file| file.is_rust() && file.path.starts_with(&folder)).any(|file| shows(&file)) {
            problems.push(format!("{folder}:1: add a function `..{ending}`, {what}"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house() -> Vec<File> {
        vec![
            File::new("src/checks/mod.rs", ""),
            File::new("src/checks/stale.rs", "//! Says what it does.\n"),
            File::new("ui/stale/update.rs", "fn add_bad() {}\nfn add_ok() {}\n"),
            File::new("docs/lints/stale.md", ""),
        ]
    }

    fn problems(files: &[File]) -> Vec<String> {
        check(&["stale".to_owned()], files)
    }

    #[test]
    fn names_are_read_on_one_line_or_many() {
        assert_eq!(names(r#"pub const NAMES: &[&str] = &["one", "two"];"#), ["one", "two"]);
        assert_eq!(
            names("const NAMES: &[&str] = &[\n    \"one\",\n    \"two\",\n];\nlet other = \"three\";"),
            ["one", "two"]
        );
        assert_eq!(names("nothing"), [""; 0]);
    }

    #[test]
    fn a_house_in_order() {
        assert_eq!(problems(&house()), [""; 0]);
    }

    #[test]
    fn each_part_that_is_missing_is_told() {
        for (gone, told) in [
            ("src/checks/stale.rs", "src/checks/stale.rs:1: is missing"),
            ("ui/stale/update.rs", "ui/stale/:1: add a function `.._bad`"),
        ] {
            let files: Vec<_> = house().into_iter().filter(|file| file.path != gone).collect();
            assert!(problems(&files).iter().any(|problem| problem.starts_with(told)), "{told}: {:?}", problems(&files));
        }
    }

    #[test]
    fn a_check_without_words_and_a_bad_without_an_ok_are_told() {
        let mut files = house();
        files[1].text = "use x;\n".to_owned();
        files[2].text = "fn add_bad() {}\n".to_owned();
        let found = problems(&files);
        assert!(found[0].starts_with("src/checks/stale.rs:1: begin with"), "{found:?}");
        assert!(found[1].starts_with("ui/stale/:1: add a function `.._ok`"), "{found:?}");
    }

    #[test]
    fn strays_are_told() {
        for stray in ["src/checks/old.rs", "ui/old/a.rs", "docs/lints/old.md"] {
            let mut files = house();
            files.push(File::new(stray, ""));
            let found = problems(&files);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains("belongs to no lint"), "{found:?}");
        }
    }
}
