//! From the path of a file to the URI of an artifact.

use super::SOURCE_ROOT;
use super::model::ArtifactLocation;

/// A path relative to the workspace stays relative, so that the document is the same in every directory. A file from
/// elsewhere, such as a macro of a dependency, can only be named as it is.
pub fn artifact(file: &str) -> ArtifactLocation {
    if file.starts_with('/') {
        ArtifactLocation { uri: format!("file://{}", encode(file)), uri_base_id: None }
    } else if has_drive(file) {
        ArtifactLocation { uri: format!("file:///{}{}", &file[..2], encode(&file[2..])), uri_base_id: None }
    } else {
        ArtifactLocation { uri: encode(file), uri_base_id: Some(SOURCE_ROOT) }
    }
}

/// `C:/`
fn has_drive(file: &str) -> bool {
    matches!(file.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

/// What RFC 3986 calls unreserved, and slashes, stay; a colon would make a scheme of a directory.
fn encode(path: &str) -> String {
    path.bytes().fold(String::new(), |uri, byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            uri + &char::from(byte).to_string()
        }
        other => uri + &format!("%{other:02X}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_characters_stay() {
        assert_eq!(artifact("src/a-b_c.rs").uri, "src/a-b_c.rs");
        assert_eq!(artifact("my src/größe#1%.rs").uri, "my%20src/gr%C3%B6%C3%9Fe%231%25.rs");
        assert_eq!(artifact("a:b/c?.rs").uri, "a%3Ab/c%3F.rs");
    }

    #[test]
    fn files_from_elsewhere_are_absolute() {
        let uri = |file| (artifact(file).uri, artifact(file).uri_base_id);
        assert_eq!(uri("/o p/a.rs"), ("file:///o%20p/a.rs".to_owned(), None));
        assert_eq!(uri("C:/o/a.rs"), ("file:///C:/o/a.rs".to_owned(), None));
        assert_eq!(uri("src/a.rs").1, Some(SOURCE_ROOT));
    }
}
