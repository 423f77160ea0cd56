//! What a run came to.

use crate::json::Json;
use std::fmt;

/// What `tokio` says where its runtime is missing.
const NO_RUNTIME: &str = "there is no reactor running";

/// How one of the two functions ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    Returned(String),
    Panicked(String),
    /// It did not, within its time.
    Stuck(String),
    /// The process did, with it.
    Died(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    pub a: Ended,
    pub b: Ended,
    /// Of the state afterwards.
    pub state: String,
}

impl Ended {
    /// A word for the way, and what there is to say.
    pub(super) fn parts(&self) -> (&'static str, &str) {
        match self {
            Ended::Returned(text) => ("returned", text),
            Ended::Panicked(text) => ("panicked", text),
            Ended::Stuck(text) => ("stuck", text),
            Ended::Died(text) => ("died", text),
        }
    }

    pub(super) fn from_parts(way: &str, text: String) -> Option<Ended> {
        Some(match way {
            "returned" => Ended::Returned(text),
            "panicked" => Ended::Panicked(text),
            "stuck" => Ended::Stuck(text),
            "died" => Ended::Died(text),
            _ => return None,
        })
    }

    pub fn is_stuck(&self) -> bool {
        matches!(self, Ended::Stuck(_))
    }

    fn json(&self) -> Json {
        let (way, text) = self.parts();
        Json::object([(way, Json::text(text))])
    }
}

impl Outcome {
    /// Whether a function could not be run here: it needs a runtime, and there is none around it.
    pub(super) fn lacks_runtime(&self) -> bool {
        let lacks = |ended: &Ended| matches!(ended, Ended::Panicked(text) if text.contains(NO_RUNTIME));
        lacks(&self.a) || lacks(&self.b)
    }

    pub(crate) fn json(&self) -> Json {
        Json::object([("a", self.a.json()), ("b", self.b.json()), ("state", Json::text(&self.state))])
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((way_a, a), (way_b, b)) = (self.a.parts(), self.b.parts());
        write!(f, "A {way_a} {a}, B {way_b} {b}, state {}", self.state)
    }
}
