//! The recipes of docs/ci.md: each is YAML (or JSON) of the right shape, and each command of ours in them runs.

use crate::project::{Project, Run, command};
use crate::samples::CLEAN;
use crate::support;
use saphyr::{LoadableYamlNode, Yaml};

fn page() -> String {
    std::fs::read_to_string(support::repository().join("docs/ci.md")).unwrap()
}

/// The code blocks in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    page.split(&opening).skip(1).map(|rest| rest.split("\n```").next().unwrap_or_default().to_owned()).collect()
}

/// Every text below the node.
fn texts<'y>(node: &'y Yaml<'_>, into: &mut Vec<&'y str>) {
    if let Some(text) = node.as_str() {
        into.push(text);
    }
    node.as_sequence().into_iter().flatten().for_each(|item| texts(item, into));
    node.as_mapping().into_iter().flatten().for_each(|(_, value)| texts(value, into));
}

fn parsed(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

#[test]
fn recipes_have_the_shape_their_systems_want() {
    let page = page();
    let recipes = blocks(&page, "yaml");
    assert_eq!(recipes.len(), 4);
    for text in &recipes {
        let recipe = parsed(text);
        let at = |node: &Yaml<'_>, key: &str| node.as_mapping_get(key).is_some();
        let job = recipe.as_mapping_get("jobs").and_then(|jobs| jobs.as_mapping_get("stalemate"));
        let is_github = job.is_some_and(|job| at(job, "runs-on") && at(job, "steps")) && at(&recipe, "on");
        let is_gitlab = recipe.as_mapping_get("stalemate").is_some_and(|job| at(job, "script") && at(job, "stage"));
        let hooks = recipe.as_mapping_get("repos").and_then(|repos| repos.as_sequence_get(0)?.as_mapping_get("hooks"));
        let is_hook =
            hooks.and_then(|hooks| hooks.as_sequence_get(0)).is_some_and(|hook| at(hook, "entry") && at(hook, "id"));
        assert!(is_github || is_gitlab || is_hook, "{text}");
    }
    for text in blocks(&page, "json") {
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}

/// Commands of ours in all recipes, as a shell would get them.
fn commands() -> Vec<String> {
    let page = page();
    let mut found = Vec::new();
    for recipe in blocks(&page, "yaml") {
        let recipe = parsed(&recipe);
        let mut all = Vec::new();
        texts(&recipe, &mut all);
        let lines = all.iter().flat_map(|text| text.lines()).map(str::trim);
        found.extend(lines.filter(|line| line.starts_with("cargo stalemate")).map(str::to_owned));
    }
    found
}

#[test]
fn every_command_of_the_recipes_runs() {
    let project = Project::library("recipes", CLEAN).file(".gitignore", "target\n");
    let git = |words: &[&str]| {
        let mut git = command("git", &project.root);
        git.args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]).args(words);
        Run::of(&mut git).exits(0)
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "x"]);
    git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    project.run("--write-baseline").exits(0);
    let tool = support::built("cargo-stalemate");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = tool.parent().map(Into::into).into_iter().chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders).unwrap();
    let commands = commands();
    assert!(commands.len() >= 6, "{commands:?}");
    for line in commands {
        Run::of(command("sh", &project.root).args(["-c", &line]).env("PATH", &path)).exits(0);
    }
    assert!(
        project.root.join("stalemate-report/index.html").is_file() && project.root.join("stalemate.sarif").is_file()
    );
}
