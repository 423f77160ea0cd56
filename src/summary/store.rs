//! What other crates of the workspace must know of this one, kept on disk beside its build output: the summaries of what
//! they can call, and who writes what under which lock.
//!
//! A file is used only if this version of the tool wrote it for a crate of the same number and of the same source files as
//! the one that the compiler has loaded. A run removes the file of the run before, and writes its own before the metadata
//! is there. Whatever else is found means that nothing is known: a file that is missing, cut short, of another format or of
//! another build never does harm.

use crate::events::{DefinitionId, Mode};
use crate::mir::Position;
use crate::summary::{LockKey, Summary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Goes up with every change of what is below.
const FORMAT: u32 = 18;

/// What a file must say to be believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validity {
    pub format: u32,
    pub version: String,
    /// The compiler's number of the crate.
    pub crate_id: u64,
}

impl Validity {
    pub fn of(crate_id: u64) -> Validity {
        Validity { format: FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), crate_id }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    pub validity: Validity,
    /// The hashes of the crate's source files.
    pub sources: BTreeSet<String>,
    pub functions: Vec<ForeignFunction>,
    pub writes: Vec<ForeignWrite>,
    pub pairs: Vec<ForeignPair>,
}

/// Two locks that are taken one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForeignPair {
    pub held: ForeignLock,
    pub wanted: ForeignLock,
    /// Other locks that are held meanwhile, and let only one in.
    pub besides: BTreeSet<LockKey>,
    pub function: String,
}

/// One end of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForeignLock {
    pub lock: LockKey,
    pub mode: Mode,
    /// As it is called there.
    pub name: String,
    pub position: Position,
}

/// A function that dependants can call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForeignFunction {
    pub id: DefinitionId,
    /// The last part of its path: only a body in which it stands can call the function.
    pub name: String,
    pub summary: Rc<Summary>,
}

/// A write under a lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForeignWrite {
    pub lock: LockKey,
    pub fields: Vec<(u32, u32)>,
    pub under: Vec<(LockKey, Mode)>,
    pub gentle: bool,
    pub constant: Option<u64>,
    pub function: String,
    pub position: Position,
}

impl Stored {
    /// The file that belongs to a compiled crate.
    pub fn path(metadata: &Path) -> PathBuf {
        metadata.with_extension("stalemate-store.json")
    }

    /// What an earlier run left must not outlive the metadata it belongs to.
    pub fn remove(metadata: &Path) {
        let _ = std::fs::remove_file(Stored::path(metadata));
    }

    /// In one step: a reader sees the old file, the new one or none.
    pub fn write(&self, metadata: &Path) -> std::io::Result<()> {
        let path = Stored::path(metadata);
        let temporary = path.with_extension(format!("json.{}", std::process::id()));
        let mut file = BufWriter::new(File::create(&temporary)?);
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        std::fs::rename(&temporary, path)
    }

    pub fn read(metadata: &Path, expected: &Validity) -> Option<Stored> {
        let bytes = std::fs::read(Stored::path(metadata)).ok()?;
        let stored: Stored = serde_json::from_slice(&bytes).ok()?;
        (stored.validity == *expected).then_some(stored)
    }

    /// Every function in it stands in a file that is still as it was. `source_of` tells what the compiler knows of that.
    pub fn is_of(&self, source_of: impl Fn(DefinitionId) -> Option<String>) -> bool {
        let still =
            |function: &ForeignFunction| source_of(function.id).is_some_and(|hash| self.sources.contains(&hash));
        self.functions.iter().all(still)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> Stored {
        let function = ForeignFunction { id: DefinitionId(1, 2), name: "f".to_owned(), summary: Rc::default() };
        let validity = Validity::of(1);
        Stored { validity, sources: BTreeSet::new(), functions: vec![function], writes: Vec::new(), pairs: Vec::new() }
    }

    fn metadata(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("stalemate-store-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("libx.rmeta")
    }

    #[test]
    fn sources_that_have_changed_are_noticed() {
        let mut stored = stored();
        stored.sources = ["md5=1".to_owned(), "md5=2".to_owned()].into();
        assert!(stored.is_of(|_| Some("md5=2".to_owned())));
        assert!(!stored.is_of(|_| Some("md5=3".to_owned())));
        assert!(!stored.is_of(|_| None));
    }

    #[test]
    fn what_is_written_is_read() {
        let file = metadata("same");
        stored().write(&file).unwrap();
        assert_eq!(Stored::read(&file, &stored().validity), Some(stored()));
    }

    #[test]
    fn another_crate_version_or_format_is_not_believed() {
        let file = metadata("other");
        stored().write(&file).unwrap();
        let good = stored().validity;
        for wrong in [
            Validity { crate_id: 2, ..good.clone() },
            Validity { version: "0.0.0".to_owned(), ..good.clone() },
            Validity { format: 0, ..good.clone() },
        ] {
            assert_eq!(Stored::read(&file, &wrong), None);
        }
    }

    #[test]
    fn a_damaged_or_missing_file_is_nothing() {
        let file = metadata("damaged");
        assert_eq!(Stored::read(&file, &stored().validity), None);
        stored().write(&file).unwrap();
        let path = Stored::path(&file);
        let bytes = std::fs::read(&path).unwrap();
        for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(Stored::read(&file, &stored().validity), None, "cut to {length} bytes");
        }
    }
}
