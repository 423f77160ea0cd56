//! A branch on what one critical section saw leads to a change in a later section of the same lock, and the later section
//! does not look again. Between the two sections another thread may have made the same check, with the same outcome.
//!
//! ## Example
//!
//! ```rust
//! # use std::collections::HashMap;
//! # use std::sync::{Arc, Mutex, RwLock};
//! # struct Pools { pools: RwLock<HashMap<String, Arc<Mutex<Vec<u8>>>>> }
//! impl Pools {
//!     fn pool(&self, name: &str) -> Arc<Mutex<Vec<u8>>> {
//!         if let Some(pool) = self.pools.read().unwrap().get(name) {
//!             return pool.clone();
//!         }
//!         // another thread may insert its pool here
//!         let pool = Arc::new(Mutex::new(Vec::new()));
//!         self.pools.write().unwrap().insert(name.to_owned(), pool.clone()); // and is replaced here
//!         pool
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Look again under the lock that is held for the change. For a map, `entry` looks and inserts in one step:
//!
//! ```rust
//! # use std::collections::HashMap;
//! # use std::sync::{Arc, Mutex, RwLock};
//! # struct Pools { pools: RwLock<HashMap<String, Arc<Mutex<Vec<u8>>>>> }
//! impl Pools {
//!     fn pool(&self, name: &str) -> Arc<Mutex<Vec<u8>>> {
//!         if let Some(pool) = self.pools.read().unwrap().get(name) {
//!             return pool.clone();
//!         }
//!         self.pools.write().unwrap().entry(name.to_owned()).or_default().clone()
//!     }
//! }
//! ```
//!
//! ## Shapes
//!
//! - looked up under the read lock, inserted under the write lock;
//! - who finds a name taken is turned away, with an error or `false`; and whoever does not takes it in the next section;
//! - a limit or a flag is tested, then counted up or set;
//! - there is something, so it is taken or unwrapped in the next section, which panics if someone was faster (if anybody ever
//!   takes it away);
//! - it is asserted that there is no such entry, and one is put there in the next section;
//! - a function is called because of a look, and asserts under its own lock what that look has seen (`assert!(!state.done)`);
//! - something is put there, and the next section panics if it is gone (`unwrap`, `let .. else { unreachable!() }`).
//!
//! What counts as looking again: any branch in the later section on what was tested before, `entry` and its kin, and a
//! change whose own result decides (`if map.insert(..).is_some()`). A flag that is tested and set in the section of the look
//! (`if busy { return } busy = true`) keeps others out; where a function that is called sets it on some ways, what it saw on
//! the others grows old.
//!
//! ## What it can miss
//!
//! Checks whose outcome is kept in a field or sent elsewhere; checks of one thing that decide about another (they are
//! ranked low); keys are not compared. Other assertions, and those of `debug_assert!`, count for nothing: they stop a program
//! that is wrong anyway.
//!
//! ## What it may wrongly report
//!
//! A change that does no harm if it is made twice. A plain value that is made from the key alone (a cache) is ranked
//! low, and so is one that the function itself looks up, makes and keeps, if nobody else writes it; a value that can be told
//! from its equal (atomics, locks inside) is ranked high, and so is anything where the function turns away who finds it there: then
//! two were promised to be the first. Objects that one thread uses at a time, by a rule that no type shows.
//! Where five functions or more do it with five or more locks of one type, that is taken for such a rule, and ranked low; four of
//! each are enough, but for deadlocks, in a type with eight locks and atomics or more. (The numbers are a guess: less than a few
//! large crates do that have such a rule, and more than was seen where there is none.)
//!
//! What mostly was no bug where people read the code is ranked lower, and often low:
//!
//! - check and change stand in two functions that are called: each is whole in itself, the second one may look for itself, and
//!   what it does with what it is given is known only roughly; more so if the key that is written is not the one looked for, or if
//!   the second one looks at something under the lock before it does it, such as a generation;
//! - plain data is written, or the same by whoever comes: only the last one counts, and at worst the work is done twice;
//! - a file, a socket or another process is used in between: there one thread at a time is mostly seen to, as for the steps of
//!   one connection;
//! - each way from the check writes the state that comes next: a state machine, which one thread drives;
//! - the object that leads to the lock is held by `&mut`, or is given to the function to keep, and nobody else writes there;
//! - all who write it, this function among them, are methods that have an object of one type to themselves (`&mut self`, `self`), or
//!   are called by these alone, and that type cannot be cloned: a worker, of which there mostly is one;
//! - an entry is removed for what was seen in it, and no entry is ever changed in its place: only another one that came under the
//!   same key would be taken for it;
//! - only the library itself calls the function, and may see to it that one thread at a time does. In programs that does not
//!   count, since nobody else calls any of their functions.

