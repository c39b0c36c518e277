//! Proxies, and headers that gateways want.

use super::{Setup, authority, proxy, secured};
use bb_demo::Demo;
use bb_demo::proxy::ProxyOptions;
use bb_demo::tls::Authority;
use serde_json::json;

/// A name that only a proxy can resolve.
pub(super) const HOST: &str = "bitbucket.example.test";

/// The way of the proxy from that name to the demo.
pub(super) fn way(demo: &Demo) -> Vec<(String, String)> {
    let port = demo.url().rsplit(':').next().expect("a port").to_owned();
    vec![(format!("{HOST}:443"), format!("127.0.0.1:{port}"))]
}

/// A branch of the demo, as the value of a header that is no secret.
const WORD: &str = "feature/PAY-412-idempotent-retries";

fn credentials() -> Option<(String, String)> {
    Some(("corp\\ada".to_owned(), "pr0xy p@ss".to_owned()))
}

#[test]
fn everything_goes_through_the_proxy_with_each_way_of_signing_in() {
    let (own, clients) = (authority(), Authority::new("Acme Clients"));
    for basic in [false, true] {
        let identity = own.server(&[HOST]);
        let demo = if basic {
            let options =
                bb_demo::Options { basic_authentication: true, ..bb_demo::Options::default() };
            let tls = bb_demo::tls::Tls {
                identity,
                client_authority: Some(clients.pem()),
                versions: bb_demo::tls::Versions::All,
            };
            crate::harness::runtime().block_on(Demo::start_secured(options, tls)).expect("a demo")
        } else {
            secured(identity, Some(clients.pem()))
        };
        let options =
            ProxyOptions { credentials: credentials(), map: way(&demo), ..ProxyOptions::default() };
        let proxy = proxy(options);
        let setup = Setup::new(&format!("https://{HOST}"))
            .file("BB_CA_FILE", &own.pem())
            .showing(&clients.client("bb"))
            .with("HTTPS_PROXY", &proxy.url_with("corp%5Cada", "pr0xy%20p%40ss"));
        let setup = if basic {
            setup
                .without("BITBUCKET_TOKEN")
                .with("BITBUCKET_USERNAME", bb_demo::USER)
                .with("BITBUCKET_PASSWORD", bb_demo::TOKEN)
        } else {
            setup
        };
        let mut server = setup.serve();
        // JSON, raw text, and a view with pictures of people.
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
        let diff = server.call("get_pr_diff", json!({"project": "PAY", "repo": "ledger", "id": 1}));
        assert_eq!(diff["isError"], false, "{diff}");
        drop(server);
        let mut drawing = crate::harness::Server::spawn(setup.run("serve"));
        drawing.greet(&json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}));
        let shown = drawing.call(
            "show",
            json!({"kind": "pull_request", "project": "PAY", "repo": "ledger", "id": 1}),
        );
        assert!(shown.to_string().contains("data:image/png"), "pictures came too");
        drop(drawing);
        let tunnels = proxy.requests();
        assert!(tunnels.iter().any(|request| request.authorized));
        assert!(tunnels.iter().all(|request| request.method == "CONNECT"), "{tunnels:?}");
        let seen = demo.requests();
        let scheme = if basic { "(Basic)" } else { "(Bearer)" };
        assert!(seen.iter().any(|request| request.path.ends_with("avatar.png")));
        for request in &seen {
            let authorization = request.headers.iter().find(|(name, _)| name == "authorization");
            assert_eq!(authorization.map(|(_, value)| value.as_str()), Some(scheme));
            assert!(request.headers.iter().all(|(name, _)| !name.starts_with("proxy-")));
        }
        assert_eq!(setup.doctor().0, Some(0), "{:?}", setup.doctor());
    }
}

#[test]
fn hosts_of_no_proxy_and_this_machine_are_reached_directly() {
    let own = authority();
    let proxy = proxy(ProxyOptions { refuse_with: Some(403), ..ProxyOptions::default() });
    let demo = secured(own.server(&["localhost"]), None);
    // A loopback address is never asked of a proxy.
    Setup::demo(demo).file("BB_CA_FILE", &own.pem()).with("HTTPS_PROXY", &proxy.url()).succeeds();
    assert_eq!(proxy.requests().len(), 0);
    for (name, direct) in [(HOST, true), (".test", true), ("other.test", false)] {
        let setup = Setup::new(&format!("https://{HOST}"))
            .with("HTTPS_PROXY", &proxy.url())
            .with("NO_PROXY", name);
        let (text, _) = setup.told();
        let expected = if direct {
            format!("the name {HOST} is not known")
        } else {
            "does not let this server through".to_owned()
        };
        assert!(text.contains(&expected), "{name}: {text}");
    }
}

#[test]
fn a_gateway_gets_its_headers_and_nobody_is_told_their_values() {
    let demo = crate::harness::demo();
    let configuration = format!(
        "hosts:\n  work:\n    url: {}\n    headers:\n      X-Gateway-Id: feature/PAY-412-idempotent-retries\n      X-Gateway-Secret: {{ env: GATEWAY_SECRET }}\n",
        demo.url()
    );
    let setup = Setup::new(&demo.url())
        .without("BITBUCKET_URL")
        .file("BB_CONFIG", &configuration)
        .with("GATEWAY_SECRET", "gateway-secret-17")
        .flag("--log-level")
        .flag("debug");
    let mut server = setup.serve();
    let branches = server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    // What stands in the file as it is, is no secret, and is not taken out of what others wrote.
    assert!(
        branches.to_string().contains("feature/") && !branches.to_string().contains("(secret)")
    );
    demo.fail("/branches", bb_demo::Fault::Echo { status: 400, json: true }, None);
    let text = server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
    assert!(text.contains("(secret)"), "it was echoed: {text}");
    let (_, _, log) = server.finish();
    assert!(log.contains("/branches: 200"), "{log}");
    for request in demo.requests() {
        let header = |name: &str| request.headers.iter().find(|(known, _)| known == name).cloned();
        assert!(header("x-gateway-id").is_some_and(|(_, value)| value == WORD));
        assert!(header("x-gateway-secret").is_some_and(|(_, value)| value == "gateway-secret-17"));
    }
}
