//! The messages of cargo and rustc that are written, with the fields and in the order that they have there.

use cargo_metadata::PackageId;
use cargo_metadata::camino::Utf8Path;
use serde::Serialize;

#[derive(Serialize)]
pub struct CompilerMessage<'a> {
    pub reason: &'static str,
    pub package_id: &'a PackageId,
    pub manifest_path: &'a Utf8Path,
    pub target: &'a cargo_metadata::Target,
    pub message: Diagnostic,
}

#[derive(Serialize)]
pub struct BuildFinished {
    pub reason: &'static str,
    pub success: bool,
}

#[derive(Serialize)]
pub struct Diagnostic {
    /// On the outermost one only.
    #[serde(rename = "$message_type", skip_serializing_if = "Option::is_none")]
    pub message_type: Option<&'static str>,
    pub message: String,
    pub code: Option<Code>,
    pub level: &'static str,
    pub spans: Vec<Span>,
    pub children: Vec<Diagnostic>,
    pub rendered: Option<String>,
}

#[derive(Serialize)]
pub struct Code {
    pub code: String,
    pub explanation: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    pub file_name: String,
    pub byte_start: usize,
    pub byte_end: usize,
    pub line_start: u32,
    pub line_end: u32,
    pub column_start: u32,
    pub column_end: u32,
    pub is_primary: bool,
    pub text: Vec<Line>,
    pub label: Option<String>,
    pub suggested_replacement: Option<String>,
    pub suggestion_applicability: Option<String>,
    pub expansion: Option<String>,
}

/// A line of source, and from which column to which it is meant.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    pub text: String,
    pub highlight_start: usize,
    pub highlight_end: usize,
}
