//! Everything that can stop a run: its exit code, its one clear sentence, and how to mend it where we know.

mod request;

pub use request::Request;

use crate::config::{KEYS, Mistake};
use crate::report::html::Refused;
use crate::suggest::nearest;
use crate::toolchain::TOOLCHAIN;
use crate::{VERSION, driver, setup};
use finding::lints::NAMES;
use std::io::{self, Write};
use std::path::PathBuf;

/// The exit codes, which are a contract with scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    DoesNotCompile = 3,
    Setup = 4,
    Internal = 70,
}

#[derive(Debug)]
pub enum Failure {
    /// Clap has said it already.
    Arguments,
    MessageFormat,
    Request(Request),
    NoManifest {
        searched: PathBuf,
    },
    ManifestMissing {
        given: PathBuf,
    },
    ProjectUnreadable {
        cargo_says: String,
    },
    Config {
        manifest: PathBuf,
        mistakes: Vec<Mistake>,
    },
    CannotKeep {
        file: PathBuf,
        error: io::Error,
    },
    BeforeFails {
        revision: String,
        failure: Box<Failure>,
    },
    SetupFailed {
        what: String,
        command: String,
    },
    CargoRefused,
    NoUnits,
    NoFunctions,
    /// There is code, and the analysis failed for all of it.
    AnalysisFailed {
        reason: String,
    },
    DoesNotCompile,
    RustupMissing,
    ToolchainMissing,
    DriverMissing {
        path: PathBuf,
    },
    DriverNotBuilt,
    DriverBroken {
        path: PathBuf,
        says: String,
    },
    DriverCrashed,
    FactsUnusable {
        unit: String,
        why: String,
    },
    CannotStart {
        program: PathBuf,
        error: io::Error,
    },
    CannotWrite(io::Error),
    OutputMissing,
    OutputUnused,
    Output {
        directory: PathBuf,
        why: Refused,
    },
    Panicked,
}

/// One thing to say: a line that starts with who says it, and perhaps a line of help.
#[derive(Debug, PartialEq, Eq)]
pub struct Complaint {
    pub text: String,
    pub help: Option<String>,
}

pub fn print(failure: &Failure) {
    for complaint in failure.complaints() {
        complaint.print();
    }
}

impl Complaint {
    fn error(text: impl AsRef<str>) -> Complaint {
        Complaint { text: format!("error: {}", text.as_ref()), help: None }
    }

    /// For what cargo has already called an error in its own words.
    pub fn remark(text: &str) -> Complaint {
        Complaint { text: format!("stalemate: {text}"), help: None }
    }

    pub fn help(self, help: impl Into<String>) -> Complaint {
        Complaint { help: Some(help.into()), ..self }
    }

    pub fn warning(text: impl AsRef<str>) -> Complaint {
        Complaint { text: format!("warning: {}", text.as_ref()), help: None }
    }

    /// A closed standard error is no reason to stop.
    pub fn print(&self) {
        let mut out = io::stderr().lock();
        let _ = writeln!(out, "{}", self.text);
        if let Some(help) = &self.help {
            let _ = writeln!(out, " help: {help}");
        }
    }
}

impl Failure {
    pub fn exit(&self) -> Exit {
        use Failure::*;
        match self {
            Arguments | MessageFormat | NoManifest { .. } | ManifestMissing { .. } | ProjectUnreadable { .. } => {
                Exit::Usage
            }
            Config { .. } | CargoRefused | NoUnits | NoFunctions => Exit::Usage,
            Request(_) => Exit::Usage,
            BeforeFails { failure, .. } => failure.exit(),
            SetupFailed { .. } => Exit::Setup,
            CannotKeep { .. } => Exit::Internal,
            OutputMissing | OutputUnused | Output { .. } => Exit::Usage,
            DoesNotCompile => Exit::DoesNotCompile,
            RustupMissing | ToolchainMissing | DriverMissing { .. } | DriverNotBuilt | DriverBroken { .. } => {
                Exit::Setup
            }
            AnalysisFailed { .. } => Exit::Internal,
            DriverCrashed | FactsUnusable { .. } | CannotStart { .. } | CannotWrite(_) | Panicked => Exit::Internal,
        }
    }

