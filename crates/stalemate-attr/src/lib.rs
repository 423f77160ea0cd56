//! Attributes for people's own code. Each leaves the item as it is and adds a mark that only Stalemate's driver reads: an
//! attribute of a tool that rustc knows and does not ask. So they cost nothing at run time, and need no feature and no
//! nightly compiler.
//!
//! Written with the compiler's own token streams alone: a parser would cost every user seconds of compile time.

mod guarded;
mod items;
mod locks;

use crate::items::{marked, other_than_function, reason_in, refused};
use proc_macro::TokenStream;

/// The function is meant to be atomic: whatever other threads do meanwhile, it does the same as if it ran alone.
///
/// The lint `not_atomic` reports it if it is not, with the step that breaks it.
///
/// ```
/// use stalemate_attr::atomic;
/// use std::sync::Mutex;
///
/// struct Account { balance: Mutex<u64> }
///
/// impl Account {
///     #[atomic]
///     fn deposit(&self, amount: u64) {
///         *self.balance.lock().unwrap() += amount;
///     }
/// }
/// ```
///
/// It stands on functions and methods, and takes no arguments:
///
/// ```compile_fail
/// #[stalemate_attr::atomic]
/// struct Account;
/// ```
#[proc_macro_attribute]
pub fn atomic(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(argument) = arguments.into_iter().next() {
        return refused(argument.span(), "`#[atomic]` takes no arguments", item);
    }
    match other_than_function(item.clone()) {
        Some(at) => refused(at, "`#[atomic]` says something of a function: put it on a `fn`", item),
        None => marked("stalemate_atomic", TokenStream::new(), item),
    }
}

/// What Stalemate finds in the function does no harm, for the reason that is given.
///
/// Findings are still in the report for machines, as accepted, with the reason.
///
/// ```
/// use stalemate_attr::benign;
/// use std::sync::Mutex;
///
/// #[benign(reason = "only the main thread calls it")]
/// fn bump(count: &Mutex<u32>) {
///     let before = *count.lock().unwrap();
///     *count.lock().unwrap() = before + 1;
/// }
/// ```
///
/// A reason has to be given:
///
/// ```compile_fail
/// #[stalemate_attr::benign]
/// fn bump() {}
/// ```
#[proc_macro_attribute]
pub fn benign(arguments: TokenStream, item: TokenStream) -> TokenStream {
    const EXPECTED: &str = "say why it does no harm: `#[benign(reason = \"..\")]`";
    if let Err(at) = reason_in(arguments.clone()) {
        return refused(at, EXPECTED, item);
    }
    match other_than_function(item.clone()) {
        Some(at) => refused(at, "`#[benign]` says something of a function: put it on a `fn`", item),
        None => marked("stalemate_benign", arguments, item),
    }
}

/// Whoever calls the function holds this lock.
///
/// The lint `not_atomic` reports a call that does not. In the function the lock counts as held.
///
/// ```
/// use stalemate_attr::{Guarded, requires};
/// use std::sync::Mutex;
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// #[derive(Guarded)]
/// struct Journal {
///     order: Mutex<()>,
///     #[guarded_by(order)]
///     last: AtomicU64,
/// }
///
/// impl Journal {
///     #[requires(self.order)]
///     fn next(&self) -> u64 {
///         let next = self.last.load(Relaxed) + 1;
///         self.last.store(next, Relaxed);
///         next
///     }
///
///     fn write(&self) -> u64 {
///         let _order = self.order.lock().unwrap();
///         self.next()
///     }
/// }
/// ```
///
/// The way to the lock starts at `self`, at a parameter, or it is the path of a static. Several are separated by commas:
///
/// ```compile_fail
/// #[stalemate_attr::requires(journal.order)]
/// fn next() {}
/// ```
#[proc_macro_attribute]
pub fn requires(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(at) = other_than_function(item.clone()) {
        return refused(at, "`#[requires]` says something of a function: put it on a `fn`", item);
    }
    let parameters = items::parameters(item.clone());
    match locks::required(arguments.clone(), &parameters) {
        Ok(()) => marked("stalemate_requires", arguments, item),
        Err(mistake) => refused(mistake.at, &mistake.message, item),
    }
}

/// For `#[guarded_by(lock)]` on fields of the struct: whoever uses the field holds that lock.
///
/// It is for what Rust's types do not tie to a lock: atomics that are used together, cells behind `unsafe impl Sync`, data
/// beside a `Mutex<()>`. The lint `not_atomic` reports a use of the field without the lock, unless nobody else can see it
/// there (`&mut self`, a struct that is just being made).
///
/// The way to the lock starts at the struct (`order`, `inner.order`; `self.` may stand before it), or it is the path of a
/// static:
///
/// ```
/// use stalemate_attr::Guarded;
/// use std::sync::Mutex;
/// use std::sync::atomic::AtomicU64;
///
/// static ORDER: Mutex<()> = Mutex::new(());
///
/// #[derive(Guarded)]
/// struct Journal {
///     order: Mutex<()>,
///     #[guarded_by(order)]
///     first: AtomicU64,
///     #[guarded_by(crate::ORDER)]
///     last: AtomicU64,
/// }
/// # fn main() {}
/// ```
///
/// A field that is not there is an error:
///
/// ```compile_fail
/// #[derive(stalemate_attr::Guarded)]
/// struct Journal {
///     #[guarded_by(order)]
///     last: u64,
/// }
/// ```
#[proc_macro_derive(Guarded, attributes(guarded_by))]
pub fn guarded(item: TokenStream) -> TokenStream {
    guarded::checked(item)
}
