//! What commands cost, as the system counted it: the only place that asks the system.

use crate::failure::Failure;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// User and system, of all processes together.
    pub cpu_seconds: f64,
    /// The largest resident set of any one process. A MB is 2^20 bytes.
    pub peak_mb: f64,
}

/// All children of this process that have ended, with theirs, since it began.
#[cfg(unix)]
pub fn of_children() -> Result<Usage, Failure> {
    use nix::sys::resource::{UsageWho, getrusage};
    let counted = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| Failure::cannot("getrusage", error.into()))?;
    let times = [counted.user_time(), counted.system_time()];
    // Apple counts bytes, all others kilobytes.
    let per_mb = if cfg!(target_vendor = "apple") { 1024.0 * 1024.0 } else { 1024.0 };
    Ok(Usage {
        cpu_seconds: times.iter().map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6).sum(),
        peak_mb: counted.max_rss() as f64 / per_mb,
    })
}

#[cfg(not(unix))]
pub fn of_children() -> Result<Usage, Failure> {
    Err(Failure::NoMeasure)
}