use crate::checks::terms::alone::Evidence as Alone;
use crate::checks::terms::apart::Evidence as Apart;
use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing, two_steps};
use crate::domain::facts::{BodyFacts, Effect, Use, UseKind, Write, Written};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Step};
use crate::events::{Beyond, Identity, Refusal, Site};
use crate::summary::Crate;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in &facts.uses {
            let Some(act) = Act::of(one) else { continue };
            let origins = one.origins.iter().filter(|origin| !origin.waited() && !carries(facts, one, origin));
            found.extend(origins.filter_map(|origin| Some((*origin, judge(all, body, &act, origin)?))));
        }
    }
    let mut found = sharing::strongest_per_lock(found);
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in &facts.apart.expected {
            let told = found.iter().any(|other| other.body == body && other.primary == one.demanded);
            found.extend(two_steps::expected(all, body, one).filter(|_| !told));
        }
    }
    found
}

/// Something that is done because of a look.
struct Act<'f> {
    one: &'f Use,
    target: PathId,
    effect: Effect,
    decided: Site,
    written: Written,
    told: bool,
    handed_out: bool,
    refuses: Option<Refusal>,
    after_look: bool,
    rides: Option<Beyond>,
    is_step: bool,
}

impl Act<'_> {
    fn of(one: &Use) -> Option<Act<'_>> {
        let UseKind::Act {
            target,
            effect,
            decided,
            written,
            told,
            handed_out,
            refuses,
            after_look,
            rides,
            is_step,
            ..
        } = one.kind
        else {
            return None;
        };
        Some(Act { one, target, effect, decided, written, told, handed_out, refuses, after_look, rides, is_step })
    }
}

/// The old value itself is what is written: that is for `stale_value` to say. Of what is taken out it is only the name.
fn carries(facts: &BodyFacts, one: &Use, origin: &Origin) -> bool {
    let writes = |kind: UseKind| match kind {
        UseKind::Write { effect, .. } => effect != Effect::Removes,
        UseKind::Position { .. } => true,
        _ => false,
    };
    facts.uses.iter().any(|other| other.site == one.site && writes(other.kind) && sharing::has_look(other, origin))
}

