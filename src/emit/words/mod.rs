//! Every sentence that a user reads, and nothing else.

mod alone;
mod apart;
mod deadlock;
mod guesses;
mod memory;
mod waiting;

pub use memory::{trait_of, unbounded, unbounded_help, unbounded_steps, unshared};

pub(super) use guesses::{guess, lock_of_caller, refuted};

use crate::checks::{Evidence, Happening, Shape};
use crate::domain::facts::Performed;
use crate::domain::mover::Mover;
use finding::atomicity::{AtomicStep, Atomicity};

/// A lock that only one function knows, as the pictures name it.
pub(super) fn lock_of_function(function: &str, name: &str) -> String {
    format!("{function}: {name}")
}

/// A lock in what another one protects: of an entry of a map.
pub(super) fn lock_inside(of: &str) -> String {
    format!("{of} (inside)")
}

/// A lock by the type that it is in. Numbers of fields tell something only where there is no name.
pub(super) fn lock_of_type<'a>(of: &str, fields: impl Iterator<Item = &'a str> + Clone) -> String {
    let is_name = |field: &&str| !field.starts_with(|first: char| first.is_ascii_digit());
    let names: Vec<&str> = fields.clone().filter(is_name).collect();
    let fields: Vec<&str> = if names.is_empty() { fields.collect() } else { names };
    format!("{of}.{}", fields.join("."))
}

/// The names a story is told with.
#[derive(Clone)]
pub(super) struct Cast {
    /// What went stale, in backticks or described: "`balance`", "`self.counter`", "what the lock protects".
    pub(super) thing: String,
    /// The lock, likewise: "`self.state`", "the lock".
    pub(super) lock: String,
    /// The function that interferes, by its name.
    pub(super) interferer: Option<String>,
}

pub(super) fn message(shape: Shape, cast: &Cast) -> String {
    let Cast { thing, lock, .. } = cast;
    match shape {
        Shape::LostUpdate => format!("this write may undo what another thread did to {thing} since it was read"),
        Shape::PutBack => format!("this drops whatever another thread put into {thing} since it was taken out"),
        Shape::OldValueStored => {
            format!("this value comes from {thing} as it was in an earlier critical section of {lock}")
        }
        Shape::OldValuePassed => {
            format!("this change relies on {thing} as it was in an earlier critical section of {lock}")
        }
        Shape::OldPosition => {
            format!("this position was computed from {thing} in an earlier critical section and may no longer fit")
        }
        Shape::OldKey => {
            format!(
                "this key was computed from {thing} in an earlier critical section: another thread may have come to the same"
            )
        }
        Shape::OldBesidePresent => {
            format!("this tells of {thing} as it was in an earlier critical section, and what goes with it is of now")
        }
        Shape::CheckThenWrite | Shape::CheckThenInsert | Shape::CheckThenAdmit | Shape::CheckThenCount => {
            format!("another thread may have changed {thing} since it was checked, and this does not look again")
        }
        Shape::CheckThenUncovered => {
            format!("{thing} was checked under {lock}, and is changed here after {lock} was let go")
        }
        Shape::CheckThenDemand => format!("this panics if another thread has changed {thing} since it was checked"),
        Shape::AfterWait => format!("{thing} was read before the wait and may have changed when it is used here"),
        Shape::SplitUpdate => format!("this store may undo what another thread did to {thing} since it was loaded"),
        Shape::TestThenStore => {
            format!(
                "another thread may have changed {thing} since it was loaded: the test and this store are two operations"
            )
        }
        Shape::TestThenCount => {
            format!(
                "another thread may have changed {thing} since it was loaded: the test and this count are two operations"
            )
        }
        Shape::CountThenStore => format!("this store drops what other threads have counted in {thing} meanwhile"),
        Shape::CountThenLock => {
            format!("{thing} may have changed before {lock} was taken, and it is not looked at again")
        }
        Shape::TestAfterStore => {
            format!("what was in {thing} is tested after this store: another thread may have come between the two")
        }
        Shape::LoadThenReset => {
            format!(
                "this drops what other threads have brought to {thing} since it was loaded: load and reset are two operations"
            )
        }
        Shape::StoreOverCount => {
            format!("this store drops what another thread has just counted in {thing}, and is about to take back")
        }
        Shape::ExpectsTheOld => format!("once {thing} has changed, this exchange fails for ever"),
        Shape::ExpectsBefore => format!(
            "this exchange expects {thing} as it was before this thread counted: it fails unless others have brought it back to that"
        ),
        Shape::ExchangeIgnored => format!("if this exchange of {thing} fails, nobody notices"),
        Shape::ExchangeThenCount => {
            format!("another thread may have counted {thing} since the exchange: the two are not one operation")
        }
        Shape::NotAtomic => {
            "this function is declared atomic, and with this step it is not: other threads can come in between"
                .to_owned()
        }
        Shape::Unguarded => format!("{thing} is used here without {lock}, which is said to guard it"),
        Shape::RequiresUnmet => format!("this function is said to require {lock}, which is not held here"),
        Shape::Apart(shape) => apart::message(shape, cast),
        Shape::Memory(shape) => memory::message(shape, cast),
        Shape::Deadlock(shape) => deadlock::message(shape, cast),
        Shape::Waiting(shape) => waiting::message(shape, cast),
        Shape::StaleRead => format!("{thing} was set in an earlier critical section and may be stale here"),
    }
}

