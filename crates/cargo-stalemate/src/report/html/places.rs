//! Which files get a page, what the page is called, and how places are linked to. A name of a page is made for file
//! systems that know few characters and do not tell case; a path of one machine is never shown.

use finding::Place;
use std::collections::{BTreeMap, BTreeSet};

/// Names longer than this are cut: some systems allow few bytes for a whole path.
const LONGEST: usize = 80;

/// The pages of source files.
#[derive(Debug, Default)]
pub struct Pages {
    names: BTreeMap<String, String>,
}

impl Pages {
    pub fn new(files: &BTreeSet<&str>) -> Pages {
        let mut taken = BTreeSet::new();
        let names = files.iter().map(|file| (file.to_string(), free_name(file, &mut taken)));
        Pages { names: names.collect() }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().map(|(file, page)| (file.as_str(), page.as_str()))
    }

    pub fn page(&self, file: &str) -> &str {
        self.names.get(file).map_or("", String::as_str)
    }
}

/// Writes links as they must stand in one page.
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    pages: &'a Pages,
    /// What leads from the page to the directory of source pages.
    prefix: &'static str,
}

/// A link to a place, with the words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub href: String,
    pub text: String,
}

impl<'a> Links<'a> {
    pub fn from_top(pages: &'a Pages) -> Links<'a> {
        Links { pages, prefix: "files/" }
    }

    pub fn from_source(pages: &'a Pages) -> Links<'a> {
        Links { pages, prefix: "" }
    }

    pub fn to(&self, place: &Place) -> Link {
        let text = format!("{}:{}", shown(&place.file), place.line);
        Link { href: format!("{}#L{}", self.file(&place.file), place.line), text }
    }

    pub fn file(&self, file: &str) -> String {
        format!("{}{}", self.prefix, self.pages.page(file))
    }

    /// The details of a finding stand in the page of the file it is in.
    pub fn finding(&self, file: &str, id: &str) -> String {
        format!("{}#{id}", self.file(file))
    }
}

/// The path as people know it. Files outside the workspace come with the path of this machine: the part that names the
/// package stays.
pub fn shown(file: &str) -> String {
    let is_absolute = file.starts_with('/') || file.as_bytes().get(1) == Some(&b':');
    if !is_absolute {
        return file.to_owned();
    }
    let parts: Vec<&str> = file.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let is_source = |part: &&str| ["src", "library", "tests", "examples", "benches"].contains(part);
    let folder = parts.iter().rposition(is_source).unwrap_or(parts.len().saturating_sub(2));
    parts[folder.saturating_sub(1)..].join("/")
}

fn free_name(file: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = shown(file).chars().map(plain).collect();
    let name = name.trim_start_matches(['.', '-']);
    let name = &name[name.len().saturating_sub(LONGEST)..];
    let numbered = |number: usize| if number == 1 { format!("{name}.html") } else { format!("{name}.{number}.html") };
    let free = |name: &String| taken.insert(name.to_ascii_lowercase());
    (1..).map(numbered).find(free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str]) -> Vec<String> {
        let files: BTreeSet<&str> = files.iter().copied().collect();
        Pages::new(&files).iter().map(|(_, page)| page.to_owned()).collect()
    }

    #[test]
    fn names_differ_whatever_the_file_system() {
        assert_eq!(names(&["a/b.rs", "a-b.rs", "A/b.rs"]), ["A-b.rs.html", "a-b.rs.2.html", "a-b.rs.3.html"]);
        assert_eq!(names(&["../<x>.rs"]), ["x-.rs.html"]);
    }

    #[test]
    fn long_names_are_cut_and_kept_apart() {
        let (one, other) = (format!("a/{}.rs", "x".repeat(200)), format!("b/{}.rs", "x".repeat(200)));
        let names = names(&[&one, &other]);
        assert!(names.iter().all(|name| name.len() < 100) && names[0] != names[1]);
    }

    #[test]
    fn paths_of_the_machine_are_not_shown() {
        assert_eq!(shown("src/a.rs"), "src/a.rs");
        assert_eq!(shown("/home/me/.cargo/registry/src/index-1/pool-1.2.0/src/a/b.rs"), "pool-1.2.0/src/a/b.rs");
        assert_eq!(shown("C:\\x\\y\\a.rs"), "x/y/a.rs");
    }
}
