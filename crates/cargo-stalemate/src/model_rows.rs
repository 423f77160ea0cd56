//! Rows of models in the user's settings: locks, guards and calls of libraries that the tool does not know.

use crate::config::{Mistake, type_name};
use finding::models::{Holds, ROWS, Rows, needed};
use serde_json::Value;
use std::collections::BTreeMap;

/// What goes to the driver: the rows of each kind, as they stand there.
pub type ModelRows = BTreeMap<String, Vec<Value>>;

/// All rows below `models`, or every mistake in them.
pub fn read(prefix: &str, value: &Value) -> Result<ModelRows, Vec<Mistake>> {
    let mut rows = ModelRows::new();
    let mut mistakes = Vec::new();
    let Some(table) = value.as_object() else {
        return Err(vec![wrong_type(prefix.to_owned(), value, "a table")]);
    };
    for (name, value) in table {
        let key = format!("{prefix}.{name}");
        let Some(kind) = ROWS.iter().find(|kind| kind.name == name) else {
            mistakes.push(Mistake::UnknownChoice {
                key,
                name: name.clone(),
                allowed: ROWS.iter().map(|kind| kind.name).collect(),
            });
            continue;
        };
        let Some(list) = value.as_array() else {
            mistakes.push(wrong_type(key, value, "an array of tables"));
            continue;
        };
        for (number, row) in list.iter().enumerate() {
            check_row(&format!("{key}[{number}]"), kind, row, &mut mistakes);
        }
        rows.insert(name.clone(), list.clone());
    }
    if mistakes.is_empty() { Ok(rows) } else { Err(mistakes) }
}

fn check_row(prefix: &str, kind: &Rows, row: &Value, mistakes: &mut Vec<Mistake>) {
    let Some(row) = row.as_object() else {
        return mistakes.push(wrong_type(prefix.to_owned(), row, "a table"));
    };
    for (name, value) in row {
        let key = format!("{prefix}.{name}");
        match kind.keys.iter().find(|(known, _)| known == name) {
            Some((_, holds)) => mistakes.extend(check_value(key, value, *holds)),
            None => {
                let allowed = kind.keys.iter().map(|(known, _)| *known).collect();
                mistakes.push(Mistake::UnknownChoice { key, name: name.clone(), allowed });
            }
        }
    }
    let meaning = row.get("means").and_then(Value::as_str).unwrap_or_default();
    for &name in kind.needed.iter().chain(needed(meaning)) {
        if !row.contains_key(name) {
            mistakes.push(Mistake::Missing { key: prefix.to_owned(), name });
        }
    }
}

fn check_value(key: String, value: &Value, holds: Holds) -> Option<Mistake> {
    match (holds, value) {
        (Holds::Text, Value::String(_)) | (Holds::Switch, Value::Bool(_)) => None,
        (Holds::Argument, Value::Number(number)) if number.is_u64() => None,
        (Holds::OneOf(allowed), Value::String(word)) => {
            let word = word.clone();
            (!allowed.contains(&word.as_str())).then_some(Mistake::UnknownValue { key, value: word, allowed })
        }
        (Holds::Text | Holds::OneOf(_), _) => Some(wrong_type(key, value, "a string")),
        (Holds::Switch, _) => Some(wrong_type(key, value, "`true` or `false`")),
        (Holds::Argument, _) => Some(wrong_type(key, value, "the number of an argument, counted from 0")),
    }
}

fn wrong_type(key: String, value: &Value, expected: &'static str) -> Mistake {
    Mistake::WrongType { key, found: type_name(value), expected }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn good_rows_are_passed_on_as_they_are() {
        let rows = json!({
            "lock": [{ "type": "my::Lock" }],
            "guard": [{ "type": "my::Guard" }],
            "call": [{ "fn": "my::Lock::take", "means": "acquire", "mode": "exclusive" }],
        });
        let read = read("m", &rows).unwrap();
        assert_eq!(read["call"], rows["call"].as_array().unwrap()[..]);
        assert_eq!(read.len(), 3);
    }

    #[test]
    fn every_mistake_is_told_with_its_place() {
        let call =
            json!([{ "fn": 1, "means": "aquire", "modus": "shared" }, { "fn": "f", "means": "put", "value": -1 }, 3]);
        let mistakes = read("m", &json!({ "call": call, "locks": [], "guard": {} })).unwrap_err();
        let keys: Vec<String> = mistakes.iter().map(Mistake::key).collect();
        assert_eq!(
            keys,
            [
                "m.call[0].fn",
                "m.call[0].means",
                "m.call[0].modus",
                "m.call[1].value",
                "m.call[2]",
                "m.guard",
                "m.locks"
            ]
        );
    }

    #[test]
    fn what_a_meaning_needs_must_be_there() {
        let rows = json!({ "call": [{ "fn": "f", "means": "acquire" }, { "means": "alias" }], "lock": [{}] });
        let missing = read("m", &rows).unwrap_err();
        let missing: Vec<_> = missing
            .iter()
            .map(|mistake| match mistake {
                Mistake::Missing { key, name } => (key.as_str(), *name),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(missing, [("m.call[0]", "mode"), ("m.call[1]", "fn"), ("m.lock[0]", "type")]);
    }
}
