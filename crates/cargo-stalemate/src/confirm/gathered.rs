//! Values as the tests and examples beside a library make them. These are crates of their own; in a copy of the workspace they
//! become modules of the library, so that what they show can be used where a witness stands.

use super::tree;
use cargo_metadata::{Package, TargetKind};
use finding::recipe::SHOWN;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many of a package are looked at, the tests first.
const MOST: usize = 12;

/// A test or an example, as a file that can be a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub package: String,
    /// Both from the root of the workspace.
    library: PathBuf,
    file: PathBuf,
    /// What they call the library.
    name: String,
}

/// Those of the packages that use the library by its name. What needs features of its own is left out.
pub fn of_packages(packages: &[&Package], root: &Path) -> Vec<Shown> {
    packages.iter().flat_map(|package| of_package(package, root).unwrap_or_default()).collect()
}

fn of_package(package: &Package, root: &Path) -> Option<Vec<Shown>> {
    let library = package.targets.iter().find(|target| target.is_lib())?;
    let name = library.name.replace('-', "_");
    let from_root = |path: &Path| path.strip_prefix(root).ok().map(Path::to_owned);
    let root_of_library = from_root(library.src_path.as_std_path())?;
    let of_kind = |kind: TargetKind| {
        package.targets.iter().filter(move |it| it.kind.contains(&kind) && it.required_features.is_empty())
    };
    let files = of_kind(TargetKind::Test).chain(of_kind(TargetKind::Example)).map(|it| it.src_path.as_std_path());
    let files = files.filter(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("{name}::"))));
    let shown = files.filter_map(from_root).map(|file| Shown {
        package: package.name.to_string(),
        library: root_of_library.clone(),
        file,
        name: name.clone(),
    });
    Some(shown.take(MOST).collect())
}

/// Makes them modules of their libraries, in a copy of the workspace.
pub fn add(tree: &Path, shown: &[Shown]) -> io::Result<()> {
    for (library, lines) in lines(shown) {
        let file = tree.join(library);
        let text = fs::read_to_string(&file)?;
        tree::write(&file, format!("{text}\n{lines}").as_bytes())?;
    }
    Ok(())
}

/// For the end of each library.
fn lines(shown: &[Shown]) -> BTreeMap<&Path, String> {
    let mut all: BTreeMap<&Path, String> = BTreeMap::new();
    for (number, one) in shown.iter().enumerate() {
        let lines = all
            .entry(&one.library)
            .or_insert_with(|| format!("#[cfg(test)] #[allow(warnings)] extern crate self as {};\n", one.name));
        let up = "../".repeat(one.library.components().count().saturating_sub(1));
        let path = format!("{up}{}", one.file.display()).replace('\\', "/");
        lines.push_str(&format!("#[cfg(test)] #[allow(warnings)] #[path = {path:?}] mod {SHOWN}{number};\n"));
    }
    all
}

/// What compiles: all of them, or those that do so alone. `check` is asked with each choice, and empty if that fails.
pub fn checked<T>(shown: Vec<Shown>, check: impl Fn(&[Shown]) -> Vec<T>) -> (Vec<Shown>, Vec<T>) {
    let all = check(&shown);
    if !all.is_empty() || shown.len() < 2 {
        return (shown, all);
    }
    let alone = shown.into_iter().filter(|one| !check(std::slice::from_ref(one)).is_empty()).collect::<Vec<_>>();
    let all = if alone.is_empty() { Vec::new() } else { check(&alone) };
    (alone, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(file: &str) -> Shown {
        let [package, library, file] = ["a-b", "one/src/lib.rs", file].map(str::to_owned);
        Shown { package, library: library.into(), file: file.into(), name: "a_b".into() }
    }

    #[test]
    fn they_are_reached_from_the_library() {
        let all = [shown("one/tests/t.rs"), shown("one/examples/e/main.rs")];
        let lines = lines(&all);
        let text = &lines[Path::new("one/src/lib.rs")];
        assert_eq!(text.matches("extern crate self as a_b;").count(), 1);
        assert!(text.contains("#[path = \"../../one/tests/t.rs\"] mod stalemate_shown_0;"), "{text}");
        assert!(text.contains("#[path = \"../../one/examples/e/main.rs\"] mod stalemate_shown_1;"), "{text}");
    }

    #[test]
    fn one_that_does_not_compile_hides_no_other() {
        let all = vec![shown("good.rs"), shown("bad.rs"), shown("fine.rs")];
        let check = |some: &[Shown]| if some.contains(&shown("bad.rs")) { vec![] } else { vec![some.len()] };
        assert_eq!(checked(all, check), (vec![shown("good.rs"), shown("fine.rs")], vec![2]));
    }
}
