//! What every page has: the frame, the style, the script, and a policy that lets nothing else in. Should a name in the
//! checked code ever get past the escaping, the browser still runs nothing but this script.

use super::digest::sha256;

const STYLE: &str = include_str!("../../../templates/style.css");
const SCRIPT: &str = include_str!("../../../templates/script.js");

/// Tells our pages from other people's files.
pub const MARKER: &str = "<meta name=\"generator\" content=\"stalemate\">";

#[derive(Clone, Debug)]
pub struct Page {
    pub title: String,
    /// What leads from the page to the index.
    pub top: &'static str,
    pub policy: String,
    pub style: &'static str,
    pub script: &'static str,
    pub version: &'static str,
}

impl Page {
    pub fn at_top(title: &str) -> Page {
        Page::new(title, "")
    }

    /// For a page of a source file.
    pub fn below(title: &str) -> Page {
        Page::new(title, "../")
    }

    fn new(title: &str, top: &'static str) -> Page {
        Page { title: title.to_owned(), top, policy: policy(), style: STYLE, script: SCRIPT, version: crate::VERSION }
    }
}

fn policy() -> String {
    let (style, script) = (sha256(STYLE.as_bytes()), sha256(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; img-src data:; \
         base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_cannot_end_their_elements() {
        assert!(!STYLE.to_ascii_lowercase().contains("</style"));
        assert!(!SCRIPT.to_ascii_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        // A browser reads another line end than we hashed.
        assert!(!STYLE.contains('\r') && !SCRIPT.contains('\r'));
    }
}
