//! The proxy between a client and the demo.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::gateways::{Client, LONG, get, secured, secured_address};
use super::{Reply, address, demo, reply};
use crate::TOKEN;
use crate::proxy::{Proxy, ProxyOptions, ProxyRequest};
use crate::tls::Authority;

const HOST: &str = "bitbucket.example.test";

/// `proxy:s3cret`, in base64.
const RIGHT: &str = "Proxy-Authorization: Basic cHJveHk6czNjcmV0\r\n";
/// `proxy:other`.
const WRONG: &str = "Proxy-Authorization: Basic cHJveHk6b3RoZXI=\r\n";

/// A proxy that alone knows where the made-up host is.
async fn proxy_to(place: &str, port: u16, options: ProxyOptions) -> Proxy {
    let map = vec![(format!("{HOST}:{port}"), place.to_owned())];
    Proxy::start(ProxyOptions { map, ..options }).await.unwrap()
}

fn wants_credentials() -> ProxyOptions {
    let credentials = Some(("proxy".to_owned(), "s3cret".to_owned()));
    ProxyOptions { credentials, ..ProxyOptions::default() }
}

/// A tunnel, or the proxy's refusal.
async fn tunnel(proxy: &Proxy, place: &str, headers: &str) -> Result<TcpStream, Reply> {
    let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
    let head = format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.unwrap());
    }
    let reply = reply(&bytes);
    if reply.status == 200 { Ok(stream) } else { Err(reply) }
}

/// A request with an absolute address, as plain HTTP is sent to a proxy.
async fn plainly(proxy: &Proxy, url: &str, headers: &str) -> Reply {
    let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
    let head = format!(
        "GET {url} HTTP/1.1\r\nHost: {HOST}\r\nProxy-Connection: keep-alive\r\n{headers}\
         Accept: application/json\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    super::read(stream).await
}

fn logged(method: &str, target: &str, authorized: bool) -> ProxyRequest {
    ProxyRequest { method: method.to_owned(), target: target.to_owned(), authorized }
}

#[tokio::test]
async fn a_tunnel_leads_to_a_host_that_only_the_proxy_knows() {
    let authority = Authority::new("Root");
    let demo = secured(authority.server(&[HOST]), None).await;
    let proxy = proxy_to(&secured_address(&demo), 443, ProxyOptions::default()).await;
    let place = format!("{HOST}:443");
    let stream = tunnel(&proxy, &place, "").await.ok().expect("a tunnel");
    let stream = Client::of(&authority).handshake(stream, HOST).await.unwrap();
    let reply = get(stream, "/rest/api/latest/projects").await.unwrap();
    assert_eq!((reply.status, demo.requests().len()), (200, 1));
    assert_eq!(proxy.requests(), [logged("CONNECT", &place, true)]);
}

#[tokio::test]
async fn a_plain_request_goes_on_without_what_is_for_the_proxy() {
    let demo = demo().await;
    let proxy = proxy_to(&address(&demo), 80, wants_credentials()).await;
    let url = format!("http://{HOST}/rest/api/latest/projects?limit=1");
    assert_eq!(plainly(&proxy, &url, RIGHT).await.status, 200);
    assert_eq!(proxy.requests(), [logged("GET", &url, true)]);
    let request = demo.requests().remove(0);
    assert_eq!(request.path, "/rest/api/latest/projects");
    assert_eq!(request.query, "limit=1");
    assert!(request.headers.iter().all(|(name, _)| !name.starts_with("proxy-")));
    assert!(request.headers.iter().any(|(name, _)| name == "authorization"));
}

#[tokio::test]
async fn who_lacks_the_credentials_is_asked_for_them() {
    let demo = demo().await;
    let proxy = proxy_to(&address(&demo), 443, wants_credentials()).await;
    let place = format!("{HOST}:443");
    for headers in ["", WRONG, "Proxy-Authorization: Bearer cHJveHk6czNjcmV0\r\n"] {
        let reply = tunnel(&proxy, &place, headers).await.expect_err("a refusal");
        assert_eq!(reply.status, 407, "{headers}");
        assert!(reply.head.contains("proxy-authenticate: basic"), "{}", reply.head);
        assert_eq!(plainly(&proxy, &demo.url(), headers).await.status, 407);
    }
    assert!(demo.requests().is_empty());
    assert!(proxy.requests().iter().all(|request| !request.authorized));
    let stream = tunnel(&proxy, &place, RIGHT).await.ok().expect("a tunnel");
    assert_eq!(get(stream, "/rest/api/latest/projects").await.unwrap().status, 200);
    assert_eq!(proxy.requests().last(), Some(&logged("CONNECT", &place, true)));
}

#[tokio::test]
async fn a_proxy_can_refuse_what_it_is_asked_for() {
    let demo = demo().await;
    let options = ProxyOptions { refuse_with: Some(403), ..wants_credentials() };
    let proxy = proxy_to(&address(&demo), 443, options).await;
    let place = format!("{HOST}:443");
    assert_eq!(tunnel(&proxy, &place, RIGHT).await.expect_err("a refusal").status, 403);
    assert_eq!(tunnel(&proxy, &place, "").await.expect_err("a refusal").status, 407);
    assert_eq!(plainly(&proxy, &demo.url(), RIGHT).await.status, 403);
    assert!(demo.requests().is_empty());
}

#[tokio::test]
async fn a_proxy_reaches_this_machine_and_what_it_was_told_of() {
    let demo = demo().await;
    let proxy = Proxy::start(ProxyOptions::default()).await.unwrap();
    for place in ["bitbucket.example.test:443", "192.0.2.1:443", "no-port"] {
        assert_eq!(tunnel(&proxy, place, "").await.expect_err("a refusal").status, 502);
    }
    assert_eq!(plainly(&proxy, "/no/absolute/address", "").await.status, 400);
    assert_eq!(plainly(&proxy, &format!("http://{HOST}/"), "").await.status, 502);
    let stream = tunnel(&proxy, &address(&demo), "").await.ok().expect("a tunnel");
    assert_eq!(get(stream, "/rest/api/latest/projects").await.unwrap().status, 200);
}

#[tokio::test]
async fn a_dropped_proxy_ends_its_tunnels() {
    let demo = demo().await;
    let proxy = Proxy::start(ProxyOptions::default()).await.unwrap();
    let mut stream = tunnel(&proxy, &address(&demo), "").await.ok().expect("a tunnel");
    let place = proxy.address();
    drop(proxy);
    let end = timeout(LONG, stream.read_u8()).await.expect("it ends when it is dropped");
    assert!(end.is_err());
    assert!(TcpStream::connect(place).await.is_err());
}

#[tokio::test]
async fn an_address_carries_credentials_that_a_client_can_read() {
    let proxy = Proxy::start(ProxyOptions::default()).await.unwrap();
    assert_eq!(proxy.url(), format!("http://{}", proxy.address()));
    let with = format!("http://me%40home:p%3Aw%2F@{}", proxy.address());
    assert_eq!(proxy.url_with("me@home", "p:w/"), with);
}
