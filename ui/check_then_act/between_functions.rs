//! The check, the act, or both stand in other functions, or in closures that run under the lock.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Open,
    Closing,
    Closed,
}

#[derive(Clone)]
struct Peer {
    id: u32,
    score: u32,
}

struct State {
    phase: Phase,
    leader: Option<u32>,
    slots: usize,
    peers: Vec<Peer>,
    jobs: Vec<u32>,
}

impl State {
    fn is_full(&self) -> bool {
        self.jobs.len() >= self.slots
    }

    fn add(&mut self, job: u32) {
        self.jobs.push(job);
    }

    fn elect(&mut self, me: u32) {
        if self.leader.is_none() {
            self.leader = Some(me);
        }
    }

    fn try_add(&mut self, job: u32) -> bool {
        if self.is_full() {
            return false;
        }
        self.add(job);
        true
    }
}

struct Channel {
    state: Mutex<State>,
}

/// Accessors that lock.
impl Channel {
    fn is_open(&self) -> bool {
        self.state.lock().unwrap().phase == Phase::Open
    }

    fn phase(&self) -> Phase {
        self.state.lock().unwrap().phase
    }

    fn leader(&self) -> Option<u32> {
        self.state.lock().unwrap().leader
    }

    fn peers(&self) -> Vec<Peer> {
        self.state.lock().unwrap().peers.clone()
    }

    fn has_room(&self) -> bool {
        !self.state.lock().unwrap().is_full()
    }

    fn set_phase(&self, phase: Phase) {
        self.state.lock().unwrap().phase = phase;
    }

    fn set_leader(&self, leader: u32) {
        self.state.lock().unwrap().leader = Some(leader);
    }

    fn add_peer(&self, peer: Peer) {
        self.state.lock().unwrap().peers.push(peer);
    }

    fn push(&self, job: u32) {
        self.state.lock().unwrap().add(job);
    }

    /// Looks for itself.
    fn close_if_open(&self) {
        let mut state = self.state.lock().unwrap();
        if state.phase == Phase::Open {
            state.phase = Phase::Closing;
        }
    }

    /// Looks for itself.
    fn try_push(&self, job: u32) -> bool {
        self.state.lock().unwrap().try_add(job)
    }

    /// Two that close it both go on; but most functions that ask one function and then call another write plain data that may
    /// well be written twice.
    fn fn_close(&self) {
        if self.is_open() {
            self.set_phase(Phase::Closing);
        }
    }

    fn close_ok(&self) {
        let mut state = self.state();
        if state.phase == Phase::Open {
            state.phase = Phase::Closing;
        }
    }

    /// The callee looks again.
    fn close_rechecked_ok(&self) {
        if self.is_open() {
            self.close_if_open();
        }
    }

    /// One too many comes in; but a function that is called may look for itself, and is known only roughly.
    fn fn_enqueue(&self, job: u32) -> bool {
        if !self.has_room() {
            return false;
        }
        self.push(job);
        true
    }

    fn enqueue_ok(&self, job: u32) -> bool {
        if !self.has_room() {
            return false;
        }
        self.try_push(job)
    }

    fn elect_bad(&self, me: u32) {
        if self.leader().is_none() {
            self.state.lock().unwrap().leader = Some(me); //~ check_then_act
        }
    }

    fn elect_ok(&self, me: u32) {
        if self.leader().is_none() {
            self.state.lock().unwrap().leader.get_or_insert(me);
        }
    }

    fn elect_by_setter_bad(&self, me: u32) {
        if self.state.lock().unwrap().leader.is_none() {
            self.set_leader(me); //~ check_then_act
        }
    }

    /// What was seen decides nothing but a message.
    fn announce_ok(&self, me: u32) {
        if self.leader().is_none() {
            println!("no leader yet");
        }
        self.set_leader(me);
    }

    /// As above: asked in one function, and plain data written in another.
    fn fn_match_on_phase(&self) {
        match self.phase() {
            Phase::Open => self.set_phase(Phase::Closing),
            Phase::Closing | Phase::Closed => {}
        }
    }

    /// It is there twice; but a function that is called may look for itself.
    fn fn_clone(&self, peer: Peer) {
        let known = self.peers().iter().any(|known| known.id == peer.id);
        if !known {
            self.add_peer(peer);
        }
    }

    /// Another channel is changed.
    fn other_channel_ok(&self, other: &Channel) {
        if self.is_open() {
            other.set_phase(Phase::Closing);
        }
    }

    /// The open channel is told to close; that there is a leader was not asked.
    fn other_part_ok(&self, me: u32) {
        if self.is_open() {
            self.set_leader(me);
        }
    }

    /// Nobody else can have the lock.
    fn exclusive_ok(&mut self) {
        if self.is_open() {
            self.set_phase(Phase::Closing);
        }
    }
}

/// A helper returns the guard.
impl Channel {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn guard_bad(&self, job: u32) {
        if !self.state().is_full() {
            self.state().add(job); //~ check_then_act
        }
    }

    fn guard_ok(&self, job: u32) {
        let mut state = self.state();
        if !state.is_full() {
            state.add(job);
        }
    }

    /// The method of the state looks again.
    fn guard_elect_ok(&self, me: u32) {
        if self.state().leader.is_none() {
            self.state().elect(me);
        }
    }

