//! Whole processes: the watchdog, the last words of a deadlock, a perturbed test, runs in processes of their own. This
//! test binary is started again, with the name of a test that is a program in that role and does nothing otherwise.

use stalemate_rt::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use stalemate_rt::sync::{Arc, Mutex};
use stalemate_rt::watchdog;
use stalemate_rt::witness::{Ended, Pair, Status};
use std::env;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

const ROLE: &str = "STALEMATE_TEST_ROLE";

fn is_program(name: &str) -> bool {
    env::var(ROLE).is_ok_and(|role| role == name)
}

fn start(name: &str, variables: &[(&str, &str)]) -> Output {
    let mut program = Command::new(env::current_exe().unwrap());
    program.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, name);
    program.envs(variables.iter().copied()).output().unwrap()
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.split_once(watchdog::MARK));
    line.unwrap_or_else(|| panic!("no verdict in: {text}")).1.to_owned()
}

#[test]
fn hangs() {
    if is_program("hangs") {
        watchdog::start(Duration::from_millis(200));
        let (_send, receive) = std::sync::mpsc::channel::<()>();
        let _ = receive.recv();
    }
}

#[test]
fn the_watchdog_ends_what_hangs() {
    let start_time = Instant::now();
    let output = start("hangs", &[]);
    assert_eq!(output.status.code(), Some(watchdog::TIMEOUT));
    assert!(verdict(&output).starts_with(r#"{"status":"timeout","threads":["#));
    assert!(start_time.elapsed() < Duration::from_secs(20));
}

#[test]
fn locks_twice() {
    if is_program("locks_twice") {
        let lock = Mutex::new(());
        let _first = lock.lock();
        let _second = lock.lock();
    }
}

/// A limit is enough to have the director look.
#[test]
fn a_deadlock_outside_of_a_witness_ends_the_process_with_its_proof() {
    let output = start("locks_twice", &[(watchdog::VARIABLE, "20000")]);
    assert_eq!(output.status.code(), Some(watchdog::DEADLOCK), "{output:?}");
    let verdict = verdict(&output);
    assert!(verdict.starts_with(r#"{"status":"deadlock","cycle":[{"thread":"#), "{verdict}");
    assert!(verdict.contains("locks_twice"), "the stack: {verdict}");
}

/// Two deposits that hardly ever meet.
#[test]
fn deposits() {
    if !is_program("deposits") {
        return;
    }
    let account = Arc::new(Mutex::new(0));
    let threads = [1, 10].map(|amount| {
        let account = account.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(amount as u64));
            let balance = *account.lock().unwrap();
            *account.lock().unwrap() = balance + amount;
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*account.lock().unwrap(), 11);
}

#[test]
fn a_perturbed_test_fails_where_the_plain_one_passes() {
    assert!(start("deposits", &[]).status.success());
    let gap = gap_of_deposits();
    let output = start("deposits", &[("STALEMATE_PERTURB", &gap), ("STALEMATE_PERTURB_MS", "2000")]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{told}");
    assert!(told.contains(r#""passed":true}"#), "{told}");
    let none = start("deposits", &[("STALEMATE_PERTURB", &gap), ("STALEMATE_PERTURB_TIMES", "0")]);
    assert!(none.status.success());
    let wrong = start("deposits", &[("STALEMATE_PERTURB", "nowhere")]);
    assert_eq!(wrong.status.code(), Some(watchdog::MISUSE));
}

/// The gap of `deposits`, and who interferes.
fn gap_of_deposits() -> String {
    let line = 1 + include_str!("process.rs").lines().position(|line| line.contains("let balance")).unwrap();
    format!("tests/process.rs:{line}>tests/process.rs:{}@tests/process.rs:{}", line + 1, line + 1)
}

/// The same delays, and the way through the gap made atomic: nothing is lost.
#[test]
fn controls_let_nobody_in_between() {
    let gap = gap_of_deposits();
    for (control, passed) in [("slow", "false"), ("late", "true")] {
        let variables = [
            ("STALEMATE_PERTURB", gap.as_str()),
            ("STALEMATE_PERTURB_MS", "300"),
            ("STALEMATE_PERTURB_CONTROL", control),
        ];
        let output = start("deposits", &variables);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{control}: {told}");
        assert!(told.contains(&format!(r#""passed":{passed}}}"#)), "{control}: {told}");
    }
    let wrong = start("deposits", &[("STALEMATE_PERTURB", &gap), ("STALEMATE_PERTURB_CONTROL", "fast")]);
    assert_eq!(wrong.status.code(), Some(watchdog::MISUSE));
}

/// Each thread takes both locks, and the one that comes second comes late.
#[test]
fn crosswise() {
    if !is_program("crosswise") {
        return;
    }
    let locks = Arc::new((Mutex::new(()), Mutex::new(())));
    let threads = [0, 100].map(|time| {
        let locks = locks.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(time));
            let (first, second) = if time == 0 { (&locks.0, &locks.1) } else { (&locks.1, &locks.0) };
            if time == 0 {
                let _guard = first.lock(); // forth
                drop(second.lock());
            } else {
                let _guard = first.lock(); // back
                drop(second.lock());
            }
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn a_thread_is_held_up_with_its_lock_until_the_other_has_its_own() {
    let line = |end: &str| 1 + include_str!("process.rs").lines().position(|line| line.ends_with(end)).unwrap();
    let spot = format!("held:tests/process.rs:{}>@tests/process.rs:{}", line("// forth"), line("// back"));
    let variables = [("STALEMATE_PERTURB", spot.as_str()), ("STALEMATE_PERTURB_MS", "900")];
    let output = start("crosswise", &variables);
    assert_eq!(output.status.code(), Some(watchdog::DEADLOCK), "{output:?}");
    let [perturb, bound] = variables;
    for control in ["slow", "late"] {
        let output = start("crosswise", &[perturb, bound, ("STALEMATE_PERTURB_CONTROL", control)]);
        assert!(output.status.success(), "{control}: {output:?}");
    }
}

/// A thread that withdraws long before the other deposits.
#[test]
fn withdraws_first() {
    if !is_program("withdraws_first") {
        return;
    }
    let account = Arc::new(Mutex::new(10));
    let other = account.clone();
    let withdrawing = thread::spawn(move || *other.lock().unwrap() -= 1); // withdraws
    thread::sleep(Duration::from_millis(100));
    let held = *account.lock().unwrap(); // looks
    *account.lock().unwrap() = held + 5; // acts
    withdrawing.join().unwrap();
    assert_eq!(*account.lock().unwrap(), 14);
}

#[test]
fn who_would_be_too_early_waits_if_it_is_invited() {
    let line = |end: &str| 1 + include_str!("process.rs").lines().position(|line| line.ends_with(end)).unwrap();
    let at = |end: &str| format!("tests/process.rs:{}", line(end));
    let gap = format!("{}>{}@{}", at("// looks"), at("// acts"), at("// withdraws"));
    let variables = [("STALEMATE_PERTURB", gap.as_str()), ("STALEMATE_PERTURB_MS", "900")];
    assert!(start("withdraws_first", &variables).status.success());
    let [perturb, bound] = variables;
    let output = start("withdraws_first", &[perturb, bound, ("STALEMATE_PERTURB_INVITE", "1")]);
    assert!(!output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(r#""passed":true}"#), "{output:?}");
}

/// State that no fixture can make anew.
static TOTAL: Mutex<u32> = Mutex::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

fn add(amount: u32) -> String {
    let total = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = total + amount;
    total.to_string()
}

fn statics() -> Pair<()> {
    Pair::new(|| (), |()| add(1), |()| add(10)).observe(|()| TOTAL.lock().unwrap().to_string())
}

#[test]
fn isolated() {
    if is_program("isolated") {
        statics().isolated().main();
    }
}

#[test]
fn ends_the_process() {
    if is_program("ends_the_process") {
        let quit = |(): &()| {
            if ENDED.fetch_add(1, SeqCst) > 0 {
                std::process::abort();
            }
            String::new()
        };
        let verdict = Pair::new(|| (), quit, quit).isolated().run();
        let died = verdict.serial.iter().all(|outcome| matches!(outcome.a, Ended::Died(_)));
        assert!(died && verdict.status == Status::NotReproduced, "{}", verdict.json());
    }
}

#[test]
fn runs_in_processes_of_their_own_share_no_statics() {
    let here = statics().run();
    assert_eq!(here.status, Status::Infeasible, "{}", here.json());
    let output = start("isolated", &[]);
    assert!(output.status.success(), "{output:?}");
    let verdict = verdict(&output);
    assert!(verdict.starts_with(r#"{"status":"confirmed""#), "{verdict}");
    assert!(start("ends_the_process", &[]).status.success());
}
