//! How sources are changed, line by line, so that every place keeps its line. No parser is needed: what these crates write
//! is known, and [the tests](super) hold this against their published versions.

use super::{Package, futures};
use std::path::Path;

/// What is added to `lock_api`: for all versions, at the end for some, and to `remutex.rs`, which keeps its type to itself
/// in some.
const ADDED: &str = include_str!("../../../templates/locks/lock_api.rs");
const ADDED_0_4: &str = include_str!("../../../templates/locks/version_0_4.rs");
const ADDED_0_5: &str = include_str!("../../../templates/locks/version_0_5.rs");
const REENTRANT: &str = include_str!("../../../templates/locks/reentrant.rs");

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
        "lock_api" => starts(&["0.3.", "0.4.", "0.5."]),
        "parking_lot" => starts(&["0.10.", "0.11.", "0.12.", "0.13."]),
        "dashmap" => true,
        "tokio" => starts(&["1."]),
        _ => false,
    }
}

/// A file that the copy has beside the package's own.
pub fn added(package: &Package) -> Option<(&'static str, String)> {
    let rest = if package.version.starts_with("0.5.") { ADDED_0_5 } else { ADDED_0_4 };
    (package.name == "lock_api").then(|| ("src/stalemate.rs", format!("{ADDED}\n{rest}")))
}

/// A file of the package, by its path in there.
pub fn rewritten(package: &Package, path: &Path, text: String) -> String {
    let is = |name: &str| path == Path::new(name);
    match package.name.as_str() {
        "lock_api" if is("src/lib.rs") => with_module(&text),
        "lock_api" if is("src/mutex.rs") || is("src/rwlock.rs") => told(&text, "stalemate"),
        "lock_api" if is("src/remutex.rs") => told(&text, "stalemate_again") + "\n" + REENTRANT,
        "lock_api" if is("src/condvar.rs") => tracked(&text, FUNCTIONS),
        "parking_lot" if is("src/condvar.rs") || is("src/raw_condvar.rs") => condvar(&text),
        "tokio" => futures::rewritten(path, text),
        "dashmap" if path.starts_with("src") && path.extension().is_some_and(|end| end == "rs") => detached(&text),
        _ => text,
    }
}

/// Each line through a function, with its end as it was.
pub fn by_line(text: &str, mut change: impl FnMut(&str) -> String) -> String {
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
    let (mut is_imported, mut place, mut is_open) = (false, Place::Unknown, false);
    let text = by_line(text, |line| {
        place = place.after(line);
        let with = if place == Place::Known { format!("{by}_at(stalemate_place)") } else { format!("{by}()") };
        let mut line = told_line(line, &with, is_open);
        is_open = line.trim_end().ends_with(".raw");
        if place == Place::Begins && line.trim_end().ends_with('{') {
            place = Place::Known;
            line = format!("{} let stalemate_place = crate::stalemate::here();\n", line.trim_end());
        }
        if !is_imported && line.starts_with("use ") {
            is_imported = true;
            line = format!("use crate::stalemate::Tell as _; {line}");
        }
        line
    });
    tracked(&text, PUBLIC)
}

pub const PUBLIC: &[&str] = &["pub fn ", "pub unsafe fn "];

/// Whether it is known, at a line, where the method was called. A closure does not know it of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Unknown,
    /// In the head of a function that will know it.
    Begins,
    Known,
}

impl Place {
    fn after(self, line: &str) -> Place {
        let code = line.trim_start();
        let is_public = PUBLIC.iter().any(|start| code.starts_with(start));
        let is_other = FUNCTIONS.iter().any(|start| code.starts_with(start)) || code.starts_with("pub const ");
        if is_public {
            Place::Begins
        } else if is_other || line.starts_with("impl") {
            Place::Unknown
        } else {
            self
        }
    }
}

