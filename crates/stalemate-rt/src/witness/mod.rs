//! Two functions, A and B, on one state: run one after the other in both orders, and then interleaved. What the
//! interleaving comes to is right if one of the serial orders comes to the same. Otherwise the two are not atomic, and
//! the three outcomes are the witness.
//!
//! The interleavings are those of KISS (Qadeer and Wu, PLDI 2004): A is held up at a point, B runs to its end, A goes on.
//! Without given gaps every point of A and of B is tried, with one switch away from a thread before its end, then two. A
//! run is one of the program's own: nothing reported here cannot happen. What is not found may be there all the same.
//!
//! Departures: KISS ends threads in the middle (`RAISE`); a real thread cannot be ended, only left waiting. And where KISS
//! runs a sequential program, here are real threads: what hangs is given up after a bounded time.

mod codec;
mod explore;
mod left;
mod outcome;
mod panics;
mod play;
mod process;
mod shown;
mod standing;
mod told;
mod verdict;

pub use crate::tasks::wait_for;
pub use left::{Scope, left};
pub use outcome::{Ended, Outcome};
pub use shown::{shared, shown};
pub use standing::{gate, number, text, unknown};
pub use told::attempt;
pub use verdict::{Found, Status, Verdict};

use crate::director::{Bounds, Step};
use crate::site::{Gap, Site};
use crate::watchdog;
use std::sync::Arc;
use std::time::Duration;

type Make<F> = Arc<dyn Fn() -> F + Send + Sync>;
type Act<F> = Arc<dyn Fn(&F) -> String + Send + Sync>;

/// What is run, and how hard to try.
pub struct Pair<F> {
    make: Make<F>,
    acts: [Act<F>; 2],
    observe: Act<F>,
    gaps: Vec<Gap>,
    first_locks: Option<[Option<Site>; 2]>,
    switches: usize,
    spurious: usize,
    repeats: usize,
    most: usize,
    limit: Duration,
    bounds: Bounds,
    isolated: bool,
    third: Option<usize>,
    whole: bool,
}

impl<F: Send + Sync + 'static> Pair<F> {
    /// `make` gives a fresh state for every run; `a` and `b` return what their results look like.
    pub fn new(
        make: impl Fn() -> F + Send + Sync + 'static,
        a: impl Fn(&F) -> String + Send + Sync + 'static,
        b: impl Fn(&F) -> String + Send + Sync + 'static,
    ) -> Pair<F> {
        Pair {
            make: Arc::new(make),
            acts: [Arc::new(a), Arc::new(b)],
            observe: Arc::new(|_| String::new()),
            gaps: Vec::new(),
            first_locks: None,
            switches: 2,
            spurious: 0,
            repeats: 3,
            most: 400,
            limit: Duration::from_secs(20),
            bounds: Bounds { stall: Duration::from_millis(150), stuck: Duration::from_secs(2) },
            isolated: false,
            third: None,
            whole: false,
        }
    }

    /// What the state looks like when both have ended.
    pub fn observe(mut self, observe: impl Fn(&F) -> String + Send + Sync + 'static) -> Self {
        self.observe = Arc::new(observe);
        self
    }

    /// A place of A in which B is to be run. With no gap given, all are tried.
    pub fn gap(mut self, gap: Gap) -> Self {
        self.gaps.push(gap);
        self
    }

    /// Drives both to their first locks, here or anywhere, before either goes on: for locks taken in both orders.
    pub fn first_locks(mut self, a: Option<Site>, b: Option<Site>) -> Self {
        self.first_locks = Some([a, b]);
        self
    }

    /// With how many switches away from a thread before its end, where no gap is given. 0: serial orders alone.
    pub fn switches(mut self, most: usize) -> Self {
        self.switches = most;
        self
    }

    /// How many waits of a run may return without having been notified, as the documentation of `Condvar` allows.
    pub fn spurious(mut self, most: usize) -> Self {
        self.spurious = most;
        self
    }

    /// How often each serial order is run, to see whether it always comes to the same.
    pub fn repeats(mut self, times: usize) -> Self {
        self.repeats = times.max(1);
        self
    }

    /// How many interleavings are tried at most.
    pub fn most(mut self, runs: usize) -> Self {
        self.most = runs;
        self
    }

    /// How long to look for an interleaving, over all.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// How long a thread may do nothing until the other one gets its turn, and until a run is given up.
    pub fn patience(mut self, stall: Duration, stuck: Duration) -> Self {
        self.bounds = Bounds { stall, stuck };
        self
    }

    /// Each run in a process of its own: this program is started again. For state that no `make` can make anew, and for
    /// functions that end the process. Everything up to [`Pair::run`] happens in each of them.
    pub fn isolated(mut self) -> Self {
        self.isolated = true;
        self
    }

    /// What is left over from the making is dropped by a third thread, which is stopped at its point with this number.
    pub fn third(mut self, point: usize) -> Self {
        self.third = Some(point);
        self
    }

    /// An order in which a thread waits until the other has done its part is none: what comes of it is compared with the other
    /// order, in which nobody waits. For a thread that should find everything as if it came only now.
    pub fn whole_orders(mut self) -> Self {
        self.whole = true;
        self
    }

    pub fn run(self) -> Verdict {
        if let Some(steps) = process::asked_for() {
            process::answer(&self, steps);
        }
        explore::explore(&self)
    }

    /// [`Pair::run`] as the whole of a program: bounded in time, the verdict on one line, its exit code.
    pub fn main(self) -> ! {
        let bound = if process::asked_for().is_some() { self.bounds.stuck * 2 } else { self.limit * 2 };
        watchdog::start(bound);
        self.run().end()
    }

    fn play(&self, steps: &[Step], spurious: usize) -> play::Played {
        if self.isolated { process::play(self, steps, spurious) } else { play::play(self, steps, spurious) }
    }
}
