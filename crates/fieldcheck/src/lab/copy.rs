//! A copy of a crate that stands alone and can be changed. It is made under another name and then renamed, so that an
//! interrupted run leaves none that looks whole; and it says how it was made, so that it is made anew when that changes.

use super::registry;
use super::setup::Setup;
use super::{Subject, Trouble};
use crate::failure::Failure;
use crate::input;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// In the copy: how it was made.
const RECIPE: &str = ".fieldcheck";

/// What the tool is asked for. The copy is ours, so its manifest may say what the crate's own does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// As the crate has it.
    Usual,
    /// The lint `stale_use`, which is off by default.
    StaleUse,
    /// That lint, and the code of tests.
    Everything,
}

impl Wish {
    /// What tells copies and results of one wish from those of another.
    pub fn suffix(self) -> &'static str {
        match self {
            Wish::Usual => "",
            Wish::StaleUse => "+stale_use",
            Wish::Everything => "+everything",
        }
    }

    fn settings(self) -> &'static str {
        match self {
            Wish::Usual => "",
            Wish::StaleUse => "\n[workspace.metadata.stalemate.lints]\nstale_use = \"warn\"\n",
            Wish::Everything => "\n[workspace.metadata.stalemate]\ntests = true\nlints.stale_use = \"warn\"\n",
        }
    }
}

pub fn recipe(setup: &Setup, wish: Wish) -> String {
    format!("setup {}\nwish {}\n", setup.hash(), wish.suffix())
}

pub fn prepared(work: &Path, label: &str, subject: &Subject, setup: &Setup, wish: Wish) -> Result<PathBuf, Trouble> {
    let copy = work.join("src").join(label);
    if !is_made(&copy, &recipe(setup, wish)) {
        let sources = registry::sources(subject, &work.join("scratch"))?;
        make(&copy, &sources, setup, wish)?;
    }
    Ok(copy)
}

fn is_made(copy: &Path, recipe: &str) -> bool {
    fs::read_to_string(copy.join(RECIPE)).is_ok_and(|made| made == recipe)
}

fn make(copy: &Path, sources: &Path, setup: &Setup, wish: Wish) -> Result<(), Trouble> {
    let mut fresh = copy.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let broken = |error| Trouble::io("not copied", &fresh, error);
    remove(&fresh).and_then(|()| copy_tree(sources, &fresh)).map_err(broken)?;
    setup.apply(&fresh)?;
    settle(&fresh.join("Cargo.toml"), wish)?;
    fs::write(fresh.join(RECIPE), recipe(setup, wish)).map_err(broken)?;
    remove(copy).and_then(|()| fs::rename(&fresh, copy)).map_err(broken)
}

fn remove(folder: &Path) -> io::Result<()> {
    if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) }
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn settle(manifest: &Path, wish: Wish) -> Result<(), Trouble> {
    let wrong = |failure: Failure| Trouble::new("not prepared", &failure.to_string());
    let text = input::text(manifest).map_err(wrong)?;
    let table: toml::Table = input::toml(manifest, &text).map_err(wrong)?;
    let text = standing_alone(&text, table.contains_key("workspace"), wish);
    fs::write(manifest, text).map_err(|error| Trouble::io("not prepared", manifest, error))
}

/// A workspace of its own, so that cargo does not look for one in the folders above.
fn standing_alone(manifest: &str, is_workspace: bool, wish: Wish) -> String {
    let workspace = if is_workspace { "" } else { "\n[workspace]\n" };
    format!("{manifest}{workspace}{}", wish.settings())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_a_workspace_of_its_own() {
        let text = standing_alone("[package]\nname = \"a\"", false, Wish::Usual);
        assert_eq!(text, "[package]\nname = \"a\"\n[workspace]\n");
        assert_eq!(standing_alone("[workspace]\n", true, Wish::Usual), "[workspace]\n");
    }

    #[test]
    fn wishes_stand_where_the_tool_looks_for_them() {
        for wish in [Wish::StaleUse, Wish::Everything] {
            for (text, is_workspace) in [("", false), ("[workspace]\nresolver = \"2\"\n", true)] {
                let text = standing_alone(text, is_workspace, wish);
                let table: toml::Table = toml::from_str(&text).unwrap();
                let settings = &table["workspace"]["metadata"]["stalemate"];
                assert_eq!(settings["lints"]["stale_use"].as_str(), Some("warn"), "{text}");
                let tests = settings.get("tests").and_then(toml::Value::as_bool);
                assert_eq!(tests == Some(true), wish == Wish::Everything, "{text}");
            }
        }
    }

    #[test]
    fn the_recipe_knows_setup_and_wish() {
        let plain = Setup::default();
        assert_eq!(recipe(&plain, Wish::Usual), recipe(&plain, Wish::Usual));
        let recipes = [Wish::Usual, Wish::StaleUse, Wish::Everything].map(|wish| recipe(&plain, wish));
        assert!(recipes[0] != recipes[1] && recipes[1] != recipes[2] && recipes[0] != recipes[2]);
    }

    #[test]
    fn what_an_interrupted_run_left_is_not_used() {
        let folder = std::env::temp_dir().join(format!("fieldcheck-copy-{}", std::process::id()));
        let (sources, copy, half) = (folder.join("from"), folder.join("pool-1.0.0"), folder.join("pool-1.0.0.new"));
        fs::create_dir_all(sources.join("src")).unwrap();
        fs::write(sources.join("Cargo.toml"), "[package]\nname = \"pool\"\n").unwrap();
        fs::write(sources.join("src/lib.rs"), "").unwrap();
        for left in [&copy, &half] {
            fs::create_dir_all(left).unwrap();
            fs::write(left.join("left.rs"), "").unwrap();
        }
        let setup = Setup::default();
        assert!(!is_made(&copy, &recipe(&setup, Wish::Usual)));
        make(&copy, &sources, &setup, Wish::Usual).unwrap();
        assert!(is_made(&copy, &recipe(&setup, Wish::Usual)) && !is_made(&copy, &recipe(&setup, Wish::StaleUse)));
        assert!(copy.join("src/lib.rs").is_file() && !copy.join("left.rs").exists() && !half.exists());
        assert!(fs::read_to_string(copy.join("Cargo.toml")).unwrap().ends_with("[workspace]\n"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
