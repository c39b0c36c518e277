//! Starting a demo and a server, and talking to it line by line.

use bb_demo::{Demo, Options};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The runtime every demo is served from.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime")
    })
}

/// A demo of its own for one test.
pub(crate) fn demo() -> Demo {
    demo_under("")
}

/// A demo below a context path.
pub(crate) fn demo_under(context_path: &str) -> Demo {
    let options = Options { context_path: context_path.to_owned(), ..Options::default() };
    runtime().block_on(Demo::start(options)).expect("a demo")
}

/// Every variable the server reads; what a developer has set is none of a test's business.
const VARIABLES: &[&str] = &[
    "BITBUCKET_URL",
    "BITBUCKET_TOKEN",
    "BITBUCKET_TOKEN_FILE",
    "BITBUCKET_USERNAME",
    "BITBUCKET_PASSWORD",
    "BB_ALLOW_HTTP",
    "BB_CA_FILE",
    "BB_CLIENT_CERT",
    "BB_CLIENT_KEY",
    "BB_CONFIG",
    "BB_INSECURE_SKIP_VERIFY",
    "BB_LOG_LEVEL",
    "BB_REQUEST_TIMEOUT",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
];

/// The binary under test, in an environment without settings, where each configuration file would
/// lie in a folder that does not exist.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bb"));
    for name in VARIABLES {
        command.env_remove(name);
    }
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nowhere");
    for name in ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA"] {
        command.env(name, &nowhere);
    }
    command.env("BB_TEST_SYSTEM_CONFIG", nowhere.join("system.yaml"));
    command
}

/// A running server. Whatever it says is searched, at its end, for the secrets it was given.
pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Box<dyn BufRead + Send>,
    errors: Option<ChildStderr>,
    next: i64,
    secrets: Vec<String>,
    said: Vec<u8>,
}

impl Server {
    /// Starts a server that uses the demo, with more flags.
    pub(crate) fn start(demo: &Demo, flags: &[&str]) -> Self {
        Self::start_with(demo, flags, &[])
    }

    /// As [`Server::start`], with more environment.
    pub(crate) fn start_with(demo: &Demo, flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = command();
        command.args(["ai", "mcp", "serve"]).args(flags);
        command.env("BITBUCKET_URL", demo.url()).env("BITBUCKET_TOKEN", bb_demo::TOKEN);
        command.envs(environment.iter().copied());
        Self::spawn(command)
    }

    /// Starts any command.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let secrets = secrets(&command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let output = Box::new(BufReader::new(child.stdout.take().expect("a pipe")));
        let errors = child.stderr.take();
        Self { child, input, output, errors, next: 0, secrets, said: Vec::new() }
    }

    /// Starts a server and does the handshake.
    pub(crate) fn ready(demo: &Demo, flags: &[&str]) -> Self {
        let mut server = Self::start(demo, flags);
        server.handshake();
        server
    }

    /// As [`Server::ready`], as a client that draws views.
    pub(crate) fn drawing(demo: &Demo, flags: &[&str]) -> Self {
        let mut server = Self::start(demo, flags);
        server.greet(&json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}));
        server
    }

    /// The handshake of revisions that have one.
    pub(crate) fn handshake(&mut self) -> Value {
        self.greet(&json!({}))
    }

    /// The handshake with these capabilities.
    pub(crate) fn greet(&mut self, capabilities: &Value) -> Value {
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "tests", "version": "1"}}),
        );
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &str) {
        self.write_bytes(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    /// Reads a line, which has to be JSON-RPC.
    pub(crate) fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        assert!(!line.is_empty(), "the server ended: {}", self.stderr());
        self.said.extend_from_slice(line.as_bytes());
        let value: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
        assert_eq!(value["jsonrpc"], "2.0", "{line}");
        value
    }

    /// Sends a request and reads its answer.
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.send(method, parameters);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request and does not wait.
    pub(crate) fn send(&mut self, method: &str, parameters: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters})
                .to_string(),
        );
        id
    }

    /// Calls a tool and takes its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// Calls a tool that has to succeed and takes its structured answer.
    pub(crate) fn data(&mut self, tool: &str, arguments: Value) -> Value {
        let mut result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].take()
    }

    /// Calls a tool that has to fail and takes the text the model reads.
    pub(crate) fn failure(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"].is_null(), "{result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// The tools that are listed.
    pub(crate) fn tools(&mut self) -> Vec<Value> {
        self.request("tools/list", json!({}))["result"]["tools"].as_array().expect("tools").clone()
    }

    /// Ends the input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Stops reading standard output.
    pub(crate) fn close_output(&mut self) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(writer);
        self.output = Box::new(BufReader::new(reader));
    }

    /// Writes a line, which may find nobody.
    pub(crate) fn try_write(&mut self, line: &str) {
        if let Some(input) = self.input.as_mut() {
            let _ = input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush());
        }
    }

    /// Stops reading standard error.
    pub(crate) fn close_errors(&mut self) {
        self.errors = None;
    }

    /// Whether the process is gone already.
    pub(crate) fn is_gone(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_some()
    }

    /// The process's id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the input, waits for the end, and takes what was still written.
    pub(crate) fn finish(mut self) -> (ExitStatus, String, String) {
        self.end_input();
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("UTF-8");
        self.said.extend_from_slice(rest.as_bytes());
        let status = self.child.wait().expect("a status");
        let errors = self.stderr();
        (status, rest, errors)
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.errors.take() {
            let _ = errors.read_to_string(&mut text);
        }
        self.said.extend_from_slice(text.as_bytes());
        text
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = self.output.read_to_end(&mut self.said);
        self.stderr();
        if !std::thread::panicking() {
            assert_tells_none(&self.said, &self.secrets);
        }
    }
}

