//! Every member can be published, or says that it is not meant to be: metadata, versions beside paths, and no file that
//! lies outside the package.

use crate::source::{File, code};

const METADATA: &[&str] = &["description", "license", "readme", "keywords", "categories"];

pub fn check(files: &[File]) -> Vec<String> {
    let manifests = files.iter().filter(|file| is_member(&file.path));
    let published: Vec<&File> = manifests.filter(|file| !says(file, "publish = false")).collect();
    let manifests = published.iter().flat_map(|file| lacks(file).into_iter().chain(paths_alone(file)));
    let sources = published.iter().flat_map(|file| leaves(file, files));
    manifests.chain(sources).collect()
}

fn is_member(path: &str) -> bool {
    let inside = path.strip_prefix("crates/").and_then(|rest| rest.strip_suffix("/Cargo.toml"));
    path == "Cargo.toml" || inside.is_some_and(|name| !name.contains('/'))
}

fn says(file: &File, line: &str) -> bool {
    file.text.lines().any(|one| one == line)
}

fn lacks(file: &File) -> Vec<String> {
    let has = |key: &str| {
        let mut lines = file.text.lines().filter_map(|line| line.strip_prefix(key));
        lines.any(|rest| rest.starts_with([' ', '.']))
    };
    let missing = METADATA.iter().filter(|key| !has(key));
    missing.map(|key| format!("{}:1: `{key}` is missing: add it, or `publish = false`", file.path)).collect()
}

/// crates.io knows versions only.
fn paths_alone(file: &File) -> Vec<String> {
    let alone = |line: &str| line.contains("path = \"") && line.contains('{') && !line.contains("version = ");
    let lines = file.lines().filter(|(_, line)| alone(line));
    lines.map(|(number, _)| format!("{}:{number}: a path without a version cannot be published", file.path)).collect()
}

/// Files that the code takes from its neighbours: there are none where the package is unpacked.
fn leaves(manifest: &File, files: &[File]) -> Vec<String> {
    let own = format!("{}src/", manifest.path.trim_end_matches("Cargo.toml"));
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && file.path.starts_with(&own)) {
        let depth = file.path[own.len()..].split('/').count();
        for (number, line) in file.lines().filter(|(_, line)| code(line).contains("include_")) {
            if line.matches("../").count() > depth {
                problems
                    .push(format!("{}:{number}: takes a file from outside the package: link to it inside", file.path));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        "description = \"d\"\nlicense.workspace = true\nreadme = \"r\"\nkeywords = []\ncategories = []\n";

    fn problems(manifest: &str, source: &str) -> Vec<String> {
        check(&[File::new("crates/one/Cargo.toml", manifest), File::new("crates/one/src/a/mod.rs", source)])
    }

    #[test]
    fn what_is_missing_is_told_unless_it_is_not_for_others() {
        assert_eq!(problems(WHOLE, ""), [""; 0]);
        assert_eq!(problems("[package]\npublish = false\n", ""), [""; 0]);
        let found = problems(&WHOLE.replace("readme", "homepage"), "");
        assert_eq!(found, ["crates/one/Cargo.toml:1: `readme` is missing: add it, or `publish = false`"]);
    }

    #[test]
    fn paths_need_versions_and_files_must_be_inside() {
        let found = problems(&format!("{WHOLE}two = {{ path = \"../two\" }}\n"), "");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(problems(&format!("{WHOLE}two = {{ path = \"../two\", version = \"1\" }}\n"), ""), [""; 0]);
        assert_eq!(problems(WHOLE, "include_str!(\"../../pages/a.md\")"), [""; 0]);
        assert_eq!(problems(WHOLE, "include_str!(\"../../../two/a.md\")").len(), 1);
    }
}