/// What one call could do, if there is one that lets its caller look at what is there.
fn is_one_step_in_two(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::LostUpdate
            | Shape::CheckThenWrite
            | Shape::CheckThenInsert
            | Shape::CheckThenAdmit
            | Shape::CheckThenCount
            | Shape::SplitUpdate
            | Shape::TestThenStore
    )
}

pub(super) fn help(shape: Shape, cast: &Cast, at_once: Option<&str>) -> String {
    match at_once.filter(|_| is_one_step_in_two(shape)) {
        Some(call) => format!("look at {} and change it in one step, with {call}", cast.thing),
        None => usual_help(shape, cast),
    }
}

fn usual_help(shape: Shape, cast: &Cast) -> String {
    let Cast { thing, lock, .. } = cast;
    match shape {
        Shape::LostUpdate => format!(
            "keep one guard of {lock} from the read to the write; if the lock cannot be kept, read {thing} again after \
             taking it and start over if it has changed"
        ),
        Shape::PutBack => format!(
            "keep one guard of {lock} until the value is back, or merge it into what is there now instead of replacing it"
        ),
        Shape::OldValueStored | Shape::OldValuePassed => {
            format!("read {thing} again under the second lock, or keep one guard of {lock} over both sections")
        }
        Shape::OldPosition => "find the position in the same critical section that uses it, or look the element up by \
             something that does not move"
            .to_owned(),
        Shape::OldKey => {
            "find the key in the same critical section that inserts under it, or take it from a counter that is \
             counted up by the same operation that reads it"
                .to_owned()
        }
        Shape::OldBesidePresent => {
            format!("compute it in the section it is used in, or keep one guard of {lock} over both")
        }
        Shape::CheckThenInsert => format!(
            "look again under the second lock of {lock} before inserting; for a map, `entry(..).or_insert_with(..)` looks and \
             inserts in one step"
        ),
        Shape::CheckThenAdmit => format!(
            "check again under the second lock of {lock} before inserting, and turn away who is too late there; for a map, \
             `entry(..)` says in one step whether it is taken"
        ),
        Shape::CheckThenWrite | Shape::CheckThenCount => {
            format!("check and act under one guard of {lock}, or check again in the section that acts")
        }
        Shape::CheckThenUncovered => format!("change {thing} before {lock} is let go"),
        Shape::CheckThenDemand => format!("look and take under one guard of {lock}, and handle what is not there"),
        Shape::AfterWait => format!("read {thing} after the wait, through the guard that the wait returns"),
        Shape::SplitUpdate => {
            "use `fetch_add` or its kin, `fetch_update`, or a `compare_exchange` loop that starts over".to_owned()
        }
        Shape::TestThenStore => {
            "let one operation test and set: `swap` or `compare_exchange`; to run something once, use `Once`".to_owned()
        }
        Shape::TestThenCount => {
            "test and count in one operation, `fetch_update`; or count first, test what `fetch_add` returns, and \
             take it back if it was too much"
                .to_owned()
        }
        Shape::CountThenStore => "decide before counting, in one operation: `fetch_update`".to_owned(),
        Shape::CountThenLock => format!("after taking {lock}, look at {thing} again before acting on it"),
        Shape::StoreOverCount => {
            "take away only what was put there: `fetch_sub`, `fetch_and`, or a `compare_exchange` loop".to_owned()
        }
        Shape::ExpectsBefore => {
            "expect what the count has become, or decide and count in one `fetch_update`".to_owned()
        }
        Shape::TestAfterStore | Shape::LoadThenReset => {
            "use `swap`, which stores and returns what was there before".to_owned()
        }
        Shape::ExpectsTheOld => {
            "go on with what the failed exchange returns (`Err(now) => expected = now`), or load in the loop".to_owned()
        }
        Shape::ExchangeThenCount => "let one operation do both: `fetch_update`".to_owned(),
        Shape::ExchangeIgnored => {
            "handle the failure: start over with what it returns, or use `fetch_update`".to_owned()
        }
        Shape::NotAtomic => {
            "hold the lock from the first step that needs it to the last, or let one operation do it all".to_owned()
        }
        Shape::Unguarded | Shape::RequiresUnmet => {
            format!("take {lock} first, or, if the callers hold it, say so with `#[requires(..)]` on this function")
        }
        Shape::Apart(shape) => apart::help(shape, cast),
        Shape::Memory(shape) => memory::help(shape, cast),
        Shape::Deadlock(shape) => deadlock::help(shape, cast),
        Shape::Waiting(shape) => waiting::help(shape, cast),
        Shape::StaleRead => "read it again in the section that uses it".to_owned(),
    }
}

