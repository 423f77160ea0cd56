//! Crates that know nothing of the facade, compiled against it by the stable toolchain, and driven.

mod bluetooth;
mod maps;
mod parking;
mod plain;
mod raw;
mod tasks;
mod versions;

use cargo_stalemate::confirm::facade::Facade;
use std::fs;
use std::path::Path;

const TOOLCHAIN: &str = "stable";

/// Puts files into a package.
fn write(package: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = package.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Runs the test `witness` of a package, and returns what it prints.
fn tested(package: &Path, name: &str) -> String {
    tested_with(package, &[name])
}

/// The same, with the packages whose std is replaced.
fn tested_with(package: &Path, packages: &[&str]) -> String {
    let ours = package.join("target/stalemate");
    let facade = Facade::build(package, &ours, Some(TOOLCHAIN)).unwrap_or_else(|error| panic!("{error}"));
    let facade = facade.with_wrapper(Path::new(env!("CARGO_BIN_EXE_cargo-stalemate")));
    let mut test = facade.cargo(packages);
    test.arg("test").args(facade.target_arguments()).args([
        "--test",
        "witness",
        "--",
        "--nocapture",
        "--test-threads=1",
    ]);
    let output = test.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
    text
}
