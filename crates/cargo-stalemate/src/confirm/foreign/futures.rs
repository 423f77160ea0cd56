//! How the sources of `tokio` are changed: its mutex and its lock for readers and writers are semaphores of one permit and
//! of many, and what they do with these is told. A lock that a future waits for is asked for by an `async fn`, which does not
//! know its caller: it becomes a function that does, and gives the same future.
//!
//! As elsewhere every place keeps its line. What was not found to change is seen by [`fits`]: then all stays as it is.

use super::rewrite::{PUBLIC, by_line, tracked};
use std::fs;
use std::path::Path;

/// Where the locks are, from the root of the package.
const SYNC: &str = "src/sync";

/// What the semaphores in a file are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    /// One permit: who has it writes.
    Mutex,
    /// One permit for each reader, and all for a writer.
    RwLock,
    /// Permits for anything, which nobody holds.
    Permits,
}

impl Means {
    /// By the path below the folder of locks, with the name of the field that is the semaphore.
    fn of(path: &Path) -> Option<(Means, &'static str)> {
        let path = path.strip_prefix(SYNC).ok()?;
        match path.to_str()? {
            "mutex.rs" => Some((Means::Mutex, "s")),
            "semaphore.rs" => Some((Means::Permits, "ll_sem")),
            "rwlock.rs" => Some((Means::RwLock, "s")),
            _ if path.starts_with("rwlock") => Some((Means::RwLock, "s")),
            _ => None,
        }
    }

    /// What is called in the place of a method with these arguments, before the closure that calls it.
    fn told(self, method: &str, arguments: &str) -> Option<&'static str> {
        let is_part = arguments.contains("- 1") || arguments == "to_release";
        Some(match (self, method) {
            (Means::Permits, "acquire") => "stalemate_permits(",
            (Means::Permits, _) => "stalemate_step(",
            (Means::RwLock, "release") if is_part => "stalemate_downgrade(",
            (Means::RwLock, "acquire") if arguments == "1" => "stalemate_acquire(::stalemate_rt::tasks::Mode::Read, ",
            (Means::RwLock, "try_acquire") if arguments == "1" => "stalemate_try(::stalemate_rt::tasks::Mode::Read, ",
            (Means::RwLock, "release") if arguments == "1" => "stalemate_release(::stalemate_rt::tasks::Mode::Read, ",
            (_, "acquire") => "stalemate_acquire(::stalemate_rt::tasks::Mode::Write, ",
            (_, "try_acquire") => "stalemate_try(::stalemate_rt::tasks::Mode::Write, ",
            (_, "release") => "stalemate_release(::stalemate_rt::tasks::Mode::Write, ",
            _ => return None,
        })
    }
}

const METHODS: [&str; 3] = ["acquire", "try_acquire", "release"];

/// A file of the package, by its path in there.
pub fn rewritten(path: &Path, text: String) -> String {
    if path == Path::new(SYNC).join("notify.rs") {
        return notices(&text);
    }
    let Some((means, field)) = Means::of(path) else { return text };
    let text = by_line(&text, |line| blocking(&calls(line, means, field)));
    let mut is_imported = !text.contains(".stalemate_");
    let text = by_line(&text, |line| {
        if is_imported || !line.starts_with("use ") {
            return line.to_owned();
        }
        is_imported = true;
        format!("use ::stalemate_rt::tasks::Tell as _; {line}")
    });
    tracked(&with_places(&text), PUBLIC)
}

/// Whether a copy tells of everything: with a release that is told and a lock that is not, nothing would be right.
pub fn fits(copy: &Path) -> bool {
    let text = |name: &str| fs::read_to_string(copy.join(SYNC).join(name)).unwrap_or_default();
    let mutex = text("mutex.rs");
    let rwlock = text("rwlock.rs");
    let has = |text: &str, parts: &[&str]| parts.iter().all(|part| text.contains(part));
    let takes = ["tasks::at(", "stalemate_acquire(", "stalemate_try("];
    let both =
        ["stalemate_acquire(::stalemate_rt::tasks::Mode::Read", "stalemate_acquire(::stalemate_rt::tasks::Mode::Write"];
    let gives =
        |name: &str, mode: &str| text(name).contains(&format!("stalemate_release(::stalemate_rt::tasks::Mode::{mode}"));
    let is_whole = |text: &str| {
        !text.contains("async fn lock") && !text.contains("async fn read") && !text.contains("async fn write")
    };
    has(&mutex, &takes)
        && mutex.contains("stalemate_release(")
        && has(&rwlock, &takes[..2])
        && has(&rwlock, &both)
        && gives("rwlock/read_guard.rs", "Read")
        && gives("rwlock/write_guard.rs", "Write")
        && is_whole(&code(&mutex))
        && is_whole(&code(&rwlock))
}

