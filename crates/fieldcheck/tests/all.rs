//! `fieldcheck all` as a whole, with a shell script in the place of the tool: what it says is written down, compared, and
//! kept from one run to the next.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CRATES: [&str; 2] = ["r2d2-0.8.10", "sled-0.34.7"];

/// Says what lies in a file beside it, and counts how often it was asked.
const SCRIPT: &str = r#"#!/bin/sh
echo called >>"$CALLS"
[ -z "$FAIL" ] || { echo "thread panicked" >&2; exit 70; }
printf '{"schema":%s,"tool":{"name":"","version":"","toolchain":""},"run":{"packages":[],"functions":1,' "$SCHEMA"
printf '"functions_with_locks":0,"lines":500,"skipped":[]},"findings":[%s]}' "$FINDINGS"
"#;

fn finding(lint: &str, confidence: &str) -> String {
    format!(
        r#"{{"fingerprint":"0123456789abcdef","lint":"{lint}","confidence":"{confidence}","score":50,"reasons":[],
        "package":"sled","function":"get","lock":null,"primary":{{"file":"src/lib.rs","line":7,"column":1}},
        "message":"the value is old","help":null,"trace":[],"suppressed":null}}"#
    )
}

struct Lab {
    folder: PathBuf,
}

impl Lab {
    fn new(test: &str) -> Lab {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fieldcheck-all-{test}"));
        let _ = fs::remove_dir_all(&folder);
        for name in CRATES {
            let package = folder.join("home/registry/src/index").join(name);
            fs::create_dir_all(&package).unwrap();
            fs::write(package.join(".cargo-ok"), "").unwrap();
            fs::write(package.join("Cargo.toml"), "[package]\nname = \"pool\"\n").unwrap();
        }
        fs::create_dir_all(folder.join("bin")).unwrap();
        for program in ["cargo-stalemate", "stalemate-driver"] {
            let path = folder.join("bin").join(program);
            fs::write(&path, SCRIPT).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(folder.join("state.txt"), "").unwrap();
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/field.md")).unwrap();
        fs::write(folder.join("field.md"), page).unwrap();
        Lab { folder }
    }

    fn run(&self, words: &[&str], findings: &str, fail: &str) -> (i32, String) {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_fieldcheck"))
            .args(["all", "r2d2", "sled"])
            .args(words)
            .arg("--setup")
            .arg(self.folder.join("no-setups"))
            .arg("--tool")
            .arg(self.folder.join("bin/cargo-stalemate"))
            .arg("--work")
            .arg(self.folder.join("work"))
            .arg("--state")
            .arg(self.folder.join("state.txt"))
            .arg("--page")
            .arg(self.folder.join("field.md"))
            .env("CARGO_HOME", self.folder.join("home"))
            .env("CALLS", self.folder.join("calls"))
            .env("SCHEMA", finding::document::SCHEMA.to_string())
            .env("FINDINGS", findings)
            .env("FAIL", fail)
            .output()
            .unwrap();
        let said = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (status.code().unwrap(), said)
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.folder.join("calls")).unwrap().lines().count()
    }

    /// As if the tool had changed.
    fn forget(&self) {
        fs::remove_dir_all(self.folder.join("work/out")).unwrap();
    }

    fn state(&self) -> String {
        fs::read_to_string(self.folder.join("state.txt")).unwrap()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn what_is_written_down_is_compared_with_the_next_run() {
    let lab = Lab::new("written");
    let (code, said) = lab.run(&["--write"], "", "");
    assert!(code == 1 && said.contains("new sled 0.34.7: 0 above low"), "{said}");
    assert!(lab.state().contains("\nversion sled 0.34.7 500\n"), "{}", lab.state());
    let page = fs::read_to_string(lab.folder.join("field.md")).unwrap();
    assert!(page.contains("| sled | 0.34.7 | 500 | 0 |"), "{page}");
    let (code, said) = lab.run(&[], "", "");
    assert!(code == 0 && said.contains("2 kept from earlier runs") && said.contains("0 added, 0 gone"), "{said}");
    assert_eq!(lab.calls(), 2);
    let (code, said) = lab.run(&["--kept"], "", "");
    assert!(code == 0 && said.contains("2 versions: 0 added"), "{said}");

    lab.forget();
    let (_, said) = lab.run(&["--kept", "--write"], "", "");
    assert!(said.contains(" 0 versions: ") && lab.calls() == 2, "{said}");
    assert!(lab.state().contains("\nversion sled 0.34.7 500\n"), "{}", lab.state());
    let (code, said) = lab.run(&["sled"], &finding("stale_value", "high"), "");
    assert!(code == 1 && said.contains("+ sled 0.34.7: stale_value, high, src/lib.rs:7"), "{said}");
    assert!(said.contains("\n[[verdict]]\ncrate = \"sled\"\n"), "{said}");
    assert!(!lab.state().contains("stale_value"), "nobody asked for that");
}

#[test]
fn a_crash_is_told_and_tried_again() {
    let lab = Lab::new("crash");
    let (code, said) = lab.run(&["-j", "1"], "", "yes");
    assert!(code == 1 && said.contains("sled 0.34.7: crashed (exit status: 70)\n    thread panicked"), "{said}");
    let (_, said) = lab.run(&["-j", "2"], "", "");
    assert!(!said.contains("crashed") && !said.contains("kept"), "{said}");
    assert_eq!(lab.calls(), 4);
}