    pub fn complaints(&self) -> Vec<Complaint> {
        use Failure::*;
        let complaint = match self {
            Arguments => return Vec::new(),
            Config { manifest, mistakes } => {
                return mistakes.iter().map(|mistake| mistake_in(&manifest.display().to_string(), mistake)).collect();
            }
            Request(request) => request.complaint(),
            MessageFormat => {
                Complaint::error("cargo cannot be given `--message-format` here: its messages are read by this program")
                    .help(
                        "`--format cargo` before the `--` gives messages like those of cargo, `--format json` a report",
                    )
            }
            NoManifest { searched } => {
                Complaint::error(format!("no Cargo.toml in {} or any directory above it", searched.display()))
                    .help("run inside a Cargo project, or give `--manifest-path PATH`")
            }
            ManifestMissing { given } => Complaint::error(format!("the manifest {} does not exist", given.display())),
            ProjectUnreadable { cargo_says } => {
                let words = cargo_says.trim();
                let words = words.strip_prefix("error: ").unwrap_or(words);
                Complaint::error(format!("cargo cannot read this project: {words}"))
            }
            CannotKeep { file, error } => Complaint::error(format!("cannot write {}: {error}", file.display())),
            BeforeFails { revision, failure } => {
                let mut complaints = failure.complaints();
                let text =
                    format!("the code cannot be checked as it was at `{revision}`, so nobody can say what is new");
                complaints.push(Complaint::error(text));
                return complaints;
            }
            SetupFailed { what, command } => Complaint::error(format!("{what} failed; see the messages above"))
                .help(format!("try it by hand: `{command}`")),
            CargoRefused => Complaint::remark("cargo could not start the check; see its message above"),
            NoUnits => Complaint::error("nothing was checked: cargo compiled no crate of this workspace")
                .help("the arguments after `--` may select nothing; try `cargo stalemate -- --workspace`"),
            NoFunctions => Complaint::error("nothing was checked: the selected crates hold no functions")
                .help("code behind `cfg` or features may be left out; try `-- --workspace --all-features`"),
            AnalysisFailed { reason } => Complaint::error(format!("nothing was checked: {reason}"))
                .help("this is a bug in stalemate: please report it with this message"),
            DoesNotCompile => Complaint::remark("the project does not compile; nothing was reported"),
            RustupMissing => {
                Complaint::error(format!("rustup is not installed; it is needed to find the toolchain {TOOLCHAIN}"))
                    .help("install it from https://rustup.rs")
            }
            ToolchainMissing => Complaint::error(format!("the toolchain {TOOLCHAIN} is not installed"))
                .help(format!("run `cargo stalemate setup`, or `{}`", setup::toolchain_command().join(" "))),
            DriverMissing { path } => {
                Complaint::error(format!("{} names {}, which does not exist", driver::VARIABLE, path.display()))
            }
            DriverNotBuilt => Complaint::error("the driver is not built").help(install_driver()),
            DriverBroken { path, says } => {
                Complaint::error(format!("the driver {} does not run: {says}", path.display())).help(install_driver())
            }
            DriverCrashed => Complaint::error("the driver stopped with an internal error; see the messages above")
                .help("this is a bug in stalemate: please report it with these messages"),
            FactsUnusable { unit, why } => {
                Complaint::error(format!("the driver left no usable result for {unit}: {why}"))
                    .help("driver and front-end may be of different versions; install both again")
            }
            CannotStart { program, error } => Complaint::error(format!("cannot run {}: {error}", program.display())),
            CannotWrite(error) => Complaint::error(format!("cannot write the report: {error}")),
            OutputMissing => output_missing(),
            OutputUnused => Complaint::error("`--output` is for `--format html`; other reports go to standard output"),
            Output { directory, why } => refused(&directory.display().to_string(), why),
            Panicked => Complaint::error("an internal error; this is a bug in stalemate, please report it"),
        };
        vec![complaint]
    }
}

