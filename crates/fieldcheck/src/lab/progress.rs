//! How far a run has come, and how long the rest will take: a bar where people look, and lines where they are written to
//! a file. What was kept from an earlier run takes no time, and is not counted.

use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Minutes instead of a rate: a version takes from seconds to minutes.
const STYLE: &str = "{bar:30} {pos} of {len}, {elapsed} so far, about {eta} left: {msg}";

pub struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    pub fn new(kept: usize, count: usize) -> Progress {
        let bar = ProgressBar::new(count as u64);
        if let Ok(style) = ProgressStyle::with_template(STYLE) {
            bar.set_style(style);
        }
        let progress = Progress { bar, started: Instant::now() };
        if kept > 0 {
            progress.say(format!("{kept} kept from earlier runs, {count} to check"));
        }
        progress
    }

    pub fn begin(&self, title: impl Display) {
        self.bar.set_message(title.to_string());
        if self.bar.is_hidden() {
            eprintln!("checking {title}");
        }
    }

    pub fn end(&self, title: impl Display, trouble: Option<&str>, took: Duration) {
        self.bar.inc(1);
        let (done, count) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let left = left(self.started.elapsed(), done, count);
        match trouble {
            Some(what) => self.say(format!("{title}: {what}")),
            None if self.bar.is_hidden() => {
                self.say(format!("{title}: {} s; {done} of {count}, about {} left", took.as_secs(), minutes(left)));
            }
            None => {}
        }
    }

    /// Above the bar, or as a line.
    fn say(&self, line: String) {
        if self.bar.is_hidden() {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// As if the rest went on as it went so far.
fn left(elapsed: Duration, done: u64, count: u64) -> Duration {
    match done {
        0 => Duration::ZERO,
        _ => elapsed.mul_f64(count.saturating_sub(done) as f64 / done as f64),
    }
}

fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_goes_on_as_before() {
        let minute = Duration::from_secs(60);
        assert_eq!(left(minute, 2, 6), Duration::from_secs(120));
        assert_eq!(left(minute, 6, 6), Duration::ZERO);
        assert_eq!(left(minute, 0, 6), Duration::ZERO);
    }

    #[test]
    fn long_times_are_told_in_minutes() {
        let told = [0, 99, 100, 7200].map(|seconds| minutes(Duration::from_secs(seconds)));
        assert_eq!(told, ["0 s", "99 s", "2 min", "120 min"]);
    }

    #[test]
    fn the_style_is_one_that_is_understood() {
        ProgressStyle::with_template(STYLE).unwrap();
    }
}
