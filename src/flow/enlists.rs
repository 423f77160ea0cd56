//! Who has to wait leaves word where whoever brings what it waits for can find it: a `Waker` in a list, a `oneshot::Sender` in a
//! queue, the future of a `Notify`. What was seen before that may have come in between, when nobody was there to be woken; so
//! it has to be looked at again before the task sleeps.

use crate::domain::facts::{Enlisting, LateWord};
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, Step, whole_local};
use crate::domain::set::Set;
use crate::domain::state::{Decision, State};
use crate::domain::value::Value;
use crate::events::{Beyond, Call, EventKind, Function, Local, Meaning, Operand, Place, Rvalue, Site};
use crate::flow::calls::Argument;
use crate::flow::transfer::Walker;
use crate::summary::LockKey;

/// Where it can be found from now on.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) on: PathId,
    pub(super) by_notice: bool,
    pub(super) alone: bool,
}

impl Walker<'_> {
    pub(super) fn enlist(&mut self, state: &mut State, word: Word, site: Site) {
        let early = self.seen_before(state, word.on);
        // A callee that decides by itself whether it waits goes by what it sees, and not by what led to the call.
        if early.is_empty() || self.asked_within {
            return;
        }
        let lock = self.paths.lock_above(word.on);
        let tested = state.rechecked.iter().filter(|(of, _)| Some(*of) == lock).map(|(_, path)| *path);
        let tested: Vec<PathId> = tested.collect();
        let under_own = match &self.key {
            Some(key) => key.looks.iter().any(|look| self.is_own_number(look)),
            // Made by the callee.
            None => self.applying && self.paths.is_entry(word.on),
        };
        for (decided, origin) in early {
            state.enlisted.insert((origin.lock, site));
            if let Some(record) = &mut self.record {
                let Word { on, by_notice, alone } = word;
                let tested = tested.clone();
                let new = Enlisting { site, on, by_notice, decided, origin, alone, under_own, tested };
                record.enlistings.entry((origin.lock, site)).or_insert(new);
            }
        }
    }

    /// The looks that led here, in sections that are over.
    fn seen_before(&self, state: &State, on: PathId) -> Vec<(Site, Origin)> {
        let under = self.paths.lock_above(on);
        let counts = |decision: &Decision, origin: &Origin| {
            let plain = origin.how == How::Copied || (origin.how == How::Taken && decision.gone);
            plain
                && origin.left.is_some()
                && (under.is_none() || origin.seen_under != under)
                && !self.paths.is_ambiguous(origin.lock)
                && !self.is_rechecked(state, origin)
                && !state.announced.iter().any(|(read, _)| *read == origin.read)
        };
        let leading = self.decisions_leading_here(state);
        let looks = leading.flat_map(|decision| decision.value.looks.iter().map(move |look| (decision, *look)));
        let looks: Vec<(&Decision, Origin)> = looks.collect();
        // What it saw in the section that it leaves word in decides, too: whatever it saw before that is not all it goes by.
        let again = |lock: PathId| looks.iter().any(|(_, look)| look.lock == lock && look.left.is_none());
        let early = looks.iter().filter(|(decision, look)| counts(decision, look) && !again(look.lock));
        early.map(|(decision, look)| (decision.site, *look)).collect()
    }

    /// A section of the lock begins: whatever is seen in it is seen after the word was left.
    pub(super) fn looked_again(&self, state: &mut State, lock: PathId) {
        if state.enlisted.is_empty() {
            return;
        }
        let key = LockKey::of(&self.paths, lock);
        let same = |other: PathId| other == lock || (key.is_some() && LockKey::of(&self.paths, other) == key);
        state.enlisted.retain(|&(of, _)| !same(of));
    }

    /// Nobody knows what the callee looks at.
    pub(super) fn may_look_again(&self, state: &mut State, arguments: &[Argument]) {
        let given = |lock: PathId| {
            let mut targets = arguments.iter().filter_map(|argument| argument.target);
            targets.any(|target| self.paths.is_within(lock, target))
        };
        if !state.enlisted.is_empty() {
            state.enlisted.retain(|&(lock, _)| !given(lock));
        }
    }

    /// Numbers that nobody else has go to another thread: from here on an answer to them may come.
    pub(super) fn announce(&mut self, state: &mut State, call: &Call, site: Site) {
        // A setter of something that this function has.
        if call.beyond == Some(Beyond::Sends) {
            self.note_sent(site);
            if let Some(record) = &mut self.record {
                record.notes.sends = true;
            }
        }
        let object = call.arguments.first().and_then(|first| self.pointer_of(state, first));
        let own =
            |to: PathId| self.paths.root_local(to).is_some() && !self.paths.steps(to).into_iter().any(Step::is_pointee);
        if call.beyond == Some(Beyond::Acts) && object.is_some_and(own) {
            return;
        }
        for operand in call.arguments.iter().skip(1) {
            let given = self.look(state, operand, site);
            self.announce_all(state, &given, site);
        }
    }

    pub(super) fn note_sent(&mut self, site: Site) {
        let block = self.block;
        if let Some(record) = &mut self.record {
            record.sends.push((site, block));
        }
    }

    /// What was given to this function goes with it, for its callers to know.
    pub(super) fn announce_all(&mut self, state: &mut State, sent: &Value, site: Site) {
        let own = sent.looks.iter().filter(|look| self.is_own_number(look));
        state.announced.extend(own.map(|look| (look.read, site)));
        if let Some(record) = &mut self.record {
            let given = Value { looks: Set::default(), inputs: sent.inputs.clone() };
            record.notes.sent.add(&given);
        }
    }

    /// `fetch_add`, or counted up under a lock.
    pub(super) fn is_own_number(&self, look: &Origin) -> bool {
        look.how == How::Reserved || (self.is_atomic(look.lock) && !look.shared)
    }

    /// Word is left under a number that was announced. What was put there before is what an answer finds.
    pub(super) fn note_late_word(&mut self, state: &State, on: PathId, site: Site) {
        let Some(key) = self.key.as_ref().filter(|_| !state.announced.is_empty()) else { return };
        let own = key.looks.iter().filter(|look| self.is_own_number(look));
        let told = |look: &Origin| state.announced.iter().find(|(read, _)| *read == look.read).map(|(_, sent)| *sent);
        let Some(sent) = own.filter_map(told).min() else { return };
        let Some(record) = &mut self.record else { return };
        let mut before = record.writes.iter().filter(|write| write.site < sent);
        if !before.any(|write| self.paths.overlap(write.target, on)) {
            record.late_words.push(LateWord { site, on, sent });
        }
    }

    /// Whoever has not looked again by now does not before it is woken.
    pub(super) fn go_to_sleep(&mut self, state: &mut State) {
        if let Some(record) = &mut self.record {
            record.slept.extend(state.enlisted.iter().copied());
        }
        state.enlisted = Set::default();
    }

    /// `notified().await`, or `listen().wait()`: nothing but a notification ends it. What goes elsewhere may have a limit of time.
    pub(super) fn is_awaited(&self, call: &Call) -> bool {
        let moved = |operand: &Operand| matches!(operand, Operand::Move(place) if *place == call.to);
        let sleeps = |next: &Call| next.meaning == Some(Meaning::Pass) || next.beyond == Some(Beyond::Blocks);
        let awaits = |kind: &EventKind| match kind {
            EventKind::Call(next) => sleeps(next) && next.arguments.iter().any(moved),
            _ => false,
        };
        self.function.events().any(|event| awaits(&event.kind))
    }

    /// The present event writes something that wakes who waits.
    pub(super) fn leaves_word(&self) -> bool {
        let wakes = |operand: &Operand| self.is_waker(operand);
        match self.event {
            Some(EventKind::Assign { value: Rvalue::Use(operand), .. }) => wakes(operand),
            Some(EventKind::Assign { value: Rvalue::Aggregate { parts, .. }, .. }) => {
                parts.iter().any(|part| wakes(&part.operand))
            }
            Some(EventKind::Call(call)) => match call.meaning {
                Some(Meaning::Swap | Meaning::Take { .. } | Meaning::Remove) => false,
                _ => call.arguments.iter().skip(1).any(wakes),
            },
            _ => false,
        }
    }

    fn is_waker(&self, operand: &Operand) -> bool {
        let Some(place) = operand.place() else { return false };
        let variable = self.function.variables.get(place.local as usize);
        variable.is_some_and(|variable| variable.facts.wakes) && !self.is_set_to_nothing(self.moved_from(place.local))
    }

    /// `None`, or another variant without anything in it.
    fn is_set_to_nothing(&self, local: Local) -> bool {
        let sets = |to: &Place| whole_local(to) == Some(local);
        self.function.events().any(|event| match &event.kind {
            EventKind::Assign { to, value: Rvalue::Aggregate { parts, .. } } => parts.is_empty() && sets(to),
            _ => false,
        })
    }
}

/// Something that wakes who waits is in its hands, or it waits to be notified.
pub(super) fn enlists(function: &Function) -> bool {
    let waits = |kind: &EventKind| match kind {
        EventKind::Call(call) => matches!(call.meaning, Some(Meaning::Sleep | Meaning::Enlist)),
        _ => false,
    };
    function.variables.iter().any(|variable| variable.facts.wakes) || function.events().any(|event| waits(&event.kind))
}