/// A call may stand on the line below its field.
fn told_line(line: &str, with: &str, is_open: bool) -> String {
    let code = line.trim_start();
    match code.strip_prefix('.').filter(|_| is_open) {
        Some(call) => {
            let joined = calls(&format!(".raw.{call}"), "raw", with);
            format!("{}{}", &line[..line.len() - code.len()], joined.trim_start_matches(".raw"))
        }
        None => calls(line, "raw", with),
    }
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
pub fn tracked(text: &str, starts: &[&str]) -> String {
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
    const WAIT: &str = "fn wait_until_internal(&self, mutex: &RawMutex, timeout: Option<Instant>) -> ";
    const ADDRESS: &str = "self as *const _ as usize, ::core::panic::Location::caller()";
    let with = |line: &str, code: &str| format!("{} {code}\n", line.trim_end());
    let notified =
        |name: &str| format!("if let Some(woken) = ::stalemate_rt::foreign::{name}({ADDRESS}) {{ return woken; }}");
    let text = by_line(text, |line| match line.trim().trim_start_matches("pub ") {
        "fn notify_one(&self) -> bool {" => with(line, &notified("notify_one")),
        "fn notify_all(&self) -> usize {" => with(line, &notified("notify_all")),
        code if code.strip_prefix(WAIT) == Some("WaitTimeoutResult {") => with(line, &waited(&OLD_CALLS)),
        code if code.strip_prefix(WAIT) == Some("bool {") => with(line, &waited(&NEW_CALLS)),
        _ => line.to_owned(),
    });
    tracked(&text, FUNCTIONS)
}

/// How the mutex is let go, tried and taken, and how it is said whether the time was over: before 0.13, and since.
type Calls = [&'static str; 4];
const OLD_CALLS: Calls = ["unlock(mutex)", "try_lock(mutex)", "lock(mutex)", "WaitTimeoutResult(timed_out)"];
const NEW_CALLS: Calls =
    ["unlock(mutex, crate::GuardMarker::new())", "try_lock(mutex).is_some()", "lock(mutex)", "timed_out"];

fn waited([unlock, attempt, lock, result]: &Calls) -> String {
    let (foreign, raw) = ("::stalemate_rt::foreign", "::lock_api::RawMutex");
    format!(
        "let stalemate_lock = {foreign}::Foreign::new(mutex, {foreign}::Own::Blocks, ::core::panic::Location::caller()); \
         let stalemate_wait = {foreign}::wait(self as *const _ as usize, stalemate_lock, timeout, \
         || unsafe {{ {raw}::{unlock} }}, || {raw}::{attempt}, || {{ {raw}::{lock}; }}); \
         if let Some(timed_out) = stalemate_wait {{ return {result}; }}"
    )
}

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
    fn closures_have_the_place_of_the_method() {
        let text = "use a;\npub fn f<F>()\nwhere\n    F: G,\n{\n    defer!(s.raw.lock());\n    s.x\n        .raw\n        \
                    .unlock()\n}\nfn drop() {\n    s.raw.unlock();\n";
        let told = "use crate::stalemate::Tell as _; use a;\n#[track_caller] pub fn f<F>()\nwhere\n    F: G,\n{ let \
                    stalemate_place = crate::stalemate::here();\n    defer!(s.raw.stalemate_at(stalemate_place).lock());\n    \
                    s.x\n        .raw\n        .stalemate_at(stalemate_place).unlock()\n}\nfn drop() {\n    \
                    s.raw.stalemate().unlock();\n";
        assert_eq!(super::told(text, "stalemate"), told);
    }

    #[test]
    fn places_and_comments_stay() {
        let text = "/// self.raw.lock()\nuse a;\n\n#[track_caller]\n#[inline]\npub fn a() {}\n    fn b() { self.raw.unlock() }\n";
        let told = "/// self.raw.lock()\nuse crate::stalemate::Tell as _; use a;\n\n#[track_caller]\n#[inline]\npub fn a() {}\n    \
                    fn b() { self.raw.stalemate().unlock() }\n";
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
