//! A stack as people want to see it: their own frames, between where they called the facade and where it called them.

use std::backtrace::Backtrace;
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a thread begins to run what it was given.
const BEGINS: &[&str] = &["stalemate_acts", "__rust_begin_short_backtrace"];
/// Between what a future calls and who runs it.
const POLLS: &str = "stalemate_polls";
/// The facade, whose frames are nearer than any of the user's: its name, the function that asks for a lock, and, for frames
/// that have no more than the name of a function, where the others are.
const FACADE: &str = "stalemate_rt::";
const ASKS: &str = "stalemate_asks";
const FILES: &[&str] = &[
    "src/director/",
    "src/hook.rs",
    "src/foreign.rs",
    "src/tasks/",
    "sync/held.rs",
    "sync/mutex.rs",
    "sync/rwlock.rs",
    "sync/condvar.rs",
    "sync/atomic/",
];
/// The witness that calls the user's function.
const WITNESS: &str = "stalemate_witness_";
/// The crates of locks, by the folders that their sources are in.
const CRATES: &[&str] = &["/lock_api-", "/parking_lot-", "/dashmap-", "/tokio-"];
/// Frames of the standard library, with and without its sources.
const SOURCES: &[&str] = &["/rustc/", "/rustlib/src/rust/"];
const LIBRARY: &[&str] = &["std::", "core::", "alloc::", "<std::", "<core::", "<alloc::"];

/// Each frame on a line: the function, and its place if it is known.
pub(crate) fn shown(trace: &Backtrace) -> String {
    let frames = frames(&trace.to_string());
    let end = frames.iter().position(|frame| BEGINS.iter().any(|name| frame.contains(name)));
    let frames = &frames[..end.unwrap_or(frames.len())];
    frames.split(|frame| frame.contains(POLLS)).flat_map(own).collect::<Vec<_>>().join("\n")
}

/// The user's, of those that end where the facade was called.
fn own(frames: &[String]) -> impl Iterator<Item = &str> {
    // Who runs a future calls it from frames of the facade.
    let end = frames.iter().rposition(|frame| !is_facade(frame) && !is_of_locks(frame)).map_or(0, |at| at + 1);
    let frames = &frames[..end];
    let start = frames.iter().rposition(|frame| is_facade(frame)).map_or(0, |at| at + 1);
    let own = frames[start..].iter().skip_while(|frame| is_of_locks(frame));
    let own = own.filter(|frame| !SOURCES.iter().any(|path| frame.contains(path)));
    let own = own.filter(|frame| !frame.contains(WITNESS));
    let own = own.filter(|frame| !LIBRARY.iter().any(|name| frame.starts_with(name)));
    own.map(String::as_str)
}

/// Of the facade, or of another crate of locks, between the user's call and what is known as the facade by its name.
fn is_of_locks(frame: &str) -> bool {
    FILES.iter().chain(CRATES).chain(SOURCES).any(|part| frame.contains(part))
        || LIBRARY.iter().any(|name| frame.starts_with(name))
}

/// By how the name of the function begins: types of the facade may stand in the names of others.
fn is_facade(frame: &str) -> bool {
    frame.trim_start_matches('<').starts_with(FACADE) || frame.starts_with(ASKS)
}

/// Whether it is to be told where threads are held up. It costs more than all the rest of a run, so that is asked for only
/// when there is something to tell.
static WANTED: AtomicBool = AtomicBool::new(false);
/// The same, for a process that plays one run.
const VARIABLE: &str = "STALEMATE_STACKS";

pub(crate) fn want(wanted: bool) {
    WANTED.store(wanted, Ordering::Relaxed);
}

/// For the environment of another process.
pub(crate) fn variable() -> Option<(&'static str, &'static str)> {
    WANTED.load(Ordering::Relaxed).then_some((VARIABLE, "1"))
}

/// Of the thread that asks. To put names to it takes long, and waits until the run is over.
pub(super) fn here() -> Option<Backtrace> {
    let wanted = WANTED.load(Ordering::Relaxed) || env::var_os(VARIABLE).is_some();
    wanted.then(Backtrace::force_capture)
}

/// The text has a numbered line for each function, and for most of them one with its place.
fn frames(text: &str) -> Vec<String> {
    let mut frames: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        match (line.strip_prefix("at "), line.split_once(": "), frames.last_mut()) {
            (Some(place), _, Some(frame)) => frame.push_str(&format!(" at {place}")),
            (None, Some((_, function)), _) => frames.push(function.to_owned()),
            _ => {}
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facade_is_known_by_its_functions() {
        assert!(is_facade("<stalemate_rt::sync::mutex::Mutex<T>>::lock at ./a.rs:1:2"));
        assert!(!is_facade("mine::b at ./stalemate_rt::odd/b.rs:1:2"));
    }

    #[test]
    fn the_facade_is_known_by_its_own_functions() {
        assert!(
            is_facade("<stalemate_rt::sync::mutex::Mutex<u8>>::lock at ./a.rs:1:2") && is_facade("stalemate_rt::a")
        );
        assert!(
            !is_facade("<fn(&stalemate_rt::sync::Mutex<u8>) as Fn>::call") && !is_facade("mine::f::<stalemate_rt::A>")
        );
    }

    #[test]
    fn functions_get_their_places() {
        let text = "   0: stalemate_rt::a\n             at ./src/a.rs:1:2\n   1: mine::b<u8>\n   2: c\n             at ./c.rs:3:4";
        assert_eq!(frames(text), ["stalemate_rt::a at ./src/a.rs:1:2", "mine::b<u8>", "c at ./c.rs:3:4"]);
    }
}