fn judge(all: &Crate, body: usize, act: &Act<'_>, origin: &Origin) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let lock = lock_let_go(facts, origin)?;
    if !sharing::is_shared(facts, lock) || !sharing::is_shared(facts, origin.lock) {
        return None;
    }
    let same_place = sharing::same_place(facts, act.one, origin, act.target);
    if act.effect == Effect::Demands && !(same_place && all.writes.may_be_gone(facts, origin)) {
        return None;
    }
    let (interference, who) = sharing::interference(all, body, sharing::interferer(all, body, origin)?, origin.read);
    let mut evidence = vec![Evidence::CheckedEarlier];
    evidence.push(if same_place { Evidence::CheckedPlace } else { Evidence::OtherPlaceChecked });
    let admits = same_place && admits(facts, act);
    evidence.extend(by_effect(all, facts, act, origin).into_iter().filter(|one| !(admits && is_work_done_twice(*one))));
    evidence.extend(admits.then_some(Evidence::TurnsAway));
    let upgraded = origin.shared && lock == origin.lock && act.effect != Effect::Demands;
    evidence.extend(upgraded.then_some(Evidence::ReadThenWrite));
    evidence.extend((lock != origin.lock).then_some(Evidence::CheckedUnderLock));
    evidence.extend((lock != origin.lock && all.writes.is_latch(facts, act.target)).then_some(Evidence::OnlySet));
    evidence.push(who);
    evidence.extend((who == Evidence::WrittenHere && is_memo(act)).then_some(Evidence::Remembers));
    let locks_itself = act.one.by_callee && origin.entered() == Some(act.one.site);
    let looks_itself =
        act.after_look && (act.effect == Effect::Overwrites || (act.effect == Effect::Adjusts && locks_itself));
    let looks = if locks_itself { Alone::LocksItself } else { Alone::LooksItself };
    evidence.extend(looks_itself.then_some(Evidence::Alone(looks)));
    evidence.extend((same_place && act.is_step).then_some(Evidence::Alone(Alone::Steps)));
    evidence.extend(sharing::gap(act.one, origin));
    let rides = act.rides.filter(|&does| does > Beyond::Acts && !sharing::is_far(act.one, origin));
    evidence.extend(rides.map(|_| Evidence::RidesAlong));
    evidence.extend(sharing::distance(act.one, origin));
    let owner = sharing::owner(facts, origin.lock).or_else(|| sharing::driver(all, body, origin));
    evidence.extend(owner.or_else(|| sharing::consumer(facts, origin.lock, who)));
    // The entries of concurrent maps are there to be changed one by one, under guards of their own.
    let whole = act.effect == Effect::Removes && same_place && !facts.is_map(lock);
    let stays = whole && all.writes.stays_as_put(facts, act.target);
    evidence.extend(stays.then_some(Evidence::StaysAsPut));
    let renews = evidence.iter().any(|one| matches!(one, Evidence::Idempotent | Evidence::PlainValue)) && same_place;
    let puts = |write: &Write| write.site == act.one.site && write.target == act.target && write.fills;
    let inserts = is_entry(facts, act.target) && facts.writes.iter().any(puts);
    let grows = renews && inserts && all.writes.is_changed_in_place(&all.bodies, facts, act.target);
    evidence.extend(grows.then_some(Evidence::ChangedInPlace));
    evidence.extend(sharing::callers(facts));
    Some(Suspicion {
        body,
        primary: act.one.site,
        lock: Some(lock),
        subject: Subject::Path(if lock == origin.lock { origin.path } else { origin.lock }),
        shape: if lock == origin.lock { shape(facts, act) } else { Shape::CheckThenUncovered },
        moments: moments(act, origin, interference),
        evidence,
    })
}

/// The lock that is let go between check and act. For an atomic each operation is a section, and that alone is not for
/// this lint to judge; but if another lock was held over the check and is not held over the act, it is.
fn lock_let_go(facts: &BodyFacts, origin: &Origin) -> Option<PathId> {
    if facts.is_atomic(origin.lock) { origin.seen_under.filter(|_| origin.cover.is_none()) } else { Some(origin.lock) }
}

fn by_effect(all: &Crate, facts: &BodyFacts, act: &Act<'_>, origin: &Origin) -> Vec<Evidence> {
    let inside = facts.paths.is_within(origin.path, act.target) && origin.path != act.target;
    match act.effect {
        Effect::Overwrites => [Evidence::Overwrites].into_iter().chain(by_what_is_written(act.written)).collect(),
        Effect::Adjusts => vec![Evidence::Counts],
        Effect::Calls => [Evidence::ThroughCall].into_iter().chain(by_what_is_put_in(act.written)).collect(),
        // What was tested was more than whether it is there.
        Effect::Removes if inside && !all.writes.is_only_removed(facts, origin) => {
            let by_handle = facts.is_atomic(origin.path).then_some(Evidence::Apart(Apart::ChangedByHandle));
            [Evidence::RemovedWithNews].into_iter().chain(by_handle).collect()
        }
        Effect::Removes => vec![Evidence::RemovedAnyway],
        // What goes with it is done twice.
        Effect::Adds if act.told || act.rides.is_some_and(|does| does > Beyond::Acts) => vec![],
        Effect::Adds => vec![Evidence::AddedAnyway],
        // Of what callees demand, only their assertions are told.
        Effect::Demands if act.one.by_callee => vec![Evidence::Panics, Evidence::Apart(Apart::Asserted)],
        Effect::Demands => vec![Evidence::Panics],
    }
}

