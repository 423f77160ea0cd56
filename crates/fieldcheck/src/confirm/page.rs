//! The parts of docs/confirm.md that a run writes.

use crate::marks::Mark;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Bugs,
    Crates,
}

impl Section {
    pub fn mark(self) -> Mark {
        match self {
            Section::Bugs => "<!-- known bugs: made by ./x field confirm -->",
            Section::Crates => "<!-- crates: made by ./x field confirm -->",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::shipped;
    use crate::marks::Page;

    #[test]
    fn the_shipped_page_has_both_sections() {
        let marks = [Section::Bugs, Section::Crates].map(Section::mark);
        Page::open(shipped("../../docs/confirm.md"), &marks).unwrap();
    }
}
