//! Lipton's movers: whether a step can be moved earlier or later past the steps of other threads without a difference.
//!
//! A function is atomic if its steps are right movers, then at most one step that is neither, then left movers: all of them
//! can be moved to that one step, as if nobody else had run meanwhile. The algebra is that of Flanagan and Qadeer.

use serde::{Deserialize, Serialize};

/// What a step, or a row of steps, can be moved past. The order is not that of the lattice: `Right` and `Left` have only
/// `Atomic` above both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mover {
    /// Both ways: an access under its lock, or to what nobody else sees.
    #[default]
    Both,
    /// Later: a lock is taken.
    Right,
    /// Earlier: a lock is let go.
    Left,
    /// Not at all, but it is one step.
    Atomic,
    /// Others can come in between.
    Compound,
}

impl Mover {
    /// This, and then that.
    pub fn then(self, next: Mover) -> Mover {
        use Mover::{Atomic, Both, Compound, Left, Right};
        match (self, next) {
            (Compound, _) | (_, Compound) => Compound,
            (Both, other) | (other, Both) => other,
            (Right, Right) => Right,
            (Left, Left) => Left,
            (Right, Left | Atomic) | (Atomic, Left) => Atomic,
            (Left, Right | Atomic) | (Atomic, Right | Atomic) => Compound,
        }
    }

    /// The one or the other: the least that says as much as both.
    pub fn or(self, other: Mover) -> Mover {
        use Mover::{Atomic, Both, Left, Right};
        match (self, other) {
            (one, same) if one == same => one,
            (Both, other) | (other, Both) => other,
            (Right, Left) | (Left, Right) => Atomic,
            (one, other) => one.max(other),
        }
    }
}

/// What a row of steps is by itself, and what it is for a caller that holds the locks it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moves {
    pub alone: Mover,
    pub within: Mover,
    /// Whether what it uses is used under the locks that are said to guard it. If not, it is wrong, whatever else it is.
    pub guarding: Guarding,
}

/// Whether the locks are held that the code says are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guarding {
    #[default]
    Held,
    /// If the caller holds them.
    LeftToCaller,
    Missing,
}

impl Moves {
    pub fn or(self, other: Moves) -> Moves {
        Moves {
            alone: self.alone.or(other.alone),
            within: self.within.or(other.within),
            guarding: self.guarding.max(other.guarding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mover::{self, Atomic, Both, Compound, Left, Right};

    const ALL: [Mover; 5] = [Both, Right, Left, Atomic, Compound];

    /// The table of the paper, row by row.
    #[test]
    fn composition() {
        let table = [
            [Both, Right, Left, Atomic, Compound],
            [Right, Right, Atomic, Atomic, Compound],
            [Left, Compound, Left, Compound, Compound],
            [Atomic, Compound, Atomic, Compound, Compound],
            [Compound, Compound, Compound, Compound, Compound],
        ];
        for (first, row) in ALL.into_iter().zip(table) {
            for (second, expected) in ALL.into_iter().zip(row) {
                assert_eq!(first.then(second), expected, "{first:?}; {second:?}");
            }
        }
    }

    fn leads_to(lower: Mover, higher: Mover) -> bool {
        lower.or(higher) == higher
    }

    #[test]
    fn a_lattice() {
        for one in ALL {
            assert_eq!(one.or(one), one);
            for other in ALL {
                assert_eq!(one.or(other), other.or(one));
                for third in ALL {
                    assert_eq!(one.or(other).or(third), one.or(other.or(third)));
                }
            }
        }
    }

    #[test]
    fn composition_is_associative_and_monotone() {
        for one in ALL {
            for other in ALL {
                for third in ALL {
                    assert_eq!(one.then(other).then(third), one.then(other.then(third)));
                    if leads_to(one, other) {
                        assert!(leads_to(one.then(third), other.then(third)));
                        assert!(leads_to(third.then(one), third.then(other)));
                    }
                }
            }
        }
    }

    /// A loop is walked until nothing changes, and comes to the closure of the table.
    #[test]
    fn loops() {
        for (one, closure) in ALL.into_iter().zip([Both, Right, Left, Compound, Compound]) {
            let mut times = Both;
            for _ in 0..4 {
                times = times.or(times.then(one));
            }
            assert_eq!(times, closure, "{one:?}");
        }
    }
}
