//! The same input gives the same bytes: whatever the number of jobs, the directory, or what was interrupted before.

use crate::project::Project;
use crate::samples::{CLEAN, LOST_UPDATE, LOW, STALE_USE};

/// Three members, with findings in two of them.
fn three(name: &str) -> Project {
    let workspace = Project::workspace(name, &[("one", LOST_UPDATE), ("two", CLEAN), ("three", LOW)]);
    workspace.file("three/src/bin/tool.rs", &format!("{STALE_USE}{LOST_UPDATE_MAIN}"))
}

/// A lost update in a binary, which cargo may check before or after its library.
const LOST_UPDATE_MAIN: &str = "
fn main() {
    static TOTAL: Mutex<i64> = Mutex::new(0);
    let total = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = total + order(&TOTAL, &TOTAL);
}
";

const ALL: &str = "--min-confidence low";

#[test]
fn the_number_of_jobs_does_not_show() {
    let project = three("jobs");
    let one = project.json(&format!("{ALL} -- -j1 --target-dir target/one")).exits(1);
    let two = project.json(&format!("{ALL} -- -j2 --target-dir target/two")).exits(1);
    assert!(one.compiled() && two.compiled(), "{one}\n{two}");
    assert_eq!(one.functions(), ["Account::deposit", "main", "Pair::copy"], "{one}");
    assert_eq!(one.document().run.packages, ["one", "three", "two"], "{one}");
    assert_eq!(one.stdout, two.stdout);
}

#[test]
fn the_directory_does_not_show() {
    let (here, there) = (three("directory"), three("another/directory below"));
    assert_eq!(here.json(ALL).exits(1).stdout, there.json(ALL).exits(1).stdout);
    assert_eq!(
        here.run(ALL).exits(1).stdout,
        there.run(&format!("{ALL} --manifest-path two/../Cargo.toml")).exits(1).stdout
    );
}

/// What the driver leaves is a function of what it is given: a cache of another machine may hand it out. What it keeps
/// for itself (`.seen`) is no output.
#[test]
fn the_driver_leaves_the_same_bytes_in_every_directory() {
    let (here, there) = (three("pure"), three("pure elsewhere/and deeper"));
    let left = |project: &Project| {
        project.json(ALL).exits(1);
        let mut files: Vec<(String, Vec<u8>)> = ["stalemate.json", "stalemate-store.json"]
            .iter()
            .flat_map(|end| project.files(end))
            .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let (one, other) = (left(&here), left(&there));
    assert!(one.iter().filter(|(name, _)| name.ends_with(".stalemate.json")).count() >= 4, "{:?}", one.len());
    assert!(one == other, "facts differ");
    for format in ["sarif", "github", "json"] {
        let report = |project: &Project| project.run(&format!("{ALL} --format {format}")).exits(1).stdout;
        assert_eq!(report(&here), report(&there), "{format}");
    }
    let pages = |project: &Project| {
        project.run(&format!("{ALL} --format html --output pages")).exits(1);
        std::fs::read(project.root.join("pages/index.html")).unwrap()
    };
    assert!(pages(&here) == pages(&there), "pages differ");
}

/// Killed with all its children, as a lost power supply or an impatient user would.
#[cfg(unix)]
mod interrupted {
    use super::{ALL, three};
    use crate::project::Project;
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    /// Starts a run and kills it some time after cargo has announced this many crates.
    fn interrupt(project: &Project, announced: usize, later: Duration) {
        let mut command = project.command();
        command.args(["--", "-j1"]).process_group(0).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut run = command.spawn().expect("the tool starts");
        let mut lines = BufReader::new(run.stderr.take().expect("standard error is piped")).lines();
        let mut is_announced = || lines.by_ref().map_while(Result::ok).any(|line| line.contains("Checking "));
        let seen = (0..announced).filter(|_| is_announced()).count();
        std::thread::sleep(later);
        let group = format!("-{}", run.id());
        let killed = Command::new("kill").args(["-KILL", "--", &group]).status().expect("kill starts");
        run.wait().expect("the run can be waited for");
        assert!(killed.success() && seen == announced, "it ended after {seen} crates");
    }

    #[test]
    fn a_run_that_was_killed_does_not_show() {
        let undisturbed = three("undisturbed").json(ALL).exits(1).stdout;
        for (announced, later) in [(1, 0), (1, 100), (2, 30), (3, 60)] {
            let project = three(&format!("killed_{announced}_{later}"));
            interrupt(&project, announced, Duration::from_millis(later));
            assert_eq!(project.json(ALL).exits(1).stdout, undisturbed);
        }
    }
}
