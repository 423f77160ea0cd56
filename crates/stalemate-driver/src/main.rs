//! rustc with the lints of Stalemate. Cargo runs it in place of rustc for the members of a workspace
//! (`RUSTC_WORKSPACE_WRAPPER`), so its arguments are rustc's, behind the path of the rustc it stands in for.
//!
//! It works in two ways. Where a front-end has left its settings in the environment, all lints but ours are silent, the
//! findings go into a file, and cargo is told which inputs decide about them: the settings and this very binary. Where
//! there is no front-end, rustc shows the findings itself, as under Dylint; the golden tests run it so.
#![feature(rustc_private)]

extern crate rustc_abi;
extern crate rustc_driver;
extern crate rustc_hir;
extern crate rustc_index;
extern crate rustc_interface;
extern crate rustc_lint;
extern crate rustc_lint_defs;
extern crate rustc_middle;
extern crate rustc_session;
extern crate rustc_span;

mod arguments;
mod recording;
mod showing;

use std::process::ExitCode;

/// Pulls the allocator into the executable, where it takes the place of the C library's for the compiler too.
#[cfg(unix)]
#[used]
static ALLOCATOR: unsafe extern "C" fn(usize) -> *mut std::ffi::c_void = libmimalloc_sys::mi_malloc;

/// Bad settings in the environment: the front-end and the driver do not fit together.
const EXIT_SETTINGS: u8 = 70;

/// Set by the tests: write the rows of the models that lead nowhere into the file it names, and check nothing.
const LIST_UNRESOLVED: &str = "STALEMATE_LIST_UNRESOLVED_MODELS";

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().collect();
    if given.iter().any(|argument| argument == "--stalemate-version") {
        println!("{}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    let early = rustc_session::EarlyDiagCtxt::new(rustc_session::config::ErrorOutputType::default());
    rustc_driver::init_rustc_env_logger(&early);
    rustc_driver::install_ice_hook("the repository of stalemate", |_| ());
    match stalemate::config::from_front_end() {
        Ok(settings) => rustc_driver::catch_with_exit_code(|| run(&given, settings)),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(EXIT_SETTINGS)
        }
    }
}

/// rustc as it is: for build scripts, and for questions about the compiler.
struct Plain;

impl rustc_driver::Callbacks for Plain {}

fn run(given: &[String], settings: Option<finding::settings::Settings>) {
    let rustc = arguments::for_rustc(given, settings.as_ref());
    if let Some(file) = std::env::var_os(LIST_UNRESOLVED).filter(|_| arguments::is_checked(&rustc)) {
        return rustc_driver::run_compiler(&rustc, &mut showing::Unresolved { file: file.into() });
    }
    match settings {
        Some(settings) if arguments::is_checked(&rustc) => {
            rustc_driver::run_compiler(&rustc, &mut recording::Recording::new(settings));
        }
        Some(_) => rustc_driver::run_compiler(&rustc, &mut Plain),
        None => rustc_driver::run_compiler(&rustc, &mut showing::Showing),
    }
}
