//! One command, measured in a process of its own. The system counts all children of a process together, and of their
//! memory it keeps the highest peak only; so whoever measures must never have had another child. This program therefore
//! starts itself again, as the hidden command `measure`, which runs the one command and prints what it cost.

use super::usage::{self, Usage};
use crate::Report;
use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::lab::Trouble;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// How much of what a failed command said is told.
const LAST_LINES: usize = 20;

/// What the measuring process prints, on one line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// None if a signal ended the command.
    pub code: Option<i32>,
    #[serde(flatten)]
    pub usage: Usage,
}

/// The measuring process. All that the command says goes to standard error, to leave standard output to the numbers.
pub fn run(args: &MeasureArgs) -> Result<Report, Failure> {
    let (program, words) = args.command.split_first().expect("the parser wants at least one word");
    let ended = Command::new(program).args(words).stdin(Stdio::null()).stdout(io::stderr()).status();
    let code = ended.map_err(|error| Failure::cannot(program, error))?.code();
    let measured = Measured { code, usage: usage::of_children()? };
    let line = serde_json::to_string(&measured).expect("numbers can be written");
    Ok(Report { text: format!("{line}\n"), is_complete: true })
}

/// Starts the measuring process, and gives its numbers if the command did its work. What was said goes to the log.
pub fn measured(mut measurer: Command, log: &Path, is_done: impl Fn(Option<i32>) -> bool) -> Result<Usage, Trouble> {
    let wrong = |error| Trouble::io("not measured", log, error);
    let output = measurer.stderr(File::create(log).map_err(wrong)?).output().map_err(wrong)?;
    let said = || fs::read(log).map(|said| String::from_utf8_lossy(&said).into_owned()).map_err(wrong);
    match serde_json::from_slice(&output.stdout) {
        Ok(Measured { code, usage }) if is_done(code) => Ok(usage),
        Ok(Measured { code: Some(code), .. }) => failed(&format!("failed with exit code {code}"), &said()?),
        Ok(Measured { code: None, .. }) => failed("was ended by a signal", &said()?),
        Err(_) => failed("could not be run", &said()?),
    }
}

fn failed(what: &str, said: &str) -> Result<Usage, Trouble> {
    Err(Trouble::with_last(LAST_LINES, what, said))
}
