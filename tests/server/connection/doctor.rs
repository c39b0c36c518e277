//! `bb ai mcp doctor`: what it says of a way that is fine, and how it ends when it is not.

use super::{Setup, authority, secured};
use crate::harness::{demo, demo_under};
use serde_json::Value;
use std::process::Stdio;

/// How a step ended and what was found.
fn step(found: &Value, name: &str) -> (String, String) {
    let steps = found["steps"].as_array().expect("steps");
    let step = steps.iter().find(|step| step["step"] == name);
    let step = step.unwrap_or_else(|| panic!("no step {name} in {found}"));
    let text = |name: &str| step[name].as_str().unwrap_or_default().to_owned();
    (text("ended"), text("found"))
}

fn passed(text: &str) -> (String, String) {
    ("passed".to_owned(), text.to_owned())
}

#[test]
fn a_way_that_is_fine_is_told_step_by_step() {
    let own = authority();
    let demo = secured(own.server(&["localhost"]), None);
    let (code, found) =
        Setup::demo(demo).file("BB_CA_FILE", &own.pem()).flag("--repo").flag("PAY/ledger").doctor();
    assert_eq!((code, &found["ok"]), (Some(0), &Value::Bool(true)), "{found}");
    let names: Vec<&str> = found["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| step["step"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        names,
        [
            "configuration",
            "DNS",
            "TCP",
            "proxy",
            "TLS",
            "HTTP",
            "Bitbucket",
            "credential",
            "scope",
            "clock"
        ]
    );
    assert_eq!(step(&found, "DNS").0, "passed");
    assert_eq!(step(&found, "HTTP"), passed("status 200"));
    assert_eq!(step(&found, "Bitbucket"), passed("Bitbucket 10.2.1"));
    assert_eq!(step(&found, "credential"), passed("amara.okafor (Amara Okafor)"));
    assert_eq!(step(&found, "scope"), passed("PAY/ledger can be read"));
    assert_eq!(step(&found, "clock"), passed("agrees with Bitbucket's"));
    assert_eq!(step(&found, "proxy").0, "skipped");
}

#[test]
fn it_is_told_to_people_in_lines_with_marks() {
    let demo = demo_under("/stash");
    let setup = Setup::demo(demo).flag("--project").flag("NOPE");
    let output = setup.run("doctor").stdin(Stdio::null()).output().expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("from BITBUCKET_URL") && text.contains("token (set)"), "{text}");
    assert!(text.contains("\n✓ Bitbucket      Bitbucket 10.2.1\n"), "{text}");
    assert!(text.contains("\n✗ scope          no repository of NOPE can be seen\n"), "{text}");
    assert!(text.contains("→ check the names, and that the credential's user may read it"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "bb: failed: scope\n");
}

#[test]
fn its_code_tells_what_kind_of_thing_is_wrong() {
    // Usage and configuration.
    assert_eq!(Setup::new("ftp://nowhere").doctor().0, Some(2));
    let setup = Setup::new("https://localhost:9").file("BB_CA_FILE", "no PEM");
    let (code, found) = setup.doctor();
    assert_eq!(code, Some(2), "{found}");
    // The credential.
    let setup = Setup::demo(demo()).with("BITBUCKET_TOKEN", "nobody-at-all");
    let (code, found) = setup.doctor();
    assert_eq!((code, step(&found, "credential").0.as_str()), (Some(3), "failed"), "{found}");
    assert_eq!(step(&found, "scope").0, "skipped");
    // The policy, which the way is tried in spite of.
    let setup =
        Setup::demo(demo()).file("BB_TEST_SYSTEM_CONFIG", "policy:\n  disable_mcp_server: true\n");
    let (code, found) = setup.doctor();
    assert_eq!((code, step(&found, "policy").0.as_str()), (Some(4), "failed"), "{found}");
    assert_eq!(step(&found, "credential").0, "passed");
    // The way.
    assert_eq!(Setup::new("https://localhost:9").doctor().0, Some(1));
}

#[test]
fn a_scope_is_looked_at_with_the_eyes_of_the_credential() {
    for (flag, value, expected) in [
        ("--project", "PAY", "passed"),
        ("--project", "pay", "passed"),
        ("--project", "NOPE", "failed"),
        ("--repo", "PAY/ledger", "passed"),
        ("--repo", "PAY/nothing", "failed"),
        ("--repo", "NOPE/ledger", "failed"),
    ] {
        let (_, found) = Setup::demo(demo()).flag(flag).flag(value).doctor();
        assert_eq!(step(&found, "scope").0, expected, "{value}: {found}");
    }
}

#[test]
fn a_clock_that_differs_is_doubtful() {
    let demo = demo();
    let headers = vec![
        ("Content-Type".to_owned(), "application/json".to_owned()),
        ("X-AUSERNAME".to_owned(), bb_demo::USER.to_owned()),
        ("Date".to_owned(), "Mon, 30 Nov 2020 21:00:00 GMT".to_owned()),
    ];
    let body = br#"{"version":"9.4.1","displayName":"Bitbucket"}"#;
    demo.answer_with("/application-properties", 200, headers, body.to_vec());
    let (code, found) = Setup::demo(demo).doctor();
    assert_eq!((code, step(&found, "clock").0.as_str()), (Some(0), "doubtful"), "{found}");
    assert_eq!(step(&found, "Bitbucket"), passed("Bitbucket 9.4.1"));
}

#[test]
fn it_waits_as_long_as_a_call_may_take_and_says_for_what() {
    let demo = demo();
    demo.fail("", bb_demo::Fault::Hang, None);
    let (code, found) = Setup::demo(demo).with("BB_REQUEST_TIMEOUT", "1").doctor();
    assert_eq!(code, Some(1), "{found}");
    assert_eq!(step(&found, "HTTP"), ("failed".to_owned(), "no answer within 1 s".to_owned()));
    assert_eq!(step(&found, "clock").0, "skipped");
    // A port that is open and says nothing is no address without TLS.
    let silent = crate::harness::runtime().block_on(bb_demo::Silent::start()).expect("a listener");
    let setup = Setup::new(&format!("https://{}", silent.address())).keeping(silent);
    let (code, found) = setup.with("BB_REQUEST_TIMEOUT", "2").flag("--read-only").doctor();
    assert_eq!((code, step(&found, "TLS").0.as_str()), (Some(1), "failed"), "{found}");
}