/// Without what is said about it.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// `s.release(1)` becomes `s.stalemate_release(MODE, |stalemate| stalemate.release(1))`.
fn calls(line: &str, means: Means, field: &str) -> String {
    METHODS.iter().fold(line.to_owned(), |line, method| {
        let call = format!("{field}.{method}(");
        let Some(at) = line.find(&call).filter(|at| !line[..*at].ends_with(is_word)) else { return line };
        let front = at + field.len() + 1;
        let open = at + call.len();
        let Some(length) = closing(&line[open..]) else { return line };
        let arguments = &line[open..open + length];
        let Some(told) = means.told(method, arguments) else { return line };
        let rest = &line[open + length + 1..];
        format!("{}{told}|stalemate| stalemate.{method}({arguments})){rest}", &line[..front])
    })
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Where the parenthesis is closed that was opened before.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, char)| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        (depth == 0).then_some(at)
    })
}

/// A call that blocks is known as a wait of its thread.
fn blocking(line: &str) -> String {
    const CALL: &str = "crate::future::block_on(";
    let inside = line.trim().strip_prefix(CALL).and_then(|rest| rest.strip_suffix(')'));
    match inside {
        Some(inside) => line.replace(inside, &format!("::stalemate_rt::tasks::blocking({inside})")),
        None => line.to_owned(),
    }
}

/// `pub async fn` becomes `pub fn`, with the future as what it gives, and the caller's place around that.
fn with_places(text: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for start in 0..lines.len() {
        if lines[start].trim_start().starts_with("pub async fn ") {
            place(&mut lines[start..]);
        }
    }
    lines.concat()
}

/// Of a function that begins on the first of these lines: where its body begins, where that ends, and how that looks.
fn body(lines: &[String]) -> Option<(usize, usize, String)> {
    let indent = &lines[0][..lines[0].len() - lines[0].trim_start().len()];
    let end = format!("{indent}}}");
    let head = lines.iter().position(|line| line.trim_end().ends_with('{'))?;
    let tail = lines.iter().position(|line| line.trim_end() == end)?;
    Some((head, tail, end))
}

/// For a function that begins on the first of these lines.
fn place(lines: &mut [String]) -> Option<()> {
    let (head, tail, end) = body(lines)?;
    let (front, result) = lines[head].trim_end().trim_end_matches('{').rsplit_once("-> ")?;
    let new_head = format!(
        "{front}-> impl ::core::future::Future<Output = {}> {{ let stalemate_place = ::core::panic::Location::caller(); \
         ::stalemate_rt::tasks::at(stalemate_place, async move {{\n",
        result.trim()
    );
    let new_tail = format!("{end}) }}\n");
    lines[head] = new_head;
    lines[tail] = new_tail;
    lines[0] = lines[0].replacen("pub async fn ", "pub fn ", 1);
    Some(())
}

/// Who waits to be notified, and who notifies. All of it is found, or nothing is changed.
fn notices(text: &str) -> String {
    const POLLS: [&str; 2] = ["self.poll_notified(Some(cx))", "self.poll_notified(Some(cx.waker()))"];
    let is_type = |line: &str| ["pub struct Notified<'a> {", "pub struct OwnedNotified {"].contains(&line);
    let is_made = |line: &str| ["Notified {", "OwnedNotified {"].contains(&line);
    let count = |is_it: &dyn Fn(&str) -> bool| text.lines().filter(|line| is_it(line.trim())).count();
    let types = count(&is_type);
    if types == 0 || count(&is_made) != types || count(&|line| POLLS.contains(&line)) != types {
        return text.to_owned();
    }
    let text = by_line(text, |line| {
        let (code, start) = (line.trim(), line.trim_end());
        match code {
            _ if is_type(code) => format!("{start} stalemate: ::stalemate_rt::tasks::Notice,\n"),
            _ if is_made(code) => format!("{start} stalemate: ::stalemate_rt::tasks::Notice::here(),\n"),
            _ if POLLS.contains(&code) => format!(
                "let stalemate = self.stalemate.begin(&*self.notify as *const _ as usize, cx); \
                 stalemate.end(::stalemate_rt::tasks::unseen(|| {code}))\n"
            ),
            _ => line.to_owned(),
        }
    });
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for start in 0..lines.len() {
        let code = lines[start].trim();
        if code.starts_with("pub fn notify_") && code.ends_with("(&self) {") {
            notifies(&mut lines[start..]);
        }
    }
    tracked(&lines.concat(), PUBLIC)
}

