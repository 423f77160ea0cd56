//! What became of the known bugs, for the page: by kind, and one by one.

use super::field::Field;
use crate::known::{Item, Kind};
use crate::state::{Answer, Said, State};
use crate::table::{Align, Table, share};
use crate::words::confidence;

/// Of some versions those that should be reported, or silent, and are. What was not checked is told apart.
#[derive(Default)]
struct Share {
    as_wished: usize,
    checked: usize,
    unchecked: usize,
}

impl Share {
    fn add(&mut self, said: Option<&Said>, is_as_wished: fn(&Said) -> bool) {
        match said {
            None | Some(Said::NotChecked) => self.unchecked += 1,
            Some(said) => {
                self.checked += 1;
                self.as_wished += usize::from(is_as_wished(said));
            }
        }
    }

    fn cell(&self) -> String {
        let share = share(self.as_wished, self.checked);
        if self.unchecked == 0 { share } else { format!("{share}, {} not checked", self.unchecked) }
    }
}

/// Items with what is written down about them.
#[derive(Default)]
struct Recall {
    found: Share,
    silent: Share,
}

impl Recall {
    fn of<'a>(items: impl IntoIterator<Item = &'a Item>, state: &State) -> Recall {
        let mut recall = Recall::default();
        for item in items {
            let answer = state.bugs.get(&item.id);
            recall.found.add(answer.map(|answer| &answer.at), Said::is_shown);
            if item.fixed.is_some() {
                recall.silent.add(answer.and_then(|answer| answer.fixed.as_ref()), Said::is_silent);
            }
        }
        recall
    }
}

pub fn kinds(field: &Field, state: &State) -> Table {
    let columns = ["kind", "what", "tried on: found", "others: found", "all: found", "fixed versions silent"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Left)));
    let (tried_on, others) = field.items.split_at(field.tried_on.min(field.items.len()));
    let mut row = |name: String, what: &str, is_of: &dyn Fn(&Item) -> bool| {
        let of = |items: &[Item]| Recall::of(items.iter().filter(|item| item.is_bug() && is_of(item)), state);
        let (first, second, all) = (of(tried_on), of(others), of(&field.items));
        let found = [first, second].map(|recall| recall.found.cell());
        let mut cells = vec![name, what.to_owned()];
        cells.extend(found);
        cells.extend([all.found.cell(), all.silent.cell()]);
        table.row(cells);
    };
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Benign) {
        row(kind.to_string(), kind.title(), &|item| item.kind == kind);
    }
    row("all".to_owned(), "", &|_| true);
    table
}

/// How much of the correct code is reported.
pub fn benign(field: &Field, state: &State) -> String {
    let mut reported = Share::default();
    for item in field.items.iter().filter(|item| !item.is_bug()) {
        reported.add(state.bugs.get(&item.id).map(|answer| &answer.at), Said::is_shown);
    }
    format!("Correct code that looks like one of these and is reported: {}.\n", reported.cell())
}

/// One row for each bug, in the order of the lists.
pub fn bugs(field: &Field, state: &State) -> Table {
    let columns = ["bug", "crate", "what it is", "reported as", "fixed version"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Left)));
    for item in field.items.iter().filter(|item| item.is_bug()) {
        let answer = state.bugs.get(&item.id);
        let reason = field.misses.missed.get(&item.id).map(String::as_str);
        table.row(vec![
            item.id.clone(),
            item.subject.title(),
            item.what.clone(),
            answer.map_or("not checked".to_owned(), |answer| at(answer, reason)),
            fixed(item, answer),
        ]);
    }
    table
}

fn at(answer: &Answer, reason: Option<&str>) -> String {
    let because = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    match &answer.at {
        Said::NotChecked => "not checked".to_owned(),
        Said::Silent => format!("missed{because}"),
        said if said.is_silent() => format!("missed ({}){because}", named(said)),
        said => named(said),
    }
}

fn fixed(item: &Item, answer: Option<&Answer>) -> String {
    let said = answer.and_then(|answer| answer.fixed.as_ref()).unwrap_or(&Said::NotChecked);
    let version = item.fixed.as_ref().map(|fixed| fixed.version.as_str());
    match (version, said) {
        (None, _) => "none in the list".to_owned(),
        (Some(version), Said::NotChecked) => format!("{version}: not checked"),
        (Some(version), said) if said.is_silent() => format!("{version}: silent"),
        (Some(version), said) => format!("{version}: {}", named(said)),
    }
}

fn named(said: &Said) -> String {
    match said {
        Said::Reported { lint, confidence: sure } => format!("`{lint}`, {}", confidence(*sure)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::Misses;
    use crate::lab::Subject;
    use std::path::Path;

    fn item(id: &str, kind: Kind, fixed: Option<&str>) -> Item {
        Item {
            id: id.to_owned(),
            kind,
            what: "a test | a set".to_owned(),
            subject: Subject::new("pool", "1.0.0", ""),
            fixed: fixed.map(|version| Subject::new("pool", version, "")),
            sites: Vec::new(),
            functions: Vec::new(),
        }
    }

    fn field() -> Field {
        let fixed = Some("1.0.1");
        let items = vec![
            item("A1", Kind::A, fixed),
            item("A2", Kind::A, fixed),
            item("N1", Kind::Benign, None),
            item("A3", Kind::A, None),
            item("D1", Kind::D, fixed),
        ];
        let missed = [("A2".to_owned(), "a macro".to_owned()), ("A1".to_owned(), "old".to_owned())].into();
        Field { items, tried_on: 3, misses: Misses { missed, ..Misses::default() }, ..Field::default() }
    }

    fn state() -> State {
        let text = "bug A1 stale_value:high silent\nbug A2 stale_value:low stale_value:medium\nbug A3 silent\n\
                    bug N1 lock_order:medium\n";
        State::parse(Path::new("state.txt"), text).unwrap()
    }

    #[test]
    fn lists_are_counted_apart_and_together() {
        let rows = kinds(&field(), &state()).markdown();
        let rows: Vec<_> = rows.lines().skip(2).collect();
        assert!(rows[0].ends_with("| 1 of 2 (50%) | 0 of 1 (0%) | 1 of 3 (33%) | 1 of 2 (50%) |"), "{}", rows[0]);
        let unchecked = "-, 1 not checked";
        assert!(rows[3].ends_with(&format!("| - | {unchecked} | {unchecked} | {unchecked} |")), "{}", rows[3]);
        let all = "| all |  | 1 of 2 (50%) | 0 of 1 (0%), 1 not checked | 1 of 3 (33%), 1 not checked | 1 of 2 (50%), 1 not checked |";
        assert_eq!(rows[5], all);
        assert_eq!(
            benign(&field(), &state()),
            "Correct code that looks like one of these and is reported: 1 of 1 (100%).\n"
        );
    }

    #[test]
    fn each_bug_is_a_row_with_its_reason() {
        let rows = bugs(&field(), &state()).markdown();
        let expected = "\
| A1 | pool 1.0.0 | a test \\| a set | `stale_value`, high | 1.0.1: silent |
| A2 | pool 1.0.0 | a test \\| a set | missed (`stale_value`, low): a macro | 1.0.1: `stale_value`, medium |
| A3 | pool 1.0.0 | a test \\| a set | missed | none in the list |
| D1 | pool 1.0.0 | a test \\| a set | not checked | 1.0.1: not checked |
";
        assert_eq!(rows.lines().skip(2).map(|line| format!("{line}\n")).collect::<String>(), expected);
    }
}
