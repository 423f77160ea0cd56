//! All that the findings in a unit depend on, as one number. Where it is still the same, what was written down the last
//! time still holds, and the unit is not looked at again: a file that was only touched, a branch that was left and
//! entered again.
//!
//! The number is kept apart from the findings, in a file that only the same driver in the same directory has a use for:
//! it holds paths and times, and the findings must be the same bytes on every machine.

use crate::mir::{crates, reach};
use finding::settings::VARIABLE;
use rustc_data_structures::fingerprint::Fingerprint;
use rustc_data_structures::fx::FxHashSet;
use rustc_data_structures::stable_hash::StableHasher;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::TyCtxt;
use serde::{Deserialize, Serialize};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// `None` where the driver itself cannot be told from another one. `store` is what other crates have left beside their
/// metadata.
pub fn inputs(tcx: TyCtxt<'_>, store: impl Fn(&Path) -> PathBuf) -> Option<String> {
    let mut hasher = StableHasher::new();
    driver()?.hash(&mut hasher);
    std::env::var(VARIABLE).ok().hash(&mut hasher);
    crates::contents(tcx).hash(&mut hasher);
    for dependency in crates::dependencies(tcx) {
        file_hash(&store(&dependency.metadata)).hash(&mut hasher);
    }
    Some(hasher.finish::<Fingerprint>().to_hex())
}

/// The bodies were not read this time. The compiler forgets what nobody asks for, and would have to make their MIR anew
/// the next time.
pub fn keep(tcx: TyCtxt<'_>, bodies: &[u64]) {
    let bodies: FxHashSet<u64> = bodies.iter().copied().collect();
    for owner in reach::functions(tcx).into_iter().filter(|&owner| bodies.contains(&number_of(tcx, owner))) {
        tcx.ensure_ok().optimized_mir(owner);
    }
}

pub(super) fn number_of(tcx: TyCtxt<'_>, owner: LocalDefId) -> u64 {
    tcx.def_path_hash(owner.to_def_id()).local_hash().as_u64()
}

/// What a unit was looked at with, and what came of it.
#[derive(Serialize, Deserialize)]
pub struct Memory {
    inputs: String,
    /// The file with the findings, and the one for the crates that depend on this one, by their bytes.
    facts: Option<String>,
    store: Option<String>,
    /// The bodies that were read.
    pub bodies: Vec<u64>,
}

impl Memory {
    fn path(facts: &Path) -> PathBuf {
        facts.with_extension("seen")
    }

    /// If the inputs are the same, and what was written is as it was.
    pub fn read(facts: &Path, store: Option<&Path>, inputs: &str) -> Option<Memory> {
        let memory: Memory = serde_json::from_slice(&std::fs::read(Memory::path(facts)).ok()?).ok()?;
        let as_it_was = memory.facts == file_hash(facts) && memory.store == store.and_then(file_hash);
        (memory.inputs == inputs && as_it_was).then_some(memory)
    }

    /// One that cannot be written is one that is not found.
    pub fn write(facts: &Path, store: Option<&Path>, inputs: String, bodies: Vec<u64>) {
        let memory = Memory { inputs, facts: file_hash(facts), store: store.and_then(file_hash), bodies };
        let _ = serde_json::to_vec(&memory).map(|bytes| std::fs::write(Memory::path(facts), bytes));
    }

    pub fn forget(facts: &Path) {
        let _ = std::fs::remove_file(Memory::path(facts));
    }
}

/// What identifies a file by its bytes; `None` if it is not there.
fn file_hash(path: &Path) -> Option<String> {
    let mut hasher = StableHasher::new();
    std::fs::read(path).ok()?.hash(&mut hasher);
    Some(hasher.finish::<Fingerprint>().to_hex())
}

/// While the tool is being worked on, its version says too little.
fn driver() -> Option<(u64, u128)> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    let changed = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((file.len(), changed.as_nanos()))
}
