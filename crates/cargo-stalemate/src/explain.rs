//! `cargo stalemate explain`: the page of a lint, as it stands in the documentation. The story of a finding is told by
//! [`crate::report::side_by_side`].

use crate::errors::{Failure, Request};
use crate::report::unless_closed;
use finding::lints::NAMES;
use std::io::{self, Write};

/// What somebody wants to know more about.
#[derive(Debug, PartialEq, Eq)]
pub enum Topic {
    Lint(&'static str),
    Finding,
}

impl Topic {
    /// `check-then-act` and `stalemate::check_then_act`, as a SARIF viewer or an editor may show it, are understood, too.
    pub fn of(what: &str) -> Result<Topic, Failure> {
        let name = what.trim_start_matches("stalemate::").replace('-', "_").to_lowercase();
        if let Some(number) = NAMES.iter().position(|known| *known == name) {
            return Ok(Topic::Lint(PAGES[number]));
        }
        let is_number = what.len() >= SHORTEST && what.len() <= 16 && what.bytes().all(|b| b.is_ascii_hexdigit());
        if is_number { Ok(Topic::Finding) } else { Err(Request::NoSuchTopic { what: what.to_owned() }.into()) }
    }
}

/// Fewer digits of a fingerprint are more likely a word.
const SHORTEST: usize = 4;

pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

macro_rules! pages {
    ($($name:literal)*) => {
        /// In the order of [`NAMES`]. They are made with the pages of `docs/lints`, and lie here so that they are part of
        /// the package.
        const PAGES: &[&str] = &[$(include_str!(concat!("../pages/", $name, ".md"))),*];
        #[cfg(test)]
        const PAGE_NAMES: &[&str] = &[$($name),*];
    };
}

pages! {
    "stale_value" "check_then_act" "stale_after_wait" "wait_without_recheck" "split_atomic" "not_atomic"
    "inconsistent_guard" "racy_access" "double_lock" "lock_order" "wait_holding_lock" "lost_wakeup" "guard_across_await"
    "stale_use"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lint_has_its_page() {
        assert_eq!(PAGE_NAMES, NAMES);
        for name in NAMES {
            let Ok(Topic::Lint(page)) = Topic::of(name) else { panic!("{name}") };
            assert!(page.starts_with(&format!("# `{name}`")), "{name}: {page}");
        }
    }

    #[test]
    fn lints_by_other_spellings_fingerprints_and_mistakes() {
        assert_eq!(Topic::of("stalemate::lock-order").unwrap(), Topic::of("lock_order").unwrap());
        assert_eq!(Topic::of("8c931f41").unwrap(), Topic::Finding);
        assert!(matches!(Topic::of("lock_ordr"), Err(Failure::Request(Request::NoSuchTopic { .. }))));
        assert!(matches!(Topic::of("abc"), Err(Failure::Request(Request::NoSuchTopic { .. }))));
    }
}
