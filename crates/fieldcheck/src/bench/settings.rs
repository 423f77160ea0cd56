//! What is measured and how, from the arguments and the environment. An argument wins over a variable.

use super::limits::Limits;
use super::side::Side;
use crate::args::{BenchArgs, LabArgs};
use crate::crates::list;
use crate::failure::Failure;
use crate::input::{self, shipped};
use crate::lab::Subject;

/// Few enough to wait for, and enough that one disturbed run changes no median.
const RUNS: u32 = 5;

pub struct Settings {
    pub subjects: Vec<Subject>,
    pub runs: u32,
    /// The first is what the others are compared with.
    pub sides: Vec<Side>,
    /// The toolchain of all sides, by its name in rustup.
    pub channel: String,
    pub limits: Limits,
    /// What was measured before is not measured again.
    pub resume: bool,
    pub lab: LabArgs,
}

impl Settings {
    pub fn new(args: &BenchArgs, variable: &dyn Fn(&str) -> Option<String>) -> Result<Settings, Failure> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut lab = args.lab.clone();
        lab.tool = lab.tool.or_else(|| set("TOOL").map(Into::into));
        Ok(Settings {
            subjects: subjects(args)?,
            runs: args.runs.map_or_else(|| runs(set("RUNS")), Ok)?,
            sides: Side::ALL.into_iter().filter(|side| *side != Side::Clippy || args.clippy).collect(),
            channel: set("CHANNEL").or_else(|| set("RUSTUP_TOOLCHAIN")).ok_or_else(no_channel)?,
            limits: Limits { cold: args.max_cold, warm: args.max_warm },
            resume: args.resume,
            lab,
        })
    }
}

fn subjects(args: &BenchArgs) -> Result<Vec<Subject>, Failure> {
    match (&args.name, &args.version) {
        (Some(name), Some(version)) => {
            let args = args.cargo_args.clone();
            Ok(vec![Subject { name: name.clone(), version: version.clone(), args }])
        }
        _ => {
            let file = shipped("bench.txt");
            list::parse(&file, &input::text(&file)?)
        }
    }
}

fn runs(variable: Option<String>) -> Result<u32, Failure> {
    let Some(value) = variable else { return Ok(RUNS) };
    let wrong = || Failure::Variable { name: "RUNS", why: format!("`{value}` is no number of runs from 1 on") };
    value.parse().ok().filter(|runs| *runs > 0).ok_or_else(wrong)
}

fn no_channel() -> Failure {
    let why = "not set; it names the toolchain that is measured, and `./x bench` sets it";
    Failure::Variable { name: "CHANNEL", why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;
    use std::path::Path;

    fn settings(words: &str, variables: &[(&str, &str)]) -> Result<Settings, Failure> {
        let line = format!("fieldcheck bench {words}");
        let Command::Bench(args) = Args::try_parse_from(line.split_whitespace()).unwrap().command else {
            panic!("another command");
        };
        let value = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| value.to_string());
        Settings::new(&args, &value)
    }

    fn complaint(words: &str, variables: &[(&str, &str)]) -> String {
        settings(words, variables).err().expect("no complaint").to_string()
    }

    #[test]
    fn arguments_win_over_variables() {
        let variables = [("RUNS", "2"), ("TOOL", "built/tool"), ("CHANNEL", "nightly"), ("RUSTUP_TOOLCHAIN", "stable")];
        let from_variables = settings("", &variables).unwrap();
        assert_eq!((from_variables.runs, from_variables.channel.as_str()), (2, "nightly"));
        assert_eq!(from_variables.lab.tool.as_deref(), Some(Path::new("built/tool")));
        let from_words = settings("--runs 7 --tool mine", &variables).unwrap();
        assert_eq!(from_words.runs, 7);
        assert_eq!(from_words.lab.tool.as_deref(), Some(Path::new("mine")));
    }

    #[test]
    fn little_has_to_be_said() {
        let settings = settings("", &[("RUNS", ""), ("RUSTUP_TOOLCHAIN", "nightly")]).unwrap();
        assert_eq!((settings.runs, settings.channel.as_str(), settings.lab.tool), (RUNS, "nightly", None));
        assert_eq!(settings.sides, [Side::Plain, Side::Stalemate]);
        let names: Vec<_> = settings.subjects.iter().map(|subject| subject.name.as_str()).collect();
        assert_eq!(names, ["tokio", "redb", "opentelemetry_sdk", "bevy_ecs", "wasmtime"]);
    }

    #[test]
    fn a_named_crate_is_the_only_one() {
        let settings = settings("--clippy pool 1.0.0 --lib", &[("CHANNEL", "nightly")]).unwrap();
        assert_eq!(settings.subjects, [Subject::new("pool", "1.0.0", "--lib")]);
        assert_eq!(settings.sides, [Side::Plain, Side::Stalemate, Side::Clippy]);
    }

    #[test]
    fn variables_that_make_no_sense_are_refused() {
        for runs in ["0", "-1", "many"] {
            let said = complaint("", &[("CHANNEL", "nightly"), ("RUNS", runs)]);
            assert!(said.starts_with(&format!("RUNS: `{runs}` is no number")), "{said}");
        }
        assert!(complaint("", &[("CHANNEL", "")]).starts_with("CHANNEL: not set"));
    }
}
