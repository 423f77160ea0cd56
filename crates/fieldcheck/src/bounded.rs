//! A program that is ended when its time is over, with all that it has started: a compiler that nobody waits for any more
//! would slow down whatever is measured next.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked whether it has ended.
const PACE: Duration = Duration::from_millis(20);

/// `None` if its time was over.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let end = Instant::now() + limit;
    let mut child = command.stdin(Stdio::null()).spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            stop(&mut child)?;
            return Ok(None);
        }
        thread::sleep(PACE);
    }
}

/// From the top: whoever is gone starts nothing new.
fn stop(child: &mut Child) -> io::Result<()> {
    let below = below(child.id(), &processes());
    child.kill()?;
    child.wait()?;
    below.into_iter().for_each(kill);
    Ok(())
}

#[cfg(unix)]
fn kill(process: u32) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // It may have ended by itself.
    let _ = i32::try_from(process).map(|process| kill(Pid::from_raw(process), Signal::SIGKILL));
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// All of the system, each with the one that started it. Where the system does not list them in files, only the program
/// itself is ended.
fn processes() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let process = |entry: std::fs::DirEntry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((number, parent(&line)?))
    };
    entries.filter_map(process).collect()
}

/// Of a line `12 (name) S 1 ..`. The name may hold anything, brackets too.
fn parent(line: &str) -> Option<u32> {
    let (_, behind) = line.rsplit_once(')')?;
    behind.split_whitespace().nth(1)?.parse().ok()
}

/// Those that it has started, and those that these have, parents first.
fn below(top: u32, processes: &[(u32, u32)]) -> Vec<u32> {
    let mut found = vec![top];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        found.extend(processes.iter().filter(|(_, its)| *its == parent).map(|(process, _)| process));
        at += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children() {
        assert_eq!(below(1, &[(5, 4), (2, 1), (4, 2), (9, 8), (3, 1)]), [2, 3, 4, 5]);
        assert_eq!(below(7, &[(2, 1)]), [0; 0]);
    }

    #[test]
    fn names_do_not_disturb() {
        assert_eq!(parent("12 (cargo) S 3 12 12 0"), Some(3));
        assert_eq!(parent("12 (a) b (c) R 45 1"), Some(45));
        assert_eq!(parent("nonsense"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_takes_too_long_is_ended_with_all_it_started() {
        let said = std::env::temp_dir().join(format!("fieldcheck-bounded-{}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 60 & echo $! > \"$0\"; wait"]).arg(&said);
        let start = Instant::now();
        assert_eq!(run(&mut command, Duration::from_millis(500)).unwrap(), None);
        assert!(start.elapsed() < Duration::from_secs(20));
        let sleeping: u32 = std::fs::read_to_string(&said).unwrap().trim().parse().unwrap();
        let state = |line: String| line.rsplit_once(')').map(|(_, behind)| behind.trim_start().chars().next());
        // Gone, or dead and not yet buried by whoever inherited it.
        let stat = || std::fs::read_to_string(format!("/proc/{sleeping}/stat")).ok().and_then(state).flatten();
        let end = Instant::now() + Duration::from_secs(10);
        while !matches!(stat(), None | Some('Z' | 'X')) {
            assert!(Instant::now() < end, "{sleeping} goes on");
            thread::sleep(PACE);
        }
        std::fs::remove_file(&said).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_tells_its_code() {
        let ended = run(Command::new("sh").args(["-c", "exit 3"]), Duration::from_secs(60)).unwrap();
        assert_eq!(ended.unwrap().code(), Some(3));
    }
}
