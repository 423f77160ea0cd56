//! Crates of one workspace: what one of them knows of another goes through a store on disk, which may be missing, damaged
//! or left over.

use crate::project::{Project, Run};
use std::fs;
use std::path::PathBuf;

/// A type whose every method is right by itself.
const DOOR: &str = "use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    Closed,
}

pub struct Door {
    status: Mutex<Status>,
    visits: Mutex<u32>,
}

impl Door {
    pub fn status(&self) -> Status {
        *self.status.lock().unwrap()
    }

    pub fn update(&self, to: Status) {
        *self.status.lock().unwrap() = to;
    }

    pub fn close_if_open(&self) {
        let mut status = self.status.lock().unwrap();
        if *status == Status::Open {
            *status = Status::Closed;
        }
    }

    pub fn visits(&self) -> u32 {
        *self.visits.lock().unwrap()
    }

    pub fn set_visits(&self, to: u32) {
        *self.visits.lock().unwrap() = to;
    }
}
";

/// Who uses it in two steps.
const HOUSE: &str = "use door::{Door, Status};

pub fn close(door: &Door) {
    if door.status() == Status::Open {
        door.update(Status::Closed);
    }
}

pub fn close_in_one(door: &Door) {
    if door.status() == Status::Open {
        door.close_if_open();
    }
}

pub fn visit(door: &Door) {
    let visits = door.visits();
    door.set_visits(visits + 1);
}
";

/// Asked and done in functions that are called: ranked low.
const ALL: &str = "--min-confidence low";

fn house(name: &str) -> Project {
    let root = Project::workspace(name, &[("door", DOOR)]);
    let root = root.file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"door\", \"house\"]\n");
    root.member("house", "[dependencies]\ndoor = { path = \"../door\" }\n", HOUSE)
}

fn store_of(project: &Project, package: &str) -> PathBuf {
    let mut found = project.files(".stalemate-store.json");
    found.retain(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("lib{package}-")))
    });
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Checks the second crate anew, with what is on disk of the first.
fn again(project: &Project) -> Run {
    let source = project.root.join("house/src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    fs::write(&source, format!("{text}// looked at again\n")).unwrap();
    project.json(ALL)
}

#[test]
fn a_check_and_an_act_of_another_crate_are_seen() {
    let run = house("between crates").json(ALL).exits(1);
    assert_eq!(run.functions(), ["close", "visit"], "{run}");
    let interferers: Vec<&str> = run
        .document()
        .findings
        .iter()
        .flat_map(|finding| &finding.trace)
        .filter(|step| step.thread == finding::Thread::B)
        .map(|step| if step.place.file == "door/src/lib.rs" { "door" } else { "elsewhere" })
        .collect();
    assert_eq!(interferers, ["door", "door"], "{run}");
}

#[test]
fn the_text_shows_the_place_in_the_other_crate() {
    let run = house("between crates text").run(ALL).exits(1);
    assert!(run.stdout.contains("--> door/src/lib.rs:20:9"), "{run}");
}

#[test]
fn a_missing_or_damaged_store_is_survived() {
    let project = house("store damaged");
    project.json(ALL).exits(1);
    let store = store_of(&project, "door");
    let good = fs::read(&store).unwrap();
    for bad in
        [None, Some(&b""[..]), Some(&good[..good.len() / 2]), Some(&b"{\"validity\":[]}"[..]), Some(&[0xff; 64][..])]
    {
        match bad {
            Some(bytes) => fs::write(&store, bytes).unwrap(),
            None => fs::remove_file(&store).unwrap(),
        }
        let run = again(&project).exits(0);
        assert_eq!(run.functions(), [""; 0], "{run}");
    }
    fs::write(&store, good).unwrap();
    assert_eq!(again(&project).exits(1).functions(), ["close", "visit"]);
}

#[test]
fn a_damaged_store_is_written_anew_with_the_crate() {
    let project = house("store mended");
    project.json(ALL).exits(1);
    let store = store_of(&project, "door");
    let good = fs::read(&store).unwrap();
    fs::write(&store, &good[..good.len() / 2]).unwrap();
    let project = project.file("door/src/lib.rs", DOOR);
    let run = again(&project).exits(1);
    assert_eq!(run.functions(), ["close", "visit"], "{run}");
    assert_eq!(fs::read(&store).unwrap(), good);
}

#[test]
fn a_store_of_an_older_source_is_not_used() {
    let project = house("store outdated");
    project.json(ALL).exits(1);
    let store = store_of(&project, "door");
    let old = fs::read(&store).unwrap();
    // The new door does both in one step, so the house is right with it.
    let mended = DOOR.replace("*self.status.lock().unwrap() = to;", "self.close_if_open(); let _ = to;");
    let project = project.file("door/src/lib.rs", &mended);
    assert_eq!(project.json(ALL).exits(1).functions(), ["visit"]);
    fs::write(&store, old).unwrap();
    let run = again(&project).exits(0);
    assert_eq!(run.functions(), [""; 0], "{run}");
}

#[test]
fn jobs_and_order_do_not_show() {
    let project = house("store jobs");
    let one = project.json("--min-confidence low -- -j1 --target-dir target/one").exits(1);
    let two = project.json("--min-confidence low -- -j2 --target-dir target/two").exits(1);
    let alone = project.json("--min-confidence low -- -p house -p door --target-dir target/three").exits(1);
    assert_eq!(one.stdout, two.stdout);
    assert_eq!(one.stdout, alone.stdout);
}

/// A dependency is no member of the workspace: cargo compiles it with the plain compiler, unless asked.
#[test]
fn dependencies_are_looked_into_when_asked() {
    let root = Project::new("with dependencies")
        .file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"house\"]\nexclude = [\"door\"]\n");
    let root = root.member("door", "[workspace]\n", DOOR);
    let project = root.member("house", "[dependencies]\ndoor = { path = \"../door\" }\n", HOUSE);
    project.json(ALL).exits(0);
    let run = project.json("--with-dependencies --min-confidence low").exits(1);
    assert_eq!(run.functions(), ["close", "visit"], "{run}");
    assert_eq!(run.document().run.packages, ["house"], "{run}");
    project.json(ALL).exits(0);
}

/// Two locks that others can take.
const VAULT: &str = "use std::sync::Mutex;

pub struct Vault {
    pub gold: Mutex<u32>,
    pub silver: Mutex<u32>,
}

impl Vault {
    pub fn weigh(&self) -> u32 {
        let gold = self.gold.lock().unwrap();
        *gold + *self.silver.lock().unwrap()
    }
}
";

/// Who takes them the other way round.
const BANK: &str = "use vault::Vault;

pub fn swap(vault: &Vault) {
    let mut silver = vault.silver.lock().unwrap();
    let mut gold = vault.gold.lock().unwrap();
    std::mem::swap(&mut *gold, &mut *silver);
}
";

#[test]
fn locks_that_two_crates_take_in_two_orders() {
    let root = Project::workspace("two_orders", &[("vault", VAULT)]);
    let root = root.file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"vault\", \"bank\"]\n");
    let project = root.member("bank", "[dependencies]\nvault = { path = \"../vault\" }\n", BANK);
    let run = project.run("-- --workspace").exits(1);
    run.says(&[
        "warning[lock_order]: this waits for `vault.gold` with `vault.silver` held",
        "bank/src/lib.rs:5:20",
        "vault/src/lib.rs:10",
        "thread B takes `self.gold`, in `Vault::weigh`",
        "and thread B waits for `self.silver`",
    ]);
}
