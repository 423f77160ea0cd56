//! No crash on anything that rustc accepts: the real driver on strange code, on large code, on generated code, on code that
//! it was told to fail at, and on packages of every kind. What it leaves out it names.

mod corpus;
mod driver;
mod faults;
mod generated;
mod grammar;
mod large;
mod packages;
#[path = "../cli/project.rs"]
#[expect(dead_code, reason = "the command line's tests use more of it")]
mod project;
#[path = "../support/mod.rs"]
mod support;