/// Something is put into a container for those who were not turned away. Who sets a state anew that was found to be fit for it
/// promises nothing to anybody.
fn admits(facts: &BodyFacts, act: &Act<'_>) -> bool {
    let puts = matches!(act.effect, Effect::Overwrites | Effect::Adds) && is_entry(facts, act.target);
    act.refuses.is_some() && puts
}

fn is_entry(facts: &BodyFacts, target: PathId) -> bool {
    matches!(facts.paths.step(target), Some(Step::Element))
}

/// At worst the same is done twice: nothing that helps who was promised to be the only one.
fn is_work_done_twice(evidence: Evidence) -> bool {
    matches!(evidence, Evidence::Idempotent | Evidence::PlainValue | Evidence::AddedAnyway)
}

/// What is there is returned; what is not there is made, plain as it is, put there, and returned.
fn is_memo(act: &Act<'_>) -> bool {
    let plain = matches!(act.written, Written::Given(Identity::None));
    act.effect == Effect::Overwrites && act.handed_out && plain
}

fn by_what_is_written(written: Written) -> Option<Evidence> {
    match written {
        Written::Constant(_) => Some(Evidence::Constant),
        Written::Derived(Identity::Own) | Written::Given(Identity::Own) => Some(Evidence::HasIdentity),
        Written::Derived(Identity::None) => Some(Evidence::Idempotent),
        Written::Given(Identity::None) => Some(Evidence::PlainValue),
        Written::Derived(Identity::Unknown) | Written::Given(Identity::Unknown) => None,
    }
}

/// What is added to a container is there twice if it is added twice, whatever it is.
fn by_what_is_put_in(written: Written) -> Option<Evidence> {
    match written {
        Written::Derived(Identity::Own) | Written::Given(Identity::Own) => Some(Evidence::HasIdentity),
        Written::Constant(_) | Written::Derived(_) | Written::Given(_) => None,
    }
}

fn shape(facts: &BodyFacts, act: &Act<'_>) -> Shape {
    let in_container = is_entry(facts, act.target);
    match act.effect {
        Effect::Demands => Shape::CheckThenDemand,
        Effect::Adjusts => Shape::CheckThenCount,
        Effect::Overwrites if in_container && admits(facts, act) => Shape::CheckThenAdmit,
        Effect::Overwrites if in_container => Shape::CheckThenInsert,
        Effect::Overwrites | Effect::Calls | Effect::Removes | Effect::Adds => Shape::CheckThenWrite,
    }
}

fn moments(act: &Act<'_>, origin: &Origin, interference: Moment) -> Vec<Moment> {
    let mut moments = Vec::new();
    if origin.section != origin.read {
        moments.push(Moment { happens: Happening::Acquire, site: origin.section });
    }
    moments.push(Moment { happens: Happening::Look, site: origin.read });
    let decided = Moment { happens: Happening::Decided, site: act.decided };
    let left = origin.left.filter(|&left| left != origin.read).map(|site| Moment { happens: Happening::Release, site });
    // Sites are numbered in the order of the code.
    if left.is_some_and(|left| left.site < act.decided) {
        moments.extend(left.into_iter().chain([decided]));
    } else {
        moments.extend([decided].into_iter().chain(left));
    }
    moments.push(interference);
    let again = origin.entered().filter(|&site| site != act.one.site);
    moments.extend(again.map(|site| Moment { happens: Happening::AcquireAgain, site }));
    let last = if act.effect == Effect::Demands { Happening::Demands } else { Happening::Acts };
    moments.push(Moment { happens: last, site: act.one.site });
    moments
}
