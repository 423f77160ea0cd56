//! A directory for a maintainer: the copy of the workspace with the witnesses in it, the facade, and one script that needs
//! nothing but cargo.

use super::building::{Group, Witness, put};
use super::facade;
use super::program;
use super::races;
use super::tree::{self, Tests};
use super::trial::Attempt;
use std::fs;
use std::io;
use std::path::Path;

/// What makes a directory one of ours.
pub const MARK: &str = ".stalemate-witness";

const WRAPPER: &str = r#"#!/bin/sh
# The compiler, with the facade in the place of std for everything that is not built for the host.
case " $* " in
*" --crate-name ___ "*|*" --crate-name build_script_"*|*" --crate-type proc-macro "*) exec "$@" ;;
*" --crate-name "*" --target "*)
    case " $* " in *" --cap-lints"*) cap= ;; *) cap=--cap-lints=warn ;; esac
    # Crates of locks are compiled from copies that tell what they do.
    copy="$STALEMATE_LOCKS/${CARGO_PKG_NAME-}-${CARGO_PKG_VERSION-}"
    if [ -d "$copy" ]; then
        for word; do
            shift
            case $word in "$CARGO_MANIFEST_DIR"/*.rs) word="$copy/${word#"$CARGO_MANIFEST_DIR"/}" ;; esac
            set -- "$@" "$word"
        done
    fi
    exec "$@" $cap -L "dependency=$(dirname "$STALEMATE_FACADE")" \
    --extern "std=$STALEMATE_FACADE" --extern "core=$STALEMATE_FACADE" --extern "stalemate_rt=$STALEMATE_FACADE" \
    ${STALEMATE_METADATA:+--extern "std=$STALEMATE_METADATA" --extern "core=$STALEMATE_METADATA"} \
    ${STALEMATE_METADATA:+--extern "stalemate_rt=$STALEMATE_METADATA"} ;;
*) exec "$@" ;;
esac
"#;

const FRONT: &str = r#"#!/bin/sh
# Runs every witness. Each prints one line that starts with `stalemate-witness:`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
cargo build --quiet --lib --target "$host" --manifest-path "$here/facade/Cargo.toml" --target-dir "$here/build/facade"
export STALEMATE_FACADE="$here/build/facade/$host/debug/libstalemate_rt.rlib"
# A newer cargo leaves what is known of a library beside it.
STALEMATE_METADATA=$(ls -t "$here/build/facade/$host/debug/build/stalemate-rt/"*/out/*.rmeta 2>/dev/null | head -n 1)
export STALEMATE_METADATA STALEMATE_LOCKS="$here/locks"
export RUSTC_WRAPPER="$here/wrapper.sh" CARGO_TARGET_DIR="$here/build/witness"
"#;

/// Whether the directory may be written to: it is new, empty or ours.
pub fn may_use(directory: &Path) -> bool {
    directory.join(MARK).exists()
        || fs::read_dir(directory).map_or(!directory.exists(), |mut entries| entries.next().is_none())
}

/// What has shown a bug, and is to be run again.
#[derive(Clone, Debug)]
pub enum Proof {
    Run(Attempt),
    /// Miri has seen a race.
    Miri,
}

pub type Kept<'a> = (&'a Group, &'a Witness, Proof);

/// `copies` are those of other crates of locks.
pub fn keep(root: &Path, copies: &Path, directory: &Path, kept: &[Kept<'_>]) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    fs::write(directory.join(MARK), "")?;
    let mut copied = Vec::new();
    for (group, _, proof) in kept {
        let folder = folder(group, proof);
        if !copied.contains(&folder) {
            group.copy(root, &directory.join(folder), group.tests)?;
            copied.push(folder);
        }
    }
    let mut script = FRONT.to_owned();
    for (group, witness, proof) in kept {
        let workspace = directory.join(folder(group, proof));
        match proof {
            Proof::Run(attempt) => {
                put(&workspace, witness)?;
                script.push_str(&command(group, witness, attempt));
            }
            Proof::Miri => {
                let text = program::racing(&witness.recipe, &witness.text);
                put(&workspace, &Witness { text, ..(*witness).clone() })?;
                script.push_str(&miri(group, witness));
            }
        }
    }
    facade::write_sources(&directory.join("facade"))?;
    if copies.is_dir() {
        tree::mirror(copies, &directory.join("locks"))?;
    }
    executable(&directory.join("wrapper.sh"), WRAPPER)?;
    executable(&directory.join("run.sh"), &script)?;
    fs::write(directory.join("README.md"), readme(kept))
}

/// The copies that a witness can be in. Those for Miri are apart from the others: these need the facade, which Miri is not given.
fn folder(group: &Group, proof: &Proof) -> &'static str {
    match (group.tests, proof) {
        (Tests::TakenOut, Proof::Run(_)) => "workspace",
        (Tests::TakenOut, Proof::Miri) => "workspace-for-miri",
        (Tests::Kept, Proof::Run(_)) => "workspace-with-tests",
        (Tests::Kept, Proof::Miri) => "workspace-with-tests-for-miri",
        (Tests::Gathered, Proof::Run(_)) => "workspace-with-all-tests",
        (Tests::Gathered, Proof::Miri) => "workspace-with-all-tests-for-miri",
    }
}

fn command(group: &Group, witness: &Witness, attempt: &Attempt) -> String {
    let ways = attempt.ways.map(|way| way.to_string()).join(",");
    let test = program::test_name(&witness.recipe).unwrap_or_default();
    let manifest = group.manifest.display();
    let target = group.target.join(" ");
    let folder = folder(group, &Proof::Run(attempt.clone()));
    format!(
        "STALEMATE_ATTEMPT={ways} STALEMATE_HOW='{}' cargo test --quiet --target \"$host\" --manifest-path \\\n    \
         \"$here/{folder}/{manifest}\" {target} -- --exact {test} --nocapture || echo \"ended with code $?\"\n",
        attempt.how
    )
}

fn miri(group: &Group, witness: &Witness) -> String {
    let test = program::test_name(&witness.recipe).unwrap_or_default();
    let (manifest, target, folder) = (group.manifest.display(), group.target.join(" "), folder(group, &Proof::Miri));
    format!(
        "# A race on plain memory: a nightly toolchain with Miri is needed (rustup +nightly component add miri).\n\
         (unset RUSTC_WRAPPER; STALEMATE_ORDER=both MIRIFLAGS='{}' CARGO_TARGET_DIR=\"$here/build/miri\" \\\n    \
         cargo +nightly miri test --quiet --manifest-path \"$here/{folder}/{manifest}\" {target} -- --exact {test}) \\\n    \
         || echo \"ended with code $?\"\n",
        races::FLAGS
    )
}

fn readme(kept: &[Kept<'_>]) -> String {
    let mut text =
        "# Witnesses of `cargo stalemate confirm`\n\nRun `./run.sh`: it needs cargo and nothing else.\n\n".to_owned();
    for (group, witness, proof) in kept {
        let recipe = &witness.recipe;
        let file = recipe.place.as_ref().map(|place| place.file.as_str()).unwrap_or_default();
        let within = Path::new(file).parent().unwrap_or(Path::new("")).display();
        text.push_str(&format!(
            "- {}: A is `{}`, B is `{}`; the witness is `{}/{within}/{}.in`\n",
            recipe.fingerprint,
            recipe.a.function,
            recipe.b.function,
            folder(group, proof),
            program::module_name(&recipe.fingerprint)
        ));
    }
    text
}

fn executable(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_somebody_else_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        assert!(may_use(&directory.path().join("new")) && may_use(directory.path()));
        fs::write(directory.path().join("a"), "").unwrap();
        assert!(!may_use(directory.path()) && !may_use(&directory.path().join("a")));
        fs::write(directory.path().join(MARK), "").unwrap();
        assert!(may_use(directory.path()));
    }
}
