//! The demo behind TLS.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::net::TcpStream;

use super::faults::{asked_again, end_of};
use super::gateways::{Client, secured, secured_address};
use crate::tls::{Authority, Tls, Versions};
use crate::{Demo, Fault, Options};

#[tokio::test]
async fn who_trusts_the_authority_is_answered() {
    let authority = Authority::new("Root");
    assert_eq!(authority.name(), "Root");
    let demo = secured(authority.server(&["localhost", "127.0.0.1"]), None).await;
    assert!(demo.url().starts_with("https://localhost:"), "{}", demo.url());
    for name in ["localhost", "127.0.0.1"] {
        let reply = Client::of(&authority).ask(&demo, name).await.unwrap();
        assert_eq!(reply.status, 200);
        let own = reply.json()["values"][0]["links"]["self"][0]["href"].to_string();
        assert!(own.contains(&demo.url()), "{own}");
    }
    assert_eq!(demo.requests().len(), 2);
    assert_eq!(demo.failed_handshakes(), 0);
}

async fn refused(demo: &Demo, client: &Client<'_>, name: &str) -> String {
    let before = demo.failed_handshakes();
    let refusal = client.ask(demo, name).await.err().expect("a refusal").to_string();
    for _ in 0..200 {
        if demo.failed_handshakes() == before + 1 {
            assert!(demo.requests().is_empty());
            return refusal;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the failed handshake is not counted: {refusal}");
}

#[tokio::test]
async fn a_certificate_of_another_authority_or_name_is_refused() {
    let (authority, other) = (Authority::new("Root"), Authority::new("Other"));
    let demo = secured(authority.server(&["localhost"]), None).await;
    assert!(refused(&demo, &Client::of(&other), "localhost").await.contains("UnknownIssuer"));
    let refusal = refused(&demo, &Client::of(&authority), "bitbucket.example.test").await;
    assert!(refusal.contains("not valid for name"), "{refusal}");
}

#[tokio::test]
async fn a_certificate_has_its_time() {
    let authority = Authority::new("Root");
    let demo = secured(authority.expired(&["localhost"]), None).await;
    let refusal = refused(&demo, &Client::of(&authority), "localhost").await;
    assert!(refusal.contains("expired"), "{refusal}");
    let demo = secured(authority.not_yet_valid(&["localhost"]), None).await;
    let refusal = refused(&demo, &Client::of(&authority), "localhost").await;
    assert!(refusal.contains("not valid yet"), "{refusal}");
}

#[tokio::test]
async fn an_intermediate_authority_is_trusted_when_its_certificate_is_sent() {
    let root = Authority::new("Root");
    let identity = root.intermediate("Middle").intermediate("Below").server(&["localhost"]);
    let client = Client::of(&root);
    let demo = secured(identity.clone(), None).await;
    assert_eq!(client.ask(&demo, "localhost").await.unwrap().status, 200);
    let demo = secured(identity.without_chain(), None).await;
    assert!(refused(&demo, &client, "localhost").await.contains("UnknownIssuer"));
}

#[tokio::test]
async fn a_client_without_the_certificate_is_refused() {
    let (authority, other) = (Authority::new("Root"), Authority::new("Other"));
    let demo = secured(authority.server(&["localhost"]), Some(authority.pem())).await;
    for versions in [Versions::Only12, Versions::Only13] {
        let mut client = Client { versions, ..Client::of(&authority) };
        let refusal = refused(&demo, &client, "localhost").await;
        let said = refusal.contains("CertificateRequired") || refusal.contains("HandshakeFailure");
        assert!(said, "{refusal}");
        client.shows = Some(other.client("bb"));
        refused(&demo, &client, "localhost").await;
        client.shows = Some(authority.server(&["bb"]));
        refused(&demo, &client, "localhost").await;
    }
    for issuer in [&authority, &authority.intermediate("Middle")] {
        let client = Client { shows: Some(issuer.client("bb")), ..Client::of(&authority) };
        assert_eq!(client.ask(&demo, "localhost").await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn a_server_speaks_the_versions_it_is_told_to() {
    let authority = Authority::new("Root");
    for (speaks, other) in
        [(Versions::Only12, Versions::Only13), (Versions::Only13, Versions::Only12)]
    {
        let identity = authority.server(&["localhost"]);
        let tls = Tls { identity, client_authority: None, versions: speaks };
        let demo = Demo::start_secured(Options::default(), tls).await.unwrap();
        let client = Client { versions: other, ..Client::of(&authority) };
        let refusal = refused(&demo, &client, "localhost").await;
        assert!(refusal.contains("ProtocolVersion"), "{refusal}");
        for versions in [speaks, Versions::All] {
            let client = Client { versions, ..Client::of(&authority) };
            assert_eq!(client.ask(&demo, "localhost").await.unwrap().status, 200);
        }
    }
}

#[tokio::test]
async fn a_client_stuck_in_its_handshake_keeps_nobody_waiting() {
    let authority = Authority::new("Root");
    let demo = secured(authority.server(&["localhost"]), None).await;
    let stuck = TcpStream::connect(secured_address(&demo)).await.unwrap();
    let asked = Client::of(&authority);
    let answered = asked.ask(&demo, "localhost");
    let reply = tokio::time::timeout(Duration::from_secs(10), answered).await;
    assert_eq!(reply.expect("an answer").unwrap().status, 200);
    drop(stuck);
}

#[tokio::test]
async fn a_secured_connection_can_be_reset_or_cut_too() {
    let authority = Authority::new("Root");
    let demo = secured(authority.server(&["localhost"]), None).await;
    let client = Client::of(&authority);
    for (fault, end) in
        [(Fault::Reset, ErrorKind::ConnectionReset), (Fault::CutAt(10), ErrorKind::UnexpectedEof)]
    {
        let stream = TcpStream::connect(secured_address(&demo)).await.unwrap();
        let mut stream = client.handshake(stream, "localhost").await.unwrap();
        demo.fail("/tags", fault.clone(), Some(1));
        match asked_again(&mut stream).await {
            Ok(reply) => assert_eq!((reply.status, end_of(&mut stream).await), (200, end)),
            Err(error) => assert_eq!((fault, error.kind()), (Fault::CutAt(10), end)),
        }
    }
}

#[tokio::test]
async fn what_is_not_pem_starts_nothing() {
    let authority = Authority::new("Root");
    let mut identity = authority.server(&["localhost"]);
    identity.key_pem = "no key".to_owned();
    let tls = Tls { identity, client_authority: None, versions: Versions::All };
    let refusal = Demo::start_secured(Options::default(), tls).await.unwrap_err();
    assert_eq!(refusal.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn a_key_is_not_in_the_output_of_a_test() {
    let identity = Authority::new("Root").client("bb");
    assert!(identity.key_pem.contains("PRIVATE KEY"));
    assert!(!format!("{identity:?}").contains("PRIVATE KEY"));
}
