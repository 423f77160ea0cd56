//! How a run is asked for, and told, between two processes of one program: words on a line.

use super::outcome::{Ended, Outcome};
use super::play::Played;
use crate::director::{Hindrance, Member, Proof, Race, Role, Step, Stop};

/// `0;A gap src/a.rs:1>src/a.rs:2;B end`: how many waits may return too soon, then the steps.
pub(super) fn write_steps(steps: &[Step], spurious: usize) -> String {
    let words = steps.iter().map(|step| {
        let stop = match &step.stop {
            Stop::End => "end".to_owned(),
            Stop::Point(number) => format!("point {number}"),
            Stop::Gap(gap) => format!("gap {gap}"),
            Stop::Acquired(None) => "lock".to_owned(),
            Stop::Acquired(Some(site)) => format!("lock {site}"),
        };
        format!("{:?} {stop}", step.role)
    });
    [spurious.to_string()].into_iter().chain(words).collect::<Vec<_>>().join(";")
}

pub(super) fn read_steps(text: &str) -> Option<(Vec<Step>, usize)> {
    let (spurious, steps) = text.split_once(';')?;
    Some((steps.split(';').map(read_step).collect::<Option<_>>()?, spurious.parse().ok()?))
}

fn read_step(text: &str) -> Option<Step> {
    let (role, stop) = text.split_once(' ')?;
    let role = if role == "A" { Role::A } else { Role::B };
    let stop = match stop.split_once(' ').unwrap_or((stop, "")) {
        ("end", _) => Stop::End,
        ("point", number) => Stop::Point(number.parse().ok()?),
        ("gap", gap) => Stop::Gap(gap.parse().ok()?),
        ("lock", "") => Stop::Acquired(None),
        ("lock", site) => Stop::Acquired(Some(site.parse().ok()?)),
        _ => return None,
    };
    Some(Step { role, stop })
}

pub(super) fn write(played: &Played) -> String {
    let mut words = Words::default();
    let Outcome { a, b, state } = &played.outcome;
    for (way, text) in [a.parts(), b.parts()] {
        words.put(way);
        words.put(text);
    }
    words.put(state);
    played.points.iter().for_each(|points| words.put(points));
    words.put(played.hindrance.map_or("none", hindrance));
    let members = played.deadlock.iter().flat_map(|proof| &proof.members);
    words.list(members.collect::<Vec<_>>(), |words, member| {
        words.put(member.thread);
        words.put(member.waits_for);
        words.put(&member.wait_site);
        words.put(&member.stack);
        words.list(&member.holds, |words, (object, site)| {
            words.put(object);
            words.put(site);
        });
    });
    words.list(&played.pauses, |words, pause| words.put(pause));
    words.list(&played.stacks, |words, stack| words.put(stack));
    words.put(played.yielded);
    words.list(&played.races, |words, race| {
        words.put(&race.first);
        words.put(&race.second);
    });
    words.list(&played.trace, |words, step| words.put(step));
    words.0.join("\t")
}

pub(super) fn read(line: &str) -> Option<Played> {
    let words = &mut line.split('\t').map(unescaped);
    let a = Ended::from_parts(&words.next()?, words.next()?)?;
    let b = Ended::from_parts(&words.next()?, words.next()?)?;
    let outcome = Outcome { a, b, state: words.next()? };
    let points = [number(words)?, number(words)?];
    let hindrance = read_hindrance(&words.next()?);
    let members = list(words, read_member)?;
    let deadlock = (!members.is_empty()).then_some(Proof { members });
    let pauses = list(words, Iterator::next)?;
    let stacks = list(words, Iterator::next)?;
    let yielded = words.next()?.parse().ok()?;
    let races = list(words, |words| Some(Race { first: words.next()?, second: words.next()? }))?;
    let trace = list(words, Iterator::next)?;
    Some(Played { outcome, points, hindrance, deadlock, pauses, stacks, yielded, races, trace })
}

fn read_member(words: &mut impl Iterator<Item = String>) -> Option<Member> {
    let thread = words.next()?.parse().ok()?;
    let waits_for = number(words)?;
    let (wait_site, stack) = (words.next()?, words.next()?);
    let holds = list(words, |words| Some((number(words)?, words.next()?)))?;
    Some(Member { thread, waits_for, wait_site, holds, stack })
}

fn hindrance(hindrance: Hindrance) -> &'static str {
    match hindrance {
        Hindrance::Missed => "missed",
        Hindrance::Blocked => "blocked",
        Hindrance::Stalled => "stalled",
    }
}

fn read_hindrance(word: &str) -> Option<Hindrance> {
    [Hindrance::Missed, Hindrance::Blocked, Hindrance::Stalled].into_iter().find(|it| hindrance(*it) == word)
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn put(&mut self, word: impl ToString) {
        self.0.push(escaped(&word.to_string()));
    }

    fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        put: impl Fn(&mut Words, T),
    ) {
        let items = items.into_iter();
        self.put(items.len());
        items.for_each(|item| put(self, item));
    }
}

fn number(words: &mut impl Iterator<Item = String>) -> Option<usize> {
    words.next()?.parse().ok()
}

fn list<W: Iterator<Item = String>, T>(words: &mut W, read: impl Fn(&mut W) -> Option<T>) -> Option<Vec<T>> {
    let length = number(words)?;
    (0..length).map(|_| read(words)).collect()
}

fn escaped(word: &str) -> String {
    word.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r")
}

fn unescaped(word: &str) -> String {
    let mut text = String::new();
    let mut letters = word.chars();
    while let Some(letter) = letters.next() {
        text.push(match (letter == '\\').then(|| letters.next()).flatten() {
            None => letter,
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(other) => other,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back() {
        let steps = [
            Step { role: Role::A, stop: Stop::Gap("src/a.rs:1:2>src/a.rs:3#2".parse().unwrap()) },
            Step { role: Role::B, stop: Stop::Acquired(Some("src/b.rs:7".parse().unwrap())) },
            Step { role: Role::A, stop: Stop::Acquired(None) },
            Step { role: Role::B, stop: Stop::Point(3) },
            Step { role: Role::A, stop: Stop::End },
        ];
        assert_eq!(read_steps(&write_steps(&steps, 1)), Some((steps.to_vec(), 1)));
        assert_eq!(read_steps("0;A nowhere"), None);
    }

    #[test]
    fn runs_come_back() {
        let member = Member {
            thread: 3,
            waits_for: 16,
            wait_site: "a.rs:1:2".into(),
            holds: vec![(32, "b.rs:3:4".into())],
            stack: "one\ntwo".into(),
        };
        let outcome =
            Outcome { a: Ended::Panicked("a\tb\\n".into()), b: Ended::Stuck(String::new()), state: "x\ny".into() };
        let played = Played {
            points: [1, 2],
            hindrance: Some(Hindrance::Blocked),
            deadlock: Some(Proof { members: vec![member] }),
            pauses: vec!["A at a.rs".into()],
            stacks: vec!["one at a.rs:1:2\ntwo at b.rs:3:4".into()],
            yielded: true,
            races: vec![Race { first: "a".into(), second: "b".into() }],
            trace: vec!["A acquire".into(), "B acquire".into()],
            ..Played::without_report(outcome)
        };
        assert_eq!(read(&write(&played)), Some(played));
        assert_eq!(read("cut short"), None);
    }
}
