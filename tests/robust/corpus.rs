//! Every shape of the language that can come near a lock: the files of `tests/corpus`. None may crash the driver, none may
//! have a function that is left out, and the same file must give the same bytes.

use crate::driver::{Source, everything, for_all};
use crate::support;
use finding::settings::Settings;

/// Locks of its own are all that it has, and what they are is not told.
const WITHOUT_KNOWN_LOCKS: &[&str] = &["no_std"];

fn sources() -> Vec<Source> {
    let directory = std::fs::read_dir(support::repository().join("tests/corpus")).expect("the corpus is there");
    let mut paths: Vec<_> = directory.map(|entry| entry.expect("entries can be read").path()).collect();
    paths.sort();
    paths.iter().map(|path| Source::of(path)).collect()
}

#[test]
fn every_shape_of_the_language_is_walked() {
    let sources = sources();
    assert!(sources.len() >= 17, "files are missing from tests/corpus");
    for_all(&sources, |source| {
        let name = source.path.file_stem().unwrap().to_string_lossy();
        let once = source.check("once", &Settings::default());
        assert_eq!(once.skipped(), [], "{name}");
        let is_walked = once.facts.functions_with_locks > 0 || WITHOUT_KNOWN_LOCKS.contains(&&*name);
        assert!(is_walked && once.facts.functions > 0, "{name}: nothing in it comes near a lock");
        assert!(once.is_same_as(&source.check("again", &Settings::default())), "{name}: two runs differ");
        let all = source.check("everything", &everything());
        assert_eq!(all.skipped(), [], "{name}, with all lists");
        assert!(!all.facts.atomicity.is_empty(), "{name}: no function is listed");
    });
}
