//! Cells of a table in Markdown. What programs print may hold anything: line ends, bars, and names of directories that mean
//! nothing elsewhere.

/// How many characters of what was said are shown.
const SHOWN: usize = 100;

/// What the front-end says after the reason, to whoever is to go on from there.
const WAY_ON: &str = "; finish ";

pub fn said(text: &str) -> String {
    let line = reason(text).split_whitespace().collect::<Vec<_>>().join(" ");
    shortened(&without_directories(&line)).replace('|', "\\|")
}

/// Without the way on: the file that it names is removed with the builds.
pub fn reason(text: &str) -> &str {
    text.split(WAY_ON).next().unwrap_or_default()
}

fn shortened(text: &str) -> String {
    let mut characters = text.char_indices();
    match characters.nth(SHOWN) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// `/home/me/a/src/lib.rs:3` becomes `lib.rs:3`. Addresses of servers go the same way.
fn without_directories(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, path) = rest.split_at(at);
        kept.push_str(before);
        let end = path.find(|c: char| c.is_whitespace() || "()[]{}<>\"'`,;".contains(c)).unwrap_or(path.len());
        let is_absolute = !before.ends_with(|c: char| c.is_alphanumeric() || "/._-*".contains(c));
        // `// a remark` is none, `://server/a` is.
        let is_remark = path.starts_with("//") && !before.ends_with(':');
        let is_path = is_absolute && !is_remark && path[1..end].contains('/');
        kept.push_str(if is_path { path[..end].rsplit('/').next().unwrap_or_default() } else { &path[..end] });
        rest = &path[end..];
    }
    kept + rest
}

/// A row of a table.
pub fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The first two lines of one.
pub fn head(names: &[&str]) -> String {
    format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_short_line() {
        assert_eq!(said("a\n  b | c"), "a b \\| c");
        let long = said(&"word ".repeat(40));
        assert!(long.ends_with("word…") && long.chars().count() <= SHOWN + 1, "{long}");
        assert_eq!(said(&"é".repeat(SHOWN)), "é".repeat(SHOWN));
    }

    #[test]
    fn directories_of_a_machine_are_left_out() {
        assert_eq!(said("no `T`; finish /home/me/t/a.rs and give it"), "no `T`");
        assert_eq!(said("unresolved (/home/me/x-1.0/src/a.rs:3) in \"/tmp/x/y\""), "unresolved (a.rs:3) in \"y\"");
        assert_eq!(
            said("mismatched types (src/a/b.rs:3), 1 / 2, and/or, // x"),
            "mismatched types (src/a/b.rs:3), 1 / 2, and/or, // x"
        );
    }

    #[test]
    fn servers_are_left_out() {
        assert_eq!(said("failed to get https://example.com/a/b.json (404)"), "failed to get https:b.json (404)");
    }

    #[test]
    fn tables_have_a_head() {
        assert_eq!(head(&["a", "b"]) + &row(&["1".into(), "2".into()]), "| a | b |\n|---|---|\n| 1 | 2 |\n");
    }
}
