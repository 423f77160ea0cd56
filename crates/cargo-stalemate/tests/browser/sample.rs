//! Reports made by hand: small ones with something of everything, hostile ones, large ones.

use cargo_stalemate::report::html::{Input, Output, write};
use finding::document::ConfirmationStatus;
use finding::facts::{End, Recorded};
use finding::guards::{FunctionGuards, Guess, GuessKind, LocationGuards, LocationKind};
use finding::map::{LockMap, Order, Section};
use finding::{
    Confidence, Confirmation, Finding, Lock, Place, Reason, RunInfo, Skipped, Step, StepKind, Suppressed, SuppressedBy,
    Thread,
};
use std::path::{Path, PathBuf};

/// What would run, or show as an element, if anything forgot to escape it.
pub const HOSTILE: &str = "<img src=x onerror=\"window.broken=1\"></script><script>window.broken=1</script>'\"&{{1}}";

const POOL: &str = include_str!("sources/pool.rs");

pub struct Sample {
    directory: tempfile::TempDir,
    pub run: RunInfo,
    pub findings: Vec<Recorded>,
    pub guards: Vec<LocationGuards>,
    pub map: LockMap,
}

impl Sample {
    /// One of each thing that a page can show.
    pub fn new() -> Sample {
        let skipped = vec![Skipped { function: "pool::huge".into(), reason: "the analysis did not settle".into() }];
        let run =
            RunInfo { packages: vec!["pool".into()], functions: 61, functions_with_locks: 12, lines: 900, skipped };
        let mut sample =
            Sample { directory: tempfile::tempdir().unwrap(), run, findings: vec![], guards: guards(), map: map() };
        sample.source("src/pool.rs", POOL);
        sample.source("src/other.rs", "pub fn other() {\n    // nothing\n}\n");
        sample.findings = findings();
        sample
    }

    pub fn source(&self, file: &str, text: &str) {
        let path = self.directory.path().join("project").join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn write(self) -> Report {
        let (root, directory) = (self.directory.path().join("project"), self.directory.path().join("report"));
        let summary = format!("{} findings in 61 functions, 12 with locks", self.findings.len());
        let Sample { run, findings, guards, map, .. } = &self;
        let output = Output::check(&directory).unwrap();
        write(&output, &Input { root: &root, run, summary: &summary, findings, guards, map }).unwrap();
        Report { directory, _kept: self.directory }
    }
}

/// A report on disk, as long as it is looked at.
pub struct Report {
    directory: PathBuf,
    _kept: tempfile::TempDir,
}

impl Report {
    pub fn page(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// All pages, those of files at the end.
    pub fn pages(&self) -> Vec<PathBuf> {
        [in_directory(&self.directory), in_directory(&self.page("files"))].concat()
    }
}

fn in_directory(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    pages.sort();
    pages
}

pub fn place(file: &str, line: u32) -> Place {
    Place { file: file.into(), line, column: 9 }
}

pub fn step(thread: Thread, step: StepKind, line: u32, text: &str) -> Step {
    Step { thread, step, place: place("src/pool.rs", line), text: text.into() }
}

/// A finding in a function of the pool; the rest is for the test to change.
pub fn recorded(number: u64, lint: &str, score: u8, function: &str, line: u32, message: &str) -> Recorded {
    let finding = Finding {
        fingerprint: format!("{:016x}", 0x1111_1111_1111_1111 * (number % 9) + number),
        lint: lint.into(),
        confidence: finding::rank::confidence(score),
        score,
        reasons: vec![
            Reason { points: i32::from(score) + 10, text: "the value written was read in an earlier section".into() },
            Reason { points: -10, text: "the same value may be written twice".into() },
        ],
        package: "pool".into(),
        function: format!("pool::Pool::{function}"),
        lock: Some(Lock { path: "self.state".into(), type_name: "std::sync::Mutex".into() }),
        primary: place("src/pool.rs", line),
        message: message.into(),
        help: Some("keep one guard of `self.state` until the value is back".into()),
        trace: vec![],
        suppressed: None,
        confirmation: None,
    };
    let kin = finding.fingerprint.clone();
    Recorded { finding, denied: false, primary_end: End { line, column: 30 }, kin, step_ends: vec![] }
}

fn findings() -> Vec<Recorded> {
    use {StepKind::*, Thread::*};
    let mut lost = recorded(1, "stale_value", 85, "grow", 24, "this write may undo what another thread did to `size`");
    lost.finding.trace = vec![
        step(A, Acquire, 21, "thread A locks `self.state`"),
        step(A, Read, 21, "thread A reads `size`"),
        step(A, Release, 22, "thread A unlocks"),
        step(B, Write, 45, "meanwhile thread B may write `size` here, in `pool::Pool::shrink`"),
        step(A, Acquire, 23, "thread A locks `self.state` again"),
        step(A, Write, 24, "and writes what it computed from the old value"),
    ];
    lost.denied = true;
    lost.finding.confirmation = Some(Confirmation::of(ConfirmationStatus::Confirmed, ""));
    lost.step_ends = lost.finding.trace.iter().map(|step| End { line: step.place.line, column: 30 }).collect();
    let mut checked = recorded(
        2,
        "check_then_act",
        62,
        "take",
        34,
        "another thread may have changed `self.state` since it was checked",
    );
    checked.finding.trace = vec![
        step(A, Read, 32, "thread A looks at `self.state` under the lock"),
        step(A, Release, 32, "thread A unlocks"),
        step(B, Write, 45, "meanwhile thread B may write `self.state` here, in `pool::Pool::shrink`"),
        step(A, Write, 34, "and acts on the old answer"),
    ];
    let mut order = recorded(3, "lock_order", 74, "both", 52, "`self.free` and `self.state` are taken in both orders");
    order.finding.trace = vec![
        step(A, Acquire, 51, "thread A locks `self.state`"),
        step(B, Acquire, 57, "thread B locks `self.free`, in `pool::Pool::back`"),
        step(A, Acquire, 52, "thread A waits for `self.free`"),
        step(B, Acquire, 58, "thread B waits for `self.state`"),
    ];
    let mut accepted = recorded(4, "stale_value", 80, "grow", 24, "the old `size` decides what is written");
    accepted.finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason: "only a hint".into() });
    let mut gone = recorded(5, "split_atomic", 48, "count", 7, "`self.count` is loaded and then stored");
    gone.finding.primary = place("src/gone.rs", 7);
    gone.finding.lock = None;
    vec![lost, checked, order, accepted, gone]
}

