//! The report on standard output: a block of text per finding for people, one JSON document for tools, or what
//! other programs read. A line of summary goes to standard error in all cases. Nothing is sorted or chosen here.

mod block;
mod cargo;
mod confirmed;
mod github;
pub mod html;
#[cfg(test)]
pub mod samples;
mod sarif;
mod severity;
mod side_by_side;
mod source;
mod spots;
mod summary;
mod timings;

use crate::args::{Format, ListFormat};
use crate::errors::{Exit, Failure};
use crate::facts::Checked;
use crate::guarding::Guarding;
use crate::project::Project;
use crate::select::Selection;
use crate::toolchain::TOOLCHAIN;
use crate::{VERSION, colour};
use annotate_snippets::Renderer;
use finding::document::SCHEMA;
use finding::facts::UnitFacts;
use finding::guards::PairStages;
use finding::map::LockMap;
use finding::timings::UnitTimings;
use finding::{Document, RunInfo, Tool};
use source::Sources;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use side_by_side::side_by_side;

pub fn print(
    format: Format,
    project: &Project,
    units: &[Checked],
    run: &RunInfo,
    selection: &Selection,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let root = &project.root;
    let written = match format {
        Format::Json => json(&mut out, run, selection),
        Format::Text => text(&mut out, root, selection),
        // Its pages are files.
        Format::Html => Ok(()),
        Format::Sarif => sarif::print(&mut out, run, selection),
        Format::Github => github::print(&mut out, root, repository().as_deref(), selection),
        Format::Cargo => cargo::print(&mut out, project, units, selection),
    };
    unless_closed(written.and_then(|()| out.flush()))?;
    let _ = writeln!(io::stderr(), "stalemate: {}", summary::summary(run, selection));
    Ok(())
}

/// What runs have shown; as text one block per finding.
pub fn print_confirmed(format: ListFormat, run: &RunInfo, selection: &Selection) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    let written = match format {
        ListFormat::Json => json(&mut out, run, selection),
        ListFormat::Text => selection.shown.iter().try_for_each(|one| confirmed::block(&mut out, &one.finding)),
    };
    unless_closed(written.and_then(|()| out.flush()))?;
    let _ = writeln!(io::stderr(), "stalemate: {}", confirmed::summary(selection));
    Ok(if confirmed::any(selection) { Exit::Findings } else { Exit::Clean })
}

/// The report as files for a browser.
pub fn write_pages(
    output: &html::Output,
    root: &Path,
    units: &[Checked],
    run: &RunInfo,
    selection: &Selection,
) -> io::Result<()> {
    let mut map = LockMap::default();
    units.iter().for_each(|(_, facts)| map.add(&facts.map));
    let guards = Guarding::all(units).into_locations();
    let summary = summary::summary(run, selection);
    let input = html::Input { root, run, summary: &summary, findings: &selection.shown, guards: &guards, map: &map };
    let first = html::write(output, &input)?;
    let _ = writeln!(io::stderr(), "stalemate: the report is in {}", first.display());
    Ok(())
}

/// The messages of cargo have an end if the project does not compile, too. After any other failure there must be none: an
/// editor would take it for a check that took place, and would not show what failed.
pub fn print_failure(format: Format, failure: &Failure) {
    if format == Format::Cargo && matches!(failure, Failure::DoesNotCompile) {
        let _ = cargo::finish(&mut io::stdout(), false);
    }
}

/// Where the runner of GitHub has put the repository, if it runs this.
fn repository() -> Option<PathBuf> {
    std::env::var_os(github::REPOSITORY).map(PathBuf::from)
}

/// How many pairs of uses each stage has left. A library that is compiled again with its tests counts once.
pub fn print_stats(units: &[Checked]) {
    let counts = |facts: &UnitFacts| !facts.test || !units.iter().any(|(_, other)| is_plain_twin(other, facts));
    let mut all = PairStages::default();
    units.iter().filter(|(_, facts)| counts(facts)).for_each(|(_, facts)| all.add(facts.pairs));
    let PairStages { original, reachable, aliasing, escaping, unlocked, steps } = all;
    let _ = writeln!(
        io::stderr(),
        "stalemate: pairs of uses: {original} original, {reachable} reachable, {aliasing} aliasing, {escaping} escaping, \
         {unlocked} unlocked; counted in {steps} steps"
    );
}

/// On standard error: the report itself is the same however long it took.
pub fn print_timings(units: &[UnitTimings], in_cargo: Duration, all: Duration) {
    let _ = write!(io::stderr(), "{}", timings::table(units, in_cargo, all));
}

fn is_plain_twin(other: &UnitFacts, of: &UnitFacts) -> bool {
    !other.test && (&other.package, &other.crate_name) == (&of.package, &of.crate_name)
}

fn json(out: &mut impl Write, run: &RunInfo, selection: &Selection) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(run, selection))?;
    writeln!(out)
}

fn document(run: &RunInfo, selection: &Selection) -> Document {
    Document {
        schema: SCHEMA,
        tool: Tool { name: "stalemate".to_owned(), version: VERSION.to_owned(), toolchain: TOOLCHAIN.to_owned() },
        run: run.clone(),
        findings: selection.shown.iter().map(|recorded| recorded.finding.clone()).collect(),
    }
}

fn text(out: &mut impl Write, root: &Path, selection: &Selection) -> io::Result<()> {
    let renderer = if colour::wanted(&io::stdout()) { Renderer::styled() } else { Renderer::plain() };
    let mut sources = Sources::new(root);
    for recorded in selection.open() {
        writeln!(out, "{}\n", block::render(&renderer, &mut sources, recorded))?;
    }
    Ok(())
}

/// A reader that has seen enough, such as `head`, is no failure.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::Confidence;

    #[test]
    fn json_is_one_document_and_a_newline() {
        let selection = Selection::new(vec![samples::recorded("src/a.rs", 3)], |_| Confidence::Low);
        let mut bytes = Vec::new();
        json(&mut bytes, &RunInfo::default(), &selection).unwrap();
        let read: Document = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(read.findings[0].primary.line, 3);
        assert_eq!(read.tool.toolchain, TOOLCHAIN);
        assert!(bytes.ends_with(b"}\n"));
    }

    #[test]
    fn closed_pipe_is_no_failure() {
        assert!(unless_closed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(unless_closed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
