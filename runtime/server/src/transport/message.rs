//! From a line to a message, or to the answer that a line which is no message gets.

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use serde_json::Value;
use std::io;

/// What becomes of a line.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It goes on.
    Pass(Box<RxJsonRpcMessage<RoleServer>>),
    /// It is answered here.
    Reply(Vec<u8>),
    /// It is left without an answer, as the protocol has it.
    Nothing,
}

/// What has to be remembered between lines.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Whether a request has chosen how the conversation goes. Before that, rmcp ends on anything
    /// but a request.
    begun: bool,
}

impl Reading {
    /// Takes a whole line.
    pub(super) fn take(&mut self, line: &[u8]) -> Outcome {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return Outcome::Nothing;
        }
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                return reply(None, ErrorData::parse_error(format!("not JSON: {error}"), None));
            }
        };
        match serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line) {
            Ok(message) => self.pass(message, &value),
            // A notification is never answered, whatever is wrong with it.
            Err(_) if value.get("id").is_none() && value.get("method").is_some() => {
                Outcome::Nothing
            }
            Err(_) => {
                let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
                let what = if value.is_array() {
                    "batches are not supported"
                } else {
                    "not a JSON-RPC 2.0 message"
                };
                reply(id, ErrorData::invalid_request(what, None))
            }
        }
    }

    fn pass(&mut self, message: RxJsonRpcMessage<RoleServer>, value: &Value) -> Outcome {
        let is_request = matches!(message, JsonRpcMessage::Request(_));
        if !is_request && !self.begun {
            return Outcome::Nothing;
        }
        // Asking what the server can do does not choose yet.
        let probes = value.get("method").and_then(Value::as_str) == Some("server/discover");
        self.begun |= is_request && !probes;
        Outcome::Pass(Box::new(message))
    }

    /// Answers a line of which only the head was kept.
    pub(super) fn refuse_long(&mut self, head: &[u8], longest: usize) -> Outcome {
        let message = format!("the message is longer than {} MiB", longest >> 20);
        reply(id_in(head), ErrorData::invalid_request(message, None))
    }
}

/// The id in the head of a message, when it stands there. A guess, but of the sender's own bytes.
fn id_in(head: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(head);
    let rest = text.split_once("\"id\"")?.1.trim_start().strip_prefix(':')?.trim_start();
    let end = match rest.strip_prefix('"') {
        Some(inner) => inner.find('"')? + 2,
        None => rest.find(|character: char| !(character.is_ascii_digit() || character == '-'))?,
    };
    serde_json::from_str(rest.get(..end)?).ok()
}

fn reply(id: Option<RequestId>, error: ErrorData) -> Outcome {
    match line(&TxJsonRpcMessage::<RoleServer>::error(error, id)) {
        Ok(line) => Outcome::Reply(line),
        Err(_) => Outcome::Nothing,
    }
}

/// A message as the line that carries it.
pub(super) fn line(message: &TxJsonRpcMessage<RoleServer>) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::id_in;
    use rmcp::model::RequestId;

    #[test]
    fn the_id_of_a_long_line_is_found_when_its_head_has_it() {
        let number = |text: &str| id_in(text.as_bytes());
        assert_eq!(number(r#"{"jsonrpc":"2.0","id":7,"method":"x"#), Some(RequestId::Number(7)));
        assert_eq!(number(r#"{"id" : "a b","params":"#), Some(RequestId::String("a b".into())));
        assert_eq!(number(r#"{"params":{"x":"#), None);
        assert_eq!(number(r#"{"id":7"#), None);
        assert_eq!(number(r#"{"id":"cut"#), None);
    }
}
