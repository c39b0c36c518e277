//! One line in the log for each request: never a body, never a value of an argument.

use crate::{Connection, Fault};
use bb_contract::OperationFacts;
use bb_contract::text::visible;
use reqwest::Response;
use std::time::Duration;

/// Writes the line. What the operator may have to do something about is a warning.
pub(crate) fn request(
    connection: &Connection,
    operation: &OperationFacts,
    attempt: u32,
    took: Duration,
    tried: &Result<Response, Fault>,
) {
    let (method, path) = (operation.method, operation.template);
    let took = format!("{} ms", took.as_millis());
    match tried {
        Ok(response) => {
            let status = response.status().as_u16();
            let id = response
                .headers()
                .get("x-arequestid")
                .and_then(|value| value.to_str().ok())
                .unwrap_or("-");
            let id: String = visible(&connection.redact().text(id)).chars().take(80).collect();
            if status == 429 || status >= 500 {
                tracing::warn!(
                    "{method} {path}: {status} in {took}, attempt {attempt}, request {id}"
                );
            } else {
                tracing::info!(
                    "{method} {path}: {status} in {took}, attempt {attempt}, request {id}"
                );
            }
        }
        // The call's own error says why, with what to do.
        Err(_) => tracing::info!("{method} {path}: no answer in {took}, attempt {attempt}"),
    }
}
