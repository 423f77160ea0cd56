//! What is checked: the workspace as cargo sees it, without its dependencies.

use crate::cargo_args::CargoArgs;
use crate::errors::Failure;
use crate::toolchain::Toolchain;
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The key under `[workspace.metadata]` or `[package.metadata]` that is ours.
const KEY: &str = "stalemate";

#[derive(Debug)]
pub struct Project {
    pub root: PathBuf,
    pub target_directory: PathBuf,
    /// Where cargo builds, if the user wants that apart from the target directory (`build.build-dir`).
    pub build_directory: Option<PathBuf>,
    /// The names of the workspace's packages.
    pub members: HashMap<PackageId, String>,
    /// The same packages as cargo describes them.
    pub packages: Vec<Package>,
    pub config: Option<Table>,
    /// Settings in places where nobody reads them.
    pub unread: Vec<Table>,
}

/// Our settings as they stand in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub manifest: PathBuf,
    /// `workspace.metadata.stalemate` or `package.metadata.stalemate`.
    pub key: String,
    pub value: Value,
}

impl Project {
    pub fn load(toolchain: &Toolchain, args: &CargoArgs) -> Result<Project, Failure> {
        if let Some(path) = args.manifest_path.as_ref().filter(|path| !path.exists()) {
            return Err(Failure::ManifestMissing { given: path.clone() });
        }
        match command(toolchain, args).exec() {
            Ok(metadata) => Ok(Project::from_metadata(&metadata)),
            Err(error) => Err(explain(error, args)),
        }
    }

    pub fn from_metadata(metadata: &Metadata) -> Project {
        let mut tables = tables(metadata);
        let root = metadata.workspace_root.join("Cargo.toml");
        let ours = tables.iter().position(|table| table.manifest == root.as_std_path());
        Project {
            root: metadata.workspace_root.clone().into(),
            target_directory: metadata.target_directory.clone().into(),
            build_directory: build_directory(metadata),
            members: metadata.packages.iter().map(|package| (package.id.clone(), package.name.to_string())).collect(),
            packages: metadata.packages.clone(),
            config: ours.map(|index| tables.remove(index)),
            unread: tables,
        }
    }
}

fn build_directory(metadata: &Metadata) -> Option<PathBuf> {
    let directory = metadata.build_directory.as_ref().filter(|directory| **directory != metadata.target_directory);
    directory.map(|directory| directory.clone().into())
}

/// Every table of ours in the workspace, the workspace's own first: it wins over that of a package in the same file.
fn tables(metadata: &Metadata) -> Vec<Table> {
    let table = |manifest: PathBuf, kind: &str, metadata: &Value| {
        let value = metadata.get(KEY)?.clone();
        Some(Table { manifest, key: format!("{kind}.metadata.{KEY}"), value })
    };
    let root = metadata.workspace_root.join("Cargo.toml").into();
    let workspace = table(root, "workspace", &metadata.workspace_metadata);
    let packages = metadata.packages.iter();
    let packages = packages.filter_map(|p| table(p.manifest_path.clone().into(), "package", &p.metadata));
    workspace.into_iter().chain(packages).collect()
}

fn command(toolchain: &Toolchain, args: &CargoArgs) -> MetadataCommand {
    let mut command = MetadataCommand::new();
    command.cargo_path(toolchain.cargo()).no_deps().env("RUSTUP_TOOLCHAIN", toolchain.name()).env_remove("CARGO");
    if let Some(path) = &args.manifest_path {
        command.manifest_path(path);
    }
    let config = args.config.iter().flat_map(|value| ["--config".to_owned(), value.clone()]);
    command.other_options(config.collect::<Vec<_>>());
    command
}

fn explain(error: cargo_metadata::Error, args: &CargoArgs) -> Failure {
    let here = std::env::current_dir().unwrap_or_default();
    match error {
        _ if args.manifest_path.is_none() && !has_manifest(&here) => Failure::NoManifest { searched: here },
        cargo_metadata::Error::CargoMetadata { stderr } => Failure::ProjectUnreadable { cargo_says: stderr },
        other => Failure::ProjectUnreadable { cargo_says: other.to_string() },
    }
}

fn has_manifest(directory: &Path) -> bool {
    directory.ancestors().any(|directory| directory.join("Cargo.toml").exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, manifest: &str, metadata: Value) -> Value {
        json!({ "name": name, "version": "0.1.0", "id": name, "dependencies": [], "targets": [], "features": {},
                "manifest_path": manifest, "metadata": metadata })
    }

    fn project(workspace: Value, root: Value, member: Value) -> Project {
        let metadata = json!({
            "packages": [package("root", "/w/Cargo.toml", root), package("member", "/w/m/Cargo.toml", member)],
            "workspace_members": ["root", "member"], "resolve": null, "workspace_root": "/w",
            "target_directory": "/w/target", "version": 1, "metadata": workspace });
        Project::from_metadata(&serde_json::from_value(metadata).unwrap())
    }

    fn key(project: &Project) -> Option<&str> {
        project.config.as_ref().map(|table| table.key.as_str())
    }

    #[test]
    fn workspace_settings_win_over_those_of_the_root_package() {
        let ours = json!({ "stalemate": { "tests": true } });
        let project = project(ours.clone(), ours, Value::Null);
        assert_eq!(key(&project), Some("workspace.metadata.stalemate"));
        assert_eq!(project.unread.len(), 1);
    }

    #[test]
    fn settings_of_the_root_package_serve_alone() {
        let project = project(Value::Null, json!({ "stalemate": {} }), json!({ "other": {} }));
        assert_eq!(key(&project), Some("package.metadata.stalemate"));
        assert!(project.unread.is_empty());
    }

    #[test]
    fn settings_of_a_member_are_noticed_but_not_used() {
        let project = project(Value::Null, Value::Null, json!({ "stalemate": {} }));
        assert_eq!(key(&project), None);
        assert_eq!(project.unread[0].manifest, Path::new("/w/m/Cargo.toml"));
    }
}
