//! What the system's file forbids, and that nothing a user gives undoes it.

use super::Machine;
use crate::harness::demo;
use serde_json::{Value, json};

/// A machine with this policy, whose user has given everything that could be in its way.
fn under(policy: &str) -> Machine {
    let machine = Machine::new();
    machine.system(format!("policy: {{ {policy} }}\n"));
    machine
}

#[test]
fn a_host_that_is_not_allowed_is_refused_by_name() {
    let machine = under("allowed_hosts: [git.example.com, '*.example.org']");
    machine.user(
        "hosts:\n  a: { url: 'https://git.example.com:8443/stash', token_env: T }\n  \
         b: { url: 'https://a.b.example.org', token_env: T }\n  \
         c: { url: 'https://example.org', token_env: T }\n  \
         d: { url: 'https://git.example.com.evil.example', token_env: T }\n",
    );
    let mut machine = machine;
    machine.set("T", "hunter");
    for (host, expected) in [
        ("a", 0),
        ("b", 0),
        ("c", 4),
        ("d", 4),
        ("https://evil.example", 4),
        ("https://127.0.0.1", 4),
    ] {
        let (code, errors) = machine.start(&["--host", host]);
        assert_eq!(code, Some(expected), "{host}: {errors}");
        if expected == 4 {
            assert!(errors.contains("is not among the allowed hosts (`policy.allowed_hosts` in "));
            assert!(errors.contains("system.yaml:1)"), "{errors}");
        }
    }
    assert_eq!(machine.start(&["--demo"]).0, Some(0), "the demo is inside the process");
    machine.set("BITBUCKET_URL", "https://evil.example");
    machine.set("BITBUCKET_TOKEN", "hunter");
    assert_eq!(machine.start(&[]).0, Some(4));
    let mut nowhere = under("allowed_hosts: []");
    nowhere.set("BITBUCKET_URL", "https://git.example.com");
    nowhere.set("BITBUCKET_TOKEN", "hunter");
    assert_eq!(nowhere.start(&[]).0, Some(4), "an empty list allows none");
}

#[test]
fn a_server_that_is_switched_off_does_not_run_and_the_rest_does() {
    let machine = under("disable_mcp_server: true");
    for command in ["serve", "preview"] {
        let (code, out, errors) = machine.run(&["ai", "mcp", command, "--demo"]);
        assert_eq!((code, out.as_str()), (Some(4), ""), "{errors}");
        assert!(errors.contains("the server is switched off (`policy.disable_mcp_server` in "));
    }
    for arguments in [
        &["ai", "mcp", "tools"][..],
        &["--version"],
        &["--help"],
        &["ai", "mcp", "serve", "--help"],
    ] {
        assert_eq!(machine.run(arguments).0, Some(0), "{arguments:?}");
    }
    assert_eq!(under("disable_mcp_server: false").start(&["--demo"]).0, Some(0));
}

#[test]
fn a_demanded_audit_trail_that_does_not_exist_yet_stops_the_start() {
    let machine = under("mcp_audit_file: /var/log/bb/audit.jsonl");
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(4), "{errors}");
    assert!(errors.contains("has no audit trail yet, so it does not serve"), "{errors}");
    assert!(errors.contains("`policy.mcp_audit_file` in "), "{errors}");
    let (code, errors) = under("mcp_audit_file: audit.jsonl").start(&["--demo"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("has to be absolute"), "{errors}");
}

#[test]
fn nothing_insecure_is_allowed_where_the_policy_forbids_it() {
    let insecure = [
        (
            Some(("BB_INSECURE_SKIP_VERIFY", "1")),
            "url: 'https://git.example.com'",
            "BB_INSECURE_SKIP_VERIFY",
        ),
        (Some(("BB_ALLOW_HTTP", "true")), "url: 'http://git.example.com'", "BB_ALLOW_HTTP"),
        (None, "url: 'http://git.example.com', allow_http: true", "config.yaml:1"),
    ];
    for (variable, host, asker) in insecure {
        for (policy, expected) in
            [("allow_insecure: false", 4), ("allow_insecure: true", 0), ("", 0)]
        {
            let mut machine = under(policy);
            machine.user(format!("hosts: {{ a: {{ {host}, token_env: T }} }}\n"));
            machine.set("T", "hunter");
            if let Some((name, value)) = variable {
                machine.set(name, value);
            }
            let (code, errors) = machine.start(&[]);
            assert_eq!(code, Some(expected), "{policy} {host}: {errors}");
            if expected == 4 {
                assert!(
                    errors.contains(asker)
                        && errors.contains("is forbidden (`policy.allow_insecure` in "),
                    "{errors}"
                );
            } else {
                assert!(errors.starts_with("bb: warning: "), "told at each start: {errors}");
            }
        }
    }
    // Plain http to this machine goes nowhere.
    let demo = demo();
    let mut machine = under("allow_insecure: false");
    machine.set("BITBUCKET_URL", demo.url());
    machine.set("BITBUCKET_TOKEN", bb_demo::TOKEN);
    machine.set("BB_INSECURE_SKIP_VERIFY", "no");
    machine.reads(&[]);
}

/// What tools say of themselves.
fn access() -> Vec<(String, bool)> {
    let (_, text, _) = Machine::new().run(&["ai", "mcp", "tools", "--json"]);
    let tools: Value = serde_json::from_str(&text).expect("JSON");
    let tools = tools["tools"].as_array().expect("tools");
    let reads = |tool: &Value| {
        (tool["name"].as_str().expect("a name").to_owned(), tool["access"] == "reads")
    };
    tools.iter().map(reads).collect()
}

#[test]
fn a_read_only_server_has_only_tools_that_read_whoever_asks_for_it() {
    for (policy, flags) in [
        ("read_only: true", &[][..]),
        ("read_only: true", &["--read-only"]),
        ("read_only: false", &["--read-only"]),
        ("", &["--read-only"]),
    ] {
        let machine = under(policy);
        let flags: Vec<&str> = ["--demo"].iter().chain(flags).copied().collect();
        let mut server = machine.serve(&flags);
        let tools = server.tools();
        assert!(tools.len() > 5, "{}", tools.len());
        for tool in &tools {
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        }
        for (name, reads) in access() {
            let answer = server.request("tools/call", json!({"name": name, "arguments": {}}));
            let unknown = answer["error"]["code"] == -32602;
            assert_eq!(unknown, !reads, "{name}: {answer}");
        }
    }
}

#[test]
fn a_policy_stands_in_the_systems_file_alone() {
    let machine = Machine::new();
    let path = machine.user("log_level: warn\npolicy:\n  read_only: false\n");
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains(&format!(
            "{}:2:1: a policy stands in the system's file alone",
            path.display()
        )),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 2, "{errors}");
}

#[test]
fn a_policy_that_cannot_be_read_is_no_policy_that_allows() {
    for (policy, expected) in [
        ("read_onyl: true", "write `read_only`, if that is meant"),
        ("read_only: 'true'", "give true or false"),
        ("read_only: ~", "`read_only` has no value"),
        ("allowed_hosts: git.example.com", "give a list of texts"),
        ("allowed_hosts: ['https://git.example.com']", "this is no host"),
        ("allowed_hosts: ['*']", "this is no host"),
        ("allowed_hosts: [5]", "put it in quotes"),
    ] {
        let (code, errors) = under(policy).start(&["--demo"]);
        assert_eq!(code, Some(2), "{policy}: {errors}");
        assert!(errors.contains(expected), "{policy}: {errors}");
    }
    let machine = Machine::new();
    machine.system("policy:\n");
    assert_eq!(machine.start(&["--demo"]).0, Some(2));
}
