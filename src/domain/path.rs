//! Access paths: where something is, as one thread sees it. `self.state` is a path, `self.state` with its lock open
//! is a longer one, and so is each field below.
//!
//! Paths are numbers into a table. Equal numbers mean the same place in one body (the first of the two equalities of
//! locks); a path with an unknown index equals nothing, not even itself at another time.

use crate::domain::set::Set;
use crate::events::{self, DefinitionId, Field, Local, PlaceStep};
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
    /// The element at the position that a function finds from these variables, which keep their values meanwhile: the shard
    /// of a key.
    Chosen {
        by: DefinitionId,
        from: Keys,
    },
    /// What a lock protects.
    Data,
}

/// The variables that something is found from. Those that are not there are [`NO_KEY`].
pub type Keys = [Local; 3];

pub const NO_KEY: Local = Local::MAX;

impl Step {
    /// The step leads to another place when the variable is set anew.
    pub fn depends_on(&self, local: Local) -> bool {
        match self {
            Step::At(position) => *position == local,
            Step::Chosen { from, .. } => from.contains(&local),
            Step::Field(_) | Step::Pointee { .. } | Step::Element | Step::Data => false,
        }
    }

    pub fn is_pointee(&self) -> bool {
        matches!(self, Step::Pointee { .. })
    }
}

#[derive(Debug)]
enum Place {
    Root(Root),
    Child(PathId, Step),
}

/// One path, with what is asked of it again and again.
#[derive(Debug)]
struct Node {
    place: Place,
    length: u32,
    root: PathId,
    /// The innermost lock whose data it lies in.
    lock: Option<PathId>,
    ambiguous: bool,
    /// Some path leads through this one.
    has_parts: bool,
}

/// A step without the name of its field, which says no more than the numbers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Field { variant: u32, index: u32, owner: Option<DefinitionId> },
    Pointee { shared: bool },
    Element,
    At(Local),
    Chosen { by: DefinitionId, from: Keys },
    Data,
}

impl Key {
    fn of(step: &Step) -> Key {
        match step {
            Step::Field(field) => Key::Field { variant: field.variant, index: field.index, owner: field.owner },
            Step::Pointee { shared } => Key::Pointee { shared: *shared },
            Step::Element => Key::Element,
            Step::At(position) => Key::At(*position),
            Step::Chosen { by, from } => Key::Chosen { by: *by, from: *from },
            Step::Data => Key::Data,
        }
    }
}

/// Longer paths are cut: a list that is walked along its links would otherwise never end.
const LONGEST: u32 = 16;

/// All paths of one body.
#[derive(Debug, Default)]
pub struct Paths {
    nodes: Vec<Node>,
    /// By number, as far as the body's own variables go.
    locals: Vec<Option<PathId>>,
    /// Those that stand for something else have numbers far beyond.
    made_up: FxHashMap<Local, PathId>,
    statics: FxHashMap<DefinitionId, PathId>,
    children: FxHashMap<(PathId, Key), PathId>,
}

impl Paths {
    /// For a body with so many variables.
    pub fn for_variables(count: usize) -> Paths {
        Paths { locals: vec![None; count], ..Paths::default() }
    }

    fn node(&self, path: PathId) -> &Node {
        &self.nodes[path.0 as usize]
    }

    fn next(&self) -> PathId {
        PathId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 paths"))
    }

    fn add_root(&mut self, root: Root) -> PathId {
        let id = self.next();
        let place = Place::Root(root);
        self.nodes.push(Node { place, length: 0, root: id, lock: None, ambiguous: false, has_parts: false });
        id
    }

    pub fn root(&mut self, root: Root) -> PathId {
        match root {
            Root::Local(local) => self.local(local),
            Root::Static(id, _) => match self.statics.get(&id) {
                Some(&known) => known,
                None => {
                    let path = self.add_root(root);
                    self.statics.insert(id, path);
                    path
                }
            },
        }
    }

    pub fn local(&mut self, local: Local) -> PathId {
        let number = local as usize;
        let known = if number < self.locals.len() { self.locals[number] } else { self.made_up.get(&local).copied() };
        known.unwrap_or_else(|| self.add_local(local))
    }

