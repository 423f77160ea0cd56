//! The work grows with the code and not faster, and no code is too deep for the stack. Measured in steps, which are the same
//! on every machine, and on small sizes; `./x growth` measures seconds, on large ones.

#[path = "../src/growth/shapes.rs"]
#[expect(dead_code, reason = "their sizes are for the command")]
mod shapes;
#[path = "../../../tests/support/mod.rs"]
mod support;

use finding::timings::{Counts, UnitTimings};
use shapes::{SHAPES, Shape};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Four times the code may be so many times the work: n log n, and not n to the power of 1.3.
const MOST: f64 = 5.5;

/// A driver that checks one shape, and what it counted.
fn checked(shape: &Shape, size: usize) -> Counts {
    let folder = folder(&format!("{}-{size}", shape.name));
    let (source, timings) = (folder.join("lib.rs"), folder.join("timings"));
    fs::write(&source, (shape.source)(size)).unwrap();
    let output = Command::new(support::built("stalemate-driver"))
        .args(["--crate-type", "lib", "--edition", "2024", "--emit", "metadata", "--out-dir"])
        .arg(&folder)
        .arg(&source)
        .env(finding::settings::VARIABLE, "{}")
        .env(finding::timings::VARIABLE, &timings)
        .output()
        .unwrap();
    assert!(output.status.success(), "{} {size}: {}", shape.name, String::from_utf8_lossy(&output.stderr));
    let units = UnitTimings::read(&timings);
    assert_eq!(units.len(), 1, "{} {size}", shape.name);
    let skipped = fs::read_to_string(folder.join("liblib.stalemate.json")).unwrap();
    let skipped: serde_json::Value = serde_json::from_str(&skipped).unwrap();
    assert_eq!(skipped["skipped"], serde_json::json!([]), "{} {size}", shape.name);
    fs::remove_dir_all(&folder).unwrap();
    units[0].counts
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is counted.
type Number = fn(Counts) -> u64;

#[test]
fn four_times_the_code_is_about_four_times_the_work() {
    for shape in &SHAPES {
        let (small, large) = (checked(shape, 40), checked(shape, 160));
        let numbers: [(&str, Number); 4] = [
            ("reads", |counts| counts.reads),
            ("walks", |counts| counts.walks),
            ("steps", |counts| counts.steps),
            ("carried", |counts| counts.carried),
        ];
        for (what, of) in numbers {
            let (small, large) = (of(small), of(large));
            let times = large as f64 / small.max(1) as f64;
            assert!(times <= MOST, "{}: {what} {small} and {large}", shape.name);
        }
        // What does nothing grows slowly, too.
        assert!(large.steps >= 160, "{}: {large:?}", shape.name);
    }
}

/// The compiler's own limits come soon after these.
#[test]
fn nothing_is_too_deep_for_the_stack() {
    for (name, size) in [("depth", 1000), ("circle", 1000), ("statements", 10_000)] {
        let shape = SHAPES.iter().find(|shape| shape.name == name).unwrap();
        assert!(checked(shape, size).steps > size as u64);
    }
}
