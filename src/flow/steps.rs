//! State machines: a look at a state decides what is done, and each way that it may go writes the state that comes next.
//! Such a function is called again and again by whoever drives the machine, and that is mostly one thread.

use crate::domain::path::PathId;
use crate::events::{BlockId, Function, Site};
use crate::flow::control::leads_on;
use std::collections::{BTreeMap, BTreeSet};

/// More writes than this, after one branch, tell no more.
const MOST: usize = 16;

/// What is overwritten because of a branch.
#[derive(Debug, Default)]
pub(super) struct Steps {
    by_branch: BTreeMap<Site, Vec<Step>>,
}

#[derive(Debug)]
struct Step {
    target: PathId,
    block: BlockId,
    site: Site,
}

impl Steps {
    pub(super) fn add(&mut self, decided: Site, target: PathId, block: BlockId, site: Site) {
        let steps = self.by_branch.entry(decided).or_default();
        if steps.len() < MOST {
            steps.push(Step { target, block, site });
        }
    }

    /// The branches, and the writes after them, to which there is another one of the same place on another way.
    pub(super) fn taken(&self, function: &Function) -> BTreeSet<(Site, Site)> {
        let apart = |one: &Step, other: &Step| {
            one.site != other.site
                && one.target == other.target
                && !leads_on(function, one.block, other.block)
                && !leads_on(function, other.block, one.block)
        };
        let of_branch = |(&decided, steps): (&Site, &Vec<Step>)| -> Vec<(Site, Site)> {
            let is_one = |step: &&Step| steps.iter().any(|other| apart(step, other));
            steps.iter().filter(is_one).map(|step| (decided, step.site)).collect()
        };
        self.by_branch.iter().flat_map(of_branch).collect()
    }
}
