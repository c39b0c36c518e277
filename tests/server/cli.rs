//! The command line: what it prints, and how it ends.

use crate::harness::command;
use serde_json::Value;

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut command = command();
    command.args(arguments).envs(environment.iter().copied()).stdin(std::process::Stdio::null());
    let output = command.output().expect("the binary runs");
    (
        output.status.code(),
        String::from_utf8(output.stdout).expect("UTF-8"),
        String::from_utf8(output.stderr).expect("UTF-8"),
    )
}

#[test]
fn its_version_is_the_workspaces() {
    assert_eq!(
        run(&["--version"], &[]),
        (Some(0), format!("bb {}\n", env!("CARGO_PKG_VERSION")), String::new())
    );
}

#[test]
fn every_tool_is_listed_with_its_rule_and_operations() {
    let (code, text, _) = run(&["ai", "mcp", "tools"], &[]);
    assert_eq!(code, Some(0));
    assert!(text.contains("get_build_status  List a commit's builds"), "{text}");
    assert!(
        text.contains(
            "reads, asks never, for the model, unbounded: Bitbucket keys builds by commit"
        ),
        "{text}"
    );
    assert!(text.contains("GET /rest/api/latest/dashboard/pull-requests (own)"), "{text}");
    let (code, json, _) = run(&["ai", "mcp", "tools", "--json"], &[]);
    assert_eq!(code, Some(0));
    let tools: Value = serde_json::from_str(&json).expect("JSON");
    let tools = tools["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), text.lines().filter(|line| !line.starts_with(' ')).count());
    let table = include_str!("../../generated/scope-table.md");
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        let row = table.lines().find(|line| line.contains(&format!("| `{name}`"))).expect("a row");
        assert!(row.contains(&format!("`{}`", tool["scope"].as_str().expect("a rule"))), "{row}");
        for operation in tool["operations"].as_array().expect("operations") {
            let path = operation["path"].as_str().expect("a path").replace("*}", "}");
            assert!(
                row.contains(&format!(
                    "{} {path}`",
                    operation["method"].as_str().expect("a method")
                )),
                "{name} {path}"
            );
        }
    }
}

#[test]
fn faults_of_usage_end_with_2_and_say_what_to_do() {
    let url = ("BITBUCKET_URL", "https://bitbucket.example.com");
    let token = ("BITBUCKET_TOKEN", "abc");
    for (arguments, environment, expected) in [
        (&["ai", "mcp", "serve"][..], &[][..], "set BITBUCKET_URL or give --host URL"),
        (&["ai", "mcp", "serve"][..], &[url][..], "put an HTTP access token into BITBUCKET_TOKEN"),
        (
            &["ai", "mcp", "serve", "--host", "http://bitbucket.example.com"][..],
            &[token][..],
            "not encrypted",
        ),
        (&["ai", "mcp", "serve", "--host", "bitbucket"][..], &[token][..], "is not a URL"),
        (
            &["ai", "mcp", "serve", "--host", "https://me:pw@bitbucket.example.com"][..],
            &[token][..],
            "give the URL alone",
        ),
        (&["ai", "mcp", "serve", "--repo", "ledger"][..], &[url, token][..], "names no project"),
        (
            &["ai", "mcp", "serve", "--project", "OPS", "--repo", "PAY/ledger"][..],
            &[url, token][..],
            "name two projects",
        ),
        (
            &["ai", "mcp", "serve", "--demo", "--host", "https://x"][..],
            &[][..],
            "cannot be used with",
        ),
        (
            &["ai", "mcp", "serve", "--demo"][..],
            &[("BB_REQUEST_TIMEOUT", "soon")][..],
            "whole seconds from 1 to 3600",
        ),
        (&["ai", "mcp", "serve"][..], &[url, ("BITBUCKET_TOKEN", "a\nb")][..], "line break"),
        (&["ai", "mcp", "frobnicate"][..], &[][..], "unrecognized subcommand"),
        (&[][..], &[][..], "Usage"),
    ] {
        let (code, out, errors) = run(arguments, environment);
        assert_eq!(code, Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert_eq!(out, "", "{arguments:?}");
    }
}

#[test]
fn no_secret_is_in_what_it_says() {
    for token in ["s3cret-token\nx", "s3cret-token"] {
        for host in ["https://user:s3cret-token@host", "ftp://host", "nonsense"] {
            let (_, out, errors) =
                run(&["ai", "mcp", "serve", "--host", host], &[("BITBUCKET_TOKEN", token)]);
            assert!(!out.contains("s3cret") && !errors.contains("s3cret"), "{errors}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let mut child =
        command().args(["ai", "mcp", "tools"]).stdout(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("a status").code(), Some(0));
}
