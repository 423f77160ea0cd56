use super::*;
use crate::report::samples::{recorded, step};
use boon::{Compiler, Schemas};
use finding::document::ConfirmationStatus;
use finding::{Confidence, Confirmation, Lock};
use serde_json::{Value, json};

const OASIS: &str = include_str!("../../../tests/schemas/sarif-2.1.0.json");

/// Every problem that the schema finds, formats such as `uri` included.
fn complaints(document: &Value) -> Option<String> {
    let mut compiler = Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("sarif.json", serde_json::from_str(OASIS).unwrap()).unwrap();
    let mut schemas = Schemas::new();
    let schema = compiler.compile("sarif.json", &mut schemas).unwrap();
    schemas.validate(document, schema).err().map(|error| format!("{error:#}"))
}

fn document(run: &RunInfo, findings: Vec<Recorded>) -> Value {
    let mut bytes = Vec::new();
    print(&mut bytes, run, &Selection::new(findings, |_| Confidence::Low)).unwrap();
    assert!(bytes.ends_with(b"}\n"));
    serde_json::from_slice(&bytes).unwrap()
}

/// The only run, of a document that the schema has nothing against.
#[track_caller]
fn valid(run: &RunInfo, findings: Vec<Recorded>) -> Value {
    let mut document = document(run, findings);
    assert_eq!(complaints(&document), None, "{document:#}");
    document["runs"][0].take()
}

#[track_caller]
fn result(recorded: Recorded) -> Value {
    valid(&RunInfo::default(), vec![recorded])["results"][0].take()
}

fn two_threads() -> Recorded {
    let mut sample = recorded("src/a.rs", 7);
    sample.finding.trace = vec![
        step(Thread::A, "src/a.rs", 3, "reads"),
        step(Thread::B, "src/b.rs", 9, "writes first"),
        step(Thread::A, "src/a.rs", 7, "writes"),
    ];
    sample.step_ends = vec![End { line: 3, column: 12 }, End { line: 10, column: 2 }, End { line: 7, column: 9 }];
    sample
}

fn suppressed(by: SuppressedBy, reason: &str) -> Value {
    let mut sample = recorded("src/a.rs", 1);
    sample.finding.suppressed = Some(Suppressed { by, reason: reason.into() });
    result(sample)["suppressions"].take()
}

#[test]
fn the_schema_is_asked_in_earnest() {
    let mut document = document(&RunInfo::default(), vec![two_threads()]);
    document["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"] = json!([]);
    assert!(complaints(&document).is_some_and(|words| words.contains("minItems")));
    document = self::document(&RunInfo::default(), vec![two_threads()]);
    let primary = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
    *document.pointer_mut(primary).unwrap() = json!("a b.rs");
    assert!(complaints(&document).is_some_and(|words| words.contains("uri-reference")));
}

#[test]
fn an_empty_run_has_a_tool_and_no_results() {
    let run = valid(&RunInfo::default(), vec![]);
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["tool"]["driver"]["semanticVersion"], VERSION);
    assert_eq!(run["invocations"], json!([{ "executionSuccessful": true, "toolExecutionNotifications": [] }]));
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert!(run["originalUriBaseIds"]["%SRCROOT%"].get("uri").is_none());
}

#[test]
fn a_finding_has_its_rule_place_and_fingerprint() {
    let run = valid(&RunInfo::default(), vec![two_threads()]);
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("stale_value"), &json!("warning")));
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], "stale_value");
    assert_eq!(result["message"]["text"], "the balance may be stale");
    let region = json!({ "startLine": 7, "startColumn": 5, "endLine": 7, "endColumn": 9 });
    let file = json!({ "uri": "src/a.rs", "uriBaseId": "%SRCROOT%" });
    let place = json!({ "artifactLocation": file, "region": region });
    assert_eq!(result["locations"][0]["physicalLocation"], place);
    assert_eq!(result["partialFingerprints"], json!({ "stalemate/v1": "00000000deadbeef" }));
    assert_eq!((&result["rank"], &result["suppressions"]), (&json!(80), &json!([])));
}

