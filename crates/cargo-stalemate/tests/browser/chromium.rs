//! A browser, driven over WebDriver: plain HTTP to a chromedriver on this machine. Small on purpose, as are its users.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
];

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// A profile of its own, gone with the browser.
    _profile: tempfile::TempDir,
}

impl Browser {
    /// None where there is no browser.
    pub fn start() -> Option<Browser> {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut driver = match driver {
            Ok(driver) => driver,
            Err(error) => return skip(&format!("chromedriver does not start ({error})")),
        };
        let port = port(&mut driver);
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        match browser.open_session() {
            Ok(session) => browser.session = session,
            Err(answer) => return skip(&format!("chromedriver finds no browser ({answer})")),
        }
        Some(browser)
    }

    fn open_session(&self) -> Result<String, String> {
        let profile = format!("--user-data-dir={}", self._profile.path().display());
        let flags: Vec<&str> = FLAGS.iter().copied().chain([profile.as_str()]).collect();
        let wanted = json!({ "browserName": "chrome", "goog:loggingPrefs": { "browser": "ALL" },
                             "goog:chromeOptions": { "args": flags } });
        let answer = self.ask("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        answer["sessionId"].as_str().map(str::to_owned).ok_or_else(|| answer["message"].to_string())
    }

    pub fn open(&self, file: &Path, fragment: &str) {
        let url = format!("file://{}{fragment}", file.display());
        self.post("/url", &json!({ "url": url }));
    }

    /// The value of a script's `return`.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    pub fn text(&self, script: &str) -> String {
        let value = self.run(script);
        value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string())
    }

    pub fn key(&self, key: &str) {
        let strokes = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.post("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": strokes }] }));
    }

    pub fn click(&self, selector: &str) {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    pub fn size(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    pub fn scheme(&self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &features);
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// What the console was told since it was last asked.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask("POST", &format!("/session/{}{path}", self.session), body);
        assert!(answer.get("error").is_none(), "{path}: {answer}");
        answer
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_to_ask(method, path, body).unwrap()
    }

    fn try_to_ask(&self, method: &str, path: &str, body: &Value) -> io::Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let body = body.to_string();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        answer(BufReader::new(stream))
    }
}

/// The browser ends with its session, also after a test that failed.
impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.try_to_ask("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A machine that tests for others must have a browser; on others it is no failure to have none, but it is said.
fn skip(why: &str) -> Option<Browser> {
    assert!(std::env::var_os("CI").is_none(), "{why}: install chromium and chromium-driver");
    eprintln!("skipped: {why}; install chromium and chromium-driver to run this test");
    None
}

/// It says on which port it listens.
fn port(driver: &mut Child) -> u16 {
    let out = BufReader::new(driver.stdout.take().unwrap());
    for line in out.lines().map_while(Result::ok) {
        let port = line.split_once("successfully on port ").map(|(_, port)| port.trim_end_matches('.').to_owned());
        if let Some(port) = port {
            return port.parse().unwrap();
        }
    }
    panic!("chromedriver did not say on which port it listens");
}

fn answer(mut stream: impl BufRead) -> io::Result<Value> {
    let mut length = 0;
    let mut line = String::new();
    while stream.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    let answer: Value = serde_json::from_slice(&body)?;
    Ok(answer["value"].clone())
}
