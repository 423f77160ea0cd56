//! What a stand-in for somebody's type tells: that it was asked for what nobody knows, and that it was called where a real one might
//! have kept others out. Either ends the process: such a run shows nothing.

use crate::director::Role;
use crate::json::Json;
use crate::watchdog;
use std::cell::Cell;
use std::env;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static ROLE: Cell<Option<Role>> = const { Cell::new(None) };
}

/// By the name of the trait: which of the two have called it in this run.
static CALLED: Mutex<Vec<(&'static str, [bool; 2])>> = Mutex::new(Vec::new());

/// A new run begins.
pub(super) fn begin() {
    CALLED.lock().unwrap_or_else(PoisonError::into_inner).clear();
    GIVEN.set(0);
}

/// From now on this thread is one of the two.
pub(super) fn enter(role: Role) {
    ROLE.set(Some(role));
}

/// A result that nothing is known of.
pub fn unknown<T>(method: &str) -> T {
    refuse(&format!("a stand-in was asked for what `{method}` gives, and no value of that type could be made"))
}

/// Whether what stand-ins give is never the same twice, and not the same for both threads.
const VARIABLE: &str = "STALEMATE_STAND_INS";

/// How far the numbers that A gets are from those that B gets.
const APART: u64 = 50;

thread_local! {
    static GIVEN: Cell<u64> = const { Cell::new(0) };
}

/// What a stand-in gives where a number is wanted: always the same, or never, as the environment wants it. Which numbers a thread
/// gets does not depend on what the other one does.
pub fn number() -> u64 {
    if env::var_os(VARIABLE).is_none() {
        return 1;
    }
    let given = GIVEN.get() + 1;
    GIVEN.set(given);
    given + ROLE.get().map_or(0, |role| (1 + role as u64) * APART)
}

/// The same for a text.
pub fn text() -> String {
    match number() {
        1 => String::from("a"),
        number => format!("a{number}"),
    }
}

/// A call that may have been meant to keep others out.
pub fn gate(of: &'static str) {
    let Some(role) = ROLE.get() else { return };
    let mut called = CALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let at = called.iter().position(|(name, _)| *name == of).unwrap_or_else(|| {
        called.push((of, [false; 2]));
        called.len() - 1
    });
    called[at].1[role as usize] = true;
    if called[at].1 == [true; 2] {
        refuse(&format!("both threads call a stand-in for `{of}`: a real one might keep them apart"));
    }
}

fn refuse(reason: &str) -> ! {
    let verdict = [("status", Json::text("infeasible")), ("reason", Json::text(reason))];
    watchdog::end(watchdog::REFUSED, Json::object(verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_from_outside_all_is_the_same() {
        assert_eq!((number(), number()), (1, 1));
        assert_eq!((text(), text()), ("a".to_owned(), "a".to_owned()));
    }

    #[test]
    fn who_is_neither_of_the_two_is_not_counted() {
        gate("Turn of a test");
        let called = CALLED.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(called.iter().all(|(name, _)| *name != "Turn of a test"));
    }
}
