//! What the lints of one family say, each family for itself: the kinds of mistake, what happens, and the evidence with its
//! weight. The words for all of it are in `emit`.

pub mod alone;
pub mod apart;
pub mod deadlock;
pub mod memory;
pub mod waiting;
