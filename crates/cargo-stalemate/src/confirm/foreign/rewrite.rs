//! How sources are changed, line by line, so that every place keeps its line. No parser is needed: what these crates write
//! is known, and [the tests](super) hold this against their published versions.

use super::Package;
use std::path::Path;

/// Files that a copy has beside the package's own: package, path, text.
pub const ADDED: &[(&str, &str, &str)] =
    &[("lock_api", "src/stalemate.rs", include_str!("../../../templates/lock_api.rs"))];

/// Put at the end of `remutex.rs`, for some versions keep the type to that file.
const REENTRANT: &str = include_str!("../../../templates/lock_api_reentrant.rs");

/// Methods of a raw lock that change who holds it, without `try_` and without `_for` and `_until`.
const CHANGING: &[&str] = &[
    "bump",
    "bump_exclusive",
    "bump_shared",
    "bump_upgradable",
    "downgrade",
    "downgrade_to_upgradable",
    "downgrade_upgradable",
    "lock",
    "lock_exclusive",
    "lock_shared",
    "lock_shared_recursive",
    "lock_upgradable",
    "unlock",
    "unlock_exclusive",
    "unlock_exclusive_fair",
    "unlock_fair",
    "unlock_shared",
    "unlock_shared_fair",
    "unlock_upgradable",
    "unlock_upgradable_fair",
    "upgrade",
];

/// Methods that look at it.
const LOOKING: &[&str] = &["is_locked", "is_locked_exclusive", "is_owned_by_current_thread"];

/// Whether anything is changed in this package.
pub fn is_known(package: &Package) -> bool {
    let starts = |starts: &[&str]| starts.iter().any(|start| package.version.starts_with(start));
    match package.name.as_str() {
        "lock_api" => starts(&["0.3.", "0.4."]),
        "parking_lot" => starts(&["0.10.", "0.11.", "0.12."]),
        "dashmap" => true,
        _ => false,
    }
}

/// A file of the package, by its path in there.
pub fn rewritten(package: &Package, path: &Path, text: String) -> String {
    let is = |name: &str| path == Path::new(name);
    match package.name.as_str() {
        "lock_api" if is("src/lib.rs") => with_module(&text),
        "lock_api" if is("src/mutex.rs") || is("src/rwlock.rs") => told(&text, "stalemate"),
        "lock_api" if is("src/remutex.rs") => told(&text, "stalemate_again") + "\n" + REENTRANT,
        "parking_lot" if is("src/condvar.rs") => condvar(&text),
        "dashmap" if path.starts_with("src") && path.extension().is_some_and(|end| end == "rs") => detached(&text),
        _ => text,
    }
}

/// Each line through a function, with its end as it was.
fn by_line(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    text.split_inclusive('\n').map(|line| if is_comment(line) { line.to_owned() } else { change(line) }).collect()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn with_module(text: &str) -> String {
    let module = "#[macro_use] #[doc(hidden)] #[allow(missing_docs)] pub mod stalemate; mod mutex;";
    by_line(text, |line| if line.trim() == "mod mutex;" { line.replace("mod mutex;", module) } else { line.to_owned() })
}

/// `raw.lock()` becomes `raw.stalemate().lock()`, and public methods know where they are called.
fn told(text: &str, by: &str) -> String {
    let mut is_imported = false;
    let text = by_line(text, |line| {
        let line = if line.contains("defer!(") { deferred(line, by) } else { calls(line, "raw", &format!("{by}()")) };
        if is_imported || !line.starts_with("use ") {
            return line;
        }
        is_imported = true;
        format!("use crate::stalemate::Tell as _; {line}")
    });
    tracked(&text, &["pub fn ", "pub unsafe fn "])
}

/// What is put off happens in a closure, which does not know who called the method.
fn deferred(line: &str, by: &str) -> String {
    let changed = calls(line, "raw", &format!("{by}_at(stalemate_place)"));
    let indent = &line[..line.len() - line.trim_start().len()];
    if changed == line {
        return changed;
    }
    format!("{indent}let stalemate_place = crate::stalemate::here(); {}", changed.trim_start())
}

/// Puts a call between a field and those of its methods that are to be told.
fn calls(line: &str, field: &str, with: &str) -> String {
    let field = format!(".{field}.");
    let mut parts = line.split(&field);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let method = &part[..part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len())];
        let rest = &part[method.len()..];
        new.push_str(&field);
        if rest.starts_with('(') && is_changing(method) {
            new.push_str(&format!("{with}."));
            new.push_str(part);
        } else if let Some(rest) = rest.strip_prefix("()").filter(|_| LOOKING.contains(&method)) {
            new.push_str(&format!("{with}.look(|raw| raw.{method}()){rest}"));
        } else {
            new.push_str(part);
        }
    }
    new
}

fn is_changing(method: &str) -> bool {
    let plain = method.strip_prefix("try_").unwrap_or(method);
    let plain = plain.strip_suffix("_for").or_else(|| plain.strip_suffix("_until")).unwrap_or(plain);
    CHANGING.contains(&plain)
}

