//! How the time of the analysis grows with the code. No real crate is large in one way only, so crates are made that are:
//! [`shapes`]. Each is checked in sizes that double; between two sizes the time may grow by about as much, and no body may
//! be given up without a word.
//!
//! The seconds are those that the analysis counts itself, on its own thread, and so are the steps. The compiler's are not in
//! them.

mod shapes;

use crate::Report;
use crate::args::GrowthArgs;
use crate::failure::Failure;
use crate::lab::{Lab, Trouble, Wish, document};
use crate::marks::{Mark, Page};
use crate::table::{Align, Table};
use crate::words::section;
use finding::timings::{self, UnitTimings};
use shapes::{SHAPES, Shape};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Linear growth has the exponent 1, a sort a little more, and a machine that does other things adds to it.
const MOST: f64 = 1.35;

/// One size of a shape.
struct Measured {
    size: usize,
    milliseconds: f64,
    steps: u64,
    carried: u64,
    /// Bodies that were given up, which the report names.
    skipped: usize,
}

/// The part of docs/performance.md that a run writes.
const GROWTH: Mark = "<!-- growth: made by ./x growth -->";

pub fn run(args: &GrowthArgs) -> Result<Report, Failure> {
    let wanted = wanted(&args.shapes)?;
    let page = args.page.clone().map(|file| Page::open(file, &[GROWTH])).transpose()?;
    let mut lab = args.lab.clone();
    lab.tool = lab.tool.or_else(|| std::env::var_os("TOOL").map(Into::into));
    let lab = Lab::new(&lab, "growth", Wish::Usual)?;
    let mut measured = Vec::new();
    for shape in wanted {
        match sizes(&lab, shape, args.runs) {
            Ok(sizes) => measured.push((shape, sizes)),
            Err(trouble) => {
                let text = format!("Stopped: {}: {}\n{}\n", shape.name, trouble.what, trouble.said);
                return Ok(Report { text, is_complete: false });
            }
        }
    }
    let steep: Vec<String> = measured.iter().filter_map(|(shape, sizes)| steep(shape, sizes)).collect();
    if let Some(page) = page {
        page.write(&[(GROWTH, markdown(&measured))])?;
    }
    let mut text = table(&measured).to_string();
    section(&mut text, "Grows too fast", &steep);
    Ok(Report { text, is_complete: steep.is_empty() })
}

fn wanted(names: &[String]) -> Result<Vec<&'static Shape>, Failure> {
    let unknown = names.iter().find(|name| !SHAPES.iter().any(|shape| shape.name == **name));
    if let Some(name) = unknown {
        return Err(Failure::Unknown { what: "shape", name: name.clone(), list: "src/growth/shapes.rs".into() });
    }
    Ok(SHAPES.iter().filter(|shape| names.is_empty() || names.iter().any(|name| name == shape.name)).collect())
}

fn sizes(lab: &Lab, shape: &Shape, runs: u32) -> Result<Vec<Measured>, Trouble> {
    shape.sizes.iter().map(|&size| one_size(lab, shape, size, runs)).collect()
}

fn one_size(lab: &Lab, shape: &Shape, size: usize, runs: u32) -> Result<Measured, Trouble> {
    let folder = lab.work().join("made");
    let wrong = |error| Trouble::io("not made", &folder, error);
    let manifest =
        format!("[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n", shape.name);
    let made = fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(folder.join("src/lib.rs"), (shape.source)(size)));
    made.map_err(wrong)?;
    let mut best: Option<Measured> = None;
    for _ in 0..runs {
        eprintln!("{} {size}", shape.name);
        let measured = one_run(lab, &folder, size)?;
        best = best.filter(|best| best.milliseconds <= measured.milliseconds).or(Some(measured));
    }
    let _ = fs::remove_dir_all(folder.join("target"));
    best.ok_or_else(|| Trouble::new("not measured", ""))
}

