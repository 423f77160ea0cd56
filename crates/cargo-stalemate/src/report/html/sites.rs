//! Which characters of a line a finding speaks of, so that they can be underlined.

use super::model::Entry;
use super::syntax::Token;
use finding::Place;
use finding::facts::End;
use std::collections::BTreeMap;

/// The sites on the lines of all files.
#[derive(Debug, Default)]
pub struct Sites<'a> {
    lines: BTreeMap<(&'a str, u32), Vec<Span>>,
}

/// Characters of a line, from one to before another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    from: usize,
    to: usize,
    class: &'static str,
}

const SITE: &str = "site";
const PRIMARY: &str = "point";

impl<'a> Sites<'a> {
    pub fn new(entries: &[Entry<'a>]) -> Sites<'a> {
        let mut sites = Sites::default();
        for entry in entries {
            let finding = &entry.recorded.finding;
            sites.add(&finding.primary, entry.recorded.primary_end, PRIMARY);
            for (step, end) in finding.trace.iter().zip(&entry.recorded.step_ends) {
                sites.add(&step.place, *end, SITE);
            }
        }
        sites
    }

    /// What goes on after its first line is underlined to the end of it.
    fn add(&mut self, place: &'a Place, end: End, class: &'static str) {
        let index = |column: u32| usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
        let from = index(place.column);
        let to = if end.line > place.line { usize::MAX } else { index(end.column).max(from + 1) };
        let spans = self.lines.entry((place.file.as_str(), place.line)).or_default();
        let span = Span { from, to, class };
        if !spans.contains(&span) {
            spans.push(span);
        }
    }

    /// The tokens of a line, cut where a site begins or ends.
    pub fn mark(&self, file: &str, line: u32, tokens: &[Token]) -> Vec<Token> {
        let Some(spans) = self.lines.get(&(file, line)) else { return tokens.to_vec() };
        let mut marked: Vec<Token> = Vec::new();
        let characters = tokens.iter().flat_map(|token| token.text.chars().map(move |c| (token.class, c)));
        for (at, (class, character)) in characters.enumerate() {
            let mark = mark_at(spans, at);
            match marked.last_mut() {
                Some(last) if last.class == class && last.mark == mark => last.text.push(character),
                _ => marked.push(Token { class, mark, text: character.to_string() }),
            }
        }
        marked
    }
}

/// Where both meet, the point of a finding is shown.
fn mark_at(spans: &[Span], at: usize) -> &'static str {
    let mut here = spans.iter().filter(|span| (span.from..span.to).contains(&at));
    let first = here.next().map_or("", |span| span.class);
    if here.any(|span| span.class == PRIMARY) { PRIMARY } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::html::syntax::lines;
    use crate::report::samples::{recorded, step};
    use finding::Thread;

    #[test]
    fn sites_are_cut_out_of_the_line() {
        let mut sample = recorded("a.rs", 1);
        sample.primary_end = End { line: 1, column: 8 };
        sample.finding.trace = vec![step(Thread::A, "a.rs", 1, "reads"), step(Thread::A, "a.rs", 2, "goes on")];
        sample.step_ends = vec![End { line: 1, column: 12 }, End { line: 4, column: 1 }];
        let entry =
            Entry { recorded: &sample, id: String::new(), lock: None, field: String::new(), cause: String::new() };
        let sites = Sites::new(&[entry]);
        let tokens = lines("let é = self.b();\nlet x = y\n");
        let marked = |line: u32| {
            let tokens = sites.mark("a.rs", line, &tokens[line as usize - 1]);
            tokens
                .into_iter()
                .filter(|token| !token.mark.is_empty())
                .map(|token| (token.mark, token.text))
                .collect::<Vec<_>>()
        };
        assert_eq!(marked(1), [(PRIMARY, "é =".into()), (SITE, " ".into()), (SITE, "sel".into())].to_vec());
        assert_eq!(marked(2), [(SITE, "x = y".into())]);
        assert_eq!(sites.mark("b.rs", 1, &tokens[0]), tokens[0]);
    }
}
