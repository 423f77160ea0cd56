//! A table for each crate, and the same numbers with every single run for machines.

use super::figures::{Figures, Phases, Row};
use super::limits::Limits;
use super::settings::Settings;
use super::side::Side;
use crate::Report;
use crate::lab::{Subject, Trouble};
use crate::table::{Align, Table};
use crate::words::{section, trouble};
use finding::timings::Phase;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};

pub fn report(settings: &Settings, measured: &[Figures<'_>], over: &[String]) -> Report {
    let mut text = tables(settings, measured);
    section(&mut text, "Above the limit", over);
    Report { text, is_complete: over.is_empty() }
}

/// What was measured before something failed is still worth showing.
pub fn stopped(settings: &Settings, measured: &[Figures<'_>], subject: &Subject, why: &Trouble) -> Report {
    let mut text = tables(settings, measured);
    section(&mut text, "Stopped", &[trouble(subject, why)]);
    Report { text, is_complete: false }
}

fn tables(settings: &Settings, measured: &[Figures<'_>]) -> String {
    let tables = measured.iter().map(|figures| {
        let words: Vec<_> = [figures.subject.title()].into_iter().chain(figures.subject.args.clone()).collect();
        let mut text = String::new();
        let runs = if settings.runs == 1 { "one run".to_owned() } else { format!("median of {}", settings.runs) };
        let _ = write!(text, "{} on {}, {runs}\n\n{}", words.join(" "), settings.channel, table(&figures.rows));
        if !figures.phases.is_empty() {
            let _ = write!(text, "\n{}", phases(&figures.phases));
        }
        text
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn table(rows: &[Row]) -> Table {
    let names = [("situation", Align::Left), ("command", Align::Left)];
    let numbers = ["CPU seconds", "ratio", "of minima", "peak MB", "ratio"].map(|name| (name, Align::Right));
    let mut table = Table::new(&names.into_iter().chain(numbers).collect::<Vec<_>>());
    for row in rows {
        let is_first = row.side == Side::Plain;
        let ratio = |ratio: Option<f64>| match ratio {
            Some(_) if is_first => String::new(),
            Some(ratio) => format!("{ratio:.2}"),
            None => "-".to_owned(),
        };
        table.row(vec![
            if is_first { row.situation.title().to_owned() } else { String::new() },
            row.side.title().to_owned(),
            format!("{:.2}", row.cpu_seconds.median),
            ratio(row.cpu_seconds.ratio),
            ratio(row.cpu_seconds.ratio_of_minima),
            format!("{:.0}", row.peak_mb.median),
            ratio(row.peak_mb.ratio),
        ]);
    }
    table
}

/// CPU milliseconds of the analysis itself.
fn phases(all: &[Phases]) -> Table {
    let names = Phase::ALL.map(|phase| (phase.word(), Align::Right));
    let mut table = Table::new(&[("CPU ms of the analysis", Align::Left)].into_iter().chain(names).collect::<Vec<_>>());
    for Phases { situation, cpu_seconds } in all {
        let milliseconds = cpu_seconds.values().map(|seconds| format!("{:.0}", seconds * 1000.0));
        table.row([situation.word().to_owned()].into_iter().chain(milliseconds).collect());
    }
    table
}

#[derive(Serialize)]
struct Document<'a> {
    toolchain: &'a str,
    runs: u32,
    limits: Limits,
    crates: Vec<Crate<'a>>,
    above_limit: &'a [String],
}

#[derive(Serialize)]
struct Crate<'a> {
    name: &'a str,
    version: &'a str,
    args: &'a [String],
    rows: &'a [Row],
    phases: &'a [Phases],
}

pub fn write(mut file: File, settings: &Settings, measured: &[Figures<'_>], over: &[String]) -> io::Result<()> {
    let crates = measured.iter().map(|figures| {
        let Subject { name, version, args } = figures.subject;
        Crate { name, version, args, rows: &figures.rows, phases: &figures.phases }
    });
    let document = Document {
        toolchain: &settings.channel,
        runs: settings.runs,
        limits: settings.limits,
        crates: crates.collect(),
        above_limit: over,
    };
    serde_json::to_writer_pretty(&mut file, &document)?;
    writeln!(file)
}
