//! What is guessed, and why it is not so.

use super::in_function;
use crate::summary::Refuted;
use finding::Place;
use finding::guards::GuessKind;

/// What shows that a guess is wrong.
pub(in crate::emit) fn refuted(kind: GuessKind, by: Refuted, function: Option<&str>, at: Option<&Place>) -> String {
    let at = at.map(|at| format!(" at {}:{}", at.file, at.line)).unwrap_or_default();
    let within = in_function(function);
    match by {
        Refuted::Promised(_) => format!("threads may share it, as is said{at}"),
        Refuted::Used { write, .. } => {
            let used = if write { "written" } else { "read" };
            let how = match kind {
                GuessKind::GuardedBy => " without it",
                GuessKind::MainThread => ", which other threads run",
                GuessKind::ThreadLocal | GuessKind::ReadOnly | GuessKind::Requires => "",
            };
            format!("{used}{at}{how}{within}")
        }
        Refuted::Called { .. } => format!("called{at} without it{within}"),
        Refuted::CalledByAnyone => "whoever can name it can call it".to_owned(),
        Refuted::Begins(_) => format!("a thread begins with it{at}"),
    }
}

/// A guess that holds, or does not.
pub(in crate::emit) fn guess(kind: GuessKind, lock: &str, why_not: Option<&str>) -> String {
    let said = match (kind, why_not.is_none()) {
        (GuessKind::ThreadLocal, true) => "only one thread has it".to_owned(),
        (GuessKind::ThreadLocal, false) => "not thread-local".to_owned(),
        (GuessKind::ReadOnly, true) => "read-only".to_owned(),
        (GuessKind::ReadOnly, false) => "not read-only".to_owned(),
        (GuessKind::MainThread, true) => "used by the main thread alone".to_owned(),
        (GuessKind::MainThread, false) => "not used by the main thread alone".to_owned(),
        (GuessKind::GuardedBy, true) => format!("guarded by {lock}"),
        (GuessKind::GuardedBy, false) => format!("not guarded by {lock}"),
        (GuessKind::Requires, true) => format!("requires {lock}"),
        (GuessKind::Requires, false) => format!("does not require {lock}"),
    };
    match why_not {
        Some(why) => format!("{said}: {why}"),
        None => said,
    }
}

pub(in crate::emit) fn lock_of_caller() -> &'static str {
    "a lock of its callers"
}
