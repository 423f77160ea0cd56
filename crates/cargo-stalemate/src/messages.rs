//! What cargo says while it checks: one JSON message per line on its standard output.

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Artifact, Message, PackageId, TargetKind};
use std::collections::HashMap;
use std::io::BufRead;
use std::path::PathBuf;

/// One compiled unit of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub target: Target,
    pub rmeta: PathBuf,
}

/// What the units of one target share: a library and the same library with its tests are two units of one target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    pub package: String,
    pub name: String,
    pub kind: String,
}

/// What users must see.
#[derive(Debug)]
pub enum Seen<'a> {
    /// An error: as the compiler rendered it, and the whole line as cargo gave it.
    Error { rendered: &'a str, line: &'a str },
    /// A line that is no message at all.
    Other(&'a str),
}

/// What a run of cargo came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Build {
    pub units: Vec<Unit>,
    pub errors: bool,
    pub internal_error: bool,
    /// Cargo got as far as compiling, and whether that went well. Absent when it refused before.
    pub finished: Option<bool>,
}

/// What to make of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Done,
    DoesNotCompile,
    DriverCrashed,
    /// Something failed without a message from a compiler: a build script, or a driver that was killed.
    Unclear,
    Refused,
}

impl Build {
    /// Reads to the end.
    pub fn read(cargo: impl BufRead, members: &HashMap<PackageId, String>, mut show: impl FnMut(Seen)) -> Build {
        let mut build = Build::default();
        for line in cargo.lines().map_while(Result::ok) {
            match Message::parse_stream(line.as_bytes()).next() {
                Some(Ok(Message::CompilerArtifact(artifact))) => build.units.extend(unit(artifact, members)),
                Some(Ok(Message::CompilerMessage(message))) => build.diagnostic(&message.message, &line, &mut show),
                Some(Ok(Message::BuildFinished(finished))) => build.finished = Some(finished.success),
                Some(Ok(Message::TextLine(_))) | None => show(Seen::Other(&line)),
                _ => {}
            }
        }
        build
    }

    fn diagnostic(&mut self, message: &Diagnostic, line: &str, show: &mut impl FnMut(Seen)) {
        let internal = is_internal(message);
        if !internal && message.level != DiagnosticLevel::Error {
            return;
        }
        self.errors = true;
        self.internal_error |= internal;
        // Cargo counts the errors itself.
        if !message.message.starts_with("aborting due to ") {
            show(Seen::Error { rendered: message.rendered.as_deref().unwrap_or(&message.message), line });
        }
    }

    pub fn verdict(&self, success: bool) -> Verdict {
        match self.finished {
            _ if success => Verdict::Done,
            _ if self.internal_error => Verdict::DriverCrashed,
            _ if self.errors => Verdict::DoesNotCompile,
            Some(_) => Verdict::Unclear,
            None => Verdict::Refused,
        }
    }
}

/// An error that says nothing about the project: a crash, or the driver's own.
fn is_internal(message: &Diagnostic) -> bool {
    let words = ["internal compiler error", "the compiler unexpectedly panicked", "stalemate cannot"];
    message.level == DiagnosticLevel::Ice || words.iter().any(|words| message.message.contains(words))
}

/// Build scripts are no units, and neither is a procedural macro that is only built to be run: it has no `.rmeta`.
fn unit(artifact: Artifact, members: &HashMap<PackageId, String>) -> Option<Unit> {
    let package = members.get(&artifact.package_id)?.clone();
    if artifact.target.is_kind(TargetKind::CustomBuild) {
        return None;
    }
    let rmeta = artifact.filenames.into_iter().find(|name| name.extension() == Some("rmeta"))?;
    let target = Target { package, kind: kind(&artifact.target), name: artifact.target.name };
    Some(Unit { target, rmeta: rmeta.into() })
}

