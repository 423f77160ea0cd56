//! The messages that `cargo check --message-format=json` would print if the compiler itself had the lints. Editors read
//! those: rust-analyzer with `check.overrideCommand` shows findings beside the errors of the compiler, which were passed on
//! while cargo ran.
//!
//! As in rustc's own messages, file names are relative to the root of the workspace. Thread A's steps are spans of the
//! message itself, those of thread B are notes, and so are the reasons.

mod model;
mod span;

use super::block;
use super::source::Sources;
use super::spots::{Spot, Spots};
use crate::facts::Checked;
use crate::messages;
use crate::project::Project;
use crate::select::Selection;
use annotate_snippets::Renderer;
use cargo_metadata::Package;
use finding::facts::Recorded;
use finding::{Finding, Place};
use model::{BuildFinished, Code, CompilerMessage, Diagnostic};
use span::span;
use std::collections::HashMap;
use std::io::{self, Write};

pub fn print(out: &mut impl Write, project: &Project, units: &[Checked], selection: &Selection) -> io::Result<()> {
    let targets = targets(units);
    let mut sources = Sources::new(&project.root);
    for recorded in selection.open() {
        let (package, target) = origin(project, &targets, &recorded.finding);
        let message = CompilerMessage {
            reason: "compiler-message",
            package_id: &package.id,
            manifest_path: &package.manifest_path,
            target,
            message: diagnostic(&mut sources, recorded),
        };
        line(out, &message)?;
    }
    finish(out, true)
}

/// The last line: whether the project was checked.
pub fn finish(out: &mut impl Write, success: bool) -> io::Result<()> {
    line(out, &BuildFinished { reason: "build-finished", success })
}

fn line(out: &mut impl Write, message: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, message)?;
    writeln!(out)
}

type Targets<'a> = HashMap<(&'a Place, &'a str, &'a str), &'a messages::Target>;

/// The target in which each finding was made, chosen as where units are merged.
fn targets(units: &[Checked]) -> Targets<'_> {
    let mut units: Vec<&Checked> = units.iter().collect();
    units.sort_by_key(|(target, facts)| (facts.test, target));
    let mut targets = HashMap::new();
    for (target, facts) in units {
        for recorded in &facts.findings {
            targets.entry(recorded.finding.order()).or_insert(target);
        }
    }
    targets
}

/// The package and the target of a finding, as cargo describes them.
fn origin<'a>(project: &'a Project, targets: &Targets, finding: &Finding) -> (&'a Package, &'a cargo_metadata::Target) {
    let made_in = targets.get(&finding.order()).expect("every finding is from a unit");
    let mut packages = project.packages.iter();
    let package = packages.find(|package| *package.name == made_in.package).expect("units are of the workspace");
    let same = |target: &&cargo_metadata::Target| target.name == made_in.name && messages::kind(target) == made_in.kind;
    let target = package.targets.iter().find(same).or(package.targets.first());
    (package, target.expect("what was compiled is a target"))
}

fn diagnostic(sources: &mut Sources, recorded: &Recorded) -> Diagnostic {
    let finding = &recorded.finding;
    let rendered = block::render(&Renderer::plain(), sources, recorded);
    let Spots { primary, others, meanwhile } = Spots::new(recorded);
    let mut spans = vec![span(sources, &primary, true)];
    // Once more among the steps: rust-analyzer does not show the label of a primary span if there are notes.
    let steps = others.iter().chain(Some(&primary).filter(|spot| !spot.steps.is_empty()));
    spans.extend(steps.map(|spot| span(sources, spot, false)));
    Diagnostic {
        message_type: Some("diagnostic"),
        message: finding.message.clone(),
        code: Some(Code { code: format!("stalemate::{}", finding.lint), explanation: None }),
        level: if recorded.denied { "error" } else { "warning" },
        spans,
        children: children(sources, &meanwhile, finding),
        rendered: Some(format!("{rendered}\n\n")),
    }
}

fn children(sources: &mut Sources, meanwhile: &[Spot], finding: &Finding) -> Vec<Diagnostic> {
    let mut children: Vec<Diagnostic> = meanwhile.iter().map(|spot| other_thread(sources, spot)).collect();
    children.extend(block::notes(finding).into_iter().map(|text| child("note", text)));
    children.extend(finding.help.iter().map(|text| child("help", text.clone())));
    children
}

/// The words stand in the note, so that its span needs no label.
fn other_thread(sources: &mut Sources, spot: &Spot) -> Diagnostic {
    let place = Spot { steps: vec![], ..spot.clone() };
    Diagnostic { spans: vec![span(sources, &place, true)], ..child("note", spot.label()) }
}

fn child(level: &'static str, message: String) -> Diagnostic {
    Diagnostic { message_type: None, message, code: None, level, spans: vec![], children: vec![], rendered: None }
}

#[cfg(test)]
mod tests;