pub(super) fn step(happens: &Happening, cast: &Cast) -> String {
    let Cast { thing, lock, interferer } = cast;
    match happens {
        Happening::Acquire => format!("thread A locks {lock}"),
        Happening::Read => format!("thread A reads {thing} under the lock"),
        Happening::TakeOut => format!("thread A takes out what is in {thing}"),
        Happening::Release => "thread A unlocks".to_owned(),
        Happening::Interfere { same_function: true, .. } => {
            format!("meanwhile thread B may run this same function and write {thing} here")
        }
        Happening::Interfere { same_function: false, .. } => match interferer {
            Some(function) => format!("meanwhile thread B may write {thing} here, in `{function}`"),
            None => format!("meanwhile thread B may write {thing} here"),
        },
        Happening::AcquireAgain => format!("thread A locks {lock} again"),
        Happening::Look => format!("thread A looks at {thing} under the lock"),
        Happening::Decided => "and decides by what it saw".to_owned(),
        Happening::Acts => "and acts on the old answer".to_owned(),
        Happening::Demands => "and relies on the old answer".to_owned(),
        Happening::Waits => "thread A waits here, and may wake up before what it waits for is so".to_owned(),
        Happening::LeftUntested => format!("and lets {lock} go without having tested anything again"),
        Happening::ReadsCondition => format!("thread A reads {thing} without {lock}"),
        Happening::Sleeps => "and waits for a notification that has been given already".to_owned(),
        Happening::OtherWait { .. } => "thread B waits on it with another mutex here".to_owned(),
        Happening::PresentBeside => "beside what is there now".to_owned(),
        Happening::WaitReturns => "thread A waits here: the lock is free until the wait returns".to_owned(),
        Happening::Write => "and writes what it computed from the old value".to_owned(),
        Happening::PutBack => "and puts it back over what is there now".to_owned(),
        Happening::PassedOn => "and passes on what it computed from the old value".to_owned(),
        Happening::UsedAsKey => "and inserts under the old key here, over what B has put there".to_owned(),
        Happening::UsedAsPosition => "and uses the old position or length here".to_owned(),
        Happening::UsedAsContainer => "then uses the old one here".to_owned(),
        Happening::Decides => "then decides by the old value".to_owned(),
        Happening::Loads => format!("thread A loads {thing}"),
        Happening::Counts => format!("thread A changes {thing}, and decides by what it was"),
        Happening::ActsLate => format!("thread A takes {lock} and acts on the old answer"),
        Happening::StoresBlindly => "thread A stores without a look".to_owned(),
        Happening::Resets => "and sets it back over what B has brought".to_owned(),
        Happening::ExpectsTheOld => "and still expects the old value, in each round".to_owned(),
        Happening::ExpectsBefore => "and expects what was there before that".to_owned(),
        Happening::MakesFit => format!("thread A sets {thing} anew, if it is time for that, and does not ask"),
        Happening::CountsOn => "and counts on from whatever is there now".to_owned(),
        Happening::GivesUp => "the exchange may fail, and thread A goes on as if it had not".to_owned(),
        Happening::Performs(what @ Performed::CallsUnknown, _)
        | Happening::Breaks(what @ Performed::CallsUnknown, _) => {
            format!("{}, and may do anything to what it is given", performed(*what, lock))
        }
        Happening::Performs(what, mover) | Happening::Breaks(what, mover @ Mover::Compound) => {
            format!("{}: {}", performed(*what, lock), moves(*mover))
        }
        Happening::Breaks(what, mover) => {
            format!("{}: {}, and the steps before leave no room for that", performed(*what, lock), moves(*mover))
        }
        Happening::HeldInstead(_) => format!("{lock} is held, which is another lock"),
        Happening::UsesUnguarded => format!("{thing} is used, and {lock} is not held"),
        Happening::CallsUnguarded => format!("the call needs {lock}, and it is not held"),
        Happening::Apart(happens) => apart::step(*happens, cast),
        Happening::Memory(happens) => memory::step(*happens, cast),
        Happening::Deadlock(happens) => deadlock::step(*happens, cast),
        Happening::VariableSet => format!("{thing} is set inside a critical section"),
        Happening::SectionEntered => "a later critical section is entered".to_owned(),
        Happening::VariableRead => format!("{thing} still has the value from before"),
        Happening::VariableReadAgain => "and here".to_owned(),
    }
}

