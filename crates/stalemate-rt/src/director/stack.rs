//! A stack as people want to see it: their own frames, between where they called the facade and where it called them.

use std::backtrace::Backtrace;

/// The function of the facade that asks for a lock. Everything up to it is the facade's.
const ASKS: &str = "stalemate_asks";
/// Where a thread begins to run what it was given.
const BEGINS: &[&str] = &["stalemate_acts", "__rust_begin_short_backtrace"];
/// The methods through which it is asked.
const METHODS: &[&str] = &["sync/held.rs", "sync/mutex.rs", "sync/rwlock.rs", "sync/condvar.rs"];
/// Frames of the standard library, with and without its sources.
const SOURCES: &[&str] = &["/rustc/", "/rustlib/src/rust/"];
const LIBRARY: &[&str] = &["std::", "core::", "alloc::", "<std::", "<core::", "<alloc::"];

/// Each frame on a line: the function, and its place if it is known.
pub(super) fn shown(trace: &Backtrace) -> String {
    let frames = frames(&trace.to_string());
    let start = frames.iter().rposition(|frame| frame.contains(ASKS)).map_or(0, |at| at + 1);
    let own = frames[start..].iter().skip_while(|frame| METHODS.iter().any(|file| frame.contains(file)));
    let own = own.take_while(|frame| !BEGINS.iter().any(|name| frame.contains(name)));
    let own = own.filter(|frame| !SOURCES.iter().any(|path| frame.contains(path)));
    let own = own.filter(|frame| !LIBRARY.iter().any(|name| frame.starts_with(name)));
    own.map(String::as_str).collect::<Vec<_>>().join("\n")
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
    fn functions_get_their_places() {
        let text = "   0: stalemate_rt::a\n             at ./src/a.rs:1:2\n   1: mine::b<u8>\n   2: c\n             at ./c.rs:3:4";
        assert_eq!(frames(text), ["stalemate_rt::a at ./src/a.rs:1:2", "mine::b<u8>", "c at ./c.rs:3:4"]);
    }
}
