//! The facts files of the units. Cargo vouches for the `.rmeta` beside them, not for them: where one is lost, cut short
//! or left by another version, the unit is checked again, once.

use crate::VERSION;
use crate::check::Check;
use crate::errors::Failure;
use crate::messages::{Target, Unit};
use crate::toolchain::TOOLCHAIN;
use finding::facts::{UnitFacts, Unusable, path_beside};
use std::fs::remove_file;

/// A unit's target and what the driver found in the unit.
pub type Checked = (Target, UnitFacts);

pub fn collect(check: &Check) -> Result<Vec<Checked>, Failure> {
    let (checked, unusable) = read(check.run()?);
    if unusable.is_empty() {
        return Ok(checked);
    }
    for (unit, _) in &unusable {
        forget(unit);
    }
    let (checked, mut unusable) = read(check.run()?);
    if unusable.is_empty() { Ok(checked) } else { Err(failure(unusable.remove(0))) }
}

fn read(units: Vec<Unit>) -> (Vec<Checked>, Vec<(Unit, Unusable)>) {
    let mut checked = Vec::new();
    let mut unusable = Vec::new();
    for unit in units {
        match UnitFacts::read(&path_beside(&unit.rmeta), VERSION, TOOLCHAIN) {
            Ok(facts) => checked.push((unit.target, facts)),
            Err(why) => unusable.push((unit, why)),
        }
    }
    (checked, unusable)
}

/// Without its `.rmeta` the unit is not fresh, and cargo runs the driver on it again. A file that cannot be removed
/// shows in the next reading.
fn forget(unit: &Unit) {
    let _ = remove_file(path_beside(&unit.rmeta));
    let _ = remove_file(&unit.rmeta);
}

fn failure((unit, why): (Unit, Unusable)) -> Failure {
    let file = path_beside(&unit.rmeta);
    let why = match why {
        Unusable::Missing => format!("{} is missing", file.display()),
        Unusable::Damaged(error) => format!("{} is damaged: {error}", file.display()),
        Unusable::Outdated => format!("{} is of another version", file.display()),
    };
    let Target { package, name, kind } = unit.target;
    Failure::FactsUnusable { unit: format!("the {kind} `{name}` of package `{package}`"), why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::unit_facts;
    use std::path::Path;

    fn unit(directory: &Path, name: &str) -> Unit {
        let target = Target { package: "p".into(), name: name.into(), kind: "lib".into() };
        Unit { target, rmeta: directory.join(format!("lib{name}.rmeta")) }
    }

    fn facts(version: &str) -> UnitFacts {
        UnitFacts { version: version.into(), ..unit_facts("p") }
    }

    #[test]
    fn lost_damaged_and_outdated_facts_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let units = ["good", "old", "cut", "lost"].map(|name| unit(directory.path(), name));
        facts(VERSION).write(&path_beside(&units[0].rmeta)).unwrap();
        facts("0.0.0").write(&path_beside(&units[1].rmeta)).unwrap();
        std::fs::write(path_beside(&units[2].rmeta), "{\"format\":").unwrap();

        let (checked, unusable) = read(units.to_vec());
        assert_eq!(checked.len(), 1);
        let why: Vec<_> = unusable.iter().map(|(unit, why)| (unit.target.name.as_str(), why)).collect();
        assert!(matches!(
            why[..],
            [("old", Unusable::Outdated), ("cut", Unusable::Damaged(_)), ("lost", Unusable::Missing)]
        ));
    }

    #[test]
    fn forgotten_units_are_gone() {
        let directory = tempfile::tempdir().unwrap();
        let unit = unit(directory.path(), "a");
        std::fs::write(&unit.rmeta, "").unwrap();
        forget(&unit);
        assert!(!unit.rmeta.exists());
    }
}
