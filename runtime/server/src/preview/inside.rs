//! The preview's own client: JSON-RPC over pipes inside the process, so that what is previewed is
//! the product's own way from the first byte.

use crate::transport::Other;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tokio::sync::{Semaphore, oneshot};

/// Requests of the page under way at once; a page that asks for more waits.
const MOST_UNDER_WAY: usize = 8;

type Waiting = Arc<Mutex<BTreeMap<i64, oneshot::Sender<Value>>>>;

/// A client of the server in this process.
#[derive(Debug, Clone)]
pub(super) struct Inside {
    /// Lines for the thread that writes: the pipe may be full, and this runtime empties it.
    lines: mpsc::Sender<String>,
    waiting: Waiting,
    next: Arc<AtomicI64>,
    under_way: Arc<Semaphore>,
}

/// Tells the server, when it is dropped early, that nobody waits for an answer any more.
struct Asked<'c> {
    client: &'c Inside,
    id: i64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let waits =
            self.client.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        if waits.is_some() {
            let params = json!({"requestId": self.id, "reason": "the page has gone"});
            let message =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            // The server has ended: then nothing is under way.
            let _ = self.client.write(&message);
        }
    }
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
        let (lines, to_write) = mpsc::channel::<String>();
        let mut input = other.input;
        std::thread::spawn(move || {
            for line in to_write {
                if input.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        });
        let client = Self {
            lines,
            waiting,
            next: Arc::new(AtomicI64::new(1)),
            under_way: Arc::new(Semaphore::new(MOST_UNDER_WAY)),
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

    /// Asks, and takes what stands under `result`, or the message of an error as such.
    pub(super) async fn request(&self, method: &str, params: Value) -> Result<Value, String> {
        let mut answer = self.ask(method, params).await?;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(answer["error"]["message"].as_str().unwrap_or("no answer").to_owned()),
        }
    }

    /// Asks, and takes the whole answer.
    pub(super) async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let ended = || "the server has ended".to_owned();
        let _permit = self.under_way.acquire().await.map_err(|_| ended())?;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
        let _asked = Asked { client: self, id };
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        answer.await.map_err(|_| ended())
    }

    fn write(&self, message: &Value) -> Result<(), String> {
        self.lines.send(format!("{message}\n")).map_err(|_| "the server has ended".to_owned())
    }
}
