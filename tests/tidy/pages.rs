//! The pages of docs/ that are made from the sources: one per lint from its check, and docs/limits.md from the ui
//! functions that record where the tool is wrong: `fn_..` (a bug it misses) and `fp_..` (a report that is wrong), and from
//! the known bugs that it misses.

use crate::misses;
use crate::source::{File, function};

const LIMITS: &str = "\
# Known limits

Where the tool is known to be wrong. Each line is a function of the ui tests that asserts the behaviour as it is, so that
this page changes with it. A bug is *missed* where correct output would report it, and *wrongly reported* the other way round.
The last section has bugs of published crates.
";

/// The pages that should be there, and what stands in the way of making them.
pub fn generate(names: &[String], files: &[File]) -> (Vec<File>, Vec<String>) {
    let mut problems = Vec::new();
    let mut limits = LIMITS.to_owned();
    let mut pages = Vec::new();
    for name in names {
        if let Some(check) = files.iter().find(|file| file.path == format!("src/checks/{name}.rs")) {
            // Once for the documentation, and once for `cargo stalemate explain`: a package has no files outside its folder.
            for folder in ["docs/lints", "crates/cargo-stalemate/pages"] {
                pages.push(File { path: format!("{folder}/{name}.md"), text: lint_page(name, &check.text) });
            }
        }
        limits += &format!("\n## `{name}`\n\n");
        let folder = format!("ui/{name}/");
        let bullets: Vec<_> = files
            .iter()
            .filter(|file| file.is_rust() && file.path.starts_with(&folder))
            .flat_map(|file| bullets(file, &mut problems))
            .collect();
        limits += &if bullets.is_empty() { "None recorded.\n".to_owned() } else { bullets.concat() };
    }
    limits += &misses::section(files, &mut problems);
    pages.push(File { path: "docs/limits.md".to_owned(), text: limits });
    (pages, problems)
}

fn lint_page(name: &str, check: &str) -> String {
    format!("# `{name}`\n\n{}\n", module_doc(check).trim_end())
}

/// The text of the `//!` comment that a file begins with.
pub fn module_doc(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

fn bullets(file: &File, problems: &mut Vec<String>) -> Vec<String> {
    let lines: Vec<_> = file.text.lines().collect();
    let mut bullets = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let verdict = match name.get(..3) {
            Some("fn_") => "missed",
            Some("fp_") => "wrongly reported",
            _ => continue,
        };
        match reason(&lines[..at]) {
            Some(reason) => bullets.push(format!("- {verdict}: {reason} (`{name}`, {})\n", file.path)),
            None => problems.push(format!("{}:{}: say in a comment above `{name}` why", file.path, at + 1)),
        }
    }
    bullets
}

/// The comment right above, over attributes. Marks for the test harness (`//~`, `//@`) are none.
fn reason(above: &[&str]) -> Option<String> {
    let mut words = Vec::new();
    for line in above.iter().rev().map(|line| line.trim()) {
        if line.starts_with("#[") && words.is_empty() || line.starts_with("//~") || line.starts_with("//@") {
            continue;
        }
        let Some(comment) = line.strip_prefix("//") else { break };
        words.insert(0, comment.trim_start_matches('/').trim());
    }
    let reason = words.join(" ");
    let reason = reason.trim().trim_end_matches('.');
    (!reason.is_empty()).then(|| reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_comment_under_a_heading() {
        let check = "//! Finds things.\n//!\n//! ```\n//!     let x;\n//! ```\nuse a;\n//! not this\n";
        assert_eq!(lint_page("stale", check), "# `stale`\n\nFinds things.\n\n```\n    let x;\n```\n");
    }

    fn limits(ui: &str) -> (String, Vec<String>) {
        let names = ["stale".to_owned(), "other".to_owned()];
        let (pages, problems) = generate(&names, &[File::new("ui/stale/a.rs", ui)]);
        (pages.last().unwrap().text.clone(), problems)
    }

    #[test]
    fn limits_list_each_function_with_its_reason() {
        let (page, problems) = limits(
            "// The index is not followed.\n#[inline]\nfn fn_index() {}\n\n/// Nobody shares\n/// the lock.\npub fn fp_local() {}\nfn add_bad() {}\n",
        );
        assert_eq!(problems, [""; 0]);
        let sections = page.strip_prefix(LIMITS).unwrap();
        let expected = "\n## `stale`\n\n- missed: The index is not followed (`fn_index`, ui/stale/a.rs)\n\
            - wrongly reported: Nobody shares the lock (`fp_local`, ui/stale/a.rs)\n\n## `other`\n\nNone recorded.\n";
        assert!(sections.starts_with(expected), "{sections}");
    }

    #[test]
    fn a_function_without_a_reason_is_a_problem() {
        let (_, problems) = limits("fn a_ok() {}\n\n//~ mark\nfn fn_index() {}\n");
        assert_eq!(problems, ["ui/stale/a.rs:4: say in a comment above `fn_index` why"]);
    }
}
