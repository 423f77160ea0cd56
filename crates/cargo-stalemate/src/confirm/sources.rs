//! The facade's sources, carried along so that an installed front-end needs no checkout. They are reached through links
//! inside this package, which cargo replaces by the files when it packs them: a published package has no neighbours.

macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../facade/", $path)))),*]
    };
}

/// Each file with its path in the package.
#[rustfmt::skip]
pub const FILES: &[(&str, &str)] = files! {
    "build.rs"
    "src/director/event.rs"
    "src/director/foreign.rs"
    "src/director/locks.rs"
    "src/director/mod.rs"
    "src/director/perturb.rs"
    "src/director/proof.rs"
    "src/director/resting.rs"
    "src/director/run.rs"
    "src/director/schedule.rs"
    "src/director/stack.rs"
    "src/director/third.rs"
    "src/director/waiting.rs"
    "src/director/watched.rs"
    "src/foreign.rs"
    "src/hook.rs"
    "src/json.rs"
    "src/lib.rs"
    "src/site.rs"
    "src/sync/atomic/bool.rs"
    "src/sync/atomic/int.rs"
    "src/sync/atomic/mod.rs"
    "src/sync/atomic/pointer.rs"
    "src/sync/condvar.rs"
    "src/sync/held.rs"
    "src/sync/mod.rs"
    "src/sync/mutex.rs"
    "src/sync/rwlock.rs"
    "src/tasks/mod.rs"
    "src/tasks/notice.rs"
    "src/tasks/polling.rs"
    "src/watchdog.rs"
    "src/witness/codec.rs"
    "src/witness/explore.rs"
    "src/witness/left.rs"
    "src/witness/mod.rs"
    "src/witness/outcome.rs"
    "src/witness/panics.rs"
    "src/witness/play.rs"
    "src/witness/process.rs"
    "src/witness/shown.rs"
    "src/witness/standing.rs"
    "src/witness/told.rs"
    "src/witness/verdict.rs"
};

#[cfg(test)]
mod tests {
    use super::FILES;
    use std::path::Path;

    fn count(directory: &Path) -> usize {
        let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }

    #[test]
    fn no_file_is_forgotten() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stalemate-rt");
        assert_eq!(FILES.len(), 1 + count(&package.join("src")), "add the new file to `FILES`");
    }
}
