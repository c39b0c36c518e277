//! The error reader on answers as they come.

use super::ErrorKind;
use super::refused::refused;
use crate::fault::About;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::json;

fn read(status: u16, body: &str) -> super::BitbucketError {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    refused(status, &headers, body.as_bytes(), About::default())
}

#[test]
fn every_message_is_told_with_its_context() {
    let body = json!({"errors": [
        {"context": "title", "message": "must not be empty", "exceptionName": null},
        {"context": null, "message": "and more\u{202e}", "exceptionName": null},
    ]});
    let error = read(400, &body.to_string());
    assert_eq!(error.kind, ErrorKind::Validation);
    assert_eq!(error.to_string(), "title: must not be empty; and more\\u{202e} (HTTP 400)");
}

#[test]
fn not_permitted_is_told_from_a_bad_token() {
    let body =
        |name: &str| json!({"errors": [{"message": "no", "exceptionName": name}]}).to_string();
    assert_eq!(
        read(401, &body("com.atlassian.bitbucket.AuthorisationException")).kind,
        ErrorKind::Forbidden
    );
    assert_eq!(
        read(401, &body("com.atlassian.bitbucket.auth.IncorrectPasswordAuthenticationException"))
            .kind,
        ErrorKind::Authentication
    );
}

#[test]
fn a_missing_route_is_told_from_a_missing_thing() {
    let route =
        json!({"message": "HTTP 404 Not Found", "status-code": 404, "sub-code": -1}).to_string();
    assert_eq!(read(404, &route).kind, ErrorKind::Unsupported);
    let thing = json!({"errors": [{"message": "Repository x does not exist.", "exceptionName": "a.NoSuchRepositoryException"}]});
    assert_eq!(read(404, &thing.to_string()).kind, ErrorKind::NotFound);
}

#[test]
fn a_page_is_reduced_to_its_title() {
    let error =
        read(502, "<html><head><TITLE>\n Bad \n gateway</title></head><body>secret</body></html>");
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert_eq!(
        error.to_string(),
        "the answer is a page titled “Bad gateway” (HTTP 502): try again later; if it stays so, the operator has to look"
    );
    assert_eq!(read(404, "<p>").to_string().lines().count(), 1);
    assert!(
        read(403, "XSRF check failed")
            .to_string()
            .starts_with("the answer is a body of type text/html")
    );
}

#[test]
fn any_bytes_are_answered() {
    for body in ["", "<title", "<title>", "{\"errors\":3}", "[]", "null", "\u{130}<title>x</title>"]
    {
        for status in [100, 200, 302, 400, 404, 418, 500, 599, 999] {
            assert!(!read(status, body).to_string().is_empty());
        }
    }
}
