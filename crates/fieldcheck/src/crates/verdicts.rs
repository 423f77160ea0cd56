//! What people made of the findings, written down where a change of the tool can be compared with it.
//!
//! A verdict belongs to a finding of a crate, whatever the version and the line: the fingerprint says that it is the same
//! one. The version in which it was read goes first, where several were read. There is one exception: in a fixed version,
//! where the bug was, only a reading of that version counts.
//!
//! A verdict stays when its finding is gone: what a change of the tool takes away another may bring back, and a reading
//! costs more than its lines. It goes with the crate, when that stands in no list any more.

use crate::failure::Failure;
use crate::input;
use crate::words::place;
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
    /// In which it was read.
    pub version: String,
    #[serde(deserialize_with = "fingerprint")]
    pub fingerprint: String,
    pub lint: String,
    pub function: String,
    /// Where it was when it was read.
    pub place: Option<String>,
    pub verdict: Verdict,
    /// Whether a maintainer would want to change the code, if somebody asked that.
    pub worth_fixing: Option<bool>,
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

    fn is_about(&self, finding: &Of<'_>) -> bool {
        [&self.name, &self.lint, &self.fingerprint] == [finding.name, finding.lint, finding.fingerprint]
    }
}

/// What a verdict is looked for by.
#[derive(Clone, Copy, Debug)]
pub struct Of<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub lint: &'a str,
    pub fingerprint: &'a str,
    /// Whether a reading of another version will do.
    pub any_version: bool,
}

/// The verdict about a finding: of the same version, or else the last one that was written.
pub fn find<'a>(rows: &'a [Row], finding: Of<'_>) -> Option<&'a Row> {
    let about = || rows.iter().filter(|row| row.is_about(&finding));
    let exact = about().find(|row| row.version == finding.version);
    exact.or_else(|| about().next_back().filter(|_| finding.any_version))
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
        ("place", quoted(&place(finding))),
        ("verdict", quoted("unknown")),
        ("why", quoted("")),
    ];
    let lines = keys.map(|(key, value)| format!("{key} = {value}\n"));
    format!("[[verdict]]\n{}", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::shipped;
    use crate::known;
    use crate::samples;
    use finding::Confidence;

    const ROW: &str = "[[verdict]]\ncrate = \"redb\"\nversion = \"4.4.0\"\nfingerprint = \"0123456789abcdef\"\n\
        lint = \"stale_value\"\nfunction = \"<a::B as C>::d\"\nverdict = \"true\"\nworth_fixing = true\nwhy = \"seen\"\n";

    fn read(text: &str) -> Result<Vec<Row>, Failure> {
        parse(Path::new("verdicts.toml"), text)
    }

    fn complaint(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    fn of<'a>(version: &'a str, lint: &'a str) -> Of<'a> {
        Of { name: "redb", version, lint, fingerprint: "0123456789abcdef", any_version: true }
    }

    #[test]
    fn a_row_is_about_one_finding() {
        let rows = read(ROW).unwrap();
        assert_eq!((rows[0].verdict, rows[0].worth_fixing, &rows[0].decide), (Verdict::True, Some(true), &None));
        let known = of("4.4.0", "stale_value");
        assert_eq!(find(&rows, known), Some(&rows[0]));
        for other in [Of { name: "sled", ..known }, of("4.4.0", "check_then_act"), Of { fingerprint: "01", ..known }] {
            assert_eq!(find(&rows, other), None, "{other:?}");
        }
        assert_eq!(read("# nothing yet\n").unwrap(), []);
    }

    #[test]
    fn a_verdict_survives_a_change_of_version() {
        let later = ROW.replace("4.4.0", "4.5.0").replace("seen", "seen again");
        let rows = read(&format!("{ROW}{later}")).unwrap();
        let why = |version, any_version| {
            find(&rows, Of { any_version, ..of(version, "stale_value") }).map(|row| row.why.as_str())
        };
        assert_eq!([why("4.4.0", true), why("4.5.0", false)], [Some("seen"), Some("seen again")]);
        assert_eq!([why("4.6.0", true), why("4.6.0", false)], [Some("seen again"), None]);
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
        let place = samples::place("src/lib.rs", 1);
        let finding = samples::finding("stale_value", Confidence::High, "<a::B as C>::\"d\"", place);
        let blank = blank("redb", "4.4.0", &finding);
        assert!(complaint(&blank).contains("a verdict needs a reason"));
        let rows = read(&blank.replace("why = \"\"", "why = \"seen\"")).unwrap();
        assert!(find(&rows, of("4.4.0", "stale_value")).is_some() && rows[0].function == finding.function);
        assert_eq!((rows[0].verdict.word(), rows[0].place.as_deref()), ("unknown", Some("src/lib.rs:1")));
    }

    #[test]
    fn shipped_verdicts_are_about_shipped_crates() {
        let file = shipped("verdicts.toml");
        let rows = parse(&file, &input::text(&file).unwrap()).unwrap();
        let listed: Vec<_> = crate::crates::subjects(&crate::crates::shipped_list()).unwrap();
        let items = known::shipped_items().unwrap();
        let names: Vec<_> =
            listed.iter().chain(items.iter().flat_map(known::Item::subjects)).map(|it| &it.name).collect();
        for row in &rows {
            assert!(names.contains(&&row.name), "verdicts.toml: {} stands in no list", row.name);
        }
    }
}
