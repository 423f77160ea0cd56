//! Pure lattices: no rustc, no files, no words. Every type says what its values mean and how two of them join where
//! ways meet; the tests beside them hold the laws.

pub mod facts;
pub mod held;
pub mod map;
pub mod mover;
pub mod origin;
pub mod path;
pub mod set;
pub mod snapshot;
pub mod state;
pub mod value;
