//! Known bugs: does the tool find what maintainers have fixed, is it silent about the fix, and about correct code that
//! only looks like a bug? Lists of such code are easy to fit a tool to, so `--list` takes any other in the same format.
//!
//! - [`list`]: the items, as people write them;
//! - [`rule`]: when a finding counts as the bug;
//! - [`judge`]: what a run says about an item;
//! - [`misses`]: why the tool and the list disagree;
//! - [`report`] and [`totals`]: the tables.

mod judge;
mod list;
mod misses;
mod report;
mod rule;
mod totals;

pub use judge::{Judged, Reported};
#[cfg(test)]
pub use list::Site;
pub use list::{Item, Kind};
pub use misses::Misses;
pub use report::report;
pub use rule::{is_at, is_low_at, is_still_inside, kinds_of};

use crate::Report;
use crate::args::KnownArgs;
use crate::failure::Failure;
use crate::input::{self, shipped};
use crate::lab::{Lab, Wish};
use std::path::{Path, PathBuf};

pub fn run(args: &KnownArgs) -> Result<Report, Failure> {
    let list = args.list.clone().unwrap_or_else(shipped_list);
    let reasons = args.misses.clone().unwrap_or_else(|| shipped("misses.toml"));
    let items = items(&list)?;
    let reasons = misses(&reasons)?;
    if let Some(id) = args.ids.iter().find(|id| !items.iter().any(|item| item.id == **id)) {
        return Err(Failure::Unknown { what: "item", name: id.clone(), list });
    }
    let items: Vec<_> = items.into_iter().filter(|item| is_asked_for(item, args)).collect();
    let lab = Lab::new(&args.lab, "field", Wish::Usual)?;
    let outcomes = lab.check_all(items.iter().flat_map(Item::subjects), args.jobs);
    if args.pages {
        items.iter().filter(|item| item.is_bug()).for_each(|item| write_pages(&lab, item));
    }
    let judged: Vec<_> = items.iter().map(|item| Judged::new(item, &outcomes)).collect();
    Ok(report(&judged, &reasons, &outcomes))
}

pub fn shipped_list() -> PathBuf {
    shipped(LISTS[0])
}

/// The shipped lists: the bugs that every rule was tried on, and those that nobody chose for the tool, in the order in which they
/// were gathered.
pub const LISTS: [&str; 3] = ["known/known-bugs.json", "known/more-bugs.json", "known/later-bugs.json"];

/// The items of all shipped lists.
pub fn shipped_items() -> Result<Vec<Item>, Failure> {
    let mut all: Vec<Item> = Vec::new();
    for list in LISTS.map(shipped) {
        for item in items(&list)? {
            if all.iter().any(|other| other.id == item.id) {
                return Err(Failure::mistake(&list, format!("item {}: another list has it too", item.id)));
            }
            all.push(item);
        }
    }
    Ok(all)
}

pub fn misses(file: &Path) -> Result<Misses, Failure> {
    Misses::parse(file, &input::text(file)?)
}

pub fn items(list: &Path) -> Result<Vec<Item>, Failure> {
    list::parse(list, &input::text(list)?)
}

/// Of the version that has the bug. What went wrong is told, and is no verdict on the bug.
fn write_pages(lab: &Lab, item: &Item) {
    match lab.pages_of(&item.subject) {
        Ok(page) => eprintln!("  pages {}", page.display()),
        Err(trouble) => eprintln!("  pages {}: {}\n{}", item.subject.title(), trouble.what, trouble.said),
    }
}

fn is_asked_for(item: &Item, args: &KnownArgs) -> bool {
    let kind = args.kinds.is_empty() || args.kinds.contains(&item.kind);
    kind && (args.ids.is_empty() || args.ids.contains(&item.id))
}
