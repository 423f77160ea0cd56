//! Programs made at random: what is serialisable by construction is never confirmed, and a critical section that is
//! split, with what was read in its first half written in its second, nearly always is.
//!
//! A program is two lists of transactions over three cells, each cell behind its own mutex, and one counter. In a right
//! program each thread is one transaction: it takes all locks it needs in order, works, and lets them go at its end (two
//! phase locking, in one order). The generator's seed is fixed: the same programs every time.

use stalemate_rt::sync::atomic::{AtomicI64, Ordering::SeqCst};
use stalemate_rt::sync::{Mutex, MutexGuard};
use stalemate_rt::witness::{Pair, Status};

const PROGRAMS: usize = 500;
const CELLS: usize = 3;

/// Xorshift: short, and good enough to choose among four.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// What is done to a cell, or between cells, with their locks held.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// cell = cell * factor + term
    Change { cell: usize, factor: i64, term: i64 },
    /// to = to + from
    Add { from: usize, to: usize },
    /// if cell is even: cell = cell + term
    IfEven { cell: usize, term: i64 },
    /// One step of its own, with or without locks.
    Count,
}

#[derive(Clone, Debug)]
struct Thread {
    ops: Vec<Op>,
    /// The locks are let go and taken again before each change is written.
    split: bool,
}

struct State {
    cells: [Mutex<i64>; CELLS],
    count: AtomicI64,
}

impl State {
    fn new() -> State {
        State { cells: [2, 30, 500].map(Mutex::new), count: AtomicI64::new(0) }
    }
}

impl Op {
    fn random(random: &mut Random) -> Op {
        let cell = random.below(CELLS);
        match random.below(8) {
            0..3 => Op::Change { cell, factor: 1 + random.below(3) as i64, term: 1 + random.below(9) as i64 },
            3..5 => Op::Add { from: cell, to: (cell + 1 + random.below(CELLS - 1)) % CELLS },
            5..7 => Op::IfEven { cell, term: 1 + random.below(9) as i64 },
            _ => Op::Count,
        }
    }

    fn cells(self) -> Vec<usize> {
        match self {
            Op::Change { cell, .. } | Op::IfEven { cell, .. } => vec![cell],
            Op::Add { from, to } => vec![from, to],
            Op::Count => Vec::new(),
        }
    }

    /// The cell that is written, and what with.
    fn new_value(self, value: impl Fn(usize) -> i64) -> Option<(usize, i64)> {
        match self {
            Op::Change { cell, factor, term } => Some((cell, value(cell).wrapping_mul(factor).wrapping_add(term))),
            Op::Add { from, to } => Some((to, value(to).wrapping_add(value(from)))),
            Op::IfEven { cell, term } => Some((cell, value(cell) + if value(cell) % 2 == 0 { term } else { 0 })),
            Op::Count => None,
        }
    }
}

impl Thread {
    fn random(random: &mut Random) -> Thread {
        let length = 1 + random.below(4);
        Thread { ops: (0..length).map(|_| Op::random(random)).collect(), split: false }
    }

    fn run(&self, state: &State) -> String {
        if self.split { self.run_split(state) } else { self.run_whole(state) }
    }

    fn run_whole(&self, state: &State) -> String {
        let mut needed: Vec<usize> = self.ops.iter().flat_map(|op| op.cells()).collect();
        needed.sort();
        needed.dedup();
        let mut guards: Vec<(usize, MutexGuard<'_, i64>)> =
            needed.into_iter().map(|cell| (cell, state.cells[cell].lock().unwrap())).collect();
        for op in &self.ops {
            let value = |cell| *guards.iter().find(|(it, _)| *it == cell).unwrap().1;
            match op.new_value(value) {
                Some((cell, new)) => *guards.iter_mut().find(|(it, _)| *it == cell).unwrap().1 = new,
                None => drop(state.count.fetch_add(1, SeqCst)),
            }
        }
        String::new()
    }

    /// Each cell is read in a section of its own, and written in another.
    fn run_split(&self, state: &State) -> String {
        for op in &self.ops {
            match op.new_value(|cell| *state.cells[cell].lock().unwrap()) {
                Some((cell, new)) => *state.cells[cell].lock().unwrap() = new,
                None => drop(state.count.fetch_add(1, SeqCst)),
            }
        }
        String::new()
    }

    fn writes(&self) -> Vec<usize> {
        self.ops.iter().filter_map(|op| op.new_value(|_| 0)).map(|(cell, _)| cell).collect()
    }
}

fn judge([a, b]: [Thread; 2]) -> Status {
    let observe = |state: &State| format!("{:?} {:?}", state.cells, state.count);
    let pair = Pair::new(State::new, move |state| a.run(state), move |state| b.run(state));
    pair.observe(observe).repeats(1).most(60).run().status
}

#[test]
fn serialisable_programs_are_never_confirmed_and_split_ones_are() {
    let mut random = Random(0x5741_1e3a_7e00_0001);
    let (mut split, mut confirmed) = (0, 0);
    for number in 0..PROGRAMS {
        let program = [Thread::random(&mut random), Thread::random(&mut random)];
        let status = judge(program.clone());
        assert_eq!(status, Status::NotReproduced, "program {number} is serialisable: {program:?}");
        let [a, b] = program;
        // Only if the other one changes what this one reads and writes again can anybody tell.
        let shared = a.writes().iter().any(|cell| b.writes().contains(cell));
        if shared {
            split += 1;
            confirmed += usize::from(judge([Thread { split: true, ..a }, b]) == Status::Confirmed);
        }
    }
    println!("{PROGRAMS} programs, {split} split, {confirmed} confirmed");
    assert!(split >= PROGRAMS / 3, "{split} of {PROGRAMS}");
    assert!(confirmed * 10 >= split * 9, "{confirmed} of {split}");
}
