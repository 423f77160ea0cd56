use super::*;
use crate::report::samples::{recorded, step};
use finding::Thread::{A, B};
use finding::facts::End;
use finding::{Reason, Step};

const BANK: &str = "\
impl Account {
    fn deposit(&self, n: u64) {
        let old = *self.balance.lock().unwrap();
        log(n);
        audit(n);
        log(old);
        *self.balance.lock().unwrap() = old + n;
    }
}
";

/// A finding in `src/bank.rs`, and files on disk to show it in.
struct Case {
    directory: tempfile::TempDir,
    recorded: Recorded,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Case {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Case { directory, recorded: recorded("src/bank.rs", 7) }
    }

    fn primary(mut self, line: u32, columns: Range<u32>) -> Case {
        self.recorded.finding.primary = Place { file: "src/bank.rs".into(), line, column: columns.start };
        self.recorded.primary_end = End { line, column: columns.end };
        self
    }

    fn step(mut self, step: Step, columns: Range<u32>) -> Case {
        self.recorded.step_ends.push(End { line: step.place.line, column: columns.end });
        self.recorded.finding.trace.push(Step { place: Place { column: columns.start, ..step.place }, ..step });
        self
    }

    fn render(&self) -> String {
        let mut sources = Sources::new(self.directory.path());
        format!("\n{}\n", render(&Renderer::plain(), &mut sources, &self.recorded))
    }
}

fn deposit(case: Case) -> Case {
    case.primary(7, 9..38)
        .step(step(A, "src/bank.rs", 3, "reads the balance"), 20..48)
        .step(step(B, "src/teller.rs", 2, "another thread withdraws"), 5..16)
        .step(step(A, "src/bank.rs", 7, "writes it back"), 9..38)
}

#[test]
fn two_threads_in_two_files() {
    let mut case = deposit(Case::new(&[("src/bank.rs", BANK), ("src/teller.rs", "fn f() {\n    withdraw(3);\n}\n")]));
    case.recorded.finding.help = Some("hold one guard over both".into());
    case.recorded.finding.reasons.push(Reason { points: 5, text: "the lock is shared".into() });
    case.recorded.finding.reasons.push(Reason { points: -10, text: "it is logged only".into() });
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:7:9
  |
3 |         let old = *self.balance.lock().unwrap();
  |                    ---------------------------- (1) reads the balance
...
7 |         *self.balance.lock().unwrap() = old + n;
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ (3) writes it back
  |
note: (2) another thread withdraws
 --> src/teller.rs:2:5
  |
2 |     withdraw(3);
  |     ^^^^^^^^^^^
  |
  = note: reported with high confidence because the value is written back; the lock is shared
  = note: speaking against it: it is logged only
  = help: hold one guard over both
"
    );
}

#[test]
fn denied_is_an_error() {
    let mut case = Case::new(&[("src/bank.rs", BANK)]).primary(3, 13..16);
    case.recorded.denied = true;
    case.recorded.finding.reasons.clear();
    assert_eq!(
        case.render(),
        r"
error[stale_value]: the balance may be stale
 --> src/bank.rs:3:13
  |
3 |         let old = *self.balance.lock().unwrap();
  |             ^^^
  |
  = note: reported with high confidence
"
    );
}

#[test]
fn several_steps_of_the_other_thread_share_a_note() {
    let case = Case::new(&[("src/bank.rs", BANK)])
        .primary(7, 9..38)
        .step(step(A, "src/bank.rs", 7, "writes"), 9..38)
        .step(step(B, "src/bank.rs", 4, "takes the lock"), 9..12)
        .step(step(B, "src/bank.rs", 5, "writes first"), 9..14);
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:7:9
  |
7 |         *self.balance.lock().unwrap() = old + n;
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ (1) writes
  |
note: meanwhile, in another thread
 --> src/bank.rs:4:9
  |
4 |         log(n);
  |         --- (2) takes the lock
5 |         audit(n);
  |         ----- (3) writes first
  |
  = note: reported with high confidence because the value is written back
"
    );
}

