//! No argument changes a path's shape: every operation is sent with hostile path arguments to a
//! listener that looks at the request line.

use super::client::Client;
use super::probes::PROBES;
use bb_client::{BaseUrl, CallContext, CallFacts, Connection, Credential, Settings};
use bb_contract::{JsonObject, OperationFacts, Tool};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

/// A tool that lists every operation.
#[derive(Debug)]
struct Everything;

#[derive(Debug, serde::Deserialize)]
struct Nothing {}

impl Tool for Everything {
    const NAME: &'static str = "everything";
    const CALLS: &'static [&'static OperationFacts] = super::op::ALL;
    type Args = Nothing;
    type Scope = bb_contract::scope::Unbounded;
    type Reach = ();
}

/// A server that answers 404 to everything and passes on the request lines' targets.
fn listener() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let base = format!("http://{}/context", listener.local_addr().expect("an address"));
    let (sender, targets) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || answer(stream, &sender));
        }
    });
    (base, targets)
}

fn answer(stream: TcpStream, sender: &mpsc::Sender<String>) {
    let mut writer = stream.try_clone().expect("a second handle");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    while let Some(first) = lines.next() {
        while lines.next().is_some_and(|line| !line.is_empty()) {}
        let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let body = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        if sender.send(target).is_err() || writer.write_all(body.as_bytes()).is_err() {
            return;
        }
    }
}

/// Texts that have walked out of paths elsewhere, and any other text.
fn hostile() -> impl Strategy<Value = String> {
    let known = [
        "..",
        ".",
        "",
        "/",
        "//",
        "a/..",
        "../b",
        "a/../../b",
        "A\\..\\B",
        "%2e%2e",
        "%2F",
        "a%2Fb",
        "..%2f",
        "?x=1",
        "#x",
        "a?b#c",
        ";x=1",
        "..;",
        "a;/../b",
        "\0",
        "a\nb",
        " ",
        "~user",
        "a b",
        "\u{2024}\u{2024}",
        "\u{ff0e}\u{ff0e}",
        "\u{202e}x",
        "@h",
        "a:b",
        "http://h/",
        "{project}",
        "1.diff",
        "latest",
    ];
    prop_oneof![
        proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        any::<String>(),
        "[./\\\\%?#;a ]{0,8}",
    ]
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the client under test is made as the handles make it"
)]
fn no_argument_changes_the_shape_of_a_path() {
    let (base, targets) = listener();
    let settings = Settings::new(
        BaseUrl::parse(&base, false).expect("a base URL"),
        Credential::bearer("t").expect("a token"),
    );
    let connection = Connection::new(settings).expect("a connection");
    let admitted =
        bb_contract::admit::<Everything>(None, JsonObject::new()).expect("nothing to refuse");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut runner = TestRunner::deterministic();
    let (mut sent, mut refused) = (0, 0);
    for (facts, numbers, send) in PROBES {
        let strategy = proptest::collection::vec(hostile(), numbers.len());
        for _ in 0..48 {
            let arguments = strategy.new_tree(&mut runner).expect("a case").current();
            runtime.block_on(async {
                let call = CallFacts {
                    id: String::new(),
                    deadline: tokio::time::Instant::now() + Duration::from_secs(20),
                };
                let context = CallContext::new(&connection, &call, &admitted);
                let client = Client::new_with_client(connection.base(), connection.http(), context);
                match send(&client, &arguments).await {
                    // The encoder refused it; nothing was sent.
                    Err(progenitor_client::Error::InvalidRequest(_)) => {
                        refused += 1;
                        assert!(
                            targets.try_recv().is_err(),
                            "{} sent a refused argument",
                            facts.id
                        );
                    }
                    Err(progenitor_client::Error::UnexpectedResponse(response))
                        if response.status() == 404 =>
                    {
                        sent += 1;
                        let target = targets.recv().expect("a request line");
                        assert_shape(facts, numbers, &arguments, &target);
                    }
                    // The egress guard stopping it would mean that the encoder had not.
                    other => panic!("{} with {arguments:?}: {other:?}", facts.id),
                }
            });
        }
    }
    assert!(PROBES.len() > 8 && sent > 100 && refused > 100, "{} {sent} {refused}", PROBES.len());
}

/// The path has the template's segments, and each placeholder holds exactly what it was given.
fn assert_shape(facts: &OperationFacts, numbers: &[bool], arguments: &[String], target: &str) {
    let path = target.split('?').next().unwrap_or_default();
    let path =
        path.strip_prefix("/context").unwrap_or_else(|| panic!("{target} left the context path"));
    let (mut given, mut place) = (path.split('/'), 0);
    for part in facts.template.split('/') {
        let Some((before, rest)) = part.split_once('{') else {
            assert_eq!(given.next(), Some(part), "{} {arguments:?}", facts.id);
            continue;
        };
        let (name, after) = rest.split_once('}').expect("a closed placeholder");
        let wanted = if numbers[place] {
            arguments[place].parse().unwrap_or(1_i64).to_string()
        } else {
            arguments[place].clone()
        };
        place += 1;
        let held = if name.ends_with('*') {
            given.by_ref().collect::<Vec<_>>().join("/")
        } else {
            given.next().unwrap_or_default().to_owned()
        };
        let held =
            held.strip_prefix(before).and_then(|held| held.strip_suffix(after)).unwrap_or_default();
        assert_eq!(decoded(held), wanted, "{} {target}", facts.id);
    }
    assert_eq!(given.next(), None, "{} {target}", facts.id);
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut index) = (Vec::new(), 0);
    while index < bytes.len() {
        if bytes[index] == b'%' {
            out.push(u8::from_str_radix(&text[index + 1..index + 3], 16).expect("two digits"));
            index += 3;
        } else {
            out.push(bytes[index]);
            index += 1;
        }
    }
    String::from_utf8(out).expect("UTF-8 as it was given")
}
