//! The checked source files, as far as the report shows them. They may have changed since, or be gone: every place is
//! checked against the text, and one that does not fit is no place to show.

use finding::Place;
use finding::facts::End;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub struct Sources {
    root: PathBuf,
    /// Files that cannot be read are remembered too.
    files: HashMap<String, Option<Source>>,
}

impl Sources {
    pub fn new(root: &Path) -> Sources {
        Sources { root: root.to_owned(), files: HashMap::new() }
    }

    pub fn get(&mut self, file: &str) -> Option<&Source> {
        if !self.files.contains_key(file) {
            let source = std::fs::read_to_string(self.root.join(file)).ok().map(Source::new);
            self.files.insert(file.to_owned(), source);
        }
        self.files.get(file)?.as_ref()
    }
}

pub struct Source {
    text: String,
    /// How many bytes stand before the text in the file.
    before: usize,
    /// Where each line starts.
    starts: Vec<usize>,
}

impl Source {
    fn new(text: String) -> Source {
        // The compiler counts columns without the byte order mark.
        let before = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let text = text[before..].to_owned();
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(index, _)| index + 1)).collect();
        Source { text, before, starts }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of a place, up to its end or the end of its first line: an underline that runs over many lines hides
    /// more than it shows.
    pub fn span(&self, place: &Place, end: Option<End>) -> Option<Range<usize>> {
        let start = self.offset(place.line, place.column)?;
        let (line_start, line) = self.line(place.line)?;
        let line_end = line_start + line.trim_end().len();
        let end = end.and_then(|end| self.offset(end.line, end.column)).filter(|end| *end > start);
        let one_more = start + self.text[start..].chars().next().map_or(0, char::len_utf8);
        Some(start..end.unwrap_or(one_more).min(line_end.max(start)))
    }

    /// All bytes of a place, as they are counted in the file.
    pub fn bytes(&self, place: &Place, end: End) -> Option<Range<usize>> {
        let (start, end) = (self.offset(place.line, place.column)?, self.offset(end.line, end.column)?);
        Some(self.before + start..self.before + end)
    }

    /// Some whole lines, without the last line break, and the byte at which they start.
    pub fn lines(&self, lines: Range<u32>) -> Option<(&str, usize)> {
        let (start, _) = self.line(lines.start)?;
        let (last_start, last) = self.line(lines.end.checked_sub(1)?)?;
        Some((self.text.get(start..last_start + last.len())?, start))
    }

    fn line(&self, number: u32) -> Option<(usize, &str)> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// Columns count characters, and the one behind the last is still on the line.
    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let (start, text) = self.line(line)?;
        let column = usize::try_from(column).ok()?.checked_sub(1)?;
        let within = text.char_indices().map(|(offset, _)| offset).chain([text.len()]).nth(column)?;
        Some(start + within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, from: (u32, u32), to: (u32, u32)) -> Option<&str> {
        let place = Place { file: String::new(), line: from.0, column: from.1 };
        let source = Source::new(text.to_owned());
        source.span(&place, Some(End { line: to.0, column: to.1 })).map(|span| &text[span])
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(span("let é = ü;\n", (1, 9), (1, 10)), Some("ü"));
        assert_eq!(span("a\r\n\tbc\r\n", (2, 2), (2, 4)), Some("bc"));
    }

    #[test]
    fn long_places_end_with_their_first_line() {
        assert_eq!(span("self.m  \n  .lock()", (1, 1), (2, 10)), Some("self.m"));
    }

    #[test]
    fn odd_ends_underline_one_character() {
        assert_eq!(span("abc", (1, 2), (1, 2)), Some("b"));
        assert_eq!(span("abc", (1, 2), (9, 9)), Some("b"));
    }

    #[test]
    fn places_outside_the_text_are_none() {
        for from in [(0, 1), (1, 0), (3, 1), (1, 5)] {
            assert_eq!(span("abc\n", from, (1, 4)), None, "{from:?}");
        }
    }

    #[test]
    fn the_end_of_the_file_is_a_place() {
        assert_eq!(span("abc", (1, 4), (1, 4)), Some(""));
        assert_eq!(span("", (1, 1), (1, 1)), Some(""));
    }

    #[test]
    fn lines_come_whole() {
        let source = Source::new("a\nbc\nd\n".to_owned());
        assert_eq!(source.lines(2..4), Some(("bc\nd", 2)));
        assert_eq!(source.lines(3..6), None);
    }
}
