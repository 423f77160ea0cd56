//! `cargo stalemate confirm` where a value or a type is missing: what is asked for, and what comes of it when somebody gives it.

use crate::project::Project;
use finding::Finding;
use finding::document::ConfirmationStatus::{self, CannotBuild, Confirmed, NeedsFixture};
use std::fs;

/// Nothing safe makes a `Socket` but a function that needs a pointer, and nobody knows to what; the same for a `Key`. And nobody
/// implements `Source`, or could without knowing what it promises.
const SOCKETS: &str = "\
use std::sync::Mutex;

pub struct Socket { raw: *const u8 }
pub struct Key { raw: *const u8 }

unsafe impl Send for Socket {}
unsafe impl Sync for Socket {}

impl Socket {
    pub unsafe fn adopt(raw: *const u8) -> Socket { Socket { raw } }
}

pub struct Reader { socket: Socket, last: Mutex<u32> }

impl Reader {
    pub fn new(socket: Socket) -> Self { Reader { socket, last: Mutex::new(0) } }

    pub fn advance(&self) {
        let last = *self.last.lock().unwrap();
        let step = if self.socket.raw.is_null() { 1 } else { 2 };
        *self.last.lock().unwrap() = last + step;
    }

}

pub struct Skipper { pub socket: Socket, last: Mutex<u32> }

impl Skipper {
    pub fn new(socket: Socket) -> Self { Skipper { socket, last: Mutex::new(0) } }

    pub fn skip(&self, key: Key) {
        let last = *self.last.lock().unwrap();
        let step = if key.raw.is_null() { 1 } else { 2 };
        *self.last.lock().unwrap() = last + step;
    }
}

pub unsafe trait Source { fn next(&self) -> u32; }

pub struct Counter<S: Source> { source: S, last: Mutex<u32> }

impl<S: Source> Counter<S> {
    pub fn new(source: S) -> Self { Counter { source, last: Mutex::new(0) } }

    pub fn count(&self) {
        let last = *self.last.lock().unwrap();
        let next = self.source.next();
        *self.last.lock().unwrap() = last + next;
    }
}

pub mod testing {
    pub fn socket(raw: *const u8) -> crate::Socket { unsafe { crate::Socket::adopt(raw) } }
}
";

fn status(finding: &Finding) -> ConfirmationStatus {
    finding.confirmation.as_ref().expect("it was tried").status
}

/// Confirms one finding with this text as its fixture.
fn with(project: Project, fingerprint: &str, text: &str) -> (Project, Finding) {
    let project = project.file("filled.rs", text);
    let run = project.run(&format!("confirm {fingerprint} --fixture filled.rs --format json"));
    let finding = run.document().findings.remove(0);
    (project, finding)
}

#[test]
fn a_template_compiles_and_has_one_thing_to_fill_in() {
    let unfinished = ["todo", "!()"].concat();
    let mut project = Project::library("confirm_fixture", SOCKETS);
    let findings = project.run("confirm --format json").exits(0).document().findings;
    let socket = "unsafe { crate::Socket::adopt(std::ptr::null()) }";
    let source = "struct Two; unsafe impl crate::Source for Two { fn next(&self) -> u32 { 2 } } \
                  Shared::of(crate::Counter::new(Two), |it| format!(\"{:?}\", it.count()), \
                  |it| format!(\"{:?}\", it.count()), |it| format!(\"{:?}\", it.last))";
    let both = format!("({socket}, crate::Key {{ raw: std::ptr::null() }})");
    let all = [
        ("Reader::advance", "fn fixture() -> crate::Socket {", socket),
        ("Skipper::skip", "fn fixture() -> (crate::Socket, crate::Key) {", &both),
        ("Counter::count", "fn fixture() -> Shared {", source),
    ];
    for (function, head, value) in all {
        let finding = findings.iter().find(|it| it.function == function).expect(function);
        assert_eq!(status(finding), NeedsFixture, "{finding:?}");
        let template = project.files(&format!("templates/{}.rs", finding.fingerprint)).remove(0);
        let text = fs::read_to_string(template).unwrap();
        assert!(text.contains(head) && text.matches(&unfinished).count() == 1, "{text}");
        let tried;
        (project, tried) = with(project, &finding.fingerprint, &text);
        assert!(![CannotBuild, Confirmed].contains(&status(&tried)), "{function} as it is: {tried:?}");
        let filled = text.replace(&unfinished, value);
        let tried;
        (project, tried) = with(project, &finding.fingerprint, &filled);
        assert_eq!(status(&tried), Confirmed, "{function}: {tried:?}");
    }
}

#[test]
fn the_settings_say_how_to_make_one() {
    let project = Project::library("confirm_settings", SOCKETS).file(
        "stalemate.toml",
        "[fixtures]\n\"bank::Socket\" = \"bank::testing::socket(std::ptr::null())\"\n\"bank::Sokcet\" = \"x\"\n",
    );
    let run = project.run("confirm").exits(1).says(&["confirmed: stale_value in `Reader::advance`"]);
    run.notes(&["`bank::Sokcet` in the settings leads nowhere"]);
}
