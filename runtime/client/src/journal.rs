//! One line in the log for each request: never a body, never a value of an argument.

use crate::{Connection, Fault};
use bb_contract::OperationFacts;
use bb_contract::text::visible;
use reqwest::Response;
use std::time::Duration;

/// Writes the line of a request. What the operator may have to do something about is a warning.
pub(crate) fn request(
    connection: &Connection,
    operation: &OperationFacts,
    attempt: u32,
    took: Duration,
    tried: &Result<Response, Fault>,
) {
    let (method, path) = (operation.method, operation.template);
    let took = took.as_millis();
    match tried {
        Ok(response) => {
            let (status, id) = (response.status().as_u16(), id(connection, response));
            if status == 429 || status >= 500 {
                tracing::warn!(
                    "{method} {path}: {status} in {took} ms, attempt {attempt}, request {id}"
                );
            } else {
                tracing::info!(
                    "{method} {path}: {status} in {took} ms, attempt {attempt}, request {id}"
                );
            }
        }
        // The call's own error says why, with what to do.
        Err(_) => tracing::info!("{method} {path}: no answer in {took} ms, attempt {attempt}"),
    }
}

/// Writes the line of a request whose answer is a redirect that is followed.
pub(crate) fn answered(connection: &Connection, operation: &OperationFacts, response: &Response) {
    let (method, path) = (operation.method, operation.template);
    let (status, id) = (response.status().as_u16(), id(connection, response));
    tracing::info!("{method} {path}: {status}, followed, request {id}");
}

fn id(connection: &Connection, response: &Response) -> String {
    let id = response.headers().get("x-arequestid").and_then(|value| value.to_str().ok());
    visible(&connection.redact().text(id.unwrap_or("-"))).chars().take(80).collect()
}
