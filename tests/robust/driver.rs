//! Runs of the driver on one file each, as cargo would start it.

use crate::{project, support};
use finding::facts::UnitFacts;
use finding::settings::{Settings, VARIABLE};
use finding::{Confidence, Finding};
use std::fs;
use std::path::{Path, PathBuf};

/// What a run left.
pub struct Left {
    bytes: Vec<u8>,
    pub facts: UnitFacts,
}

/// One file with what rustc must be told of it. `edition: 2015` and `crate-name: NAME` in its first lines go before.
pub struct Source {
    pub path: PathBuf,
    edition: String,
    name: String,
}

impl Source {
    pub fn of(path: &Path) -> Source {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let said = |key: &str| {
            let lines = text.lines().take(5).map(|line| line.trim_start_matches(['/', '!', ' ']));
            lines.filter_map(|line| line.strip_prefix(key)).map(|value| value.trim().to_owned()).next()
        };
        let stem = path.file_stem().expect("sources have names").to_string_lossy().into_owned();
        Source {
            path: path.to_owned(),
            edition: said("edition:").unwrap_or_else(|| "2024".to_owned()),
            name: said("crate-name:").unwrap_or(stem),
        }
    }

    /// Writes a source below the target directory.
    pub fn written(name: &str, text: &str) -> Source {
        let directory = support::target().join("robust/sources");
        fs::create_dir_all(&directory).expect("the target directory can be written");
        let path = directory.join(format!("{name}.rs"));
        fs::write(&path, text).expect("sources can be written");
        Source::of(&path)
    }

    /// `kind` keeps the output of several runs on one source apart.
    pub fn check(&self, kind: &str, settings: &Settings) -> Left {
        let out = support::target().join("robust").join(kind).join(&self.name);
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).expect("the target directory can be written");
        let mut command = project::command(support::built("stalemate-driver"), support::repository());
        command.args(["--crate-type", "lib", "--emit", "metadata", "--crate-name", &self.name]);
        command.args(["--edition", &self.edition, "--out-dir"]).arg(&out).arg(&self.path);
        command.env(VARIABLE, settings.to_variable());
        let run = project::Run::of(&mut command);
        assert_eq!(run.code, Some(0), "{} ({kind})\n{run}", self.path.display());
        let bytes = fs::read(out.join(format!("lib{}.stalemate.json", self.name))).expect("facts are written");
        let facts = serde_json::from_slice(&bytes).expect("facts can be read");
        Left { bytes, facts }
    }
}

impl Left {
    pub fn is_same_as(&self, other: &Left) -> bool {
        self.bytes == other.bytes
    }

    /// Functions that were left out, with the reason.
    pub fn skipped(&self) -> Vec<(&str, &str)> {
        self.facts.skipped.iter().map(|one| (&*one.function, &*one.reason)).collect()
    }

    /// What a run with the usual threshold tells.
    pub fn told(&self) -> impl Iterator<Item = &Finding> {
        let all = self.facts.findings.iter().map(|recorded| &recorded.finding);
        all.filter(|finding| finding.confidence > Confidence::Low)
    }
}

/// Everything that can be asked for at once.
pub fn everything() -> Settings {
    Settings { tests: true, atomicity: true, guards: true, map: true, recipes: true, ..Settings::default() }
}

/// Does the same for all of them, on as many threads as there are processors.
pub fn for_all<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
