//! Programs that are given a time to end in.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked whether it has ended.
const PACE: Duration = Duration::from_millis(5);

/// What a program said; `None` for its code if it was ended, by us or by somebody else.
pub struct Said {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn run(command: &mut Command, limit: Duration) -> io::Result<Said> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let out = child.stdout.take().map(read);
    let err = child.stderr.take().map(read);
    let end = Instant::now() + limit;
    let code = loop {
        if let Some(status) = child.try_wait()? {
            break status.code();
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(PACE);
    };
    // Whoever it has started may hold the pipe open; what was said until then is enough.
    let text = |reader: Option<Reader>| reader.map(|reader| finished(reader, code.is_some())).unwrap_or_default();
    Ok(Said { code, stdout: text(out), stderr: text(err) })
}

type Reader = thread::JoinHandle<Vec<u8>>;

fn read(mut from: impl Read + Send + 'static) -> Reader {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

fn finished(reader: Reader, ended: bool) -> String {
    let end = Instant::now() + Duration::from_secs(2);
    while !ended && !reader.is_finished() && Instant::now() < end {
        thread::sleep(PACE);
    }
    let bytes = if ended || reader.is_finished() { reader.join().unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_ended() {
        let start = Instant::now();
        let said = run(Command::new("sleep").arg("60"), Duration::from_millis(50)).unwrap();
        assert!(said.code.is_none() && start.elapsed() < Duration::from_secs(10));
        let said = run(Command::new("sh").args(["-c", "echo a; exit 3"]), Duration::from_secs(10)).unwrap();
        assert_eq!((said.code, said.stdout.as_str()), (Some(3), "a\n"));
    }
}