#[test]
fn two_threads_are_two_flows_in_one_order() {
    let result = result(two_threads());
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let told = |flow: &Value| {
        let locations = flow["locations"].as_array().unwrap().iter();
        locations.map(|one| (one["executionOrder"].clone(), one["location"]["message"]["text"].clone())).collect()
    };
    let told: Vec<(&Value, Vec<_>)> = flows.iter().map(|flow| (&flow["id"], told(flow))).collect();
    let a = vec![(json!(1), json!("reads")), (json!(3), json!("writes"))];
    assert_eq!(told, [(&json!("A"), a), (&json!("B"), vec![(json!(2), json!("writes first"))])]);
    assert_eq!(result["codeFlows"].as_array().unwrap().len(), 1);

    let related = result["relatedLocations"].as_array().unwrap();
    let ids: Vec<_> = related.iter().map(|one| one["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(related[1]["physicalLocation"]["region"]["endLine"], 10);
}

#[test]
fn a_thread_without_steps_has_no_flow() {
    let mut alone = two_threads();
    alone.finding.trace.remove(1);
    alone.step_ends.clear();
    let alone = result(alone);
    let flows = alone["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!((flows.len(), &flows[0]["id"]), (1, &json!("A")));
    assert!(flows[0]["locations"][0]["location"]["physicalLocation"]["region"].get("endLine").is_none());
    assert!(result(recorded("src/a.rs", 1)).get("codeFlows").is_none());
}

#[test]
fn accepted_findings_say_who_accepted_them() {
    let in_source = json!([{ "kind": "inSource", "status": "accepted", "justification": "known" }]);
    assert_eq!(suppressed(SuppressedBy::Attribute, "known"), in_source);
    assert_eq!(suppressed(SuppressedBy::Comment, "known"), in_source);
    assert_eq!(suppressed(SuppressedBy::Baseline, ""), json!([{ "kind": "external", "status": "accepted" }]));
}

#[test]
fn levels_follow_lints_and_confidence() {
    let level = |denied, confidence| {
        let mut sample = Recorded { denied, ..recorded("src/a.rs", 1) };
        sample.finding.confidence = confidence;
        result(sample)["level"].take()
    };
    assert_eq!(level(true, Confidence::High), "error");
    assert_eq!(level(false, Confidence::Medium), "warning");
    assert_eq!(level(false, Confidence::Low), "note");
}

#[test]
fn odd_paths_are_valid_uris() {
    let mut sample = recorded("my crate/größe#1 100%.rs", 1);
    sample.finding.trace =
        vec![step(Thread::A, "a:b/[c]?\\d|\"e\".rs", 1, "reads"), step(Thread::B, "/o/x.rs", 2, "w")];
    let result = result(sample);
    let file = |location: &Value| location["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(file(&result["locations"][0]), "my%20crate/gr%C3%B6%C3%9Fe%231%20100%25.rs");
    assert_eq!(file(&result["relatedLocations"][1]), "file:///o/x.rs");
}

#[test]
fn skipped_functions_are_notifications() {
    let skipped = vec![Skipped { function: "a::f".into(), reason: "too large".into() }];
    let run = valid(&RunInfo { skipped, ..RunInfo::default() }, vec![]);
    let told = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(told["message"]["text"], "`a::f` was skipped: too large");
    assert_eq!(told["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "a::f");
}

#[test]
fn what_the_standard_lacks_is_in_the_properties() {
    let mut sample = recorded("src/a.rs", 1);
    sample.finding.lock = Some(Lock { path: "self.m".into(), type_name: "std::sync::Mutex".into() });
    sample.finding.confirmation = Some(Confirmation::of(ConfirmationStatus::Confirmed, ""));
    let expected = json!({
        "confidence": "high", "package": "bank", "function": "Account::deposit",
        "lock": { "path": "self.m", "type": "std::sync::Mutex" },
        "reasons": [{ "points": 80, "text": "the value is written back" }],
        "confirmation": { "status": "confirmed" } });
    assert_eq!(result(sample)["properties"], expected);
}
