//! The part of SARIF 2.1.0 that is written, in the words of the standard. Fields stand in the order in which people read
//! them.

use finding::{Confirmation, Lock, Reason, StepKind};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub struct Log<'a> {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run<'a> {
    pub tool: Tool,
    pub invocations: [Invocation<'a>; 1],
    pub original_uri_base_ids: BTreeMap<&'static str, Base>,
    pub column_kind: &'static str,
    pub results: Vec<Found<'a>>,
}

#[derive(Serialize)]
pub struct Tool {
    pub driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    pub id: &'static str,
    pub short_description: Text<'static>,
    pub full_description: Text<'static>,
    pub help: Text<'static>,
    pub default_configuration: Configuration,
}

#[derive(Serialize)]
pub struct Configuration {
    pub enabled: bool,
    pub level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation<'a> {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
pub struct Notification<'a> {
    pub level: &'static str,
    pub message: Sentence,
    pub locations: [Location<'a>; 1],
}

/// What relative paths start from.
#[derive(Serialize)]
pub struct Base {
    pub description: Text<'static>,
}

/// What the standard calls a `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found<'a> {
    pub rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub level: &'static str,
    pub message: Text<'a>,
    pub locations: [Location<'a>; 1],
    pub partial_fingerprints: BTreeMap<&'static str, &'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location<'a>>,
    pub suppressions: Vec<Suppression<'a>>,
    pub rank: u8,
    pub properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow<'a> {
    pub thread_flows: Vec<ThreadFlow<'a>>,
}

#[derive(Serialize)]
pub struct ThreadFlow<'a> {
    pub id: &'static str,
    pub locations: Vec<FlowLocation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlowLocation<'a> {
    pub location: Location<'a>,
    pub kinds: [StepKind; 1],
    pub execution_order: usize,
}

#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Text<'a>>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    pub region: Region,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation<'a> {
    pub fully_qualified_name: &'a str,
    pub kind: &'static str,
}

#[derive(Serialize)]
pub struct Suppression<'a> {
    pub kind: &'static str,
    pub status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub justification: Option<&'a str>,
}

/// What the standard has no word for, in those of our own document.
#[derive(Serialize)]
pub struct Properties<'a> {
    pub confidence: &'static str,
    pub package: &'a str,
    pub function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<&'a Lock>,
    pub reasons: &'a [Reason],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<&'a Confirmation>,
}

/// A message with words of ours or of a finding.
#[derive(Clone, Copy, Serialize)]
pub struct Text<'a> {
    pub text: &'a str,
}

/// A message that was put together.
#[derive(Serialize)]
pub struct Sentence {
    pub text: String,
}
