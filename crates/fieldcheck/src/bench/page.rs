//! The numbers for the documentation: what was measured, what is aimed at, and what falls short of it.

use super::figures::{Figures, Row};
use super::settings::Settings;
use super::side::Side;
use super::situation::Situation;
use finding::timings::Phase;
use std::fmt::Write as _;

/// How many times the CPU time of `cargo check` is aimed at: from nothing, and after a change.
const COLD: f64 = 1.05;
const WARM: f64 = 1.10;
/// The same for memory.
const MEMORY: f64 = 1.10;

pub fn section(settings: &Settings, measured: &[Figures<'_>]) -> String {
    let mut text = String::new();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let _ = writeln!(
        text,
        "Medians of {} runs that took turns, on {} and {processors} processors. Behind each number stands how many times that of \
         `cargo check` it is.\n",
        settings.runs, settings.channel
    );
    for figures in measured {
        let words: Vec<_> = [figures.subject.title()].into_iter().chain(figures.subject.args.clone()).collect();
        let _ = writeln!(text, "**{}**\n\n{}", words.join(" "), table(settings, &figures.rows));
    }
    let _ = writeln!(text, "The analysis itself, in CPU milliseconds:\n\n{}", phases(measured));
    let missed = missed(measured);
    let aims = format!("at most {COLD} cold and {WARM} warm in CPU time, {MEMORY} in memory, and less than clippy");
    let _ = match missed.is_empty() {
        true => writeln!(text, "Every aim is met: {aims}."),
        false => writeln!(text, "Aimed at: {aims}. Missed:\n\n{}", missed.join("\n")),
    };
    text
}

fn table(settings: &Settings, rows: &[Row]) -> String {
    let titles: Vec<&str> = settings.sides.iter().map(|side| side.title()).collect();
    let names = |what: &str| titles.iter().map(|title| format!(" `{title}`, {what} |")).collect::<String>();
    let mut text = format!("| |{}{}\n|---|", names("CPU s"), names("peak MB"));
    text.push_str(&"---:|".repeat(2 * titles.len()));
    text.push('\n');
    for situation in Situation::ALL {
        let own: Vec<&Row> = rows.iter().filter(|row| row.situation == situation).collect();
        let times = |side: Side, ratio: Option<f64>| match ratio {
            Some(ratio) if side != Side::Plain => format!(" ({ratio:.2})"),
            _ => String::new(),
        };
        let cpu =
            own.iter().map(|row| format!(" {:.2}{} |", row.cpu_seconds.median, times(row.side, row.cpu_seconds.ratio)));
        let memory =
            own.iter().map(|row| format!(" {:.0}{} |", row.peak_mb.median, times(row.side, row.peak_mb.ratio)));
        let _ = writeln!(text, "| {} |{}", situation.title(), cpu.chain(memory).collect::<String>());
    }
    text
}

fn phases(measured: &[Figures<'_>]) -> String {
    let names: String = Phase::ALL.iter().map(|phase| format!(" {} |", phase.word())).collect();
    let mut text = format!("| | |{names} all |\n|---|---|{}\n", "---:|".repeat(Phase::ALL.len() + 1));
    for figures in measured {
        for of in &figures.phases {
            let all: f64 = of.cpu_seconds.values().sum();
            let cells = of.cpu_seconds.values().chain([&all]).map(|seconds| format!(" {:.0} |", seconds * 1000.0));
            let _ = writeln!(
                text,
                "| {} | {} |{}",
                figures.subject.title(),
                of.situation.word(),
                cells.collect::<String>()
            );
        }
    }
    text
}

/// One line for each ratio that is not what it should be.
fn missed(measured: &[Figures<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for figures in measured {
        let tool = figures.rows.iter().filter(|row| row.side == Side::Stalemate);
        for row in tool {
            let place = format!("{}, {}", figures.subject.title(), row.situation.word());
            let most = if matches!(row.situation, Situation::All | Situation::Crate) { COLD } else { WARM };
            let mut tell = |what: &str, ratio: Option<f64>, most: f64| {
                // As it is shown.
                let ratio = ratio.map(|ratio| (ratio * 100.0).round() / 100.0).filter(|ratio| *ratio > most);
                lines.extend(ratio.map(|ratio| format!("- {place}: {ratio:.2} times the {what}, {most:.2} aimed at")));
            };
            tell("CPU time", row.cpu_seconds.ratio, most);
            tell("memory", row.peak_mb.ratio, MEMORY);
            let clippy =
                figures.rows.iter().find(|other| other.side == Side::Clippy && other.situation == row.situation);
            if let Some(clippy) = clippy.filter(|clippy| clippy.cpu_seconds.median < row.cpu_seconds.median) {
                let (own, other) = (row.cpu_seconds.median, clippy.cpu_seconds.median);
                lines.push(format!("- {place}: {own:.2} s, and clippy {other:.2} s"));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::figures::Compared;
    use super::*;
    use crate::lab::Subject;

    fn row(situation: Situation, side: Side, seconds: f64) -> Row {
        let compared = |number: f64, plain: f64| Compared::new(vec![number], &[plain]);
        Row { situation, side, cpu_seconds: compared(seconds, 2.0), peak_mb: compared(100.0, 100.0) }
    }

    #[test]
    fn what_is_missed_is_told() {
        let rows = vec![
            row(Situation::All, Side::Stalemate, 2.11),
            row(Situation::Touch, Side::Stalemate, 2.2),
            row(Situation::Edit, Side::Stalemate, 3.0),
            row(Situation::Edit, Side::Clippy, 2.5),
        ];
        let subject = Subject::new("pool", "1.0.0", "");
        let missed = missed(&[Figures { subject: &subject, rows, phases: Vec::new() }]);
        assert_eq!(
            missed,
            [
                "- pool 1.0.0, all: 1.06 times the CPU time, 1.05 aimed at",
                "- pool 1.0.0, edit: 1.50 times the CPU time, 1.10 aimed at",
                "- pool 1.0.0, edit: 3.00 s, and clippy 2.50 s"
            ]
        );
    }
}
