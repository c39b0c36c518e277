//! Every tool under every scope with every kind of value, and what reached Bitbucket of it.

use crate::harness::{Server, demo};
use bb_demo::Demo;
use serde_json::{Value, json};

/// What a value of `project` is to the scope `PAY`.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Inside,
    Outside,
}

/// Kinds of values for `project` under the scope `PAY`; `None` leaves it out.
fn projects() -> Vec<(Option<Value>, Kind)> {
    let inside = [
        None,
        Some(json!("")),
        Some(json!("  ")),
        Some(json!("PAY")),
        Some(json!("pay")),
        Some(json!("pAy")),
    ];
    let outside = [
        json!("OPS"),
        json!("ops"),
        json!("PAY "),
        json!(" PAY"),
        json!("PAY/ledger"),
        json!("../OPS"),
        json!("%4FPS"),
        json!("OPS%2F..%2FPAY"),
        json!("PAY\u{0}"),
        json!("PAY/../OPS"),
        json!("\u{ff30}\u{ff21}\u{ff39}"),
        json!("~amara.okafor"),
        json!("~YUSUF.DEMIR"),
        json!(null),
        json!(1),
        json!(true),
        json!(["PAY"]),
        json!({"key": "PAY"}),
        json!("P\u{200b}AY"),
    ];
    inside
        .into_iter()
        .map(|value| (value, Kind::Inside))
        .chain(outside.into_iter().map(|value| (Some(value), Kind::Outside)))
        .collect()
}

/// The arguments a tool needs beside project and repo.
fn others(tool: &str) -> Value {
    match tool {
        "get_pull_request" | "get_pr_diff" => json!({"id": 1}),
        "get_build_status" => json!({"commit": "f".repeat(40)}),
        "show" | "refresh_view" => json!({"kind": "pull_request", "id": 1}),
        _ => json!({}),
    }
}

/// Whether the tool takes a repository it cannot do without.
fn needs_repo(tool: &str) -> bool {
    !matches!(tool, "list_pull_requests" | "search_repositories" | "get_build_status")
}

fn assert_nothing_left(demo: &Demo, what: &str) {
    let requests = demo.requests();
    assert!(requests.is_empty(), "{what} reached {requests:?}");
}

/// Every request stayed in the project, or was one that no project bounds.
fn assert_inside(demo: &Demo, repo: Option<&str>, what: &str) {
    for request in demo.requests() {
        let path = request.path.to_lowercase();
        let query = request.query.to_lowercase();
        let inside = match repo {
            Some(repo) => path.contains(&format!("/projects/pay/repos/{repo}")),
            None => path.contains("/projects/pay/repos/") || query.contains("projectkey=pay"),
        };
        let own =
            path.ends_with("/dashboard/pull-requests") || path.ends_with("/application-properties");
        // Pictures belong to no project; a view counts the builds of the commit it has just read.
        let view = what.starts_with("show ") || what.starts_with("refresh_view ");
        let seen =
            path.starts_with("/users/") || path.contains("/build-status/latest/commits/stats/");
        assert!(inside || own || (view && seen), "{what} reached {request:?}");
        assert!(
            !path.contains("/projects/ops") && !path.contains("~"),
            "{what} reached {request:?}"
        );
    }
}

#[test]
fn a_project_scope_holds_for_every_tool_and_every_value() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    let mut denied = 0;
    for tool in all_tools(&demo) {
        for (value, kind) in projects() {
            let mut arguments = others(&tool);
            if needs_repo(&tool) {
                arguments["repo"] = json!("ledger");
            }
            if let Some(value) = &value {
                arguments["project"] = value.clone();
            }
            let what = format!("{tool} {arguments}");
            demo.clear_requests();
            let result = server.call(&tool, arguments);
            let failed = result["isError"] == true;
            if tool == "get_build_status" {
                assert!(failed, "{what}");
                assert_nothing_left(&demo, &what);
                denied += 1;
                continue;
            }
            match kind {
                Kind::Inside => {
                    assert!(!failed, "{what}: {result}");
                    assert!(!demo.requests().is_empty(), "{what}");
                    assert_inside(&demo, None, &what);
                    assert_narrowed(&result, "PAY", &what);
                }
                Kind::Outside => {
                    assert!(failed, "{what}");
                    assert_nothing_left(&demo, &what);
                    denied += 1;
                }
            }
        }
    }
    assert!(denied > 100, "{denied}");
}

