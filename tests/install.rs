//! `cargo install --path crates/cargo-stalemate` is all: the program that it leaves builds its own driver, says so, and
//! does it once. This is the longest test, because the driver is built as a user's would be.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A lost update, so that there is something to report.
const SOURCE: &str = "\
use std::sync::Mutex;
pub fn add(total: &Mutex<u32>) {
    let n = *total.lock().unwrap();
    *total.lock().unwrap() = n + 1;
}
";

struct Machine {
    root: PathBuf,
    program: PathBuf,
}

impl Machine {
    /// Installs the front-end alone, into a directory of its own.
    fn new() -> Machine {
        let root = support::target().join("install");
        if root.exists() {
            std::fs::remove_dir_all(&root).unwrap();
        }
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["install", "--path", "crates/cargo-stalemate", "--locked", "--debug", "--root"]).arg(&root);
        let installed = cargo.current_dir(support::repository()).output().unwrap();
        assert!(installed.status.success(), "{}", text(&installed.stderr));
        let program = root.join("bin/cargo-stalemate");
        std::fs::create_dir_all(root.join("project/src")).unwrap();
        let manifest = "[package]\nname = \"total\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
        std::fs::write(root.join("project/Cargo.toml"), manifest).unwrap();
        std::fs::write(root.join("project/src/lib.rs"), SOURCE).unwrap();
        Machine { root, program }
    }

    fn run(&self, words: &[&str], variables: &[(&str, &Path)]) -> Output {
        let mut command = Command::new(&self.program);
        command.arg("stalemate").args(words).current_dir(self.root.join("project"));
        command
            .env("STALEMATE_HOME", self.root.join("home"))
            .env_remove("STALEMATE_DRIVER")
            .env_remove("RUSTUP_TOOLCHAIN");
        command.env_remove("RUSTFLAGS").env_remove("CARGO_TARGET_DIR").envs(variables.iter().copied());
        command.output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn one_command_installs_everything() {
    let machine = Machine::new();
    let version =
        |program: &Path| text(&Command::new(program).args(["stalemate", "--version"]).output().unwrap().stdout);
    assert_eq!(version(&machine.program), version(&support::built("cargo-stalemate")));
    let never = [("STALEMATE_SETUP", Path::new("never"))];
    let forbidden = machine.run(&[], &never);
    assert_eq!(forbidden.status.code(), Some(4), "{}", text(&forbidden.stderr));
    assert!(text(&forbidden.stderr).contains("the driver is not built"), "{}", text(&forbidden.stderr));
    let doctor = machine.run(&["doctor"], &[]);
    assert_eq!(doctor.status.code(), Some(4));
    let says = text(&doctor.stdout);
    assert!(says.contains("missing  driver: it is not built yet") && says.contains("cargo stalemate setup"), "{says}");

    let first = machine.run(&[], &[]);
    let said = text(&first.stderr);
    assert_eq!(first.status.code(), Some(1), "{said}");
    assert!(said.contains("stalemate: building the driver for nightly-") && said.contains("Compiling"), "{said}");
    assert!(text(&first.stdout).contains("warning[stale_value]"), "{}", text(&first.stdout));

    let second = machine.run(&[], &never);
    assert_eq!(second.status.code(), Some(1));
    assert!(!text(&second.stderr).contains("building"), "{}", text(&second.stderr));
    let doctor = machine.run(&["doctor"], &[]);
    assert_eq!((doctor.status.code(), text(&doctor.stdout).contains("missing")), (Some(0), false));
}
