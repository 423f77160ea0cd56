//! Crates whose locks are to be known as locks: `lock_api`, on which those of `parking_lot`, `dashmap` and others are built,
//! and what these do beside it; and `tokio`, whose locks are waited for by futures. While one of them is compiled, the compiler is given a changed copy of its sources: calls of
//! the raw lock tell the facade, and methods know who called them. What is not recognised stays as it is.
//!
//! The copy is kept beside everything else that `confirm` compiles; the registry is never written to.

mod futures;
mod rewrite;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

/// What cargo says of the package that is compiled.
#[derive(Clone, Debug)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub directory: PathBuf,
}

impl Package {
    /// As cargo tells it to a compiler.
    pub fn told() -> Option<Package> {
        let value = |name: &str| std::env::var(name).ok();
        Some(Package {
            name: value("CARGO_PKG_NAME")?,
            version: value("CARGO_PKG_VERSION")?,
            directory: value("CARGO_MANIFEST_DIR")?.into(),
        })
    }

    /// The folder of its copy.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// The arguments of the compiler, with the copy in the place of the package's own sources; none if it is not one of those
/// that are changed.
pub fn replaced(package: &Package, arguments: &[OsString], copies: &Path) -> Option<Vec<OsString>> {
    rewrite::is_known(package).then_some(())?;
    let at = arguments.iter().position(|it| is_root(package, it))?;
    let root = Path::new(&arguments[at]);
    let root = root.strip_prefix(&package.directory).unwrap_or(root);
    let copy = copies.join(package.folder());
    let _ = fs::remove_file(copies.join(format!("{}{UNFIT}", package.folder())));
    make_copy(package, &package.directory, &copy).ok()?;
    if package.name == "tokio" && !futures::fits(&copy) {
        does_not_fit(package, copies);
        return None;
    }
    let mut arguments = arguments.to_vec();
    arguments[at] = copy.join(root).into();
    Some(arguments)
}

/// Notes that the locks of a package stay unknown: its sources are not as they are expected to be.
pub fn does_not_fit(package: &Package, copies: &Path) {
    let folder = copies.join(package.folder());
    let _ = fs::remove_dir_all(&folder);
    let _ = fs::write(copies.join(format!("{}{UNFIT}", package.folder())), []);
}

/// The packages, with their versions, of which that was noted.
pub fn unfit(copies: &Path) -> Vec<String> {
    let files = fs::read_dir(copies).into_iter().flatten().filter_map(Result::ok);
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter_map(|name| name.strip_suffix(UNFIT).map(str::to_owned)).collect();
    names.sort();
    names
}

const UNFIT: &str = ".unfit";

/// The file that a crate begins with: the one argument that names a source file of the package.
fn is_root(package: &Package, argument: &OsString) -> bool {
    let path = Path::new(argument);
    path.extension().is_some_and(|end| end == "rs") && package.directory.join(path).is_file()
}

fn make_copy(package: &Package, from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            if name != "target" && name != ".git" {
                make_copy(package, &path, &to.join(name))?;
            }
            continue;
        }
        let content = fs::read(&path)?;
        let inside = path.strip_prefix(&package.directory).unwrap_or(&path);
        let content = match String::from_utf8(content) {
            Ok(text) => rewrite::rewritten(package, inside, text).into_bytes(),
            Err(error) => error.into_bytes(),
        };
        write(&to.join(name), &content)?;
    }
    let Some((path, text)) = rewrite::added(package).filter(|_| from == package.directory) else { return Ok(()) };
    write(&to.join(path), text.as_bytes())
}

/// In one step, for two compilers may be at it at once.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|before| before == content) {
        return Ok(());
    }
    let part = path.with_extension(format!("part-{}", process::id()));
    fs::write(&part, content)?;
    fs::rename(part, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_root_of_a_known_package_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let of =
            |name: &str| Package { name: name.into(), version: "0.4.9".into(), directory: directory.path().into() };
        let root = directory.path().join("src/lib.rs");
        fs::create_dir_all(root.parent().unwrap()).unwrap();
        fs::write(&root, "mod mutex;\n").unwrap();
        let copies = directory.path().join("target/copies");
        let arguments = [OsString::from("--edition=2018"), root.clone().into(), "-o".into(), "a.rs".into()];
        assert_eq!(replaced(&of("other"), &arguments, &copies), None);
        let new = replaced(&of("lock_api"), &arguments, &copies).unwrap();
        let copy = copies.join("lock_api-0.4.9/src/lib.rs");
        assert_eq!(new, [arguments[0].clone(), copy.clone().into(), "-o".into(), "a.rs".into()]);
        assert!(fs::read_to_string(&copy).unwrap().contains("pub mod stalemate;"));
        assert!(copy.with_file_name("stalemate.rs").is_file());
        assert_eq!(fs::read_to_string(&root).unwrap(), "mod mutex;\n");
    }

    #[test]
    fn sources_that_do_not_fit_stay_and_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let package = Package { name: "tokio".into(), version: "1.999.0".into(), directory: directory.path().into() };
        let root = directory.path().join("src/lib.rs");
        fs::create_dir_all(root.parent().unwrap()).unwrap();
        fs::write(&root, "pub mod sync {}\n").unwrap();
        let copies = directory.path().join("target/copies");
        assert_eq!(replaced(&package, &[root.into()], &copies), None);
        assert_eq!(unfit(&copies), ["tokio-1.999.0"]);
        assert!(!copies.join("tokio-1.999.0").exists());
    }
}
