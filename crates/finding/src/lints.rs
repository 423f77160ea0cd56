//! The names of the lints, so that a front-end can refuse a misspelt one before anything is compiled.
//! The lint library's registry is tested to hold exactly these.

/// Every lint, in the order of the documentation.
pub const NAMES: &[&str] = &[
    "stale_value",
    "check_then_act",
    "stale_after_wait",
    "wait_without_recheck",
    "split_atomic",
    "not_atomic",
    "inconsistent_guard",
    "racy_access",
    "double_lock",
    "lock_order",
    "wait_holding_lock",
    "lost_wakeup",
    "guard_across_await",
    "stale_use",
];
