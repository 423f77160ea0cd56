//! What there is to do for a command. Each situation begins where the one before it ended, so the order is part of them.

use super::source::Source;
use crate::lab::Trouble;
use finding::facts::EXTENSION;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fs, io};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Situation {
    All,
    Crate,
    Touch,
    Edit,
}

impl Situation {
    pub const ALL: [Situation; 4] = [Situation::All, Situation::Crate, Situation::Touch, Situation::Edit];

    pub fn word(self) -> &'static str {
        match self {
            Situation::All => "all",
            Situation::Crate => "crate",
            Situation::Touch => "touch",
            Situation::Edit => "edit",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Situation::All => "all: everything anew, with dependencies",
            Situation::Crate => "crate: only the crate anew",
            Situation::Touch => "touch: src/lib.rs touched, incremental",
            Situation::Edit => "edit: one function more, incremental",
        }
    }

    /// Brings a build directory and the sources into the situation. The edit is the same for all sides of one run.
    pub fn prepare(self, target: &Path, source: &mut Source, run: u32) -> Result<(), Trouble> {
        let wrong = |error| Trouble::io("not prepared", target, error);
        match self {
            Situation::All => remove(target).map_err(wrong),
            // Registry packages are never built incrementally, so that without the incremental state exactly the crate
            // itself has to be done anew. What the tool knew of it must go too.
            Situation::Crate => remove_what_is_known(target).map_err(wrong).and_then(|()| source.touch()),
            Situation::Touch => source.touch(),
            Situation::Edit => source.edit(run),
        }
    }
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn remove_what_is_known(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true if entry.file_name() == "incremental" => fs::remove_dir_all(entry.path())?,
            true => remove_what_is_known(&entry.path())?,
            false if entry.file_name().to_string_lossy().ends_with(EXTENSION) => fs::remove_file(entry.path())?,
            false => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::time::SystemTime;

    /// A build directory with a dependency and incremental state, and sources that were changed long ago.
    fn made(test: &str) -> (PathBuf, PathBuf, PathBuf) {
        let folder = std::env::temp_dir().join(format!("fieldcheck-{test}-{}", std::process::id()));
        let (target, file) = (folder.join("target"), folder.join("lib.rs"));
        fs::create_dir_all(target.join("debug/incremental/pool-1/s")).unwrap();
        fs::create_dir_all(target.join("debug/deps")).unwrap();
        fs::write(target.join("debug/deps/libother.rmeta"), "").unwrap();
        fs::write(target.join("debug/deps/libpool.stalemate.json"), "").unwrap();
        fs::write(&file, "fn get() {}\n").unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        (folder, target, file)
    }

    fn is_changed(file: &Path) -> bool {
        fs::metadata(file).unwrap().modified().unwrap() != SystemTime::UNIX_EPOCH
    }

    #[test]
    fn everything_is_removed_for_everything_anew() {
        let (folder, target, file) = made("all");
        let mut source = Source::open(file).unwrap();
        Situation::All.prepare(&target, &mut source, 1).unwrap();
        assert!(!target.exists());
        Situation::All.prepare(&target, &mut source, 1).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn dependencies_stay_for_the_crate_anew() {
        let (folder, target, file) = made("crate");
        let mut source = Source::open(file.clone()).unwrap();
        Situation::Crate.prepare(&target, &mut source, 1).unwrap();
        assert!(target.join("debug/deps/libother.rmeta").is_file() && !target.join("debug/incremental").exists());
        assert!(!target.join("debug/deps/libpool.stalemate.json").exists());
        assert!(is_changed(&file));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_touch_and_an_edit_leave_the_build_alone() {
        for (situation, is_edit) in [(Situation::Touch, false), (Situation::Edit, true)] {
            let (folder, target, file) = made(situation.word());
            let mut source = Source::open(file.clone()).unwrap();
            situation.prepare(&target, &mut source, 1).unwrap();
            assert!(target.join("debug/incremental/pool-1/s").is_dir() && is_changed(&file));
            assert_eq!(fs::read_to_string(&file).unwrap() != "fn get() {}\n", is_edit);
            drop(source);
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}
