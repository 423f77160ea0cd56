//! What findings have in common: the lock, the field, the root cause. A finding names things as its function calls them
//! (`self.state`); here they get the names under which all functions know them (`Pool.state`).

use finding::map::LockMap;
use finding::{Finding, Place, Step, StepKind, Thread};
use std::collections::BTreeMap;

/// From the name of a lock in one function to its name for all threads.
#[derive(Debug, Default)]
pub struct LockNames<'a> {
    known: BTreeMap<(&'a str, &'a str, &'a str), &'a str>,
}

impl<'a> LockNames<'a> {
    pub fn new(map: &'a LockMap) -> LockNames<'a> {
        let known = map.sections.iter().map(|section| {
            let here = (section.package.as_str(), section.function.as_str(), section.name.as_str());
            (here, section.lock.as_str())
        });
        LockNames { known: known.collect() }
    }

    pub fn for_all(&self, finding: &Finding, name: &str) -> String {
        let here = (finding.package.as_str(), finding.function.as_str(), name);
        self.known.get(&here).map_or_else(|| qualified(&finding.function, name), |lock| lock.to_string())
    }

    /// The lock that the finding is about.
    pub fn lock(&self, finding: &Finding) -> Option<String> {
        finding.lock.as_ref().map(|lock| self.for_all(finding, &lock.path))
    }

    /// What the message is about: the first thing it names, or else the lock.
    pub fn field(&self, finding: &Finding) -> String {
        let lock = self.lock(finding);
        match (quoted(&finding.message), lock) {
            // The name of something inside is short, and not the only one of its kind.
            (Some(name), Some(lock)) if is_plain(name) => format!("`{name}` under `{lock}`"),
            (Some(name), _) => format!("`{}`", self.for_all(finding, name)),
            (None, Some(lock)) => format!("`{lock}`"),
            (None, None) => function(finding),
        }
    }

    /// What one repair would mend. Findings that fear the same write of another function fall together: if that write
    /// took the lock for as long as the others do, all of them would go. Otherwise it is the function that lets the lock
    /// go too early.
    pub fn cause(&self, finding: &Finding) -> String {
        let lock = self.lock(finding).map(|lock| format!("`{lock}`"));
        match (interferer(finding), lock) {
            (Some(step), Some(lock)) => format!("{lock} meanwhile, at {}", at(&step.place)),
            (Some(step), None) => format!("meanwhile, at {}", at(&step.place)),
            (None, Some(lock)) => format!("{lock} in {}", function(finding)),
            (None, None) => function(finding),
        }
    }
}

/// What another function does in the gap. The same function run twice is no other cause.
fn interferer(finding: &Finding) -> Option<&Step> {
    let own = |place: &Place| finding.trace.iter().any(|step| step.thread == Thread::A && step.place == *place);
    let mut theirs = finding.trace.iter().filter(|step| step.thread == Thread::B && !own(&step.place));
    let first = theirs.clone().next();
    theirs.find(|step| step.step == StepKind::Write).or(first).filter(|step| step.place != finding.primary)
}

fn at(place: &Place) -> String {
    format!("{}:{}", super::places::shown(&place.file), place.line)
}

fn function(finding: &Finding) -> String {
    format!("`{}`", finding.function)
}

/// The first name between backticks.
pub fn quoted(text: &str) -> Option<&str> {
    let mut parts = text.split('`');
    parts.nth(1).filter(|name| !name.is_empty() && parts.next().is_some())
}

/// `self.state` in `pool::Pool::get` is `Pool.state`, as in the map of locks; a static stays; a variable belongs to its function.
fn qualified(function: &str, name: &str) -> String {
    let field = name.strip_prefix("self.").zip(owner(function));
    match field {
        Some((field, owner)) => format!("{owner}.{field}"),
        None if is_static(name) => name.to_owned(),
        None => format!("{function}: {name}"),
    }
}

fn is_plain(name: &str) -> bool {
    !name.starts_with("self.") && !is_static(name)
}

fn is_static(name: &str) -> bool {
    name.rsplit("::").next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The type of a method, also of one in a closure or an implementation of a trait, without its modules and parameters.
fn owner(function: &str) -> Option<&str> {
    let method = function.find("::{").map_or(function, |closure| &function[..closure]);
    let (above, _) = method.rsplit_once("::")?;
    let of_trait = above.strip_prefix('<').and_then(|above| above.split_once(" as "));
    let owner = of_trait.map_or(above, |(owner, _)| owner);
    let owner = owner.split(['<', '>']).next().unwrap_or(owner).trim_end_matches("::");
    owner.rsplit("::").next().filter(|owner| !owner.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{place, recorded, step};
    use finding::Lock;
    use finding::facts::End;
    use finding::map::Section;

    fn sample() -> Finding {
        let mut finding = recorded("src/a.rs", 5).finding;
        finding.lock = Some(Lock { path: "self.state".into(), type_name: "Mutex".into() });
        finding.message = "this write may undo what another thread did to `self.balance`".into();
        finding
    }

    fn map() -> LockMap {
        let section = Section {
            place: place("src/a.rs", 4),
            end: End { line: 6, column: 1 },
            lock: "Account.inner.state".into(),
            name: "self.state".into(),
            shared: false,
            package: "bank".into(),
            function: "Account::deposit".into(),
        };
        LockMap { sections: vec![section], orders: vec![] }
    }

    #[test]
    fn names_are_those_that_all_functions_know() {
        let map = map();
        assert_eq!(LockNames::new(&map).lock(&sample()).unwrap(), "Account.inner.state");
        assert_eq!(LockNames::default().lock(&sample()).unwrap(), "Account.state");
        assert_eq!(LockNames::default().field(&sample()), "`Account.balance`");
    }

    #[test]
    fn a_message_without_a_name_is_about_the_lock_or_the_function() {
        let mut finding = sample();
        finding.message = "this function is declared atomic".into();
        assert_eq!(LockNames::default().field(&finding), "`Account.state`");
        finding.lock = None;
        assert_eq!(LockNames::default().field(&finding), "`Account::deposit`");
        finding.message = "`balance` may have changed".into();
        assert_eq!(LockNames::default().field(&finding), "`Account::deposit: balance`");
        assert_eq!(
            LockNames::default().field(&Finding { lock: sample().lock, ..finding }),
            "`balance` under `Account.state`"
        );
    }

    #[test]
    fn owners_are_types() {
        assert_eq!(owner("<pool::Pool as Drop>::drop"), Some("Pool"));
        assert_eq!(owner("pool::Pool::get::{closure#0}::{closure#1}"), Some("Pool"));
        assert_eq!(owner("pool::Pool::<T>::get"), Some("Pool"));
        assert_eq!(owner("main"), None);
        assert_eq!(qualified("main", "ORDER"), "ORDER");
        assert_eq!(qualified("main", "queue"), "main: queue");
    }

    #[test]
    fn causes_are_writes_elsewhere_or_the_function_itself() {
        let mut finding = sample();
        finding.trace = vec![step(Thread::A, "src/a.rs", 3, "reads"), step(Thread::B, "src/b.rs", 9, "writes")];
        assert_eq!(LockNames::default().cause(&finding), "`Account.state` meanwhile, at src/b.rs:9");
        // The same function run twice.
        finding.trace[1] = step(Thread::B, "src/a.rs", 5, "writes");
        assert_eq!(LockNames::default().cause(&finding), "`Account.state` in `Account::deposit`");
    }

    #[test]
    fn half_a_quotation_names_nothing() {
        assert_eq!((quoted("a `b` c"), quoted("a `b"), quoted("none"), quoted("``")), (Some("b"), None, None, None));
    }
}
