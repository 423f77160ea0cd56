//! Results of earlier runs. Beside each lies a stamp that says what it came from; one with an equal stamp is as good as a
//! new run. Failures are not kept: the network or a full disk may have caused them.

use super::Subject;
use super::tool::Tool;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub fn stamp(tool: &Tool, subject: &Subject, recipe: &str) -> String {
    format!("tool {}\nargs {}\n{recipe}", tool.hash, subject.args.join(" "))
}

pub fn read(out: &Path, label: &str, stamp: &str) -> Option<Vec<u8>> {
    let kept = fs::read_to_string(stamp_file(out, label)).ok()?;
    if kept != stamp {
        return None;
    }
    fs::read(result_file(out, label)).ok()
}

/// The old stamp goes first and the new one comes last, so that no stamp ever stands beside another result.
pub fn write(out: &Path, label: &str, stamp: &str, result: &[u8]) -> io::Result<()> {
    fs::create_dir_all(out)?;
    match fs::remove_file(stamp_file(out, label)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::write(result_file(out, label), result)?;
    fs::write(stamp_file(out, label), stamp)
}

fn result_file(out: &Path, label: &str) -> PathBuf {
    out.join(format!("{label}.json"))
}

fn stamp_file(out: &Path, label: &str) -> PathBuf {
    out.join(format!("{label}.stamp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_kept_for_its_stamp_only() {
        let out = std::env::temp_dir().join(format!("fieldcheck-kept-{}", std::process::id()));
        assert_eq!(read(&out, "a-1", "stamp"), None);
        write(&out, "a-1", "stamp", b"result").unwrap();
        assert_eq!(read(&out, "a-1", "stamp").as_deref(), Some(b"result".as_slice()));
        assert_eq!(read(&out, "a-1", "other"), None);
        assert_eq!(read(&out, "a-2", "stamp"), None);
        write(&out, "a-1", "other", b"another").unwrap();
        assert_eq!(read(&out, "a-1", "stamp"), None);
        fs::remove_dir_all(&out).unwrap();
    }
}
