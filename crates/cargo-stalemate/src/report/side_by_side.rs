//! The story of one finding, for `cargo stalemate explain FINGERPRINT`: both threads side by side, in the order of time,
//! with the lines of the source.
//!
//! ```text
//!       thread A                                    | thread B
//!   (1) reads `balance` under the lock              |
//!       src/account.rs:27                           |
//!       let balance = self.state.lock().unwrap()..  |
//!                                                   |
//!   (2)                                             | writes `balance`
//! ```

use super::block::confidence;
use super::source::Sources;
use finding::facts::Recorded;
use finding::{Finding, Step, Thread};
use std::path::Path;

/// For output that is no terminal, and terminals that do not say.
const WIDTH: usize = 110;
const NARROWEST: usize = 40;
/// `  (1) `, and ` | ` between the columns.
const MARGIN: usize = 6;
const RULE: usize = 3;

pub fn side_by_side(root: &Path, recorded: &Recorded) -> String {
    let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(WIDTH);
    render(&mut Sources::new(root), &recorded.finding, width.max(NARROWEST))
}

fn render(sources: &mut Sources, finding: &Finding, width: usize) -> String {
    let column = (width - MARGIN - RULE) / 2;
    let mut text = head(finding, width);
    text += &row("", "thread A", "thread B", column);
    for (number, step) in (1..).zip(&finding.trace) {
        text += &row("", "", "", column);
        for (line, words) in lines_of(sources, step, column).into_iter().enumerate() {
            let label = if line == 0 { format!("({number})") } else { String::new() };
            let (a, b) = if step.thread == Thread::A { (words.as_str(), "") } else { ("", words.as_str()) };
            text += &row(&label, a, b, column);
        }
    }
    text + &foot(finding, width)
}

fn head(finding: &Finding, width: usize) -> String {
    let Finding { lint, fingerprint, message, function, primary, .. } = finding;
    let lock =
        finding.lock.as_ref().map(|lock| format!(", lock `{}` ({})", lock.path, lock.type_name)).unwrap_or_default();
    let level = confidence(finding.confidence);
    let first = format!("{lint} {fingerprint}, {level} confidence ({} of 100)", finding.score);
    let place = format!("{}:{}:{}, in `{function}`{lock}", primary.file, primary.line, primary.column);
    format!("{first}\n{}\n{}\n\n", wrap(message, width).join("\n"), wrap(&place, width).join("\n"))
}

fn foot(finding: &Finding, width: usize) -> String {
    let mut text = "\n".to_owned();
    for reason in &finding.reasons {
        text += &format!("{:+4}  {}\n", reason.points, reason.text);
    }
    if let Some(help) = &finding.help {
        text += &format!("\nhelp: {}\n", wrap(help, width).join("\n"));
    }
    if let Some(suppressed) = &finding.suppressed {
        text += &format!("\naccepted: {}\n", suppressed.reason);
    }
    text + &format!("\n`cargo stalemate explain {}` tells about the lint.\n", finding.lint)
}

/// What happens, where, and the line that does it.
fn lines_of(sources: &mut Sources, step: &Step, column: usize) -> Vec<String> {
    let mut lines = wrap(&step.text, column);
    lines.push(cut(&format!("{}:{}", step.place.file, step.place.line), column));
    let source = sources.get(&step.place.file).and_then(|source| source.lines(step.place.line..step.place.line + 1));
    lines.extend(source.map(|(line, _)| cut(&line.trim().replace('\t', " "), column)));
    lines
}

fn row(label: &str, a: &str, b: &str, column: usize) -> String {
    let space = " ".repeat(column.saturating_sub(a.chars().count()));
    let line = format!("{label:>5} {a}{space} | {b}");
    format!("{}\n", line.trim_end())
}

/// Breaks at spaces. A word that is longer than a line has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(cut(word, width)),
        }
    }
    lines
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(2)).chain("..".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{recorded, step};

    fn story(width: usize) -> String {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.rs"), "fn f() {\n    let balance = read();\n    write(balance);\n}\n")
            .unwrap();
        let mut sample = recorded("a.rs", 3);
        sample.finding.trace = vec![
            step(Thread::A, "a.rs", 2, "reads the balance"),
            step(Thread::B, "gone.rs", 9, "meanwhile thread B may write it, in quite another function"),
            step(Thread::A, "a.rs", 3, "writes"),
        ];
        render(&mut Sources::new(directory.path()), &sample.finding, width)
    }

    #[test]
    fn threads_have_columns_and_time_goes_down() {
        let text = story(70);
        let expected = "      thread A                       | thread B
                                     |
  (1) reads the balance              |
      a.rs:2                         |
      let balance = read();          |
                                     |
  (2)                                | meanwhile thread B may write
                                     | it, in quite another function
                                     | gone.rs:9
                                     |
  (3) writes                         |
      a.rs:3                         |
      write(balance);                |
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [40, 60, 100] {
            let text = story(width);
            let steps = text.lines().filter(|line| line.contains(" |"));
            assert!(steps.clone().count() > 5 && steps.clone().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}
