//! The demo over HTTP, asked with a bare socket.

mod control;
mod product;
mod pull_requests;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::{Demo, Options, TOKEN};

const LEDGER: &str = "/rest/api/latest/projects/PAY/repos/ledger";

struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    fn error(&self) -> String {
        self.json()["errors"][0]["exceptionName"]
            .as_str()
            .unwrap()
            .rsplit('.')
            .next()
            .unwrap()
            .to_owned()
    }
}

async fn demo() -> Demo {
    Demo::start(Options::default()).await.unwrap()
}

fn address(demo: &Demo) -> String {
    let rest = demo.url().strip_prefix("http://").unwrap().to_owned();
    rest.split('/').next().unwrap().to_owned()
}

async fn open(demo: &Demo, path: &str, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address(demo)).await.unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn ask(demo: &Demo, path: &str, headers: &str) -> Reply {
    let mut stream = open(demo, path, headers).await;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..split].to_vec()).unwrap();
    Reply {
        status: head[9..12].parse().unwrap(),
        head: head.to_lowercase(),
        body: bytes[split + 4..].to_vec(),
    }
}

async fn get(demo: &Demo, path: &str) -> Reply {
    ask(demo, path, &format!("Authorization: Bearer {TOKEN}\r\n")).await
}

async fn ledger(demo: &Demo, path: &str) -> Value {
    let reply = get(demo, &format!("{LEDGER}{path}")).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()
}

fn values(page: &Value) -> &Vec<Value> {
    page["values"].as_array().unwrap()
}
