//! Certificates: whose are believed, and which is shown.

use super::{Setup, authority, secured};
use bb_demo::tls::{Authority, Tls, Versions};
use bb_demo::{Demo, Options};
use serde_json::json;

#[test]
fn an_authority_of_the_systems_store_or_of_a_file_is_believed() {
    let (own, other) = (authority(), Authority::new("Another CA"));
    let demo = || Setup::demo(secured(own.server(&["localhost"]), None));
    demo().file("BB_CA_FILE", &own.pem()).succeeds();
    demo().file("BB_CA_FILE", &format!("{}{}", other.pem(), own.pem())).succeeds();
    // The system's store, as this variable moves it.
    demo().file("SSL_CERT_FILE", &own.pem()).succeeds();
    // One in the store and another in the file: both count.
    demo().file("SSL_CERT_FILE", &own.pem()).file("BB_CA_FILE", &other.pem()).succeeds();
    demo().file("SSL_CERT_FILE", &other.pem()).file("BB_CA_FILE", &own.pem()).succeeds();
    let (text, _) = demo().file("BB_CA_FILE", &other.pem()).told();
    assert!(text.contains("its issuer “Acme Root CA” is not known"), "{text}");
}

#[test]
fn both_versions_of_tls_are_spoken() {
    let own = authority();
    for versions in [Versions::Only12, Versions::Only13] {
        let tls = Tls { identity: own.server(&["localhost"]), client_authority: None, versions };
        let started = Demo::start_secured(Options::default(), tls);
        let demo = crate::harness::runtime().block_on(started).expect("a demo");
        Setup::demo(demo).file("BB_CA_FILE", &own.pem()).succeeds();
    }
}

#[test]
fn a_chain_over_an_intermediate_authority_is_followed() {
    let own = authority();
    let issuing = own.intermediate("Acme Issuing CA");
    let demo = secured(issuing.server(&["localhost"]), None);
    Setup::demo(demo).file("BB_CA_FILE", &own.pem()).succeeds();
}

#[test]
fn a_client_certificate_is_shown_to_who_asks() {
    let (own, clients) = (authority(), Authority::new("Acme Clients"));
    let demo = secured(own.server(&["localhost"]), Some(clients.pem()));
    let setup = Setup::demo(demo).file("BB_CA_FILE", &own.pem()).showing(&clients.client("bb"));
    setup.succeeds();
    let (code, found) = setup.doctor();
    assert_eq!((code, &found["ok"]), (Some(0), &json!(true)), "{found}");
}

#[test]
fn verification_ends_only_by_a_variable_that_warns_each_time() {
    let own = authority();
    let setup = Setup::demo(secured(own.expired(&["elsewhere"]), None))
        .with("BB_INSECURE_SKIP_VERIFY", "1");
    for _ in 0..2 {
        let mut server = setup.serve();
        server.data("list_branches", json!({"project": "PAY", "repo": "ledger", "limit": 1}));
        let (_, _, log) = server.finish();
        assert!(log.contains("bb: warning: BB_INSECURE_SKIP_VERIFY"), "{log}");
    }
    let (code, found) = setup.doctor();
    assert_eq!(code, Some(0));
    let tls = found["steps"].as_array().expect("steps").iter().find(|step| step["step"] == "TLS");
    assert_eq!(tls.expect("a step")["ended"], "doubtful", "{found}");
    let (text, _) = setup.with("BB_INSECURE_SKIP_VERIFY", "0").told();
    assert!(text.starts_with("Bitbucket's certificate"), "{text}");
}

#[test]
fn doctor_names_the_issuer() {
    let own = authority();
    let demo = secured(own.server(&["localhost"]), None);
    let (code, found) = Setup::demo(demo).file("BB_CA_FILE", &own.pem()).doctor();
    assert_eq!(code, Some(0), "{found}");
    let steps = found["steps"].as_array().expect("steps");
    let tls = steps.iter().find(|step| step["step"] == "TLS").expect("a step");
    assert!(tls["found"].as_str().is_some_and(|text| text.contains("issued by “Acme Root CA”")));
}

#[test]
fn a_secret_in_a_certificate_is_not_told_either() {
    let own = Authority::new(&format!("CA of {}", bb_demo::TOKEN));
    let setup = Setup::demo(secured(own.server(&["localhost"]), None));
    // The harness searches both; here, that there was something to take out.
    let (text, log) = setup.told();
    assert!(text.contains("“CA of (secret)”"), "{text}");
    assert!(log.contains("“CA of (secret)”"), "{log}");
    let (_, found) = setup.doctor();
    assert!(found.to_string().contains("“CA of (secret)”"), "{found}");
}
