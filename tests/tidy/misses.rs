//! The section of docs/limits.md about known bugs of published crates that are not found: which ones that are says the
//! state of the field, why says `misses.toml`.

use crate::source::File;
use serde_json::Value;
use std::collections::BTreeMap;

const FOLDER: &str = "crates/fieldcheck";
const LISTS: [&str; 2] = ["known/known-bugs.json", "known/more-bugs.json"];

const HEAD: &str = "
## Known bugs that are missed

Bugs that maintainers have fixed, with the version that has them; [field.md](field.md) has those that are found as well.

";

const UNKNOWN: &str = "nobody has looked into it yet";

pub fn section(files: &[File], problems: &mut Vec<String>) -> String {
    let text = |name: &str| {
        let path = format!("{FOLDER}/{name}");
        files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str())
    };
    let items: Vec<Value> = LISTS.iter().flat_map(|list| items(text(list))).collect();
    let reasons = reasons(text("misses.toml")).unwrap_or_else(|why| {
        problems.push(format!("{FOLDER}/misses.toml:1: {why}"));
        BTreeMap::new()
    });
    let bullets: Vec<_> = missed(text("state.txt"))
        .filter_map(|id| {
            let reason = reasons.get(id).map_or(UNKNOWN, |reason| reason.trim().trim_end_matches('.'));
            Some(format!("- {id}, {}: {reason}\n", title(&items, id)?))
        })
        .collect();
    HEAD.to_owned() + &if bullets.is_empty() { "None.\n".to_owned() } else { bullets.concat() }
}

/// The ids of lines such as `bug A51 silent silent`; one with a finding of low confidence is missed, too.
fn missed(state: &str) -> impl Iterator<Item = &str> {
    let bugs = state.lines().filter_map(|line| line.strip_prefix("bug "));
    let words = bugs.filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    words.filter(|(_, said)| *said == "silent" || said.ends_with(":low")).map(|(id, _)| id)
}

fn reasons(misses: &str) -> Result<BTreeMap<String, String>, String> {
    let table: toml::Table = toml::from_str(misses).map_err(|error| error.message().to_owned())?;
    let missed = table.get("missed").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    Ok(missed.into_iter().filter_map(|(id, reason)| Some((id, reason.as_str()?.to_owned()))).collect())
}

fn items(list: &str) -> Vec<Value> {
    serde_json::from_str(list).unwrap_or_default()
}

/// Crate and version of a bug, and what it is. Correct code is none.
fn title(items: &[Value], id: &str) -> Option<String> {
    let item = items.iter().find(|item| item["id"] == id && item["kind"] != "benign")?;
    let word = |key: &str| item[key].as_str().unwrap_or_default();
    Some(format!("{} {} ({})", word("crate"), word("buggy"), word("subkind")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(misses: &str) -> (String, Vec<String>) {
        let bug = |id: &str, kind: &str| {
            format!(r#"{{"id": "{id}", "kind": "{kind}", "crate": "pool", "buggy": "1.0.0", "subkind": "a set"}}"#)
        };
        let list = format!("[{}]", [bug("A1", "a"), bug("A2", "a"), bug("A3", "a"), bug("N1", "benign")].join(","));
        let state =
            "# bug A0 silent\nbug A1 stale_value:low silent\nbug A2 silent\nbug A3 stale_value:high\nbug N1 silent\n";
        let file = |name: &str, text: &str| File::new(&format!("{FOLDER}/{name}"), text);
        let mut problems = Vec::new();
        let files = [file(LISTS[1], &list), file("state.txt", state), file("misses.toml", misses)];
        (section(&files, &mut problems), problems)
    }

    #[test]
    fn misses_have_their_reasons() {
        let (section, problems) = written("[missed]\nA1 = \"the closure is not followed.\"\nA3 = \"old\"\n");
        let bullets = section.strip_prefix(HEAD).unwrap();
        assert_eq!(
            bullets,
            format!("- A1, pool 1.0.0 (a set): the closure is not followed\n- A2, pool 1.0.0 (a set): {UNKNOWN}\n")
        );
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn reasons_that_cannot_be_read_are_a_problem() {
        assert_eq!(written("[missed\n").1.len(), 1);
    }
}
