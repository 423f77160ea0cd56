//! The lints as rules: what each of them reports, in one sentence.

use super::model::{Configuration, Rule, Text};
use finding::lints::NAMES;

/// Every lint with its sentence, in the order of [`NAMES`].
const RULES: &[(&str, &str)] = &[
    ("stale_value", "A value from one critical section decides what a later section of the same lock changes."),
    (
        "check_then_act",
        "A branch on what one critical section saw leads to a change in a later one that does not look again.",
    ),
    ("stale_after_wait", "A value read before a wait on a condition variable is used after it."),
    ("wait_without_recheck", "A wait whose condition is not tested again, or was read before the lock was taken."),
    ("split_atomic", "A load and a store of one atomic where one operation is meant."),
    ("not_atomic", "A function that is declared atomic, but that other threads can come into."),
    ("inconsistent_guard", "State that is used under one lock nearly everywhere, and here without it."),
    ("racy_access", "Two threads can use the same state at once, one of them writing."),
    ("double_lock", "A lock is taken while this very thread holds it."),
    ("lock_order", "Two locks are taken in both orders, or more in a circle."),
    ("wait_holding_lock", "A wait with a lock held that everyone who would notify it needs first."),
    ("lost_wakeup", "What a wait tests is changed, and notified, without the mutex that it is tested under."),
    ("guard_across_await", "A guard of a blocking lock is alive at an `.await`."),
    ("stale_use", "A local that was set in a critical section is read after a later section was entered."),
];

/// Silent unless someone asks for them.
const OFF: &[&str] = &["stale_use"];

/// All of them, whatever was found: an index then means the same in every run.
pub fn all() -> Vec<Rule> {
    RULES.iter().map(|(id, text)| rule(id, text)).collect()
}

fn rule(id: &'static str, text: &'static str) -> Rule {
    let default_configuration = Configuration { enabled: !OFF.contains(&id), level: "warning" };
    let text = Text { text };
    // The same three times: code scanning of GitHub shows one or the other, and asks for all.
    Rule { id, short_description: text, full_description: text, help: text, default_configuration }
}

pub fn index(lint: &str) -> Option<usize> {
    NAMES.iter().position(|name| *name == lint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lint_has_its_sentence() {
        let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, NAMES);
        assert!(RULES.iter().all(|(_, text)| text.ends_with('.') && !text.contains(". ")));
    }

    #[test]
    fn indices_lead_to_the_rules() {
        for rule in all() {
            assert_eq!(all()[index(rule.id).unwrap()].id, rule.id);
        }
        assert_eq!(index("no_lint"), None);
    }
}
