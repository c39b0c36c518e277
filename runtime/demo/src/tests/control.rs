//! What a test can make the demo do.

use std::time::Duration;

use tokio::net::TcpStream;

use super::{LEDGER, address, demo, get, open};
use crate::{Demo, TOKEN};

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
