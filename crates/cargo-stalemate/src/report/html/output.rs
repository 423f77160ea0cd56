//! The directory of the report. It is made new, or it is empty, or it holds a report of ours, which is replaced: nothing
//! that someone else wrote is ever touched.

use super::page::MARKER;
use std::io;
use std::path::{Path, PathBuf};

/// Where the pages of source files are.
const FILES: &str = "files";
const INDEX: &str = "index.html";

/// Why a report cannot be written there.
#[derive(Debug)]
pub enum Refused {
    IsFile,
    NotOurs,
    Io(io::Error),
}

/// A directory that may be written to.
#[derive(Debug)]
pub struct Output {
    directory: PathBuf,
}

impl Output {
    /// Looks only; so that a run need not go all the way before it fails.
    pub fn check(directory: &Path) -> Result<Output, Refused> {
        let output = Output { directory: directory.to_owned() };
        match directory.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(output),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(Refused::IsFile),
            Err(error) => Err(Refused::Io(error)),
            Ok(found) if !found.is_dir() => Err(Refused::IsFile),
            Ok(_) if output.is_empty().map_err(Refused::Io)? || output.is_ours() => Ok(output),
            Ok(_) => Err(Refused::NotOurs),
        }
    }

    fn is_empty(&self) -> io::Result<bool> {
        Ok(std::fs::read_dir(&self.directory)?.next().is_none())
    }

    fn is_ours(&self) -> bool {
        is_page(&self.directory.join(INDEX))
    }

    /// The index is written last: a report that is cut short does not look like a whole one, and yet is known as ours.
    pub fn write(&self, pages: impl IntoIterator<Item = (String, String)>, index: &str) -> io::Result<PathBuf> {
        std::fs::create_dir_all(self.directory.join(FILES))?;
        let first = self.directory.join(INDEX);
        std::fs::write(&first, MARKER)?;
        self.remove_old_pages()?;
        for (name, text) in pages {
            put(&self.directory.join(name), &text)?;
        }
        std::fs::write(&first, index)?;
        Ok(first)
    }

    /// Pages of files that are in the report no more.
    fn remove_old_pages(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(self.directory.join(FILES))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "html") && is_page(&path) {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Someone may have put a file of their own among ours.
fn put(path: &Path, text: &str) -> io::Result<()> {
    if path.exists() && !is_page(path) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is no page of ours", path.display())));
    }
    std::fs::write(path, text)
}

pub fn source_page_name(page: &str) -> String {
    format!("{FILES}/{page}")
}

/// The marker stands near the beginning of each page.
fn is_page(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(1024).read_to_end(&mut start));
    read.is_ok() && String::from_utf8_lossy(&start).contains(MARKER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        format!("<!doctype html>{MARKER}{text}")
    }

    fn write(directory: &Path, names: &[&str]) {
        let pages = names.iter().map(|name| (source_page_name(name), page(name)));
        Output::check(directory).unwrap().write(pages, &page("index")).unwrap();
    }

    #[test]
    fn a_report_of_ours_is_replaced_and_its_old_pages_go() {
        let top = tempfile::tempdir().unwrap();
        let directory = top.path().join("a/b");
        write(&directory, &["a.rs.html", "b.rs.html"]);
        std::fs::write(directory.join("files/mine.html"), "not ours").unwrap();
        write(&directory, &["a.rs.html"]);
        let exists = |name: &str| directory.join("files").join(name).exists();
        assert!(exists("a.rs.html") && !exists("b.rs.html") && exists("mine.html"));
        let pages = [(source_page_name("mine.html"), page("mine"))];
        assert!(Output::check(&directory).unwrap().write(pages, "").is_err());
        assert_eq!(std::fs::read_to_string(directory.join("files/mine.html")).unwrap(), "not ours");
    }

    #[test]
    fn what_is_not_ours_is_refused_and_left_alone() {
        let top = tempfile::tempdir().unwrap();
        std::fs::write(top.path().join("index.html"), "<html>mine").unwrap();
        assert!(matches!(Output::check(top.path()), Err(Refused::NotOurs)));
        let file = top.path().join("index.html");
        assert!(matches!(Output::check(&file), Err(Refused::IsFile)));
        assert!(matches!(Output::check(&file.join("below")), Err(Refused::IsFile)));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "<html>mine");
    }
}