    fn add_local(&mut self, local: Local) -> PathId {
        let path = self.add_root(Root::Local(local));
        match self.locals.get_mut(local as usize) {
            Some(place) => *place = Some(path),
            None => {
                self.made_up.insert(local, path);
            }
        }
        path
    }

    pub fn child(&mut self, parent: PathId, step: &Step) -> PathId {
        // An element of some element is some element.
        if *step == Step::Element && self.step(parent) == Some(&Step::Element) {
            return parent;
        }
        if self.node(parent).length == LONGEST {
            return parent;
        }
        let key = (parent, Key::of(step));
        if let Some(&known) = self.children.get(&key) {
            return known;
        }
        let id = self.next();
        let above = &mut self.nodes[parent.0 as usize];
        above.has_parts = true;
        let node = Node {
            place: Place::Child(parent, step.clone()),
            length: above.length + 1,
            root: above.root,
            lock: if *step == Step::Data { Some(parent) } else { above.lock },
            ambiguous: above.ambiguous || *step == Step::Element,
            has_parts: false,
        };
        self.nodes.push(node);
        self.children.insert(key, id);
        id
    }

    /// Nothing is added any more.
    pub fn seal(&mut self) {
        self.nodes.shrink_to_fit();
        self.locals = Vec::new();
        (self.made_up, self.statics, self.children) = Default::default();
    }

    /// Some path leads through this one. Most temporaries have none, and need no search for what is below them.
    pub fn has_parts(&self, path: PathId) -> bool {
        self.node(path).has_parts
    }

    pub fn parent(&self, path: PathId) -> Option<PathId> {
        match &self.node(path).place {
            Place::Root(_) => None,
            Place::Child(parent, _) => Some(*parent),
        }
    }

    pub fn step(&self, path: PathId) -> Option<&Step> {
        match &self.node(path).place {
            Place::Root(_) => None,
            Place::Child(_, step) => Some(step),
        }
    }

    /// The path itself, then its parents up to the root.
    pub fn ancestry(&self, path: PathId) -> impl Iterator<Item = PathId> {
        std::iter::successors(Some(path), |&at| self.parent(at))
    }