    /// So does this one, with the help of another.
    fn guard_try_add_ok(&self, job: u32) {
        if !self.state().is_full() {
            self.state().try_add(job);
        }
    }

    fn guard_phase_bad(&self) {
        if self.state().phase == Phase::Closing {
            self.state().phase = Phase::Closed; //~ check_then_act
        }
    }
}

/// A helper runs a closure under the lock.
impl Channel {
    fn with_state<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self.state.lock().unwrap())
    }

    fn with_state_bad(&self) {
        if self.with_state(|state| state.phase == Phase::Open) {
            self.with_state(|state| state.phase = Phase::Closing); //~ check_then_act
        }
    }

    /// Both in one closure.
    fn with_state_ok(&self) {
        self.with_state(|state| {
            if state.phase == Phase::Open {
                state.phase = Phase::Closing;
            }
        });
    }

    fn with_state_push_bad(&self, job: u32) -> Result<(), u32> {
        let full = self.with_state(|state| state.is_full());
        if full {
            return Err(job);
        }
        self.with_state(|state| state.add(job)); //~ check_then_act
        Ok(())
    }

    /// The second closure looks again.
    fn with_state_push_ok(&self, job: u32) -> Result<(), u32> {
        let full = self.with_state(|state| state.is_full());
        if full {
            return Err(job);
        }
        self.with_state(|state| {
            if state.is_full() {
                return Err(job);
            }
            state.add(job);
            Ok(())
        })
    }

    fn lock_inside_closure_bad(&self, me: u32) {
        let free = self.with_state(|state| state.leader.is_none());
        if free {
            self.state.lock().unwrap().leader = Some(me); //~ check_then_act
        }
    }

    /// What the closure gave back is only shown.
    fn with_state_shown_ok(&self) {
        let count = self.with_state(|state| state.jobs.len());
        if count > 10 {
            eprintln!("{count} jobs");
        }
        self.with_state(|state| state.jobs.clear());
    }
}

/// Closures of iterators and options are the check.
impl Channel {
    fn any_bad(&self, peer: Peer) {
        if !self.state.lock().unwrap().peers.iter().any(|known| known.id == peer.id) {
            self.state.lock().unwrap().peers.push(peer); //~ check_then_act
        }
    }

    fn any_ok(&self, peer: Peer) {
        let mut state = self.state.lock().unwrap();
        if !state.peers.iter().any(|known| known.id == peer.id) {
            state.peers.push(peer);
        }
    }

    fn find_bad(&self, peer: Peer) {
        let score = self.state().peers.iter().find(|known| known.id == peer.id).map(|known| known.score);
        if score.is_none() {
            self.state().peers.push(peer); //~ check_then_act
        }
    }

    /// Found again, and changed only if it is still there.
    fn find_ok(&self, id: u32, score: u32) {
        let known = self.state().peers.iter().any(|known| known.id == id);
        if known {
            if let Some(peer) = self.state().peers.iter_mut().find(|known| known.id == id) {
                peer.score = score;
            }
        }
    }

    fn count_bad(&self, peer: Peer) {
        let good = self.state().peers.iter().filter(|known| known.score > 10).count();
        if good < 3 {
            self.state().peers.push(peer); //~ check_then_act
        }
    }

    fn and_then_bad(&self, me: u32) {
        let other = self.leader().and_then(|leader| if leader == me { None } else { Some(leader) });
        if other.is_none() {
            self.state().leader = Some(me); //~ check_then_act
        }
    }

    fn map_or_bad(&self, me: u32) {
        let takes_over = self.state().leader.map_or(true, |leader| leader < me);
        if takes_over {
            self.state().leader = Some(me); //~ check_then_act
        }
    }

    fn map_or_ok(&self, me: u32) {
        let mut state = self.state();
        let takes_over = state.leader.map_or(true, |leader| leader < me);
        if takes_over {
            state.leader = Some(me);
        }
    }
}

struct Counters {
    counters: RwLock<HashMap<u32, Arc<AtomicU64>>>,
}

impl Counters {
    fn get(&self, id: u32) -> Option<Arc<AtomicU64>> {
        self.counters.read().unwrap().get(&id).cloned()
    }

    fn make(&self, id: u32) -> Arc<AtomicU64> {
        let counter = Arc::new(AtomicU64::new(0));
        self.counters.write().unwrap().insert(id, counter.clone());
        counter
    }

    fn get_or_make(&self, id: u32) -> Arc<AtomicU64> {
        self.counters.write().unwrap().entry(id).or_default().clone()
    }

    fn lookup_bad(&self, id: u32) -> Arc<AtomicU64> {
        if let Some(counter) = self.get(id) {
            return counter;
        }
        self.make(id) //~ check_then_act
    }

    fn lookup_ok(&self, id: u32) -> Arc<AtomicU64> {
        if let Some(counter) = self.get(id) {
            return counter;
        }
        self.get_or_make(id)
    }

    fn unwrap_or_else_bad(&self, id: u32) {
        let counter = self.get(id).unwrap_or_else(|| { //~ check_then_act
            let counter = Arc::new(AtomicU64::new(0));
            self.counters.write().unwrap().insert(id, counter.clone());
            counter
        });
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn unwrap_or_else_ok(&self, id: u32) {
        let counter = self.get(id).unwrap_or_else(|| self.get_or_make(id));
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
