//! Where the driver is: beside the front-end, as `cargo install` leaves them, or where a variable says.

use crate::errors::Failure;
use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

/// Names another driver, for people who work on it.
pub const VARIABLE: &str = "STALEMATE_DRIVER";

pub fn find() -> Result<PathBuf, Failure> {
    let chosen = std::env::var_os(VARIABLE).map(PathBuf::from);
    let from_variable = chosen.is_some();
    // Absolute, because cargo starts the driver in another directory.
    let path = chosen.unwrap_or_else(beside_this_program);
    let path = std::path::absolute(&path).unwrap_or(path);
    if path.is_file() { Ok(path) } else { Err(Failure::DriverMissing { path, from_variable }) }
}

fn beside_this_program() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.with_file_name(format!("stalemate-driver{EXE_SUFFIX}"))
}

/// What the driver answers to a question it must be able to answer, when it cannot.
pub fn complaint(question: &mut Command) -> Option<String> {
    match question.output() {
        Ok(answer) if answer.status.success() => None,
        Ok(answer) => {
            let words = String::from_utf8_lossy(&answer.stderr).trim().to_owned();
            Some(if words.is_empty() { answer.status.to_string() } else { words })
        }
        Err(error) => Some(error.to_string()),
    }
}
