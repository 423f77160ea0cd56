//! `fieldcheck all` as a whole, with a shell script in the place of the tool: what it says is written down, compared, and
//! kept from one run to the next.
#![cfg(unix)]

mod lab;

use lab::SAY;
use std::fs;

const SCRIPT: &str = r#"[ -z "$FAIL" ] || { echo "thread panicked" >&2; exit 70; }"#;

fn finding(lint: &str, confidence: &str) -> String {
    format!(
        r#"{{"fingerprint":"0123456789abcdef","lint":"{lint}","confidence":"{confidence}","score":50,"reasons":[],
        "package":"sled","function":"get","lock":null,"primary":{{"file":"src/lib.rs","line":7,"column":1}},
        "message":"the value is old","help":null,"trace":[],"suppressed":null}}"#
    )
}

struct Lab(lab::Lab);

impl Lab {
    fn new(test: &str) -> Lab {
        let lab = lab::Lab::new(&format!("all-{test}"), &format!("{SCRIPT}{SAY}"));
        fs::write(lab.folder.join("state.txt"), "").unwrap();
        Lab(lab)
    }

    fn run(&self, words: &[&str], findings: &str, fail: &str) -> (i32, String) {
        let state = self.0.folder.join("state.txt");
        let words = [&["all", "r2d2", "sled"], words, &["--state", state.to_str().unwrap()]].concat();
        self.0.run(&words, &[("FINDINGS", findings), ("FAIL", fail)])
    }

    fn calls(&self) -> usize {
        self.0.calls().len()
    }

    /// As if the tool had changed.
    fn forget(&self) {
        fs::remove_dir_all(self.0.folder.join("work/out")).unwrap();
    }

    fn state(&self) -> String {
        fs::read_to_string(self.0.folder.join("state.txt")).unwrap()
    }
}

#[test]
fn what_is_written_down_is_compared_with_the_next_run() {
    let lab = Lab::new("written");
    let (code, said) = lab.run(&["--write"], "", "");
    assert!(code == 1 && said.contains("new sled 0.34.7: 0 above low"), "{said}");
    assert!(lab.state().contains("\nversion sled 0.34.7 500\n"), "{}", lab.state());
    let page = lab.0.page();
    assert!(page.contains("| sled | 0.34.7 | 500 | 0 |"), "{page}");
    let (code, said) = lab.run(&[], "", "");
    assert!(code == 0 && said.contains("2 kept from earlier runs") && said.contains("0 added, 0 gone"), "{said}");
    assert_eq!(lab.calls(), 2);
    let (code, said) = lab.run(&["--kept"], "", "");
    assert!(code == 0 && said.contains("2 versions: 0 added"), "{said}");

    lab.forget();
    let (_, said) = lab.run(&["--kept", "--write"], "", "");
    assert!(said.contains(" 0 versions: ") && lab.calls() == 2, "{said}");
    assert!(lab.state().contains("\nversion sled 0.34.7 500\n"), "{}", lab.state());
    let (code, said) = lab.run(&["sled"], &finding("stale_value", "high"), "");
    assert!(code == 1 && said.contains("+ sled 0.34.7: stale_value, high, src/lib.rs:7"), "{said}");
    assert!(said.contains("\n[[verdict]]\ncrate = \"sled\"\n"), "{said}");
    assert!(!lab.state().contains("stale_value"), "nobody asked for that");
}

#[test]
fn a_crash_is_told_and_tried_again() {
    let lab = Lab::new("crash");
    let (code, said) = lab.run(&["-j", "1"], "", "yes");
    assert!(code == 1 && said.contains("sled 0.34.7: crashed (exit status: 70)\n    thread panicked"), "{said}");
    let (_, said) = lab.run(&["-j", "2"], "", "");
    assert!(!said.contains("crashed") && !said.contains("kept"), "{said}");
    assert_eq!(lab.calls(), 4);
}
