//! The command line, from outside: the real binaries on small projects, with exit codes and what stands on which stream.
//! Every test makes its own project below the target directory, so all of them can run at once.

mod accepted;
mod atomicity;
mod baseline;
mod between_crates;
mod confidence;
mod confirm;
mod confirm_fixture;
mod confirm_shown;
mod confirm_stand_in;
mod confirm_tasks;
mod confirm_test;
mod confirm_values;
mod declared;
mod examples;
mod explain;
mod formats;
mod fresh;
mod guards;
mod keys;
mod levels;
mod mistakes;
mod models;
mod project;
mod quiet;
mod recipes;
mod reports;
mod same;
mod samples;
mod settings;
mod setup;
mod since;
mod skipped;
#[path = "../support/mod.rs"]
mod support;
mod timings;
mod units;
