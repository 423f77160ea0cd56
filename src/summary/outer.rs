//! Paths that callers can name: they start at a parameter, a static, or what came of calling what the caller gave. A
//! summary keeps them in one table, in which each path is a step from another, and speaks of them by number.

use crate::domain::path::{NO_KEY, PathId, Paths, Root, Step};
use crate::events::{DefinitionId, Local};
use fxhash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A number in the table of its summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OuterPath(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OuterRoot {
    /// Counted from 1.
    Parameter(usize),
    /// What the function returns.
    Result,
    Static(DefinitionId, Rc<str>),
    /// What came of calling what the caller gave: the number of the invocation.
    Invoked(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OuterNode {
    Root(OuterRoot),
    Child(OuterPath, Step),
}

/// The table. What a path starts from stands before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OuterPaths(Vec<OuterNode>);

impl OuterPath {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl OuterPaths {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// `None` for a number that the table does not have: a file on disk may say anything.
    pub fn node(&self, path: OuterPath) -> Option<&OuterNode> {
        self.0.get(path.index()).filter(|node| match node {
            OuterNode::Root(_) => true,
            OuterNode::Child(parent, _) => parent.0 < path.0,
        })
    }

    pub fn root_of(&self, path: OuterPath) -> Option<&OuterRoot> {
        match self.node(path)? {
            OuterNode::Root(root) => Some(root),
            OuterNode::Child(parent, _) => self.root_of(*parent),
        }
    }
}

/// Makes the table of one function.
#[derive(Default)]
pub struct OuterTable {
    nodes: Vec<OuterNode>,
    numbers: FxHashMap<OuterNode, OuterPath>,
    known: FxHashMap<PathId, Option<OuterPath>>,
}

impl OuterTable {
    /// `None` for what the caller cannot name: locals of the function.
    pub fn path(&mut self, paths: &Paths, path: PathId, parameters: usize) -> Option<OuterPath> {
        if let Some(&known) = self.known.get(&path) {
            return known;
        }
        let node = match paths.parent(path).zip(paths.step(path)) {
            // A position that this function knows is some position to its callers.
            Some((parent, Step::At(_))) => {
                self.path(paths, parent, parameters).map(|parent| OuterNode::Child(parent, Step::Element))
            }
            // The caller knows the keys if the function was given them.
            Some((parent, Step::Chosen { from, .. })) if !from.iter().all(|&key| is_known(key, parameters)) => {
                self.path(paths, parent, parameters).map(|parent| OuterNode::Child(parent, Step::Element))
            }
            Some((parent, step)) => {
                self.path(paths, parent, parameters).map(|parent| OuterNode::Child(parent, step.clone()))
            }
            None => root(paths.root_of(path), parameters).map(OuterNode::Root),
        };
        let number = node.map(|node| self.number(node));
        self.known.insert(path, number);
        number
    }

    fn number(&mut self, node: OuterNode) -> OuterPath {
        let next = OuterPath(u32::try_from(self.nodes.len()).expect("fewer than 2^32 paths"));
        *self.numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        })
    }

    pub fn finish(self) -> OuterPaths {
        OuterPaths(self.nodes)
    }
}

fn is_known(key: Local, parameters: usize) -> bool {
    key == NO_KEY || (1..=parameters).contains(&(key as usize))
}

fn root(root: &Root, parameters: usize) -> Option<OuterRoot> {
    match root {
        Root::Static(id, name) => Some(OuterRoot::Static(*id, name.clone())),
        Root::Local(local) => match invocation_of(*local) {
            Some(number) => Some(OuterRoot::Invoked(number)),
            None => {
                if *local == 0 {
                    return Some(OuterRoot::Result);
                }
                let number = *local as usize;
                (1..=parameters).contains(&number).then_some(OuterRoot::Parameter(number))
            }
        },
    }
}

/// The locals that stand for what invocations gave start here. No body has so many of its own.
const INVOKED: Local = Local::MAX / 2;

/// More invocations in one body than this are not told apart.
const MOST_INVOCATIONS: usize = 16;

/// The local that stands for what an invocation gave.
pub fn invoked(number: usize) -> Local {
    INVOKED + Local::try_from(number.min(MOST_INVOCATIONS)).unwrap_or_default()
}

/// The invocation that the local stands for.
pub fn invocation_of(local: Local) -> Option<usize> {
    let last = INVOKED + Local::try_from(MOST_INVOCATIONS).unwrap_or_default();
    (INVOKED..=last).contains(&local).then(|| (local - INVOKED) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_have_no_outer_name() {
        let mut paths = Paths::default();
        let (given, own) = (paths.local(1), paths.local(2));
        let mut table = OuterTable::default();
        assert!(table.path(&paths, given, 1).is_some());
        assert!(table.path(&paths, own, 1).is_none());
        let below = paths.child(own, &Step::Data);
        assert!(table.path(&paths, below, 1).is_none());
    }

    #[test]
    fn positions_are_alike_to_callers() {
        let mut paths = Paths::default();
        let given = paths.local(1);
        let (one, other) = (paths.child(given, &Step::At(7)), paths.child(given, &Step::At(8)));
        let mut table = OuterTable::default();
        assert_eq!(table.path(&paths, one, 1), table.path(&paths, other, 1));
        assert_eq!(table.finish().len(), 2);
    }

    #[test]
    fn a_damaged_table_leads_nowhere() {
        let circle =
            OuterPaths(vec![OuterNode::Child(OuterPath(1), Step::Data), OuterNode::Child(OuterPath(0), Step::Data)]);
        assert!(circle.root_of(OuterPath(1)).is_none());
        assert!(circle.node(OuterPath(9)).is_none());
    }
}
