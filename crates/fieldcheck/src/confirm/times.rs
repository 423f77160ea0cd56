//! What a witness costs once everything else is built: it is run, and for that the crate is built again with it. The first
//! is known of every witness. The second is measured once for a version, by a command that has nothing else to do, and is
//! taken for all its witnesses: all of that command counts, with the check, the copy and the look at what is built already.

use super::Records;
use crate::bench::median;
use crate::table::share;

/// What a witness may cost, in seconds: half of them are to stay below.
pub const LIMIT: f64 = 20.0;

/// In seconds.
#[derive(Debug, Default, PartialEq)]
pub struct Times {
    /// One for each witness that ran.
    runs: Vec<f64>,
    /// One for each version.
    builds: Vec<f64>,
    /// One for each witness of these.
    costs: Vec<f64>,
}

impl Times {
    pub fn of(records: &Records) -> Times {
        let mut times = Times::default();
        for record in records.values().flatten() {
            let runs: Vec<_> = record.tried.values().filter_map(|tried| tried.seconds).collect();
            if let Some(again) = record.again {
                times.builds.push(again.build);
                times.costs.extend(runs.iter().map(|run| run + again.around));
            }
            times.runs.extend(runs);
        }
        times
    }

    pub fn text(&self, cores: usize) -> String {
        if self.costs.is_empty() {
            return "No witness was run and measured.\n".to_owned();
        }
        let below = self.costs.iter().filter(|cost| **cost < LIMIT).count();
        let verdict = if median(&self.costs) < LIMIT { "below" } else { "above" };
        format!(
            "After the first build, on {cores} cores: a witness costs {:.1} seconds (median of {}), which is {verdict} the limit of \
             {LIMIT:.0}; {} stay below it.\nRunning it takes {:.1} of them (median of {}), building its crate again {:.1} \
             (median of {} versions).\n",
            median(&self.costs),
            self.costs.len(),
            share(below, self.costs.len()),
            median(&self.runs),
            self.runs.len(),
            median(&self.builds),
            self.builds.len(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Again, Record, Status, Tried};
    use super::*;
    use crate::lab::{Subject, Trouble};

    fn record(seconds: &[Option<f64>], again: Option<Again>) -> Record {
        let tried = |seconds: &Option<f64>| Tried { status: Status::Confirmed, said: String::new(), seconds: *seconds };
        let tried = (0..).zip(seconds).map(|(at, seconds): (u32, _)| (at.to_string(), tried(seconds))).collect();
        Record { tried, again }
    }

    #[test]
    fn what_is_around_a_witness_counts() {
        let subject = |name: &str| Subject::new(name, "1.0.0", "");
        let records = [
            (subject("a"), Ok(record(&[Some(2.0), Some(18.0), None], Some(Again { build: 3.0, around: 5.0 })))),
            (subject("b"), Ok(record(&[Some(1.0)], None))),
            (subject("c"), Err(Trouble::new("crashed", ""))),
        ];
        let times = Times::of(&records.into());
        let expected = Times { runs: vec![2.0, 18.0, 1.0], builds: vec![3.0], costs: vec![7.0, 23.0] };
        assert_eq!(times, expected);
        let text = times.text(2);
        assert!(
            text.starts_with(
                "After the first build, on 2 cores: a witness costs 15.0 seconds (median of 2), which is below the"
            ),
            "{text}"
        );
        assert!(
            text.contains("limit of 20; 1 of 2 (50%) stay below it.\nRunning it takes 2.0 of them (median of 3)"),
            "{text}"
        );
    }

    #[test]
    fn too_much_is_said_to_be_too_much() {
        let slow = record(&[Some(18.0)], Some(Again { build: 3.0, around: 5.0 }));
        let times = Times::of(&[(Subject::new("a", "1.0.0", ""), Ok(slow))].into());
        assert!(times.text(2).contains("which is above the limit"));
        assert_eq!(Times::default().text(2), "No witness was run and measured.\n");
    }
}
