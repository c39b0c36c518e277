//! What a test can make the demo do.

use std::time::Duration;

use tokio::net::TcpStream;

use super::{LEDGER, address, demo, get, open};
use crate::{Demo, Fault, TOKEN};

#[tokio::test]
async fn a_held_request_counts_until_its_client_goes_away() {
    let demo = demo().await;
    demo.hold("/activities");
    let stream = open(
        &demo,
        &format!("{LEDGER}/pull-requests/1/activities"),
        &format!("Authorization: Bearer {TOKEN}\r\n"),
    )
    .await;
    settle(&demo, 1).await;
    drop(stream);
    settle(&demo, 0).await;
    assert_eq!(get(&demo, &format!("{LEDGER}/pull-requests/1")).await.status, 200);
}

async fn settle(demo: &Demo, count: usize) {
    for _ in 0..200 {
        if demo.in_flight() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} requests are in flight, not {count}", demo.in_flight());
}

#[tokio::test]
async fn a_canned_answer_takes_the_place_of_the_real_one() {
    let demo = demo().await;
    let retry = vec![("Retry-After".to_owned(), "3".to_owned())];
    demo.answer_with("/branches", 429, retry, b"slow down".to_vec());
    let reply = get(&demo, &format!("{LEDGER}/branches")).await;
    assert_eq!((reply.status, reply.text().as_str()), (429, "slow down"));
    assert!(reply.head.contains("retry-after: 3"));
}

#[tokio::test]
async fn a_dropped_demo_refuses_connections() {
    let demo = demo().await;
    let place = address(&demo);
    drop(demo);
    for _ in 0..200 {
        if TcpStream::connect(&place).await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("still listening");
}

async fn timed(demo: &Demo, path: &str) -> (super::Reply, Duration) {
    let start = tokio::time::Instant::now();
    let reply = get(demo, &format!("{LEDGER}{path}")).await;
    (reply, start.elapsed())
}

#[tokio::test]
async fn an_answer_can_come_late_or_slowly() {
    let demo = demo().await;
    demo.fail("/tags", Fault::Delay(Duration::from_millis(80)), Some(1));
    let (reply, took) = timed(&demo, "/tags").await;
    assert_eq!(reply.status, 200);
    assert!(took >= Duration::from_millis(80));
    let piece = reply.body.len() / 4;
    demo.fail("/tags", Fault::Trickle { piece, pause: Duration::from_millis(20) }, None);
    let (slow, took) = timed(&demo, "/tags").await;
    assert_eq!(slow.body.len(), reply.body.len());
    assert!(took >= Duration::from_millis(80), "{took:?}");
}

#[tokio::test]
async fn a_refusal_can_be_for_the_next_requests_alone() {
    let demo = demo().await;
    demo.fail("/tags", Fault::Status { status: 429, retry_after: Some(7) }, Some(2));
    for _ in 0..2 {
        let (reply, _) = timed(&demo, "/tags").await;
        assert_eq!((reply.status, reply.error().as_str()), (429, "RateLimitedException"));
        assert!(reply.head.contains("retry-after: 7"));
    }
    assert_eq!(timed(&demo, "/tags").await.0.status, 200);
    demo.fail("", Fault::Status { status: 503, retry_after: None }, None);
    assert_eq!(timed(&demo, "/branches").await.0.status, 503);
    demo.heal();
    assert_eq!(timed(&demo, "/branches").await.0.status, 200);
}

#[tokio::test]
async fn a_connection_can_be_cut_at_a_byte() {
    let demo = demo().await;
    demo.fail("/tags", Fault::CutAt(10), Some(1));
    let (reply, _) = timed(&demo, "/tags").await;
    assert_eq!(reply.body.len(), 10);
    let promised = reply.head.lines().find_map(|line| line.strip_prefix("content-length: "));
    assert!(promised.unwrap().parse::<usize>().unwrap() > 10);
}

#[tokio::test]
async fn a_body_can_be_wrong() {
    let demo = demo().await;
    let whole = timed(&demo, "/tags").await.0.body.len();
    demo.fail("/tags", Fault::Truncated, Some(1));
    let (reply, _) = timed(&demo, "/tags").await;
    assert_eq!((reply.status, reply.body.len()), (200, whole / 2));
    demo.fail("/tags", Fault::Malformed, Some(1));
    let (reply, _) = timed(&demo, "/tags").await;
    assert!(serde_json::from_slice::<serde_json::Value>(&reply.body).is_err());
    assert!(reply.head.contains("application/json"));
    demo.fail("/tags", Fault::ContentType("text/html".into()), Some(1));
    let (reply, _) = timed(&demo, "/tags").await;
    assert!(reply.head.contains("content-type: text/html"));
    demo.fail("/tags", Fault::Login { redirect: false }, Some(1));
    assert!(timed(&demo, "/tags").await.0.text().contains("Log in"));
    demo.fail("/tags", Fault::Login { redirect: true }, Some(1));
    let (reply, _) = timed(&demo, "/tags").await;
    assert_eq!(reply.status, 302);
    assert!(reply.head.contains("/login?next="));
    demo.fail("/tags", Fault::Large(5_000_000), Some(1));
    assert_eq!(
        timed(&demo, "/tags").await.0.json()["values"][0].as_str().unwrap().len(),
        5_000_000 - 15
    );
}

#[tokio::test]
async fn a_hanging_request_counts_as_held() {
    let demo = demo().await;
    demo.fail("/activities", Fault::Hang, Some(1));
    let path = format!("{LEDGER}/pull-requests/1/activities");
    let stream = open(&demo, &path, &format!("Authorization: Bearer {TOKEN}\r\n")).await;
    settle(&demo, 1).await;
    drop(stream);
    settle(&demo, 0).await;
    assert_eq!(get(&demo, &path).await.status, 200);
}
