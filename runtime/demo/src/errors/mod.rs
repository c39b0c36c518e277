//! What the product answers when it refuses, in its own words and classes.

mod conflicts;
mod missing;

use crate::control::Canned;
use serde_json::{Map, Value, json};

/// A refusal: one status and one body.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Failure {
    pub(crate) fn with(
        status: u16,
        context: Option<&str>,
        message: &str,
        exception: Option<&str>,
    ) -> Failure {
        let exception = exception.map(|class| format!("com.atlassian.bitbucket.{class}"));
        Failure {
            status,
            body: json!({ "errors": [{
                "context": context,
                "message": message,
                "exceptionName": exception,
            }] }),
        }
    }

    /// Adds a member to the first error.
    pub(crate) fn and(mut self, name: &str, value: Value) -> Failure {
        if let Some(error) = self.first() {
            error.insert(name.to_owned(), value);
        }
        self
    }

    fn first(&mut self) -> Option<&mut Map<String, Value>> {
        self.body.get_mut("errors")?.get_mut(0)?.as_object_mut()
    }

    pub(crate) fn unauthenticated() -> Failure {
        Failure::with(
            401,
            None,
            "Authentication is required to access this resource.",
            Some("auth.AuthenticationRequiredException"),
        )
    }

    pub(crate) fn wrong_token() -> Failure {
        Failure::with(
            401,
            None,
            "Authentication failed. Please check your credentials and try again.",
            Some("auth.IncorrectPasswordAuthenticationException"),
        )
    }

    /// The route does not exist: no `errors`, unlike a missing entity.
    pub(crate) fn no_route() -> Failure {
        Failure {
            status: 404,
            body: json!({ "message": "HTTP 404 Not Found", "status-code": 404, "sub-code": -1 }),
        }
    }

    pub(crate) fn method_not_allowed() -> Failure {
        Failure::of_container(405, "Method Not Allowed")
    }

    pub(crate) fn unsupported_media_type() -> Failure {
        Failure::of_container(415, "Unsupported Media Type")
    }

    /// Whether the container refused before the product could.
    pub(crate) fn is_of_container(&self) -> bool {
        self.body.get("sub-code").is_some()
    }

    /// What the container writes for who does not ask for JSON.
    pub(crate) fn as_xml(&self) -> Canned {
        let message = self.body["message"].as_str().unwrap_or_default();
        let status = self.status;
        Canned {
            status,
            headers: vec![("content-type".into(), "application/xml;charset=UTF-8".into())],
            body: format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><status>\
                 <status-code>{status}</status-code><sub-code>-1</sub-code>\
                 <message>{message}</message></status>"
            )
            .into_bytes(),
        }
    }

    fn of_container(status: u16, reason: &str) -> Failure {
        Failure {
            status,
            body: json!({
                "message": format!("HTTP {status} {reason}"),
                "status-code": status,
                "sub-code": -1,
            }),
        }
    }

    /// Several things that are wrong with one request, each by its name.
    pub(crate) fn bad_parameters(wrong: &[(&str, String)]) -> Failure {
        let errors: Vec<Value> = wrong
            .iter()
            .map(|(name, message)| {
                json!({ "context": name, "message": message, "exceptionName": null })
            })
            .collect();
        Failure { status: 400, body: json!({ "errors": errors }) }
    }

    pub(crate) fn bad_parameter(name: &str, message: &str) -> Failure {
        Failure::with(400, Some(name), message, None)
    }
}
