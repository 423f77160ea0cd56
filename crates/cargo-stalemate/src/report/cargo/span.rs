//! A spot as a span of rustc: lines and columns as they were found, bytes and lines of text from the source as it is now.

use super::model::{Line, Span};
use crate::report::source::{Source, Sources};
use crate::report::spots::Spot;
use finding::Place;
use finding::facts::End;

/// A place that no longer fits its source keeps lines and columns, which is what editors go by.
pub fn span(sources: &mut Sources, spot: &Spot, is_primary: bool) -> Span {
    let Place { file, line, column } = &spot.place;
    let end = spot.end.filter(|end| (end.line, end.column) > (*line, *column));
    let end = end.unwrap_or(End { line: *line, column: *column });
    let source = sources.get(file);
    let bytes = source.and_then(|source| source.bytes(&spot.place, end)).unwrap_or_default();
    Span {
        file_name: file.clone(),
        byte_start: bytes.start,
        byte_end: bytes.end,
        line_start: *line,
        line_end: end.line,
        column_start: *column,
        column_end: end.column,
        is_primary,
        text: source.and_then(|source| text(source, &spot.place, end)).unwrap_or_default(),
        label: Some(spot.label()).filter(|label| !label.is_empty()),
        suggested_replacement: None,
        suggestion_applicability: None,
        expansion: None,
    }
}

/// Each line up to its end, the last one up to the end of the place.
fn text(source: &Source, place: &Place, end: End) -> Option<Vec<Line>> {
    let (text, _) = source.lines(place.line..end.line + 1)?;
    let numbered = (place.line..).zip(text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)));
    let lines = numbered.map(|(number, line)| Line {
        text: line.to_owned(),
        highlight_start: if number == place.line { place.column as usize } else { 1 },
        highlight_end: if number == end.line { end.column as usize } else { line.chars().count() + 1 },
    });
    Some(lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::place;

    fn of(text: Option<&str>, end: End) -> Span {
        let directory = tempfile::tempdir().unwrap();
        if let Some(text) = text {
            std::fs::write(directory.path().join("a.rs"), text).unwrap();
        }
        let spot = Spot { place: place("a.rs", 2), end: Some(end), steps: vec![(1, "reads".into())], primary: false };
        span(&mut Sources::new(directory.path()), &spot, false)
    }

    fn line(text: &str, highlight_start: usize, highlight_end: usize) -> Line {
        Line { text: text.into(), highlight_start, highlight_end }
    }

    #[test]
    fn bytes_and_columns_differ() {
        let span = of(Some("// é\nä = self.m;\n"), End { line: 2, column: 9 });
        assert_eq!((span.byte_start, span.byte_end), (11, 15));
        assert_eq!((span.line_start, span.column_start, span.line_end, span.column_end), (2, 5, 2, 9));
        assert_eq!(span.text, [line("ä = self.m;", 5, 9)]);
        assert_eq!((span.label.as_deref(), span.is_primary), (Some("(1) reads"), false));
    }

    #[test]
    fn every_line_of_a_long_place_is_there() {
        let span = of(Some("\u{feff}\r\nx = self\r\n  .m()\r\n  .n();\r\n"), End { line: 4, column: 7 });
        assert_eq!((span.byte_start, span.byte_end), (9, 29));
        assert_eq!(span.text, [line("x = self", 5, 9), line("  .m()", 1, 7), line("  .n();", 1, 7)]);
    }

    #[test]
    fn without_its_source_a_place_keeps_its_lines() {
        for text in [None, Some("short")] {
            let span = of(text, End { line: 2, column: 9 });
            assert_eq!((span.byte_start, span.byte_end, span.text.len()), (0, 0, 0));
            assert_eq!((span.line_start, span.column_end), (2, 9));
        }
    }

    #[test]
    fn odd_ends_are_no_ends() {
        let span = of(None, End { line: 1, column: 1 });
        assert_eq!((span.line_end, span.column_end), (2, 5));
    }
}
