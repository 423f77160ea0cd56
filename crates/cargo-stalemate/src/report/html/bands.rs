//! Critical sections as bars beside the lines they hold, side by side where they overlap.

use super::colours::Colours;
use finding::map::Section;
use std::collections::BTreeMap;

/// More bars than this stand for nothing a reader could follow.
const MOST: usize = 8;

/// The bar of one section on one line. Without a class it keeps the place of a bar further left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Band {
    pub class: String,
    pub title: String,
}

/// What stands beside each line.
#[derive(Debug, Default)]
pub struct Bands {
    lines: BTreeMap<u32, Vec<Band>>,
    /// What begins on a line, in words.
    begins: BTreeMap<u32, Vec<String>>,
    pub columns: usize,
}

impl Bands {
    pub fn new<'a>(sections: impl IntoIterator<Item = &'a Section>, colours: &Colours) -> Bands {
        let mut sections: Vec<&Section> = sections.into_iter().collect();
        // The longest first: what is inside stands to the right.
        sections.sort_by_key(|section| (section.place.line, std::cmp::Reverse(last_line(section)), *section));
        let mut bands = Bands::default();
        let mut free_from: Vec<u32> = Vec::new();
        for section in sections {
            let column = free_from.iter().position(|line| *line <= section.place.line).unwrap_or(free_from.len());
            free_from.resize(free_from.len().max(column + 1), 0);
            free_from[column] = last_line(section) + 1;
            bands.begins.entry(section.place.line).or_default().push(title(section));
            if column < MOST {
                bands.draw(section, column, colours);
            }
        }
        bands
    }

    fn draw(&mut self, section: &Section, column: usize, colours: &Colours) {
        self.columns = self.columns.max(column + 1);
        let (first, last) = (section.place.line, last_line(section));
        let shared = if section.shared { " shared" } else { "" };
        for line in first..=last {
            let begin = if line == first { " begin" } else { "" };
            let end = if line == last { " end" } else { "" };
            let bands = self.lines.entry(line).or_default();
            bands.resize(bands.len().max(column + 1), Band::default());
            let class = format!("{}{shared}{begin}{end}", colours.class(&section.lock));
            bands[column] = Band { class, title: title(section) };
        }
    }

    pub fn on(&self, line: u32) -> &[Band] {
        self.lines.get(&line).map_or(&[], Vec::as_slice)
    }

    /// For those who cannot see bars.
    pub fn words(&self, line: u32) -> String {
        self.begins.get(&line).map(|titles| titles.join("; ")).unwrap_or_default()
    }
}

pub fn last_line(section: &Section) -> u32 {
    section.end.line.max(section.place.line)
}

fn title(section: &Section) -> String {
    let Section { name, lock, .. } = section;
    let known = if name == lock { String::new() } else { format!(" ({lock})") };
    let how = if section.shared { ", shared" } else { "" };
    let (first, last) = (section.place.line, last_line(section));
    let lines = if first == last { format!("on line {first}") } else { format!("in lines {first} to {last}") };
    format!("{name}{known} is held{how} {lines}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::place;
    use finding::facts::End;

    fn section(lock: &str, first: u32, last: u32) -> Section {
        Section {
            place: place("src/a.rs", first),
            end: End { line: last, column: 2 },
            lock: lock.to_owned(),
            name: format!("self.{lock}"),
            shared: false,
            package: "p".into(),
            function: "f".into(),
        }
    }

    #[test]
    fn what_is_inside_stands_to_the_right() {
        let sections =
            [section("inner", 3, 4), section("outer", 3, 9), section("later", 6, 6), section("next", 10, 11)];
        let bands = Bands::new(&sections, &Colours::default());
        let names =
            |line: u32| bands.on(line).iter().map(|band| band.title.split(' ').next().unwrap()).collect::<Vec<_>>();
        assert_eq!(names(3), ["self.outer", "self.inner"]);
        assert_eq!(names(5), ["self.outer"]);
        assert_eq!(names(6), ["self.outer", "self.later"]);
        assert_eq!(names(10), ["self.next"]);
        assert_eq!((bands.on(12).len(), bands.columns), (0, 2));
    }

    #[test]
    fn the_place_of_a_bar_further_left_is_kept() {
        let bands = Bands::new(&[section("a", 1, 3), section("b", 2, 6)], &Colours::default());
        assert_eq!(bands.on(5)[0], Band::default());
        assert_eq!(bands.on(5)[1].class, "lock");
        assert_eq!(bands.words(2), "self.b (b) is held in lines 2 to 6");
    }

    #[test]
    fn odd_ends_are_the_first_line() {
        assert_eq!(Bands::new(&[section("a", 5, 1)], &Colours::default()).on(5)[0].class, "lock begin end");
    }
}
