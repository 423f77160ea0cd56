//! The file that is touched and edited between the runs. It is put right when this is dropped, also after a run that
//! failed; and if that did not happen, because the process was killed, the next one to open it does it.

use crate::lab::Trouble;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::SystemTime;

/// What an edit begins with. No crate has this by itself.
const MARK: &str = "\n#[allow(dead_code)] fn stalemate_bench_";

const NOT_EDITED: &str = "not edited";

pub struct Source {
    file: PathBuf,
    original: String,
    is_edited: bool,
}

impl Source {
    pub fn open(file: PathBuf) -> Result<Source, Trouble> {
        let text = fs::read_to_string(&file).map_err(|error| Trouble::io("not opened", &file, error))?;
        let (original, left) = text.split_once(MARK).unwrap_or((&text, ""));
        let mut source = Source { file, original: original.to_owned(), is_edited: !left.is_empty() };
        source.restore()?;
        Ok(source)
    }

    /// Cargo goes by times.
    pub fn touch(&self) -> Result<(), Trouble> {
        let touched =
            File::options().append(true).open(&self.file).and_then(|file| file.set_modified(SystemTime::now()));
        touched.map_err(|error| Trouble::io("not touched", &self.file, error))
    }

    /// One small function at the end, another one for each number.
    pub fn edit(&mut self, number: u32) -> Result<(), Trouble> {
        self.is_edited = true;
        self.write(&format!("{}{MARK}{number}() -> u32 {{ {number} }}\n", self.original))
    }

    pub fn restore(&mut self) -> Result<(), Trouble> {
        if self.is_edited {
            self.write(&self.original)?;
            self.is_edited = false;
        }
        Ok(())
    }

    fn write(&self, text: &str) -> Result<(), Trouble> {
        fs::write(&self.file, text).map_err(|error| Trouble::io(NOT_EDITED, &self.file, error))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if let Err(trouble) = self.restore() {
            eprintln!("warning: {}: {}", trouble.what, trouble.said);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No line end at the end, which must not be lost or found.
    const TEXT: &str = "fn get() {} // é";

    fn with_file(test: &str, body: impl FnOnce(PathBuf)) {
        let file = std::env::temp_dir().join(format!("fieldcheck-source-{test}-{}.rs", std::process::id()));
        fs::write(&file, TEXT).unwrap();
        body(file.clone());
        assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
        fs::remove_file(&file).unwrap();
    }

    #[test]
    fn each_edit_is_another_function_after_the_original() {
        with_file("edit", |file| {
            let mut source = Source::open(file.clone()).unwrap();
            for number in [1, 2] {
                source.edit(number).unwrap();
                let line = format!("#[allow(dead_code)] fn stalemate_bench_{number}() -> u32 {{ {number} }}");
                assert_eq!(fs::read_to_string(&file).unwrap(), format!("{TEXT}\n{line}\n"));
            }
        });
    }

    #[test]
    fn a_failed_run_leaves_the_original() {
        fn failing(file: PathBuf) -> Result<(), Trouble> {
            let mut source = Source::open(file)?;
            source.edit(1)?;
            Err(Trouble::new("failed", ""))
        }
        with_file("failed", |file| assert_eq!(failing(file).unwrap_err().what, "failed"));
    }

    #[test]
    fn what_a_killed_run_left_is_taken_out() {
        with_file("killed", |file| {
            let mut killed = Source::open(file.clone()).unwrap();
            killed.edit(3).unwrap();
            std::mem::forget(killed);
            assert_ne!(fs::read_to_string(&file).unwrap(), TEXT);
            Source::open(file.clone()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
        });
    }

    #[test]
    fn a_crate_without_the_file_is_trouble() {
        let trouble = Source::open("no/such/src/lib.rs".into()).err().unwrap();
        assert!(trouble.said.starts_with("no/such/src/lib.rs: "), "{trouble:?}");
    }
}
