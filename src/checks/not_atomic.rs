//! A function that is meant to be atomic, and is not: other threads can come in between two of its steps, and it may do
//! something that it would never do if it ran alone.
//!
//! Only what the code says is held to, with the attributes of the crate `stalemate-attr`: `#[atomic]` on functions, and two that
//! name locks. `#[guarded_by(lock)]` on a field (of a struct with `#[derive(Guarded)]`) says that the field is used only with
//! that lock held, `#[requires(self.lock)]` on a function that its callers hold it. What is used or called without the lock is
//! reported there, with what is held instead. The settings can say the same of code that nobody may edit.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! struct Buffer { text: Mutex<String> }
//!
//! impl Buffer {
//!     fn len(&self) -> usize { self.text.lock().unwrap().len() }
//!     fn first(&self, count: usize) -> String { self.text.lock().unwrap()[..count].to_owned() }
//!
//!     // #[atomic]
//!     fn append(&self, other: &Buffer) {
//!         let mut text = self.text.lock().unwrap();
//!         let count = other.len();
//!         // another thread may shorten `other` here
//!         text.push_str(&other.first(count));
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Hold the lock from the first step that needs it to the last.
//!
//! ## How it is decided
//!
//! By Lipton's movers, with the algebra of Flanagan and Qadeer. Each step can be moved past the steps of other threads in one
//! direction, in both, or not at all: taking a lock is a right mover, giving it up a left mover, an access under its lock moves
//! both ways, an operation on an atomic or a concurrent map does not move, and neither does input or output. If a function is
//! right movers, then at most one step that does not move, then left movers, all its steps can be moved to one point in time.
//! Functions that are called count as what they are known to be; `Condvar::wait` gives the lock up and takes it again.
//!
//! A field that a lock guards moves both ways while the lock is held, also if it is an atomic. A helper that says nothing of
//! itself is taken to require what all of its callers hold, as Houdini would guess. What nobody else can see yet, or any more,
//! needs no lock: a struct that is just being made, `&mut self`. `cargo stalemate atomicity` lists what each function is.
//!
//! ## What it can miss
//!
//! Whether a guarded field is written or only read: any hold of its lock will do, also a shared one. Methods of traits that say
//! `#[requires]`, where they are called through the trait. Shared state without a lock and without a mark: cells behind
//! `unsafe impl Sync`, `static mut`; what functions of other crates do to statics of their own.
//!
//! ## What it may wrongly report
//!
//! A call of a function of another crate that is given something that others may see, too, and does nothing to it: what is
//! not known may do anything. A row in the models says what it does. And a function whose steps do not move by this
//! algebra, and that is atomic for a reason of its own: two operations on atomics that have nothing to do with each other, a
//! loop of `compare_exchange` that goes round until nobody interferes.

use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Lack, Lacking, MoverStep};
use crate::summary::Crate;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let broken = |(body, facts): (usize, &BodyFacts)| Some(judge(body, facts.broken.as_deref()?.split_last()?));
    let bodies = || all.bodies.iter().enumerate();
    let lacking = bodies().flat_map(|(body, facts)| {
        let reported = facts.lacking.iter().filter(move |lacking| {
            let used = match lacking.what {
                Lack::Field(field) => field,
                Lack::Call => lacking.lock,
            };
            sharing::is_shared(facts, used) && !all.writes.callers_hold(facts, body, lacking.lock)
        });
        reported.map(move |lacking| unguarded(body, lacking))
    });
    bodies().filter_map(broken).chain(lacking).collect()
}

fn unguarded(body: usize, lacking: &Lacking) -> Suspicion {
    let held = lacking.held.iter().map(|&(lock, site)| Moment { happens: Happening::HeldInstead(lock), site });
    let (shape, happens, subject) = match lacking.what {
        Lack::Field(field) => (Shape::Unguarded, Happening::UsesUnguarded, Subject::Place(field)),
        Lack::Call => (Shape::RequiresUnmet, Happening::CallsUnguarded, Subject::Place(lacking.lock)),
    };
    Suspicion {
        body,
        primary: lacking.site,
        lock: Some(lacking.lock),
        subject,
        shape,
        moments: held.chain([Moment { happens, site: lacking.site }]).collect(),
        evidence: vec![Evidence::SaidToBeGuarded],
    }
}

fn judge(body: usize, (last, before): (&MoverStep, &[MoverStep])) -> Suspicion {
    let moment = |step: &MoverStep| Moment { happens: Happening::Performs(step.what, step.mover), site: step.site };
    let mut moments: Vec<Moment> = before.iter().map(moment).collect();
    moments.push(Moment { happens: Happening::Breaks(last.what, last.mover), site: last.site });
    let lock = before.iter().rev().chain([last]).find_map(|step| step.what.lock());
    Suspicion {
        body,
        primary: last.site,
        lock,
        subject: lock.map_or(Subject::Function, Subject::Path),
        shape: Shape::NotAtomic,
        moments,
        evidence: vec![Evidence::MeantToBeAtomic],
    }
}
