//! Clients that others wrote, through listing, reading, commenting, approving
//! and merging. They come from registries, so whoever has them says where:
//! `BB_DEMO_PYTHON` is an interpreter that has `atlassian-python-api`,
//! `BB_DEMO_NODE_SERVER` the `build/index.js` of
//! `@nexus2520/bitbucket-mcp-server`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bb_demo::{TOKEN, USER};
use serde_json::{Value, json};

use crate::http::{demo, get};

/// Where a client is, or a visible word that it is not here.
fn place(variable: &str) -> Option<String> {
    let found = std::env::var(variable).ok();
    if found.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {variable} does not say where its client is");
    }
    found
}

#[test]
fn the_python_client_works_against_it() {
    let Some(python) = place("BB_DEMO_PYTHON") else {
        return;
    };
    let demo = demo();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/truth/walk.py");
    let output = Command::new(python)
        .arg(script)
        .args([demo.url(), TOKEN.to_owned()])
        .output()
        .expect("the interpreter starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A server that speaks JSON-RPC over its pipes.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(script: &str, address: &str) -> Server {
        let mut child = Command::new("node")
            .arg(script)
            .env("BITBUCKET_BASE_URL", address)
            .env("BITBUCKET_USERNAME", USER)
            .env("BITBUCKET_TOKEN", TOKEN)
            .env("BITBUCKET_RATE_LIMIT_RPS", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server { child, input, output };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" } });
        server.request("initialize", &hello);
        server.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server reads");
    }

    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.write(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The text of a tool's answer, which must not be an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> String {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert_ne!(answer["result"]["isError"], true, "{tool}: {answer}");
        let text = answer["result"]["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("{tool}: {answer}")).to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_written_in_node_works_against_it() {
    let Some(script) = place("BB_DEMO_NODE_SERVER") else {
        return;
    };
    let demo = demo();
    let mut server = Server::start(&script, &demo.url());
    let first = |more: Value| {
        let mut all = json!({ "workspace": "PAY", "repository": "ledger", "pull_request_id": 1 });
        let members = all.as_object_mut().expect("members");
        members.extend(more.as_object().expect("members").clone());
        all
    };
    let listed =
        server.call("list_pull_requests", &json!({ "workspace": "PAY", "repository": "ledger" }));
    assert!(listed.contains("PAY-412"), "{listed}");
    assert!(server.call("get_pull_request", &first(json!({}))).contains("PAY-412"));
    let diff = server.call("get_pull_request_diff", &first(json!({})));
    assert!(diff.contains("(5 files)"), "{diff}");
    server.call("add_comment", &first(json!({ "comment_text": "from Node" })));
    server.call("set_review_status", &first(json!({ "status": "APPROVED" })));
    let merge = json!({ "workspace": "PAY", "repository": "statements", "pull_request_id": 2 });
    server.call("merge_pull_request", &merge);

    let pulls = "/rest/api/latest/projects/PAY/repos";
    let activities = get(&demo, &format!("{pulls}/ledger/pull-requests/1/activities")).json();
    assert_eq!(activities["values"][0]["action"], "APPROVED");
    assert_eq!(activities["values"][1]["comment"]["text"], "from Node");
    let merged = get(&demo, &format!("{pulls}/statements/pull-requests/2")).json();
    assert_eq!(merged["state"], "MERGED");
}
