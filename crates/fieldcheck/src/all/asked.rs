//! Which versions a run looks at: all, those of some crates and bugs, or those of one part.

use super::field::Field;
use super::is_about;
use crate::args::Part;
use crate::crates::{self, Group};
use crate::failure::Failure;
use crate::known::Item;
use crate::lab::Subject;

pub struct Asked {
    pub items: Vec<Item>,
    pub crates: Vec<(Group, Subject)>,
    /// Nothing was left out, so what is not there any more is gone.
    pub is_everything: bool,
}

impl Asked {
    pub fn new(field: &Field, names: &[String], part: Option<Part>) -> Result<Asked, Failure> {
        let is_known = |name: &String| {
            let is_crate = field.crates.iter().any(|(_, subject)| subject.name == *name);
            is_crate || field.items.iter().any(|item| is_about(item, name))
        };
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let list = crates::shipped_list();
            return Err(Failure::Unknown { what: "known bug, and no crate,", name: name.clone(), list });
        }
        let is_named = |matches: &dyn Fn(&String) -> bool| names.is_empty() || names.iter().any(matches);
        let bugs_too = part.is_none_or(|part| part == Part::Bugs);
        let items = field.items.iter().filter(|item| bugs_too && is_named(&|name| is_about(item, name)));
        let crates = field.crates.iter().filter(|(group, subject)| {
            part.is_none_or(|part| group_of(part) == Some(*group)) && is_named(&|name| subject.name == *name)
        });
        Ok(Asked {
            items: items.cloned().collect(),
            crates: crates.cloned().collect(),
            is_everything: names.is_empty() && part.is_none(),
        })
    }

    /// The crates come first: they are fewer, and what they say is worth more.
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.crates.iter().map(|(_, subject)| subject).chain(self.items.iter().flat_map(Item::subjects))
    }
}

fn group_of(part: Part) -> Option<Group> {
    match part {
        Part::WorkedWith => Some(Group::WorkedWith),
        Part::Fixed => Some(Group::Fixed),
        Part::FirstSight => Some(Group::FirstSight),
        Part::Bugs => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(names: &[&str], part: Option<Part>) -> Result<Asked, Failure> {
        Asked::new(&Field::shipped().unwrap(), &names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), part)
    }

    fn titles(asked: &Asked) -> Vec<String> {
        asked.subjects().map(Subject::title).collect()
    }

    #[test]
    fn a_name_is_a_crate_or_a_bug() {
        let some = asked(&["W02", "sled"], None).unwrap();
        assert_eq!(titles(&some), ["sled 0.34.7", "stm 0.2.3", "stm 0.2.4"]);
        assert!(!some.is_everything);
        let of_crate = asked(&["stm"], None).unwrap();
        assert_eq!(titles(&of_crate), ["stm 0.2.3", "stm 0.2.4"]);
        let said = asked(&["nonsense"], None).err().unwrap().to_string();
        assert!(said.starts_with("no known bug, and no crate, `nonsense` in "), "{said}");
    }

    #[test]
    fn parts_are_apart() {
        let all = asked(&[], None).unwrap();
        assert!(all.is_everything && all.items.len() > 90);
        let parts = [Part::WorkedWith, Part::Fixed, Part::FirstSight].map(|part| asked(&[], Some(part)).unwrap());
        assert_eq!(parts.iter().map(|part| part.crates.len()).sum::<usize>(), all.crates.len());
        assert!(parts.iter().all(|part| part.items.is_empty() && !part.is_everything));
        let bugs = asked(&[], Some(Part::Bugs)).unwrap();
        assert_eq!((bugs.items.len(), bugs.crates.len()), (all.items.len(), 0));
    }
}