/// `lib`, `rlib,cdylib`.
pub fn kind(target: &cargo_metadata::Target) -> String {
    target.kind.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn artifact(package: &str, kind: &str, file: &str) -> Value {
        let target = json!({ "name": "t", "kind": [kind], "crate_types": ["lib"], "src_path": "/w/src/lib.rs" });
        let profile = json!({ "opt_level": "0", "debug_assertions": true, "overflow_checks": true, "test": false });
        json!({ "reason": "compiler-artifact", "package_id": package, "target": target, "profile": profile,
                "features": [], "filenames": [file], "executable": null, "fresh": true })
    }

    fn diagnostic(level: &str, text: &str) -> Value {
        let target = json!({ "name": "t", "kind": ["lib"], "crate_types": ["lib"], "src_path": "/w/src/lib.rs" });
        let message = json!({ "message": text, "code": null, "level": level, "spans": [], "children": [],
                              "rendered": format!("{level}: {text}\n") });
        json!({ "reason": "compiler-message", "package_id": "a", "target": target, "message": message })
    }

    fn finished(success: bool) -> Value {
        json!({ "reason": "build-finished", "success": success })
    }

    fn read(messages: &[Value]) -> (Build, String) {
        let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
        let members = HashMap::from([(PackageId { repr: "a".to_owned() }, "a-crate".to_owned())]);
        let mut shown = String::new();
        let build = Build::read(lines.as_bytes(), &members, |seen| match seen {
            Seen::Error { rendered, .. } => shown.push_str(rendered),
            Seen::Other(line) => shown.push_str(line),
        });
        (build, shown)
    }

    #[test]
    fn units_are_what_the_workspace_compiled() {
        let (build, shown) = read(&[
            artifact("a", "lib", "/t/liba.rmeta"),
            artifact("other", "lib", "/t/libother.rmeta"),
            artifact("a", "custom-build", "/t/build_script_build"),
            artifact("a", "proc-macro", "/t/liba.so"),
            finished(true),
        ]);
        let target = Target { package: "a-crate".into(), name: "t".into(), kind: "lib".into() };
        assert_eq!(build.units, [Unit { target, rmeta: "/t/liba.rmeta".into() }]);
        assert_eq!(build.verdict(true), Verdict::Done);
        assert_eq!(shown, "");
    }

    #[test]
    fn only_errors_are_shown() {
        let error = diagnostic("error", "mismatched types");
        let end = diagnostic("error", "aborting due to 1 previous error");
        let (build, shown) = read(&[diagnostic("warning", "unused"), error, end, finished(false)]);
        assert_eq!(shown, "error: mismatched types\n");
        assert_eq!(build.verdict(false), Verdict::DoesNotCompile);
    }

    #[test]
    fn errors_come_with_the_whole_line() {
        let lines = format!("{}\nno message\n", diagnostic("error", "mismatched types"));
        let mut seen = Vec::new();
        Build::read(lines.as_bytes(), &HashMap::new(), |one| match one {
            Seen::Error { line, .. } | Seen::Other(line) => seen.push(line.to_owned()),
        });
        assert_eq!(seen, lines.lines().collect::<Vec<_>>());
    }

    #[test]
    fn internal_errors_are_not_the_projects_fault() {
        let internal = [
            ("error: internal compiler error", "no type for this expression"),
            ("error", "the compiler unexpectedly panicked. This is a bug"),
            ("error", "stalemate cannot write its findings: disk full"),
        ];
        for (level, text) in internal {
            let messages = [diagnostic("error", "mismatched types"), diagnostic(level, text), finished(false)];
            let (build, shown) = read(&messages);
            assert_eq!(build.verdict(false), Verdict::DriverCrashed);
            assert!(shown.contains(text));
        }
    }

    #[test]
    fn failures_without_a_compiler_message() {
        assert_eq!(read(&[finished(false)]).0.verdict(false), Verdict::Unclear);
        assert_eq!(read(&[]).0.verdict(false), Verdict::Refused);
    }
}