fn output_missing() -> Complaint {
    Complaint::error("`--format html` needs a directory to write its pages to")
        .help("add `--output DIR`, such as `--output target/stalemate-report`")
}

fn refused(directory: &str, why: &Refused) -> Complaint {
    match why {
        Refused::IsFile => Complaint::error(format!("the report cannot go to {directory}: a file is in the way")),
        Refused::NotOurs => {
            Complaint::error(format!("{directory} holds files that are no report of stalemate; nothing was written"))
                .help("give `--output` a new or empty directory, or that of an earlier report")
        }
        Refused::Io(error) => Complaint::error(format!("the report cannot be written to {directory}: {error}")),
    }
}

fn install_driver() -> String {
    format!("run `cargo stalemate setup`, which builds the driver of {VERSION} for {TOOLCHAIN}")
}

fn mistake_in(file: &str, mistake: &Mistake) -> Complaint {
    let error = |text: String| Complaint::error(format!("{file}: {text}"));
    match mistake {
        Mistake::UnknownKey { key, name } => error(format!("unknown key `{key}`")).help(choices("keys", name, KEYS)),
        Mistake::UnknownLint { key, name } => {
            error(format!("`{key}`: there is no lint `{name}`")).help(choices("lints", name, NAMES))
        }
        Mistake::UnknownValue { key, value, allowed } => {
            error(format!("`{key}` cannot be `{value}`")).help(choices("values", value, allowed))
        }
        Mistake::UnknownChoice { key, name, allowed } => {
            error(format!("unknown key `{key}`")).help(choices("keys", name, allowed))
        }
        Mistake::BadPattern { key, why } => error(format!("`{key}` is no pattern for files: {why}")),
        Mistake::Missing { key, name } => error(format!("`{key}` has no `{name}`")),
        Mistake::WrongType { key, found, expected } => error(format!("`{key}` must be {expected}, but is {found}")),
    }
}

pub fn choices(kind: &str, word: &str, allowed: &[&str]) -> String {
    let guess = nearest(word, allowed).map(|word| format!("did you mean `{word}`? ")).unwrap_or_default();
    let quoted: Vec<_> = allowed.iter().map(|word| format!("`{word}`")).collect();
    format!("{guess}The {kind} are {}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_mistakes_name_file_key_and_remedy() {
        let key = "workspace.metadata.stalemate.lintz".to_owned();
        let mistakes = vec![Mistake::UnknownKey { key, name: "lintz".to_owned() }];
        let failure = Failure::Config { manifest: "w/Cargo.toml".into(), mistakes };
        let expected = Complaint {
            text: "error: w/Cargo.toml: unknown key `workspace.metadata.stalemate.lintz`".to_owned(),
            help: Some("did you mean `lints`? The keys are `allow`, `baseline`, `fixtures`, `lints`, `min-confidence`, `models`, `skip`, `tests`".to_owned()),
        };
        assert_eq!(failure.complaints(), [expected]);
        assert_eq!(failure.exit(), Exit::Usage);
    }

    #[test]
    fn far_off_words_get_the_list_alone() {
        assert_eq!(choices("values", "zzz", &["low", "high"]), "The values are `low`, `high`");
    }

    #[test]
    fn missing_toolchain_tells_the_command() {
        let complaint = Failure::ToolchainMissing.complaints().remove(0);
        assert!(complaint.help.unwrap().contains("rustup toolchain install nightly-"));
        assert_eq!(Failure::ToolchainMissing.exit(), Exit::Setup);
    }
}
