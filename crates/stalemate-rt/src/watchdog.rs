//! The end of a process that does not end by itself. It says what every thread was waiting for.

use crate::director;
use crate::hook::inside;
use crate::json::Json;
use std::io::Write;
use std::time::Duration;
use std::{env, process, thread};

/// How long the process may run, in milliseconds.
pub const VARIABLE: &str = "STALEMATE_LIMIT_MS";

/// Before the one line on standard output that says how it went.
pub const MARK: &str = "stalemate-witness: ";

/// Exit code: a cycle of threads that wait for one another is proven.
pub const DEADLOCK: i32 = 86;
/// Exit code: the time is over.
pub const TIMEOUT: i32 = 87;
/// Exit code: what the environment asks for cannot be read.
pub const MISUSE: i32 = 88;
/// Exit code: a stand-in was asked for more than it knows.
pub const REFUSED: i32 = 89;

/// From now on the process lives at most this long.
pub fn start(limit: Duration) {
    let watch = move || {
        thread::sleep(limit);
        inside(|| {
            let threads = director::standing();
            end(TIMEOUT, Json::object([("status", Json::text("timeout")), ("threads", threads)]))
        })
    };
    let _ = thread::Builder::new().name("stalemate watchdog".into()).spawn(watch);
}

/// Whether a limit is given.
pub(crate) fn start_as_told() -> bool {
    let limit = env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
    limit.map(Duration::from_millis).map(start).is_some()
}

/// Says the last word of this process. Nothing of the user's is run any more, destructors included.
pub(crate) fn end(code: i32, verdict: Json) -> ! {
    say(&verdict);
    process::exit(code)
}

pub(crate) fn say(verdict: &Json) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{MARK}{verdict}").and_then(|()| out.flush());
}
