//! Programs made by chance from a small grammar. Every function is correct by construction: it does what it does in one
//! section, or looks again before it acts, and takes locks in one order. Its mutation breaks exactly that.
//!
//! Each structure of a program stands for itself, with its own locks and functions, so that one broken function is to blame
//! for whatever is reported of its structure. The same seed gives the same program.

use std::fmt::Write;

/// Marsaglia's xorshift: small, and the same everywhere.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 33) % count as u64).expect("it is below a usize")
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// How a correct function is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// What was one section is two.
    Split,
    /// Nobody looks again.
    NoRecheck,
    /// Two locks are taken the other way round.
    Swapped,
}

/// A correct body, and the same with its mutation. `@` stands for code without meaning.
struct Shape {
    right: &'static str,
    wrong: Option<(Mutation, &'static str)>,
}

/// Fields: `n: Mutex<u64>`, `list: Mutex<Vec<u64>>`, `map: RwLock<HashMap<u64, u64>>`, `ready: Mutex<bool>`, `wake`.
/// Given: `k: u64`. Order: n, list, map, ready.
const SHAPES: &[Shape] = &[
    Shape {
        right: "let mut n = self.n.lock().unwrap(); @ *n = n.wrapping_add(k); *n",
        wrong: Some((
            Mutation::Split,
            "let n = *self.n.lock().unwrap(); @ *self.n.lock().unwrap() = n.wrapping_add(k); n",
        )),
    },
    Shape {
        right: "let mut n = self.n.lock().unwrap(); let seen = *n; @ if seen < k { *n = seen * 2 + 1; } seen",
        wrong: Some((
            Mutation::Split,
            "let n = self.n.lock().unwrap(); let seen = *n; drop(n); @ if seen < k { *self.n.lock().unwrap() = seen * 2 + 1; } seen",
        )),
    },
    Shape {
        right: "let mut map = self.map.write().unwrap(); if map.contains_key(&k) { return 0; } @ let size = map.len() as u64; map.insert(k, size); size",
        wrong: Some((
            Mutation::Split,
            "if self.map.read().unwrap().contains_key(&k) { return 0; } @ let mut map = self.map.write().unwrap(); let size = map.len() as u64; map.insert(k, size); size",
        )),
    },
    Shape {
        right: "let mut list = self.list.lock().unwrap(); let size = list.len(); @ if size > 3 { return list.remove(size - 1); } k",
        wrong: Some((
            Mutation::Split,
            "let size = self.list.lock().unwrap().len(); @ if size > 3 { return self.list.lock().unwrap().remove(size - 1); } k",
        )),
    },
    Shape {
        right: "let seen = *self.n.lock().unwrap(); @ let next = seen.wrapping_mul(k); let mut n = self.n.lock().unwrap(); if *n != seen { return *n; } *n = next; next",
        wrong: Some((
            Mutation::NoRecheck,
            "let seen = *self.n.lock().unwrap(); @ let next = seen.wrapping_mul(k); let mut n = self.n.lock().unwrap(); *n = next; next",
        )),
    },
    Shape {
        right: "loop { let seen = *self.n.lock().unwrap(); @ let mut n = self.n.lock().unwrap(); if *n == seen { *n = seen ^ k; return seen; } }",
        wrong: Some((
            Mutation::NoRecheck,
            "loop { let seen = *self.n.lock().unwrap(); @ let mut n = self.n.lock().unwrap(); if seen > k { *n = seen ^ k; return seen; } }",
        )),
    },
    Shape {
        right: "let mut ready = self.ready.lock().unwrap(); while !*ready { ready = self.wake.wait(ready).unwrap(); } *ready = false; @ k",
        wrong: Some((
            Mutation::NoRecheck,
            "let mut ready = self.ready.lock().unwrap(); if !*ready { ready = self.wake.wait(ready).unwrap(); } *ready = false; @ k",
        )),
    },
    Shape {
        right: "let mut n = self.n.lock().unwrap(); @ let mut list = self.list.lock().unwrap(); list.push(*n); *n += 1; k",
        wrong: Some((
            Mutation::Swapped,
            "let mut list = self.list.lock().unwrap(); @ let mut n = self.n.lock().unwrap(); list.push(*n); *n += 1; k",
        )),
    },
    Shape {
        right: "let list = self.list.lock().unwrap(); @ let mut map = self.map.write().unwrap(); for each in list.iter() { map.insert(*each, k); } k",
        wrong: Some((
            Mutation::Swapped,
            "let mut map = self.map.write().unwrap(); @ let list = self.list.lock().unwrap(); for each in list.iter() { map.insert(*each, k); } k",
        )),
    },
    Shape { right: "let list = self.list.lock().unwrap(); @ list.iter().sum::<u64>().wrapping_add(k)", wrong: None },
    Shape {
        right: "let copy = self.list.lock().unwrap().clone(); @ copy.iter().filter(|each| **each > k).count() as u64",
        wrong: None,
    },
    Shape {
        right: "match self.map.try_read() { Ok(map) => map.get(&k).copied().unwrap_or(0), Err(_) => { @ 7 } }",
        wrong: None,
    },
    Shape { right: "*self.ready.lock().unwrap() = true; @ self.wake.notify_all(); k", wrong: None },
    Shape { right: "self.map.write().unwrap().entry(k).and_modify(|n| *n += 1).or_insert(1); @ k", wrong: None },
];

/// Every structure has these: something that others write, and both orders as they should be.
const ALWAYS: &[&str] = &[
    "*self.n.lock().unwrap() += k; self.list.lock().unwrap().push(k); self.map.write().unwrap().remove(&k); k",
    "let n = self.n.lock().unwrap(); let list = self.list.lock().unwrap(); let map = self.map.read().unwrap(); *n + list.len() as u64 + map.len() as u64",
];

const NOISE: &[&str] = &[
    "",
    "let _x = k.rotate_left(3);",
    "if k == 9 { return 1; }",
    "for i in 0..k % 4 { std::hint::black_box(i); }",
    "let _y = match k { 0 => 1, 1 | 2 => 5, _ => k };",
    "{ let word = k.to_string(); std::hint::black_box(&word); }",
    "let _z = (|| k + 1)();",
    "let Some(_half) = k.checked_div(2) else { return 3; };",
];

/// A program: its text, and of each structure what was broken in it.
pub struct Program {
    pub text: String,
    pub broken: Vec<(String, Mutation)>,
}

/// With `broken` one function of each structure is mutated; everything else is the same.
pub fn program(seed: u64, structures: usize, broken: bool) -> Program {
    let mut chance = Chance::new(seed);
    let head = "#![allow(unused)]\nuse std::collections::HashMap;\nuse std::sync::{Condvar, Mutex, RwLock};\n";
    let mut program = Program { text: head.to_owned(), broken: Vec::new() };
    for number in 0..structures {
        structure(&mut chance, &mut program, &format!("S{number}"), broken);
    }
    program
}

fn structure(chance: &mut Chance, program: &mut Program, name: &str, broken: bool) {
    let shapes: Vec<&Shape> = (0..3 + chance.below(3)).map(|_| chance.pick(SHAPES)).collect();
    let candidates: Vec<&Shape> = SHAPES.iter().filter(|shape| shape.wrong.is_some()).collect();
    let victim = *chance.pick(&candidates);
    let text = &mut program.text;
    let fields =
        "n: Mutex<u64>, list: Mutex<Vec<u64>>, map: RwLock<HashMap<u64, u64>>, ready: Mutex<bool>, wake: Condvar";
    writeln!(text, "pub struct {name} {{ {fields} }}\nimpl {name} {{").unwrap();
    let (wrong, mutation) = match victim.wrong {
        Some((mutation, wrong)) if broken => (wrong, Some(mutation)),
        _ => (victim.right, None),
    };
    let bodies = ALWAYS.iter().copied().chain(shapes.iter().map(|shape| shape.right)).chain([wrong]);
    for (number, body) in bodies.enumerate() {
        let body = body.replace('@', chance.pick::<&str>(NOISE)).replace("; ", ";\n        ");
        writeln!(text, "    pub fn f{number}(&self, k: u64) -> u64 {{\n        {body}\n    }}").unwrap();
    }
    text.push_str("}\n");
    program.broken.extend(mutation.map(|mutation| (name.to_owned(), mutation)));
}

#[test]
fn the_same_seed_gives_the_same_program() {
    assert_eq!(program(3, 4, true).text, program(3, 4, true).text);
    assert_ne!(program(3, 4, true).text, program(4, 4, true).text);
    let (right, wrong) = (program(3, 4, false).text, program(3, 4, true).text);
    let differing = right.lines().zip(wrong.lines()).filter(|(right, wrong)| right != wrong).count();
    assert!(differing > 0 && program(3, 4, false).broken.is_empty() && program(3, 4, true).broken.len() == 4);
}
