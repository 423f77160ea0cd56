//! A finding as its page shows it: the sentence, the schedule, every step with its line of code, why, and what to do.

use super::lanes::{Lanes, lanes};
use super::model::{Entry, Model};
use super::places::{Link, Links};
use super::prose::{Piece, pieces};
use crate::report::block::confidence;
use crate::report::source::Sources;
use finding::facts::Recorded;
use finding::{Confirmation, Place, Suppressed, SuppressedBy, Thread};

/// What the template of a finding needs.
#[derive(Debug)]
pub struct Card {
    pub id: String,
    pub fingerprint: String,
    pub lint: String,
    pub confidence: &'static str,
    pub score: u8,
    pub denied: bool,
    pub package: String,
    pub function: String,
    pub lock: Option<LockTag>,
    pub primary: Link,
    pub message: Vec<Piece>,
    pub help: Vec<Piece>,
    pub lanes: Lanes,
    pub steps: Vec<StepView>,
    pub reasons: Vec<ReasonView>,
    pub marks: Vec<Mark>,
}

/// A lock with its colour.
#[derive(Clone, Debug)]
pub struct LockTag {
    pub class: String,
    pub name: String,
    pub type_name: String,
}

#[derive(Debug)]
pub struct StepView {
    pub number: usize,
    pub thread: &'static str,
    pub text: Vec<Piece>,
    pub link: Link,
    pub code: String,
}

#[derive(Debug)]
pub struct ReasonView {
    pub points: String,
    pub against: bool,
    pub text: Vec<Piece>,
}

/// What people or a run of the program said about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub class: &'static str,
    pub text: &'static str,
    pub reason: String,
}

pub fn card(model: &Model, sources: &mut Sources, links: Links, entry: &Entry) -> Card {
    let Recorded { finding, denied, .. } = entry.recorded;
    let lock = entry.lock.as_ref().map(|name| LockTag {
        class: model.colours.class(name),
        name: name.clone(),
        type_name: finding.lock.as_ref().map_or_else(String::new, |lock| lock.type_name.clone()),
    });
    Card {
        id: entry.id.clone(),
        fingerprint: finding.fingerprint.clone(),
        lint: finding.lint.clone(),
        confidence: confidence(finding.confidence),
        score: finding.score,
        denied: *denied,
        package: finding.package.clone(),
        function: finding.function.clone(),
        lock,
        primary: links.to(&finding.primary),
        message: pieces(&finding.message),
        help: finding.help.as_deref().map(pieces).unwrap_or_default(),
        lanes: lanes(finding, &model.names, &model.colours),
        steps: steps(sources, links, entry.recorded),
        reasons: reasons(entry.recorded),
        marks: marks(entry.recorded),
    }
}

fn steps(sources: &mut Sources, links: Links, recorded: &Recorded) -> Vec<StepView> {
    let step = |(index, step): (usize, &finding::Step)| StepView {
        number: index + 1,
        thread: if step.thread == Thread::A { "A" } else { "B" },
        text: pieces(&step.text),
        link: links.to(&step.place),
        code: line(sources, &step.place),
    };
    recorded.finding.trace.iter().enumerate().map(step).collect()
}

/// The line of code, or nothing if the file has changed or gone.
fn line(sources: &mut Sources, place: &Place) -> String {
    let source = sources.get(&place.file);
    let line = source.and_then(|source| source.lines(place.line..place.line.saturating_add(1)));
    line.map(|(text, _)| text.trim().to_owned()).unwrap_or_default()
}

fn reasons(recorded: &Recorded) -> Vec<ReasonView> {
    let reason = |reason: &finding::Reason| ReasonView {
        points: format!("{:+}", reason.points).replace('-', "\u{2212}"),
        against: reason.points < 0,
        text: pieces(&reason.text),
    };
    recorded.finding.reasons.iter().map(reason).collect()
}

pub fn marks(recorded: &Recorded) -> Vec<Mark> {
    let suppressed = recorded.finding.suppressed.as_ref().map(suppressed);
    let confirmed = recorded.finding.confirmation.as_ref().map(confirmation);
    suppressed.into_iter().chain(confirmed).collect()
}

fn suppressed(by: &Suppressed) -> Mark {
    let text = match by.by {
        SuppressedBy::Attribute => "accepted by an attribute",
        SuppressedBy::Comment => "accepted by a comment",
        SuppressedBy::Baseline => "accepted in the baseline",
    };
    Mark { class: "accepted", text, reason: by.reason.clone() }
}

fn confirmation(tried: &Confirmation) -> Mark {
    use finding::document::ConfirmationStatus::*;
    let (class, text) = match tried.status {
        Confirmed => ("confirmed", "confirmed by a run"),
        NotReproduced => ("tried", "not reproduced by a run"),
        Infeasible => ("infeasible", "cannot happen, says a run"),
        NeedsFixture => ("tried", "a run needs a fixture"),
        CannotBuild => ("tried", "a run could not be built"),
    };
    Mark { class, text, reason: tried.reason.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;
    use finding::document::ConfirmationStatus;

    #[test]
    fn what_was_said_about_a_finding_is_shown() {
        let mut sample = recorded("src/a.rs", 3);
        assert_eq!(marks(&sample), []);
        sample.finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason: "known".into() });
        sample.finding.confirmation = Some(Confirmation::of(ConfirmationStatus::Confirmed, ""));
        let marks = marks(&sample);
        assert_eq!(marks.iter().map(|mark| mark.class).collect::<Vec<_>>(), ["accepted", "confirmed"]);
        assert_eq!(marks[0].reason, "known");
    }

    #[test]
    fn points_show_their_sign() {
        let mut sample = recorded("src/a.rs", 3);
        sample.finding.reasons[0].points = -5;
        assert_eq!(reasons(&sample)[0].points, "\u{2212}5");
    }
}
