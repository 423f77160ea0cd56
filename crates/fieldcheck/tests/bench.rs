//! `fieldcheck bench` as a whole, with shell scripts in the place of cargo and the tool: they are quick, they fail when
//! asked to, and they write down how they were called.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

const SOURCE: &str = "pub fn get() {}\n";

/// Fails for the command in FAIL when the source has an edit, after more words than are told.
const SCRIPT: &str = r#"#!/bin/sh
me=$(basename "$0")
if grep -q stalemate_bench_ src/lib.rs; then edit=$(tail -n 1 src/lib.rs); else edit=; fi
echo "$RUSTUP_TOOLCHAIN $me $1 $edit" >>"$CALLS"
if [ -n "$edit" ] && [ "$1" = "$FAIL" ]; then
    i=0; while [ $i -lt 30 ]; do i=$((i + 1)); echo "line $i"; done
    exit "$CODE"
fi
previous=
for word in "$@"; do
    if [ "$previous" = --target-dir ]; then mkdir -p "$word/debug/incremental"; fi
    previous=$word
done
[ "$1" != stalemate ] || exit 1
"#;

/// Programs and a registry with one crate. Made once and before anything is started: a program that is still open for
/// writing somewhere cannot be run.
static FAKES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fieldcheck-bench");
    let _ = fs::remove_dir_all(&folder);
    let package = folder.join("home/registry/src/index/pool-1.0.0");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(package.join(".cargo-ok"), "").unwrap();
    fs::write(package.join("Cargo.toml"), "[package]\nname = \"pool\"\nversion = \"1.0.0\"\n").unwrap();
    fs::write(package.join("src/lib.rs"), SOURCE).unwrap();
    fs::create_dir_all(folder.join("bin")).unwrap();
    for program in ["cargo", "cargo-stalemate", "stalemate-driver"] {
        let path = folder.join("bin").join(program);
        fs::write(&path, SCRIPT).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
});

struct Ran {
    work: PathBuf,
    output: Output,
}

impl Ran {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// How the scripts were called, without the call that fetches.
    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.work.join("calls")).unwrap();
        calls.lines().filter(|call| !call.contains("fetch")).map(|call| call.trim_end().to_owned()).collect()
    }

    fn source(&self) -> String {
        fs::read_to_string(self.work.join("src/pool-1.0.0/src/lib.rs")).unwrap()
    }
}

impl Drop for Ran {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// FAIL and CODE of the scripts, and more words for the bench.
fn bench(test: &str, failing: (&str, &str), words: &[&str]) -> Ran {
    let (bin, work) = (FAKES.join("bin"), FAKES.join(test));
    fs::create_dir_all(&work).unwrap();
    let mut paths = vec![bin.clone()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = Command::new(env!("CARGO_BIN_EXE_fieldcheck"))
        .arg("bench")
        .args(words)
        .arg("--work")
        .arg(&work)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("CARGO_HOME", FAKES.join("home"))
        .env("CHANNEL", "nightly-of-test")
        .env("TOOL", bin.join("cargo-stalemate"))
        .env("CALLS", work.join("calls"))
        .env("FAIL", failing.0)
        .env("CODE", failing.1)
        .env_remove("RUNS")
        .output()
        .unwrap();
    Ran { work, output }
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn sides_take_turns_and_see_the_same_edits() {
    let ran = bench("turns", ("", ""), &["pool", "1.0.0", "--lib", "--runs", "2", "--clippy"]);
    assert_eq!(ran.output.status.code(), Some(0), "{:?}", ran.output);
    let sides = ["cargo check", "cargo-stalemate stalemate", "cargo clippy"];
    let edit = |run| format!(" #[allow(dead_code)] fn stalemate_bench_{run}() -> u32 {{ {run} }}");
    let expected = [1, 2].into_iter().flat_map(|run| [String::new(), String::new(), String::new(), edit(run)]);
    let expected: Vec<_> =
        expected.flat_map(|edit| sides.map(|side| format!("nightly-of-test {side}{edit}"))).collect();
    assert_eq!(ran.calls(), expected);
    assert_eq!(ran.source(), SOURCE);
    let text = ran.text();
    assert!(text.starts_with("pool 1.0.0 --lib on nightly-of-test, median of 2\n\nsituation "), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("cargo stalemate")).count(), 4, "{text}");
}

#[test]
fn a_failed_run_stops_the_bench_and_leaves_the_source_as_it_was() {
    for (test, side, code) in [("plain", "check", "101"), ("tool", "stalemate", "70")] {
        let json = FAKES.join(format!("{test}.json"));
        let ran = bench(test, (side, code), &["pool", "1.0.0", "--json", json.to_str().unwrap()]);
        assert_eq!(ran.output.status.code(), Some(1), "{:?}", ran.output);
        let text = ran.text();
        let told = format!("\nStopped:\n  pool 1.0.0: edit, cargo {side}: failed with exit code {code}\n    line 11\n");
        assert!(text.starts_with(&told) && text.ends_with("    line 30\n"), "{text}");
        assert!(ran.calls().last().unwrap().contains(&format!(" {side} #[allow")), "{:?}", ran.calls());
        assert_eq!(ran.source(), SOURCE);
        assert_eq!(fs::read_to_string(json).unwrap(), "", "nothing is measured from a failed run");
    }
}

#[test]
fn machines_get_every_run() {
    let json = FAKES.join("all.json");
    let words = ["pool", "1.0.0", "--runs=3", "--json", json.to_str().unwrap(), "--max-cold", "0.000001"];
    let ran = bench("json", ("", ""), &words);
    let document = read(&json);
    assert_eq!(document["toolchain"], "nightly-of-test");
    assert_eq!(document["crates"][0]["name"], "pool");
    let rows = document["crates"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4 * 2);
    assert_eq!((&rows[1]["situation"], &rows[1]["side"]), (&"all".into(), &"stalemate".into()));
    for quantity in ["cpu_seconds", "peak_mb"] {
        assert_eq!(rows[1][quantity]["runs"].as_array().unwrap().len(), 3);
    }
    assert_eq!(ran.output.status.code(), Some(1));
    let over = document["above_limit"].as_array().unwrap();
    assert_eq!(over.len(), 1, "{document}");
    let section = format!("\nAbove the limit:\n  {}\n", over[0].as_str().unwrap());
    assert!(ran.text().ends_with(&section), "{}", ran.text());
}

#[test]
fn bad_arguments_are_told_before_anything_runs() {
    for (words, told) in [
        (&["pool"][..], "<VERSION>"),
        (&["pool", "1.0.0", "--lib", "--runs"], "a value is required for '--runs <N>'"),
        (&["pool", "1.0.0", "--max-warm", "-1"], "a ratio is a number above 0"),
        (&["pool", "1.0.0", "--json", "no/such/folder/a.json"], "error: no/such/folder/a.json: "),
        (&["pool", "1.0.0", "--tool", "no/such/tool"], "error: no/such/tool is not there"),
    ] {
        let ran = bench("arguments", ("", ""), words);
        let said = String::from_utf8_lossy(&ran.output.stderr);
        assert_eq!(ran.output.status.code(), Some(2), "{said}");
        assert!(said.contains(told) && !ran.work.join("calls").exists(), "{said}");
    }
}

#[test]
fn a_crate_that_is_not_to_be_had_is_told() {
    let ran = bench("absent", ("", ""), &["absent", "1.0.0"]);
    assert_eq!(ran.output.status.code(), Some(1), "{:?}", ran.output);
    assert!(ran.text().starts_with("\nStopped:\n  absent 1.0.0: not obtained\n"), "{}", ran.text());
}