fn one_run(lab: &Lab, folder: &Path, size: usize) -> Result<Measured, Trouble> {
    let (target, file) = (folder.join("target"), folder.join("timings"));
    let _ = fs::remove_dir_all(&target);
    let _ = fs::remove_file(&file);
    let output = Command::new(lab.front_end())
        .args(["stalemate", "--format", "json", "--min-confidence", "low", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .current_dir(folder)
        .env(timings::VARIABLE, &file)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Trouble::io("not run", lab.front_end(), error))?;
    let failed = |what: &str| Trouble::new(what, &String::from_utf8_lossy(&output.stderr));
    if !output.status.code().is_some_and(|code| code <= 1) {
        return Err(failed(&format!("{size}: failed with {}", output.status)));
    }
    let units = UnitTimings::read(&file);
    let unit = units.first().filter(|_| units.len() == 1).ok_or_else(|| failed("no timings"))?;
    Ok(Measured {
        size,
        milliseconds: unit.total() as f64 / 1e6,
        steps: unit.counts.steps,
        carried: unit.counts.carried,
        skipped: document(&output.stdout)?.run.skipped.len(),
    })
}

/// By which power of the size a number grows.
fn exponent(sizes: (usize, usize), numbers: (f64, f64)) -> f64 {
    (numbers.1 / numbers.0).ln() / (sizes.1 as f64 / sizes.0 as f64).ln()
}

/// From the smallest size to the largest, and between the last two.
fn exponents(sizes: &[Measured], number: impl Fn(&Measured) -> f64) -> Option<(f64, f64)> {
    let [.., before, last] = sizes else { return None };
    let between = |one: &Measured, other: &Measured| exponent((one.size, other.size), (number(one), number(other)));
    Some((between(&sizes[0], last), between(before, last)))
}

fn steep(shape: &Shape, sizes: &[Measured]) -> Option<String> {
    let (all, _) = exponents(sizes, |measured| measured.milliseconds)?;
    (all > MOST).then(|| format!("{}: grows by the power {all:.2}, and may by {MOST}", shape.name))
}

fn table(measured: &[(&Shape, Vec<Measured>)]) -> Table {
    let numbers = ["size", "CPU ms", "power", "steps", "power", "carried", "power", "given up"];
    let numbers = numbers.map(|name| (name, Align::Right));
    let mut table = Table::new(&[("shape", Align::Left)].into_iter().chain(numbers).collect::<Vec<_>>());
    for (shape, sizes) in measured {
        for (at, one) in sizes.iter().enumerate() {
            let power = |number: fn(&Measured) -> f64| match at.checked_sub(1).map(|before| &sizes[before]) {
                Some(before) => format!("{:.2}", exponent((before.size, one.size), (number(before), number(one)))),
                None => String::new(),
            };
            table.row(vec![
                if at == 0 { shape.name.to_owned() } else { String::new() },
                one.size.to_string(),
                format!("{:.1}", one.milliseconds),
                power(|one| one.milliseconds),
                one.steps.to_string(),
                power(|one| one.steps as f64),
                one.carried.to_string(),
                power(|one| one.carried as f64),
                one.skipped.to_string(),
            ]);
        }
    }
    table
}

fn markdown(measured: &[(&Shape, Vec<Measured>)]) -> String {
    let mut text = String::from(
        "| what there are many of | sizes | CPU ms of the analysis | power, over all | power, last doubling | power of the steps | \
         bodies given up |\n|---|---|---|---:|---:|---:|---:|\n",
    );
    for (shape, sizes) in measured {
        let list = |cell: fn(&Measured) -> String| sizes.iter().map(cell).collect::<Vec<_>>().join(", ");
        let (all, last) = exponents(sizes, |one| one.milliseconds).unwrap_or_default();
        let (steps, _) = exponents(sizes, |one| one.steps as f64).unwrap_or_default();
        let skipped: usize = sizes.iter().map(|one| one.skipped).sum();
        let (numbers, times) = (list(|one| one.size.to_string()), list(|one| format!("{:.0}", one.milliseconds)));
        let _ = writeln!(
            text,
            "| {} | {numbers} | {times} | {all:.2} | {last:.2} | {steps:.2} | {skipped} |",
            shape.counts
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(milliseconds: [f64; 3]) -> Vec<Measured> {
        let one = |(size, milliseconds)| Measured { size, milliseconds, steps: size as u64, carried: 1, skipped: 0 };
        [1000, 2000, 4000].into_iter().zip(milliseconds).map(one).collect()
    }

    #[test]
    fn growth_is_a_power() {
        assert!((exponent((1000, 2000), (3.0, 6.0)) - 1.0).abs() < 1e-9);
        assert!((exponent((10, 40), (1.0, 16.0)) - 2.0).abs() < 1e-9);
        let (all, last) = exponents(&sizes([1.0, 2.0, 8.0]), |one| one.milliseconds).unwrap();
        assert!((all - 1.5).abs() < 1e-9 && (last - 2.0).abs() < 1e-9);
    }

    #[test]
    fn only_what_is_steep_is_told() {
        assert_eq!(steep(&SHAPES[0], &sizes([1.0, 2.1, 4.2])), None);
        let told = steep(&SHAPES[0], &sizes([1.0, 4.0, 16.0])).unwrap();
        assert!(told.starts_with("functions: grows by the power 2.00"), "{told}");
    }

    #[test]
    fn shapes_have_names_of_their_own_and_sizes_that_double() {
        for (at, shape) in SHAPES.iter().enumerate() {
            assert!(SHAPES[..at].iter().all(|other| other.name != shape.name));
            assert!(shape.sizes.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{}", shape.name);
            let (one, two) = ((shape.source)(8).len(), (shape.source)(16).len());
            assert!(two > one && two < 3 * one, "{}", shape.name);
        }
        assert!(wanted(&["depth".to_owned()]).is_ok() && wanted(&["width".to_owned()]).is_err());
    }
}
