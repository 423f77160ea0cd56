//! Small findings and documents for the tests.

use crate::crates::{Row, Verdict};
use finding::{Confidence, Document, Finding, Place, RunInfo, Step, StepKind, Thread, Tool};

pub fn place(file: &str, line: u32) -> Place {
    Place { file: file.to_owned(), line, column: 1 }
}

pub fn finding(lint: &str, confidence: Confidence, function: &str, place: Place) -> Finding {
    Finding {
        fingerprint: "0123456789abcdef".to_owned(),
        lint: lint.to_owned(),
        confidence,
        score: 50,
        reasons: Vec::new(),
        package: "pool".to_owned(),
        function: function.to_owned(),
        lock: None,
        primary: place,
        message: "the value is old".to_owned(),
        help: None,
        trace: Vec::new(),
        suppressed: None,
        confirmation: None,
    }
}

pub fn step(thread: Thread, place: Place) -> Step {
    Step { thread, step: StepKind::Write, place, text: String::new() }
}

pub fn document(lines: usize, findings: Vec<Finding>) -> Document {
    Document {
        schema: finding::document::SCHEMA,
        tool: Tool { name: "stalemate".to_owned(), version: String::new(), toolchain: String::new() },
        run: RunInfo { lines, ..RunInfo::default() },
        findings,
    }
}

pub fn verdict(verdict: Verdict, lint: &str, fingerprint: &str) -> Row {
    Row {
        name: "pool".to_owned(),
        version: "1.0.0".to_owned(),
        fingerprint: fingerprint.to_owned(),
        lint: lint.to_owned(),
        function: "get".to_owned(),
        place: None,
        verdict,
        worth_fixing: Some(verdict == Verdict::True),
        why: "seen".to_owned(),
        decide: None,
    }
}
