//! By which functions a body can be entered from outside. A private function may rely on what its callers do before, and
//! whoever runs it directly shows nothing; so it is looked for the nearest callers that somebody else may call.

use crate::domain::facts::BodyFacts;
use crate::events::DefinitionId;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// How many are told.
const MOST: usize = 6;

/// Who calls whom, backwards.
pub struct Entrances {
    callers: Vec<BTreeSet<usize>>,
}

impl Entrances {
    pub fn new(bodies: &[BodyFacts]) -> Entrances {
        let places: HashMap<DefinitionId, usize> =
            bodies.iter().enumerate().map(|(at, facts)| (facts.id, at)).collect();
        let mut callers = vec![BTreeSet::new(); bodies.len()];
        for (caller, facts) in bodies.iter().enumerate() {
            for callee in facts.calls.iter().filter_map(|call| places.get(&call.callee)) {
                callers[*callee].insert(caller);
            }
        }
        Entrances { callers }
    }

    /// The body itself if it is open; otherwise the nearest open ones on the ways to it, near before far.
    pub fn of(&self, body: usize, is_open: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::from([body]);
        let mut ahead = VecDeque::from([body]);
        while let Some(next) = ahead.pop_front().filter(|_| found.len() < MOST) {
            if is_open(next) {
                found.push(next);
            } else {
                ahead.extend(self.callers[next].iter().copied().filter(|caller| seen.insert(*caller)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_open_callers_are_found_and_circles_end() {
        // 0 is called by 1 and 2; 1 by 0 and 3; 2 by nobody.
        let callers = [vec![1, 2], vec![0, 3], vec![], vec![]];
        let entrances = Entrances { callers: callers.map(BTreeSet::from_iter).to_vec() };
        assert_eq!(entrances.of(0, |body| body >= 2), [2, 3]);
        assert_eq!(entrances.of(0, |_| true), [0]);
        assert_eq!(entrances.of(0, |_| false), Vec::<usize>::new());
    }
}