#[test]
fn a_repository_scope_holds_for_every_tool_and_every_value() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--repo", "PAY/ledger"]);
    let repos: Vec<(Option<Value>, Kind)> = vec![
        (None, Kind::Inside),
        (Some(json!("")), Kind::Inside),
        (Some(json!("LEDGER")), Kind::Inside),
        (Some(json!("gateway")), Kind::Outside),
        (Some(json!("ledger/../gateway")), Kind::Outside),
        (Some(json!("ledger%2F..%2Fgateway")), Kind::Outside),
        (Some(json!("..")), Kind::Outside),
        (Some(json!(null)), Kind::Outside),
        (Some(json!(["ledger"])), Kind::Outside),
    ];
    for tool in all_tools(&demo) {
        for (project, in_project) in projects() {
            for (repo, in_repo) in &repos {
                let mut arguments = others(&tool);
                for (name, value) in [("project", &project), ("repo", repo)] {
                    if let Some(value) = value {
                        arguments[name] = value.clone();
                    }
                }
                let what = format!("{tool} {arguments}");
                demo.clear_requests();
                let result = server.call(&tool, arguments);
                let withheld = matches!(tool.as_str(), "get_build_status" | "search_repositories");
                if withheld || in_project == Kind::Outside || *in_repo == Kind::Outside {
                    assert_eq!(result["isError"], true, "{what}");
                    assert_nothing_left(&demo, &what);
                } else {
                    assert_eq!(result["isError"], false, "{what}: {result}");
                    assert_inside(&demo, Some("ledger"), &what);
                }
            }
        }
    }
}

#[test]
fn under_a_project_scope_no_repository_argument_leads_out() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    for tool in
        all_tools(&demo).into_iter().filter(|tool| needs_repo(tool) || tool == "list_pull_requests")
    {
        for repo in [
            "..",
            ".",
            "../OPS",
            "../../OPS/repos/deploy-tools",
            "..%2F..%2FOPS%2Frepos%2Fdeploy-tools",
            "ledger/../../../OPS/repos/deploy-tools",
            "ledger\\..\\..\\OPS",
            "ledger?x=1",
            "ledger#",
            "ledger;x",
            "deploy-tools/branches?",
            "%2e%2e",
            "\u{2024}\u{2024}",
            " ",
        ] {
            let mut arguments = others(&tool);
            arguments["repo"] = json!(repo);
            demo.clear_requests();
            let text = server.failure(&tool, arguments);
            assert!(!text.is_empty());
            assert_nothing_left(&demo, &format!("{tool} {repo}"));
        }
    }
}

#[test]
fn no_other_argument_leads_out() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    let hostile = [
        "../../../../OPS/repos/deploy-tools",
        "..",
        "/rest/api/latest/projects/OPS",
        "a/../../b",
        "%2e%2e/%2e%2e",
        "&projectkey=OPS",
        "x\u{0}",
        "..\\..\\OPS",
    ];
    for text in hostile {
        for (tool, name) in [
            ("list_branches", "filter"),
            ("list_branches", "cursor"),
            ("list_tags", "filter"),
            ("list_commits", "until"),
            ("list_commits", "since"),
            ("list_commits", "path"),
            ("search_repositories", "name"),
            ("list_pull_requests", "source_branch"),
            ("list_pull_requests", "target_branch"),
            ("get_pr_diff", "path"),
            ("get_pull_request", "id"),
            ("get_pr_diff", "id"),
            ("list_pull_requests", "state"),
        ] {
            let mut arguments = others(tool);
            if needs_repo(tool) {
                arguments["repo"] = json!("ledger");
            }
            arguments[name] = json!(text);
            demo.clear_requests();
            server.call(tool, arguments);
            assert_inside(&demo, None, &format!("{tool} {name}={text}"));
            for request in demo.requests() {
                let keys =
                    request.query.split('&').filter(|pair| pair.starts_with("projectkey=")).count();
                assert!(keys <= 1, "{request:?}");
            }
        }
    }
}

