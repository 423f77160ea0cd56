//! The one toolchain the driver was built for. Its programs are called by path: each call of a rustup proxy would cost
//! as much as the rest of the front-end.

use crate::errors::Failure;
use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pinned channel. The same as in `rust-toolchain.toml`, which a test compares.
pub const TOOLCHAIN: &str = "nightly-2026-10-01";

#[derive(Debug)]
pub struct Toolchain {
    sysroot: PathBuf,
}

impl Toolchain {
    /// Asks rustup where the toolchain is. Installs nothing: whether that is wanted is decided elsewhere.
    pub fn find() -> Result<Toolchain, Failure> {
        let answer = Command::new("rustup")
            .args(["which", "--toolchain", TOOLCHAIN, "rustc"])
            .env("RUSTUP_AUTO_INSTALL", "0")
            .output()
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Failure::RustupMissing,
                _ => Failure::CannotStart { program: "rustup".into(), error },
            })?;
        let sysroot = sysroot_of(&String::from_utf8_lossy(&answer.stdout)).filter(|_| answer.status.success());
        let found = sysroot.map(|sysroot| Toolchain { sysroot }).filter(|toolchain| toolchain.cargo().is_file());
        found.ok_or(Failure::ToolchainMissing)
    }

    /// The full name, with the host's triple, as rustup would give it to cargo. With the bare channel cargo fails to find
    /// the toolchain, remembers nothing of the compiler, and asks it anew on every run.
    pub fn name(&self) -> &OsStr {
        self.sysroot.file_name().unwrap_or(OsStr::new(TOOLCHAIN))
    }

    pub fn cargo(&self) -> PathBuf {
        self.program("cargo")
    }

    pub fn rustc(&self) -> PathBuf {
        self.program("rustc")
    }

    /// Whether what the driver is built with is there, as rustup's own list of parts says.
    pub fn has_compiler_libraries(&self) -> bool {
        let list = std::fs::read_to_string(self.sysroot.join("lib/rustlib/components")).unwrap_or_default();
        list.lines().any(|part| part.starts_with("rustc-dev"))
    }

    /// Whether races on plain memory can be run.
    pub fn has_miri(&self) -> bool {
        self.program("cargo-miri").is_file()
    }

    /// Where its programs are.
    pub fn programs(&self) -> PathBuf {
        self.sysroot.join("bin")
    }

    fn program(&self, name: &str) -> PathBuf {
        self.programs().join(format!("{name}{EXE_SUFFIX}"))
    }

    /// The variable in which the system's loader looks for the compiler's library, with this toolchain's put in front,
    /// as a rustup proxy does. The driver links to that library and does not live in the toolchain.
    pub fn library_path(&self) -> (&'static str, OsString) {
        let (variable, folder) = match () {
            () if cfg!(windows) => ("PATH", "bin"),
            () if cfg!(target_os = "macos") => ("DYLD_FALLBACK_LIBRARY_PATH", "lib"),
            () => ("LD_LIBRARY_PATH", "lib"),
        };
        let before = std::env::var_os(variable).unwrap_or_default();
        // An empty entry would mean the current directory.
        let others = std::env::split_paths(&before).filter(|path| !path.as_os_str().is_empty());
        let paths = std::env::join_paths([self.sysroot.join(folder)].into_iter().chain(others));
        (variable, paths.unwrap_or(before))
    }
}

/// `<sysroot>/bin/rustc` to `<sysroot>`.
fn sysroot_of(rustc: &str) -> Option<PathBuf> {
    Path::new(rustc.trim_end()).parent()?.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_channel_is_the_one_of_the_repository() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rust-toolchain.toml");
        let text = std::fs::read_to_string(file).expect("the tests run inside the repository");
        assert!(text.contains(&format!("channel = \"{TOOLCHAIN}\"")), "{text}");
    }

    #[test]
    fn sysroot_is_two_up() {
        assert_eq!(sysroot_of("/t/nightly/bin/rustc\n"), Some("/t/nightly".into()));
        assert_eq!(sysroot_of(""), None);
    }
}
