//! `cargo stalemate doctor`: what a check needs, part by part, whether it is there, and the command that mends it. It
//! installs nothing and compiles nothing.

use crate::args::ProjectArgs;
use crate::cargo_args::CargoArgs;
use crate::config::Config;
use crate::driver::{self, Found};
use crate::errors::{Exit, Failure};
use crate::project::Project;
use crate::setup;
use crate::toolchain::{TOOLCHAIN, Toolchain};
use std::process::{Command, Stdio};

/// One part and how it is.
struct Part {
    name: &'static str,
    state: Result<String, Trouble>,
}

/// What is wrong, and the command that mends it.
struct Trouble {
    what: String,
    mend: String,
}

impl Trouble {
    fn new(what: impl Into<String>, mend: impl Into<String>) -> Trouble {
        Trouble { what: what.into(), mend: mend.into() }
    }
}

pub fn run(args: &ProjectArgs) -> Result<Exit, Failure> {
    let args = CargoArgs::new(args)?;
    let toolchain = Toolchain::find();
    let parts = [
        Part { name: "rustup", state: program("rustup", "install it from https://rustup.rs") },
        Part { name: "linker", state: program("cc", "install gcc or clang (Debian: apt install build-essential)") },
        Part { name: "toolchain", state: installed(&toolchain) },
        Part { name: "compiler libraries", state: libraries(&toolchain) },
        Part { name: "driver", state: driver_state(&toolchain) },
        Part { name: "project", state: project(&toolchain, &args) },
    ];
    for Part { name, state } in &parts {
        match state {
            Ok(how) => println!("ok       {name}: {how}"),
            Err(Trouble { what, mend }) => println!("missing  {name}: {what}\n         to mend it: {mend}"),
        }
    }
    Ok(if parts.iter().all(|part| part.state.is_ok()) { Exit::Clean } else { Exit::Setup })
}

fn program(name: &str, mend: &str) -> Result<String, Trouble> {
    let answer = Command::new(name).arg("--version").stderr(Stdio::null()).output();
    let words = answer.ok().filter(|answer| answer.status.success());
    let words =
        words.map(|answer| String::from_utf8_lossy(&answer.stdout).lines().next().unwrap_or_default().to_owned());
    words.ok_or_else(|| Trouble::new(format!("`{name}` does not run"), mend))
}

fn installed(toolchain: &Result<Toolchain, Failure>) -> Result<String, Trouble> {
    let missing = |_| Trouble::new(format!("{TOOLCHAIN} is not installed"), setup::toolchain_command().join(" "));
    toolchain.as_ref().map(|toolchain| toolchain.name().to_string_lossy().into_owned()).map_err(missing)
}

/// The driver is built with them; one that is there already needs them no more.
fn libraries(toolchain: &Result<Toolchain, Failure>) -> Result<String, Trouble> {
    let has = toolchain.as_ref().is_ok_and(Toolchain::has_compiler_libraries);
    match driver::find() {
        _ if has => Ok("rustc-dev is there".to_owned()),
        Ok(Found::Here(_)) => Ok("not needed, the driver is built".to_owned()),
        _ => Err(Trouble::new("the toolchain has no rustc-dev", setup::toolchain_command().join(" "))),
    }
}

fn driver_state(toolchain: &Result<Toolchain, Failure>) -> Result<String, Trouble> {
    const MEND: &str = "cargo stalemate setup";
    let path = match driver::find() {
        Ok(Found::Here(path)) => path,
        Ok(Found::ToBuild) => return Err(Trouble::new("it is not built yet", MEND)),
        Err(_) => {
            let what = format!("{} names a file that does not exist", driver::VARIABLE);
            return Err(Trouble::new(what, format!("unset {}", driver::VARIABLE)));
        }
    };
    let mut question = Command::new(&path);
    if let Ok(toolchain) = toolchain {
        let (variable, libraries) = toolchain.library_path();
        question.env(variable, libraries);
    }
    match driver::complaint(question.arg("--stalemate-version")) {
        None => Ok(path.display().to_string()),
        Some(says) => Err(Trouble::new(format!("{} does not run: {says}", path.display()), MEND)),
    }
}

fn project(toolchain: &Result<Toolchain, Failure>, args: &CargoArgs) -> Result<String, Trouble> {
    let Ok(toolchain) = toolchain else { return Ok("not looked at without the toolchain".to_owned()) };
    let trouble = |failure: &Failure| {
        let complaint = failure.complaints().remove(0);
        let mend = complaint.help.unwrap_or_else(|| "see above".to_owned());
        Trouble::new(complaint.text.trim_start_matches("error: "), mend)
    };
    let project = Project::load(toolchain, args).map_err(|failure| trouble(&failure))?;
    let settings = project.config.as_ref().map(Config::read).transpose();
    let of = project.config.as_ref().map(|table| table.manifest.clone()).unwrap_or_default();
    settings.map_err(|mistakes| trouble(&Failure::Config { manifest: of.clone(), mistakes }))?;
    let members = project.members.len();
    let settings =
        if project.config.is_some() { format!("settings in {}", of.display()) } else { "no settings".to_owned() };
    Ok(format!("{}: {members} package{}, {settings}", project.root.display(), if members == 1 { "" } else { "s" }))
}
