//! The user's code, compiled with the facade in the place of std.
//!
//! - [`sources`]: the facade's own sources, carried in this program;
//! - [`facade`]: builds them with the user's toolchain, and prepares a run of cargo in which this program wraps the
//!   compiler;
//! - [`wrapper`]: what this program does when cargo calls it in that role.

pub mod facade;
mod sources;
pub mod wrapper;
