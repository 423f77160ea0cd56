//! Whether to colour a stream: the same answer as cargo's, so that its lines and ours look alike.

use std::env::var_os;
use std::io::IsTerminal;

pub fn wanted(stream: &impl IsTerminal) -> bool {
    let setting = std::env::var("CARGO_TERM_COLOR").unwrap_or_default();
    let forbidden = var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    decide(&setting, forbidden, stream.is_terminal())
}

fn decide(setting: &str, forbidden: bool, terminal: bool) -> bool {
    match setting {
        "always" => true,
        "never" => false,
        _ => terminal && !forbidden,
    }
}

#[cfg(test)]
mod tests {
    use super::decide;

    #[test]
    fn cargo_setting_beats_the_rest() {
        assert!(decide("always", true, false));
        assert!(!decide("never", false, true));
    }

    #[test]
    fn otherwise_only_terminals_without_no_color() {
        assert!(decide("auto", false, true));
        assert!(!decide("", true, true));
        assert!(!decide("", false, false));
    }
}
