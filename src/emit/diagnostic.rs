//! A story as a diagnostic of rustc: primary span, numbered labels, the other thread's place, reasons, help.

use crate::emit::story::{Step, Story};
use crate::mir::Sites;
use finding::Thread;
use rustc_errors::{Diag, DiagDecorator, MultiSpan};
use rustc_lint_defs::Lint;
use rustc_middle::ty::TyCtxt;
use rustc_span::Span;

/// Levels, `#[allow]` and `#[expect]` are rustc's business: it decides from the node whether this is shown.
pub fn emit(tcx: TyCtxt<'_>, sites: &Sites, lint: &'static Lint, story: &Story) {
    if sites.benign(tcx, story.primary).is_some() || sites.comment(story.lint, story.primary).is_some() {
        return;
    }
    let primary = sites.span(story.primary);
    let decorate = DiagDecorator(|diag: &mut Diag<'_>| {
        diag.primary_message(story.message.clone());
        for (number, step) in numbered(story).filter(|(_, step)| step.thread == Thread::A) {
            diag.span_label(sites.span(step.site), format!("({number}) {}", step.text));
        }
        for (number, step) in numbered(story).filter(|(_, step)| step.thread == Thread::B) {
            let text = format!("({number}) {}", step.text);
            match &step.elsewhere {
                Some(at) => {
                    diag.note(format!("{text}: {}:{}:{}", at.file, at.line, at.column));
                }
                None => interference(diag, sites.span(step.site), primary, text),
            }
        }
        diag.note(because(story));
        diag.help(story.help.clone());
    });
    tcx.emit_node_span_lint(lint, sites.lint_root(story.primary), primary, decorate);
}

/// The other thread's step points at its own place, unless that is where the finding is anyway.
fn interference(diag: &mut Diag<'_>, at: Span, primary: Span, text: String) {
    if at == primary {
        diag.note(text);
    } else {
        diag.span_note(MultiSpan::from_span(at), text);
    }
}

fn numbered(story: &Story) -> impl Iterator<Item = (usize, &Step)> {
    (1..).zip(&story.steps)
}

fn because(story: &Story) -> String {
    let speak = |wanted: fn(i32) -> bool| {
        let texts: Vec<&str> =
            story.reasons.iter().filter(|reason| wanted(reason.points)).map(|reason| reason.text.as_str()).collect();
        texts.join("; ")
    };
    let (for_it, against) = (speak(|points| points >= 0), speak(|points| points < 0));
    if against.is_empty() {
        format!("reported because {for_it}")
    } else {
        format!("reported because {for_it}; but {against}")
    }
}
