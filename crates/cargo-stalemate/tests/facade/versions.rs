//! The changes that are made to crates of locks, held against what these crates have published.

use cargo_stalemate::confirm::foreign::{Package, replaced};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo has unpacked a published crate.
fn published(directory: &Path, name: &str, version: &str) -> Package {
    let crate_and_version = format!("{name}@{version}");
    let output =
        Command::new("cargo").args(["info", "--quiet", &crate_and_version]).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"));
    let mut registries = fs::read_dir(home.join("registry/src")).unwrap().map(|entry| entry.unwrap().path());
    let found = registries.find_map(|it| Some(it.join(format!("{name}-{version}"))).filter(|it| it.is_dir()));
    Package { name: name.into(), version: version.into(), directory: found.expect("cargo has unpacked the crate") }
}

/// A changed copy.
fn changed(directory: &Path, name: &str, version: &str) -> PathBuf {
    let package = published(directory, name, version);
    let root = OsString::from(package.directory.join("src/lib.rs"));
    let arguments = replaced(&package, &[root], directory).unwrap();
    Path::new(&arguments[0]).parent().unwrap().to_owned()
}

/// The code of a file in one line, without what nobody runs.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.collect::<Vec<_>>().concat()
}

const VERSIONS: &[&str] =
    &["0.3.4", "0.4.0", "0.4.1", "0.4.6", "0.4.9", "0.4.10", "0.4.11", "0.4.12", "0.4.13", "0.4.14", "0.5.0"];

#[test]
fn no_call_of_a_raw_lock_goes_untold() {
    let directory = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        let sources = changed(directory.path(), "lock_api", version);
        for file in ["mutex.rs", "rwlock.rs", "remutex.rs"] {
            let code = code(&sources.join(file));
            let code = code.split("// Put at the end").next().unwrap();
            let calls: Vec<&str> = code.match_indices(".raw.").map(|(at, _)| &code[at + 5..]).collect();
            assert!(calls.len() > 12, "{version} {file}: {}", calls.len());
            for call in calls {
                let is_field = call.starts_with("mutex") || call.starts_with("get_thread_id");
                let call = &call[..40.min(call.len())];
                assert!(is_field || call.starts_with("stalemate"), "{version} {file}: {call}");
            }
        }
    }
}

#[test]
fn places_keep_their_lines() {
    let directory = tempfile::tempdir().unwrap();
    for (name, version, file) in [("lock_api", "0.4.14", "rwlock.rs"), ("parking_lot", "0.12.5", "condvar.rs")] {
        let original = published(directory.path(), name, version).directory.join("src").join(file);
        let copy = changed(directory.path(), name, version).join(file);
        let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
        assert_eq!(lines(&original), lines(&copy), "{name}");
    }
}

/// Each is compiled from its copy, and not from what was published.
#[test]
fn all_versions_compile_when_they_are_changed() {
    let directory = tempfile::tempdir().unwrap();
    for version in VERSIONS {
        compiles(directory.path(), &[("lock_api", version)]);
    }
    compiles(directory.path(), &[("parking_lot", "0.10.2"), ("parking_lot", "0.11.0"), ("lock_api", "0.4.0")]);
    compiles(directory.path(), &[("parking_lot", "0.12.1"), ("parking_lot", "0.11.2"), ("lock_api", "0.4.9")]);
    compiles(directory.path(), &[("parking_lot", "0.12.5"), ("parking_lot", "0.13.0"), ("dashmap", "5.5.3")]);
}

fn compiles(directory: &Path, packages: &[(&str, &str)]) {
    let rows = packages.iter().map(|(name, version)| {
        format!("{name}_{} = {{ package = \"{name}\", version = \"={version}\" }}\n", version.replace('.', "_"))
    });
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{}\n[workspace]\n",
        rows.collect::<String>()
    );
    let witness = "#[test]\nfn runs() {}\n";
    let files = [("Cargo.toml", manifest.as_str()), ("src/lib.rs", ""), ("tests/witness.rs", witness)];
    crate::write(directory, &files);
    crate::tested_with(directory, &["*"]);
    let told = compiled_from(directory);
    for (name, version) in packages {
        let root = format!("locks/{name}-{version}/src/lib.rs");
        assert!(told.iter().any(|text| text.contains(&root)), "{root}: {told:?}");
    }
}

/// The files that compilers say they have read.
fn compiled_from(directory: &Path) -> Vec<String> {
    let mut told = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            told.extend(compiled_from(&entry));
        } else if entry.extension().is_some_and(|end| end == "d") {
            told.push(fs::read_to_string(&entry).unwrap());
        }
    }
    told
}
