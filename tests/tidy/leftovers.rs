//! What work leaves behind: paths of one machine, settings of a registry mirror, unfinished code, tests switched off.

use crate::source::{File, code, is_word};

/// This file has to name them.
const EXEMPT: &str = "tests/tidy/leftovers.rs";

const MACHINE_PATHS: &[&str] = &["/root/", "/work/"];
const MIRRORS: &[&str] = &["replace-with", "[source.", "registry+http://", "sparse+http"];
const UNFINISHED: &[&str] = &["todo!(", "unimplemented!(", "dbg!(", "#[ignore"];

/// The only place from which a lock file may take packages.
const CRATES_IO: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

pub fn check(files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.path != EXEMPT) {
        for (number, line) in file.lines() {
            let mut tell = |what: &str, advice| problems.push(format!("{}:{number}: `{what}`: {advice}", file.path));
            for path in MACHINE_PATHS.iter().filter(|path| has_absolute(line, path)) {
                tell(path, "a path of one machine: take it out");
            }
            for mirror in MIRRORS.iter().filter(|mirror| line.contains(**mirror)) {
                tell(mirror, "setting of one machine's registry: take it out");
            }
            for word in UNFINISHED.iter().filter(|word| file.is_rust() && has_word(code(line), word)) {
                tell(word, "finish it, or assert what it does today with the reason");
            }
            if file.path.ends_with("Cargo.lock") && line.starts_with("source = ") && line != CRATES_IO {
                tell(line, "packages come from crates.io only");
            }
        }
    }
    problems
}

/// Whether the path stands there as an absolute one, not as the middle of another.
fn has_absolute(line: &str, path: &str) -> bool {
    let inside = |c: char| is_word(c) || ".-}*~>".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(inside))
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&[File::new(path, text)])
    }

    #[test]
    fn machine_paths_are_told_in_any_file() {
        assert!(problems("docs/a.md", "fine\nsee /work/a")[0].starts_with("docs/a.md:2: `/work/`"));
        assert_eq!(problems("a.toml", "x = \"/root/.cargo\"").len(), 1);
        assert_eq!(problems("docs/a.md", "in tests/work/a and $CARGO/root/b"), ["docs/a.md:1"; 0]);
    }

    #[test]
    fn unfinished_code_is_told_in_code() {
        assert_eq!(problems("src/a.rs", "fn f() { todo!() }\n").len(), 1);
        assert_eq!(problems("src/a.rs", "#[ignore = \"later\"]\n").len(), 1);
        assert_eq!(problems("src/a.rs", "// never `#[ignore]`d, no todo!()\nmy_todo!();\n"), [""; 0]);
        assert_eq!(problems("docs/a.md", "never `#[ignore]`d"), [""; 0]);
    }

    #[test]
    fn packages_come_from_crates_io() {
        assert_eq!(problems("Cargo.lock", &format!("{CRATES_IO}\n")), [""; 0]);
        assert_eq!(problems("Cargo.lock", "source = \"git+https://example.com/a\"\n").len(), 1);
        assert_eq!(problems(".cargo/config.toml", "[source.crates-io]\nreplace-with = \"near\"\n").len(), 2);
    }

    #[test]
    fn this_file_may_name_them() {
        assert_eq!(problems(EXEMPT, "/root/ todo!("), [""; 0]);
    }
}
