//! This program as cargo's `RUSTC_WRAPPER`: it calls the compiler with some more arguments, `--extern std=..` first of all.
//! `core` is replaced by the same library, or an atomic named through it would be of another type; and under its own name
//! the library is there for a witness to call. Crates of locks are compiled from a [changed copy](super::foreign); should
//! that not compile, from their own sources after all.
//!
//! Units for the host, that is build scripts, procedural macros and what these are made of, are told by the absence of
//! `--target`, which [`Facade::cargo`](super::facade::Facade::cargo) always gives: they stay as they are.

use super::foreign::{self, Package};
use std::env::var;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The facade's library. That it is set makes this program a wrapper.
pub const FACADE: &str = "STALEMATE_CONFIRM_WRAPPER";
/// The packages whose std is replaced, with commas between them; `*` for all.
pub const PACKAGES: &str = "STALEMATE_CONFIRM_PACKAGES";

/// Where copies of other crates of locks are put.
pub const COPIES: &str = "STALEMATE_CONFIRM_COPIES";

/// If this is a call as a wrapper: the compiler's own exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let facade = var(FACADE).ok()?;
    let mut words = words.into_iter().skip(1);
    let program = words.next()?;
    let arguments: Vec<OsString> = words.collect();
    let package = Package::told();
    let name = package.as_ref().map(|package| package.name.as_str());
    if let Some(package) = package.as_ref().filter(|_| is_for_target(&arguments))
        && let Some(copies) = var(COPIES).ok()
        && let Some(changed) = foreign::replaced(package, &arguments, Path::new(&copies))
    {
        let mut compiler = Command::new(&program);
        compiler.args(&changed).args(added(&changed, &facade, name, Library::ToTell));
        if is_done(&mut compiler) {
            return Some(ExitCode::SUCCESS);
        }
        foreign::does_not_fit(package, Path::new(&copies));
    }
    let mut compiler = Command::new(program);
    compiler.args(&arguments).args(added(&arguments, &facade, name, Library::ForStd));
    Some(started(&mut compiler))
}

/// Runs a compiler that nobody hears of unless it succeeds.
fn is_done(compiler: &mut Command) -> bool {
    let Some(output) = compiler.output().ok().filter(|output| output.status.success()) else { return false };
    let told = io::stdout().write_all(&output.stdout).and_then(|()| io::stderr().write_all(&output.stderr));
    told.is_ok()
}

/// What the library is given for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Library {
    /// In the place of std, to those who are chosen.
    ForStd,
    /// The same, and to all others under its own name.
    ToTell,
}

fn started(compiler: &mut Command) -> ExitCode {
    let status = compiler.status();
    if let Err(error) = &status {
        eprintln!("stalemate: the compiler cannot be started: {error}");
    }
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

/// What the compiler is given beyond what cargo gives it.
fn added(arguments: &[OsString], facade: &str, package: Option<&str>, library: Library) -> Vec<OsString> {
    let Some(package) = package.filter(|_| is_for_target(arguments)) else { return Vec::new() };
    let folder = Path::new(facade).parent().unwrap_or(Path::new("")).display();
    let mut added = vec!["-L".into(), format!("dependency={folder}").into()];
    // What the user forbids in their code is not for a witness to keep.
    if !arguments.iter().any(|it| it.to_string_lossy().starts_with("--cap-lints")) {
        added.push("--cap-lints=warn".into());
    }
    let names: &[&str] = match library {
        _ if is_chosen(package) => &["std", "core", "stalemate_rt"],
        Library::ToTell => &["stalemate_rt"],
        Library::ForStd => &[],
    };
    let metadata = Path::new(facade).with_extension("rmeta");
    let files = [Path::new(facade)].into_iter().chain(metadata.is_file().then_some(metadata.as_path()));
    for file in files {
        for name in names {
            added.extend(["--extern".into(), format!("{name}={}", file.display()).into()]);
        }
    }
    added
}

fn is_chosen(package: &str) -> bool {
    var(PACKAGES).is_ok_and(|list| list.split(',').any(|name| name == "*" || name == package))
}

/// Whether a unit is compiled, and not for the host. Build scripts and macros are looked at by name too, should
/// somebody else have given `--target` to them.
fn is_for_target(arguments: &[OsString]) -> bool {
    let value =
        |flag: &str| arguments.iter().zip(arguments.iter().skip(1)).find(|(it, _)| *it == flag).map(|(_, it)| it);
    let has =
        |flag: &str| arguments.iter().any(|it| it == flag || it.to_string_lossy().starts_with(&format!("{flag}=")));
    let name = value("--crate-name").map(OsString::as_os_str);
    let is_unit =
        name.is_some_and(|name| name != OsStr::new("___") && !name.to_string_lossy().starts_with("build_script_"));
    let is_macro = value("--crate-type").is_some_and(|kind| kind == "proc-macro");
    is_unit && has("--target") && !is_macro
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(Into::into).collect()
    }

    #[test]
    fn units_for_the_target_are_told_from_others() {
        assert!(is_for_target(&words("--crate-name a --crate-type lib --target x86_64-unknown-linux-gnu src/lib.rs")));
        assert!(is_for_target(&words("--crate-name a --test --target=x86_64-unknown-linux-gnu src/lib.rs")));
        assert!(!is_for_target(&words("--crate-name a --crate-type lib src/lib.rs")));
        assert!(!is_for_target(&words("--crate-name build_script_build --target x --crate-type bin build.rs")));
        assert!(!is_for_target(&words("--crate-name m --crate-type proc-macro --target x src/lib.rs")));
        assert!(!is_for_target(&words("- --crate-name ___ --print=file-names --target x")));
        assert!(!is_for_target(&words("-vV")));
    }

    #[test]
    fn units_that_belong_to_no_package_are_left_alone() {
        let arguments = words("--crate-name a --crate-type lib --target x src/lib.rs");
        assert!(added(&arguments, "/f/libstalemate_rt.rlib", None, Library::ForStd).is_empty());
        let added = |library| added(&arguments, "/f/libstalemate_rt.rlib", Some("nobody-chose-it"), library);
        assert_eq!(added(Library::ForStd), words("-L dependency=/f --cap-lints=warn"));
        let told = words("-L dependency=/f --cap-lints=warn --extern stalemate_rt=/f/libstalemate_rt.rlib");
        assert_eq!(added(Library::ToTell), told);
    }
}
