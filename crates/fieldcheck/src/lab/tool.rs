//! The programs under test: the front-end, and the driver beside it. What they are is told by what is in them, so that a
//! rebuild that changes nothing is no new tool.
//!
//! Copies of them are run. Somebody may build the next ones while the last crates are still being checked, and no table
//! should mix the two; and cargo, which goes by times, must see a new driver even if it is an old one brought back.

use super::Trouble;
use super::hash::hash;
use crate::failure::Failure;
use finding::Document;
use finding::document::SCHEMA;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{fs, io};

/// The exit code of the tool for arguments that it or cargo refuses.
pub const REFUSED: i32 = 2;

/// The exit code of the tool for code that the compiler refuses.
pub const DOES_NOT_COMPILE: i32 = 3;

pub struct Tool {
    front_end: PathBuf,
    /// Both programs, as one.
    pub hash: String,
}

impl Tool {
    /// Brings the programs into a folder of ours.
    pub fn install(front_end: &Path, folder: &Path) -> Result<Tool, Failure> {
        let driver = front_end.with_file_name(program("stalemate-driver"));
        let copy = folder.join(program("cargo-stalemate"));
        let contents = [bring(front_end, &copy)?, bring(&driver, &folder.join(program("stalemate-driver")))?];
        Ok(Tool { front_end: copy, hash: hash(&[&contents[0], &contents[1]]) })
    }

    pub fn front_end(&self) -> &Path {
        &self.front_end
    }

    /// One run, and the document it printed.
    pub fn run(&self, manifest: &Path, build: &Path, args: &[String]) -> Result<Vec<u8>, Trouble> {
        self.run_with(&["--format".into(), "json".into()], manifest, build, args)
    }

    /// One run that writes the pages of the HTML report into a directory.
    pub fn pages(&self, manifest: &Path, build: &Path, args: &[String], to: &Path) -> Result<(), Trouble> {
        let format = ["--format".into(), "html".into(), "--output".into(), to.into()];
        self.run_with(&format, manifest, build, args).map(drop)
    }

    fn run_with(
        &self,
        format: &[OsString],
        manifest: &Path,
        build: &Path,
        args: &[String],
    ) -> Result<Vec<u8>, Trouble> {
        let mut command = Command::new(&self.front_end);
        let answer = command
            .arg("stalemate")
            .args(format)
            .args(["--min-confidence", "low", "--manifest-path"])
            .arg(manifest)
            .args(["--", "--lib", "--target-dir"])
            .arg(build)
            .args(args)
            // Both would put another program in the place of those that were hashed.
            .env_remove("STALEMATE_DRIVER")
            .env_remove("RUSTUP_TOOLCHAIN")
            .output()
            .map_err(|error| Trouble::io("not started", &self.front_end, error))?;
        match failed(answer.status) {
            Some(what) => Err(Trouble::new(what, &String::from_utf8_lossy(&answer.stderr))),
            None => Ok(answer.stdout),
        }
    }
}

/// What the system calls a program.
pub fn program(name: &str) -> String {
    format!("{name}{EXE_SUFFIX}")
}

/// Copies a program unless the copy is the same already, and gives what is in it.
pub fn bring(from: &Path, to: &Path) -> Result<Vec<u8>, Failure> {
    if !from.is_file() {
        return Err(Failure::NoProgram { path: from.to_owned() });
    }
    copy_if_new(from, to).map_err(|error| Failure::cannot(to, error))
}

/// Copies first and looks then, because what is copied may be replaced at any time.
fn copy_if_new(from: &Path, to: &Path) -> io::Result<Vec<u8>> {
    let fresh = to.with_extension("new");
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, &fresh)?;
    let contents = fs::read(&fresh)?;
    let is_same = fs::read(to).is_ok_and(|kept| kept == contents);
    if is_same {
        fs::remove_file(&fresh)?
    } else {
        fs::rename(&fresh, to)?
    }
    Ok(contents)
}

/// Nothing found and something found are both a result.
pub fn failed(status: ExitStatus) -> Option<String> {
    match status.code() {
        Some(0 | 1) => None,
        Some(DOES_NOT_COMPILE) => Some("does not compile".to_owned()),
        _ => Some(format!("crashed ({status})")),
    }
}

pub fn document(said: &[u8]) -> Result<Document, Trouble> {
    let document: Document =
        serde_json::from_slice(said).map_err(|error| Trouble::new("crashed (no document)", &error.to_string()))?;
    if document.schema == SCHEMA {
        return Ok(document);
    }
    let said = format!("the document has schema {}, and {SCHEMA} is known", document.schema);
    Err(Trouble::new("not understood", &said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_document_is_a_crash() {
        assert_eq!(document(b"{\"schema\":1").unwrap_err().what, "crashed (no document)");
        assert_eq!(document(b"").unwrap_err().what, "crashed (no document)");
    }

    #[test]
    fn a_document_of_another_time_is_not_read() {
        let text = |schema: u32| {
            format!(
                r#"{{"schema":{schema},"tool":{{"name":"","version":"","toolchain":""}},"run":{{"packages":[],
                "functions":1,"functions_with_locks":0,"lines":5,"skipped":[]}},"findings":[]}}"#
            )
        };
        assert_eq!(document(text(SCHEMA).as_bytes()).unwrap().run.lines, 5);
        assert_eq!(document(text(SCHEMA + 1).as_bytes()).unwrap_err().what, "not understood");
    }

    #[test]
    fn a_rebuild_during_a_run_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("fieldcheck-tool-{}", std::process::id()));
        let (built, ours) = (folder.join("built"), folder.join("ours"));
        fs::create_dir_all(&built).unwrap();
        let [front_end, driver] = ["cargo-stalemate", "stalemate-driver"].map(|name| built.join(program(name)));
        fs::write(&front_end, "front-end").unwrap();
        assert!(matches!(Tool::install(&front_end, &ours), Err(Failure::NoProgram { path }) if path == driver));
        fs::write(&driver, "driver 1").unwrap();
        let first = Tool::install(&front_end, &ours).unwrap();
        fs::write(&driver, "driver 2").unwrap();
        let ours_driver = first.front_end.with_file_name(program("stalemate-driver"));
        assert_eq!(fs::read_to_string(&ours_driver).unwrap(), "driver 1");
        assert_ne!(Tool::install(&front_end, &ours).unwrap().hash, first.hash);
        assert_eq!(fs::read_to_string(&ours_driver).unwrap(), "driver 2");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_same_program_keeps_its_time() {
        let folder = std::env::temp_dir().join(format!("fieldcheck-same-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(&from, "driver").unwrap();
        copy_if_new(&from, &to).unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        fs::File::options().write(true).open(&to).unwrap().set_modified(long_ago).unwrap();
        copy_if_new(&from, &to).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().modified().unwrap(), long_ago);
        fs::write(&from, "another").unwrap();
        copy_if_new(&from, &to).unwrap();
        assert_ne!(fs::metadata(&to).unwrap().modified().unwrap(), long_ago);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn exit_codes_that_are_no_result() {
        use std::os::unix::process::ExitStatusExt;
        let failed = |code: i32| failed(ExitStatus::from_raw(code << 8));
        assert_eq!([failed(0), failed(1)], [None, None]);
        assert_eq!(failed(3).unwrap(), "does not compile");
        assert!(failed(70).unwrap().starts_with("crashed ("));
    }
}
