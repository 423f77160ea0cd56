//! One crate after the other, in all the ways that compile. What came of it is kept for as long as nothing that it depends on
//! changes.

use super::record::{Counts, End, Record, Tried};
use super::way::Way;
use crate::bounded;
use crate::lab::{self, Lab, Subject, Trouble, Wish};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// Where results are kept, in the working directory.
const OUT: &str = "out/robust";

/// What came of a crate, or why nothing is known.
pub type Records = BTreeMap<Subject, Result<Record, Trouble>>;

pub struct Trying<'a> {
    pub lab: &'a Lab,
    /// For one way of one crate.
    pub limit: Duration,
}

impl Trying<'_> {
    pub const WISH: Wish = Wish::Everything;

    pub fn all(&self, subjects: &[Subject], jobs: Option<u32>) -> Records {
        let mut records = self.kept_all(subjects);
        let waiting: Vec<_> = subjects.iter().filter(|subject| !records.contains_key(subject)).collect();
        let work = |subject: &Subject, worker| self.one(subject, worker);
        let tried = lab::each(records.len(), &waiting, jobs, work, trouble);
        records.extend(waiting.into_iter().cloned().zip(tried));
        records
    }

    /// What is known without a run.
    pub fn kept_all(&self, subjects: &[Subject]) -> Records {
        subjects.iter().filter_map(|subject| Some((subject.clone(), Ok(self.kept(subject)?)))).collect()
    }

    fn kept(&self, subject: &Subject) -> Option<Record> {
        let kept = self.lab.kept(OUT, subject, &self.lab.stamp_of(subject).ok()?)?;
        serde_json::from_slice(&kept).ok()
    }

    fn one(&self, subject: &Subject, worker: usize) -> Result<Record, Trouble> {
        let manifest = self.lab.copy_of(subject)?.join("Cargo.toml");
        let mut record = Record::default();
        for step in Way::STEPS {
            for way in step.iter().copied().filter(|way| way.is_another(subject)) {
                let end = self.run(&manifest, &way.words(subject), worker)?;
                record.tried.push(Tried { way, end });
            }
            if record.most().is_some() {
                break;
            }
        }
        if record.is_final() {
            let bytes = serde_json::to_vec_pretty(&record).unwrap_or_default();
            self.lab.keep(OUT, subject, &self.lab.stamp_of(subject)?, &bytes)?;
        }
        Ok(record)
    }

    fn run(&self, manifest: &Path, words: &[String], worker: usize) -> Result<End, Trouble> {
        let said = self.lab.work().join("scratch").join(format!("robust-{worker}"));
        let ended = self.bounded(manifest, words, worker, &said);
        let ended = ended.map_err(|error| Trouble::io("not started", self.lab.front_end(), error))?;
        let read = |name: &str| fs::read(said.join(name)).unwrap_or_default();
        Ok(match ended {
            Some(status) => end(status, &read(DOCUMENT), &read(WORDS)),
            None => End::NotFinished,
        })
    }

    fn bounded(&self, manifest: &Path, words: &[String], worker: usize, said: &Path) -> io::Result<Option<ExitStatus>> {
        fs::create_dir_all(said)?;
        let mut command = Command::new(self.lab.front_end());
        command.args(["stalemate", "--format", "json", "--min-confidence", "low", "--manifest-path"]).arg(manifest);
        command.args(["--", "--target-dir"]).arg(self.lab.build_of(worker)).args(words);
        command.env_remove("STALEMATE_DRIVER").env_remove("RUSTUP_TOOLCHAIN");
        command.stdout(File::create(said.join(DOCUMENT))?).stderr(File::create(said.join(WORDS))?);
        bounded::run(&mut command, self.limit)
    }
}

const DOCUMENT: &str = "said.json";
const WORDS: &str = "said.txt";

/// Cargo refuses features that cannot be had together, and the compiler what it does not understand: both say nothing about
/// the tool. Everything else that is no result is a crash.
fn end(status: ExitStatus, document: &[u8], words: &[u8]) -> End {
    let crashed = |trouble: Trouble| End::Crashed { said: format!("{}\n{}", trouble.what, trouble.said) };
    match lab::failed(status) {
        None => lab::document(document).map_or_else(crashed, |document| End::Checked(Counts::of(&document))),
        Some(_) if matches!(status.code(), Some(lab::REFUSED | lab::DOES_NOT_COMPILE)) => End::DoesNotBuild,
        Some(what) => crashed(Trouble::new(what, &String::from_utf8_lossy(words))),
    }
}

fn trouble(tried: &Result<Record, Trouble>) -> Option<String> {
    match tried {
        Err(trouble) => Some(trouble.what.clone()),
        Ok(record) if record.crashes().next().is_some() => Some("crashed".to_owned()),
        Ok(record) if record.most().is_none() => Some("does not build".to_owned()),
        Ok(_) => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::samples;
    use std::os::unix::process::ExitStatusExt;

    fn ended(code: i32, document: &[u8]) -> End {
        end(ExitStatus::from_raw(code << 8), document, b"thread panicked\n")
    }

    #[test]
    fn only_what_the_tool_is_to_blame_for_is_a_crash() {
        let document = serde_json::to_vec(&samples::document(7, Vec::new())).unwrap();
        let counts = Counts { lines: 7, ..Counts::default() };
        assert_eq!([ended(0, &document), ended(1, &document)], [End::Checked(counts.clone()), End::Checked(counts)]);
        assert_eq!([ended(2, b""), ended(3, b"")], [End::DoesNotBuild, End::DoesNotBuild]);
        for crash in [ended(70, b""), ended(101, b""), ended(0, b"{"), end(ExitStatus::from_raw(9), b"", b"")] {
            assert!(matches!(crash, End::Crashed { .. }), "{crash:?}");
        }
    }
}
