//! The measuring process on real commands, from outside: what it prints is what the numbers of a bench are made of.
#![cfg(unix)]

use serde_json::Value;
use std::process::{Command, Output};

fn measure(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fieldcheck")).arg("measure").arg("--").args(words).output().unwrap()
}

fn numbers(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// CPU seconds of a command.
fn seconds(words: &[&str]) -> f64 {
    numbers(&measure(words))["cpu_seconds"].as_f64().unwrap()
}

#[test]
fn a_small_command_costs_little() {
    let numbers = numbers(&measure(&["true"]));
    assert_eq!(numbers["code"], 0);
    let (cpu, peak) = (numbers["cpu_seconds"].as_f64().unwrap(), numbers["peak_mb"].as_f64().unwrap());
    assert!((0.0..1.0).contains(&cpu), "{cpu}");
    assert!((0.1..200.0).contains(&peak), "{peak}");
}

/// The work is done two processes below the one that is started.
#[test]
fn the_whole_tree_counts() {
    let loop_of = |count: u32| format!("i=0; while [ $i -lt {count} ]; do i=$((i + 1)); done");
    let (much, little) = (loop_of(500_000), loop_of(1));
    let nested = |script: &str| seconds(&["sh", "-c", "sh -c \"$0\" && true", script]);
    assert!(nested(&much) > nested(&little) + 0.05);
}

#[test]
fn the_largest_process_counts() {
    let peak = |script: &str| numbers(&measure(&["sh", "-c", script]))["peak_mb"].as_f64().unwrap();
    let (large, small) = (peak("x=$(head -c 60000000 /dev/zero | tr '\\0' x); true"), peak("true"));
    assert!(large > small + 40.0, "{large} {small}");
}

#[test]
fn the_exit_code_is_that_of_the_command_and_its_words_stay_out_of_the_numbers() {
    let output = measure(&["sh", "-c", "echo said; echo complained >&2; exit 70"]);
    assert_eq!(numbers(&output)["code"], 70);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "said\ncomplained\n");
    assert_eq!(numbers(&measure(&["sh", "-c", "kill -9 $$"]))["code"], Value::Null);
}

#[test]
fn a_command_that_is_not_there_has_no_numbers() {
    let output = measure(&["no-such-program"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: no-such-program: "), "{output:?}");
}
