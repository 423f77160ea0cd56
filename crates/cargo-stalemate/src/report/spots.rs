//! From the steps of a trace to the spots of a snippet: steps at one place share a spot, and each step keeps its number,
//! so that a reader can follow the time order over files and threads.

use finding::facts::{End, Recorded};
use finding::{Place, Step, Thread};

/// A place to point at, with what happens there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub place: Place,
    pub end: Option<End>,
    /// The number of each step and its text. Empty where the place alone is meant.
    pub steps: Vec<(usize, String)>,
    pub primary: bool,
}

impl Spot {
    /// `(1) ..; (2) ..`
    pub fn label(&self) -> String {
        let labels: Vec<_> = self.steps.iter().map(|(number, text)| format!("({number}) {text}")).collect();
        labels.join("; ")
    }

    /// When it is first passed.
    pub fn time(&self) -> usize {
        self.steps.first().map_or(0, |(number, _)| *number)
    }
}

/// All spots of a finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Spots {
    pub primary: Spot,
    /// Where else thread A passes, in time order.
    pub others: Vec<Spot>,
    /// Where thread B passes and A does not.
    pub meanwhile: Vec<Spot>,
}

impl Spots {
    pub fn new(recorded: &Recorded) -> Spots {
        let finding = &recorded.finding;
        let is_ours = |place: &Place| {
            *place == finding.primary
                || finding.trace.iter().any(|step| step.thread == Thread::A && step.place == *place)
        };
        let (place, end) = (finding.primary.clone(), Some(recorded.primary_end));
        let primary = Spot { place, end, steps: vec![], primary: true };
        let (mut ours, mut meanwhile) = (vec![primary], vec![]);
        for (index, step) in finding.trace.iter().enumerate() {
            let spots = if is_ours(&step.place) { &mut ours } else { &mut meanwhile };
            add(spots, index, step, recorded.step_ends.get(index).copied());
        }
        Spots { primary: ours.remove(0), others: ours, meanwhile }
    }
}

fn add(spots: &mut Vec<Spot>, index: usize, step: &Step, end: Option<End>) {
    let numbered = (index + 1, step.text.clone());
    match spots.iter_mut().find(|spot| spot.place == step.place) {
        Some(spot) => spot.steps.push(numbered),
        None => spots.push(Spot { place: step.place.clone(), end, steps: vec![numbered], primary: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{recorded, step};

    #[test]
    fn steps_at_one_place_share_a_spot() {
        let mut sample = recorded("a.rs", 5);
        sample.finding.trace = vec![
            step(Thread::A, "a.rs", 3, "takes the lock"),
            step(Thread::A, "a.rs", 3, "reads"),
            step(Thread::B, "a.rs", 5, "writes first"),
            step(Thread::B, "b.rs", 9, "writes"),
            step(Thread::A, "a.rs", 5, "writes"),
        ];
        let spots = Spots::new(&sample);
        assert_eq!(spots.primary.label(), "(3) writes first; (5) writes");
        assert_eq!(spots.others.iter().map(Spot::label).collect::<Vec<_>>(), ["(1) takes the lock; (2) reads"]);
        assert_eq!(spots.meanwhile.iter().map(Spot::label).collect::<Vec<_>>(), ["(4) writes"]);
    }

    #[test]
    fn primary_place_needs_no_step() {
        let mut sample = recorded("a.rs", 5);
        sample.finding.trace.clear();
        let spots = Spots::new(&sample);
        assert_eq!((spots.primary.label().as_str(), spots.others.len()), ("", 0));
    }
}