#[test]
fn our_steps_in_another_file_join_the_snippet() {
    let case = Case::new(&[("src/bank.rs", BANK), ("src/log.rs", "fn log(n: u64) {\n    wait();\n}\n")])
        .primary(7, 9..38)
        .step(step(A, "src/log.rs", 2, "waits"), 5..11)
        .step(step(A, "src/bank.rs", 7, "writes"), 9..38);
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:7:9
  |
7 |         *self.balance.lock().unwrap() = old + n;
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ (2) writes
  |
 ::: src/log.rs:2:5
  |
2 |     wait();
  |     ------ (1) waits
  |
  = note: reported with high confidence because the value is written back
"
    );
}

#[test]
fn steps_without_source_keep_their_words() {
    let case = deposit(Case::new(&[("src/bank.rs", BANK)])).step(step(A, "src/gone.rs", 8, "is gone"), 3..4);
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:7:9
  |
3 |         let old = *self.balance.lock().unwrap();
  |                    ---------------------------- (1) reads the balance
...
7 |         *self.balance.lock().unwrap() = old + n;
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ (3) writes it back
  |
note: (2) another thread withdraws
 --> src/teller.rs:2:5
note: (4) is gone
 --> src/gone.rs:8:3
  = note: reported with high confidence because the value is written back
"
    );
}

#[test]
fn a_primary_place_without_source_keeps_its_words() {
    let case = deposit(Case::new(&[("src/bank.rs", "fn short() {}\n")]));
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
--> src/bank.rs:7:9
 = note: (3) writes it back
note: (1) reads the balance
--> src/bank.rs:3:20
note: (2) another thread withdraws
--> src/teller.rs:2:5
 = note: reported with high confidence because the value is written back
"
    );
}

#[test]
fn tabs_and_wide_characters_stay_aligned() {
    let text = "fn f() {\n\tlet naïve = (\"日本\", self.m.lock());\n}\n";
    let case = Case::new(&[("src/bank.rs", text)])
        .primary(2, 21..34)
        .step(step(A, "src/bank.rs", 2, "takes the lock"), 21..34)
        .step(step(A, "src/bank.rs", 2, "binds it"), 6..11);
    assert_eq!(
        case.render(),
        r#"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:2:21
  |
2 |     let naïve = ("日本", self.m.lock());
  |         -----            ^^^^^^^^^^^^^ (1) takes the lock
  |         |
  |         (2) binds it
  |
  = note: reported with high confidence because the value is written back
"#
    );
}

#[test]
fn steps_at_one_place_share_a_label() {
    let case = Case::new(&[("src/bank.rs", BANK)])
        .primary(3, 20..48)
        .step(step(A, "src/bank.rs", 3, "reads the balance"), 20..48)
        .step(step(A, "src/bank.rs", 3, "lets the lock go"), 20..48)
        .step(step(B, "src/bank.rs", 3, "another thread does the same"), 20..48);
    assert_eq!(
        case.render(),
        r"
warning[stale_value]: the balance may be stale
 --> src/bank.rs:3:20
  |
3 |         let old = *self.balance.lock().unwrap();
  |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ (1) reads the balance; (2) lets the lock go; (3) another thread does the same
  |
  = note: reported with high confidence because the value is written back
"
    );
}

#[test]
fn no_place_is_too_odd() {
    for text in ["", "\n", "é", "a\tb\r\n\r\n", "\u{feff}日本\n\tx"] {
        for (line, column, end) in (0..4).flat_map(|l| (0..6).flat_map(move |c| (0..6).map(move |e| (l, c, e)))) {
            let case = Case::new(&[("src/bank.rs", text)])
                .primary(line, column..end)
                .step(step(A, "src/bank.rs", 1, "first"), 1..end)
                .step(step(B, "src/bank.rs", end, "second"), column..line);
            assert!(case.render().contains("src/bank.rs"), "{text:?} {line}:{column}..{end}");
        }
    }
}