fn in_function(name: Option<&str>) -> String {
    name.map(|name| format!(", in `{name}`")).unwrap_or_default()
}

/// For a lock, or a function, that has no name in the source.
pub(super) fn unnamed(what: Performed) -> &'static str {
    match what {
        Performed::Calls(_) | Performed::CallsUnguarded(_) => "a function",
        _ => "a lock",
    }
}

/// Why a function is what it is, from the steps that count.
pub(super) fn why_atomicity(is: Atomicity, steps: &[AtomicStep]) -> String {
    let told = |step: &AtomicStep| match step.moves {
        Atomicity::Compound => format!("{} at line {}, where others can come in between", step.text, step.place.line),
        _ => step.text.clone(),
    };
    let too_many = steps.last().filter(|last| last.moves != Atomicity::Compound);
    let told = steps.iter().map(told).collect::<Vec<_>>().join("; ");
    match (is, too_many) {
        (Atomicity::Const, _) => "touches nothing that other threads change".to_owned(),
        (Atomicity::Mover, None) => "touches only what other threads cannot have meanwhile".to_owned(),
        (Atomicity::Mover, Some(_)) => format!("{told}: other threads cannot have it meanwhile"),
        (Atomicity::Error, None) => "its callers hold the lock, as it says".to_owned(),
        (Atomicity::RightMover | Atomicity::LeftMover | Atomicity::Error, _) => told,
        (Atomicity::Atomic, _) => format!("{told}: as if at one point in time"),
        (Atomicity::Compound, None) => told,
        (Atomicity::Compound, Some(last)) => {
            format!("{told}: the last step, at line {}, is one too many", last.place.line)
        }
    }
}

pub(super) fn performed(what: Performed, lock: &str) -> String {
    match what {
        Performed::Acquires(_) => format!("takes {lock}"),
        Performed::Releases(_) => format!("lets {lock} go"),
        Performed::Operates(_) => format!("one operation on {lock}"),
        Performed::Calls(_) => format!("calls {lock}"),
        Performed::CallsUnguarded(_) => format!("calls {lock} without a lock that is needed there"),
        Performed::CallsUnknown => "calls a function that is not known here".to_owned(),
        Performed::ReachesOut => "input, output, or another thread".to_owned(),
        Performed::Touches(_) => format!("uses {lock} without the lock that guards it"),
    }
}

fn moves(mover: Mover) -> &'static str {
    match mover {
        Mover::Both => "can be moved both ways",
        Mover::Right => "can only be moved later",
        Mover::Left => "can only be moved earlier",
        Mover::Atomic => "cannot be moved",
        Mover::Compound => "not atomic itself",
    }
}

