//! What was last written down: a line of JSON for each crate. A run over everything takes hours, so each run adds what it has
//! tried, and the page is made of the whole.

use super::record::Record;
use super::trying::Records;
use crate::failure::Failure;
use crate::input::{self, shipped};
use crate::lab::Subject;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(rename = "crate")]
    name: String,
    version: String,
    #[serde(flatten)]
    record: Record,
}

pub fn shipped_file() -> PathBuf {
    shipped("robust.jsonl")
}

/// Of the crates that are in the list in this version.
pub fn read(file: &Path, list: &[Subject]) -> Result<Records, Failure> {
    let mut records = Records::new();
    for (number, line) in (1..).zip(input::text(file)?.lines()) {
        let wrong = |error: serde_json::Error| Failure::mistake_at(file, number, error.column(), error.to_string());
        let line: Line = serde_json::from_str(line).map_err(wrong)?;
        let is_meant = |subject: &&Subject| subject.name == line.name && subject.version == line.version;
        if let Some(subject) = list.iter().find(is_meant) {
            records.insert(subject.clone(), Ok(line.record));
        }
    }
    Ok(records)
}

pub fn write(file: &Path, records: &Records) -> Result<(), Failure> {
    let lines = records.iter().filter_map(|(subject, record)| {
        let (name, version) = (subject.name.clone(), subject.version.clone());
        let line = Line { name, version, record: record.as_ref().ok()?.clone() };
        serde_json::to_string(&line).ok()
    });
    let text: String = lines.map(|line| line + "\n").collect();
    fs::write(file, text).map_err(|error| Failure::cannot(file, error))
}

#[cfg(test)]
mod tests {
    use super::super::record::{Counts, End, Tried};
    use super::super::way::Way;
    use super::*;

    #[test]
    fn what_is_written_is_read_again_as_long_as_it_is_in_the_list() {
        let file = std::env::temp_dir().join(format!("fieldcheck-robust-{}.jsonl", std::process::id()));
        let list = [Subject::new("a", "1.0.0", ""), Subject::new("b", "1.0.0", "--all-features")];
        let skipped = vec![("b::get".to_owned(), "too large".to_owned())];
        let end = End::Checked(Counts { functions: 3, skipped, ..Counts::default() });
        let tried = vec![Tried { way: Way::AllOfAll, end: End::DoesNotBuild }, Tried { way: Way::AllTargets, end }];
        let records: Records = list.iter().map(|it| (it.clone(), Ok(Record { tried: tried.clone() }))).collect();
        write(&file, &records).unwrap();
        assert_eq!(read(&file, &list).unwrap(), records);
        let newer = [Subject::new("a", "2.0.0", ""), list[1].clone()];
        assert_eq!(read(&file, &newer).unwrap().into_keys().collect::<Vec<_>>(), [list[1].clone()]);
        fs::write(&file, "{}\n{").unwrap();
        let said = read(&file, &list).unwrap_err().to_string();
        assert!(said.starts_with(&format!("{}:1:", file.display())), "{said}");
        fs::remove_file(&file).unwrap();
    }
}
