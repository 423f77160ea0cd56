//! `cargo stalemate atomicity`: how atomic each function is, like the annotations that Houdini infers.

use crate::args::ListFormat;
use crate::errors::Failure;
use crate::facts::Checked;
use crate::suggest::nearest;
use crate::toolchain::TOOLCHAIN;
use crate::{VERSION, report};
use finding::Tool;
use finding::atomicity::{Atomicity, AtomicityDocument, FunctionAtomicity};
use finding::document::SCHEMA;
use std::io::{self, Write};

#[derive(Debug)]
pub struct Listing {
    functions: Vec<FunctionAtomicity>,
}

impl Listing {
    /// The functions of all units, or those below a path. A library that is compiled again with its tests counts once.
    pub fn new(units: &[Checked], path: Option<&str>) -> Result<Listing, Failure> {
        let mut all: Vec<FunctionAtomicity> = units.iter().flat_map(|(_, facts)| facts.atomicity.clone()).collect();
        all.sort();
        all.dedup_by(|one, other| (&one.place, &one.function) == (&other.place, &other.function));
        let Some(path) = path else { return Ok(Listing { functions: all }) };
        let functions: Vec<FunctionAtomicity> = all.iter().filter(|one| is_meant(one, path)).cloned().collect();
        if !functions.is_empty() {
            return Ok(Listing { functions });
        }
        let known: Vec<&str> =
            all.iter().flat_map(|one| above(&one.function).chain([one.place.file.as_str()])).collect();
        Err(Failure::NoSuchFunction { path: path.to_owned(), nearest: nearest(path, &known).map(str::to_owned) })
    }

    pub fn print(&self, format: ListFormat) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = match format {
            ListFormat::Json => self.json(&mut out),
            ListFormat::Text => self.text(&mut out),
        };
        report::unless_closed(written.and_then(|()| out.flush()))?;
        let _ = writeln!(io::stderr(), "stalemate: {}", self.summary());
        Ok(())
    }

    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let tool = Tool { name: "stalemate".to_owned(), version: VERSION.to_owned(), toolchain: TOOLCHAIN.to_owned() };
        let document = AtomicityDocument { schema: SCHEMA, tool, functions: self.functions.clone() };
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        for one in &self.functions {
            let declared = if one.declared { ", declared atomic" } else { "" };
            writeln!(out, "{}:{}: `{}`: {}{declared}", one.place.file, one.place.line, one.function, form(one))?;
            writeln!(out, "    {}", one.reason)?;
        }
        Ok(())
    }

    /// `5 functions: 2 const, 3 atomic`.
    fn summary(&self) -> String {
        let count = |wanted: Atomicity| self.functions.iter().filter(|one| one.atomicity == wanted).count();
        let counts = Atomicity::ALL.iter().map(|&one| (count(one), one.name())).filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
        let functions = if self.functions.len() == 1 { "function" } else { "functions" };
        format!("{} {functions}: {}", self.functions.len(), counts.join(", "))
    }
}

/// `atomic`, or `self.order ? mover : error` where it depends on what the caller holds.
fn form(one: &FunctionAtomicity) -> String {
    match &one.if_held {
        Some(held) => format!("{} ? {} : {}", held.locks.join(" & "), held.atomicity.name(), one.atomicity.name()),
        None => one.atomicity.name().to_owned(),
    }
}

/// The function, its type, the modules it is in.
fn above(function: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(function), |name| name.rsplit_once("::").map(|(above, _)| above))
}

fn is_meant(one: &FunctionAtomicity, path: &str) -> bool {
    is_below(&one.place.file, &one.package, &one.function, path)
}

/// Whether an item, in this file of this package, is below the path: that of a module, a type or a function, with or without
/// the name of the package before it; or of a file or directory.
pub fn is_below(item_file: &str, package: &str, item: &str, path: &str) -> bool {
    let file = path.trim_start_matches("./").trim_end_matches('/');
    let in_file = item_file == file || item_file.strip_prefix(file).is_some_and(|rest| rest.starts_with('/'));
    let package = package.replace('-', "_");
    let name = path.strip_prefix(&package).and_then(|rest| rest.strip_prefix("::")).unwrap_or(path);
    // `<pool::Pool as Drop>::drop` stands with the type.
    let after = item.strip_prefix('<').unwrap_or(item).strip_prefix(name);
    in_file
        || name == package
        || after.is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || rest.starts_with(" as "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Target;
    use crate::report::samples::{place, unit_facts};
    use finding::atomicity::IfHeld;

    fn function(name: &str, file: &str, atomicity: Atomicity) -> FunctionAtomicity {
        FunctionAtomicity {
            place: place(file, 3),
            package: "my-pool".to_owned(),
            function: name.to_owned(),
            atomicity,
            if_held: None,
            declared: false,
            reason: "takes `self.all`; lets `self.all` go".to_owned(),
            steps: Vec::new(),
        }
    }

    fn units() -> Vec<Checked> {
        let mut facts = unit_facts("my-pool");
        facts.atomicity = vec![
            function("pool::Pool::get", "src/pool.rs", Atomicity::Atomic),
            function("<pool::Pool as Drop>::drop", "src/pool.rs", Atomicity::Compound),
            function("pooling", "src/lib.rs", Atomicity::Const),
        ];
        let target = Target { package: "my-pool".into(), name: "my_pool".into(), kind: "lib".into() };
        vec![(target.clone(), facts.clone()), (target, facts)]
    }

    fn names(path: Option<&str>) -> Vec<String> {
        Listing::new(&units(), path).unwrap().functions.into_iter().map(|one| one.function).collect()
    }

    #[test]
    fn paths_are_those_of_items_and_of_files() {
        assert_eq!(names(None).len(), 3);
        let pool = ["<pool::Pool as Drop>::drop", "pool::Pool::get"];
        for path in ["pool", "pool::Pool", "my_pool::pool", "src/pool.rs", "./src/pool.rs"] {
            assert_eq!(names(Some(path)), pool, "{path}");
        }
        assert_eq!(names(Some("pool::Pool::get")), ["pool::Pool::get"]);
        assert_eq!((names(Some("src/")).len(), names(Some("my_pool")).len()), (3, 3));
    }

    #[test]
    fn a_path_to_nothing_is_told_with_the_nearest() {
        let failure = Listing::new(&units(), Some("pool::Pool::gte")).unwrap_err();
        assert!(matches!(failure, Failure::NoSuchFunction { nearest: Some(name), .. } if name == "pool::Pool::get"));
    }

    #[test]
    fn conditional_forms_are_those_of_the_paper() {
        let mut one = function("f", "src/lib.rs", Atomicity::Error);
        one.if_held = Some(IfHeld { locks: vec!["self.a".into(), "B".into()], atomicity: Atomicity::Mover });
        assert_eq!(form(&one), "self.a & B ? mover : error");
    }

    #[test]
    fn the_summary_counts() {
        let list = Listing::new(&units(), None).unwrap();
        assert_eq!(list.summary(), "3 functions: 1 const, 1 atomic, 1 compound");
    }
}
