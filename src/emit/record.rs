//! A story as a record in the unit's facts file, which the front-end reads.

use crate::emit::story::Story;
use crate::mir::{Position, Site, Sites, crates};
use finding::facts::{End, Recorded};
use finding::fingerprint::Identity;
use finding::{Finding, Place, Step, Suppressed, SuppressedBy};
use rustc_lint_defs::{Level, Lint};
use rustc_middle::lint::LintLevelSource;
use rustc_middle::ty::TyCtxt;
use rustc_span::Span;
use std::path::PathBuf;

/// What becomes of a story at the level that holds where it is told.
#[derive(PartialEq, Eq)]
pub enum Heard {
    Told {
        denied: bool,
    },
    /// By something in the code, which leaves a trace.
    Accepted {
        by: SuppressedBy,
        reason: String,
        /// The comment or attribute; of a mark on a function, the name of the function.
        at: Option<Span>,
    },
    /// By default or by the command line.
    Off,
}

pub fn heard(tcx: TyCtxt<'_>, sites: &Sites, lint: &'static Lint, story: &Story) -> Heard {
    let spec = tcx.lint_level_spec_at_node(lint, sites.lint_root(story.primary));
    let is_silent = matches!(spec.level(), Level::Allow | Level::Expect);
    if is_silent && matches!(spec.src, LintLevelSource::Default | LintLevelSource::CommandLine(..)) {
        return Heard::Off;
    }
    if let Some(reason) = sites.benign(tcx, story.primary) {
        let at = tcx.def_ident_span(sites.function(story.primary));
        return Heard::Accepted { by: SuppressedBy::Attribute, reason, at };
    }
    if let Some(comment) = sites.comment(story.lint, story.primary) {
        return Heard::Accepted { by: SuppressedBy::Comment, reason: comment.reason.clone(), at: Some(comment.at) };
    }
    match (spec.level(), spec.src) {
        (Level::Allow | Level::Expect, LintLevelSource::Node { reason, span, .. }) => {
            let reason = reason.map(|reason| reason.to_string()).unwrap_or_default();
            Heard::Accepted { by: SuppressedBy::Attribute, reason, at: Some(span) }
        }
        (Level::Allow | Level::Expect, LintLevelSource::Default | LintLevelSource::CommandLine(..)) => Heard::Off,
        (Level::Warn | Level::ForceWarn, _) => Heard::Told { denied: false },
        (Level::Deny | Level::Forbid, _) => Heard::Told { denied: true },
    }
}

/// `None` if the lint is off.
pub fn record(
    tcx: TyCtxt<'_>,
    sites: &Sites,
    lint: &'static Lint,
    package: &str,
    story: &Story,
    ordinal: usize,
) -> Option<Recorded> {
    let (denied, suppressed) = match heard(tcx, sites, lint, story) {
        Heard::Told { denied } => (denied, None),
        Heard::Accepted { by, reason, .. } => (false, Some(Suppressed { by, reason })),
        Heard::Off => return None,
    };
    let position = |site: Site| sites.position(tcx, site);
    let primary = position(story.primary);
    let step_position = |step: &crate::emit::story::Step| step.elsewhere.clone().unwrap_or_else(|| position(step.site));
    let ends = story.steps.iter().map(|step| end(&step_position(step)));
    let identity = identity(story, package, ordinal);
    let finding = Finding {
        fingerprint: identity.fingerprint(),
        lint: story.lint.to_owned(),
        confidence: story.confidence(),
        score: story.score(),
        reasons: story.reasons.clone(),
        package: package.to_owned(),
        function: story.function.clone(),
        lock: story.lock.clone(),
        primary: place(&primary),
        message: story.message.clone(),
        help: Some(story.help.clone()),
        trace: story
            .steps
            .iter()
            .map(|step| Step {
                thread: step.thread,
                step: step.kind,
                place: place(&step_position(step)),
                text: step.text.clone(),
            })
            .collect(),
        suppressed,
        confirmation: None,
    };
    Some(Recorded { finding, denied, kin: identity.kin(), primary_end: end(&primary), step_ends: ends.collect() })
}

fn identity<'a>(story: &'a Story, package: &'a str, ordinal: usize) -> Identity<'a> {
    Identity {
        lint: story.lint,
        package,
        function: &story.function,
        lock: story.lock.as_ref().map_or("", |lock| &lock.path),
        access: &story.access,
        ordinal,
    }
}

fn place(position: &Position) -> Place {
    Place { file: position.file.clone(), line: position.line, column: position.column }
}

fn end(position: &Position) -> End {
    End { line: position.end_line, column: position.end_column }
}

/// The facts file belongs beside the unit's `.rmeta`; there is none when no metadata is asked for.
pub fn file_beside_output(tcx: TyCtxt<'_>) -> Option<PathBuf> {
    crates::this(tcx).map(|unit| finding::facts::path_beside(&unit.metadata))
}
