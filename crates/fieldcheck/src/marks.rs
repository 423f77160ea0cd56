//! Pages of the documentation that have tables made by a run, between marks. What stands around them is written by people.

use crate::failure::Failure;
use crate::input;
use std::fs;
use std::path::PathBuf;

const END: &str = "<!-- end -->";

/// A part of a page, by the line that it begins with.
pub type Mark = &'static str;

pub struct Page {
    file: PathBuf,
}

impl Page {
    /// Looks whether the parts have their marks.
    pub fn open(file: PathBuf, marks: &[Mark]) -> Result<Page, Failure> {
        let text = input::text(&file)?;
        let blank = |mark: &Mark| replaced(&text, mark, "").map(drop);
        marks.iter().try_for_each(blank).map_err(|why| Failure::mistake(&file, why))?;
        Ok(Page { file })
    }

    /// As it is now, with other parts. The page is read again: somebody may have written to it meanwhile.
    pub fn with(&self, parts: &[(Mark, String)]) -> Result<String, Failure> {
        let text = input::text(&self.file)?;
        let all = parts.iter().try_fold(text, |text, (mark, content)| replaced(&text, mark, content));
        all.map_err(|why| Failure::mistake(&self.file, why))
    }

    pub fn write(&self, parts: &[(Mark, String)]) -> Result<(), Failure> {
        fs::write(&self.file, self.with(parts)?).map_err(|error| Failure::cannot(&self.file, error))
    }
}

/// The text with something else between the marks of a part.
fn replaced(text: &str, begin: &str, content: &str) -> Result<String, String> {
    let lacking = |what: &str| format!("there is no line `{what}`; the tables go between it and its counterpart");
    let (before, rest) = text.split_once(begin).ok_or_else(|| lacking(begin))?;
    let (inside, after) = rest.split_once(END).ok_or_else(|| lacking(END))?;
    if inside.contains("<!--") {
        return Err(format!("`{begin}` has no `{END}` of its own"));
    }
    Ok(format!("{before}{begin}\n\n{}\n\n{END}{after}", content.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUGS: Mark = "<!-- known bugs: made by ./x field confirm -->";
    const CRATES: Mark = "<!-- crates: made by ./x field confirm -->";

    const TEXT: &str = "# Title\n\n<!-- known bugs: made by ./x field confirm -->\nold\n<!-- end -->\n\nprose\n\n\
                        <!-- crates: made by ./x field confirm -->\n<!-- end -->\nlast\n";

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let once = replaced(TEXT, BUGS, "| new |\n").unwrap();
        let expected =
            "# Title\n\n<!-- known bugs: made by ./x field confirm -->\n\n| new |\n\n<!-- end -->\n\nprose\n";
        assert!(once.starts_with(expected), "{once}");
        let both = replaced(&once, CRATES, "shares").unwrap();
        assert!(both.starts_with(expected), "{both}");
        let end = "<!-- crates: made by ./x field confirm -->\n\nshares\n\n<!-- end -->\nlast\n";
        assert!(both.ends_with(end), "{both}");
        assert_eq!(replaced(&both, CRATES, "shares"), Ok(both.clone()));
    }

    #[test]
    fn marks_that_are_missing_are_told() {
        assert!(replaced("prose", BUGS, "").unwrap_err().contains("no line `<!-- known bugs: made by"));
        let open = TEXT.replacen("<!-- end -->", "", 1);
        assert!(replaced(&open, BUGS, "").unwrap_err().contains("no `<!-- end -->` of its own"));
        assert!(replaced(&open.replace(END, ""), CRATES, "").unwrap_err().contains("no line `<!-- end -->`"));
    }

    #[test]
    fn a_page_is_written_in_its_place() {
        let file = std::env::temp_dir().join(format!("fieldcheck-page-{}.md", std::process::id()));
        fs::write(&file, TEXT).unwrap();
        let page = Page::open(file.clone(), &[CRATES]).unwrap();
        page.write(&[(CRATES, "shares".to_owned())]).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), replaced(TEXT, CRATES, "shares").unwrap());
        fs::remove_file(&file).unwrap();
    }
}
