//! Who holds what, and who waits for whom.
//!
//! A thread is entered as waiting before it blocks and as holding after it has got the lock, so what is known may lag
//! behind, but never shows a cycle that is not there: a thread in a cycle waits, and before it came to wait it had told
//! of everything it let go.
//!
//! Of locks of other crates a release may go unseen. What is known of these is a guess that the lock itself is asked about:
//! see [`foreign`](super::foreign).

use super::event::{Keeper, Mode, Own};
use super::proof::{Member, Proof};
use std::backtrace::Backtrace;
use std::panic::Location;
use std::sync::Arc;

pub(super) struct Locks {
    holds: Vec<Hold>,
    waits: Vec<Wait>,
    /// How many waits there have been.
    count: u64,
    /// Types of locks of which a release has gone unseen: what is known of these proves nothing.
    doubtful: Vec<&'static str>,
}

/// A thread asks for a lock.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    pub(super) thread: u32,
    pub(super) object: usize,
    pub(super) mode: Mode,
    pub(super) own: Own,
    /// The type, if it is a lock of another crate.
    pub(super) foreign: Option<&'static str>,
    pub(super) keeper: Keeper,
    pub(super) site: &'static Location<'static>,
}

struct Hold {
    thread: u32,
    object: usize,
    mode: Mode,
    keeper: Keeper,
    site: &'static Location<'static>,
}

struct Wait {
    ask: Ask,
    number: u64,
    /// How often the lock has been asked for in vain, if it is asked again and again.
    refused: Option<usize>,
    /// It has been given the lock, or at least been told to ask again.
    is_granted: bool,
    /// Taken only if somebody is in the way.
    stack: Option<Arc<Backtrace>>,
}

/// A wait that is part of a cycle, as far as it shows whether the thread has moved: its number, and how often the lock
/// was asked for in vain.
pub(super) type Standing = (u64, Option<usize>);

/// No thread has this number, so nobody waits for anybody by it.
const NOBODY: u32 = 0;

impl Locks {
    pub(super) const fn new() -> Locks {
        Locks { holds: Vec::new(), waits: Vec::new(), count: 0, doubtful: Vec::new() }
    }

    /// Enters a thread as waiting. If that closes a cycle, here is the proof, and the thread must not block; not so where
    /// a future is in the cycle, which has to be refused for a while.
    pub(super) fn wait(&mut self, ask: Ask) -> Option<Proof> {
        let is_in_the_way = !self.blockers(&ask).is_empty();
        self.enter(ask, is_in_the_way.then(|| Arc::new(Backtrace::force_capture())));
        self.proof(ask.thread).filter(|_| !self.is_for_tasks(ask.thread))
    }

    /// The same for a thread that runs a future, and may have been entered before.
    pub(super) fn rests(&mut self, ask: Ask, stack: Arc<Backtrace>) {
        let is_it =
            |wait: &Wait| wait.ask.object == ask.object && wait.ask.mode == ask.mode && wait.ask.site == ask.site;
        if self.wait_of(ask.thread).is_none_or(|wait| !is_it(wait)) {
            self.moves(ask.thread);
            self.enter(ask, Some(stack));
        }
        self.waits.iter_mut().filter(|wait| wait.ask.thread == ask.thread).for_each(|wait| wait.is_granted = false);
    }

    /// A thread does not wait any more.
    pub(super) fn moves(&mut self, thread: u32) {
        self.waits.retain(|wait| wait.ask.thread != thread);
    }

    /// What a thread waits for is its own from here on.
    pub(super) fn granted(&mut self, thread: u32) {
        self.waits.iter_mut().filter(|wait| wait.ask.thread == thread).for_each(|wait| wait.is_granted = true);
    }

    fn wait_of(&self, thread: u32) -> Option<&Wait> {
        self.waits.iter().find(|wait| wait.ask.thread == thread)
    }

    fn enter(&mut self, ask: Ask, stack: Option<Arc<Backtrace>>) {
        self.count += 1;
        self.waits.push(Wait { ask, number: self.count, refused: None, is_granted: false, stack });
    }

    /// Whether a future is part of the cycle that a thread is part of.
    pub(super) fn is_for_tasks(&self, thread: u32) -> bool {
        let cycle = self.cycle(thread).unwrap_or_default();
        cycle.iter().filter_map(|thread| self.wait_of(*thread)).any(|wait| wait.ask.keeper != Keeper::Thread)
    }

    /// The cycle that a thread is part of.
    pub(super) fn proof(&self, thread: u32) -> Option<Proof> {
        let cycle = self.cycle(thread)?;
        Some(Proof { members: cycle.into_iter().filter_map(|thread| self.member(thread)).collect() })
    }

    pub(super) fn got(&mut self, ask: Ask) {
        let Ask { thread, object, mode, keeper, site, .. } = ask;
        self.moves(thread);
        if let Some(name) = ask.foreign {
            self.outdate(&ask, name);
        }
        self.holds.push(Hold { thread, object, mode, keeper, site });
    }

    /// Who has a lock shows that those who cannot have it at the same time have let it go.
    fn outdate(&mut self, ask: &Ask, name: &'static str) {
        let is_excluded = |hold: &Hold| hold.object == ask.object && hold.mode.excludes(ask.mode);
        let before = self.holds.len();
        self.holds.retain(|hold| is_own(hold, ask) || !is_excluded(hold));
        if self.holds.len() < before && !self.doubtful.contains(&name) {
            self.doubtful.push(name);
        }
        self.holds.retain(|hold| ask.own != Own::Upgrades || !is_own(hold, ask));
    }

    /// One more attempt was in vain.
    pub(super) fn refused(&mut self, thread: u32) {
        let waits = self.waits.iter_mut().filter(|wait| wait.ask.thread == thread);
        waits.for_each(|wait| wait.refused = Some(wait.refused.map_or(1, |times| times + 1)));
    }