/// What of a command's environment nobody may be told: tokens, passwords, what their files hold, and
/// credentials inside addresses, as they are and in base64.
pub(crate) fn secrets(command: &Command) -> Vec<String> {
    let mut secrets = vec![bb_demo::TOKEN.to_owned()];
    let mut user = String::new();
    for (name, value) in command.get_envs() {
        let (Some(name), Some(value)) = (name.to_str(), value.and_then(|value| value.to_str()))
        else {
            continue;
        };
        let upper = name.to_ascii_uppercase();
        if upper == "BITBUCKET_USERNAME" {
            value.clone_into(&mut user);
        } else if upper.ends_with("_FILE") && upper.contains("TOKEN") {
            secrets.extend(std::fs::read_to_string(value));
        } else if upper.ends_with("_PROXY") || upper == "BITBUCKET_URL" {
            let credentials = value.split_once("://").and_then(|(_, rest)| rest.split_once('@'));
            for credentials in credentials.into_iter().map(|(credentials, _)| credentials) {
                let plain = decoded(credentials);
                secrets.push(base64(&plain));
                let password = |text: &str| text.split_once(':').map(|(_, text)| text.to_owned());
                secrets.extend(password(credentials).into_iter().chain(password(&plain)));
            }
        } else if ["TOKEN", "PASSWORD", "SECRET"].iter().any(|word| upper.contains(word)) {
            value.lines().for_each(|line| secrets.push(line.to_owned()));
        }
    }
    if let Some(password) = secrets.get(1).filter(|_| !user.is_empty()) {
        secrets.push(base64(&format!("{user}:{password}")));
    }
    let secrets = secrets.into_iter().map(|secret| secret.trim().to_owned());
    // What is shorter is found in innocent texts.
    secrets.filter(|secret| secret.len() > 4).collect()
}

fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(part.len().min(2));
        bytes.extend(u8::from_str_radix(digits, 16));
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let whole = chunk.iter().fold(0_u32, |whole, byte| (whole << 8) | u32::from(*byte));
        let whole = whole << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            let index = (whole >> (18 - 6 * place)) & 63;
            encoded.push(char::from(LETTERS[index as usize]));
        }
    }
    // Without its padding it is found in what goes on as well.
    encoded
}

/// Asserts that none of the secrets is in what was said.
pub(crate) fn assert_tells_none(said: &[u8], secrets: &[String]) {
    let said = String::from_utf8_lossy(said);
    for secret in secrets {
        if let Some(at) = said.find(secret.as_str()) {
            let near: String = said[..at].chars().rev().take(80).collect::<String>();
            let near: String = near.chars().rev().collect();
            panic!("a secret was told, after: {near}");
        }
    }
}

/// Waits for something that happens soon, without saying how soon.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_search_for_secrets_finds_them() {
    let mut command = Command::new("bb");
    command.env("BITBUCKET_USERNAME", "ada").env("BITBUCKET_PASSWORD", "pass-word");
    command.env("https_proxy", "http://bob:pr0xy%20pass@proxy:3128");
    let secrets = secrets(&command);
    for said in [
        "the demo-token of it",
        "pass-word",
        "Basic YWRhOnBhc3Mtd29yZA==",
        "pr0xy%20pass",
        "pr0xy pass",
        "Basic Ym9iOnByMHh5IHBhc3M=",
    ] {
        let found = std::panic::catch_unwind(|| assert_tells_none(said.as_bytes(), &secrets));
        assert!(found.is_err(), "{said}");
    }
    assert_tells_none(b"ada is at proxy:3128", &secrets);
}
