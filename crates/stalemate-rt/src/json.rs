//! The little JSON there is to write. A parser is not needed, and a dependency would have to be compiled by every user.

use std::fmt::{self, Write};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(usize),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub(crate) fn number(number: usize) -> Json {
        Json::Number(number)
    }

    pub(crate) fn list(items: impl IntoIterator<Item = Json>) -> Json {
        Json::List(items.into_iter().collect())
    }

    pub(crate) fn object(fields: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
        Json::Object(fields.into_iter().collect())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(value) => write!(f, "{value}"),
            Json::Text(text) => quoted(f, text),
            Json::List(items) => between(f, ['[', ']'], items, |f, item| write!(f, "{item}")),
            Json::Object(fields) => between(f, ['{', '}'], fields, |f, (name, value)| {
                quoted(f, name)?;
                write!(f, ":{value}")
            }),
        }
    }
}

fn between<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [char; 2],
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char(open)?;
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            f.write_char(',')?;
        }
        write(f, item)?;
    }
    f.write_char(close)
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            c if (c as u32) < 0x20 => write!(f, "\\u{:04x}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(Json::text("a\"\\\n\t").to_string(), r#""a\"\\\n\u0009""#);
    }

    #[test]
    fn values_nest() {
        let list = Json::list([Json::Null, Json::Bool(true), Json::number(3)]);
        assert_eq!(Json::object([("a", list), ("b", Json::object([]))]).to_string(), r#"{"a":[null,true,3],"b":{}}"#);
    }
}
