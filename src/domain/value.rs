//! What a value may have been computed from: looks under locks, and what the function was given.

use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::domain::set::Set;

/// Joined by union, both parts. Bounded: what goes beyond the bounds is left out, so a value never claims too much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Looks under locks that this body (or one it calls) took.
    pub looks: Set<Origin>,
    /// Paths that start at a parameter or a static, read as the caller left them.
    pub inputs: Set<Input>,
}

/// Something of the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    pub path: PathId,
    /// A change of it gave the value: it was taken out, or handed out by the change.
    pub taken: bool,
    /// Nothing was copied: a variable was set one way or the other, depending on what was seen.
    pub implicit: bool,
    /// The function had changed it before it looked.
    pub after_change: bool,
    /// On the way of this look a flag was tested and set that keeps others out.
    pub alone: bool,
}

impl Input {
    pub fn read(path: PathId) -> Input {
        Input { path, taken: false, implicit: false, after_change: false, alone: false }
    }
}

/// More looks, or more inputs, in one value than this tell no more.
const MOST: usize = 24;

impl Value {
    pub fn look(origin: Origin) -> Value {
        Value { looks: Set::one(origin), inputs: Set::default() }
    }

    pub fn add(&mut self, other: &Value) {
        self.looks.add_up_to(MOST, &other.looks);
        self.inputs.add_up_to(MOST, &other.inputs);
    }

    pub fn is_empty(&self) -> bool {
        self.looks.is_empty() && self.inputs.is_empty()
    }

    /// Nothing of the other would be new.
    pub fn covers(&self, other: &Value) -> bool {
        let looks = self.looks.len() >= MOST || other.looks.is_subset(&self.looks);
        looks && (self.inputs.len() >= MOST || other.inputs.is_subset(&self.inputs))
    }

    pub fn union<'a>(values: impl IntoIterator<Item = &'a Value>) -> Value {
        let mut all = Value::default();
        for value in values {
            all.add(value);
        }
        all
    }

    /// What a change of something gave: it is this thread's own. What was old before stays a copy.
    pub fn taken(self) -> Value {
        Value {
            looks: self.looks.map(Origin::taken_if_fresh),
            inputs: self.inputs.map(|input| Input { taken: true, ..input }),
        }
    }

    /// Seen after a change of it.
    pub fn after_change(self) -> Value {
        let looks = self.looks.map(|look| Origin { after_change: true, ..look });
        Value { looks, inputs: self.inputs.map(|input| Input { after_change: true, ..input }) }
    }

    /// A variable that tells of it.
    pub fn implicit(self) -> Value {
        let looks = self.looks.map(|look| Origin { implicit: true, ..look });
        Value { looks, inputs: self.inputs.map(|input| Input { implicit: true, ..input }) }
    }

    /// The same value with each look changed.
    pub fn map_looks(self, change: impl Fn(Origin) -> Origin) -> Value {
        Value { looks: self.looks.map(change), inputs: self.inputs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::path::Paths;

    fn input(path: PathId) -> Value {
        Value { looks: Set::default(), inputs: Set::one(Input::read(path)) }
    }

    #[test]
    fn union_is_idempotent_and_commutative() {
        let mut paths = Paths::default();
        let (one, other) = (input(paths.local(1)), input(paths.local(2)));
        let both = Value::union([&one, &other]);
        assert_eq!(both, Value::union([&other, &one]));
        assert_eq!(both, Value::union([&both, &one]));
        assert_eq!(both.inputs.len(), 2);
    }

    #[test]
    fn values_are_bounded() {
        let mut paths = Paths::default();
        let many: Vec<Value> = (0..1000).map(|local| input(paths.local(local))).collect();
        assert_eq!(Value::union(&many).inputs.len(), MOST);
    }
}
