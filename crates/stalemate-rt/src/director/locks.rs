//! Who holds what, and who waits for whom.
//!
//! A thread is entered as waiting before it blocks and as holding after it has got the lock, so what is known may lag
//! behind, but never shows a cycle that is not there: a thread in a cycle waits, and before it came to wait it had told
//! of everything it let go.

use super::event::Mode;
use super::proof::{Member, Proof};
use std::backtrace::Backtrace;
use std::panic::Location;

pub(super) struct Locks {
    holds: Vec<Hold>,
    waits: Vec<Wait>,
}

struct Hold {
    thread: u32,
    object: usize,
    mode: Mode,
    site: &'static Location<'static>,
}

struct Wait {
    thread: u32,
    object: usize,
    mode: Mode,
    site: &'static Location<'static>,
    /// Taken only if somebody is in the way.
    stack: Option<String>,
}

impl Locks {
    pub(super) const fn new() -> Locks {
        Locks { holds: Vec::new(), waits: Vec::new() }
    }

    /// Enters a thread as waiting. If that closes a cycle, here is the proof, and the thread must not block.
    pub(super) fn wait(
        &mut self,
        thread: u32,
        object: usize,
        mode: Mode,
        site: &'static Location<'static>,
    ) -> Option<Proof> {
        let in_the_way = !self.blockers(thread, object, mode).is_empty();
        let stack = in_the_way.then(|| super::stack::shown(&Backtrace::force_capture()));
        self.waits.push(Wait { thread, object, mode, site, stack });
        let cycle = self.cycle(thread)?;
        Some(Proof { members: cycle.into_iter().filter_map(|thread| self.member(thread)).collect() })
    }

    pub(super) fn got(&mut self, thread: u32, object: usize, mode: Mode, site: &'static Location<'static>) {
        self.waits.retain(|wait| wait.thread != thread);
        self.holds.push(Hold { thread, object, mode, site });
    }

    pub(super) fn released(&mut self, thread: u32, object: usize) {
        if let Some(at) = self.holds.iter().rposition(|hold| hold.thread == thread && hold.object == object) {
            self.holds.remove(at);
        }
    }

    pub(super) fn downgraded(&mut self, thread: u32, object: usize) {
        let held = self.holds.iter_mut().filter(|hold| hold.thread == thread && hold.object == object);
        held.for_each(|hold| hold.mode = Mode::Read);
    }

    /// Forgets a thread that will do nothing any more.
    pub(super) fn forget(&mut self, thread: u32) {
        self.holds.retain(|hold| hold.thread != thread);
        self.waits.retain(|wait| wait.thread != thread);
    }

    pub(super) fn held_by(&self, thread: u32) -> Vec<usize> {
        self.holds.iter().filter(|hold| hold.thread == thread).map(|hold| hold.object).collect()
    }

    /// Which threads a waiting thread waits for. None if it does not wait, or nobody is in its way.
    pub(super) fn blockers_of(&self, thread: u32) -> Vec<u32> {
        let wait = self.waits.iter().find(|wait| wait.thread == thread);
        wait.map_or(Vec::new(), |wait| self.blockers(thread, wait.object, wait.mode))
    }

    /// Those who hold the lock in a mode that excludes this one. A reader also queues behind a writer that waits, as
    /// std's does, so that writers get their turn.
    fn blockers(&self, thread: u32, object: usize, mode: Mode) -> Vec<u32> {
        let excludes = |other: Mode| mode == Mode::Write || other == Mode::Write;
        let holders = self.holds.iter().filter(|hold| hold.object == object && excludes(hold.mode));
        let holders = holders.map(|hold| hold.thread);
        let is_read = mode == Mode::Read && self.holds.iter().any(|hold| hold.object == object);
        let queued = self.waits.iter().filter(|wait| is_read && wait.object == object && wait.mode == Mode::Write);
        let queued = queued.map(|wait| wait.thread).filter(|other| *other != thread);
        holders.chain(queued).collect()
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
        let wait = self.waits.iter().find(|wait| wait.thread == thread)?;
        let holds = self.holds.iter().filter(|hold| hold.thread == thread);
        Some(Member {
            thread,
            waits_for: wait.object,
            wait_site: wait.site.to_string(),
            holds: holds.map(|hold| (hold.object, hold.site.to_string())).collect(),
            stack: wait.stack.clone().unwrap_or_default(),
        })
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = Member> {
        self.waits.iter().filter_map(|wait| self.member(wait.thread))
    }
}
