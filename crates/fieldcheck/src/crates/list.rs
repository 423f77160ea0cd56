//! The list of crates: `name version [cargo check arguments]` on each line, and comments after `#`. A line such as
//! `[first sight]` says how those below it came into the list, which is told with their numbers.

use crate::failure::Failure;
use crate::lab::Subject;
use std::path::Path;

/// How a crate came into the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Rules were tried on it while they were written. Lists without groups are of this one.
    WorkedWith,
    /// It once had a bug of the kind that is looked for, which is fixed in this version.
    Fixed,
    /// It played no part in the making of the tool.
    FirstSight,
}

impl Group {
    pub const ALL: [Group; 3] = [Group::WorkedWith, Group::Fixed, Group::FirstSight];

    pub fn title(self) -> &'static str {
        match self {
            Group::WorkedWith => "worked with",
            Group::Fixed => "fixed",
            Group::FirstSight => "first sight",
        }
    }
}

pub fn parse(file: &Path, text: &str) -> Result<Vec<Subject>, Failure> {
    Ok(grouped(file, text)?.into_iter().map(|(_, subject)| subject).collect())
}

pub fn grouped(file: &Path, text: &str) -> Result<Vec<(Group, Subject)>, Failure> {
    let mut subjects: Vec<(Group, Subject)> = Vec::new();
    let mut group = Group::WorkedWith;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let wrong = |why: String| Failure::mistake_at(file, number, 1, why);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[') {
            let named = Group::ALL.into_iter().find(|group| title.strip_suffix(']') == Some(group.title()));
            group = named.ok_or_else(|| wrong(format!("`{line}` is no group: {}", titles())))?;
            continue;
        }
        let subject = subject(line).map_err(wrong)?;
        if subjects.iter().any(|(_, other)| other.folder() == subject.folder()) {
            return Err(wrong(format!("{} stands here twice", subject.title())));
        }
        subjects.push((group, subject));
    }
    Ok(subjects)
}

fn titles() -> String {
    Group::ALL.map(|group| format!("`[{}]`", group.title())).join(", ")
}

fn subject(line: &str) -> Result<Subject, String> {
    let mut words = line.split_whitespace();
    let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !version.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("`{name}` needs a version: write `name version [cargo check arguments]`"));
    }
    Ok(Subject::new(name, version, &words.collect::<Vec<_>>().join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{self, shipped};
    use crate::known;

    fn read(text: &str) -> Result<Vec<Subject>, Failure> {
        parse(Path::new("crates.txt"), text)
    }

    #[test]
    fn a_line_is_a_name_a_version_and_arguments() {
        let subjects = read("# pinned\ntokio 1.54.1 --features full\n\n  bb8 0.9.1\n").unwrap();
        assert_eq!(subjects, [Subject::new("tokio", "1.54.1", "--features full"), Subject::new("bb8", "0.9.1", "")]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let complaint = |text: &str| read(text).unwrap_err().to_string();
        assert!(complaint("bb8 0.9.1\n# x\ntokio\n").starts_with("crates.txt:3:1: `tokio` needs a version"));
        assert!(complaint("tokio --features full\n").starts_with("crates.txt:1:1: `tokio` needs a version"));
        assert!(complaint("[other]\n").starts_with("crates.txt:1:1: `[other]` is no group: `[worked with]`, "));
        assert!(complaint("bb8 0.9.1\nbb8 0.9.1 --lib\n").starts_with("crates.txt:2:1: bb8 0.9.1 stands here twice"));
    }

    #[test]
    fn crates_belong_to_the_group_above() {
        let text = "bb8 0.9.1\n[first sight]\nsled 0.34.7\n[fixed]\n# why\nh2 0.4.20\n";
        let groups: Vec<_> = grouped(Path::new("c"), text).unwrap().into_iter().map(|(group, _)| group).collect();
        assert_eq!(groups, [Group::WorkedWith, Group::FirstSight, Group::Fixed]);
    }

    #[test]
    fn the_shipped_list_is_long_enough_and_names_each_crate_once() {
        let file = shipped("crates.txt");
        let subjects = grouped(&file, &input::text(&file).unwrap()).unwrap();
        assert!(subjects.len() >= 60, "{}", subjects.len());
        let mut names: Vec<_> = subjects.iter().map(|(_, subject)| &subject.name).collect();
        names.sort();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "two versions of one crate count the same findings twice");
    }

    #[test]
    fn fixed_versions_are_those_of_the_known_bugs() {
        let file = shipped("crates.txt");
        let subjects = grouped(&file, &input::text(&file).unwrap()).unwrap();
        let items = known::shipped_items().unwrap();
        for (_, subject) in subjects.iter().filter(|(group, _)| *group == Group::Fixed) {
            let is_fix = items.iter().any(|item| item.fixed.as_ref() == Some(subject));
            assert!(is_fix, "crates.txt: {} is the fixed version of no bug", subject.title());
        }
    }
}
