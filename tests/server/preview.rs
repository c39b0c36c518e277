//! The preview's local page: what it serves, and to whom.

use crate::harness::command;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A running preview.
struct Preview {
    child: Child,
    port: u16,
    path: String,
}

impl Preview {
    fn start(flags: &[&str]) -> Self {
        let mut child = command()
            .args(["ai", "mcp", "preview", "--demo"])
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("UTF-8");
        let url = line
            .trim()
            .strip_prefix("The preview is at http://127.0.0.1:")
            .unwrap_or_else(|| panic!("{line}"));
        let (port, path) = url.split_once('/').expect("a path");
        Self { child, port: port.parse().expect("a port"), path: format!("/{path}") }
    }

    /// Sends a request with these headers and takes status, head and body.
    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status =
            head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn get(&self, name: &str) -> (u16, String, String) {
        self.send("GET", &format!("{}{name}", self.path), &[], "")
    }
}

impl Drop for Preview {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_its_files_and_the_view_are_served_below_the_key() {
    let preview = Preview::start(&[]);
    assert_eq!(preview.path.len(), 34, "128 bits nobody can guess");
    let (status, head, page) = preview.get("");
    assert_eq!(status, 200);
    assert!(
        head.contains("content-security-policy: default-src 'none'")
            && head.contains("x-content-type-options: nosniff"),
        "{head}"
    );
    assert!(page.contains("<script") && !page.contains("=\"http"), "nothing from elsewhere");
    let own =
        page.split(['"', '\'']).filter(|part| part.ends_with(".js") || part.ends_with(".css"));
    let names: Vec<&str> = own.map(|name| name.trim_start_matches("./")).collect();
    assert!(names.len() >= 2, "{names:?}");
    for name in names {
        let (status, head, text) = preview.get(name);
        assert!(status == 200 && text.len() > 100 && head.contains("charset=utf-8"), "{name}");
    }
    let (status, head, view) = preview.get("view");
    assert!(status == 200 && view.starts_with("<!doctype html>"));
    assert!(head.contains("sandbox allow-scripts"), "{head}");
    assert_eq!(preview.get("nothing.js").0, 404);
    assert_eq!(preview.get("../Cargo.toml").0, 404);
}

#[test]
fn a_tool_is_called_as_a_client_would_call_it() {
    let preview = Preview::start(&["--project", "PAY"]);
    let start: Value = serde_json::from_str(&preview.get("start").2).expect("JSON");
    assert_eq!((&start["target"], &start["scope"]), (&json!("demo"), &json!("PAY")));
    let names: Vec<&str> = start["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    assert!(
        names.contains(&"show")
            && names.contains(&"refresh_view")
            && !names.contains(&"get_build_status")
    );
    assert!(start["examples"]["show"].as_array().is_some_and(|examples| examples.len() >= 7));
    let call = |body: &Value| {
        let path = format!("{}call", preview.path);
        let (status, _, body) =
            preview.send("POST", &path, &[("Content-Type", "application/json")], &body.to_string());
        assert_eq!(status, 200);
        serde_json::from_str::<Value>(&body).expect("JSON")
    };
    for example in start["examples"]["show"].as_array().expect("examples") {
        let answer = call(&json!({"name": "show", "arguments": example["arguments"]}));
        assert_eq!(
            answer["result"]["_meta"]["bb/view"]["payload"]["id"], example["arguments"]["id"],
            "{answer}"
        );
    }
    let denied = call(
        &json!({"name": "show", "arguments": {"kind": "pull_request", "project": "OPS", "repo": "deploy-tools", "id": 1}}),
    );
    assert_eq!(denied["result"]["isError"], true, "the scope holds here too");
    assert_eq!(call(&json!({"name": "nope", "arguments": {}}))["error"]["code"], -32602);
    assert_eq!(call(&json!({"name": 7, "arguments": "x"}))["error"]["code"], -32602);
}

#[test]
fn nobody_else_is_answered() {
    let preview = Preview::start(&[]);
    let call = format!("{}call", preview.path);
    let body = json!({"name": "list_pull_requests", "arguments": {}}).to_string();
    let json_type = ("Content-Type", "application/json");
    let own = format!("http://127.0.0.1:{}", preview.port);
    assert_eq!(preview.send("POST", &call, &[json_type, ("Origin", &own)], &body).0, 200);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""] {
        assert_eq!(
            preview.send("POST", &call, &[json_type, ("Origin", origin)], &body).0,
            403,
            "{origin}"
        );
    }
    for host in ["evil.example", "127.0.0.1", "localhost", "[::1]", ""] {
        assert_eq!(
            preview.send("POST", &call, &[json_type, ("Host", host)], &body).0,
            403,
            "{host}"
        );
        assert_eq!(preview.send("GET", &preview.path, &[("Host", host)], "").0, 403, "{host}");
    }
    // What a page elsewhere can send without asking is not taken.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        assert_eq!(preview.send("POST", &call, &[("Content-Type", kind)], &body).0, 415, "{kind}");
    }
    for path in ["/", "/start", "/call", "/view", "/00000000000000000000000000000000/start"] {
        assert_eq!(preview.send("GET", path, &[], "").0, 404, "{path}");
    }
    assert_eq!(preview.send("POST", &call, &[json_type], "not JSON").0, 400);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = command()
        .args(["ai", "mcp", "preview", "--demo", "--port", &port])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("give another, or leave --port out"));
}
