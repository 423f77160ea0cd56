//! Where links lead: to a file that exists, and in it to an anchor that exists.

use crate::chromium::Browser;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const ANCHORS: &str = "return [...document.querySelectorAll('[id]')].map(it => it.id)";
const LINKS: &str = "return [...document.querySelectorAll('a[href]')].map(it => new URL(it.getAttribute('href'), document.baseURI).href)";

/// Every link of these pages that leads nowhere, and every anchor that stands twice.
pub fn broken(browser: &Browser, pages: &[PathBuf]) -> Vec<String> {
    let mut anchors = BTreeMap::<String, BTreeSet<String>>::new();
    let mut links = Vec::new();
    let mut broken = Vec::new();
    for page in pages {
        browser.open(page, "");
        let url = browser.text("return document.URL");
        let ids = strings(browser.run(ANCHORS));
        let mut seen = BTreeSet::new();
        let twice = ids.iter().filter(|id| !seen.insert(id.to_string()));
        broken.extend(twice.map(|id| format!("{url}: #{id} stands twice")));
        links.extend(strings(browser.run(LINKS)).into_iter().map(|link| (url.clone(), link)));
        anchors.insert(url, seen);
    }
    assert!(links.len() > pages.len(), "{links:?}");
    let leads_nowhere = |link: &str| {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        anchors.get(file).is_none_or(|anchors| !anchor.is_empty() && !anchors.contains(anchor))
    };
    let nowhere = links.iter().filter(|(_, link)| leads_nowhere(link));
    broken.extend(nowhere.map(|(page, link)| format!("{page}: {link}")));
    broken
}

fn strings(value: Value) -> Vec<String> {
    let values = value.as_array().cloned().unwrap_or_default();
    values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}
