//! The record of requests received, which tests read.

use std::sync::{Mutex, PoisonError};

/// One request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path, still percent-encoded, without the context path.
    pub path: String,
    /// The query as sent, without `?`.
    pub query: String,
    /// Header names in lower case; of `authorization` and `proxy-authorization`
    /// only the scheme: `(Bearer)`, `(Basic)` or `(other)`.
    pub headers: Vec<(String, String)>,
    /// The body, invalid UTF-8 replaced.
    pub body: String,
}

#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<Vec<Request>>);

impl Log {
    pub(crate) fn add(&self, request: Request) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    }

    pub(crate) fn all(&self) -> Vec<Request> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
