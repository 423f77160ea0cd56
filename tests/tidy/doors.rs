//! The doors between the rooms of src/: a room may use itself and rooms of a lower rank, and only some know the compiler.

use crate::source::{File, code, is_word};

/// The rooms with their ranks. The crate root is `lib`; it is above `pass`, which it registers.
const ROOMS: &[(&str, u8)] = &[
    ("clock", 0),
    ("config", 1),
    ("models", 0),
    ("mir", 1),
    ("events", 2),
    ("domain", 3),
    ("summary", 4),
    ("flow", 5),
    ("checks", 5),
    ("emit", 6),
    ("pass", 7),
    ("lib", 8),
];

/// Usable from everywhere, whatever its rank.
const OPEN: &[&str] = &["config"];

/// Where the compiler's crates may be named: directories end in a slash.
const KNOWS_RUSTC: &[&str] = &["src/mir/", "src/emit/", "src/pass.rs", "src/lib.rs", "src/checks/mod.rs"];

/// The only place for what is published for one nightly at a time.
const KNOWS_CLIPPY: &str = "src/mir/compat.rs";

pub fn check(files: &[File]) -> Vec<String> {
    files.iter().flat_map(|file| uses(file).into_iter().chain(compiler(file)).chain(clippy(file))).collect()
}

fn clippy(file: &File) -> Vec<String> {
    let lines = file.lines().filter(|(_, line)| code(line).contains("clippy_utils") && file.path != KNOWS_CLIPPY);
    lines.map(|(line, _)| format!("{}:{line}: names clippy_utils: only {KNOWS_CLIPPY} may", file.path)).collect()
}

fn uses(file: &File) -> Vec<String> {
    let room = room(&file.path);
    let Some(own) = rank(room) else {
        return vec![format!("{}:1: `{room}` is no room: give it a rank in ROOMS of tests/tidy/doors.rs", file.path)];
    };
    let mut problems = Vec::new();
    for (line, used) in used_rooms(file) {
        if used == room || OPEN.contains(&used.as_str()) {
            continue;
        }
        let place = format!("{}:{line}", file.path);
        match rank(&used) {
            Some(rank) if rank < own => {}
            Some(rank) => problems.push(format!(
                "{place}: `{room}` ({own}) may not use `{used}` ({rank}): move what is needed to a lower room"
            )),
            None => problems.push(format!("{place}: `crate::{used}` is no room: name the room it comes from")),
        }
    }
    problems
}

fn room(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    inside.split('/').next().unwrap().trim_end_matches(".rs")
}

fn rank(room: &str) -> Option<u8> {
    ROOMS.iter().find(|(name, _)| *name == room).map(|(_, rank)| *rank)
}

/// What follows `crate::`, also in braces and over several lines, and `super::` where a room's name follows.
fn used_rooms(file: &File) -> Vec<(usize, String)> {
    let text: String = file.text.lines().flat_map(|line| [code(line), "\n"]).collect();
    let mut used = Vec::new();
    for (keyword, any) in [("crate::", true), ("super::", false)] {
        for (at, _) in text.match_indices(keyword).filter(|(at, _)| !text[..*at].ends_with(is_word)) {
            let line = text[..at].matches('\n').count() + 1;
            let names = first_segments(&text[at + keyword.len()..]);
            used.extend(names.into_iter().filter(|name| any || rank(name).is_some()).map(|name| (line, name)));
        }
    }
    used.sort();
    used
}

/// The first segments of the path or the group of paths that the text begins with.
fn first_segments(text: &str) -> Vec<String> {
    let Some(group) = text.strip_prefix('{') else {
        return vec![text.chars().take_while(|c| is_word(*c)).collect()];
    };
    let (mut depth, mut names, mut name) = (1, Vec::new(), Some(String::new()));
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match &mut name {
            Some(word) if is_word(c) => word.push(c),
            Some(word) if !word.is_empty() => names.extend(name.take()),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && c == ',' {
            name = Some(String::new());
        }
    }
    names
}

fn compiler(file: &File) -> Vec<String> {
    if KNOWS_RUSTC.iter().any(|place| file.path == *place || place.ends_with('/') && file.path.starts_with(place)) {
        return Vec::new();
    }
    let named = |line: &str| line.match_indices("rustc_").any(|(at, _)| !line[..at].ends_with(is_word));
    let lines = file.lines().filter(|(_, line)| named(code(line)));
    lines
        .map(|(line, _)| format!("{}:{line}: names a compiler crate: only src/mir and src/emit may", file.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&[File::new(path, text)])
    }

    #[test]
    fn lower_rooms_and_the_own_room_are_open() {
        assert_eq!(problems("src/flow/mod.rs", "use crate::domain::Age;\nuse crate::flow::order;\n"), [""; 0]);
        assert_eq!(problems("src/models/mod.rs", "use crate::config::Config;\n"), [""; 0]);
        assert_eq!(problems("src/lib.rs", "fn f() { crate::pass::run() }\n"), [""; 0]);
    }

    #[test]
    fn higher_and_equal_rooms_are_shut() {
        let found =
            problems("src/checks/stale_value.rs", "// crate::emit is named here only\nuse crate::flow::State;\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("src/checks/stale_value.rs:2: `checks` (5) may not use `flow` (5)"), "{found:?}");
        assert_eq!(problems("src/events/mod.rs", "fn f() { crate::emit::say() }\n").len(), 1);
        assert_eq!(problems("src/events/mod.rs", "use super::emit;\n").len(), 1);
        assert_eq!(problems("src/events/mod.rs", "use super::helper;\n").len(), 0);
    }

    #[test]
    fn groups_are_read_over_several_lines() {
        let text = "use crate::{\n    domain::{Age, flow_like},\n    emit,\n    mir::Site,\n};\n";
        let found = problems("src/summary/mod.rs", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("src/summary/mod.rs:1: `summary` (4) may not use `emit` (6)"), "{found:?}");
    }

    #[test]
    fn rooms_have_to_be_named() {
        assert!(problems("src/attic.rs", "")[0].contains("`attic` is no room"));
        assert!(problems("src/emit/mod.rs", "use crate::Thing;\n")[0].contains("`crate::Thing` is no room"));
    }

    #[test]
    fn the_compiler_is_known_in_few_places() {
        let text = "use rustc_middle::mir::Body;\n";
        assert_eq!(problems("src/mir/body.rs", text), [""; 0]);
        assert_eq!(problems("src/checks/mod.rs", text), [""; 0]);
        assert_eq!(problems("src/checks/stale_value.rs", text).len(), 1);
        assert_eq!(problems("src/domain/lock.rs", "//! like rustc_middle\nlet not_rustc_x = 1;\n"), [""; 0]);
        let text = "use clippy_utils::is_in_test; // clippy_utils\n";
        assert_eq!(problems("src/mir/compat.rs", text), [""; 0]);
        assert_eq!(problems("src/mir/body.rs", text).len(), 1);
    }
}