/// Completes "reported because ..".
pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::DataDependence => "what is written is computed from the old value",
        Evidence::Overwrites => "the write replaces what is there without looking at it",
        Evidence::ThroughCall => "the call that gets the old value may look at the present one",
        Evidence::Adjusts => "the present value is part of what is written",
        Evidence::SamePlace => "it goes back to the place it came from",
        Evidence::OtherPlace => "it goes to another place than it came from",
        Evidence::MovedOut => "the place was left empty for others to fill",
        Evidence::OwnEntry => "an entry that was taken out is this thread's, and others may come under other keys",
        Evidence::GoneUnseen => "what others bring between the load and the store is in neither",
        Evidence::WrapsAround => "counted below zero it wraps around to the largest number there is",
        Evidence::OldKey => "a key that was to be new is made of the old content",
        Evidence::OldPosition => "a position or length of the old content is used on the present one",
        Evidence::OldContainer => "what was read before is used as if it were the present one",
        Evidence::OldDecision => "a decision under the lock depends on the old value",
        Evidence::AcrossWait => "the wait lets others have the lock in between",
        Evidence::WrittenElsewhere => "another function writes it",
        Evidence::WrittenHere => "this function writes it, and two threads may run it",
        Evidence::Older => "more than one critical section has passed since",
        Evidence::LastRound => "it was read in an earlier round of the loop",
        Evidence::AmongMuch => "it depends on much else as well",
        Evidence::Unclear => "it is not clear what the called function does with it",
        Evidence::CheckedEarlier => "that it is done was decided by what an earlier critical section saw",
        Evidence::CheckedPlace => "what is changed is what was checked",
        Evidence::OtherPlaceChecked => "what is changed is not what was checked",
        Evidence::Counts => "two threads that pass the check together both count",
        Evidence::AddedAnyway => "what is in a set already can be put there again without harm",
        Evidence::RemovedWithNews => "what has come into it since the check goes with it",
        Evidence::ChangedInPlace => "others change entries in their place, and what they did to this one is lost",
        Evidence::StaysAsPut => {
            "nobody changes an entry that is there, so that only another one under the same key would be taken for it"
        }
        Evidence::RemovedAnyway => "taking away what is already gone does no harm",
        Evidence::Panics => "it panics if the check no longer holds",
        Evidence::Constant => "whoever writes it writes the same, as far as can be seen",
        Evidence::Idempotent => "a plain value made from the same things is written twice at worst",
        Evidence::Remembers => {
            "only this function writes it, and returns what it keeps: the work is done twice at worst"
        }
        Evidence::PlainValue => "what is written is plain data, of which only the last counts",
        Evidence::HasIdentity => "what is put there can be told from its equal, and the one that was there is lost",
        Evidence::ReadThenWrite => "it was checked under the read lock and is done under the write lock",
        Evidence::Slept => "an `.await` stands in between",
        Evidence::BlocksBetween => "the thread waits in between",
        Evidence::WakesOthers => "another thread is started, or given something, in between",
        Evidence::RidesAlong => "the same decision has an effect that is not undone",
        Evidence::Implicit => "the variable tells only which way was taken",
        Evidence::BesidePresent => "an old count or state goes together with the present one",
        Evidence::CheckedUnderLock => "the check was made under a lock that is not held any more",
        Evidence::OnlySet => "it is a flag that is only ever set: to set it twice does no harm",
        Evidence::LoadedEarlier => "that it is done was decided by what an earlier operation saw",
        Evidence::ChangedUnderLock => "it is changed under the lock that is taken only afterwards",
        Evidence::LockedLate => "a lock is taken for the change, but only after the test",
        Evidence::ResetsOther => "what is set up because of it is changed by others meanwhile, and starts over",
        Evidence::CountedOnTrial => "another function counts first and takes it back, which then goes below zero",
        Evidence::CountedItself => "the count itself has just changed it",
        Evidence::SetBack => "it is set back to zero, which whoever has set it may be entitled to",
        Evidence::PracticeOfType => {
            "several functions do so with several locks of this type, as if something made them take turns"
        }
        Evidence::CommonPractice => "several functions change it this way, as if something made them take turns",
        Evidence::Promised => "the function is `unsafe`: its callers may have promised to be alone",
        Evidence::TurnsAway => "who is too late is turned away, but two that come together are both let in",
        Evidence::Approximate => "how far a limit is overshot may be meant",
        Evidence::TestedLate => "what it was is asked for only after it was overwritten",
        Evidence::NeverLoadedAgain => "the loop never learns what is there now",
        Evidence::AnswerIgnored => "the result says whether it was done, and nobody looks",
        Evidence::OthersDidIt => "whoever was faster may have put the same there",
        Evidence::FailsForNoReason => "the weak form may fail though nobody interferes",
        Evidence::MeantToBeAtomic => "the function is declared atomic",
        Evidence::SaidToBeGuarded => "the code says which lock is needed for this",
        Evidence::Alone(evidence) => alone::reason(evidence),
        Evidence::Apart(evidence) => apart::reason(evidence),
        Evidence::Memory(evidence) => memory::reason(evidence),
        Evidence::Deadlock(evidence) => deadlock::reason(evidence),
        Evidence::Waiting(evidence) => waiting::reason(evidence),
        Evidence::OrderOnly => "a critical section was entered between the write of the variable and this read",
    }
}
