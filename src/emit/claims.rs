//! A type that is said to go to other threads whatever is in it. No function is to blame, so the story is told by itself.

use crate::checks::Evidence;
use crate::checks::racy_access::Unbounded;
use crate::emit::story::{Step, Story};
use crate::emit::words;
use crate::events::Asked;
use finding::{Reason, StepKind, Thread};

pub fn tell_unbounded(lint: &'static str, Unbounded { claim, evidence }: &Unbounded<'_>) -> Story {
    let step = |kind, site, text| Step { thread: Thread::A, kind, site, elsewhere: None, text };
    let (asked, let_through) = words::unbounded_steps(claim);
    let mut steps = vec![step(StepKind::Use, claim.site, asked)];
    if let Asked::SharedByCopies { filled_at: Some(at) } = claim.asked {
        steps.push(step(StepKind::Write, at, words::unshared(claim)));
    }
    steps.push(step(StepKind::Call, claim.shown_at, let_through));
    let reason = |one: &Evidence| Reason { points: one.points(), text: words::reason(*one).to_owned() };
    Story {
        lint,
        function: claim.type_name.clone(),
        lock: None,
        access: format!("{} {}", words::trait_of(claim), claim.parameter),
        primary: claim.site,
        message: words::unbounded(claim),
        help: words::unbounded_help(claim),
        steps,
        reasons: evidence.iter().map(reason).collect(),
        bodies: None,
    }
}
