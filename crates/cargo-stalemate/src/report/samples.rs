//! Hand-made findings for the tests of this crate.

use crate::VERSION;
use crate::toolchain::TOOLCHAIN;
use finding::facts::{End, FORMAT, Recorded, UnitFacts};
use finding::{Confidence, Finding, Place, Reason, Step, StepKind, Thread};

pub fn recorded(file: &str, line: u32) -> Recorded {
    Recorded {
        finding: Finding {
            fingerprint: "00000000deadbeef".into(),
            lint: "stale_value".into(),
            confidence: Confidence::High,
            score: 80,
            reasons: vec![Reason { points: 80, text: "the value is written back".into() }],
            package: "bank".into(),
            function: "Account::deposit".into(),
            lock: None,
            primary: place(file, line),
            message: "the balance may be stale".into(),
            help: None,
            trace: vec![],
            suppressed: None,
            confirmation: None,
        },
        denied: false,
        kin: "00000000deadbeef".into(),
        primary_end: End { line, column: 9 },
        step_ends: vec![],
    }
}

pub fn place(file: &str, line: u32) -> Place {
    Place { file: file.into(), line, column: 5 }
}

pub fn step(thread: Thread, file: &str, line: u32, text: &str) -> Step {
    Step { thread, step: StepKind::Read, place: place(file, line), text: text.into() }
}

pub fn unit_facts(package: &str) -> UnitFacts {
    UnitFacts {
        format: FORMAT,
        version: VERSION.into(),
        toolchain: TOOLCHAIN.into(),
        package: package.into(),
        crate_name: package.into(),
        test: false,
        functions: 1,
        functions_with_locks: 0,
        lines: 1,
        skipped: vec![],
        unknown_models: vec![],
        findings: vec![],
        acceptances: vec![],
        atomicity: vec![],
        guards: vec![],
        map: Default::default(),
        recipes: Vec::new(),
        pairs: Default::default(),
    }
}
