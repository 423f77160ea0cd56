//! A copy of the workspace that is ours to write to. The user's own tests are taken out of it, and with them the packages
//! that only they need: the less there is to build, the less there is to fail.

use super::keeping;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Never copied: what version control keeps. Build output is known by the mark that cargo puts there.
const LEFT_OUT: &[&str] = &[".git", ".hg", ".jj"];
const MARK_OF_OUTPUT: &str = "CACHEDIR.TAG";

/// What marks code for tests, and what marks code for nobody.
const FOR_TESTS: &str = "#[cfg(test)]";
const FOR_NOBODY: &str = "#[cfg(any())]";

/// How a copy is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tests {
    TakenOut,
    Kept,
    /// And with those that are crates of their own: see [`gathered`](super::gathered).
    Gathered,
}

/// Brings the copy in step with the workspace. What has not changed is not written: cargo goes by the times of files.
pub fn copy(from: &Path, to: &Path, tests: Tests) -> io::Result<()> {
    copy_directory(from, to, from, tests)?;
    let manifest = to.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    // Otherwise some workspace above would take it for a member.
    if text.lines().any(|line| line.trim_start().starts_with("[workspace")) {
        return Ok(());
    }
    write(&manifest, format!("{text}\n[workspace]\n").as_bytes())
}

/// A copy with nothing changed in it.
pub fn mirror(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() { mirror(&path, &to.join(name))? } else { write(&to.join(name), &fs::read(&path)?)? }
    }
    Ok(())
}

fn copy_directory(from: &Path, to: &Path, root: &Path, tests: Tests) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut kept = Vec::new();
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        let marks = [MARK_OF_OUTPUT, keeping::MARK];
        let is_output = path == root.join("target") || marks.iter().any(|mark| path.join(mark).exists());
        if is_output || LEFT_OUT.iter().any(|it| name == *it) {
            continue;
        }
        let kind = fs::metadata(&path)?;
        if kind.is_dir() {
            copy_directory(&path, &to.join(&name), root, tests)?;
        } else if kind.is_file() {
            write(&to.join(&name), &content(&path, root, tests)?)?;
        }
        kept.push(name);
    }
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !kept.contains(&entry.file_name()) {
            let path = entry.path();
            if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    Ok(())
}

fn content(path: &Path, root: &Path, tests: Tests) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    let is_manifest = path.file_name().is_some_and(|name| name == "Cargo.toml");
    let is_source = path.extension().is_some_and(|end| end == "rs");
    match String::from_utf8(bytes) {
        Ok(text) if is_manifest => {
            let text = with_paths(&text, path.parent().unwrap_or(root), root);
            Ok(if tests == Tests::TakenOut { without_test_packages(&text) } else { text }.into_bytes())
        }
        Ok(text) if is_source && tests == Tests::TakenOut => Ok(text.replace(FOR_TESTS, FOR_NOBODY).into_bytes()),
        Ok(text) => Ok(text.into_bytes()),
        Err(error) => Ok(error.into_bytes()),
    }
}

pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|before| before == content) { Ok(()) } else { fs::write(path, content) }
}

/// The manifest without `[dev-dependencies]`, in all the ways to write that.
fn without_test_packages(manifest: &str) -> String {
    let mut is_left_out = false;
    let mut kept = String::new();
    for line in manifest.lines() {
        let header = line.trim();
        if header.starts_with('[') {
            let names = header.trim_matches(['[', ']']);
            is_left_out =
                names.split(['.', '\'', '"']).any(|part| part == "dev-dependencies" || part == "dev_dependencies");
        }
        if !is_left_out {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Packages beside the workspace stay where they are, so the way to them changes.
fn with_paths(manifest: &str, directory: &Path, root: &Path) -> String {
    let lines = manifest.lines().map(|line| {
        let Some((before, value, after)) = path_value(line) else { return line.to_owned() };
        let outside = directory.join(value).canonicalize().ok().filter(|path| !path.starts_with(real(root)));
        outside.map_or_else(|| line.to_owned(), |path| format!("{before}{}{after}", path.display()))
    });
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// `path = "..."`, with what is before and behind.
fn path_value(line: &str) -> Option<(&str, &str, &str)> {
    let key = line.find("path = \"").filter(|&at| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-'))?;
    let start = key + "path = \"".len();
    let end = start + line[start..].find('"')?;
    Some((&line[..start], &line[start..end], &line[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_for_tests_are_left_out() {
        let manifest = "[package]\nname = \"a\"\n[dev-dependencies]\nb = \"1\"\n[dev-dependencies.c]\nversion = \"1\"\n\
                        [target.'cfg(unix)'.dev-dependencies]\nd = \"1\"\n[features]\ne = []\n";
        assert_eq!(without_test_packages(manifest), "[package]\nname = \"a\"\n[features]\ne = []\n");
    }

    #[test]
    fn a_copy_follows_the_tree_and_touches_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("from/target/ours/tree"));
        fs::create_dir_all(from.join("src")).unwrap();
        fs::write(from.join("Cargo.toml"), "[package]\nname = \"a\"\n").unwrap();
        fs::write(from.join("src/lib.rs"), "#[cfg(test)]\nmod tests {}\n").unwrap();
        fs::write(from.join("src/old.rs"), "").unwrap();
        fs::create_dir(from.join("src/target")).unwrap();
        fs::write(from.join("src/target/a.rs"), "").unwrap();
        copy(&from, &to, Tests::TakenOut).unwrap();
        assert_eq!(fs::read_to_string(to.join("src/lib.rs")).unwrap(), "#[cfg(any())]\nmod tests {}\n");
        assert!(fs::read_to_string(to.join("Cargo.toml")).unwrap().ends_with("[workspace]\n"));
        assert!(!to.join("target").exists() && to.join("src/target/a.rs").exists());
        fs::remove_file(from.join("src/old.rs")).unwrap();
        copy(&from, &to, Tests::Kept).unwrap();
        assert!(!to.join("src/old.rs").exists());
        assert_eq!(fs::read_to_string(to.join("src/lib.rs")).unwrap(), "#[cfg(test)]\nmod tests {}\n");
    }

    #[test]
    fn only_paths_that_lead_out_are_changed() {
        assert_eq!(path_value("a = { path = \"../a\" }"), Some(("a = { path = \"", "../a", "\" }")));
        assert_eq!(path_value("my-path = \"x\""), None);
        let inside = "[lib]\npath = \"lib.rs\"\n";
        assert_eq!(with_paths(inside, Path::new("/nowhere"), Path::new("/nowhere")), inside);
    }
}
