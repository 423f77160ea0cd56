//! Pages of the documentation that have tables of ours, between marks. What stands around them is written by people.

use crate::failure::Failure;
use crate::input;
use std::fs;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Bugs,
    Crates,
    Speed,
    Growth,
}

impl Section {
    fn begin(self) -> &'static str {
        match self {
            Section::Bugs => "<!-- known bugs: made by ./x field confirm -->",
            Section::Crates => "<!-- crates: made by ./x field confirm -->",
            Section::Speed => "<!-- crates: made by ./x bench -->",
            Section::Growth => "<!-- growth: made by ./x growth -->",
        }
    }
}

const END: &str = "<!-- end -->";

pub struct Page {
    file: PathBuf,
}

impl Page {
    /// Looks whether the sections have their marks.
    pub fn open(file: PathBuf, sections: Vec<Section>) -> Result<Page, Failure> {
        let text = input::text(&file)?;
        let blank = |section: &Section| replaced(&text, *section, "").map(drop);
        sections.iter().try_for_each(blank).map_err(|why| Failure::mistake(&file, why))?;
        Ok(Page { file })
    }

    /// The page is read again: somebody may have written to it meanwhile.
    pub fn write(&self, sections: &[(Section, String)]) -> Result<(), Failure> {
        let mut text = input::text(&self.file)?;
        for (section, content) in sections {
            text = replaced(&text, *section, content).map_err(|why| Failure::mistake(&self.file, why))?;
        }
        fs::write(&self.file, text).map_err(|error| Failure::cannot(&self.file, error))
    }
}

/// The text with something else between the marks of a section.
fn replaced(text: &str, section: Section, content: &str) -> Result<String, String> {
    let begin = section.begin();
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
    use crate::input::shipped;

    const TEXT: &str = "# Title\n\n<!-- known bugs: made by ./x field confirm -->\nold\n<!-- end -->\n\nprose\n\n\
                        <!-- crates: made by ./x field confirm -->\n<!-- end -->\nlast\n";

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let once = replaced(TEXT, Section::Bugs, "| new |\n").unwrap();
        let expected =
            "# Title\n\n<!-- known bugs: made by ./x field confirm -->\n\n| new |\n\n<!-- end -->\n\nprose\n";
        assert!(once.starts_with(expected), "{once}");
        let both = replaced(&once, Section::Crates, "shares").unwrap();
        assert!(both.starts_with(expected), "{both}");
        let end = "<!-- crates: made by ./x field confirm -->\n\nshares\n\n<!-- end -->\nlast\n";
        assert!(both.ends_with(end), "{both}");
        assert_eq!(replaced(&both, Section::Crates, "shares"), Ok(both.clone()));
    }

    #[test]
    fn marks_that_are_missing_are_told() {
        assert!(replaced("prose", Section::Bugs, "").unwrap_err().contains("no line `<!-- known bugs: made by"));
        let open = TEXT.replacen("<!-- end -->", "", 1);
        assert!(replaced(&open, Section::Bugs, "").unwrap_err().contains("no `<!-- end -->` of its own"));
        assert!(replaced(&open.replace(END, ""), Section::Crates, "").unwrap_err().contains("no line `<!-- end -->`"));
    }

    #[test]
    fn the_shipped_pages_have_their_sections() {
        Page::open(shipped("../../docs/confirm.md"), vec![Section::Bugs, Section::Crates]).unwrap();
        Page::open(shipped("../../docs/performance.md"), vec![Section::Speed, Section::Growth]).unwrap();
    }

    #[test]
    fn a_page_is_written_in_its_place() {
        let file = std::env::temp_dir().join(format!("fieldcheck-page-{}.md", std::process::id()));
        fs::write(&file, TEXT).unwrap();
        let page = Page::open(file.clone(), vec![Section::Crates]).unwrap();
        page.write(&[(Section::Crates, "shares".to_owned())]).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), replaced(TEXT, Section::Crates, "shares").unwrap());
        fs::remove_file(&file).unwrap();
    }
}
