//! Locks that the tool does not know, told to it in the settings.

use crate::project::Project;

/// A lock of another crate, whose insides nobody sees: its guard is made by unsafe code.
const CRATE: &str = "use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};

pub struct Slot<T>(UnsafeCell<T>);
unsafe impl<T: Send> Sync for Slot<T> {}

pub struct Held<'a, T>(&'a Slot<T>);

impl<T> Slot<T> {
    pub const fn new(value: T) -> Self {
        Slot(UnsafeCell::new(value))
    }

    pub fn hold(&self) -> Held<'_, T> {
        Held(self)
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        unsafe { &*self.0.0.get() }
    }
}

impl<T> DerefMut for Held<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.0.0.get() }
    }
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {}
}
";

const USER: &str = "use slot::Slot;

pub struct Counter {
    n: Slot<u32>,
}

impl Counter {
    pub fn add(&self) {
        let n = *self.n.hold();
        *self.n.hold() = n + 1;
    }
}
";

const ROWS: &str = "
[[workspace.metadata.stalemate.models.lock]]
type = \"slot::Slot\"

[[workspace.metadata.stalemate.models.guard]]
type = \"slot::Held\"

[[workspace.metadata.stalemate.models.call]]
fn = \"slot::Slot::hold\"
means = \"acquire\"
mode = \"exclusive\"
";

fn project(name: &str, rows: &str) -> Project {
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = [\"slot\", \"user\"]\n{rows}");
    let project = Project::new(name).file("Cargo.toml", &manifest).member("slot", "", CRATE);
    project.member("user", "[dependencies]\nslot = { path = \"../slot\" }\n", USER)
}

#[test]
fn a_lock_from_the_settings_is_a_lock() {
    project("models none", "").json("").exits(0);
    let run = project("models given", ROWS).json("").exits(1);
    assert_eq!(run.functions(), ["Counter::add"], "{run}");
    let lock = run.document().findings[0].lock.clone().unwrap();
    assert_eq!((lock.path.as_str(), lock.type_name.as_str()), ("self.n", "slot::Slot"), "{run}");
}

#[test]
fn a_row_that_leads_nowhere_is_told() {
    let rows = ROWS.replace("slot::Slot::hold", "slot::Slot::held");
    let run = project("models misspelt", &rows).run("").exits(0);
    assert!(run.stderr.contains("warning: `slot::Slot::held` in the settings leads nowhere"), "{run}");
    assert!(!run.stderr.contains("slot::Held"), "{run}");
}

#[test]
fn a_bad_row_is_refused_with_its_place() {
    let run = project("models bad", &ROWS.replace("\"acquire\"", "\"aquire\"")).run("").exits(2);
    assert!(run.stderr.contains("`workspace.metadata.stalemate.models.call[0].means` cannot be `aquire`"), "{run}");
    assert!(run.stderr.contains("did you mean `acquire`?"), "{run}");
}
