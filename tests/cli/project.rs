//! A project on disk, and runs of the tool in it.

use crate::support;
use finding::Document;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run may know of the world. The cargo that runs the tests sets dozens of variables that a user's shell has not,
/// and some of them (`RUSTFLAGS`, `CARGO_TARGET_DIR`, `RUSTUP_TOOLCHAIN`) change what is built, and where.
const KEPT: &[&str] =
    &["CARGO_HOME", "HOME", "PATH", "RUSTUP_HOME", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE"];

pub struct Project {
    pub root: PathBuf,
}

impl Project {
    /// An empty directory; what an earlier run of the same test left there is gone.
    pub fn new(name: &str) -> Project {
        let root = support::target().join("cli").join(name);
        if root.exists() {
            fs::remove_dir_all(&root).expect("the old project can be removed");
        }
        fs::create_dir_all(&root).expect("the target directory can be written");
        Project { root }
    }

    /// One package named `bank`, its own workspace, with a library.
    pub fn library(name: &str, source: &str) -> Project {
        Project::new(name).package("bank", "[workspace]\n", source)
    }

    /// One package in the root directory; `more` goes below its `[package]` table.
    pub fn package(self, name: &str, more: &str, source: &str) -> Project {
        self.file("Cargo.toml", &manifest(name, more)).file("src/lib.rs", source)
    }

    /// A workspace of libraries, one directory each.
    pub fn workspace(name: &str, members: &[(&str, &str)]) -> Project {
        let names: Vec<String> = members.iter().map(|(member, _)| format!("{member:?}")).collect();
        let root = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", names.join(", "));
        let empty = Project::new(name).file("Cargo.toml", &root);
        members.iter().fold(empty, |project, (member, source)| project.member(member, "", source))
    }

    pub fn member(self, name: &str, more: &str, source: &str) -> Project {
        self.file(&format!("{name}/Cargo.toml"), &manifest(name, more)).file(&format!("{name}/src/lib.rs"), source)
    }

    pub fn file(self, path: &str, text: &str) -> Project {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a file lies in a directory")).expect("directories can be made");
        fs::write(path, text).expect("files can be written");
        self
    }

    /// Runs the tool to its end. Words behind `--` are cargo's.
    pub fn run(&self, line: &str) -> Run {
        Run::of(self.command().args(line.split_whitespace()))
    }

    /// The same with a report for tools.
    pub fn json(&self, line: &str) -> Run {
        self.run(&format!("--format json {line}"))
    }

    pub fn command(&self) -> Command {
        command(support::built("cargo-stalemate"), &self.root)
    }

    /// The facts files of all units, as paths.
    pub fn facts(&self) -> Vec<PathBuf> {
        self.files(".stalemate.json")
    }

    /// Files of the build output whose names end so.
    pub fn files(&self, end: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        walk(&self.root.join("target"), &mut |path| {
            if path.to_string_lossy().ends_with(end) {
                found.push(path.to_owned());
            }
        });
        found
    }
}

/// What has passed leaves nothing behind: together that would be gigabytes. What has failed is there to be looked at.
impl Drop for Project {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

fn manifest(name: &str, more: &str) -> String {
    format!("[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
}

pub fn walk(directory: &Path, visit: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() { walk(&path, visit) } else { visit(&path) }
    }
}

pub fn command(program: impl AsRef<std::ffi::OsStr>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).env_clear();
    command.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command
}

/// How a run ended and what it said.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(command: &mut Command) -> Run {
        let Output { status, stdout, stderr } = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
        Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// Ended with this code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Each of these stands on standard output.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Run {
        for words in words {
            assert!(self.stdout.contains(words), "`{words}` is not on standard output\n{self}");
        }
        self
    }

    /// Each of these stands on standard error.
    #[track_caller]
    pub fn notes(self, words: &[&str]) -> Run {
        for words in words {
            assert!(self.stderr.contains(words), "`{words}` is not on standard error\n{self}");
        }
        self
    }

    /// None of these stands anywhere.
    #[track_caller]
    pub fn never_says(self, words: &[&str]) -> Run {
        for words in words {
            assert!(!self.stdout.contains(words) && !self.stderr.contains(words), "`{words}` was said\n{self}");
        }
        self
    }

    /// No report at all.
    #[track_caller]
    pub fn reports_nothing(self) -> Run {
        assert_eq!(self.stdout, "", "{self}");
        self
    }

    /// The one document that standard output consists of.
    #[track_caller]
    pub fn document(&self) -> Document {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no document: {error}\n{self}"))
    }

    /// Where the findings of the document are: `function` of each, those that someone accepted included.
    #[track_caller]
    pub fn functions(&self) -> Vec<String> {
        self.document().findings.into_iter().map(|finding| finding.function).collect()
    }

    /// Whether cargo ran the compiler on anything.
    pub fn compiled(&self) -> bool {
        self.stderr.contains("Checking ")
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "-- code {:?}\n-- stdout\n{}\n-- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
