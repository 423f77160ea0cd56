//! What people made of the findings, written down where a change of the tool can be compared with it. A verdict belongs to
//! one finding in one version of a crate; fingerprints survive edits, verdicts should not.

use crate::failure::Failure;
use crate::input;
use finding::Finding;
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// What a finding turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It happens, and it is a bug.
    True,
    /// It happens as said, and does no harm.
    Benign,
    /// It does not happen as said.
    False,
    /// Someone looked, and could not tell.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    #[serde(rename = "crate")]
    pub name: String,
    pub version: String,
    #[serde(deserialize_with = "fingerprint")]
    pub fingerprint: String,
    pub lint: String,
    pub function: String,
    pub verdict: Verdict,
    pub worth_fixing: bool,
    #[serde(deserialize_with = "reason")]
    pub why: String,
    /// What would have to be known to decide.
    pub decide: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    #[serde(default)]
    verdict: Vec<Spanned<Row>>,
}

fn fingerprint<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_one = text.len() == 16 && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    if is_one {
        Ok(text)
    } else {
        Err(serde::de::Error::custom(format!("`{text}` is no fingerprint of 16 hex digits")))
    }
}

fn reason<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() { Err(serde::de::Error::custom("a verdict needs a reason")) } else { Ok(text) }
}

pub fn parse(file: &Path, text: &str) -> Result<Vec<Row>, Failure> {
    let rows: Rows = input::toml(file, text)?;
    let mut parsed: Vec<Row> = Vec::new();
    for row in rows.verdict {
        let start = row.span().start;
        let row = row.into_inner();
        if parsed.iter().any(|other| other.key() == row.key()) {
            return Err(input::at(file, text, start, format!("a second verdict for {}", row.fingerprint)));
        }
        parsed.push(row);
    }
    Ok(parsed)
}

impl Row {
    fn key(&self) -> [&str; 4] {
        [&self.name, &self.version, &self.lint, &self.fingerprint]
    }

    pub fn is_about(&self, finding: &Finding) -> bool {
        self.fingerprint == finding.fingerprint && self.lint == finding.lint
    }
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::Benign => "benign",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A table for a finding that has none, to be pasted and filled in. JSON strings are TOML strings.
pub fn blank(name: &str, version: &str, finding: &Finding) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let keys = [
        ("crate", quoted(name)),
        ("version", quoted(version)),
        ("fingerprint", quoted(&finding.fingerprint)),
        ("lint", quoted(&finding.lint)),
        ("function", quoted(&finding.function)),
        ("verdict", quoted("unknown")),
        ("worth_fixing", "false".to_owned()),
        ("why", quoted("")),
    ];
    let lines = keys.map(|(key, value)| format!("{key} = {value}\n"));
    format!("[[verdict]]\n{}", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::list;
    use crate::input::shipped;
    use crate::samples::{finding, place};
    use finding::Confidence;

    const ROW: &str = "[[verdict]]\ncrate = \"redb\"\nversion = \"4.4.0\"\nfingerprint = \"0123456789abcdef\"\n\
        lint = \"stale_value\"\nfunction = \"<a::B as C>::d\"\nverdict = \"true\"\nworth_fixing = true\nwhy = \"seen\"\n";

    fn read(text: &str) -> Result<Vec<Row>, Failure> {
        parse(Path::new("verdicts.toml"), text)
    }

    fn complaint(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_row_is_about_one_finding() {
        let rows = read(ROW).unwrap();
        assert_eq!((rows[0].verdict, rows[0].worth_fixing, &rows[0].decide), (Verdict::True, true, &None));
        let mut finding = finding("stale_value", Confidence::High, "other", place("src/lib.rs", 1));
        assert!(rows[0].is_about(&finding));
        finding.lint = "check_then_act".to_owned();
        assert!(!rows[0].is_about(&finding));
        assert_eq!(read("# nothing yet\n").unwrap(), []);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert!(complaint(&ROW.replace("\"true\"", "\"maybe\"")).starts_with("verdicts.toml:7:11: unknown variant"));
        assert!(complaint(&ROW.replace("worth_fixing", "worthfixing")).starts_with("verdicts.toml:8:1: unknown field"));
        assert!(complaint(&ROW.replace("89ab", "XY")).starts_with("verdicts.toml:4:15: `01234567XYcdef` is no"));
        assert!(complaint(&ROW.replace("seen", "")).starts_with("verdicts.toml:9:7: a verdict needs a reason"));
        assert!(complaint(&ROW.replace("why = \"seen\"\n", "")).contains("missing field `why`"));
        assert!(complaint(&ROW.replace("[[verdict", "[[verdicts").replace("dict]]", "dicts]]")).contains("unknown"));
        assert!(complaint(&format!("{ROW}\n{ROW}")).starts_with("verdicts.toml:11:"));
    }

    #[test]
    fn a_blank_is_complete_but_for_the_reason() {
        let finding = finding("stale_value", Confidence::High, "<a::B as C>::\"d\"", place("src/lib.rs", 1));
        let blank = blank("redb", "4.4.0", &finding);
        assert!(complaint(&blank).contains("a verdict needs a reason"));
        let rows = read(&blank.replace("why = \"\"", "why = \"seen\"")).unwrap();
        assert!(rows[0].is_about(&finding) && rows[0].function == finding.function);
        assert_eq!(rows[0].verdict.word(), "unknown");
    }

    #[test]
    fn shipped_verdicts_are_about_shipped_crates() {
        let read = |name: &str| (shipped(name), input::text(&shipped(name)).unwrap());
        let (file, text) = read("verdicts.toml");
        let rows = parse(&file, &text).unwrap();
        let (file, text) = read("crates.txt");
        let subjects = list::parse(&file, &text).unwrap();
        for row in rows {
            let is_listed = subjects.iter().any(|subject| subject.name == row.name && subject.version == row.version);
            assert!(is_listed, "verdicts.toml: {} {} is not in crates.txt", row.name, row.version);
        }
    }
}
