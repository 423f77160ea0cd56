//! What goes wrong in one place must not take the rest with it.

use rustc_middle::ty::TyCtxt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Turns a panic into its message, without the compiler's crash report. Where it is the compiler that gave up, it has
/// told so and counted an error; that is taken back, for the code is correct: work begins only where there are no errors.
pub fn quietly<T>(tcx: TyCtxt<'_>, work: impl FnOnce() -> T) -> Result<T, String> {
    let result = caught(work);
    if result.is_err() && tcx.dcx().has_errors().is_some() {
        tcx.dcx().reset_err_count();
    }
    result
}

fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        // The compiler tells its own faults itself, and throws something that has no words.
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "see above".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(caught(|| panic!("no such local")), Err::<(), _>("no such local".to_owned()));
        assert_eq!(caught(|| panic!("{}", 7)), Err::<(), _>("7".to_owned()));
        assert_eq!(caught(|| 3), Ok(3));
    }
}
