//! From the arguments cargo gives to the ones rustc gets.

use finding::settings::{Level, Settings};

/// The sysroot of the toolchain this driver was built with; an explicit one goes before.
const SYSROOT: &str = env!("STALEMATE_SYSROOT");

/// Cargo names the rustc to stand in for as the first argument; a test or a person may leave it out.
pub(crate) fn for_rustc(given: &[String], settings: Option<&Settings>) -> Vec<String> {
    let mut rest = given[1..].to_vec();
    let stands_in =
        rest.first().is_some_and(|first| std::path::Path::new(first).file_stem().is_some_and(|stem| stem == "rustc"));
    if stands_in {
        rest.remove(0);
    }
    let mut all = vec!["rustc".to_owned()];
    let names_sysroot = rest.iter().any(|argument| argument == "--sysroot" || argument.starts_with("--sysroot="));
    if !names_sysroot {
        all.extend(["--sysroot".to_owned(), SYSROOT.to_owned()]);
    }
    all.extend(rest);
    if is_checked(&all) {
        // The same name that Dylint gives, so that `cfg_attr(dylint_lib = "stalemate", ..)` holds in both shells.
        all.push("--cfg=dylint_lib=\"stalemate\"".to_owned());
        all.extend(settings.into_iter().flat_map(levels));
    }
    all
}

fn levels(settings: &Settings) -> impl Iterator<Item = String> {
    settings.lints.iter().map(|(lint, level)| match level {
        Level::Allow => format!("-A{lint}"),
        Level::Warn => format!("-W{lint}"),
        Level::Deny => format!("-D{lint}"),
    })
}

/// A crate of the user's: not a question about the compiler, and not a build script.
pub(crate) fn is_checked(rustc: &[String]) -> bool {
    let name = rustc.iter().position(|argument| argument == "--crate-name").and_then(|at| rustc.get(at + 1));
    let is_query = rustc.iter().any(|argument| {
        argument == "-vV" || argument == "-V" || argument == "--version" || argument.starts_with("--print")
    });
    !is_query && !name.is_some_and(|name| name == "___" || name.starts_with("build_script_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_rustc_it_stands_in_for_is_dropped() {
        let all = for_rustc(&words("driver /tools/bin/rustc --crate-name x src/lib.rs"), None);
        assert_eq!(all[0], "rustc");
        assert!(!all.contains(&"/tools/bin/rustc".to_owned()));
        assert!(all.contains(&"src/lib.rs".to_owned()));
    }

    #[test]
    fn an_explicit_sysroot_stays() {
        let all = for_rustc(&words("driver --crate-name x --sysroot /s"), None);
        assert_eq!(all.iter().filter(|argument| *argument == "--sysroot").count(), 1);
    }

    #[test]
    fn build_scripts_and_questions_are_left_alone() {
        assert!(!is_checked(&words("rustc --crate-name build_script_build build.rs")));
        assert!(!is_checked(&words("rustc -vV")));
        assert!(!is_checked(&words("rustc - --crate-name ___ --print=file-names")));
        assert!(is_checked(&words("rustc --crate-name x src/lib.rs")));
    }

    #[test]
    fn levels_become_flags() {
        let settings = Settings { lints: [("stale_use".to_owned(), Level::Warn)].into(), ..Settings::default() };
        let all = for_rustc(&words("driver --crate-name x src/lib.rs"), Some(&settings));
        assert_eq!(all.last().map(String::as_str), Some("-Wstale_use"));
    }
}
