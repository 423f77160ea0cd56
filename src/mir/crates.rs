//! Other crates, as far as their build output is known: where it lies, and which build it is of.

use crate::mir::DefinitionId;
use rustc_data_structures::fingerprint::Fingerprint;
use rustc_hir::def_id::{CrateNum, DefPathHash, LOCAL_CRATE};
use rustc_middle::hir::map::compute_hir_hash;
use rustc_middle::ty::TyCtxt;
use rustc_session::config::OutputType;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A compiled crate.
pub struct Compiled {
    /// Its metadata; other files of the same name lie beside it.
    pub metadata: PathBuf,
    /// rustc's number for the crate, made from its name and what cargo says of the build.
    pub id: u64,
}

/// The hashes of the source files of this crate.
pub fn source_hashes(tcx: TyCtxt<'_>) -> BTreeSet<String> {
    let files = tcx.sess.source_map().files();
    files.iter().filter(|file| file.cnum == LOCAL_CRATE).map(|file| file.src_hash.to_string()).collect()
}

/// What the compiler was given: the code after expansion, the files it stands in, the crates below, the options.
pub fn contents(tcx: TyCtxt<'_>) -> Vec<String> {
    let files = tcx.sess.source_map().files();
    let local = files.iter().filter(|file| file.cnum == LOCAL_CRATE);
    let sources = local.map(|file| format!("{:?} {}", file.name, file.src_hash));
    let below = tcx.crates(()).iter();
    let below = below.map(|&number| format!("{} {}", tcx.stable_crate_id(number).as_u64(), tcx.crate_hash(number)));
    let mut all: Vec<String> = sources.chain(below).collect();
    all.sort();
    all.push(format!("{:?}", tcx.sess.opts.dep_tracking_hash(false)));
    all.push(compute_hir_hash(tcx).to_hex());
    all
}

/// The hash of the source file that a definition of another crate stands in, as the metadata has it.
pub fn source_hash_of(tcx: TyCtxt<'_>, id: DefinitionId) -> Option<String> {
    let id = tcx.def_path_hash_to_def_id(DefPathHash(Fingerprint::new(id.0, id.1)))?;
    let span = tcx.def_span(id);
    (!span.is_dummy()).then(|| tcx.sess.source_map().lookup_source_file(span.lo()).src_hash.to_string())
}

/// The crates that this one is compiled against.
pub fn dependencies(tcx: TyCtxt<'_>) -> Vec<Compiled> {
    tcx.crates(()).iter().filter_map(|&number| dependency(tcx, number)).collect()
}

fn dependency(tcx: TyCtxt<'_>, number: CrateNum) -> Option<Compiled> {
    let source = tcx.used_crate_source(number);
    let metadata = source.rmeta.as_ref().or(source.rlib.as_ref())?.clone();
    Some(Compiled { metadata, id: tcx.stable_crate_id(number).as_u64() })
}

/// This crate; `None` where no metadata is asked for.
pub fn this(tcx: TyCtxt<'_>) -> Option<Compiled> {
    let wanted = tcx.sess.opts.output_types.contains_key(&OutputType::Metadata);
    let metadata = tcx.output_filenames(()).path(OutputType::Metadata).as_path().to_owned();
    wanted.then(|| Compiled { metadata, id: tcx.stable_crate_id(LOCAL_CRATE).as_u64() })
}
