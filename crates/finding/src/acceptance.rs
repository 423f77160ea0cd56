//! What in the code says that findings are accepted. The driver notes each, and whether anything was accepted by it: one
//! that accepts nothing is reported, for what it was written for has gone, or was never there.

use crate::document::{Place, SuppressedBy};
use serde::{Deserialize, Serialize};

/// An attribute or a comment. One place may speak of several lints.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Acceptance {
    #[serde(flatten)]
    pub place: Place,
    pub by: SuppressedBy,
    pub lint: String,
    /// Something was accepted by it.
    pub used: bool,
    /// Set if it says nothing that can be understood, and so accepts nothing.
    pub mistake: Option<CommentMistake>,
}

/// What is wrong with a comment `// stalemate: allow(lint) -- reason`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommentMistake {
    /// There is no such lint.
    UnknownLint,
    /// Nobody says why.
    NoReason,
    /// The bracket does not close, or nothing is in it.
    Form,
}

/// What a comment says, if it is meant for us at all.
#[derive(Debug, PartialEq, Eq)]
pub enum Said<'a> {
    Allow {
        lints: Vec<&'a str>,
        reason: &'a str,
    },
    /// The word that is wrong, if there is one.
    Wrong(CommentMistake, &'a str),
}

/// Reads what stands behind `//`. A comment may have our name in it and mean something else, a chess board even: only
/// `stalemate: allow` is for us.
pub fn read_comment<'a>(text: &'a str, known: &[&str]) -> Option<Said<'a>> {
    let rest = text.trim().strip_prefix("stalemate:")?.trim_start().strip_prefix("allow")?.trim_start();
    let Some((names, rest)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        // `stalemate: allowed by the rules`
        return rest.starts_with('(').then_some(Said::Wrong(CommentMistake::Form, ""));
    };
    let lints: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if lints.is_empty() {
        return Some(Said::Wrong(CommentMistake::Form, ""));
    }
    if let Some(unknown) = lints.iter().find(|name| !known.contains(name)) {
        return Some(Said::Wrong(CommentMistake::UnknownLint, unknown));
    }
    let reason = rest.trim_start().strip_prefix("--").map(str::trim).filter(|reason| !reason.is_empty());
    Some(reason.map_or(Said::Wrong(CommentMistake::NoReason, lints[0]), |reason| Said::Allow { lints, reason }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::NAMES;

    fn read(text: &str) -> Option<Said<'_>> {
        read_comment(text, NAMES)
    }

    #[test]
    fn one_or_several_lints_and_a_reason() {
        let said = read(" stalemate: allow(stale_value, check_then_act) -- one thread -- the main one ");
        let lints = vec!["stale_value", "check_then_act"];
        assert_eq!(said, Some(Said::Allow { lints, reason: "one thread -- the main one" }));
        assert!(matches!(read("stalemate:allow (stale_use)--why"), Some(Said::Allow { .. })));
    }

    #[test]
    fn mistakes_are_told_apart() {
        use CommentMistake::*;
        assert_eq!(read("stalemate: allow(stale_valeu) -- x"), Some(Said::Wrong(UnknownLint, "stale_valeu")));
        assert_eq!(read("stalemate: allow(stale_value)"), Some(Said::Wrong(NoReason, "stale_value")));
        assert_eq!(read("stalemate: allow(stale_value) -- "), Some(Said::Wrong(NoReason, "stale_value")));
        assert_eq!(read("stalemate: allow(stale_value) because"), Some(Said::Wrong(NoReason, "stale_value")));
        assert_eq!(read("stalemate: allow(stale_value -- x"), Some(Said::Wrong(Form, "")));
        assert_eq!(read("stalemate: allow() -- x"), Some(Said::Wrong(Form, "")));
    }

    #[test]
    fn other_comments_are_left_alone() {
        for text in ["stalemate: no legal move", "the stalemate: allow(x)", "stalemate: allowed", "allow(stale_value)"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
