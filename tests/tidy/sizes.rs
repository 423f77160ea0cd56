//! Sizes: a file is at most 500 lines, a function at most 80.

use crate::source::{File, function};

const FILE: usize = 500;
const FUNCTION: usize = 80;

pub fn check(files: &[File]) -> Vec<String> {
    let files = files.iter().filter(|file| file.is_rust() && !file.path.starts_with("ui/"));
    files.flat_map(|file| long_file(file).into_iter().chain(long_functions(file))).collect()
}

fn long_file(file: &File) -> Option<String> {
    let lines = file.text.lines().count();
    (lines > FILE).then(|| format!("{}:{FILE}: the file has {lines} lines: split it, {FILE} are the most", file.path))
}

fn long_functions(file: &File) -> Vec<String> {
    let lines: Vec<_> = file.text.lines().collect();
    let mut problems = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let length = length(&lines[at..]);
        if length > FUNCTION {
            let place = format!("{}:{}", file.path, at + 1);
            problems.push(format!("{place}: `{name}` has {length} lines: split it, {FUNCTION} are the most"));
        }
    }
    problems
}

/// From a function's first line to its last: in formatted code the brace that closes it is the first one that stands
/// where the function began. One without a body, or all on one line, ends in its first lines.
fn length(lines: &[&str]) -> usize {
    let first = lines[0];
    let indent = &first[..first.len() - first.trim_start().len()];
    let ends = |line: &str| {
        line.strip_prefix(indent).is_some_and(|rest| rest == "}" || rest.starts_with(") ") && rest.ends_with(';'))
    };
    if first.ends_with(['}', ';']) {
        return 1;
    }
    lines.iter().position(|line| ends(line)).map_or(lines.len(), |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(lines: usize) -> String {
        format!("impl A {{\n    fn long() {{\n{}    }}\n}}\n", "        f();\n".repeat(lines))
    }

    #[test]
    fn a_function_ends_where_it_began() {
        let text = body(3);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(length(&lines[1..]), 5);
        assert_eq!(length(&["fn short() {}", "}"]), 1);
        assert_eq!(length(&["fn none(", "    a: u8,", ") -> u8;", "fn next() {", "}"]), 3);
        assert_eq!(length(&["fn many(", "    a: u8,", ") -> u8 {", "    a", "}", "}"]), 5);
    }

    #[test]
    fn long_functions_are_told_with_their_line() {
        let file = |lines| File::new("src/a.rs", &body(lines));
        assert_eq!(check(&[file(FUNCTION - 2)]), [""; 0]);
        assert_eq!(check(&[file(FUNCTION - 1)]), ["src/a.rs:2: `long` has 81 lines: split it, 80 are the most"]);
    }

    #[test]
    fn long_files_are_told_outside_ui() {
        let text = "\n".repeat(FILE + 1);
        assert_eq!(check(&[File::new("src/a.rs", &text)]).len(), 1);
        assert_eq!(check(&[File::new("ui/a/a.rs", &text)]).len(), 0);
        assert_eq!(check(&[File::new("src/a.rs", &"\n".repeat(FILE))]).len(), 0);
    }
}
