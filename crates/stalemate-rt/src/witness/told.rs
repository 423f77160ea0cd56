//! How to run a witness, as its environment tells: the same program tries many ways, one after the other.

use super::Pair;
use crate::watchdog;
use std::env;
use std::time::Duration;

/// Which of its ways a witness goes: the preparation, the call of A, the call of B, as numbers with commas between them.
const ATTEMPT: &str = "STALEMATE_ATTEMPT";

/// Words with commas between them, such as `gap=src/a.rs:3>src/a.rs:5,switches=1`.
const HOW: &str = "STALEMATE_HOW";

/// Numbers of the preparation, of the way to call A and of that to call B.
pub fn attempt() -> [usize; 3] {
    let text = env::var(ATTEMPT).unwrap_or_default();
    let mut numbers = text.split(',').map(|number| number.trim().parse().unwrap_or(0));
    [(); 3].map(|()| numbers.next().unwrap_or(0))
}

impl<F: Send + Sync + 'static> Pair<F> {
    /// As the environment tells.
    pub fn as_told(self) -> Self {
        let words = env::var(HOW).unwrap_or_default();
        words.split(',').filter(|word| !word.is_empty()).fold(self, |pair, word| {
            pair.told(word).unwrap_or_else(|| {
                eprintln!("{HOW}: `{word}` is not known");
                std::process::exit(watchdog::MISUSE)
            })
        })
    }

    fn told(self, word: &str) -> Option<Self> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let number = value.parse().ok();
        Some(match name {
            "gap" => self.gap(value.parse().ok()?),
            "switches" => self.switches(number?),
            "spurious" => self.spurious(number?),
            "most" => self.most(number?),
            "seconds" => self.limit(Duration::from_secs(value.parse().ok()?)),
            "patience" => {
                let (stall, stuck) = value.split_once('/')?;
                let time = |text: &str| text.parse().ok().map(Duration::from_millis);
                self.patience(time(stall)?, time(stuck)?)
            }
            "whole" => self.whole_orders(),
            "third" => self.third(number?),
            "first-locks" => self.first_locks(None, None),
            "isolated" => self.isolated(),
            _ => return None,
        })
    }
}
