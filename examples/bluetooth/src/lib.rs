//! The driver of figure 2 of "KISS: Keep It Simple and Sequential" (Qadeer and Wu, PLDI 2004), carried over.
//!
//! `pending_io` counts the threads in the driver, and one for the driver itself. The thread that stops it sets
//! `stopping_flag`, gives up the driver's own count, and waits until the last one out says that it was the last. No thread
//! may be inside when `stopped` is set.

mod driver;
mod fixed;

pub use driver::Driver;
pub use fixed::FixedDriver;
