//! A type that is said to go to other threads whatever is in it. No function is to blame, so the story is told by itself.

use crate::checks::racy_access::Unbounded;
use crate::emit::story::{Step, Story};
use crate::emit::words;
use finding::{Reason, StepKind, Thread};

pub fn tell_unbounded(lint: &'static str, Unbounded { claim, evidence }: &Unbounded<'_>) -> Story {
    let of_trait = if claim.is_sync { "Sync" } else { "Send" };
    let (own, parameter) = (&claim.type_name, &claim.parameter);
    let step = |kind, site, text| Step { thread: Thread::A, kind, site, elsewhere: None, text };
    let let_through = format!("`{}` lets a `{parameter}` in or out", claim.function);
    Story {
        lint,
        function: own.clone(),
        lock: None,
        access: format!("{of_trait} {parameter}"),
        primary: claim.site,
        message: words::unbounded(own, parameter, of_trait),
        help: words::unbounded_help(parameter, claim.is_sync),
        steps: vec![
            step(StepKind::Use, claim.site, format!("nothing is asked of `{parameter}`")),
            step(StepKind::Call, claim.shown_at, let_through),
        ],
        reasons: evidence
            .iter()
            .map(|&one| Reason { points: one.points(), text: words::reason(one).to_owned() })
            .collect(),
        bodies: None,
    }
}
