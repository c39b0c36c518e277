//! The demo over HTTP, asked with a bare socket.

mod control;
mod discussion;
mod faults;
#[cfg(feature = "gateways")]
mod gateways;
#[cfg(feature = "gateways")]
mod gateways_gzip;
#[cfg(feature = "gateways")]
mod gateways_proxy;
#[cfg(feature = "gateways")]
mod gateways_tls;
mod hostile;
mod lifecycle;
mod manners;
mod operations;
mod origins;
mod product;
mod pull_requests;
mod pushes;
mod reading;
mod refs;

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
    open_with(demo, "GET", path, headers, b"").await
}

async fn open_with(demo: &Demo, method: &str, path: &str, headers: &str, body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address(demo)).await.unwrap();
    let accept = if headers.contains("Accept: ") { "" } else { "Accept: application/json\r\n" };
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n\
         Content-Length: {}\r\n{accept}{headers}\r\n",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    stream
}

async fn ask(demo: &Demo, path: &str, headers: &str) -> Reply {
    read(open(demo, path, headers).await).await
}

async fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    reply(&bytes)
}

fn reply(bytes: &[u8]) -> Reply {
    let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..split].to_vec()).unwrap();
    Reply {
        status: head[9..12].parse().unwrap(),
        head: head.to_lowercase(),
        body: bytes[split + 4..].to_vec(),
    }
}

/// Sends a write as a user, with everything a write needs.
async fn send(demo: &Demo, user: &str, method: &str, path: &str, body: Value) -> Reply {
    let headers = format!(
        "Authorization: Bearer {}\r\nContent-Type: application/json\r\n\
         X-Atlassian-Token: no-check\r\n",
        demo.token_of(user)
    );
    let body = if body.is_null() { String::new() } else { body.to_string() };
    read(open_with(demo, method, path, &headers, body.as_bytes()).await).await
}

/// As the demo's own user, below `PAY/ledger`.
async fn write(demo: &Demo, method: &str, path: &str, body: Value) -> Reply {
    send(demo, crate::USER, method, &format!("{LEDGER}{path}"), body).await
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
