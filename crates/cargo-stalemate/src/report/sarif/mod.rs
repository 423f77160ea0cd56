//! SARIF 2.1.0, the format in which code scanning services take findings. The bytes depend on the findings alone: paths
//! are relative to the root of the workspace, and neither times nor directories are told.
//!
//! The trace becomes one code flow with a thread flow for each of the two threads; `executionOrder` tells how they
//! interleave. The standard forbids a thread flow without a location, so a thread that has no steps has none: a finding
//! that one thread makes alone, such as a lock taken twice, has a single thread flow, and one without any step no code flow.

mod model;
mod rules;
#[cfg(test)]
mod tests;
mod uri;

use super::block::confidence;
use super::severity::Severity;
use crate::VERSION;
use crate::select::Selection;
use finding::facts::{End, Recorded};
use finding::{Finding, Place, RunInfo, Skipped, Step, Suppressed, SuppressedBy, Thread};
use model::{
    Base, CodeFlow, Driver, FlowLocation, Found, Invocation, Location, Log, LogicalLocation, Notification,
    PhysicalLocation, Properties, Region, Run, Sentence, Suppression, Text, ThreadFlow, Tool,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name under which readers know the directory that the sources lie in.
const SOURCE_ROOT: &str = "%SRCROOT%";

/// Names the way in which fingerprints are made.
const FINGERPRINT: &str = "stalemate/v1";

pub fn print(out: &mut impl Write, run: &RunInfo, selection: &Selection) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(run, selection))?;
    writeln!(out)
}

fn log<'a>(run: &'a RunInfo, selection: &'a Selection) -> Log<'a> {
    let root = Base { description: Text { text: "The root of the workspace." } };
    let run = Run {
        tool: Tool { driver: driver() },
        invocations: [invocation(run)],
        original_uri_base_ids: BTreeMap::from([(SOURCE_ROOT, root)]),
        column_kind: "unicodeCodePoints",
        results: selection.shown.iter().map(found).collect(),
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

fn driver() -> Driver {
    Driver { name: "stalemate", version: VERSION, semantic_version: VERSION, rules: rules::all() }
}

/// There is a document only if the check took place.
fn invocation(run: &RunInfo) -> Invocation<'_> {
    let notifications = run.skipped.iter().map(notification).collect();
    Invocation { execution_successful: true, tool_execution_notifications: notifications }
}

fn notification(skipped: &Skipped) -> Notification<'_> {
    let Skipped { function, reason } = skipped;
    let text = format!("`{function}` was skipped: {reason}");
    let location = Location { logical_locations: vec![named(function)], ..Location::default() };
    Notification { level: "warning", message: Sentence { text }, locations: [location] }
}

fn found(recorded: &Recorded) -> Found<'_> {
    let finding = &recorded.finding;
    Found {
        rule_id: &finding.lint,
        rule_index: rules::index(&finding.lint),
        level: level(recorded),
        message: Text { text: &finding.message },
        locations: [primary(recorded)],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, finding.fingerprint.as_str())]),
        code_flows: code_flow(recorded).into_iter().collect(),
        related_locations: steps(recorded).map(|(number, _, location)| numbered(number, location)).collect(),
        // Empty rather than absent, which would mean that nobody knows.
        suppressions: finding.suppressed.iter().map(suppression).collect(),
        rank: finding.score,
        properties: properties(finding),
    }
}

fn level(recorded: &Recorded) -> &'static str {
    match Severity::of(recorded) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn primary(recorded: &Recorded) -> Location<'_> {
    let Finding { primary, function, .. } = &recorded.finding;
    let physical_location = Some(physical(primary, Some(recorded.primary_end)));
    Location { physical_location, logical_locations: vec![named(function)], ..Location::default() }
}

fn code_flow(recorded: &Recorded) -> Option<CodeFlow<'_>> {
    let flows = [(Thread::A, "A"), (Thread::B, "B")].map(|(thread, id)| thread_flow(recorded, thread, id));
    let thread_flows: Vec<ThreadFlow> = flows.into_iter().filter(|flow| !flow.locations.is_empty()).collect();
    (!thread_flows.is_empty()).then_some(CodeFlow { thread_flows })
}

fn thread_flow<'a>(recorded: &'a Recorded, thread: Thread, id: &'static str) -> ThreadFlow<'a> {
    let steps = steps(recorded).filter(|(_, step, _)| step.thread == thread);
    let locations =
        steps.map(|(number, step, location)| FlowLocation { location, kinds: [step.step], execution_order: number });
    ThreadFlow { id, locations: locations.collect() }
}

/// Each step with its number in time, over both threads.
fn steps(recorded: &Recorded) -> impl Iterator<Item = (usize, &Step, Location<'_>)> {
    recorded.finding.trace.iter().enumerate().map(|(index, step)| {
        let physical_location = Some(physical(&step.place, recorded.step_ends.get(index).copied()));
        let message = Some(Text { text: &step.text });
        (index + 1, step, Location { physical_location, message, ..Location::default() })
    })
}

fn numbered(number: usize, location: Location) -> Location {
    Location { id: Some(number), ..location }
}

fn named(function: &str) -> LogicalLocation<'_> {
    LogicalLocation { fully_qualified_name: function, kind: "function" }
}

fn physical(place: &Place, end: Option<End>) -> PhysicalLocation {
    PhysicalLocation { artifact_location: uri::artifact(&place.file), region: region(place, end) }
}

/// An end that does not come after its start is none; a region without one goes to the end of the line.
fn region(place: &Place, end: Option<End>) -> Region {
    let end = end.filter(|end| (end.line, end.column) > (place.line, place.column));
    Region {
        start_line: place.line,
        start_column: place.column,
        end_line: end.map(|end| end.line),
        end_column: end.map(|end| end.column),
    }
}

fn suppression(suppressed: &Suppressed) -> Suppression<'_> {
    let kind = match suppressed.by {
        SuppressedBy::Attribute | SuppressedBy::Comment => "inSource",
        SuppressedBy::Baseline => "external",
    };
    let justification = Some(suppressed.reason.as_str()).filter(|reason| !reason.is_empty());
    Suppression { kind, status: "accepted", justification }
}

fn properties(finding: &Finding) -> Properties<'_> {
    Properties {
        confidence: confidence(finding.confidence),
        package: &finding.package,
        function: &finding.function,
        lock: finding.lock.as_ref(),
        reasons: &finding.reasons,
        help: finding.help.as_deref(),
        confirmation: finding.confirmation.as_ref(),
    }
}
