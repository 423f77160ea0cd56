//! The driver is linked against the compiler's own library; this writes into it where that library lies, so that it
//! starts without help from rustup or the environment.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTUP_TOOLCHAIN");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().expect("rustc runs");
    let sysroot = String::from_utf8(output.stdout).expect("the sysroot is valid UTF-8");
    let sysroot = sysroot.trim();
    println!("cargo::rustc-env=STALEMATE_SYSROOT={sysroot}");
    if cfg!(unix) {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{sysroot}/lib");
    }
}
