//! Access paths: where something is, as one thread sees it. `self.state` is a path, `self.state` with its lock open
//! is a longer one, and so is each field below.
//!
//! Paths are numbers into a table. Equal numbers mean the same place in one body (the first of the two equalities of
//! locks); a path with an unknown index equals nothing, not even itself at another time.

use crate::events::{DefinitionId, Field, Local, Place, PlaceStep};
use fxhash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    Local(Local),
    Static(DefinitionId, Rc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    Field(Field),
    /// What a pointer points at that was not followed further. `shared`: others may hold the same pointer.
    Pointee {
        shared: bool,
    },
    /// Some element or part of it.
    Element,
    /// The element at the position in this variable, which keeps its value meanwhile.
    At(Local),
    /// What a lock protects.
    Data,
}

impl Step {
    pub fn is_pointee(&self) -> bool {
        matches!(self, Step::Pointee { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Root(Root),
    Child(PathId, Step),
}

/// Longer paths are cut: a list that is walked along its links would otherwise never end.
const LONGEST: u32 = 16;

/// All paths of one body.
#[derive(Debug, Default)]
pub struct Paths {
    nodes: Vec<(Node, u32)>,
    /// Whether any path leads through this one.
    has_parts: Vec<bool>,
    numbers: FxHashMap<Node, PathId>,
}

impl Paths {
    fn number(&mut self, node: Node, length: u32) -> PathId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let id = PathId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 paths"));
        if let Node::Child(parent, _) = &node {
            self.has_parts[parent.0 as usize] = true;
        }
        self.nodes.push((node.clone(), length));
        self.has_parts.push(false);
        self.numbers.insert(node, id);
        id
    }

    pub fn root(&mut self, root: Root) -> PathId {
        self.number(Node::Root(root), 0)
    }

    pub fn local(&mut self, local: Local) -> PathId {
        self.root(Root::Local(local))
    }

    pub fn child(&mut self, parent: PathId, step: Step) -> PathId {
        // An element of some element is some element.
        if step == Step::Element && self.step(parent) == Some(&Step::Element) {
            return parent;
        }
        let length = self.nodes[parent.0 as usize].1 + 1;
        if length > LONGEST { parent } else { self.number(Node::Child(parent, step), length) }
    }

    /// Some path leads through this one. Most temporaries have none, and need no search for what is below them.
    pub fn has_parts(&self, path: PathId) -> bool {
        self.has_parts[path.0 as usize]
    }

    pub fn parent(&self, path: PathId) -> Option<PathId> {
        match &self.nodes[path.0 as usize].0 {
            Node::Root(_) => None,
            Node::Child(parent, _) => Some(*parent),
        }
    }

    pub fn step(&self, path: PathId) -> Option<&Step> {
        match &self.nodes[path.0 as usize].0 {
            Node::Root(_) => None,
            Node::Child(_, step) => Some(step),
        }
    }

    /// The path itself, then its parents up to the root.
    pub fn ancestry(&self, path: PathId) -> impl Iterator<Item = PathId> {
        std::iter::successors(Some(path), |&at| self.parent(at))
    }

    pub fn root_of(&self, path: PathId) -> &Root {
        let top = self.ancestry(path).last().unwrap_or(path);
        match &self.nodes[top.0 as usize].0 {
            Node::Root(root) => root,
            Node::Child(..) => unreachable!("the last of an ancestry has no parent"),
        }
    }

    pub fn root_local(&self, path: PathId) -> Option<Local> {
        match self.root_of(path) {
            Root::Local(local) => Some(*local),
            Root::Static(..) => None,
        }
    }

    /// `outer` is `inner` or leads to it.
    pub fn is_within(&self, inner: PathId, outer: PathId) -> bool {
        self.ancestry(inner).any(|at| at == outer)
    }

    /// A change of one may be seen at the other.
    pub fn overlap(&self, one: PathId, other: PathId) -> bool {
        self.is_within(one, other) || self.is_within(other, one)
    }

    /// The lock whose data the path lies in: the innermost one.
    pub fn lock_above(&self, path: PathId) -> Option<PathId> {
        let data = self.ancestry(path).find(|&at| matches!(self.step(at), Some(Step::Data)))?;
        self.parent(data)
    }

    /// Steps from the root down.
    pub fn steps(&self, path: PathId) -> Vec<&Step> {
        let mut steps: Vec<&Step> = self.ancestry(path).filter_map(|at| self.step(at)).collect();
        steps.reverse();
        steps
    }

    /// Steps from what the innermost lock protects down to the path.
    pub fn steps_under_lock(&self, path: PathId) -> Vec<&Step> {
        let mut steps: Vec<&Step> =
            self.ancestry(path).map_while(|at| self.step(at).filter(|step| !matches!(step, Step::Data))).collect();
        steps.reverse();
        steps
    }

    /// `inner` is `outer` or part of it by its fields, whatever elements or pointers are on the way.
    pub fn fields_within(&self, inner: PathId, outer: PathId) -> bool {
        let fields = |path: PathId| {
            self.steps_under_lock(path).into_iter().filter(|step| matches!(step, Step::Field(_))).collect::<Vec<_>>()
        };
        self.lock_above(inner) == self.lock_above(outer) && fields(inner).starts_with(&fields(outer))
    }

    /// Goes through some element: two paths of the same number may be two places.
    pub fn is_ambiguous(&self, path: PathId) -> bool {
        self.ancestry(path).any(|at| matches!(self.step(at), Some(Step::Element)))
    }

    /// Follows the steps of a place as far as they do not lead through a pointer.
    pub fn descend(&mut self, from: PathId, step: &PlaceStep) -> PathId {
        let step = match step {
            PlaceStep::Deref { shared } => Step::Pointee { shared: *shared },
            PlaceStep::Field(field) => Step::Field(field.clone()),
            PlaceStep::Index(_) | PlaceStep::Element => Step::Element,
        };
        self.child(from, step)
    }

    /// The same way below another start: `from.a.b` moved from `from` to `to` is `to.a.b`.
    pub fn rebase(&mut self, path: PathId, from: PathId, to: PathId) -> PathId {
        let below: Vec<Step> =
            self.ancestry(path).take_while(|&at| at != from).filter_map(|at| self.step(at).cloned()).collect();
        below.into_iter().rev().fold(to, |at, step| self.child(at, step))
    }
}

/// The place's variable, when the place is all of it.
pub fn whole_local(place: &Place) -> Option<Local> {
    place.steps.is_empty().then_some(place.local)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(index: u32) -> Step {
        Step::Field(Field { variant: 0, index, name: index.to_string().into(), owner: None })
    }

    #[test]
    fn equal_ways_have_equal_numbers() {
        let mut paths = Paths::default();
        let root = paths.local(1);
        let one = paths.child(root, field(0));
        assert_eq!(one, paths.child(root, field(0)));
        assert_ne!(one, paths.child(root, field(1)));
    }

    #[test]
    fn overlap_is_symmetric_and_needs_a_common_line() {
        let mut paths = Paths::default();
        let root = paths.local(1);
        let (left, right) = (paths.child(root, field(0)), paths.child(root, field(1)));
        let deep = paths.child(left, field(2));
        assert!(paths.overlap(deep, left) && paths.overlap(left, deep));
        assert!(!paths.overlap(deep, right));
    }

    #[test]
    fn the_innermost_lock_counts() {
        let mut paths = Paths::default();
        let outer = paths.local(1);
        let data = paths.child(outer, Step::Data);
        let inner = paths.child(data, field(0));
        let below = paths.child(inner, Step::Data);
        assert_eq!(paths.lock_above(below), Some(inner));
        assert_eq!(paths.lock_above(inner), Some(outer));
        assert_eq!(paths.lock_above(outer), None);
    }

    #[test]
    fn paths_end() {
        let mut paths = Paths::default();
        let mut at = paths.local(1);
        for _ in 0..1000 {
            at = paths.child(at, field(0));
        }
        assert!(paths.steps(at).len() <= LONGEST as usize);
    }

    #[test]
    fn rebase_keeps_the_way_below() {
        let mut paths = Paths::default();
        let (from, to) = (paths.local(1), paths.local(2));
        let below = paths.child(from, field(3));
        let moved = paths.rebase(below, from, to);
        assert_eq!(moved, paths.child(to, field(3)));
        assert_eq!(paths.rebase(from, from, to), to);
    }
}