    /// The cycle that a thread is part of, in a form that changes as soon as somebody moves. None if it would prove
    /// nothing.
    pub(super) fn standstill(&self, thread: u32) -> Option<Vec<Standing>> {
        let cycle = self.cycle(thread)?;
        let waits = cycle.iter().filter_map(|thread| self.wait_of(*thread));
        let is_doubtful = |wait: &Wait| wait.ask.foreign.is_some_and(|name| self.doubtful.contains(&name));
        waits.map(|wait| (!is_doubtful(wait)).then_some((wait.number, wait.refused))).collect()
    }

    pub(super) fn released(&mut self, thread: u32, object: usize) {
        if let Some(at) = self.holds.iter().rposition(|hold| hold.thread == thread && hold.object == object) {
            self.holds.remove(at);
        }
    }

    /// Notes that a lock of another crate is let go, whoever took it, and returns where that was. A guard may have been
    /// handed over to this thread.
    pub(super) fn let_go(&mut self, thread: u32, object: usize, mode: Mode) -> Option<&'static Location<'static>> {
        let is_it = |hold: &Hold| hold.object == object && hold.mode == mode;
        let own = self.holds.iter().rposition(|hold| is_it(hold) && hold.thread == thread);
        let at = own.or_else(|| self.holds.iter().rposition(is_it))?;
        Some(self.holds.remove(at).site)
    }

    pub(super) fn changed(&mut self, thread: u32, object: usize, from: Mode, to: Mode) {
        let held = self.holds.iter_mut().filter(|hold| hold.thread == thread && hold.object == object);
        held.filter(|hold| hold.mode == from).for_each(|hold| hold.mode = to);
    }

    /// Forgets a thread that will do nothing any more.
    pub(super) fn forget(&mut self, thread: u32) {
        self.holds.retain(|hold| hold.thread != thread);
        self.moves(thread);
    }

    pub(super) fn held_by(&self, thread: u32) -> Vec<usize> {
        self.holds.iter().filter(|hold| hold.thread == thread).map(|hold| hold.object).collect()
    }

    /// Which threads a waiting thread waits for. None if it does not wait, or nobody is in its way.
    pub(super) fn blockers_of(&self, thread: u32) -> Vec<u32> {
        let wait = self.wait_of(thread).filter(|wait| !wait.is_granted);
        wait.map_or(Vec::new(), |wait| self.blockers(&wait.ask))
    }

    /// Whether a thread waits for a lock of which everything is known, and somebody is in its way.
    pub(super) fn is_surely_blocked(&self, thread: u32) -> bool {
        let wait = self.wait_of(thread).filter(|wait| wait.ask.foreign.is_none());
        wait.is_some_and(|wait| !self.blockers(&wait.ask).is_empty())
    }

    /// Those who hold the lock in a mode that excludes this one. A reader also queues behind a writer that waits, as
    /// std's does, so that writers get their turn.
    pub(super) fn blockers(&self, ask: &Ask) -> Vec<u32> {
        let &Ask { thread, object, mode, .. } = ask;
        let holders = self.holds.iter().filter(|hold| hold.object == object && mode.excludes(hold.mode));
        let holders = holders.filter(|hold| !is_own(hold, ask)).map(Hold::keeper);
        let is_read = mode != Mode::Write && self.holds.iter().any(|hold| hold.object == object);
        let queued = self.waits.iter().map(|wait| &wait.ask);
        let queued = queued.filter(|other| is_read && other.object == object && other.mode == Mode::Write);
        let granted = self.waits.iter().filter(|wait| wait.is_granted).map(|wait| &wait.ask);
        let granted = granted.filter(|other| other.object == object && mode.excludes(other.mode));
        let others = queued.chain(granted).map(|other| other.thread).filter(|other| *other != thread);
        holders.chain(others).collect()
    }

    /// A way from a thread back to itself along who waits for whom.
    fn cycle(&self, start: u32) -> Option<Vec<u32>> {
        let mut way = vec![start];
        self.way_back(start, start, &mut way, &mut Vec::new()).then_some(way)
    }

    fn way_back(&self, from: u32, start: u32, way: &mut Vec<u32>, seen: &mut Vec<u32>) -> bool {
        for next in self.blockers_of(from) {
            if next == start {
                return true;
            }
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            way.push(next);
            if self.way_back(next, start, way, seen) {
                return true;
            }
            way.pop();
        }
        false
    }

    /// What a thread waits for, and what it holds meanwhile.
    pub(super) fn member(&self, thread: u32) -> Option<Member> {
        let wait = self.wait_of(thread)?;
        let holds = self.holds.iter().filter(|hold| hold.thread == thread);
        Some(Member {
            thread,
            waits_for: wait.ask.object,
            wait_site: wait.ask.site.to_string(),
            holds: holds.map(|hold| (hold.object, hold.site.to_string())).collect(),
            stack: wait.stack.as_ref().map(|trace| super::stack::shown(trace)).unwrap_or_default(),
        })
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = Member> {
        self.waits.iter().filter_map(|wait| self.member(wait.ask.thread))
    }
}

impl Hold {
    /// The thread that has to go on so that it is let go.
    fn keeper(&self) -> u32 {
        if self.keeper == Keeper::Unknown { NOBODY } else { self.thread }
    }
}

/// Whether a hold is the thread's own, and not in its way.
fn is_own(hold: &Hold, ask: &Ask) -> bool {
    let is_its = hold.object == ask.object && hold.thread == ask.thread;
    match ask.own {
        Own::Blocks => false,
        Own::Upgrades => is_its && hold.mode == Mode::Upgrade,
        Own::Nests => is_its,
    }
}
