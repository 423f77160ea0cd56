//! The list of crates: `name version [cargo check arguments]` on each line, and comments after `#`.

use crate::failure::Failure;
use crate::lab::Subject;
use std::path::Path;

pub fn parse(file: &Path, text: &str) -> Result<Vec<Subject>, Failure> {
    let mut subjects: Vec<Subject> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let subject = subject(line).map_err(|why| Failure::mistake_at(file, number, 1, why))?;
        if subjects.iter().any(|other| other.folder() == subject.folder()) {
            return Err(Failure::mistake_at(file, number, 1, format!("{} stands here twice", subject.title())));
        }
        subjects.push(subject);
    }
    Ok(subjects)
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
        assert!(complaint("bb8 0.9.1\nbb8 0.9.1 --lib\n").starts_with("crates.txt:2:1: bb8 0.9.1 stands here twice"));
    }

    #[test]
    fn the_shipped_list_is_readable() {
        let file = shipped("crates.txt");
        assert!(parse(&file, &input::text(&file).unwrap()).unwrap().len() > 5);
    }
}
