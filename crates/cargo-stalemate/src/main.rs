//! The program `cargo-stalemate`. All of it is in the library beside it, so that tests can reach the report.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_stalemate::main()
}
