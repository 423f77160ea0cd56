//! What is worth a word on standard error and stops nothing: settings that nobody reads, and acceptances that accept
//! nothing.

use crate::accepting::Unused;
use crate::baseline::Entry;
use crate::config::AllowedPath;
use crate::errors::{Complaint, choices};
use crate::project::Table;
use finding::SuppressedBy;
use finding::acceptance::{Acceptance, CommentMistake};
use finding::lints::NAMES;
use std::path::Path;

/// More entries of a baseline than this are only counted.
const NAMED: usize = 3;

/// A row of the user's models, or a fixture, that no checked crate knows.
pub fn unknown_model(path: &str) {
    Complaint::warning(format!("`{path}` in the settings leads nowhere in any of the checked crates"))
        .help("write the public path, as in a `use`, with the name of the crate first")
        .print();
}

/// Settings that nobody reads.
pub fn unread(table: &Table) {
    Complaint::warning(format!("`{}` in {} is not read", table.key, table.manifest.display()))
        .help("keep the settings in `[workspace.metadata.stalemate]` of the workspace's own manifest")
        .print();
}

pub fn unused(unused: &Unused, baseline: Option<&Path>) {
    unused.in_code.iter().map(in_code).for_each(|complaint| complaint.print());
    unused.rows.iter().map(row).for_each(|complaint| complaint.print());
    if let (Some(file), false) = (baseline, unused.entries.is_empty()) {
        entries(&file.display().to_string(), &unused.entries).print();
    }
}

pub fn written(file: &Path, was_written: bool, entries: usize) {
    let what = if was_written { "wrote" } else { "nothing to change in" };
    Complaint::remark(&format!("{what} {}: {entries} accepted", file.display())).print();
}

/// The sources of a package are not as they are expected to be.
pub fn unknown_locks(package: &str) {
    Complaint::warning(format!(
        "the locks of {package} are not known as locks: its sources are not those that are expected"
    ))
    .help("threads are held up at its atomics all the same, so less is found, and nothing that is not there")
    .print();
}

/// It takes a while.
pub fn trying(findings: usize) {
    let what = if findings == 1 { "finding" } else { "findings" };
    Complaint::remark(&format!(
        "running {findings} {what}: the project is copied, compiled and run in our own directory"
    ))
    .print();
}

fn in_code(one: &Acceptance) -> Complaint {
    let at = format!("{}:{}:{}", one.place.file, one.place.line, one.place.column);
    let warning = |text: String| Complaint::warning(format!("{at}: {text}"));
    const FORM: &str = "write `// stalemate: allow(LINT) -- REASON`";
    let lint = &one.lint;
    match (one.mistake, one.by) {
        (Some(CommentMistake::UnknownLint), _) => {
            warning(format!("there is no lint `{lint}`, and so this comment accepts nothing"))
                .help(choices("lints", lint, NAMES))
        }
        (Some(CommentMistake::NoReason), _) => {
            warning("this comment gives no reason, and so it accepts nothing".to_owned()).help(FORM)
        }
        (Some(CommentMistake::Form), _) => {
            warning("this comment cannot be read, and so it accepts nothing".to_owned()).help(FORM)
        }
        (None, SuppressedBy::Attribute) if lint.is_empty() => {
            warning("this function is said to be benign, and nothing is found in it".to_owned())
                .help("take `#[benign]` away")
        }
        (None, by) => {
            let kind = if by == SuppressedBy::Comment { "comment" } else { "attribute" };
            warning(format!("this {kind} accepts `{lint}`, and nothing of the kind is found here")).help("take it away")
        }
    }
}

fn row(row: &AllowedPath) -> Complaint {
    let path = &row.path.text;
    Complaint::warning(format!("the row `allow` for `{path}` in the settings accepts nothing")).help("take it away")
}

fn entries(file: &str, gone: &[Entry]) -> Complaint {
    let named = gone.iter().take(NAMED).map(|entry| format!("`{}` in `{}`", entry.lint, entry.function));
    let more = gone.len().checked_sub(NAMED).filter(|more| *more > 0).map(|more| format!("{more} more"));
    let list: Vec<String> = named.chain(more).collect();
    let (what, match_) = if gone.len() == 1 { ("entry", "matches") } else { ("entries", "match") };
    let count = gone.len();
    Complaint::warning(format!("{count} {what} of {file} {match_} nothing any more: {}", list.join(", ")))
        .help("`--prune-baseline` takes them out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{place, recorded};

    fn acceptance(by: SuppressedBy, lint: &str, mistake: Option<CommentMistake>) -> String {
        let one = Acceptance { place: place("src/a.rs", 3), by, lint: lint.into(), used: false, mistake };
        let complaint = in_code(&one);
        format!("{}; {}", complaint.text, complaint.help.unwrap())
    }

    #[test]
    fn each_leftover_has_its_place_and_remedy() {
        let comment = acceptance(SuppressedBy::Comment, "stale_value", None);
        assert!(comment.starts_with("warning: src/a.rs:3:5: this comment accepts `stale_value`, and nothing"));
        let typo = acceptance(SuppressedBy::Comment, "stale_valeu", Some(CommentMistake::UnknownLint));
        assert!(typo.contains("did you mean `stale_value`?"), "{typo}");
        assert!(acceptance(SuppressedBy::Attribute, "", None).contains("`#[benign]`"));
    }

    #[test]
    fn many_entries_are_counted() {
        let entry = Entry::of(&recorded("a.rs", 1), "");
        let text = entries("b.json", &vec![entry; 5]).text;
        assert!(text.starts_with("warning: 5 entries of b.json match nothing") && text.ends_with("2 more"), "{text}");
    }
}
