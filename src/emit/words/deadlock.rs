//! What is said of threads that wait for ever.

use super::{Cast, in_function};
use crate::checks::terms::deadlock::{Evidence, Happening, Shape};

pub(super) fn message(shape: Shape, Cast { thing, lock, .. }: &Cast) -> String {
    match shape {
        Shape::TakenTwice => format!("this waits for {lock}, which this thread holds: it never goes on"),
        Shape::ReadTwice => format!(
            "this thread reads {lock} already: if a writer comes in between, this waits for it, and it for this thread"
        ),
        Shape::SameShard => format!(
            "this thread holds an entry of {lock}: if what is asked for here is in the same shard, it waits for itself"
        ),
        Shape::InClosure => format!(
            "this runs the caller's closure with {lock} held, and gives it what leads to {lock}: if it takes it, it waits for itself"
        ),
        Shape::InWaker => format!(
            "this polls a future with {lock} held: if it wakes itself, as it may, that waits for {lock}, and never goes on"
        ),
        Shape::LockOrder => format!(
            "this waits for {lock} with {thing} held, and who has {lock} elsewhere may be waiting for {thing}: a deadlock"
        ),
        Shape::WaitsHolding => {
            format!("this waits to be notified with {lock} held, and who would notify it needs {lock} first")
        }
        Shape::NotHeard => format!(
            "{thing} is changed and this notification given without {lock}: who tests {thing} under {lock} may miss both"
        ),
        Shape::EnlistedLate => format!(
            "who changes {thing} between the look at it and this finds nobody to wake, and this waits for ever: it does not \
             look again"
        ),
        Shape::AnsweredEarly => format!(
            "the answer may come before this, finds nobody in {lock}, and is lost: the message was sent already, and this \
             waits for ever"
        ),
        Shape::ToldEarly => format!(
            "this notification comes before {thing} is changed: who is woken finds nothing new, sleeps again, and hears of \
             the change from nobody"
        ),
        Shape::Unheard => {
            "this waits for ever if the notification is given before it, which wakes only those who wait by then"
                .to_owned()
        }
        Shape::AcrossAwait => {
            format!("the guard of {lock} is kept while the task sleeps: whoever wants the lock blocks its thread")
        }
    }
}

pub(super) fn help(shape: Shape, Cast { thing, lock, .. }: &Cast) -> String {
    match shape {
        Shape::TakenTwice | Shape::ReadTwice | Shape::SameShard => {
            "let the first guard go before (`drop`, or a block around it), or hand on what it protects".to_owned()
        }
        Shape::InClosure => {
            "let the guard go before the closure is run, or give it only what the lock protects".to_owned()
        }
        Shape::InWaker => "let the guard go before the future is polled, and take it again after that".to_owned(),
        Shape::LockOrder => format!("take the locks in one order everywhere, or let {thing} go before {lock} is taken"),
        Shape::WaitsHolding => format!("let {lock} go before the wait, and take it again after it"),
        Shape::NotHeard => {
            format!("hold {lock} while {thing} is changed, or take it once between the change and the notification")
        }
        Shape::EnlistedLate => format!(
            "look at {thing} again after this, before sleeping, or make this the first step and the look the second, or do \
             both under the lock under which {thing} is changed"
        ),
        Shape::AnsweredEarly => {
            format!("put it into {lock} before the message is sent, and take it out again if that fails")
        }
        Shape::ToldEarly => format!("change {thing} first, and notify after that"),
        Shape::Unheard => {
            "note down that it has come to that (a flag, a state under a lock), make the future, look, and wait only then; or \
             use what is kept for who comes later: `notify_one`, a semaphore, a `CancellationToken`"
                .to_owned()
        }
        Shape::AcrossAwait => format!(
            "let the guard of {lock} go before the `.await` (a block around its uses, or `drop`), or use a lock that is made \
             for tasks"
        ),
    }
}

