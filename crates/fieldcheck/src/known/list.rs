//! The list of known bugs. Items carry more than is read here (what happens, where it was fixed): that is for people, and
//! other lists may have other notes, so keys that are not known are let through.

use crate::failure::Failure;
use crate::input;
use crate::lab::Subject;
use clap::ValueEnum;
use serde::Deserialize;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A value or a check from one section of a lock, used in another
    A,
    /// Condvar
    B,
    /// Atomics, concurrent maps, a count and then a lock
    C,
    /// Deadlock
    D,
    /// Unguarded unsafe state
    E,
    /// Correct code that looks like one of the others
    Benign,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::A, Kind::B, Kind::C, Kind::D, Kind::E, Kind::Benign];

    /// For a table.
    pub fn title(self) -> &'static str {
        match self {
            Kind::A => "a value or a check from one section, used in another",
            Kind::B => "waits and wake-ups",
            Kind::C => "atomics, concurrent maps, a count and then a lock",
            Kind::D => "deadlocks",
            Kind::E => "unguarded unsafe state",
            Kind::Benign => "correct code that looks like one of the others",
        }
    }
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::A => "a",
            Kind::B => "b",
            Kind::C => "c",
            Kind::D => "d",
            Kind::E => "e",
            Kind::Benign => "benign",
        })
    }
}

/// A line of a file, written `src/lib.rs:12`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Site {
    pub file: String,
    pub line: u32,
}

impl TryFrom<String> for Site {
    type Error = String;

    fn try_from(text: String) -> Result<Site, String> {
        let parts = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
        let site = parts.and_then(|(file, line)| Some(Site { file: file.to_owned(), line: line.parse().ok()? }));
        site.ok_or_else(|| format!("`{text}` is no place: write it as `src/lib.rs:12`"))
    }
}

/// One item as it is written.
#[derive(Debug, Deserialize)]
struct Row {
    id: String,
    kind: Kind,
    #[serde(rename = "crate")]
    name: String,
    /// What it is, in a line.
    #[serde(default)]
    subkind: String,
    #[serde(default)]
    args: String,
    /// For the fixed version, if its features have other names.
    fixed_args: Option<String>,
    buggy: Option<String>,
    fixed: Option<String>,
    version: Option<String>,
    first: Vec<Site>,
    second: Vec<Site>,
    functions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub id: String,
    pub kind: Kind,
    /// What it is, in a line.
    pub what: String,
    /// The version that has the sites: the one with the bug, or the only one.
    pub subject: Subject,
    pub fixed: Option<Subject>,
    pub sites: Vec<Site>,
    /// Names without paths.
    pub functions: Vec<String>,
}

impl Item {
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        [&self.subject].into_iter().chain(&self.fixed)
    }

    pub fn is_bug(&self) -> bool {
        self.kind != Kind::Benign
    }
}

pub fn parse(file: &Path, text: &str) -> Result<Vec<Item>, Failure> {
    let rows: Vec<Row> = input::json(file, text)?;
    let mut items: Vec<Item> = Vec::new();
    for row in rows {
        let id = row.id.clone();
        let wrong = |why: &str| Failure::mistake(file, format!("item {id}: {why}"));
        if items.iter().any(|item| item.id == id) {
            return Err(wrong("there are two with this id"));
        }
        items.push(item(row).map_err(wrong)?);
    }
    Ok(items)
}

fn item(row: Row) -> Result<Item, &'static str> {
    let version = match (row.kind, row.version, row.buggy) {
        (Kind::Benign, Some(version), None) if row.fixed.is_none() => version,
        (Kind::Benign, ..) => return Err("correct code has a `version`, and none that is `buggy` or `fixed`"),
        (_, None, Some(buggy)) => buggy,
        _ => return Err("a bug has a version that is `buggy`, and no other `version`"),
    };
    let sites: Vec<_> = row.first.into_iter().chain(row.second).collect();
    if sites.is_empty() {
        return Err("there is no place in `first` or `second`");
    }
    let fixed_args = row.fixed_args.unwrap_or_else(|| row.args.clone());
    Ok(Item {
        id: row.id,
        kind: row.kind,
        what: row.subkind,
        subject: Subject::new(&row.name, &version, &row.args),
        fixed: row.fixed.map(|fixed| Subject::new(&row.name, &fixed, &fixed_args)),
        sites,
        functions: row.functions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::shipped;
    use crate::known;
    use std::fs;

    const BUG: &str = r#"{"id": "A1", "kind": "a", "crate": "pool", "args": "--features sync", "buggy": "1.0.0",
        "fixed": "1.0.1", "first": ["src/lib.rs:10"], "second": ["src/lib.rs:20"], "functions": ["get"], "note": "x"}"#;

    fn read(items: &[&str]) -> Result<Vec<Item>, Failure> {
        parse(Path::new("bugs.json"), &format!("[{}]", items.join(",\n")))
    }

    fn complaint(item: &str) -> String {
        read(&[item]).unwrap_err().to_string()
    }

    #[test]
    fn a_bug_has_both_versions_and_all_places() {
        let items = read(&[BUG]).unwrap();
        assert_eq!(items[0].subject, Subject::new("pool", "1.0.0", "--features sync"));
        assert_eq!(items[0].fixed, Some(Subject::new("pool", "1.0.1", "--features sync")));
        let lines: Vec<_> = items[0].sites.iter().map(|site| site.line).collect();
        assert_eq!(lines, [10, 20]);
        assert_eq!(items[0].subjects().count(), 2);
        let renamed = BUG.replace("\"buggy\"", "\"fixed_args\": \"--features std\", \"buggy\"");
        let items = read(&[&renamed]).unwrap();
        assert_eq!(items[0].subject, Subject::new("pool", "1.0.0", "--features sync"));
        assert_eq!(items[0].fixed, Some(Subject::new("pool", "1.0.1", "--features std")));
    }

    #[test]
    fn versions_have_to_fit_the_kind() {
        let benign = BUG.replace("\"a\"", "\"benign\"");
        assert!(complaint(&benign).starts_with("bugs.json: item A1: correct code has a `version`"));
        assert!(complaint(&BUG.replace("buggy", "version")).contains("a bug has a version that is `buggy`"));
        let benign = benign.replace("buggy", "version").replace("fixed", "was_fixed");
        assert!(!read(&[&benign]).unwrap()[0].is_bug());
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert!(complaint(&BUG.replace(":20", "")).starts_with("bugs.json:2:"));
        assert!(complaint(&BUG.replace(":20", "")).contains("`src/lib.rs` is no place"));
        assert!(complaint(&BUG.replace("\"a\"", "\"z\"")).contains("unknown variant `z`"));
        let none = BUG.replace(r#""src/lib.rs:10""#, "").replace(r#""src/lib.rs:20""#, "");
        assert!(complaint(&none).contains("no place in"), "{}", complaint(&none));
        assert!(read(&[BUG, BUG]).unwrap_err().to_string().contains("item A1: there are two"));
    }

    #[test]
    fn the_shipped_lists_are_readable_and_each_setup_belongs_to_one() {
        let items = known::shipped_items().unwrap();
        assert!(items.iter().all(|item| !item.is_bug() || !item.what.is_empty()), "a bug says what it is in `subkind`");
        let versions: Vec<_> = items.iter().flat_map(Item::subjects).map(Subject::folder).collect();
        for setup in fs::read_dir(shipped("known/setup")).unwrap() {
            let folder = setup.unwrap().file_name().into_string().unwrap();
            assert!(versions.contains(&folder), "known/setup/{folder} belongs to no item");
        }
    }
}
