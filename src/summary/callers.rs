//! Locks that every caller holds: Houdini's `requires`, guessed for each function and taken back where a call refutes it.
//!
//! A helper that is only ever called with an outer lock held is covered by that lock, though it never names it. The
//! guess starts with "every lock", and each call leaves what is held there; a function whose callers are not all known
//! keeps nothing.
//!
//! `&mut T` of a type that is kept under a lock is as good as that lock: whoever has it got it from a guard.

use crate::domain::facts::{BodyFacts, CallUnder, CalledOn};
use crate::domain::path::PathId;
use crate::events::{DefinitionId, Mode};
use crate::summary::LockKey;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// Locks that are held, and how.
pub(super) type Guards = BTreeMap<LockKey, Mode>;

/// By body.
#[derive(Debug, Default)]
pub struct HeldByCallers {
    held: Vec<Guards>,
}

/// Calls as they matter here: who, whom, under what.
struct Call {
    caller: usize,
    callee: usize,
    under: Guards,
}

impl HeldByCallers {
    /// Locks.
    pub(super) fn of_locks(bodies: &[BodyFacts]) -> HeldByCallers {
        let kept: BTreeSet<DefinitionId> = bodies.iter().flat_map(kept_under_locks).collect();
        let mut all = HeldByCallers::infer(bodies, |facts, call| {
            keys(facts, &call.under).into_iter().chain(said(facts)).chain(exclusive(facts, &kept)).collect()
        });
        for (held, facts) in all.held.iter_mut().zip(bodies) {
            held.extend(said(facts).into_iter().chain(exclusive(facts, &kept)));
        }
        all
    }

    /// Objects that a body, or every caller of it, has to itself.
    pub(super) fn of_drivers(bodies: &[BodyFacts]) -> HeldByCallers {
        let mut all = HeldByCallers::infer(bodies, |facts, _| driver(facts).collect());
        for (held, facts) in all.held.iter_mut().zip(bodies) {
            held.extend(driver(facts));
        }
        all
    }

    /// Whatever can be had at a call, and lasts until it is over.
    pub(super) fn infer(bodies: &[BodyFacts], at_call: impl Fn(&BodyFacts, &CallUnder) -> Guards) -> HeldByCallers {
        let calls = calls(bodies, at_call);
        let called: BTreeSet<usize> = calls.iter().map(|call| call.callee).collect();
        // `None` is "every lock": no call was seen yet that says less.
        let mut held: Vec<Option<Guards>> = bodies
            .iter()
            .enumerate()
            .map(|(body, facts)| if facts.callers_known && called.contains(&body) { None } else { Some(Guards::new()) })
            .collect();
        let mut by_caller: Vec<Vec<&Call>> = vec![Vec::new(); bodies.len()];
        calls.iter().for_each(|call| by_caller[call.caller].push(call));
        let mut open: VecDeque<usize> = (0..bodies.len()).filter(|&body| held[body].is_some()).collect();
        let mut waiting: Vec<bool> = held.iter().map(Option::is_some).collect();
        while let Some(caller) = open.pop_front() {
            waiting[caller] = false;
            let Some(above) = held[caller].clone() else { continue };
            for call in &by_caller[caller] {
                let here = both(above.clone(), &call.under);
                let left = match &held[call.callee] {
                    None => here,
                    Some(known) => on_either_way(known, &here),
                };
                if held[call.callee].as_ref() != Some(&left) {
                    held[call.callee] = Some(left);
                    if !std::mem::replace(&mut waiting[call.callee], true) {
                        open.push_back(call.callee);
                    }
                }
            }
        }
        HeldByCallers { held: held.into_iter().map(Option::unwrap_or_default).collect() }
    }

    pub(super) fn at(&self, body: usize) -> &Guards {
        &self.held[body]
    }
}

fn kept_under_locks(facts: &BodyFacts) -> impl Iterator<Item = DefinitionId> {
    facts.lock_types.iter().filter_map(|(_, lock_type)| lock_type.protects)
}

/// What the body was given is kept under locks, and it has it alone.
fn exclusive(facts: &BodyFacts, kept: &BTreeSet<DefinitionId>) -> impl Iterator<Item = (LockKey, Mode)> {
    facts.exclusive_types.iter().filter(|of| kept.contains(of)).map(|&of| (LockKey::Exclusive(of), Mode::Exclusive))
}

fn driver(facts: &BodyFacts) -> impl Iterator<Item = (LockKey, Mode)> {
    facts.driven_by.map(|of| (LockKey::Exclusive(of), Mode::Exclusive)).into_iter()
}

/// What it says its callers hold.
fn said(facts: &BodyFacts) -> Guards {
    keys(facts, &facts.requires)
}

/// The locks by their keys, and the types they give access to.
pub(super) fn keys(facts: &BodyFacts, locks: &[(PathId, Mode)]) -> Guards {
    let own = locks.iter().filter_map(|&(lock, mode)| Some((LockKey::of(&facts.paths, lock)?, mode)));
    let types = locks.iter().filter_map(|&(lock, mode)| Some((LockKey::Exclusive(facts.protected_by(lock)?), mode)));
    own.chain(types).collect()
}

/// All of them, each as strongly as it is held.
pub(super) fn both(mut one: Guards, other: &Guards) -> Guards {
    for (lock, &mode) in other {
        let known = one.entry(lock.clone()).or_insert(mode);
        *known = mode.max(*known);
    }
    one
}

/// Those that are in both, each as weakly as it is held.
fn on_either_way(one: &Guards, other: &Guards) -> Guards {
    let common = one.iter().filter_map(|(lock, &mode)| Some((lock.clone(), mode.min(*other.get(lock)?))));
    common.collect()
}

fn calls(bodies: &[BodyFacts], at_call: impl Fn(&BodyFacts, &CallUnder) -> Guards) -> Vec<Call> {
    let places: HashMap<DefinitionId, usize> =
        bodies.iter().enumerate().map(|(place, facts)| (facts.id, place)).collect();
    let (mut all, mut on_own) = (Vec::new(), Vec::new());
    for (caller, facts) in bodies.iter().enumerate() {
        for call in &facts.calls {
            let Some(&callee) = places.get(&call.callee) else { continue };
            let known = Call { caller, callee, under: at_call(facts, call) };
            if call.on == CalledOn::Own { on_own.push(known) } else { all.push(known) }
        }
    }
    let needless = locks_of_objects(&all);
    for call in &mut on_own {
        call.under.extend(needless.get(&call.callee).into_iter().flatten().cloned());
    }
    all.append(&mut on_own);
    all
}

/// By callee: the locks of objects that are held where it is called. Nobody else has what a caller has just made, so these need
/// not be held there; a static is everybody's.
fn locks_of_objects(calls: &[Call]) -> HashMap<usize, BTreeSet<(LockKey, Mode)>> {
    let mut all: HashMap<usize, BTreeSet<(LockKey, Mode)>> = HashMap::new();
    for call in calls {
        let of_objects = call.under.iter().filter(|(lock, _)| !matches!(lock, LockKey::Static(_)));
        all.entry(call.callee).or_default().extend(of_objects.map(|(lock, &mode)| (lock.clone(), mode)));
    }
    all
}
