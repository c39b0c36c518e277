//! The preview's own client: JSON-RPC over pipes inside the process, so that what is previewed is
//! the product's own way from the first byte.

use crate::transport::Other;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

type Waiting = Arc<Mutex<BTreeMap<i64, oneshot::Sender<Value>>>>;

/// A client of the server in this process.
#[derive(Debug, Clone)]
pub(super) struct Inside {
    input: Arc<Mutex<std::io::PipeWriter>>,
    waiting: Waiting,
    next: Arc<AtomicI64>,
}

impl Inside {
    /// Does the handshake of a client that draws views.
    pub(super) async fn start(other: Other) -> Result<Self, String> {
        let waiting = Waiting::default();
        let answers = Arc::clone(&waiting);
        std::thread::spawn(move || {
            for line in BufReader::new(other.output).lines().map_while(Result::ok) {
                let Ok(answer) = serde_json::from_str::<Value>(&line) else { continue };
                let Some(id) = answer.get("id").and_then(Value::as_i64) else { continue };
                let waits = answers.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                if let Some(waits) = waits {
                    // Whoever asked may have gone away.
                    let _ = waits.send(answer);
                }
            }
        });
        let client = Self {
            input: Arc::new(Mutex::new(other.input)),
            waiting,
            next: Arc::new(AtomicI64::new(1)),
        };
        let extensions =
            json!({"io.modelcontextprotocol/ui": {"mimeTypes": [bb_view::page::MIME_TYPE]}});
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"extensions": extensions},
            "clientInfo": {"name": "bb preview", "version": env!("CARGO_PKG_VERSION")},
        });
        client.request("initialize", hello).await?;
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// Asks, and takes what stands under `result`, or under `error` as such.
    pub(super) async fn request(&self, method: &str, params: Value) -> Result<Value, String> {
        let mut answer = self.ask(method, params).await?;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(answer["error"]["message"].as_str().unwrap_or("no answer").to_owned()),
        }
    }

    /// Asks, and takes the whole answer.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        answer.await.map_err(|_| "the server has ended".to_owned())
    }

    fn write(&self, message: &Value) -> Result<(), String> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.write_all(format!("{message}\n").as_bytes()).map_err(|error| error.to_string())
    }
}
