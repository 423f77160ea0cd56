//! Where the time went, as a table: a row for each unit that the driver was run on, and one for all.

use finding::timings::{Counts, Phase, UnitTimings};
use std::time::Duration;

/// `in_cargo` and `all` by the clock, as a person who waits counts them; the phases as the processor does.
pub fn table(units: &[UnitTimings], in_cargo: Duration, all: Duration) -> String {
    let mut rows = vec![head()];
    rows.extend(units.iter().map(|unit| row(&name(unit), unit)));
    if units.len() > 1 {
        rows.push(row("all", &sum(units)));
    }
    let mut text = String::from(
        "stalemate: CPU milliseconds of the analysis, beside the compiler's own, and what was done in them\n",
    );
    if units.is_empty() {
        text = String::from("stalemate: everything was fresh, and nothing was looked at\n");
    } else {
        text.push_str(&aligned(&rows));
    }
    let front_end = all.saturating_sub(in_cargo);
    text.push_str(&format!(
        "stalemate: {:.1} s in all, of which cargo and the compiler took {:.1} s and the front-end {:.0} ms\n",
        all.as_secs_f64(),
        in_cargo.as_secs_f64(),
        front_end.as_secs_f64() * 1000.0
    ));
    text
}

fn name(unit: &UnitTimings) -> String {
    let test = if unit.test { " (test)" } else { "" };
    let kept = if unit.kept { ", as it was" } else { "" };
    format!("{}{test}{kept}", unit.crate_name)
}

fn head() -> Vec<String> {
    let phases = Phase::ALL.iter().map(|phase| phase.word());
    ["crate"]
        .into_iter()
        .chain(phases)
        .chain(["sum", "read", "walked", "steps", "carried"])
        .map(str::to_owned)
        .collect()
}

fn row(name: &str, unit: &UnitTimings) -> Vec<String> {
    let milliseconds = |nanoseconds: u64| format!("{:.1}", nanoseconds as f64 / 1e6);
    let phases = Phase::ALL.iter().map(|phase| unit.nanoseconds.get(phase).copied().unwrap_or_default());
    let times = phases.chain([unit.total()]).map(milliseconds);
    let Counts { reads, walks, steps, carried } = unit.counts;
    let counts = [reads, walks, steps, carried].map(|count| count.to_string());
    [name.to_owned()].into_iter().chain(times).chain(counts).collect()
}

fn sum(units: &[UnitTimings]) -> UnitTimings {
    let mut all = UnitTimings::default();
    for unit in units {
        unit.nanoseconds.iter().for_each(|(phase, time)| *all.nanoseconds.entry(*phase).or_default() += time);
        all.counts.reads += unit.counts.reads;
        all.counts.walks += unit.counts.walks;
        all.counts.steps += unit.counts.steps;
        all.counts.carried += unit.counts.carried;
    }
    all
}

/// The first column to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(at, cell)| match (at, width(at)) {
            (0, width) => format!("  {cell:<width$}"),
            (_, width) => format!("{cell:>width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  "))
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, walking: u64) -> UnitTimings {
        UnitTimings {
            crate_name: name.to_owned(),
            nanoseconds: [(Phase::Walking, walking), (Phase::Emit, 500_000)].into(),
            counts: Counts { reads: 2, walks: 1, steps: 30, carried: 4 },
            ..UnitTimings::default()
        }
    }

    #[test]
    fn every_unit_has_its_row_and_the_last_one_is_for_all() {
        let kept = UnitTimings { kept: true, test: true, ..unit("pool", 0) };
        let text = table(&[unit("bank", 2_000_000), kept], Duration::from_millis(1500), Duration::from_millis(1540));
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1][..3], ["crate", "choosing", "reading"]);
        assert_eq!(rows[2], ["bank", "0.0", "0.0", "2.0", "0.0", "0.5", "2.5", "2", "1", "30", "4"]);
        assert_eq!(rows[3][..4], ["pool", "(test),", "as", "it"]);
        assert_eq!(rows[4], ["all", "0.0", "0.0", "2.0", "0.0", "1.0", "3.0", "4", "2", "60", "8"]);
        assert!(
            text.ends_with("1.5 s in all, of which cargo and the compiler took 1.5 s and the front-end 40 ms\n"),
            "{text}"
        );
    }

    #[test]
    fn what_is_fresh_has_nothing_to_tell() {
        let text = table(&[], Duration::ZERO, Duration::from_millis(20));
        assert!(text.starts_with("stalemate: everything was fresh"), "{text}");
    }
}
