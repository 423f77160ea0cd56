//! Rust in three colours: comments, literals and keywords. It need not be right about everything, but every byte of the
//! source comes out once and in order, whatever the source is.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Empty for the plain rest.
    pub class: &'static str,
    /// Set where a finding speaks of it.
    pub mark: &'static str,
    pub text: String,
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
];

const COMMENT: &str = "comment";
const LITERAL: &str = "literal";
const KEYWORD: &str = "keyword";

/// The tokens of each line. There are as many lines as `str::lines` gives.
pub fn lines(text: &str) -> Vec<Vec<Token>> {
    let mut lines: Vec<Vec<Token>> = Vec::with_capacity(text.len() / 32);
    let mut line = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (class, length) = next(rest);
        let (token, after) = rest.split_at(length);
        for (index, part) in token.split('\n').enumerate() {
            if index > 0 {
                lines.push(std::mem::take(&mut line));
            }
            push(&mut line, class, part.trim_end_matches('\r'));
        }
        rest = after;
    }
    if !line.is_empty() || !text.is_empty() && !text.ends_with('\n') {
        lines.push(line);
    }
    lines
}

fn push(line: &mut Vec<Token>, class: &'static str, text: &str) {
    match line.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.class == class => last.text.push_str(text),
        _ => line.push(Token { class, mark: "", text: text.to_owned() }),
    }
}

/// The kind and the length of what the text begins with; never nothing.
fn next(text: &str) -> (&'static str, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if text.starts_with("//") {
        (COMMENT, text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        (COMMENT, block_comment(text))
    } else if let Some(length) = raw_string(text) {
        (LITERAL, length)
    } else if first == '"' || text.starts_with("b\"") || text.starts_with("c\"") {
        (LITERAL, string(text))
    } else if first == '\'' {
        character(text).map_or(("", 1), |length| (LITERAL, length))
    } else if is_word(first) {
        let length = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
        (if KEYWORDS.contains(&&text[..length]) { KEYWORD } else { "" }, length)
    } else {
        ("", first.len_utf8())
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix("br").or_else(|| text.strip_prefix("cr")).or_else(|| text.strip_prefix('r'))?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    let inside = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - inside.len();
    Some(inside.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

fn string(text: &str) -> usize {
    let start = text.find('"').map_or(0, |at| at + 1);
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character, and not a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut inside = text[1..].chars();
    match inside.next()? {
        '\\' => {
            let end = text[2..].char_indices().skip(1).find(|(_, c)| *c == '\'' || *c == '\n')?;
            (end.1 == '\'').then_some(2 + end.0 + 1)
        }
        one => (inside.next()? == '\'').then_some(2 + one.len_utf8()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(&'static str, String)> {
        lines(text).concat().into_iter().map(|token| (token.class, token.text)).collect()
    }

    fn of_class(text: &str, class: &str) -> Vec<String> {
        classes(text).into_iter().filter(|(one, _)| *one == class).map(|(_, text)| text).collect()
    }

    #[test]
    fn kinds_are_told_apart() {
        assert_eq!(of_class("let a = 1; // let", KEYWORD), ["let"]);
        assert_eq!(of_class("/* a /* b */ c */ fn f() {}", COMMENT), ["/* a /* b */ c */"]);
        assert_eq!(
            of_class(r##"f("a\"b", r#"c"d"#, 'e', '\'', b"x")"##, LITERAL).concat(),
            r##""a\"b"r#"c"d"#'e''\''b"x""##
        );
        assert_eq!(of_class("fn f<'a>(x: &'a str) {}", LITERAL), [""; 0]);
        assert_eq!(of_class("letter selfish", KEYWORD), [""; 0]);
    }

    #[test]
    fn nothing_is_lost_and_lines_are_counted() {
        let odd =
            ["", "\n", "a\r\nb", "\"open\nstring", "/* open\n\n", "'", "'\\", "é'ü'\n", "r#\"x", "b'\\u{41}'\n\n"];
        for text in odd {
            let lines = lines(text);
            assert_eq!(lines.len(), text.lines().count(), "{text:?}");
            for (tokens, line) in lines.iter().zip(text.lines()) {
                assert_eq!(tokens.iter().map(|token| token.text.as_str()).collect::<String>(), line, "{text:?}");
            }
        }
    }
}
