//! Why the tool and the list disagree, in the words of whoever looked into it. A miss with a reason is a known limit; one
//! without is work that nobody has done yet.

use crate::failure::Failure;
use crate::input;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Misses {
    /// Bugs that are not found, by id.
    #[serde(default)]
    pub missed: BTreeMap<String, String>,
    /// Fixed versions and correct code that are reported, by id.
    #[serde(default)]
    pub reported: BTreeMap<String, String>,
}

impl Misses {
    pub fn parse(file: &Path, text: &str) -> Result<Misses, Failure> {
        let misses: Misses = input::toml(file, text)?;
        for (id, reason) in misses.missed.iter().chain(&misses.reported) {
            if reason.trim().is_empty() {
                return Err(Failure::mistake(file, format!("{id}: the reason is empty")));
            }
        }
        Ok(misses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::shipped;
    use crate::known;

    fn parse(text: &str) -> Result<Misses, Failure> {
        Misses::parse(Path::new("misses.toml"), text)
    }

    #[test]
    fn reasons_are_known_by_id() {
        let misses = parse("[missed]\nA01 = \"a macro\"\n[reported]\nN05 = \"a contract\"\n").unwrap();
        assert_eq!(misses.missed["A01"], "a macro");
        assert_eq!(misses.reported["N05"], "a contract");
        assert!(parse("").unwrap().missed.is_empty());
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let complaint = |text: &str| parse(text).unwrap_err().to_string();
        assert!(complaint("[mised]\nA01 = \"x\"\n").starts_with("misses.toml:1:2: unknown field `mised`"));
        assert!(complaint("[missed]\nA01 = 1\n").starts_with("misses.toml:2:7: "));
        assert!(complaint("[missed]\nA01 = \" \"\n").contains("A01: the reason is empty"));
    }

    #[test]
    fn shipped_reasons_are_about_shipped_items() {
        let read = |name: &str| (shipped(name), input::text(&shipped(name)).unwrap());
        let (file, text) = read("misses.toml");
        let misses = Misses::parse(&file, &text).unwrap();
        let items = known::shipped_items().unwrap();
        for id in misses.missed.keys().chain(misses.reported.keys()) {
            assert!(items.iter().any(|item| item.id == *id), "misses.toml: no item {id}");
        }
    }
}
