//! `cargo stalemate confirm` where only the crate's own tests show how a value is made.

use crate::project::Project;
use finding::Document;
use finding::document::ConfirmationStatus::{Confirmed, NeedsFixture, NotReproduced};
use std::fs;

/// Nothing safe makes a `Socket`, and nobody but tests implements `Source`.
const SHOWN: &str = "\
use std::sync::Mutex;

pub struct Socket { raw: *const u8 }

unsafe impl Send for Socket {}
unsafe impl Sync for Socket {}

impl Socket {
    pub unsafe fn adopt(raw: *const u8) -> Socket { Socket { raw } }
    pub fn is_open(&self) -> bool { !self.raw.is_null() }
}

pub mod reading {
    use super::*;

    pub struct Reader { socket: Socket, last: Mutex<u32> }

    impl Reader {
        pub fn new(socket: Socket, last: u32) -> Self { Reader { socket, last: Mutex::new(last) } }

        pub fn advance(&self) {
            let last = *self.last.lock().unwrap();
            let step = if self.socket.is_open() { 1 } else { 2 };
            *self.last.lock().unwrap() = last + step;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn advances() {
            let start = 4;
            let reader = Reader::new(
                unsafe { Socket::adopt(std::ptr::null()) }, // closed
                start,
            );
            reader.advance();
            assert_eq!(*reader.last.lock().unwrap(), start + 2);
        }
    }
}

pub mod counting {
    use super::*;

    pub unsafe trait Source { fn next(&self) -> u32; }

    pub struct Counter<S: Source> { source: S, sockets: Vec<Socket>, last: Mutex<u32> }

    impl<S: Source> Counter<S> {
        pub fn new(source: S, socket: Socket) -> Self {
            Counter { source, sockets: vec![socket], last: Mutex::new(0) }
        }

        pub fn count(&self) {
            let last = *self.last.lock().unwrap();
            let next = self.source.next() + self.sockets.len() as u32;
            *self.last.lock().unwrap() = last + next;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        struct Two;
        unsafe impl Source for Two { fn next(&self) -> u32 { helper::two() } }

        fn socket() -> Socket { unsafe { Socket::adopt(std::ptr::null()) } }

        #[test]
        fn counts() {
            Counter::new(Two, socket()).count();
        }
    }
}

pub mod pieces {
    use super::*;

    pub struct Pieces { socket: Socket, last: Mutex<u32> }

    impl Pieces {
        pub fn add(&self) {
            let last = *self.last.lock().unwrap();
            let step = if self.socket.is_open() { 1 } else { 2 };
            *self.last.lock().unwrap() = last + step;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn adds() {
            let pieces = Pieces { socket: unsafe { Socket::adopt(std::ptr::null()) }, last: Mutex::new(0) };
            pieces.add();
        }
    }
}
";

fn status(document: &Document, function: &str) -> finding::Confirmation {
    let found = document.findings.iter().find(|it| it.function == function);
    found.and_then(|it| it.confirmation.clone()).unwrap_or_else(|| panic!("{function}: {document:?}"))
}

/// With a package that only the tests need.
fn project(name: &str, source: &str) -> Project {
    Project::new(name)
        .package("bank", "[dev-dependencies]\nhelper = { path = \"helper\" }\n[workspace]\n", source)
        .member("helper", "", "pub fn two() -> u32 { 2 }\n")
}

#[test]
fn tests_show_how_values_are_made() {
    let project = project("confirm_shown", SHOWN);
    let run = project.run("confirm --format json --keep kept").exits(1);
    let document = run.document();
    for function in ["reading::Reader::advance", "counting::Counter::count"] {
        assert_eq!(status(&document, function).status, Confirmed, "{function}\n{run}");
    }
    let pieces = status(&document, "pieces::Pieces::add");
    assert_eq!(pieces.status, NotReproduced, "a test may put together what the crate never makes\n{run}");
    let kept = fs::read_to_string(project.root.join("kept/run.sh")).unwrap();
    assert!(kept.contains("workspace-with-tests/Cargo.toml"), "{kept}");
}

#[test]
fn tests_that_do_not_compile_show_nothing() {
    let broken = SHOWN.replace("reader.advance();\n            assert", "reader.no_such_method();\n            assert");
    let run = project("confirm_shown_broken", &broken).run("confirm --format json").exits(0);
    assert_eq!(status(&run.document(), "reading::Reader::advance").status, NeedsFixture, "{run}");
    assert!(!run.stderr.contains("no_such_method"), "{run}");
}

/// What is in the first module, without its tests, and in no module: what stands beside the library sees no private fields
/// in others.
fn untested() -> String {
    let (shown, _) = SHOWN.split_once("\n    #[cfg(test)]").unwrap();
    shown.replace("pub mod reading {\n    use super::*;\n", "")
}

const IN_TEST: &str = "\
mod common;

#[test]
fn advances() {
    let reader = bank::Reader::new(common::closed(), 4);
    reader.advance();
}
";

const IN_COMMON: &str = "\
pub fn closed() -> bank::Socket { unsafe { bank::Socket::adopt(std::ptr::null()) } }
";

/// As a module of the library it would not compile.
const NO_MODULE: &str = "\
use crate::inner::start;
use bank::Reader;
mod inner { pub fn start() -> u32 { 4 } }
#[test]
fn starts() { let _ = (start(), size_of::<Reader>()); }
";

#[test]
fn tests_and_examples_beside_the_library_show_it_too() {
    let untested = untested();
    let project = Project::new("confirm_beside")
        .package("bank", "[workspace]\n", &untested)
        .file("tests/it.rs", IN_TEST)
        .file("tests/common/mod.rs", IN_COMMON)
        .file("tests/other.rs", NO_MODULE);
    let run = project.run("confirm --format json --keep kept").exits(1);
    assert_eq!(status(&run.document(), "Reader::advance").status, Confirmed, "{run}");
    let kept = fs::read_to_string(project.root.join("kept/run.sh")).unwrap();
    assert!(kept.contains("workspace-with-all-tests/Cargo.toml"), "{kept}");
    let own = fs::read_to_string(project.root.join("src/lib.rs")).unwrap();
    assert_eq!(own, untested, "the user's tree is not written to");

    let example = Project::new("confirm_example").package("bank", "[workspace]\n", &untested).file(
        "examples/read.rs",
        &format!(
            "{}fn main() {{ advances(); }}\n{IN_COMMON}",
            IN_TEST.replace("mod common;\n\n#[test]\n", "").replace("common::", "")
        ),
    );
    let run = example.run("confirm --format json").exits(1);
    assert_eq!(status(&run.document(), "Reader::advance").status, Confirmed, "{run}");
}
