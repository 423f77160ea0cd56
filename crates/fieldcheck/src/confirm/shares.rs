//! What became of the findings in real crates: how many have which status.

use super::Records;
use super::asked::shown;
use super::record::Status;
use super::words::{head, row, said};
use crate::lab::{Outcome, Subject};
use crate::table::percent;
use std::collections::BTreeMap;

/// Findings with each status, in the order of [`Status::ALL`].
type Counts = [usize; Status::ALL.len()];

/// One row for each crate, and two for all.
pub fn table(crates: &[Subject], outcomes: &BTreeMap<Subject, Outcome>, records: &Records) -> String {
    let titles = Status::ALL.map(Status::title);
    let names: Vec<_> = ["crate", "findings"].into_iter().chain(titles).collect();
    let mut text = head(&names);
    let mut all = Counts::default();
    for subject in crates {
        match counts(subject, outcomes, records) {
            Ok(counts) => {
                all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                text += &numbers(&subject.title(), counts);
            }
            Err(what) => text += &row(&blanks(&subject.title(), &said(what))),
        }
    }
    text += &numbers("all", all);
    let whole = all.iter().sum();
    let shares = all.map(|count| percent(count, whole));
    text + &row(&["share".to_owned(), String::new()].into_iter().chain(shares).collect::<Vec<_>>())
}

/// Or why there are none, in a few words.
fn counts<'a>(
    subject: &Subject,
    outcomes: &'a BTreeMap<Subject, Outcome>,
    records: &'a Records,
) -> Result<Counts, &'a str> {
    let outcome = outcomes.get(subject);
    if let Some(Err(trouble)) = outcome {
        return Err(&trouble.what);
    }
    let record = match records.get(subject) {
        Some(Err(trouble)) => return Err(&trouble.what),
        Some(Ok(record)) => record,
        None => return Ok(Counts::default()),
    };
    let statuses: Vec<_> =
        shown(outcome).iter().filter_map(|it| Some(record.tried.get(&it.fingerprint)?.status)).collect();
    Ok(Status::ALL.map(|status| statuses.iter().filter(|it| **it == status).count()))
}

fn numbers(title: &str, counts: Counts) -> String {
    let whole: usize = counts.iter().sum();
    let cells = counts.map(|count| count.to_string());
    row(&[title.to_owned(), whole.to_string()].into_iter().chain(cells).collect::<Vec<_>>())
}

fn blanks(title: &str, what: &str) -> Vec<String> {
    let blanks = Status::ALL.map(|_| String::new());
    [title.to_owned(), what.to_owned()].into_iter().chain(blanks).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{Record, Tried};
    use super::*;
    use crate::lab::Trouble;
    use crate::samples::{document, finding, place};
    use finding::{Confidence, Finding};

    #[test]
    fn crates_are_counted_apart_and_together() {
        let subjects = ["pool", "queue", "quiet", "broken"].map(|name| Subject::new(name, "1.0.0", ""));
        let found = |fingerprint: &str, confidence| Finding {
            fingerprint: fingerprint.to_owned(),
            ..finding("stale_value", confidence, "get", place("src/lib.rs", 1))
        };
        let medium = |names: &[&str]| document(1, names.iter().map(|name| found(name, Confidence::Medium)).collect());
        let mut of_pool = medium(&["a", "b"]);
        of_pool.findings.push(found("low", Confidence::Low));
        let outcomes =
            [Ok(of_pool), Ok(medium(&["c", "d"])), Ok(medium(&[])), Err(Trouble::new("does not compile", ""))];
        let outcomes = subjects.iter().cloned().zip(outcomes).collect();
        let record = |all: &[(&str, Status)]| {
            let tried = |status: &Status| Tried { status: *status, said: String::new(), seconds: None };
            Ok(Record { tried: all.iter().map(|(name, it)| (name.to_string(), tried(it))).collect(), again: None })
        };
        let of_pool = record(&[("a", Status::Confirmed), ("b", Status::Infeasible), ("low", Status::Confirmed)]);
        let of_queue = record(&[("c", Status::Infeasible), ("d", Status::NotFinished)]);
        let records = [(subjects[0].clone(), of_pool), (subjects[1].clone(), of_queue)].into();
        let expected = "\
| crate | findings | confirmed | not-reproduced | infeasible | needs-fixture | cannot-build | not finished |
|---|---|---|---|---|---|---|---|
| pool 1.0.0 | 2 | 1 | 0 | 1 | 0 | 0 | 0 |
| queue 1.0.0 | 2 | 0 | 0 | 1 | 0 | 0 | 1 |
| quiet 1.0.0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
| broken 1.0.0 | does not compile |  |  |  |  |  |  |
| all | 4 | 1 | 0 | 2 | 0 | 0 | 1 |
| share |  | 25% | 0% | 50% | 0% | 0% | 25% |
";
        assert_eq!(table(&subjects, &outcomes, &records), expected);
    }
}
