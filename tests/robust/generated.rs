//! Generated programs as oracle: correct ones are not reported, broken ones mostly are, none crashes the driver, and the
//! same program gives the same bytes. `STALEMATE_FUZZ=N` (`./x fuzz N`) tries N seeds instead of a few.

use crate::driver::{Source, everything, for_all};
use crate::grammar::{self, Mutation};
use finding::settings::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

const SEEDS: u64 = 6;
const STRUCTURES: usize = 25;

/// Of a hundred broken functions of each kind, so many must be found.
const LEAST: &[(Mutation, usize)] = &[(Mutation::Split, 95), (Mutation::NoRecheck, 95), (Mutation::Swapped, 95)];

fn seeds() -> Vec<u64> {
    let wanted = std::env::var("STALEMATE_FUZZ").ok().map(|count| count.parse().expect("STALEMATE_FUZZ is a number"));
    (0..wanted.unwrap_or(SEEDS)).collect()
}

#[test]
fn correct_programs_are_left_alone() {
    for_all(&seeds(), |&seed| {
        let name = format!("right{seed}");
        let source = Source::written(&name, &grammar::program(seed, STRUCTURES, false).text);
        let once = source.check("once", &Settings::default());
        assert_eq!(once.skipped(), [], "{name}");
        let told: Vec<_> =
            once.told().map(|finding| (&finding.lint, &finding.function, finding.primary.line)).collect();
        assert!(told.is_empty(), "{}: {told:?}", source.path.display());
        assert!(once.is_same_as(&source.check("again", &Settings::default())), "{name}: two runs differ");
        assert!(once.facts.functions_with_locks >= STRUCTURES * 5, "{name}");
    });
}

#[test]
fn broken_programs_are_reported() {
    let found: Mutex<BTreeMap<Mutation, (usize, usize)>> = Mutex::default();
    for_all(&seeds(), |&seed| {
        let name = format!("wrong{seed}");
        let program = grammar::program(seed, STRUCTURES, true);
        let left = Source::written(&name, &program.text).check("broken", &everything());
        assert_eq!(left.skipped(), [], "{name}");
        let blamed: BTreeSet<&str> = left.told().filter_map(|finding| finding.function.split("::").next()).collect();
        let mut found = found.lock().unwrap();
        for (structure, mutation) in &program.broken {
            let (hits, all) = found.entry(*mutation).or_default();
            *hits += usize::from(blamed.contains(&**structure));
            *all += 1;
        }
    });
    let found = found.into_inner().unwrap();
    println!("found of all: {found:?}");
    for (mutation, least) in LEAST {
        let (hits, all) = found.get(mutation).copied().unwrap_or_default();
        assert!(all >= 10 && hits * 100 >= all * least, "{mutation:?}: {hits} of {all} are found");
    }
}
