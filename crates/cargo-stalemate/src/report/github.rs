//! Annotations on the lines of a pull request: workflow commands that GitHub's runner finds in the log of a step.
//!
//! A command is one line, so its text is escaped as the runner undoes it. What someone accepted is left out: an annotation
//! cannot say so. GitHub shows ten warnings and ten errors of a step; the log has all of them.

use super::block::confidence;
use super::severity::Severity;
use crate::select::Selection;
use finding::facts::{End, Recorded};
use finding::{Finding, Place};
use std::io::{self, Write};
use std::path::Path;

/// Where the runner has put the repository.
pub const REPOSITORY: &str = "GITHUB_WORKSPACE";

/// `repository` is what [`REPOSITORY`] says: paths in annotations start there, ours at the root of the workspace.
pub fn print(out: &mut impl Write, root: &Path, repository: Option<&Path>, selection: &Selection) -> io::Result<()> {
    let before = below(root, repository);
    selection.open().try_for_each(|recorded| writeln!(out, "{}", command(&before, recorded)))
}

/// `backend/` for a workspace in that directory of the repository.
fn below(root: &Path, repository: Option<&Path>) -> String {
    let inside = repository.and_then(|repository| root.strip_prefix(repository).ok()).unwrap_or(Path::new(""));
    inside.iter().map(|part| format!("{}/", part.to_string_lossy())).collect()
}

fn command(before: &str, recorded: &Recorded) -> String {
    let finding = &recorded.finding;
    let name = match Severity::of(recorded) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let file = property(&format!("{before}{}", finding.primary.file));
    let title = property(&format!("{} ({} confidence)", finding.lint, confidence(finding.confidence)));
    let lines = lines(&finding.primary, recorded.primary_end);
    format!("::{name} file={file},{lines},title={title}::{}", data(&text(before, finding)))
}

/// GitHub knows columns within one line only.
fn lines(place: &Place, end: End) -> String {
    let Place { line, column, .. } = place;
    if end.line == *line && end.column > *column {
        format!("line={line},endLine={line},col={column},endColumn={}", end.column)
    } else {
        format!("line={line},endLine={}", end.line.max(*line))
    }
}

fn text(before: &str, finding: &Finding) -> String {
    let steps = finding.trace.iter().enumerate().map(|(index, step)| {
        let Place { file, line, .. } = &step.place;
        format!("({}) {} ({before}{file}:{line})", index + 1, step.text)
    });
    let help = finding.help.iter().map(|help| format!("help: {help}"));
    [finding.message.clone()].into_iter().chain(steps).chain(help).collect::<Vec<_>>().join("\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{recorded, step};
    use finding::{Confidence, Suppressed, SuppressedBy, Thread};

    fn printed(findings: Vec<Recorded>, root: &str, repository: Option<&str>) -> String {
        let mut out = Vec::new();
        let selection = Selection::new(findings, Confidence::Low);
        print(&mut out, Path::new(root), repository.map(Path::new), &selection).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_finding_is_one_line_with_its_steps_and_help() {
        let mut sample = recorded("src/a.rs", 7);
        sample.finding.trace = vec![step(Thread::A, "src/a.rs", 3, "reads"), step(Thread::B, "src/b.rs", 9, "writes")];
        sample.finding.help = Some("hold one guard".into());
        assert_eq!(
            printed(vec![sample], "/w", None),
            "::warning file=src/a.rs,line=7,endLine=7,col=5,endColumn=9,title=stale_value (high confidence)::\
             the balance may be stale%0A(1) reads (src/a.rs:3)%0A(2) writes (src/b.rs:9)%0Ahelp: hold one guard\n"
        );
    }

    #[test]
    fn what_would_end_a_part_is_escaped() {
        let mut sample = recorded("src/a,b:c%20.rs", 1);
        sample.finding.message = "100%, said: a::b\r\nand more".into();
        let line = printed(vec![sample], "/w", None);
        assert!(line.starts_with("::warning file=src/a%2Cb%3Ac%2520.rs,line=1,"), "{line}");
        assert!(line.ends_with("::100%25, said: a::b%0D%0Aand more\n"), "{line}");
    }

    #[test]
    fn over_several_lines_there_are_no_columns() {
        let mut sample = recorded("src/a.rs", 7);
        sample.primary_end = End { line: 9, column: 2 };
        assert!(printed(vec![sample], "/w", None).contains("line=7,endLine=9,title="));
    }

    #[test]
    fn three_degrees_and_nothing_that_was_accepted() {
        let (mut denied, mut low, mut accepted) = (recorded("a", 1), recorded("b", 1), recorded("c", 1));
        denied.denied = true;
        low.finding.confidence = Confidence::Low;
        accepted.finding.suppressed = Some(Suppressed { by: SuppressedBy::Comment, reason: String::new() });
        let lines = printed(vec![denied, low, accepted], "/w", None);
        let names: Vec<_> = lines.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(names, ["::error", "::notice"]);
    }

    #[test]
    fn paths_start_at_the_repository() {
        let mut sample = recorded("src/a.rs", 7);
        sample.finding.trace = vec![step(Thread::A, "src/a.rs", 3, "reads")];
        let line = printed(vec![sample.clone()], "/r/back/end", Some("/r"));
        assert!(line.contains("file=back/end/src/a.rs,") && line.contains("(back/end/src/a.rs:3)"), "{line}");
        for elsewhere in [None, Some("/other"), Some("/w")] {
            assert!(printed(vec![sample.clone()], "/w", elsewhere).contains("file=src/a.rs,"));
        }
    }
}
