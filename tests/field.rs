//! A smoke test on real code: two crates as they are published, and what is said about them as it is written down in
//! crates/fieldcheck/state.txt. sled denies a lint that only newer compilers have something to say about, and must pass all
//! the same.

mod support;

use finding::Document;
use std::path::Path;
use std::process::Command;

const CRATES: [(&str, &str); 2] = [("r2d2", "0.8.10"), ("sled", "0.34.7")];

#[test]
fn published_crates_are_checked_and_say_what_they_said() {
    // Apart from the directory of `./x field`, which somebody may be using.
    let work = support::target().join("field-smoke");
    let output = Command::new(fieldcheck())
        .arg("all")
        .args(CRATES.map(|(name, _)| name))
        .arg("--tool")
        .arg(support::built("cargo-stalemate"))
        .arg("--work")
        .arg(&work)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    for (name, version) in CRATES {
        looks_checked(name, &document(&work, &format!("{name}-{version}"), &said));
    }
    let names = CRATES.map(|(name, _)| name).join(" ");
    assert!(output.status.success(), "{said}\nif that is better, write it down: ./x field {names} --write");
}

fn looks_checked(name: &str, document: &Document) {
    assert_eq!(document.run.packages, [name]);
    assert!(document.run.functions > 50, "{name}: {:?}", document.run);
    assert!(document.run.functions_with_locks > 0, "{name}: {:?}", document.run);
    assert!(document.run.lines > 1000, "{name}: {:?}", document.run);
    assert!(document.run.skipped.is_empty(), "{name}: {:?}", document.run.skipped);
}

fn document(work: &Path, label: &str, said: &str) -> Document {
    let file = work.join("out").join(format!("{label}.json"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}\n{said}", file.display()));
    serde_json::from_slice(&bytes).unwrap()
}

fn fieldcheck() -> std::path::PathBuf {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "-p", "stalemate-fieldcheck", "--target-dir"])
        .arg(support::target())
        .current_dir(support::repository())
        .status()
        .unwrap();
    assert!(status.success(), "fieldcheck does not build");
    support::target().join("debug").join(format!("fieldcheck{}", std::env::consts::EXE_SUFFIX))
}
