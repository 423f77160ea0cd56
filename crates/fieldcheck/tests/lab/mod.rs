//! A place to run `fieldcheck` in, with a shell script in the place of the tool: a registry with two crates of the list, and a
//! copy of docs/field.md to write to.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CRATES: [&str; 2] = ["r2d2-0.8.10", "sled-0.34.7"];

/// Prints a document. `$FINDINGS` and `$SKIPPED` are lists in it.
pub const SAY: &str = r#"
printf '{"schema":%s,"tool":{"name":"","version":"","toolchain":""},"run":{"packages":[],"functions":9,' "$SCHEMA"
printf '"functions_with_locks":0,"lines":500,"skipped":[%s]},"findings":[%s]}' "$SKIPPED" "$FINDINGS"
"#;

pub struct Lab {
    pub folder: PathBuf,
}

impl Lab {
    pub fn new(test: &str, script: &str) -> Lab {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fieldcheck-{test}"));
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
            fs::write(&path, format!("#!/bin/sh\necho \"$*\" >>\"$CALLS\"\n{script}")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/field.md")).unwrap();
        fs::write(folder.join("field.md"), page).unwrap();
        Lab { folder }
    }

    /// The exit code, and all that was said.
    pub fn run(&self, words: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_fieldcheck"))
            .args(words)
            .arg("--setup")
            .arg(self.folder.join("no-setups"))
            .arg("--tool")
            .arg(self.folder.join("bin/cargo-stalemate"))
            .arg("--work")
            .arg(self.folder.join("work"))
            .arg("--page")
            .arg(self.folder.join("field.md"))
            .env("CARGO_HOME", self.folder.join("home"))
            .env("CALLS", self.folder.join("calls"))
            .env("SCHEMA", finding::document::SCHEMA.to_string())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (status.code().unwrap(), said)
    }

    /// How the tool was called.
    pub fn calls(&self) -> Vec<String> {
        fs::read_to_string(self.folder.join("calls")).unwrap().lines().map(str::to_owned).collect()
    }

    pub fn page(&self) -> String {
        fs::read_to_string(self.folder.join("field.md")).unwrap()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
