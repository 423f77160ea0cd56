//! Every finding that a golden file expects carries a mark in the source. ui_test asks only that marks are met; a finding
//! without one would be accepted with the golden file, and nobody would have said that it is right.

use crate::source::File;

pub fn check(files: &[File]) -> Vec<String> {
    let goldens = files.iter().filter(|file| file.path.starts_with("ui/") && file.path.ends_with(".stderr"));
    goldens.flat_map(|golden| unmarked(golden, files)).collect()
}

fn unmarked(golden: &File, files: &[File]) -> Vec<String> {
    let path = golden.path.replace(".stderr", ".rs");
    let Some(source) = files.iter().find(|file| file.path == path) else {
        return vec![format!("{}:1: there is no source to it", golden.path)];
    };
    let lines: Vec<&str> = source.text.lines().collect();
    let without = primaries(&golden.text).into_iter().filter(|&line| !is_marked(&lines, line));
    without.map(|line| format!("{path}:{line}: reported, but there is no `//~` mark")).collect()
}

/// The lines that findings are at, counted from 1: the first place after each `error:` or `warning:`.
fn primaries(golden: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = false;
    for line in golden.lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            open = true;
        } else if let Some(place) = line.trim_start().strip_prefix("--> ").filter(|_| open) {
            found.extend(place.split(':').nth(1).and_then(|line| line.parse::<usize>().ok()));
            open = false;
        }
    }
    found
}

/// On the line, or on the one before or after with an arrow to it.
fn is_marked(lines: &[&str], line: usize) -> bool {
    let has = |number: usize, mark: &str| number >= 1 && lines.get(number - 1).is_some_and(|text| text.contains(mark));
    has(line, "//~ ") || has(line - 1, "//~v ") || has(line + 1, "//~^ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_finding_without_a_mark_is_told() {
        let golden = file("ui/a/b.stderr", "error: one\n  --> ui/a/b.rs:1:5\n\nerror: two\n  --> ui/a/b.rs:2:5\n");
        let source = file("ui/a/b.rs", "first(); //~ a\nsecond();\n");
        assert_eq!(check(&[golden, source]), ["ui/a/b.rs:2: reported, but there is no `//~` mark"]);
    }

    #[test]
    fn notes_are_no_findings() {
        let golden = file("ui/a/b.stderr", "error: one\n  --> ui/a/b.rs:1:5\nnote: two\n  --> ui/a/b.rs:2:5\n");
        let source = file("ui/a/b.rs", "first(); //~ a\nsecond();\n");
        assert_eq!(check(&[golden, source]), Vec::<String>::new());
    }

    #[test]
    fn arrows_point() {
        let golden = file("ui/a/b.stderr", "error: one\n  --> ui/a/b.rs:1:5\n");
        let source = file("ui/a/b.rs", "first();\n//~^ a\n");
        assert_eq!(check(&[golden, source]), Vec::<String>::new());
    }
}
