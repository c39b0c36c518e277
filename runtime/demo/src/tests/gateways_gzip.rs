//! Packed answers.

use std::io::Read as _;
use std::time::Duration;

use flate2::read::GzDecoder;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::{LEDGER, Reply, address, get, read};
use crate::{Demo, Fault, Options, TOKEN};

async fn packing() -> Demo {
    Demo::start(Options { gzip: true, ..Options::default() }).await.unwrap()
}

/// Asks in HTTP 1.0, which knows no chunks.
async fn ask(demo: &Demo, path: &str, encodings: &str) -> Reply {
    let mut stream = TcpStream::connect(address(demo)).await.unwrap();
    let request = format!(
        "GET {LEDGER}{path} HTTP/1.0\r\nAccept-Encoding: {encodings}\r\n\
         Accept: application/json\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    read(stream).await
}

fn is_packed(reply: &Reply) -> bool {
    reply.head.contains("content-encoding: gzip")
}

fn unpacked(reply: &Reply) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(reply.body.as_slice()).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[tokio::test]
async fn who_takes_gzip_gets_it() {
    let demo = packing().await;
    let plain = get(&demo, &format!("{LEDGER}/tags")).await;
    assert!(!is_packed(&plain));
    for encodings in ["gzip", "br, GZIP;q=0.5"] {
        let reply = ask(&demo, "/tags", encodings).await;
        assert!(is_packed(&reply) && !reply.head.contains("content-length"), "{}", reply.head);
        assert_eq!(unpacked(&reply).unwrap(), plain.body);
        assert!(reply.body.len() < plain.body.len());
    }
    for encodings in ["identity", "gzip;q=0, br", "gzip; q=0.0"] {
        let reply = ask(&demo, "/tags", encodings).await;
        assert_eq!((is_packed(&reply), &reply.body), (false, &plain.body), "{encodings}");
    }
    let demo = super::demo().await;
    assert!(!is_packed(&ask(&demo, "/tags", "gzip").await), "only who asks for it packs");
}

#[tokio::test]
async fn what_has_a_strong_tag_or_is_no_text_stays_as_it_is() {
    let options = Options { gzip: true, etags: true, ..Options::default() };
    let demo = Demo::start(options).await.unwrap();
    let reply = ask(&demo, "/tags", "gzip").await;
    assert!(reply.head.contains("etag: ") && !is_packed(&reply), "{}", reply.head);
    let packed = [("Content-Type".to_owned(), "image/png".to_owned())];
    demo.answer_with("/tags", 200, packed.to_vec(), b"picture".to_vec());
    assert!(!is_packed(&ask(&demo, "/tags", "gzip").await));
}

#[tokio::test]
async fn what_went_wrong_is_packed_as_it_is() {
    let demo = packing().await;
    let whole = get(&demo, &format!("{LEDGER}/tags")).await.body;
    demo.fail("/tags", Fault::Truncated, Some(1));
    let reply = ask(&demo, "/tags", "gzip").await;
    assert_eq!(unpacked(&reply).unwrap(), whole[..whole.len() / 2]);
    demo.fail("/tags", Fault::CutAt(100), Some(1));
    let reply = ask(&demo, "/tags", "gzip").await;
    assert!(is_packed(&reply) && unpacked(&reply).is_err(), "its end is missing");
    let pause = Duration::from_millis(20);
    demo.fail("/tags", Fault::Trickle { piece: whole.len() / 4, pause }, Some(1));
    let start = tokio::time::Instant::now();
    assert_eq!(unpacked(&ask(&demo, "/tags", "gzip").await).unwrap(), whole);
    assert!(start.elapsed() >= 4 * pause);
}

#[tokio::test]
async fn a_large_body_is_small_on_the_way() {
    const SIZE: usize = 8 << 20;
    let demo = packing().await;
    demo.fail("/tags", Fault::Large(SIZE), Some(1));
    let reply = ask(&demo, "/tags", "gzip").await;
    assert!(reply.body.len() < SIZE / 100, "{}", reply.body.len());
    assert_eq!(unpacked(&reply).unwrap().len(), SIZE);
}
