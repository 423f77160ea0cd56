//! `cargo stalemate confirm`: a finding is turned into a program that shows the bug, or says honestly why it cannot.
//!
//! The user's code is compiled with the facade in the place of std, in a copy of the workspace; their tree is never
//! written to. Everything is bounded in time.
//!
//! - [`sources`]: the facade's own sources, carried in this program;
//! - [`facade`]: builds them with the user's toolchain, and prepares a run of cargo in which this program wraps the
//!   compiler;
//! - [`wrapper`]: what this program does when cargo calls it in that role;
//! - [`foreign`]: changed copies of other crates of locks;
//! - [`program`]: the text of a witness, from the recipe that the driver has left;
//! - [`template`]: what is left to do where the recipe lacks something;
//! - [`tree`]: the copy of the workspace;
//! - [`gathered`]: tests and examples that are crates of their own, as modules in such a copy;
//! - [`building`]: the tests of a target, with the witnesses in it;
//! - [`trial`] and [`bounded`]: a witness, run in one way after the other;
//! - [`verdict`]: what it says, and whether that is the finding;
//! - [`races`]: the same two calls under Miri, for memory that no lock is tied to;
//! - [`session`]: all of that for all findings;
//! - [`suite`]: the user's own tests, built with the facade; [`spots`]: where a thread of theirs is held up for a finding;
//!   [`perturbed`]: one such run; [`judging`]: what they say of a finding; [`by_test`]: all of that for all findings;
//! - [`keeping`]: witnesses for somebody else to run;
//! - [`remembered`]: what was shown, for later reports;
//! - [`timings`]: how long it took.

mod bounded;
mod building;
mod by_test;
pub mod facade;
pub mod foreign;
mod gathered;
mod judging;
pub mod keeping;
mod perturbed;
mod program;
mod races;
pub mod remembered;
pub mod session;
mod sources;
mod spots;
mod suite;
mod template;
mod timings;
mod tree;
mod trial;
mod verdict;
pub mod wrapper;
