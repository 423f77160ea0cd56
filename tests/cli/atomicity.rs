//! `cargo stalemate atomicity`: how atomic each function is, with the reason.

use crate::declared::with_attributes;
use crate::project::Project;
use finding::atomicity::{Atomicity, AtomicityDocument};

const SOURCE: &str = "use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(stalemate_attr::Guarded)]
pub struct Journal {
    order: Mutex<u32>,
    #[guarded_by(order)]
    last: AtomicU64,
    free: AtomicU64, names: std::sync::RwLock<String>,
}

impl Journal {
    pub fn nothing(&self) -> u64 { 7 }
    pub fn given(&self, to: &mut Vec<u64>) { to.push(7) }
    pub fn guarded(&self) -> u64 { self.last.load(Relaxed) }
    pub fn one(&self) -> u64 { self.free.load(Relaxed) }
    pub fn taken(&self) -> std::sync::MutexGuard<'_, u32> { self.order.lock().unwrap() }
    pub fn whole(&self) -> u64 { let _order = self.order.lock().unwrap(); self.guarded() }
    pub fn again(&self) -> usize { self.names.read().unwrap().len() }
    #[stalemate_attr::atomic]
    pub fn parts(&self) -> u64 {
        self.whole()
            + self.whole()
    }
}
";

const TEXT: &str = "\
src/lib.rs:13: `Journal::nothing`: const
    touches nothing that other threads change
src/lib.rs:14: `Journal::given`: mover
    touches only what other threads cannot have meanwhile
src/lib.rs:15: `Journal::guarded`: self.order ? mover : error
    uses `self.last` without the lock that guards it
src/lib.rs:16: `Journal::one`: atomic
    one operation on `self.free`: as if at one point in time
src/lib.rs:17: `Journal::taken`: right-mover
    takes `self.order`
src/lib.rs:18: `Journal::whole`: atomic
    takes `self.order`; lets `self.order` go: as if at one point in time
src/lib.rs:19: `Journal::again`: self.names ? mover : atomic
    takes `self.names`; lets `self.names` go: as if at one point in time
src/lib.rs:21: `Journal::parts`: compound, declared atomic
    calls `Journal::whole`; calls `Journal::whole`: the last step, at line 23, is one too many
";

fn journal(name: &str) -> Project {
    with_attributes(name, SOURCE)
}

#[test]
fn every_function_with_its_reason() {
    let run = journal("atomicity_text").run("atomicity").exits(0);
    assert_eq!(run.stdout, TEXT, "{run}");
    let counts = "stalemate: 8 functions: 1 const, 1 mover, 1 right-mover, 3 atomic, 1 compound, 1 error\n";
    run.notes(&[counts]);
}

#[test]
fn a_document_for_tools() {
    let project = journal("atomicity_json");
    let run = project.run("atomicity --format json Journal::guarded").exits(0);
    let document: AtomicityDocument = serde_json::from_str(&run.stdout).unwrap();
    let [guarded] = &document.functions[..] else { panic!("{run}") };
    let held = guarded.if_held.as_ref().unwrap();
    assert_eq!((guarded.atomicity, held.atomicity), (Atomicity::Error, Atomicity::Mover));
    assert_eq!((&held.locks[..], guarded.steps[0].place.line), (&["self.order".to_owned()][..], 15));
    assert_eq!(project.run("atomicity --format json Journal::guarded").stdout, run.stdout);
}

/// The list leaves nothing behind that a check would take for its own, and the other way round.
#[test]
fn a_check_after_the_list_is_a_check() {
    let project = journal("atomicity_and_check");
    project.run("").exits(1).says(&["declared atomic"]);
    assert_eq!(project.run("atomicity").exits(0).stdout, TEXT);
    project.run("").exits(1).says(&["declared atomic"]);
}

#[test]
fn a_path_to_nothing_is_a_mistake() {
    let run = journal("atomicity_nowhere").run("atomicity Jornal").exits(2).reports_nothing();
    run.notes(&["error: no function is below `Jornal`", "did you mean `Journal`?"]);
}
