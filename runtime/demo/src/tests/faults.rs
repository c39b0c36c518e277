//! What goes wrong beyond the body: credentials, users, places and connections.

use std::time::{Duration, UNIX_EPOCH};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{LEDGER, Reply, address, ask, demo, get, reply};
use crate::{Demo, Fault, TOKEN, USER, clock};

async fn tags(demo: &Demo) -> Reply {
    get(demo, &format!("{LEDGER}/tags")).await
}

fn header(reply: &Reply, name: &str) -> Option<String> {
    let start = format!("{name}: ");
    reply.head.lines().find_map(|line| line.strip_prefix(&start)).map(str::to_owned)
}

#[tokio::test]
async fn the_log_knows_the_scheme_of_credentials_and_no_more() {
    let demo = demo().await;
    for (sent, known) in [
        ("Bearer demo-token", "(Bearer)"),
        ("basic YTpi", "(Basic)"),
        ("Digest username=\"a\"", "(other)"),
        ("demo-token", "(other)"),
    ] {
        demo.clear_requests();
        let headers = format!("Authorization: {sent}\r\nProxy-Authorization: {sent}\r\n");
        ask(&demo, "/rest/api/latest/projects", &headers).await;
        let recorded = demo.requests().remove(0).headers;
        for name in ["authorization", "proxy-authorization"] {
            assert!(recorded.contains(&(name.to_owned(), known.to_owned())), "{recorded:?}");
        }
    }
}

#[tokio::test]
async fn a_refusal_can_name_a_date() {
    let demo = demo().await;
    let wait = Duration::from_secs(90);
    demo.fail("/tags", Fault::StatusUntil { status: 503, wait }, Some(1));
    let before = UNIX_EPOCH + Duration::from_millis(u64::try_from(clock::now()).unwrap());
    let reply = tags(&demo).await;
    assert_eq!(reply.status, 503);
    // The head is in lower case here; the library wants it as it was sent.
    let date = header(&reply, "retry-after").unwrap();
    let date = httpdate::parse_http_date(&as_sent(&date)).unwrap();
    let ahead = date.duration_since(before).unwrap();
    assert!(ahead >= wait && ahead < wait + Duration::from_secs(30), "{ahead:?}");
    assert_eq!(tags(&demo).await.status, 200);
}

fn as_sent(date: &str) -> String {
    let capital = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_uppercase() + rest,
        None => String::new(),
    };
    date.split(' ').map(capital).collect::<Vec<_>>().join(" ").replace("Gmt", "GMT")
}

#[tokio::test]
async fn an_answer_can_be_elsewhere() {
    let (demo, other) = (demo().await, demo().await);
    for status in [301, 302, 303, 307, 308] {
        let location = format!("{}/rest/api/latest/projects", other.url());
        demo.fail("/tags", Fault::Redirect { status, location: location.clone() }, Some(1));
        let reply = tags(&demo).await;
        assert_eq!((reply.status, header(&reply, "location")), (status, Some(location)));
    }
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn an_answer_can_name_another_user_or_none() {
    let demo = demo().await;
    assert_eq!(header(&tags(&demo).await, "x-ausername").as_deref(), Some(USER));
    demo.fail("/tags", Fault::UserName(Some("mällory".into())), Some(1));
    let reply = tags(&demo).await;
    assert_eq!(
        (reply.status, header(&reply, "x-ausername").as_deref()),
        (200, Some("m%c3%a4llory"))
    );
    demo.fail("/tags", Fault::UserName(None), Some(1));
    let reply = tags(&demo).await;
    assert_eq!((reply.status, header(&reply, "x-ausername")), (200, None));
}

#[tokio::test]
async fn an_error_can_repeat_the_secret() {
    let demo = demo().await;
    demo.fail("/tags", Fault::Echo { status: 502, json: false }, Some(1));
    let reply = tags(&demo).await;
    assert_eq!(
        (reply.status, header(&reply, "content-type").as_deref()),
        (502, Some("text/plain;charset=utf-8"))
    );
    assert!(reply.text().starts_with(&format!("GET {LEDGER}/tags\n")), "{}", reply.text());
    assert!(reply.text().contains(&format!("authorization: Bearer {TOKEN}")));
    demo.fail("/tags", Fault::Echo { status: 400, json: true }, Some(1));
    let reply = tags(&demo).await;
    let message = reply.json()["errors"][0]["message"].as_str().unwrap().to_owned();
    assert!(reply.status == 400 && message.contains(TOKEN), "{message}");
}

/// Asks over a connection that is to stay, and reads one whole answer.
pub(super) async fn asked_again<S>(stream: &mut S) -> std::io::Result<Reply>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let request = format!(
        "GET {LEDGER}/tags HTTP/1.1\r\nHost: demo\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await?);
    }
    let length = header(&reply(&bytes), "content-length").unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    bytes.extend(body);
    Ok(reply(&bytes))
}

/// How a connection ends that nothing more is asked over.
pub(super) async fn end_of(stream: &mut (impl AsyncRead + Unpin)) -> std::io::ErrorKind {
    let end = tokio::time::timeout(Duration::from_secs(10), stream.read_u8()).await;
    end.expect("the connection ends").unwrap_err().kind()
}

#[tokio::test]
async fn a_connection_can_be_reset_after_a_whole_answer() {
    let demo = demo().await;
    let mut stream = TcpStream::connect(address(&demo)).await.unwrap();
    let first = asked_again(&mut stream).await.unwrap();
    demo.fail("/tags", Fault::Reset, Some(1));
    let second = asked_again(&mut stream).await.unwrap();
    assert_eq!((second.status, &second.body), (200, &first.body));
    assert_eq!(header(&second, "connection"), None, "it promises to stay");
    assert_eq!(end_of(&mut stream).await, std::io::ErrorKind::ConnectionReset);
    assert_eq!(tags(&demo).await.status, 200);
}

/// Enough that holding it whole would be noticed, were it not sent in pieces.
const LARGE: usize = 100 << 20;

async fn large(demo: &Demo) -> TcpStream {
    demo.fail("/tags", Fault::Large(LARGE), Some(1));
    let headers = format!("Authorization: Bearer {TOKEN}\r\n");
    super::open(demo, &format!("{LEDGER}/tags"), &headers).await
}

/// Reads no more than so many bytes, and says how many came.
async fn counted(stream: &mut TcpStream, most: usize) -> usize {
    let (mut piece, mut count) = (vec![0; 64 << 10], 0);
    while count < most {
        match stream.read(&mut piece).await.unwrap() {
            0 => break,
            read => count += read,
        }
    }
    count
}

#[tokio::test]
async fn a_body_of_a_hundred_megabytes_comes_in_pieces() {
    let demo = demo().await;
    let mut stream = large(&demo).await;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    let promised = header(&reply(&head), "content-length").unwrap();
    assert_eq!(promised, LARGE.to_string());
    assert_eq!(counted(&mut stream, usize::MAX).await, LARGE);
}

#[tokio::test]
async fn a_large_body_may_be_left_halfway() {
    let demo = demo().await;
    let mut stream = large(&demo).await;
    assert!(counted(&mut stream, LARGE / 2).await >= LARGE / 2);
    drop(stream);
    assert_eq!(tags(&demo).await.status, 200);
}
