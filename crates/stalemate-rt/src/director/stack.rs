//! A stack as people want to see it: their own frames.

use std::backtrace::Backtrace;

/// Frames of the runtime, above and below the user's.
const FOREIGN: &[&str] = &["stalemate_rt::", "std::", "core::", "alloc::", "test::", "<alloc::", "<core::", "<std::"];

/// Each frame on a line: the function, and its place if it is known.
pub(super) fn shown(trace: &Backtrace) -> String {
    let text = trace.to_string();
    let mut frames: Vec<String> = Vec::new();
    let mut own = false;
    for line in text.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            if let (true, Some(frame)) = (own, frames.last_mut()) {
                frame.push_str(&format!(" at {place}"));
            }
        } else if let Some((_, function)) = line.split_once(": ") {
            own = !FOREIGN.iter().any(|prefix| function.starts_with(prefix)) && function.contains("::");
            if own {
                frames.push(function.to_owned());
            }
        }
    }
    frames.join("\n")
}
