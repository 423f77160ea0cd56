//! Arguments for cargo and options of ours on one line, in any order: `bench tokio 1.54.1 --lib --runs 3 --features full`.
//! The parser takes everything after the first word for cargo as meant for cargo too, so ours are brought to the front.
//! A `--` ends the search: what comes after it is cargo's, whatever it is called.

use crate::args::Args;
use clap::{Command, CommandFactory};
use std::ffi::{OsStr, OsString};

/// The only command whose arguments go on to cargo.
const MIXED: &str = "bench";

pub fn ours_first(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut ours: Vec<_> = words.into_iter().collect();
    if ours.get(1).is_none_or(|word| word != MIXED) {
        return ours;
    }
    let mut all = Args::command();
    all.build();
    let Some(command) = all.find_subcommand(MIXED) else { return ours };
    let mut rest = ours.split_off(2).into_iter();
    let mut others = Vec::new();
    while let Some(word) = rest.next() {
        if word == "--" {
            others.push(word);
            break;
        }
        match is_ours(command, &word) {
            None => others.push(word),
            Some(false) => ours.push(word),
            Some(true) => {
                ours.push(word);
                // Without its value it must stay the last word, or the parser takes another for the value.
                let Some(value) = rest.next() else { return ours };
                ours.push(value);
            }
        }
    }
    ours.into_iter().chain(others).chain(rest).collect()
}

/// For an option of the command: whether the next word is its value.
fn is_ours(command: &Command, word: &OsStr) -> Option<bool> {
    let word = word.to_str()?;
    let (name, has_value_inside) = word.split_once('=').map_or((word, false), |(name, _)| (name, true));
    let option = command.get_arguments().find(|option| match name.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        None => option.get_short().is_some_and(|short| name == format!("-{short}")),
    })?;
    Some(option.get_action().takes_values() && !has_value_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> String {
        let words = ours_first(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn our_options_come_first_with_their_values() {
        assert_eq!(
            sorted("x bench tokio 1.54.1 --lib --runs 3 --features full --clippy --json=a.json"),
            "x bench --runs 3 --clippy --json=a.json tokio 1.54.1 --lib --features full"
        );
        assert_eq!(sorted("x bench a 1.0.0 --lib --help -h"), "x bench --help -h a 1.0.0 --lib");
        assert_eq!(sorted("x bench a 1.0.0 --lib --runs"), "x bench --runs");
    }

    #[test]
    fn what_follows_two_dashes_is_for_cargo() {
        assert_eq!(sorted("x bench a 1.0.0 --clippy -- --runs 3"), "x bench --clippy a 1.0.0 -- --runs 3");
    }

    #[test]
    fn other_commands_are_left_alone() {
        for line in ["x", "x known A01 --kinds a", "x measure sh --runs 3 --json b"] {
            assert_eq!(sorted(line), line);
        }
    }
}