pub(super) fn step(happens: Happening, Cast { thing, lock, interferer }: &Cast) -> String {
    let within = || in_function(interferer.as_deref());
    match happens {
        Happening::Holds => format!("thread A takes {lock}"),
        Happening::TakesAgain => "and takes it again before it has let it go".to_owned(),
        Happening::CalleeTakesAgain => "and calls a function that takes it again".to_owned(),
        Happening::DropTakesAgain => "and drops something here whose `Drop` takes it again".to_owned(),
        Happening::ClosureMayTakeAgain { .. } => match interferer {
            Some(taker) => format!("and runs the caller's closure, which can call `{taker}`: that takes it again"),
            None => "and runs the caller's closure, which can take it again".to_owned(),
        },
        Happening::WakerTakesAgain { .. } => {
            format!("and polls a future, which may be woken from within: that takes it again{}", within())
        }
        Happening::HasLock { other: false, .. } => format!("thread A takes {lock}"),
        Happening::WantsLock { other: false, .. } => format!("and waits for {lock}"),
        Happening::HasLock { other: true, .. } | Happening::HasLockElsewhere { .. } => {
            format!("thread B takes {lock}{}", within())
        }
        Happening::WantsLock { other: true, .. } | Happening::WantsLockElsewhere { .. } => {
            format!("and thread B waits for {lock}")
        }
        Happening::WaitsHolding => "and waits here, without letting it go".to_owned(),
        Happening::NotifierNeeds { .. } => {
            format!("thread B would notify here{}, and cannot come to it without {lock}", within())
        }
        Happening::TestsUnder { .. } => {
            format!("thread B has looked under {lock} and is about to wait here{}", within())
        }
        Happening::ChangesUnlocked { .. } => format!("thread A changes {thing} without {lock}"),
        Happening::NotifiesUnlocked => "and notifies before thread B sleeps: nobody hears it".to_owned(),
        Happening::ChangesAndWakes { .. } => {
            format!("meanwhile thread B may change {thing} here{}, and wakes who is there to be woken", within())
        }
        Happening::Enlists => "and leaves word only now where it can be woken".to_owned(),
        Happening::Announces => "thread A sends a message with a number of its own".to_owned(),
        Happening::FindsNobody { .. } => {
            format!("thread B may bring the answer here{}, and finds nothing in {lock}", within())
        }
        Happening::TellsEarly => "thread A notifies".to_owned(),
        Happening::WokenInVain { .. } => {
            format!("thread B wakes up here{}, finds {thing} as it was, and sleeps again", within())
        }
        Happening::ChangesUntold => format!("thread A changes {thing} only now, and tells nobody"),
        Happening::WakesWhoIsThere { .. } => {
            format!("thread B wakes here{} who is there to be woken", within())
        }
        Happening::WaitsUnheard => "and only then thread A begins to wait".to_owned(),
        Happening::SleepsHolding => "and the task sleeps here, with the guard alive".to_owned(),
        Happening::SleepsToo { .. } => format!("and so does one that takes it here{}", within()),
    }
}

pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::TakenTwice => "on every way that leads here the lock is held, and it cannot be had twice",
        Evidence::NobodyWrites => "nobody is seen to write, so there is no writer to wait behind",
        Evidence::ReadTwice => "on every way that leads here it is held for reading, and readers wait behind a writer",
        Evidence::SameShard => "an entry of the map is held on every way that leads here",
        Evidence::InClosure => "others can take it by what the closure is given",
        Evidence::InWaker => "a future that gives way to others wakes itself before it returns, on the same thread",
        Evidence::InDrop => "whether the `Drop` comes to it depends on what is left to do",
        Evidence::AfterPanic => "it comes to that only after another thread has panicked with the lock",
        Evidence::Circle => "each thread waits for a lock that the other has",
        Evidence::Twins => "who calls it with the two the other way round takes them in the other order",
        Evidence::QueuedWriter => {
            "both only read one of the locks: a writer that waits in between keeps the second reader out"
        }
        Evidence::LongCircle => "more than two threads have to come together",
        Evidence::InHelper => {
            "one of them is a private function that takes it through another: who calls it may be alone"
        }
        Evidence::Guessed => "which function takes it depends on the type of an object, and the two may never meet",
        Evidence::JustMade => "one of the locks is in an object that is made here, and nobody else may have it yet",
        Evidence::NotifiersNeedIt => "everyone who notifies takes that lock before",
        Evidence::ChangedUnlocked => "between the look and the sleep of the waiter nothing holds the other thread up",
        Evidence::LookedEarly => {
            "what was seen before word was left decides that it sleeps, and is not looked at again"
        }
        Evidence::SentFirst => "it is kept under the number that was sent, and whoever answers looks for it there",
        Evidence::ToldEarly => "what the waiter looks for is changed after the notification, and none follows",
        Evidence::LeavesNothing => "nothing that others can change is looked at, and the notification is not kept",
        Evidence::TimedWait => "the wait ends when time is up in any case",
        Evidence::HeldAcrossAwait => "the lock blocks threads, and the task may sleep for long",
        Evidence::OthersTakeIt => "other functions take the lock, too",
        Evidence::OnlyReads => "it is held for reading",
        Evidence::KnownToAuthors => "the code allows `clippy::await_holding_lock` there",
    }
}
