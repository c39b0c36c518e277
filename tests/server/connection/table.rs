//! Every fault of the way to Bitbucket, provoked, and the exact words it is told in:
//! `docs/connection.md` is written by this test (`BLESS=1`) and held against it.

use super::proxies::{HOST, way};
use super::{Setup, authority, proxy, secured};
use crate::harness::{demo, demo_under, runtime};
use bb_demo::proxy::ProxyOptions;
use bb_demo::tls::{Authority, old_server};
use bb_demo::{Closing, Demo, Fault, Options};
use std::path::Path;
use std::time::Duration;

/// A fault and how it is made.
type Case = (&'static str, &'static str, fn() -> Setup);

const CERTIFICATES: &str = "Certificates and TLS";
const PROXIES: &str = "Proxies";
const NETWORK: &str = "Names and connections";
const GATEWAYS: &str = "What is not Bitbucket's API";
const ANSWERS: &str = "Bitbucket's refusals";
const BODIES: &str = "Answers that cannot be used";

const CASES: &[Case] = &[
    (CERTIFICATES, "The certificate's authority is not known here", || {
        Setup::demo(secured(authority().server(&["localhost"]), None))
    }),
    (CERTIFICATES, "The same, and the chain is sent without its intermediate authority", || {
        let own = authority();
        let issuing = own.intermediate("Acme Issuing CA");
        let identity = issuing.server(&["localhost"]).without_chain();
        Setup::demo(secured(identity, None)).file("BB_CA_FILE", &own.pem())
    }),
    (CERTIFICATES, "The certificate has expired", || {
        let own = authority();
        Setup::demo(secured(own.expired(&["localhost"]), None)).file("BB_CA_FILE", &own.pem())
    }),
    (CERTIFICATES, "The certificate does not hold yet", || {
        let own = authority();
        let demo = secured(own.not_yet_valid(&["localhost"]), None);
        Setup::demo(demo).file("BB_CA_FILE", &own.pem())
    }),
    (CERTIFICATES, "The certificate is for another host", || {
        let own = authority();
        let demo = secured(own.server(&["git.example.test", "10.0.0.7"]), None);
        Setup::demo(demo).file("BB_CA_FILE", &own.pem())
    }),
    (CERTIFICATES, "A client certificate is asked for, and none is set", || {
        let (own, clients) = (authority(), Authority::new("Acme Clients"));
        let demo = secured(own.server(&["localhost"]), Some(clients.pem()));
        Setup::demo(demo).file("BB_CA_FILE", &own.pem())
    }),
    (CERTIFICATES, "A client certificate of another authority", || {
        let (own, clients) = (authority(), Authority::new("Acme Clients"));
        let demo = secured(own.server(&["localhost"]), Some(clients.pem()));
        let other = Authority::new("Another CA").client("bb");
        Setup::demo(demo).file("BB_CA_FILE", &own.pem()).showing(&other)
    }),
    (CERTIFICATES, "TLS older than 1.2", || {
        let server = runtime().block_on(old_server()).expect("a listener");
        Setup::new(&format!("https://{}", server.address())).keeping(server)
    }),
    (CERTIFICATES, "https where plain http is spoken", || {
        let demo = demo();
        Setup::new(&demo.url().replace("http:", "https:")).keeping(demo)
    }),
    (CERTIFICATES, "http where TLS is spoken", || {
        let demo = secured(authority().server(&["localhost"]), None);
        Setup::new(&demo.url().replace("https:", "http:")).keeping(demo)
    }),
    (PROXIES, "The proxy asks for credentials, and none are set", || {
        let credentials = Some(("ada".to_owned(), "correct horse".to_owned()));
        let proxy = proxy(ProxyOptions { credentials, ..ProxyOptions::default() });
        let url = proxy.url();
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", &url).keeping(proxy)
    }),
    (PROXIES, "The proxy does not accept the credentials", || {
        let credentials = Some(("ada".to_owned(), "correct horse".to_owned()));
        let proxy = proxy(ProxyOptions { credentials, ..ProxyOptions::default() });
        let url = proxy.url_with("ada", "battery-staple");
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", &url).keeping(proxy)
    }),
    (PROXIES, "The same, where Bitbucket itself is reached by plain http", || {
        let credentials = Some(("ada".to_owned(), "correct horse".to_owned()));
        let proxy = proxy(ProxyOptions { credentials, ..ProxyOptions::default() });
        let url = proxy.url_with("ada", "battery-staple");
        Setup::new(&format!("http://{HOST}"))
            .with("BB_ALLOW_HTTP", "1")
            .with("HTTP_PROXY", &url)
            .keeping(proxy)
    }),
    (PROXIES, "The proxy refuses the connection", || {
        let proxy = proxy(ProxyOptions { refuse_with: Some(403), ..ProxyOptions::default() });
        let url = proxy.url();
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", &url).keeping(proxy)
    }),
    (PROXIES, "Nothing listens where the proxy should be", || {
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", "http://127.0.0.1:9")
    }),
    (PROXIES, "The proxy's name is not known", || {
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", "http://proxy.invalid:3128")
    }),
    (PROXIES, "A proxy that opens TLS and signs with an authority of its own", || {
        let own = Authority::new("Acme Web Filter");
        let demo = secured(own.server(&[HOST]), None);
        let proxy = proxy(ProxyOptions { map: way(&demo), ..ProxyOptions::default() });
        let url = proxy.url();
        Setup::new(&format!("https://{HOST}"))
            .with("HTTPS_PROXY", &url)
            .keeping(proxy)
            .keeping(demo)
    }),
    (PROXIES, "A proxy that is reached by https, with a certificate nobody knows", || {
        let proxy = secured(Authority::new("Acme Proxy CA").server(&["localhost"]), None);
        let url = proxy.url();
        Setup::new(&format!("https://{HOST}")).with("HTTPS_PROXY", &url).keeping(proxy)
    }),
    (PROXIES, "What is reached by https as a proxy is none", || {
        let own = authority();
        let proxy = secured(own.server(&["localhost"]), None);
        let url = proxy.url();
        Setup::new(&format!("https://{HOST}"))
            .file("BB_CA_FILE", &own.pem())
            .with("HTTPS_PROXY", &url)
            .keeping(proxy)
    }),
    (NETWORK, "The host's name is not known", || Setup::new("https://bitbucket.invalid")),
    (NETWORK, "Nothing listens there", || Setup::new("https://127.0.0.1:9")),
    (NETWORK, "The connection is closed without an answer", || {
        let closing = runtime().block_on(Closing::after(1)).expect("a listener");
        Setup::new(&format!("http://{}", closing.address())).keeping(closing)
    }),
    (NETWORK, "The connection is cut in the middle of the answer", || {
        Setup::failing(|demo| demo.fail("", Fault::CutAt(20), None))
    }),
    (NETWORK, "No answer comes before the call's time is over", || {
        Setup::failing(|demo| demo.fail("/branches", Fault::Hang, None))
            .with("BB_REQUEST_TIMEOUT", "1")
    }),
    (GATEWAYS, "A sign-in page instead of an answer", || {
        Setup::failing(|demo| demo.fail("", Fault::Login { redirect: false }, None))
    }),
    (GATEWAYS, "A redirect to a sign-in page", || {
        Setup::failing(|demo| demo.fail("", Fault::Login { redirect: true }, None))
    }),
    (GATEWAYS, "A redirect to another host", || {
        let location = "https://sso.example.test/login?session=abc".to_owned();
        Setup::failing(|demo| demo.fail("", Fault::Redirect { status: 302, location }, None))
    }),
    (GATEWAYS, "A gateway's 502 page, three times", || {
        let page = b"<html><head><title>502 Bad Gateway</title></head></html>";
        Setup::failing(|demo| {
            let kind = ("Content-Type".to_owned(), "text/html".to_owned());
            demo.answer_with("", 502, vec![kind], page.to_vec());
        })
    }),
    (GATEWAYS, "A gateway refuses by a page of its own", || {
        let page = b"<html><head><title>Blocked by policy</title></head></html>";
        Setup::failing(|demo| {
            let kind = ("Content-Type".to_owned(), "text/html".to_owned());
            demo.answer_with("", 403, vec![kind], page.to_vec());
        })
    }),
    (GATEWAYS, "A refusal that a gateway passes on as a success", || {
        let body = br#"{"errors":[{"context":null,"message":"no","exceptionName":null}]}"#;
        Setup::failing(|demo| answer(demo, 200, body))
    }),
    (GATEWAYS, "A redirect with a session and a credential in it", || {
        let location = "https://ada:s3cret-pass@sso.example.test/login;jsessionid=0A1B?x=1#y";
        let fault = Fault::Redirect { status: 302, location: location.to_owned() };
        Setup::failing(|demo| demo.fail("", fault, None))
    }),
    (GATEWAYS, "The context path is missing from the address", || {
        let demo = demo_under("/stash");
        Setup::new(demo.url().trim_end_matches("/stash")).keeping(demo)
    }),
    (GATEWAYS, "The address is of Bitbucket Cloud", || Setup::new("https://bitbucket.org/acme")),
    (ANSWERS, "The token is wrong or has ended", || {
        Setup::demo(demo()).with("BITBUCKET_TOKEN", "BBDC-NDk3MjA0NjQ1")
    }),
    (ANSWERS, "A user name and a password, which Bitbucket 10 does not take", || {
        Setup::demo(demo())
            .without("BITBUCKET_TOKEN")
            .with("BITBUCKET_USERNAME", "amara.okafor")
            .with("BITBUCKET_PASSWORD", "correct horse")
    }),
    (ANSWERS, "401 for something the user may not do", || {
        let body = br#"{"errors":[{"context":null,"message":"You are not permitted to access this resource","exceptionName":"com.atlassian.bitbucket.AuthorisationException"}]}"#;
        Setup::failing(|demo| answer(demo, 401, body))
    }),
    (ANSWERS, "401 that does not say why, for a user Bitbucket knows", || {
        let body =
            br#"{"errors":[{"context":null,"message":"Access denied","exceptionName":null}]}"#;
        Setup::failing(|demo| answer(demo, 401, body))
    }),
    (ANSWERS, "Bitbucket wants a CAPTCHA solved", || {
        let body = br#"{"errors":[{"context":null,"message":"Authentication failed","exceptionName":null}]}"#;
        Setup::failing(|demo| {
            let denied = "CAPTCHA_CHALLENGE; login-url=https://x/login".to_owned();
            let headers = vec![
                ("Content-Type".to_owned(), "application/json".to_owned()),
                ("X-Authentication-Denied-Reason".to_owned(), denied),
            ];
            demo.answer_with("/branches", 403, headers, body.to_vec());
        })
    }),
    (ANSWERS, "The project or repository is not there, or may not be seen", || {
        let body = br#"{"errors":[{"context":null,"message":"Repository PAY/ledger does not exist.","exceptionName":"com.atlassian.bitbucket.repository.NoSuchRepositoryException"}]}"#;
        Setup::failing(|demo| answer(demo, 404, body))
    }),
    (ANSWERS, "This release has no such route", || {
        let body = br#"{"message":"HTTP 404 Not Found","status-code":404,"sub-code":-1}"#;
        Setup::failing(|demo| answer(demo, 404, body))
    }),
    (ANSWERS, "Too many requests, and a wait that the call's time does not leave", || {
        let fault = Fault::Status { status: 429, retry_after: Some(120) };
        Setup::failing(|demo| demo.fail("/branches", fault, None))
    }),
    (ANSWERS, "Too many requests, three times", || {
        let fault = Fault::Status { status: 429, retry_after: Some(0) };
        Setup::failing(|demo| demo.fail("/branches", fault, None))
    }),
    (ANSWERS, "Maintenance, or a start that is not over", || {
        let fault = Fault::Status { status: 503, retry_after: None };
        Setup::failing(|demo| demo.fail("/branches", fault, None))
    }),
    (ANSWERS, "Maintenance, whatever is asked for", || {
        let fault = Fault::Status { status: 503, retry_after: None };
        Setup::failing(|demo| demo.fail("", fault, None))
    }),
    (ANSWERS, "Too many requests, whatever is asked for", || {
        let fault = Fault::Status { status: 429, retry_after: Some(0) };
        Setup::failing(|demo| demo.fail("", fault, None))
    }),
    (ANSWERS, "Bitbucket fails inside", || {
        let body = br#"{"errors":[{"context":null,"message":"An error occurred while processing the request.","exceptionName":null}]}"#;
        Setup::failing(|demo| answer(demo, 500, body))
    }),
    (BODIES, "JSON of another shape", || Setup::failing(|demo| answer(demo, 200, b"[]"))),
    (BODIES, "JSON that ends early", || {
        Setup::failing(|demo| answer(demo, 200, br#"{"values":[{"displayId":"ma"#))
    }),
    (BODIES, "No JSON, under the media type of JSON", || {
        Setup::failing(|demo| demo.fail("/branches", Fault::Malformed, None))
    }),
    (BODIES, "Another media type", || {
        let fault = Fault::ContentType("text/plain".to_owned());
        Setup::failing(|demo| demo.fail("/branches", fault, None))
    }),
    (BODIES, "An answer larger than is read", || {
        Setup::failing(|demo| demo.fail("/branches", Fault::Large(100 << 20), None))
    }),
    (BODIES, "The same, packed small", || {
        let options = Options { gzip: true, ..Options::default() };
        let demo = runtime().block_on(Demo::start(options)).expect("a demo");
        demo.fail("/branches", Fault::Large(100 << 20), None);
        Setup::demo(demo)
    }),
    (BODIES, "An answer that trickles until the call's time is over", || {
        let fault = Fault::Trickle { piece: 1, pause: Duration::from_millis(400) };
        Setup::failing(|demo| demo.fail("/branches", fault, None)).with("BB_REQUEST_TIMEOUT", "1")
    }),
    (BODIES, "The repository has moved, under a scope", || {
        let moved = br#"{"slug":"books","project":{"key":"FIN"}}"#;
        Setup::failing(|demo| {
            let kind = ("Content-Type".to_owned(), "application/json".to_owned());
            demo.answer_with("/repos/ledger", 200, vec![kind], moved.to_vec());
        })
        .flag("--repo")
        .flag("PAY/ledger")
    }),
];

fn answer(demo: &Demo, status: u16, body: &[u8]) {
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    demo.answer_with("/branches", status, vec![kind], body.to_vec());
}

/// What one fault is told in.
struct Row {
    section: &'static str,
    fault: &'static str,
    model: String,
    log: String,
    doctor: String,
}

fn row((section, fault, make): &Case) -> Row {
    let setup = make();
    let (code, found) = setup.doctor();
    let failed = found["steps"].as_array().expect("steps").iter();
    let failed: Vec<String> = failed
        .filter(|step| step["ended"] == "failed")
        .map(|step| {
            let text = |name: &str| step[name].as_str().unwrap_or_default().to_owned();
            let remedy = text("remedy");
            let arrow = if remedy.is_empty() { "" } else { " → " };
            format!("{}: {}{arrow}{remedy}", text("step"), text("found"))
        })
        .collect();
    let doctor = match failed.as_slice() {
        [] => String::new(),
        lines => format!("{} (exit {})", lines.join("; "), code.unwrap_or(-1)),
    };
    assert_eq!(code == Some(0), failed.is_empty(), "{fault}: {found}");
    if found["steps"][0]["ended"] == "failed" {
        let (code, text) = setup.refused();
        assert_eq!(code, Some(2), "{fault}: {text}");
        let text = text.trim().trim_start_matches("bb: ").to_owned();
        return Row {
            section,
            fault,
            model: String::new(),
            log: masked(&text),
            doctor: masked(&doctor),
        };
    }
    let (model, log) = setup.told();
    // The model is told nothing that is about this program's settings.
    for word in ["s3cret", "jsessionid"] {
        assert!(!format!("{model}{log}{doctor}").contains(word), "{fault}: {word}");
    }
    for word in ["--", "BITBUCKET_", "BB_", "_PROXY", "config.yaml"] {
        assert!(!model.contains(word), "{fault}: {word} in {model}");
    }
    let log: Vec<String> = log
        .lines()
        .filter(|line| line.contains(" list_branches: "))
        .filter_map(|line| Some(line.split_once("list_branches: ")?.1.to_owned()))
        .collect();
    Row {
        section,
        fault,
        model: masked(&model),
        log: masked(&log.join("; ")),
        doctor: masked(&doctor),
    }
}

/// Without what differs from run to run: ports, and dates of certificates made for the run.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    // What a resolver says differs from one machine to the next.
    let lookup = "failed to lookup address information: ";
    let mut shorter = String::new();
    while let Some((before, after)) = rest.split_once(lookup) {
        let end = [";", " →", " (exit"].iter().filter_map(|end| after.find(end)).min();
        shorter.push_str(&format!("{before}{lookup}…"));
        rest = &after[end.unwrap_or(after.len())..];
    }
    shorter.push_str(rest);
    rest = &shorter;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits >= 4 && (masked.ends_with(':') || masked.ends_with("port ")) {
            masked.push_str("PORT");
            rest = &rest[digits..];
        } else if digits == 4 && is_date(rest) {
            masked.push_str("DATE");
            rest = &rest["2026-11-30".len()..];
        } else {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    masked
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let numbers = |part: Option<&str>, digits: usize| {
        part.and_then(|part| part.get(..digits))
            .is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    numbers(parts.next(), 4) && numbers(parts.next(), 2) && numbers(parts.next(), 2)
}

#[test]
fn every_fault_is_told_in_the_documented_words() {
    let mut rows: Vec<Row> = Vec::new();
    for some in CASES.chunks(6) {
        // Most of the time is waiting.
        let found: Vec<Row> = std::thread::scope(|scope| {
            let running: Vec<_> = some.iter().map(|case| scope.spawn(move || row(case))).collect();
            running.into_iter().map(|running| running.join().expect("a row")).collect()
        });
        rows.extend(found);
    }
    let mut text = include_str!("head.md").to_owned();
    let mut section = "";
    for row in &rows {
        if row.section != section {
            section = row.section;
            text.push_str(&format!(
                "\n## {section}\n\n| fault | the model reads | the log says | `doctor` says |\n|---|---|---|---|\n"
            ));
        }
        let cell = |text: &str| {
            if text.is_empty() { "–".to_owned() } else { text.replace('|', "\\|") }
        };
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            row.fault,
            cell(&row.model),
            cell(&row.log),
            cell(&row.doctor)
        ));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/connection.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the page is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    for (kept, text) in kept.lines().zip(text.lines()) {
        assert_eq!(kept, text, "docs/connection.md is stale: BLESS=1 cargo test -p bb every_fault");
    }
    assert_eq!(
        kept.len(),
        text.len(),
        "docs/connection.md is stale: BLESS=1 cargo test -p bb every_fault"
    );
}
