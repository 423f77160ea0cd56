//! Sentences of findings set names between backticks; pages set them as code.

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub code: bool,
}

pub fn pieces(text: &str) -> Vec<Piece> {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without its partner is only a character.
    if parts.len().is_multiple_of(2) {
        return vec![Piece { text: text.to_owned(), code: false }];
    }
    let pieces = parts.iter().enumerate().map(|(index, part)| Piece { text: part.to_string(), code: index % 2 == 1 });
    pieces.filter(|piece| !piece.text.is_empty()).collect()
}

/// `3 findings`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_code() {
        let code: Vec<(String, bool)> = pieces("`a` is not `b`!").into_iter().map(|p| (p.text, p.code)).collect();
        let expected = [("a", true), (" is not ", false), ("b", true), ("!", false)];
        assert_eq!(code, expected.map(|(text, code)| (text.to_owned(), code)));
        assert_eq!(pieces("odd ` one"), [Piece { text: "odd ` one".into(), code: false }]);
    }
}
