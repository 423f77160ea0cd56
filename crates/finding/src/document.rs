//! The JSON document of a run. Field names and order are a contract: other tools read them.

use serde::{Deserialize, Serialize};

/// Raised when a reader of the old document could misread the new one.
pub const SCHEMA: u32 = 1;

/// Everything one run has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub schema: u32,
    pub tool: Tool,
    pub run: RunInfo,
    pub findings: Vec<Finding>,
}

/// Who said it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub version: String,
    pub toolchain: String,
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    pub packages: Vec<String>,
    pub functions: usize,
    pub functions_with_locks: usize,
    pub lines: usize,
    pub skipped: Vec<Skipped>,
}

/// A body that could not be analysed, and why. Never silently dropped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    pub function: String,
    pub reason: String,
}

/// One place where another thread may get in between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub fingerprint: String,
    pub lint: String,
    pub confidence: Confidence,
    pub score: u8,
    pub reasons: Vec<Reason>,
    pub package: String,
    pub function: String,
    pub lock: Option<Lock>,
    pub primary: Place,
    pub message: String,
    pub help: Option<String>,
    pub trace: Vec<Step>,
    pub suppressed: Option<Suppressed>,
    pub confirmation: Option<Confirmation>,
}

/// `low` is hidden unless asked for; `high` is what a maintainer would fix when shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// One piece of evidence and what it weighs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub points: i32,
    pub text: String,
}

/// The lock whose sections the finding is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lock {
    pub path: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// A point in a source file, relative to the workspace root, with forward slashes; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// One thing that happens. The steps of a trace stand in time order, over both threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub thread: Thread,
    pub step: StepKind,
    #[serde(flatten)]
    pub place: Place,
    pub text: String,
}

/// `A` is the thread the finding is about, `B` the one that gets in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Thread {
    A,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    Acquire,
    Read,
    Branch,
    Release,
    Wait,
    Suspend,
    Write,
    Use,
    Call,
}

/// Someone looked at this finding and accepted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    pub by: SuppressedBy,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SuppressedBy {
    Attribute,
    Comment,
    Baseline,
}

/// What running the interleaving showed. Absent until it was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    pub status: ConfirmationStatus,
    /// Why it came to that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What came of A before B, and of B before A.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub serial: Vec<String>,
    /// What came of both at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleaved: Option<String>,
    /// Where a thread was held up for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<String>,
    /// Of a deadlock: each thread with what it waits for, what it holds, and how it came there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<String>,
}

impl Confirmation {
    /// With nothing more to tell.
    pub fn of(status: ConfirmationStatus, reason: impl Into<String>) -> Confirmation {
        let (serial, pauses, cycle) = (Vec::new(), Vec::new(), Vec::new());
        Confirmation { status, reason: reason.into(), serial, interleaved: None, pauses, cycle }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConfirmationStatus {
    Confirmed,
    NotReproduced,
    Infeasible,
    NeedsFixture,
    CannotBuild,
}

impl Finding {
    /// The order of findings in every output: by place, then by lint, so that equal runs give equal bytes.
    pub fn order(&self) -> (&Place, &str, &str) {
        (&self.primary, &self.lint, &self.fingerprint)
    }
}
