//! `cargo stalemate confirm` and values that lie further away: what several parameters share, what another crate gives out.

use crate::project::Project;
use finding::document::ConfirmationStatus::Confirmed;

/// A lock in one argument, another in the next.
const PARAMETERS: &str = "\
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct Adder;

impl Adder {
    pub fn add(&self, name: &str, names: Arc<Mutex<Vec<String>>>, sum: &Mutex<u64>) {
        names.lock().unwrap().push(name.to_owned());
        let before = *sum.lock().unwrap();
        *sum.lock().unwrap() = before + 1;
    }
}

pub fn add_to(names: &Mutex<Vec<String>>, sum: Arc<Mutex<u64>>) {
    let before = *sum.lock().unwrap();
    *sum.lock().unwrap() = before + names.lock().unwrap().len() as u64 + 1;
}

pub fn add_to_fixed(names: &Mutex<Vec<String>>, sum: Arc<Mutex<u64>>) {
    let count = names.lock().unwrap().len() as u64;
    *sum.lock().unwrap() += count + 1;
}
";

#[test]
fn the_state_may_be_spread_over_several_parameters() {
    let project = Project::library("confirm_parameters", PARAMETERS);
    let run = project.run("confirm --min-confidence low --format json").exits(1);
    let document = run.document();
    for function in ["Adder::add", "add_to"] {
        let found = document.findings.iter().find(|it| it.function == function).unwrap_or_else(|| panic!("{run}"));
        assert_eq!(found.confirmation.as_ref().expect("it was tried").status, Confirmed, "{function}\n{run}");
    }
    assert!(document.findings.iter().all(|it| it.function != "add_to_fixed"), "{run}");
}

/// Another crate makes requests, by way of something that is not a request.
const WIRE: &str = "\
pub struct Request { path: String }
pub struct Builder { path: String }

impl Request {
    pub fn builder() -> Builder { Builder { path: String::new() } }
    pub fn path(&self) -> &str { &self.path }
}

impl Builder {
    pub fn path(self, path: &str) -> Builder { Builder { path: path.to_owned() } }
    pub fn build(self) -> Result<Request, String> { Ok(Request { path: self.path }) }
}
";

const HANDLER: &str = "\
use std::sync::Mutex;
use wire::Request;

#[derive(Default)]
pub struct Handler { handled: Mutex<usize> }

impl Handler {
    pub fn handle(&self, request: Request) {
        let handled = *self.handled.lock().unwrap();
        let more = 1 + request.path().len();
        *self.handled.lock().unwrap() = handled + more;
    }
}
";

#[test]
fn other_crates_are_asked_for_their_values() {
    let project = Project::new("confirm_wire")
        .package("bank", "[dependencies]\nwire = { path = \"wire\" }\n[workspace]\n", HANDLER)
        .member("wire", "", WIRE);
    let run = project.run("confirm --format json").exits(1);
    let found = run.document().findings.remove(0);
    assert_eq!(found.confirmation.expect("it was tried").status, Confirmed, "{run}");
}
