//! The files of the repository as text, and what can be told from Rust text without a parser, as rustfmt leaves it.

use std::fs;
use std::path::Path;

/// What is built or belongs to other tools. (`.git` is a file where several branches are checked out.)
const SKIPPED: &[&str] = &["target", ".git"];

pub struct File {
    /// Relative to the repository, with forward slashes.
    pub path: String,
    pub text: String,
}

impl File {
    pub fn new(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// The lines with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

pub fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All text files, sorted by path.
pub fn files(root: &Path) -> Vec<File> {
    let mut found = Vec::new();
    walk(root, "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

pub fn rust_files(root: &Path, under: &str) -> Vec<File> {
    let prefix = format!("{under}/");
    files(root).into_iter().filter(|file| file.is_rust() && file.path.starts_with(&prefix)).collect()
}

fn walk(directory: &Path, prefix: &str, found: &mut Vec<File>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().expect("file names are UTF-8");
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().unwrap();
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            found.push(File { path, text });
        }
    }
}

/// The line without its comment. A `//` in a string counts as one: good enough for what is asked here.
pub fn code(line: &str) -> &str {
    line.split("//").next().unwrap()
}

/// The function that a line begins, by name.
pub fn function(line: &str) -> Option<&str> {
    let mut words = line.trim_start();
    while let Some(rest) = QUALIFIERS.iter().find_map(|qualifier| words.strip_prefix(qualifier)) {
        words = rest;
    }
    let name = words.strip_prefix("fn ")?;
    Some(&name[..name.find(|c: char| !is_word(c))?])
}

const QUALIFIERS: &[&str] = &["pub(crate) ", "pub(super) ", "pub ", "const ", "async ", "unsafe ", "extern \"C\" "];

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[test]
fn a_function_is_known_by_its_first_line() {
    assert_eq!(function("    pub(crate) async unsafe fn take<T>(t: T) {"), Some("take"));
    assert_eq!(function("fn fn_old_guard() {"), Some("fn_old_guard"));
    assert_eq!(function("    /// fn in a comment() {"), None);
    assert_eq!(function("    let f: fn (u8) = g;"), None);
}

#[test]
fn comments_are_no_code() {
    assert_eq!(code("let a = 1; // crate::flow"), "let a = 1; ");
    assert_eq!(code("//! crate::flow"), "");
}
