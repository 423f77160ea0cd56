//! The numbers: of the bugs of each kind, how many are found and how many fixes are silent; of correct code, how much is
//! reported. What could not be checked counts against the tool.

use super::judge::{Judged, is_reported, is_silent};
use super::list::Kind;
use crate::table::{Align, Table, share};

#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    bugs: usize,
    found: usize,
    fixes: usize,
    silent_fixes: usize,
    benign: usize,
    reported: usize,
}

impl Totals {
    fn of<'a>(judged: impl IntoIterator<Item = &'a Judged<'a>>) -> Totals {
        let mut totals = Totals::default();
        judged.into_iter().for_each(|judged| totals.add(judged));
        totals
    }

    fn add(&mut self, judged: &Judged<'_>) {
        if judged.item.is_bug() {
            self.bugs += 1;
            self.found += usize::from(judged.is_found());
            self.fixes += usize::from(judged.fixed.is_some());
            self.silent_fixes += usize::from(judged.fixed.as_ref().is_some_and(is_silent));
        } else {
            self.benign += 1;
            self.reported += usize::from(is_reported(&judged.at));
        }
    }

    fn cells(&self, kind: String) -> Vec<String> {
        let found = share(self.found, self.bugs);
        vec![kind, found, share(self.silent_fixes, self.fixes), share(self.reported, self.benign)]
    }
}

pub fn table(judged: &[Judged<'_>]) -> Table {
    let mut table = Table::new(&[
        ("kind", Align::Left),
        ("found", Align::Left),
        ("fixed silent", Align::Left),
        ("benign above low", Align::Left),
    ]);
    for kind in Kind::ALL {
        let of_kind: Vec<_> = judged.iter().filter(|judged| judged.item.kind == kind).collect();
        if !of_kind.is_empty() {
            table.row(Totals::of(of_kind).cells(kind.to_string()));
        }
    }
    table.row(Totals::of(judged).cells("all".to_owned()));
    table
}

#[cfg(test)]
mod tests {
    use super::super::list::Item;
    use super::*;
    use crate::lab::Subject;
    use crate::samples::{finding, place};
    use finding::Confidence;

    fn item(kind: Kind) -> Item {
        let subject = Subject::new("pool", "1.0.0", "");
        Item {
            id: "X1".to_owned(),
            kind,
            what: String::new(),
            subject,
            fixed: None,
            sites: Vec::new(),
            functions: Vec::new(),
        }
    }

    #[test]
    fn kinds_are_counted_apart_and_together() {
        let (a, d, benign) = (item(Kind::A), item(Kind::D), item(Kind::Benign));
        let finding = finding("stale_value", Confidence::High, "get", place("src/lib.rs", 1));
        let hit = || Some(vec![&finding]);
        let judged = [
            Judged { item: &a, at: hit(), fixed: Some(Some(Vec::new())) },
            Judged { item: &a, at: Some(Vec::new()), fixed: Some(hit()) },
            Judged { item: &a, at: hit(), fixed: None },
            Judged { item: &d, at: None, fixed: Some(None) },
            Judged { item: &benign, at: hit(), fixed: None },
            Judged { item: &benign, at: Some(Vec::new()), fixed: None },
        ];
        let expected = "\
kind    found         fixed silent  benign above low
a       2 of 3 (67%)  1 of 2 (50%)  -
d       0 of 1 (0%)   0 of 1 (0%)   -
benign  -             -             1 of 2 (50%)
all     2 of 4 (50%)  1 of 3 (33%)  1 of 2 (50%)
";
        assert_eq!(table(&judged).to_string(), expected);
    }
}
