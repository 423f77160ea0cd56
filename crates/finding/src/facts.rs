//! What the driver writes beside a unit's build output and the front-end reads: one file per compiled unit.
//!
//! Cargo keeps the file for as long as it keeps the unit's `.rmeta`, so a second run on unchanged code finds it
//! without running the compiler. A file of another version of the tool counts as missing.

use crate::acceptance::Acceptance;
use crate::atomicity::FunctionAtomicity;
use crate::document::{Finding, Skipped};
use crate::guards::{LocationGuards, PairStages};
use crate::map::LockMap;
use crate::recipe::Recipe;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Stands for the shape of [`UnitFacts`]; together with the tool's version it decides whether a file may be read.
pub const FORMAT: u32 = 11;

/// One compiled unit: a library, a binary, or one of them with its tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitFacts {
    pub format: u32,
    pub version: String,
    pub toolchain: String,
    pub package: String,
    pub crate_name: String,
    /// Built with `--test`: holds the same functions as the plain unit, and more.
    pub test: bool,
    pub functions: usize,
    pub functions_with_locks: usize,
    pub lines: usize,
    pub skipped: Vec<Skipped>,
    /// Rows of the user's models that lead nowhere in this unit.
    pub unknown_models: Vec<String>,
    pub findings: Vec<Recorded>,
    /// Attributes and comments that accept findings.
    pub acceptances: Vec<Acceptance>,
    /// What each function is, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub atomicity: Vec<FunctionAtomicity>,
    /// What guards what, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<LocationGuards>,
    /// Where locks are held, if that was asked for.
    #[serde(default, skip_serializing_if = "LockMap::is_empty")]
    pub map: LockMap,
    /// How each finding can be run, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipes: Vec<Recipe>,
    /// Pairs of uses of state that no lock is tied to.
    pub pairs: PairStages,
}

/// A finding with what a renderer needs beyond the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    pub finding: Finding,
    /// `deny` and `forbid` in the checked code make it an error in the words of the text report.
    pub denied: bool,
    /// Where the primary place ends (exclusive), for the underline.
    pub primary_end: End,
    /// Names the finding without the modules its function is in, for baselines that outlive a move.
    pub kin: String,
    /// Where each step of the trace ends, in the order of the trace.
    pub step_ends: Vec<End>,
}

/// The end of a place in the same file; the column is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct End {
    pub line: u32,
    pub column: u32,
}

/// Why a facts file cannot be used. All of them mean: check the unit again.
#[derive(Debug)]
pub enum Unusable {
    Missing,
    Damaged(String),
    Outdated,
}

/// What the names of facts files end in.
pub const EXTENSION: &str = "stalemate.json";

/// The facts file that belongs to an `.rmeta` file.
pub fn path_beside(rmeta: &Path) -> PathBuf {
    rmeta.with_extension(EXTENSION)
}

impl UnitFacts {
    /// Writes the file in one step, so that a reader sees the old one, the new one or none.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let temporary = path.with_extension(format!("json.{}", std::process::id()));
        std::fs::write(&temporary, serde_json::to_vec(self)?)?;
        std::fs::rename(&temporary, path)
    }

    pub fn read(path: &Path, version: &str, toolchain: &str) -> Result<UnitFacts, Unusable> {
        let bytes = std::fs::read(path).map_err(|_| Unusable::Missing)?;
        let header: Header = serde_json::from_slice(&bytes).map_err(|e| Unusable::Damaged(e.to_string()))?;
        if header.format != FORMAT || header.version != version || header.toolchain != toolchain {
            return Err(Unusable::Outdated);
        }
        serde_json::from_slice(&bytes).map_err(|e| Unusable::Damaged(e.to_string()))
    }
}

/// The part of the file that every format shares.
#[derive(Deserialize)]
struct Header {
    format: u32,
    version: String,
    toolchain: String,
}

/// The channel in the name of a toolchain's directory: `nightly-2026-10-01` of
/// `../toolchains/nightly-2026-10-01-x86_64-unknown-linux-gnu`.
pub fn channel_of(sysroot: &str) -> String {
    let name = sysroot.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(sysroot);
    let parts: Vec<&str> = name.split('-').collect();
    let is_dated = parts.len() >= 4 && parts[1..4].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    if is_dated { parts[..4].join("-") } else { parts[0].to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_found_in_directory_names() {
        assert_eq!(channel_of("/r/toolchains/nightly-2026-10-01-x86_64-unknown-linux-gnu"), "nightly-2026-10-01");
        assert_eq!(channel_of("/r/toolchains/stable-x86_64-unknown-linux-gnu/"), "stable");
    }

    #[test]
    fn a_file_of_another_version_is_outdated_and_a_cut_one_damaged() {
        let directory = std::env::temp_dir().join(format!("stalemate-facts-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("libx.stalemate.json");
        assert!(matches!(UnitFacts::read(&path, "1", "n"), Err(Unusable::Missing)));
        let facts = UnitFacts {
            format: FORMAT,
            version: "1".to_owned(),
            toolchain: "n".to_owned(),
            package: "x".to_owned(),
            crate_name: "x".to_owned(),
            test: false,
            functions: 1,
            functions_with_locks: 0,
            lines: 3,
            skipped: Vec::new(),
            unknown_models: Vec::new(),
            findings: Vec::new(),
            acceptances: Vec::new(),
            atomicity: Vec::new(),
            guards: Vec::new(),
            map: LockMap::default(),
            recipes: Vec::new(),
            pairs: PairStages::default(),
        };
        facts.write(&path).unwrap();
        assert_eq!(UnitFacts::read(&path, "1", "n").unwrap(), facts);
        assert!(matches!(UnitFacts::read(&path, "2", "n"), Err(Unusable::Outdated)));
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(matches!(UnitFacts::read(&path, "1", "n"), Err(Unusable::Damaged(_))));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
