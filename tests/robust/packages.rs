//! Packages of every kind: code with errors, without the standard library, for other machines, with all that a workspace
//! can have.

use crate::project::{Project, Run};

const LOST_UPDATE: &str = "\
pub fn add(total: &std::sync::Mutex<u32>) {
    let n = *total.lock().unwrap();
    *total.lock().unwrap() = n + 1;
}
";

/// Each is an error at another stage of the compiler, behind code that comes near a lock.
const WRONG: &[(&str, &str)] = &[
    ("syntax", "pub fn broken( {"),
    ("name", "use std::sync::Mutexx;"),
    ("macro", "compile_error!(\"no\");"),
    ("type", "pub fn broken(lock: &std::sync::Mutex<u32>) -> String { *lock.lock().unwrap() }"),
    (
        "borrow",
        "pub fn broken(lock: &mut std::sync::Mutex<u32>) -> u32 { let g = lock.lock().unwrap(); *lock.get_mut().unwrap() = 1; *g }",
    ),
    ("constant", "pub const BROKEN: u32 = [1, 2][7];"),
    (
        "overflow",
        "pub fn broken<T>(t: T) where Option<T>: Endless {} pub trait Endless {} impl<T> Endless for T where Option<T>: Endless {} pub fn call() { broken(1) }",
    ),
];

fn never_crashes(run: Run) -> Run {
    run.never_says(&["panicked at", "internal compiler error", "overflowed its stack"])
}

#[test]
fn code_with_errors_is_told_and_nothing_crashes() {
    let members: Vec<(&str, String)> =
        WRONG.iter().map(|(name, code)| (*name, format!("{code}\n{LOST_UPDATE}"))).collect();
    let members: Vec<(&str, &str)> = members.iter().map(|(name, code)| (*name, &**code)).collect();
    let project = Project::workspace("robust_errors", &members);
    let run = never_crashes(project.run("-- --keep-going").exits(3));
    for (name, _) in WRONG {
        assert!(run.stderr.contains(&format!("could not compile `{name}`")), "{name}\n{run}");
    }
}

/// A library with macros of its own, a build script, a feature, and every kind of target; it aborts when it panics.
fn with_everything(name: &str) -> Project {
    let root =
        "[workspace]\nresolver = \"3\"\nmembers = [\"macros\", \"user\", \"bare\"]\n[profile.dev]\npanic = \"abort\"\n";
    let user = "build = \"build.rs\"\n[features]\nmore = []\n[dependencies]\nmacros = { path = \"../macros\" }\n\
                [lib]\ncrate-type = [\"rlib\", \"cdylib\", \"staticlib\"]\n[[bench]]\nname = \"speed\"\nharness = false\n";
    let library = format!(
        "{LOST_UPDATE}pub mod made {{ include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")); }}\nmacros::make!();\n\
         #[cfg(feature = \"more\")]\npub mod more {{ {LOST_UPDATE} }}\n#[cfg(test)]\nmod tests {{ #[test]\nfn adds() {{ super::add(&Default::default()); }} }}\n"
    );
    let macros = format!(
        "use proc_macro::TokenStream;\n#[proc_macro]\npub fn make(_: TokenStream) -> TokenStream {{\n\
         \"pub mod made_by_macro {{ {} }}\".parse().unwrap()\n}}\n",
        LOST_UPDATE.replace('\n', " ")
    );
    let script = "fn main() {\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    \
                  std::fs::write(format!(\"{out}/made.rs\"), SOURCE).unwrap();\n}\nconst SOURCE: &str = r#\"";
    let main = format!("{LOST_UPDATE}fn main() {{ add(&Default::default()); user::add(&Default::default()); }}\n");
    let bare = "#![no_std]\nuse core::sync::atomic::{AtomicBool, Ordering};\npub static BUSY: AtomicBool = AtomicBool::new(false);\n\
                pub fn enter() -> bool {\n    if BUSY.load(Ordering::Acquire) {\n        return false;\n    }\n    \
                BUSY.store(true, Ordering::Release);\n    true\n}\n";
    Project::new(name)
        .file("Cargo.toml", root)
        .member("macros", "[lib]\nproc-macro = true\n", &macros)
        .member("user", user, &library)
        .member("bare", "", bare)
        .file("user/build.rs", &format!("{script}{LOST_UPDATE}\"#;\n"))
        .file("user/src/main.rs", &main)
        .file("user/examples/show.rs", &main)
        .file("user/benches/speed.rs", &main)
        .file("user/tests/outer.rs", &main.replace("fn main", "#[test]\nfn runs"))
}

/// Each function once. What a macro of another crate made is not for its user to mend, and is not among them.
fn named(run: &Run) -> Vec<String> {
    let mut functions = run.functions();
    functions.sort();
    functions.dedup();
    functions
}

#[test]
fn all_targets_with_all_features_are_checked() {
    let project = with_everything("robust_everything");
    let run = never_crashes(project.json("-- --workspace --all-targets --all-features").exits(1));
    let document = run.document();
    assert!(document.run.skipped.is_empty(), "{run}");
    assert_eq!(document.run.packages, ["bare", "macros", "user"], "{run}");
    assert_eq!(named(&run), ["add", "made::add", "more::add"], "{run}");
    assert_eq!(project.json("-- --workspace --all-targets --all-features").exits(1).stdout, run.stdout);
}

/// Those that the pinned toolchain has a standard library for: this machine's, named outright, and whatever was added.
fn installed_targets() -> Vec<String> {
    let output = std::process::Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc runs");
    let sysroot = String::from_utf8(output.stdout).expect("the sysroot is valid UTF-8");
    let all = std::fs::read_dir(std::path::Path::new(sysroot.trim()).join("lib/rustlib")).expect("it has targets");
    let all = all.map(|entry| entry.expect("entries can be read")).filter(|entry| {
        let library = std::fs::read_dir(entry.path().join("lib"));
        library.is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-")))
        })
    });
    all.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn other_targets_are_checked() {
    let targets = installed_targets();
    assert!(!targets.is_empty(), "not even this machine's");
    let project = with_everything("robust_targets");
    for target in targets {
        let run = never_crashes(project.json(&format!("-- --workspace --lib --target {target}")).exits(1));
        let document = run.document();
        assert!(document.run.skipped.is_empty(), "{target}\n{run}");
        assert_eq!(named(&run), ["add", "made::add"], "{target}\n{run}");
    }
}
