//! Which of std's younger methods there are to wrap: the facade is compiled by the user's own toolchain.

use std::env::var_os;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_downgrade)");
    if minor().is_some_and(|minor| minor >= 92) {
        println!("cargo::rustc-cfg=has_downgrade");
    }
}

/// The middle number of `rustc 1.95.0 (..)`.
fn minor() -> Option<u32> {
    let answer = Command::new(var_os("RUSTC")?).arg("--version").output().ok()?;
    String::from_utf8_lossy(&answer.stdout).split('.').nth(1)?.parse().ok()
}
