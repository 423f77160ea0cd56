//! Starts and stops the driver. Nearly always all goes well.

use bluetooth::{Driver, FixedDriver};
use std::thread;

fn main() {
    let (driver, fixed) = (Driver::default(), FixedDriver::default());
    thread::scope(|scope| {
        scope.spawn(|| driver.pnp_stop());
        scope.spawn(|| fixed.pnp_stop());
        println!("let in: {} and {}", driver.pnp_add(), fixed.pnp_add());
    });
    println!("{driver:?}\n{fixed:?}");
}
