//! A demo on a thread of its own, and a bare client that asks it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use bb_demo::{Demo, Options, USER};
use serde_json::Value;

/// A running demo. Its thread ends with the process.
pub(crate) fn demo() -> Demo {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let demo = Demo::start(Options::default()).await.expect("a demo");
            sender.send(demo).expect("a receiver");
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().expect("a demo")
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The media type without its parameters.
    pub(crate) kind: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

pub(crate) fn get(demo: &Demo, path: &str) -> Reply {
    ask(demo, USER, "GET", path, &Value::Null)
}

/// Asks as a user. A write carries what every write must.
pub(crate) fn ask(demo: &Demo, user: &str, method: &str, path: &str, body: &Value) -> Reply {
    let url = demo.url();
    let address = url.strip_prefix("http://").expect("plain HTTP");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let kind = if method == "GET" { "" } else { "Content-Type: application/json\r\n" };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n\
         Authorization: Bearer {}\r\nAccept: application/json\r\n{kind}\
         X-Atlassian-Token: no-check\r\nContent-Length: {}\r\n\r\n{body}",
        demo.token_of(user),
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("the demo reads");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the demo answers");
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&bytes[..split]).to_lowercase();
    let kind = head
        .lines()
        .find_map(|line| line.strip_prefix("content-type: "))
        .and_then(|kind| kind.split(';').next())
        .unwrap_or_default()
        .to_owned();
    Reply {
        status: head[9..12].parse().expect("a status"),
        kind,
        body: bytes[split + 4..].to_vec(),
    }
}

/// A file or folder of the reference data, which is not part of this
/// repository: beside the workspace, or above it.
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/bitbucket").join(name))
        .find(|path| path.exists());
    if found.is_none() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: shared/bitbucket/{name} is not here");
    }
    found
}
