//! Who holds what, who waits for whom, and whose turn it is.
//!
//! The wrappers of [`sync`](crate::sync) tell every step before or after they take it; telling it may take as long as it
//! takes until the thread's turn comes. There is one director for the process, behind one mutex of std's own. No code of
//! the user runs while that is held.

mod event;
mod foreign;
mod locks;
mod perturb;
mod proof;
mod resting;
mod run;
mod schedule;
pub(crate) mod stack;
mod third;
mod waiting;
mod watched;

pub use event::{Access, Event, Keeper, Kind, Mode, Own};
pub use proof::{Member, Proof};
pub use schedule::{Hindrance, Race, Role, Step, Stop};

pub(crate) use foreign::{
    Suspicion, Wanted, acquired_foreign, acquiring_foreign, become_other, let_go, letting_go, trying_foreign,
};
pub(crate) use perturb::perturb_as_told;
pub(crate) use resting::{Awaited, count_threads, goes_on, is_actor, rest, woken};
pub(crate) use run::{Bounds, Report, Run, enter, leave};
pub(crate) use third::{await_third, enter_third, leave_third};
pub(crate) use waiting::{Wakes, notify_all, notify_one, wait, wait_started};

use crate::hook::{inside, thread};
use crate::json::Json;
use crate::watchdog;
use locks::{Ask, Locks};
use perturb::Perturb;
use schedule::Schedule;
use std::panic::Location;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use third::Third;
use waiting::Waiter;

type Place = &'static Location<'static>;

struct Director {
    locks: Locks,
    waiters: Vec<Waiter>,
    schedule: Option<Schedule>,
    /// Threads of runs that were given up. They stay where they are, or stop at their next step.
    given_up: Vec<u32>,
    perturb: Option<Perturb>,
    third: Option<Third>,
}

static DIRECTOR: Mutex<Director> = Mutex::new(Director {
    locks: Locks::new(),
    waiters: Vec::new(),
    schedule: None,
    given_up: Vec::new(),
    perturb: None,
    third: None,
});

/// Something changed that a thread may be held up for.
static CHANGED: Condvar = Condvar::new();

type Directing = MutexGuard<'static, Director>;

fn director() -> Directing {
    DIRECTOR.lock().unwrap_or_else(PoisonError::into_inner)
}

fn changed(directing: Directing) -> Directing {
    CHANGED.wait(directing).unwrap_or_else(PoisonError::into_inner)
}

/// For a lock of std.
fn ask(object: usize, mode: Mode, site: Place) -> Ask {
    Ask { thread: thread(), object, mode, own: Own::Blocks, foreign: None, keeper: Keeper::Thread, site }
}

/// About to take a lock, and to block if it is not free.
pub(crate) fn acquiring(object: usize, mode: Mode, site: Place) {
    inside(|| {
        happens(Kind::Acquire, object, site);
        let mut directing = director();
        let proof = directing.locks.wait(ask(object, mode, site));
        directing.settle();
        if let Some(proof) = proof {
            deadlocked(directing, proof);
        }
    });
}

/// About to take a lock if it is free.
pub(crate) fn trying(object: usize, site: Place) {
    inside(|| happens(Kind::Acquire, object, site));
}

pub(crate) fn acquired(object: usize, mode: Mode, site: Place) {
    inside(|| {
        director().locks.got(ask(object, mode, site));
        happens(Kind::Acquired, object, site);
    });
}

pub(crate) fn downgraded(object: usize) {
    inside(|| director().locks.changed(thread(), object, Mode::Write, Mode::Read));
}

pub(crate) fn released(object: usize, site: Place) {
    inside(|| {
        director().locks.released(thread(), object);
        happens(Kind::Released, object, site);
    });
}

/// Of a step that has no name of its own here.
pub(crate) fn tell(kind: Kind, object: usize, site: Place) {
    inside(|| happens(kind, object, site));
}

pub(crate) fn touching(object: usize, access: Access, site: Place) {
    inside(|| happens(Kind::Touch(access), object, site));
}

pub(crate) fn touched(object: usize, access: Access, site: Place) {
    inside(|| happens(Kind::Touched(access), object, site));
}

/// Tells of a step, and returns when the thread may go on.
fn happens(kind: Kind, object: usize, site: Place) {
    let event = Event { thread: thread(), kind, object, site };
    let mut directing = director();
    if directing.given_up.contains(&event.thread) || third::stops(&mut directing, event) {
        stay(directing);
    }
    match directing.happens(event) {
        Some(role) => await_turn(directing, role),
        None => perturb::delay(directing, event),
    }
}

/// Holds a thread up until its turn comes.
fn await_turn(mut directing: Directing, role: Role) {
    let Some(id) = directing.schedule.as_ref().map(|schedule| schedule.id) else { return };
    loop {
        match &directing.schedule {
            Some(schedule) if schedule.id == id && schedule.may_run(role) => return,
            Some(schedule) if schedule.id == id => directing = changed(directing),
            _ => stay(directing),
        }
    }
}

/// For ever: the run this thread belongs to is over, and what it does next would be nobody's.
fn stay(directing: Directing) -> ! {
    drop(directing);
    loop {
        std::thread::park();
    }
}

/// A cycle: in a run it is what the run came to. Otherwise the process, which would hang, ends and says why.
fn deadlocked(mut directing: Directing, proof: Proof) -> ! {
    let current = thread();
    let is_actor = |schedule: &&mut Schedule| schedule.role_of(current).is_some();
    if let Some(schedule) = directing.schedule.as_mut().filter(is_actor) {
        schedule.deadlock.get_or_insert(proof);
        CHANGED.notify_all();
        stay(directing);
    }
    drop(directing);
    watchdog::end(watchdog::DEADLOCK, Json::object([("status", Json::text("deadlock")), ("cycle", proof.json())]))
}

/// What every thread waits for, as far as it is known.
pub(crate) fn standing() -> Json {
    let directing = director();
    let locks = directing.locks.waiting().map(|member| member.json());
    let waiters = directing.waiters.iter().map(Waiter::json);
    Json::list(locks.chain(waiters))
}

impl Director {
    /// The role of the thread, if it has one.
    fn happens(&mut self, event: Event) -> Option<Role> {
        let schedule = self.schedule.as_mut()?;
        let role = schedule.role_of(event.thread)?;
        let turn = schedule.turn();
        schedule.happens(role, event, &self.locks);
        if schedule.turn() != turn {
            CHANGED.notify_all();
        }
        Some(role)
    }

    fn settle(&mut self) {
        if let Some(schedule) = &mut self.schedule {
            schedule.settle(&self.locks);
            CHANGED.notify_all();
        }
    }
}