fn notifies(lines: &mut [String]) -> Option<()> {
    let (head, tail, end) = body(lines)?;
    let start = lines[head].trim_end();
    lines[head] = format!("{start} ::stalemate_rt::tasks::notifies(self as *const _ as usize, || {{\n");
    lines[tail] = format!("{end}) }}\n");
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutex(text: &str) -> String {
        rewritten(Path::new("src/sync/mutex.rs"), text.to_owned())
    }

    #[test]
    fn calls_of_the_semaphore_are_told() {
        let read = calls("self.s.acquire(1).await", Means::RwLock, "s");
        let told =
            "self.s.stalemate_acquire(::stalemate_rt::tasks::Mode::Read, |stalemate| stalemate.acquire(1)).await";
        assert_eq!(read, told);
        let write = calls("match self.s.try_acquire(self.mr as usize) {", Means::RwLock, "s");
        assert!(write.contains("Mode::Write, |stalemate| stalemate.try_acquire(self.mr as usize)) {"), "{write}");
        assert!(calls("s.release((self.mr - 1) as usize);", Means::RwLock, "s").contains("s.stalemate_downgrade("));
        assert!(
            calls("self.s.release(1);", Means::Mutex, "s")
                .contains("stalemate_release(::stalemate_rt::tasks::Mode::Write")
        );
        for line in ["self.acquire().await;", "self.locks.release(1);", "s.acquire(1", "self.s.close();"] {
            assert_eq!(calls(line, Means::Mutex, "s"), line);
        }
    }

    #[test]
    fn async_functions_know_their_callers_and_lines_stay() {
        let text = "use std::fmt;\nimpl M {\n    /// pub async fn lock()\n    pub async fn lock(&self) -> Guard<'_, T> {\n        \
                    self.s.acquire(1).await\n    }\n    pub fn blocking_lock(&self) -> Guard<'_, T> {\n        \
                    crate::future::block_on(self.lock())\n    }\n}\n";
        let new = mutex(text);
        assert_eq!(new.lines().count(), text.lines().count());
        let line = |number: usize| new.lines().nth(number - 1).unwrap();
        assert!(line(4).starts_with(
            "    #[track_caller] pub fn lock(&self) -> impl ::core::future::Future<Output = Guard<'_, T>> {"
        ));
        assert!(line(4).ends_with("async move {"));
        assert_eq!(line(6), "    }) }");
        assert_eq!(line(8).trim(), "crate::future::block_on(::stalemate_rt::tasks::blocking(self.lock()))");
        assert!(line(1).starts_with("use ::stalemate_rt::tasks::Tell as _; use std::fmt;"));
    }

    #[test]
    fn what_is_not_recognised_does_not_fit() {
        let directory = tempfile::tempdir().unwrap();
        let copy = directory.path();
        fs::create_dir_all(copy.join("src/sync/rwlock")).unwrap();
        let write = |name: &str, text: &str| {
            let path = Path::new(SYNC).join(name);
            fs::write(copy.join(&path), rewritten(&path, text.to_owned())).unwrap();
        };
        let one = "    pub async fn NAME(&self) -> G {\n        self.s.acquire(WITH).await\n    }\n    pub fn t() {\n        self.s.try_acquire(1)\n    }\n";
        let takes = |name: &str, with: &str| one.replace("NAME", name).replace("WITH", with);
        write("mutex.rs", &format!("{}self.s.release(1);\n", takes("lock", "1")));
        write("rwlock.rs", &(takes("read", "1") + &takes("write", "self.mr")));
        write("rwlock/read_guard.rs", "self.s.release(1);\n");
        write("rwlock/write_guard.rs", "self.s.release(self.permits_acquired);\n");
        assert!(fits(copy));
        write("rwlock/write_guard.rs", "self.s.give_back(self.permits_acquired);\n");
        assert!(!fits(copy));
        write("rwlock/write_guard.rs", "self.s.release(self.permits_acquired);\n");
        write("mutex.rs", "    async fn lock(&self) {}\n");
        assert!(!fits(copy));
    }

    #[test]
    fn who_notifies_is_told_if_all_is_found() {
        let text = "pub struct Notified<'a> {\n    notify: &'a Notify,\n}\nimpl Notify {\n    pub fn notified(&self) -> Notified<'_> {\n        \
                    Notified {\n            notify: self,\n        }\n    }\n    pub fn notify_one(&self) {\n        wake();\n    }\n}\n\
                    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {\n    self.poll_notified(Some(cx))\n}\n";
        let new = rewritten(Path::new("src/sync/notify.rs"), text.to_owned());
        assert_eq!(new.lines().count(), text.lines().count());
        for part in [
            "Notified<'a> { stalemate: ",
            "Notified { stalemate: ",
            "#[track_caller] pub fn notify_one",
            "|| {\n        wake();\n    }) }",
        ] {
            assert!(new.contains(part), "{part}\n{new}");
        }
        let other = text.replace("poll_notified(Some(cx))", "poll_other(cx)");
        assert_eq!(rewritten(Path::new("src/sync/notify.rs"), other.clone()), other);
    }
}
