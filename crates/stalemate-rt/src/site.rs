//! A place in the user's sources: as the lint names it, and as the compiler tells it at run time.

use std::fmt;
use std::panic::Location;
use std::str::FromStr;

/// `src/lib.rs:12:20`, or without the column. The file may be given by the end of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub file: String,
    pub line: u32,
    /// Where the method's name begins; for a call in a macro, where the outermost macro is called.
    pub column: Option<u32>,
}

impl Site {
    pub fn new(file: &str, line: u32) -> Site {
        Site { file: file.to_owned(), line, column: None }
    }

    /// Whether that is here. Paths are compared from their ends, part by part: one may be relative, the other not.
    pub fn is(&self, place: &Location<'_>) -> bool {
        self.line == place.line()
            && self.column.is_none_or(|it| it == place.column())
            && ends_alike(&self.file, place.file())
    }
}

fn ends_alike(one: &str, other: &str) -> bool {
    let parts =
        |path: &str| path.rsplit(['/', '\\']).filter(|part| *part != ".").map(str::to_owned).collect::<Vec<_>>();
    parts(one).iter().zip(&parts(other)).all(|(one, other)| one == other)
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

impl FromStr for Site {
    type Err = String;

    fn from_str(text: &str) -> Result<Site, String> {
        let wrong = || format!("`{text}` is no place: expected `file:line` or `file:line:column`");
        let (front, last) = text.rsplit_once(':').ok_or_else(wrong)?;
        let last = last.parse().map_err(|_| wrong())?;
        let with_column = front.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let (file, line, column) = match with_column {
            Some((file, line)) => (file, line, Some(last)),
            None => (front, last, None),
        };
        Ok(Site { file: file.to_owned(), line, column })
    }
}

/// The way from one critical section, or atomic operation, to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where the lock was taken that is let go at the start of the gap; the atomic operation; or the wait.
    pub after: Site,
    /// Where it is taken again. Without it the gap is right after its start.
    pub before: Option<Site>,
    /// Which time, counted from 1.
    pub nth: usize,
}

impl Gap {
    pub fn new(after: Site, before: Site) -> Gap {
        Gap { after, before: Some(before), nth: 1 }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>", self.after)?;
        self.before.as_ref().map_or(Ok(()), |before| write!(f, "{before}"))?;
        if self.nth > 1 { write!(f, "#{}", self.nth) } else { Ok(()) }
    }
}

/// `after>before`, `after>`, and `#2` behind it for the second time.
impl FromStr for Gap {
    type Err = String;

    fn from_str(text: &str) -> Result<Gap, String> {
        let (sites, nth) = text.rsplit_once('#').unwrap_or((text, "1"));
        let nth = nth.parse().map_err(|_| format!("`{nth}` is no number of times"))?;
        let (after, before) = sites.split_once('>').unwrap_or((sites, ""));
        let before = if before.is_empty() { None } else { Some(before.parse()?) };
        Ok(Gap { after: after.parse()?, before, nth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_from_their_ends() {
        assert!(ends_alike("src/lib.rs", "/home/me/crate/src/lib.rs"));
        assert!(ends_alike("crates/a/src/lib.rs", "src\\lib.rs"));
        assert!(!ends_alike("lib.rs", "src/mylib.rs"));
        assert!(!ends_alike("src/a.rs", "src/b.rs"));
    }

    #[test]
    fn a_site_is_where_it_says() {
        let here = Location::caller();
        let site = |column| Site { file: "src/site.rs".into(), line: here.line(), column };
        assert!(site(None).is(here) && site(Some(here.column())).is(here));
        assert!(!site(Some(here.column() + 1)).is(here));
        assert!(!Site::new("src/site.rs", here.line() + 1).is(here));
    }

    #[test]
    fn gaps_read_as_they_are_written() {
        for text in ["src/a.rs:1:2>src/a.rs:3:4", "src/a.rs:1>src/b.rs:3", "src/a.rs:1>", "C:\\a.rs:1:2>#3"] {
            assert_eq!(text.parse::<Gap>().unwrap().to_string(), text);
        }
        assert!("src/a.rs".parse::<Site>().is_err());
        assert!("src/a.rs:1>#x".parse::<Gap>().is_err());
    }
}
