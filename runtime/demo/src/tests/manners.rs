//! What stands between a request and the product: credentials, forged
//! requests, media types, releases.

use serde_json::json;

use super::{LEDGER, ask, demo, get, open_with, read, send, write};
use crate::{Demo, Options, TOKEN, USER, Version};

#[tokio::test]
async fn a_write_that_a_page_could_forge_is_refused() {
    let demo = demo().await;
    let token = format!("Authorization: Bearer {TOKEN}\r\n");
    let path = format!("{LEDGER}/pull-requests/1/comments");
    let json = "Content-Type: application/json\r\n";
    let excused = "X-Atlassian-Token: no-check\r\n";
    let browser = "User-Agent: Mozilla/5.0 (X11)\r\n";
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    for (headers, body, status) in [
        (String::new(), "", 403),
        (form.to_owned(), "text=x", 403),
        (format!("{json}{browser}"), "{\"text\":\"x\"}", 403),
        (excused.to_owned(), "", 415),
        (format!("{excused}{form}"), "text=x", 415),
        (json.to_owned(), "", 400),
        (json.to_owned(), "{\"text\":", 400),
        (json.to_owned(), "{\"text\":\"x\"}", 201),
        (format!("{excused}{browser}{json}"), "{\"text\":\"x\"}", 201),
    ] {
        let all = format!("{token}{headers}");
        let reply = read(open_with(&demo, "POST", &path, &all, body.as_bytes()).await).await;
        assert_eq!(reply.status, status, "{headers} {body}: {}", reply.text());
        if status == 403 {
            assert!(reply.head.contains("content-type: text/plain"));
            assert_eq!(reply.text(), "XSRF check failed");
        }
        if status == 415 {
            assert_eq!(reply.json()["status-code"], 415);
        }
    }
    let merge = write(&demo, "POST", "/pull-requests/2/merge", serde_json::Value::Null).await;
    assert_eq!(merge.status, 409, "an empty body is an empty object");
    let anonymous = read(open_with(&demo, "POST", &path, json, b"{}").await).await;
    assert_eq!(
        (anonymous.status, anonymous.error().as_str()),
        (401, "AuthenticationRequiredException")
    );
}

#[tokio::test]
async fn a_media_type_nobody_speaks_is_not_acceptable() {
    let demo = demo().await;
    let token = format!("Authorization: Bearer {TOKEN}\r\n");
    let reply = ask(&demo, LEDGER, &format!("{token}Accept: text/plain\r\n")).await;
    assert_eq!((reply.status, reply.body.len()), (406, 0));
    let reply = ask(&demo, "/rest/api/latest/nothing", &format!("{token}Accept: */*\r\n")).await;
    assert_eq!(reply.status, 404);
    assert!(reply.text().contains("<status-code>404</status-code>"), "{}", reply.text());
    let reply = ask(&demo, LEDGER, &format!("{token}Accept: */*\r\n")).await;
    assert_eq!(reply.status, 200);
    assert_eq!(write(&demo, "POST", "/default-branch-of-nothing", json!({})).await.status, 404);
    assert_eq!(write(&demo, "PATCH", "/pull-requests/1", json!({})).await.status, 405);
}

async fn of(version: Version, basic_authentication: bool) -> Demo {
    let options = Options { version, basic_authentication, ..Options::default() };
    Demo::start(options).await.unwrap()
}

#[tokio::test]
async fn releases_differ_where_the_product_does() {
    // `amara.okafor:demo-token`
    let basic = "Authorization: Basic YW1hcmEub2thZm9yOmRlbW8tdG9rZW4=\r\n";
    let wrong = "Authorization: Basic YW1hcmEub2thZm9yOm9vcHM=\r\n";
    for (version, configured, status) in [
        (Version::V9_4, false, 200),
        (Version::V10_0, false, 401),
        (Version::V10_2, false, 401),
        (Version::V10_2, true, 200),
    ] {
        let demo = of(version, configured).await;
        assert_eq!(ask(&demo, LEDGER, basic).await.status, status, "{version:?}");
        assert_eq!(ask(&demo, LEDGER, wrong).await.status, 401);
        let one = get(&demo, &format!("{LEDGER}/pull-requests/1")).await.json();
        assert_eq!(one.get("properties").is_some(), version < Version::V10_2);
        let conditions = "/rest/required-builds/latest/projects/PAY/repos/ledger/conditions";
        let first = get(&demo, conditions).await.json()["values"][0].clone();
        assert_eq!(first.get("requiredForMergeQueue").is_some(), version == Version::V10_2);
        let properties = get(&demo, "/rest/api/latest/application-properties").await.json();
        assert!(properties["version"].as_str().unwrap().starts_with(match version {
            Version::V9_4 => "9.4",
            Version::V10_0 => "10.0",
            Version::V10_2 => "10.2",
        }));
    }
}

#[tokio::test]
async fn tags_are_there_only_where_a_proxy_adds_them() {
    let bare = get(&demo().await, LEDGER).await;
    assert!(!bare.head.contains("etag:"));
    let demo = Demo::start(Options { etags: true, ..Options::default() }).await.unwrap();
    let first = get(&demo, LEDGER).await;
    let tag = first.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let headers = format!("Authorization: Bearer {TOKEN}\r\nIf-None-Match: {tag}\r\n");
    let again = ask(&demo, LEDGER, &headers).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[tokio::test]
async fn a_write_to_a_moved_repository_is_sent_on() {
    let demo = demo().await;
    let path = "/rest/api/latest/projects/PAY/repos/archive-me/branches";
    let reply = send(&demo, USER, "POST", path, json!({ "name": "x", "startPoint": "main" })).await;
    assert_eq!(reply.status, 307);
}
