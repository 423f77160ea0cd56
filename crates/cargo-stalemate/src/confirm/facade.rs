//! The facade, compiled by the user's own toolchain, and a cargo that puts it in the place of std.

use super::sources::FILES;
use super::wrapper;
use crate::toolchain::TOOLCHAIN;
use sha2::{Digest, Sha256};
use std::env::{current_exe, var_os};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A facade that is ready to be used, for one project.
#[derive(Debug)]
pub struct Facade {
    library: PathBuf,
    /// The triple of this machine. It is given to cargo so that units for the host are apart from all others.
    host: String,
    /// Where the facade and everything that is compiled with it goes.
    directory: PathBuf,
    project: PathBuf,
    toolchain: Option<String>,
    wrapper: PathBuf,
}

/// Why there is no facade: the words of the program that failed, or of the system.
#[derive(Debug)]
pub struct CannotBuild(pub String);

impl fmt::Display for CannotBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<io::Error> for CannotBuild {
    fn from(error: io::Error) -> CannotBuild {
        CannotBuild(error.to_string())
    }
}

impl Facade {
    /// For the toolchain that is used in the project. One that the project asks for and nobody has installed is replaced by the
    /// pinned one, which is there.
    pub fn of_user(project: &Path, directory: &Path) -> Result<Facade, CannotBuild> {
        let toolchain = answer(program("rustc", project, None).arg("-vV")).is_err().then_some(TOOLCHAIN);
        Facade::build(project, directory, toolchain)
    }

    /// Builds it in a directory that is ours alone, with a toolchain that rustup knows by name, or else with the one that
    /// is used in the project.
    pub fn build(project: &Path, directory: &Path, toolchain: Option<&str>) -> Result<Facade, CannotBuild> {
        let directory = std::path::absolute(directory)?;
        let version = answer(program("rustc", project, toolchain).arg("-vV"))?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned();
        // Another toolchain cannot read what this one compiled, and cargo does not see that another facade is linked to.
        let sources: Vec<&str> = FILES.iter().map(|(_, text)| *text).collect();
        let directory = directory.join(short_hash(&[&version, crate::VERSION, &short_hash(&sources)]));
        write_sources(&directory.join("facade"))?;
        let target = directory.join("facade-target");
        let mut build = program("cargo", project, toolchain);
        build.args(["build", "--quiet", "--lib", "--target", &host]);
        build.arg("--manifest-path").arg(directory.join("facade/Cargo.toml")).arg("--target-dir").arg(&target);
        answer(build.env("RUSTC_WRAPPER", ""))?;
        let library = target.join(&host).join("debug/libstalemate_rt.rlib");
        if !library.is_file() {
            return Err(CannotBuild(format!("cargo left no {}", library.display())));
        }
        bring_metadata(&target.join(&host).join("debug"), &library)?;
        let (project, toolchain) = (project.to_owned(), toolchain.map(str::to_owned));
        Ok(Facade { library, host, directory, project, toolchain, wrapper: current_exe()? })
    }

    /// Another program as the wrapper than the one that runs.
    pub fn with_wrapper(self, wrapper: &Path) -> Facade {
        Facade { wrapper: wrapper.to_owned(), ..self }
    }

    /// A cargo that compiles the chosen packages (`*` for all) against the facade; a subcommand is to follow, and then
    /// [`Facade::target_arguments`]. cargo does not see what the wrapper does, so each choice has a directory of its own.
    pub fn cargo(&self, packages: &[&str]) -> Command {
        let packages = packages.join(",");
        let mut cargo = program("cargo", &self.project, self.toolchain.as_deref());
        cargo.env("RUSTC_WRAPPER", &self.wrapper).env(wrapper::FACADE, &self.library);
        // Enough to tell where a thread was held up, and no more to build.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only").env("CARGO_PROFILE_TEST_DEBUG", "line-tables-only");
        cargo.env(wrapper::COPIES, self.copies());
        cargo.env("CARGO_TARGET_DIR", self.directory.join(short_hash(&[&packages]))).env(wrapper::PACKAGES, packages);
        cargo
    }

    pub fn target_arguments(&self) -> [&str; 2] {
        ["--target", &self.host]
    }

    /// The changed copies of other crates of locks, as far as they have been needed.
    pub fn copies(&self) -> PathBuf {
        self.directory.join("locks")
    }

    pub fn library(&self) -> &Path {
        &self.library
    }
}

/// A program of a toolchain, started in the project. Where cargo calls us it says which one it is: that is the user's.
fn program(name: &str, project: &Path, toolchain: Option<&str>) -> Command {
    let variable = name.to_uppercase();
    let mut command = match (toolchain, var_os(&variable)) {
        (None, Some(path)) => Command::new(path),
        _ => Command::new(name),
    };
    command.current_dir(project);
    if let Some(toolchain) = toolchain {
        command.env("RUSTUP_TOOLCHAIN", toolchain).env_remove("CARGO").env_remove("RUSTC");
    }
    command
}

/// A newer cargo leaves what is known of a library in a file of its own, and only a stub in the library. It is put beside it,
/// where the wrapper looks for it.
fn bring_metadata(folder: &Path, library: &Path) -> io::Result<()> {
    let units = fs::read_dir(folder.join("build/stalemate-rt")).into_iter().flatten().filter_map(Result::ok);
    let files =
        units.flat_map(|unit| fs::read_dir(unit.path().join("out")).into_iter().flatten()).filter_map(Result::ok);
    let is_metadata = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rmeta");
    let time = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    match files.map(|file| file.path()).filter(is_metadata).max_by_key(time) {
        Some(newest) => fs::copy(newest, library.with_extension("rmeta")).map(drop),
        None => Ok(()),
    }
}

fn answer(command: &mut Command) -> Result<String, CannotBuild> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(CannotBuild(text(&output.stderr))) }
}

/// Only what has changed is written: cargo goes by the times of files.
pub(super) fn write_sources(directory: &Path) -> io::Result<()> {
    let manifest = format!(
        "[package]\nname = \"stalemate-rt\"\nversion = \"{}\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [profile.dev]\nopt-level = 1\ndebug = \"line-tables-only\"\n",
        crate::VERSION
    );
    for (path, text) in FILES.iter().copied().chain([("Cargo.toml", manifest.as_str())]) {
        let path = directory.join(path);
        if fs::read_to_string(&path).is_ok_and(|before| before == text) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        fs::write(path, text)?;
    }
    Ok(())
}

fn short_hash(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\n").as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