/// `#[track_caller]` for functions that begin like this and do not have it.
fn tracked(text: &str, starts: &[&str]) -> String {
    let mut has_it = false;
    by_line(text, |line| {
        let code = line.trim_start();
        if code.starts_with("#[") {
            has_it |= code.starts_with("#[track_caller]");
            return line.to_owned();
        }
        let has_it = std::mem::take(&mut has_it);
        if has_it || !starts.iter().any(|start| code.starts_with(start)) {
            return line.to_owned();
        }
        format!("{}#[track_caller] {code}", &line[..line.len() - code.len()])
    })
}

/// All there are in code of today.
const FUNCTIONS: &[&str] =
    &["pub fn ", "pub unsafe fn ", "pub(crate) fn ", "pub(crate) unsafe fn ", "fn ", "unsafe fn "];

/// The condition variable of `parking_lot`: each of its ways to wait ends in one function.
fn condvar(text: &str) -> String {
    const WAIT: &str =
        "fn wait_until_internal(&self, mutex: &RawMutex, timeout: Option<Instant>) -> WaitTimeoutResult {";
    const ADDRESS: &str = "self as *const _ as usize, ::core::panic::Location::caller()";
    let notified = |line: &str, name: &str| {
        format!(
            "{} if let Some(woken) = ::stalemate_rt::foreign::{name}({ADDRESS}) {{ return woken; }}\n",
            line.trim_end()
        )
    };
    let text = by_line(text, |line| match line.trim() {
        "pub fn notify_one(&self) -> bool {" => notified(line, "notify_one"),
        "pub fn notify_all(&self) -> usize {" => notified(line, "notify_all"),
        WAIT => format!("{} {WAITED}\n", line.trim_end()),
        _ => line.to_owned(),
    });
    tracked(&text, FUNCTIONS)
}

const WAITED: &str = "\
    let stalemate_lock = ::stalemate_rt::foreign::Foreign::new(\
        mutex, ::stalemate_rt::foreign::Own::Blocks, ::core::panic::Location::caller()); \
    let stalemate_wait = ::stalemate_rt::foreign::wait(\
        self as *const _ as usize, stalemate_lock, timeout, \
        || unsafe { ::lock_api::RawMutex::unlock(mutex) }, \
        || ::lock_api::RawMutex::try_lock(mutex), || ::lock_api::RawMutex::lock(mutex)); \
    if let Some(timed_out) = stalemate_wait { return WaitTimeoutResult(timed_out); }";

/// The maps of `dashmap`: the user's call is the place of what they do. Guards without data let the raw lock go themselves.
fn detached(text: &str) -> String {
    let text = by_line(text, |line| calls(line, "lock", "stalemate()"));
    let is_told = text.contains(".lock.stalemate()");
    let mut is_imported = !is_told;
    let text = by_line(&text, |line| {
        if is_imported || !line.starts_with("use ") {
            return line.to_owned();
        }
        is_imported = true;
        format!("use lock_api::stalemate::Tell as _; {line}")
    });
    tracked(&text, FUNCTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_raw_lock_are_told() {
        assert_eq!(calls("self.raw.lock();", "raw", "stalemate()"), "self.raw.stalemate().lock();");
        let line = "if unsafe { s.rwlock.raw.try_upgrade_for(timeout) } {";
        let told = "if unsafe { s.rwlock.raw.stalemate().try_upgrade_for(timeout) } {";
        assert_eq!(calls(line, "raw", "stalemate()"), told);
        assert_eq!(calls("self.raw.is_locked()", "raw", "told()"), "self.raw.told().look(|raw| raw.is_locked())");
        for line in ["&self.raw", "self.raw.get_mut()", "self.raw.lock_count", "draw.lock()"] {
            assert_eq!(calls(line, "raw", "stalemate()"), line);
        }
    }

    #[test]
    fn what_is_put_off_has_the_place_of_the_method() {
        let line = "    defer!(s.mutex.raw.lock());\n";
        let told = "    let stalemate_place = crate::stalemate::here(); defer!(s.mutex.raw.stalemate_at(stalemate_place).lock());\n";
        assert_eq!(deferred(line, "stalemate"), told);
        assert_eq!(deferred("defer!(other());\n", "stalemate"), "defer!(other());\n");
    }

    #[test]
    fn places_and_comments_stay() {
        let text = "/// self.raw.lock()\nuse a;\n\n#[track_caller]\n#[inline]\npub fn a() {}\n    pub fn b() { self.raw.unlock() }\n";
        let told = "/// self.raw.lock()\nuse crate::stalemate::Tell as _; use a;\n\n#[track_caller]\n#[inline]\npub fn a() {}\n    \
                    #[track_caller] pub fn b() { self.raw.stalemate().unlock() }\n";
        assert_eq!(super::told(text, "stalemate"), told);
    }

    #[test]
    fn a_condition_variable_asks_the_director_first() {
        let text = "    pub fn notify_one(&self) -> bool {\n        a\n";
        let told = condvar(text);
        assert!(
            told.starts_with("    #[track_caller] pub fn notify_one(&self) -> bool { if let Some(woken) = "),
            "{told}"
        );
        assert_eq!(told.lines().count(), 2);
    }
}
