//! `stalemate.toml` at the root of the workspace: the same settings as in the manifest, in a file of their own.

use crate::errors::{Failure, Request};
use crate::project::Table;
use std::io;
use std::path::Path;

pub const FILE: &str = "stalemate.toml";

/// The settings in it, if it is there.
pub fn read(root: &Path) -> Result<Option<Table>, Failure> {
    let file = root.join(FILE);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Request::CannotRead { file, error }.into()),
    };
    match toml::from_str(&text) {
        Ok(value) => Ok(Some(Table { manifest: file, key: String::new(), value })),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let before = &text[..at.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            Err(Request::NotToml { file, line, column, why: error.message().to_owned() }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_has_a_place() {
        let root = tempfile::tempdir().unwrap();
        assert!(read(root.path()).unwrap().is_none());
        std::fs::write(root.path().join(FILE), "tests = true\nskip = [\"a\"\n").unwrap();
        let Err(Failure::Request(Request::NotToml { line, .. })) = read(root.path()) else {
            panic!("it cannot be read")
        };
        assert!(line >= 2);
        std::fs::write(root.path().join(FILE), "tests = true\n[lints]\nstale_use = \"warn\"\n").unwrap();
        let table = read(root.path()).unwrap().unwrap();
        assert_eq!(table.value, serde_json::json!({ "tests": true, "lints": { "stale_use": "warn" } }));
    }
}
