use super::*;
use crate::report::samples::{recorded, step, unit_facts};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{CompilerMessage as Read, Message};
use finding::facts::UnitFacts;
use finding::{Confidence, Suppressed, SuppressedBy, Thread};
use serde_json::json;

fn project() -> Project {
    let target = |name: &str, kind: &str| {
        json!({ "name": name, "kind": [kind], "crate_types": [kind], "src_path": format!("/w/src/{name}.rs"),
                "edition": "2024", "doc": true, "doctest": false, "test": true })
    };
    let package = json!({
        "name": "bank", "version": "0.1.0", "id": "path+file:///w#bank@0.1.0", "dependencies": [], "features": {},
        "manifest_path": "/w/Cargo.toml", "targets": [target("bank", "lib"), target("teller", "bin")] });
    let metadata = json!({ "packages": [package], "workspace_members": [], "resolve": null, "workspace_root": "/w",
                           "target_directory": "/w/target", "version": 1, "metadata": null });
    Project::from_metadata(&serde_json::from_value(metadata).unwrap())
}

fn unit(name: &str, kind: &str, test: bool, findings: &[Recorded]) -> Checked {
    let target = messages::Target { package: "bank".into(), name: name.into(), kind: kind.into() };
    (target, UnitFacts { test, findings: findings.to_vec(), ..unit_facts("bank") })
}

fn printed(units: &[Checked], findings: Vec<Recorded>) -> String {
    let mut out = Vec::new();
    print(&mut out, &project(), units, &Selection::new(findings, Confidence::Low)).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a reader of cargo's messages makes of the lines.
fn read(lines: &str) -> (Vec<Read>, bool) {
    let mut messages = Vec::new();
    for message in Message::parse_stream(lines.as_bytes()).map(Result::unwrap) {
        match message {
            Message::CompilerMessage(message) => messages.push(message),
            Message::BuildFinished(finished) => return (messages, finished.success),
            other => panic!("{other:?}"),
        }
    }
    panic!("no end: {lines}")
}

fn two_threads() -> Recorded {
    let mut sample = recorded("src/a.rs", 7);
    sample.finding.help = Some("hold one guard".into());
    sample.finding.trace = vec![
        step(Thread::A, "src/a.rs", 3, "reads"),
        step(Thread::B, "src/b.rs", 9, "writes first"),
        step(Thread::A, "src/a.rs", 7, "writes"),
    ];
    sample
}

fn one(sample: Recorded) -> Read {
    let lines = printed(&[unit("bank", "lib", false, std::slice::from_ref(&sample))], vec![sample.clone()]);
    let (mut messages, success) = read(&lines);
    assert!(success && messages.len() == 1, "{lines}");
    messages.remove(0)
}

#[test]
fn a_finding_is_a_message_of_the_compiler() {
    let Read { package_id, target, message, .. } = one(two_threads());
    assert_eq!((package_id.repr.as_str(), target.name.as_str()), ("path+file:///w#bank@0.1.0", "bank"));
    assert_eq!((message.message.as_str(), message.level), ("the balance may be stale", DiagnosticLevel::Warning));
    assert_eq!(message.code.unwrap().code, "stalemate::stale_value");
    let spans: Vec<_> =
        message.spans.iter().map(|one| (one.is_primary, one.line_start, one.label.as_deref())).collect();
    let expected = [(true, 7, Some("(3) writes")), (false, 3, Some("(1) reads")), (false, 7, Some("(3) writes"))];
    assert_eq!(spans, expected);
    assert!(message.rendered.unwrap().starts_with("warning[stale_value]: the balance may be stale\n"));
}

#[test]
fn the_other_thread_reasons_and_help_are_notes() {
    let children = one(two_threads()).message.children;
    let told: Vec<_> = children.iter().map(|child| (child.level, child.message.as_str(), child.spans.len())).collect();
    use DiagnosticLevel::{Help, Note};
    let why = "reported with high confidence because the value is written back";
    assert_eq!(told, [(Note, "(2) writes first", 1), (Note, why, 0), (Help, "hold one guard", 0)]);
    let place = &children[0].spans[0];
    assert_eq!((place.file_name.as_str(), place.line_start, place.is_primary), ("src/b.rs", 9, true));
}

#[test]
fn lines_begin_like_those_of_cargo() {
    let sample = two_threads();
    let lines = printed(&[unit("bank", "lib", false, std::slice::from_ref(&sample))], vec![sample.clone()]);
    let start =
        r#"{"reason":"compiler-message","package_id":"path+file:///w#bank@0.1.0","manifest_path":"/w/Cargo.toml","#;
    assert!(lines.starts_with(start), "{lines}");
    assert!(lines.contains(r#""message":{"$message_type":"diagnostic","message":"#), "{lines}");
    assert!(lines.ends_with("\n{\"reason\":\"build-finished\",\"success\":true}\n"), "{lines}");
}

#[test]
fn the_target_is_that_of_the_plain_unit() {
    let sample = two_threads();
    let findings = [sample.clone()];
    let units = [unit("bank", "lib", true, &findings), unit("teller", "bin", false, &findings)];
    assert_eq!(read(&printed(&units, vec![sample])).0[0].target.name, "teller");
}

#[test]
fn denied_is_an_error_and_accepted_is_not_told() {
    let (denied, mut accepted) = (Recorded { denied: true, ..recorded("a.rs", 1) }, recorded("b.rs", 1));
    accepted.finding.suppressed = Some(Suppressed { by: SuppressedBy::Attribute, reason: String::new() });
    let findings = [denied, accepted];
    let (messages, _) = read(&printed(&[unit("bank", "lib", false, &findings)], findings.to_vec()));
    let levels: Vec<_> = messages.iter().map(|message| message.message.level).collect();
    assert_eq!(levels, [DiagnosticLevel::Error]);
}

#[test]
fn a_project_that_does_not_compile_ends_without_success() {
    let mut out = Vec::new();
    finish(&mut out, false).unwrap();
    assert_eq!(read(std::str::from_utf8(&out).unwrap()), (vec![], false));
}