    pub fn root_of(&self, path: PathId) -> &Root {
        match &self.node(self.node(path).root).place {
            Place::Root(root) => root,
            Place::Child(..) => unreachable!("a root has no parent"),
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
        let (deep, high) = (self.node(inner), self.node(outer));
        deep.root == high.root && deep.length >= high.length && self.ancestry(inner).any(|at| at == outer)
    }

    /// How many steps lead to it.
    pub fn length(&self, path: PathId) -> usize {
        self.node(path).length as usize
    }

    /// A change of one may be seen at the other.
    pub fn overlap(&self, one: PathId, other: PathId) -> bool {
        self.is_within(one, other) || self.is_within(other, one)
    }

    /// The path overlaps with one of these. Parts come after what they are part of.
    pub fn overlaps_one_of(&self, some: &Set<PathId>, path: PathId) -> bool {
        if some.is_empty() {
            return false;
        }
        let of_one = self.ancestry(path).any(|at| some.contains(&at));
        let later = &some[some.partition_point(|&one| one < path)..];
        of_one || (self.has_parts(path) && later.iter().any(|&inner| self.is_within(inner, path)))
    }

    /// Others may have a pointer to it, too: some pointer on the way is shared. Where the way starts at a `&mut`, what
    /// that leads to is nobody else's.
    pub fn is_behind_shared_pointer(&self, path: PathId, is_exclusive: impl Fn(Local) -> bool) -> bool {
        let mut pointers = self.steps(path).into_iter().filter_map(|step| match step {
            Step::Pointee { shared } => Some(*shared),
            Step::Field(_) | Step::Element | Step::At(_) | Step::Chosen { .. } | Step::Data => None,
        });
        let exclusive = self.root_local(path).is_some_and(is_exclusive);
        (pointers.next() == Some(true) && !exclusive) || pointers.any(|shared| shared)
    }

    /// The lock whose data the path lies in: the innermost one.
    pub fn lock_above(&self, path: PathId) -> Option<PathId> {
        self.node(path).lock
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

    /// It is in an `Arc` of its own, or behind a reference: more than one object can lead to it.
    pub fn is_handed_round(&self, path: PathId) -> bool {
        matches!(self.step(path), Some(Step::Pointee { shared: true }))
    }

    /// The same number is the same place: no unknown element is on the way, and nothing was cut off at its end.
    pub fn is_one_place(&self, path: PathId) -> bool {
        let node = self.node(path);
        !node.ambiguous && node.length < LONGEST
    }

    /// All of one element of a container.
    pub fn is_entry(&self, path: PathId) -> bool {
        self.step(path) == Some(&Step::Element)
    }

    /// Goes through some element: two paths of the same number may be two places.
    pub fn is_ambiguous(&self, path: PathId) -> bool {
        self.node(path).ambiguous
    }

    /// Follows the steps of a place as far as they do not lead through a pointer.
    ///
    /// What is in an `Option` is where the `Option` is: people come to it by patterns and by `as_ref`, and mean the same.
    pub fn descend(&mut self, from: PathId, step: &PlaceStep) -> PathId {
        match step {
            PlaceStep::Deref { shared } => self.child(from, &Step::Pointee { shared: *shared }),
            PlaceStep::Field(field) if field.is_content() => from,
            PlaceStep::Field(field) => self.child(from, &Step::Field(field.clone())),
            PlaceStep::Index(_) | PlaceStep::Element => self.child(from, &Step::Element),
        }
    }

    /// The same way below another start: `from.a.b` moved from `from` to `to` is `to.a.b`.
    pub fn rebase(&mut self, path: PathId, from: PathId, to: PathId) -> PathId {
        let below: Vec<Step> =
            self.ancestry(path).take_while(|&at| at != from).filter_map(|at| self.step(at).cloned()).collect();
        below.into_iter().rev().fold(to, |at, step| self.child(at, &step))
    }
}

/// The place's variable, when the place is all of it.
pub fn whole_local(place: &events::Place) -> Option<Local> {
    place.steps.is_empty().then_some(place.local)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(index: u32) -> Step {
        Step::Field(Field::numbered(index))
    }

    #[test]
    fn equal_ways_have_equal_numbers() {
        let mut paths = Paths::default();
        let root = paths.local(1);
        let one = paths.child(root, &field(0));
        assert_eq!(one, paths.child(root, &field(0)));
        assert_ne!(one, paths.child(root, &field(1)));
    }

    #[test]
    fn overlap_is_symmetric_and_needs_a_common_line() {
        let mut paths = Paths::default();
        let root = paths.local(1);
        let (left, right) = (paths.child(root, &field(0)), paths.child(root, &field(1)));
        let deep = paths.child(left, &field(2));
        assert!(paths.overlap(deep, left) && paths.overlap(left, deep));
        assert!(!paths.overlap(deep, right));
    }

    #[test]
    fn the_innermost_lock_counts() {
        let mut paths = Paths::default();
        let outer = paths.local(1);
        let data = paths.child(outer, &Step::Data);
        let inner = paths.child(data, &field(0));
        let below = paths.child(inner, &Step::Data);
        assert_eq!(paths.lock_above(below), Some(inner));
        assert_eq!(paths.lock_above(inner), Some(outer));
        assert_eq!(paths.lock_above(outer), None);
    }

    #[test]
    fn paths_end() {
        let mut paths = Paths::default();
        let mut at = paths.local(1);
        for _ in 0..1000 {
            at = paths.child(at, &field(0));
        }
        assert!(paths.steps(at).len() <= LONGEST as usize);
    }

    #[test]
    fn rebase_keeps_the_way_below() {
        let mut paths = Paths::default();
        let (from, to) = (paths.local(1), paths.local(2));
        let below = paths.child(from, &field(3));
        let moved = paths.rebase(below, from, to);
        assert_eq!(moved, paths.child(to, &field(3)));
        assert_eq!(paths.rebase(from, from, to), to);
    }
}