fn section(lock: &str, first: u32, last: u32, function: &str, shared: bool) -> Section {
    Section {
        place: place("src/pool.rs", first),
        end: End { line: last, column: 6 },
        lock: format!("pool::Pool.{lock}"),
        name: format!("self.{lock}"),
        shared,
        package: "pool".into(),
        function: format!("pool::Pool::{function}"),
    }
}

fn map() -> LockMap {
    let order = |held: &str, wanted: &str, line: u32| Order {
        held: format!("pool::Pool.{held}"),
        wanted: format!("pool::Pool.{wanted}"),
        held_at: place("src/pool.rs", line),
        wanted_at: place("src/pool.rs", line + 1),
        package: "pool".into(),
        function: "pool::Pool::both".into(),
    };
    LockMap {
        sections: vec![
            section("state", 21, 22, "grow", false),
            section("state", 23, 25, "grow", false),
            section("state", 32, 32, "take", false),
            section("state", 34, 34, "take", false),
            section("names", 39, 42, "name", true),
            section("state", 45, 45, "shrink", false),
            section("state", 51, 54, "both", false),
            section("free", 52, 54, "both", false),
            section("free", 57, 60, "back", false),
            section("state", 58, 60, "back", false),
        ],
        orders: vec![
            order("state", "free", 51),
            order("free", "state", 57),
            order("state", "names", 51),
            order("queue", "free", 57),
            order("queue", "log", 57),
            order("log", "sink", 57),
        ],
    }
}

fn guards() -> Vec<LocationGuards> {
    let guess = |guess: GuessKind, holds: bool, text: &str| Guess {
        guess,
        lock: None,
        holds,
        text: text.into(),
        refuted_at: (!holds).then(|| place("src/pool.rs", 64)),
    };
    let location = |name: &str, line: u32, holds: bool| LocationGuards {
        place: place("src/pool.rs", line),
        package: "pool".into(),
        location: format!("pool::Pool.{name}"),
        kind: LocationKind::Atomic,
        uses: 4,
        alone: 1,
        guesses: vec![
            guess(GuessKind::ReadOnly, false, "not read-only: written in `pool::Pool::count`"),
            guess(GuessKind::GuardedBy, holds, "guarded by `self.state`"),
        ],
        functions: vec![FunctionGuards {
            function: "pool::Pool::count".into(),
            guesses: vec![guess(GuessKind::Requires, false, "does not require `self.state`")],
        }],
    };
    vec![location("count", 14, true), location("last", 15, false)]
}

/// Many findings, in as many files as a large project would have them.
pub fn large(findings: u64, files: u64) -> Sample {
    use {StepKind::*, Thread::*};
    let mut sample = Sample::new();
    sample.findings.clear();
    for file in 0..files {
        sample.source(&format!("src/m{file}.rs"), POOL);
    }
    for number in 0..findings {
        let file = format!("src/m{}.rs", number % files);
        let score = u8::try_from(45 + number % 55).unwrap();
        let function = format!("method_{}", number % 90);
        let message = format!("this write may undo what another thread did to `self.field{}`", number % 37);
        let mut one = recorded(number, "stale_value", score, &function, 24, &message);
        one.finding.lock.as_mut().unwrap().path = format!("self.lock{}", number % 23);
        let told = [
            (A, Acquire, 21, "thread A locks it"),
            (A, Read, 21, "thread A reads it"),
            (A, Release, 22, "thread A unlocks"),
            (B, Write, 45, "meanwhile thread B may write it here, in `pool::Pool::shrink`"),
            (A, Acquire, 23, "thread A locks it again"),
            (A, Write, 24, "and writes what it computed from the old value"),
        ];
        one.finding.trace = told.iter().map(|(thread, kind, line, text)| step(*thread, *kind, *line, text)).collect();
        one.finding.trace.iter_mut().for_each(|step| step.place.file = file.clone());
        one.finding.primary.file = file;
        sample.findings.push(one);
    }
    assert!(sample.findings.iter().all(|one| one.finding.confidence >= Confidence::Medium));
    sample
}