#[test]
fn the_last_of_duplicate_members_counts_everywhere() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    let call = |server: &mut Server, id: i64, members: &str| {
        server.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"list_branches","arguments":{{{members}}}}}}}"#
        ));
        server.read()["result"]["isError"].clone()
    };
    demo.clear_requests();
    assert_eq!(call(&mut server, 100, r#""project":"PAY","repo":"ledger","project":"OPS""#), true);
    assert_nothing_left(&demo, "the last project is OPS");
    assert_eq!(call(&mut server, 101, r#""project":"OPS","repo":"ledger","project":"PAY""#), false);
    assert_inside(&demo, Some("ledger"), "the last project is PAY");
}

#[test]
fn a_member_of_another_name_is_not_a_way_around() {
    let demo = demo();
    let mut server = Server::drawing(&demo, &["--project", "PAY"]);
    demo.clear_requests();
    for name in ["Project", "PROJECT", "project ", "projectKey", "project_key", "proj\u{200b}ect"] {
        let text = server.failure("list_branches", json!({name: "OPS", "repo": "ledger"}));
        assert!(text.contains("not an argument of this tool"), "{text}");
    }
    assert_nothing_left(&demo, "unknown members");
}

#[test]
fn a_moved_repository_is_refused_under_a_scope_and_read_without() {
    let demo = demo();
    let mut open = Server::drawing(&demo, &[]);
    // One old name is answered in silence, the other by a redirect.
    for repo in ["accounts", "archive-me"] {
        assert_eq!(
            open.call("list_branches", json!({"project": "PAY", "repo": repo}))["isError"],
            false,
            "{repo}"
        );
    }
    let mut confined = Server::drawing(&demo, &["--project", "PAY"]);
    for tool in
        all_tools(&demo).into_iter().filter(|tool| needs_repo(tool) || tool == "list_pull_requests")
    {
        for repo in ["accounts", "archive-me"] {
            let mut arguments = others(&tool);
            arguments["repo"] = json!(repo);
            demo.clear_requests();
            let text = confined.failure(&tool, arguments);
            assert!(text.starts_with("refused: "), "{tool} {repo}: {text}");
            for request in demo.requests() {
                assert!(
                    request.path.to_lowercase().contains("/projects/pay/repos/"),
                    "{tool} followed to {request:?}"
                );
            }
        }
    }
}

#[test]
fn withheld_tools_are_not_listed_and_what_is_filled_in_is_not_required() {
    let demo = demo();
    let all = all_tools(&demo);
    for (flags, withheld, filled) in [
        (&["--project", "PAY"][..], &["get_build_status"][..], &["project"][..]),
        (
            &["--repo", "PAY/ledger"][..],
            &["get_build_status", "search_repositories"][..],
            &["project", "repo"][..],
        ),
    ] {
        let mut server = Server::drawing(&demo, flags);
        let listed = server.tools();
        let names: Vec<&str> =
            listed.iter().map(|entry| entry["name"].as_str().expect("a name")).collect();
        let expected: Vec<&str> =
            all.iter().map(String::as_str).filter(|name| !withheld.contains(name)).collect();
        assert_eq!(names, expected);
        for entry in &listed {
            let required = entry["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
            assert!(
                required.iter().all(|name| !filled.contains(&name.as_str().expect("a name"))),
                "{entry}"
            );
        }
        assert!(server.handshake_text().contains("confined"), "the instructions say it");
    }
}

#[test]
fn the_callers_own_work_is_narrowed_before_it_is_counted() {
    let demo = demo();
    let mut open = Server::drawing(&demo, &[]);
    let all = open.data("list_pull_requests", json!({"state": "all", "limit": 100}));
    let mut confined = Server::drawing(&demo, &["--project", "OPS"]);
    let mine = confined.data("list_pull_requests", json!({"state": "all", "limit": 1}));
    let ops = all["pull_requests"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|row| row["project"] == "OPS")
        .count();
    assert_eq!(ops, 1, "the demo has one of the caller's pull requests in OPS");
    assert_eq!(mine["pull_requests"].as_array().map(Vec::len), Some(1));
    assert_eq!(mine["limit_reached"], false, "what lies outside is not counted: {mine}");
}

fn assert_narrowed(result: &Value, project: &str, what: &str) {
    for member in ["pull_requests", "repositories"] {
        for row in result["structuredContent"][member].as_array().into_iter().flatten() {
            assert!(
                row["project"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(project)),
                "{what}: {row}"
            );
        }
    }
}

fn all_tools(demo: &Demo) -> Vec<String> {
    let mut server = Server::drawing(demo, &[]);
    let tools: Vec<String> = server
        .tools()
        .iter()
        .map(|entry| entry["name"].as_str().expect("a name").to_owned())
        .collect();
    assert!(tools.len() >= 10);
    tools
}

impl Server {
    fn handshake_text(&mut self) -> String {
        self.greet(&json!({}))["result"]["instructions"].as_str().unwrap_or_default().to_owned()
    }
}
