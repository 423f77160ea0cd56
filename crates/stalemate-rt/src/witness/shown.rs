//! Values as texts that are the same in every run: what stands in braces has no order, and addresses and numbers of threads
//! mean nothing.

use std::fmt::Debug;
use std::sync::Arc;

/// As `Debug` shows it.
pub fn shown(value: &(impl Debug + ?Sized)) -> String {
    plain(&format!("{value:?}"))
}

/// The same, and how many have it. One more keeps it for good, so that nobody takes another one for it.
pub fn shared<T: Debug + ?Sized>(value: &Arc<T>) -> String {
    std::mem::forget(value.clone());
    format!("{} of {} owners", shown(value), Arc::strong_count(value))
}

fn plain(text: &str) -> String {
    let mut rest = text;
    let whole = group(&mut rest, None);
    format!("{whole}{rest}")
}

/// Up to the brace that closes it, with what the commas part in the order of the alphabet if the braces are curly.
fn group(rest: &mut &str, open: Option<char>) -> String {
    let mut parts = vec![String::new()];
    while let Some(c) = rest.chars().next() {
        let last = parts.last_mut().expect("there is one");
        match c {
            '{' | '[' | '(' => {
                *rest = &rest[1..];
                let inside = group(rest, Some(c));
                let is_number = c == '(' && last.ends_with("ThreadId");
                last.push_str(if is_number { "(_)" } else { &inside });
            }
            '}' | ']' | ')' if open.is_some() => {
                *rest = &rest[1..];
                return closed(parts, open.unwrap_or('('), c);
            }
            ',' if open.is_some() => {
                *rest = &rest[1..];
                parts.push(String::new());
            }
            '"' => last.push_str(quoted(rest)),
            _ if rest.starts_with("0x") => {
                let digits = rest[2..].find(|c: char| !c.is_ascii_hexdigit()).map_or(rest.len(), |at| at + 2);
                last.push_str("0x_");
                *rest = &rest[digits..];
            }
            _ => {
                last.push(c);
                *rest = &rest[c.len_utf8()..];
            }
        }
    }
    let opened = open.map(String::from).unwrap_or_default();
    format!("{opened}{}", parts.join(","))
}

fn closed(mut parts: Vec<String>, open: char, close: char) -> String {
    if open == '{' {
        parts.iter_mut().for_each(|part| *part = part.trim().to_owned());
        parts.retain(|part| !part.is_empty());
        parts.sort();
        return format!("{{ {} }}", parts.join(", "));
    }
    format!("{open}{}{close}", parts.join(","))
}

/// To the end of a text in quotes.
fn quoted<'t>(rest: &mut &'t str) -> &'t str {
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let (text, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at + 1));
    *rest = behind;
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_order_is_sorted() {
        assert_eq!(plain("Map { b: {2: \"}, {\", 1: 3}, a: [2, 1] }"), "Map { a: [2, 1], b: { 1: 3, 2: \"}, {\" } }");
    }

    #[test]
    fn addresses_and_threads_are_left_out() {
        assert_eq!(plain("(0x7f12ab, ThreadId(12), x(3))"), "(0x_, ThreadId(_), x(3))");
    }

    #[test]
    fn what_is_not_closed_is_kept() {
        for text in ["a } b", "a { b", "\"a", "", "ä, b"] {
            assert_eq!(plain(text).replace(' ', ""), text.replace(' ', ""), "{text}");
        }
    }

    #[test]
    fn owners_are_counted() {
        let one = Arc::new(3);
        assert_eq!(shared(&one), "3 of 2 owners");
        assert_eq!(shared(&one), "3 of 3 owners");
    }
}
