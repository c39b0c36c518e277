//! One test per clause of the egress guard, each by sabotage: a request that the layers
//! before it would never have made.

use super::{Call, check};
use crate::Fault;
use bb_contract::{OperationFacts, Reach, Scope};
use reqwest::Url;

const BASE: &str = "http://127.0.0.1:1/ctx";

const fn operation(id: &'static str, template: &'static str, reach: Reach) -> OperationFacts {
    OperationFacts {
        id,
        method: "GET",
        template,
        reach,
        noted: &[],
        stream: false,
        accept: "application/json",
    }
}

const DECLARED: &[&OperationFacts] = &[
    &operation("branches", "/rest/projects/{project}/repos/{repo}/branches", Reach::Repository),
    &operation("diff", "/rest/projects/{project}/repos/{repo}/pulls/{id}.diff", Reach::Repository),
    &operation("file", "/rest/projects/{project}/repos/{repo}/raw/{path*}", Reach::Repository),
    &operation("repos", "/rest/repos", Reach::Filter { project: "projectkey", repo: None }),
    &operation("hooks", "/rest/projects/{project}/hooks", Reach::Project),
    &operation("dashboard", "/rest/dashboard", Reach::Own),
    &operation("version", "/rest/version", Reach::Server),
    &operation("builds", "/rest/builds/{commit}", Reach::Unbounded),
    &OperationFacts {
        noted: &["latestCommit"],
        ..operation("counts", "/rest/counts/{commit}", Reach::Unbounded)
    },
    &OperationFacts {
        noted: &["latestCommit"],
        ..operation("tests", "/rest/tests/{commit}", Reach::Noted)
    },
];

fn send(scope: Option<&str>, id: &str, method: &str, url: &str) -> Result<&'static str, Fault> {
    let scope = scope.map(|scope| match scope.split_once('/') {
        Some((project, repo)) => Scope::new(project.to_owned(), Some(repo.to_owned())),
        None => Scope::new(scope.to_owned(), None),
    });
    let url = Url::parse(url).expect("a URL in a test");
    let noted = |value: &str| value == "seen";
    let call = Call { declared: DECLARED, scope: scope.as_ref(), base: BASE, noted: &noted };
    check(&call, id, method, &url).map(|operation| operation.id)
}

fn get(scope: Option<&str>, id: &str, path: &str) -> Result<&'static str, Fault> {
    send(scope, id, "GET", &format!("{BASE}{path}"))
}

#[test]
fn an_undeclared_operation_is_not_sent() {
    assert_eq!(
        get(None, "tags", "/rest/projects/P/repos/r/tags"),
        Err(Fault::Undeclared("tags".to_owned()))
    );
}

#[test]
fn another_method_than_the_documents_is_not_sent() {
    let url = format!("{BASE}/rest/projects/P/repos/r/branches");
    assert!(matches!(send(None, "branches", "DELETE", &url), Err(Fault::Misshapen(_))));
    assert_eq!(send(None, "branches", "GET", &url), Ok("branches"));
}

#[test]
fn another_host_or_context_path_is_not_sent_to() {
    for url in [
        "http://127.0.0.1:2/ctx/rest/version",
        "http://evil.example/ctx/rest/version",
        "https://127.0.0.1:1/ctx/rest/version",
        "http://127.0.0.1:1/rest/version",
        "http://127.0.0.1:1/ctxx/rest/version",
        "http://u@127.0.0.1:1/ctx/rest/version",
    ] {
        assert!(matches!(send(None, "version", "GET", url), Err(Fault::Misshapen(_))), "{url}");
    }
}

#[test]
fn a_path_of_another_shape_is_not_sent() {
    for path in [
        "/rest/projects/P/repos/r/branches/x",
        "/rest/projects/P/repos/branches",
        "/rest/projects/P/repos//branches",
        "/rest/projects/P/repos/%2E%2E/branches",
        "/rest/projects/P/repos/a%2Fb/branches",
        "/rest/projects/P/repos/a%5Cb/branches",
        "/rest/projects/P/repos/r/tags",
        "/rest/projects/P/repos/%FF/branches",
        "/rest/projects/P/repos/%zz/branches",
    ] {
        assert!(matches!(get(None, "branches", path), Err(Fault::Misshapen(_))), "{path}");
    }
    // `..` never even arrives here: the URL parser has climbed already, and the shape differs.
    assert!(get(None, "branches", "/rest/projects/P/repos/../../x/branches").is_err());
    assert!(get(None, "diff", "/rest/projects/P/repos/r/pulls/1").is_err());
    assert_eq!(get(None, "diff", "/rest/projects/P/repos/r/pulls/1.diff"), Ok("diff"));
    assert_eq!(get(None, "file", "/rest/projects/P/repos/r/raw/a/b%20c/d"), Ok("file"));
    assert!(get(None, "file", "/rest/projects/P/repos/r/raw/a//d").is_err());
    assert!(get(None, "file", "/rest/projects/P/repos/r/raw/%2e%2e/%2e%2e/d").is_err());
}

#[test]
fn a_repository_operation_stays_in_its_project_and_repository() {
    let path = "/rest/projects/pay/repos/Ledger/branches";
    assert_eq!(get(Some("PAY"), "branches", path), Ok("branches"));
    assert_eq!(get(Some("PAY/ledger"), "branches", path), Ok("branches"));
    assert_eq!(
        get(Some("PAY"), "branches", "/rest/projects/%50AY/repos/x/branches"),
        Ok("branches")
    );
    assert!(matches!(get(Some("OPS"), "branches", path), Err(Fault::OutOfScope(_))));
    assert!(matches!(get(Some("PAY/gateway"), "branches", path), Err(Fault::OutOfScope(_))));
}

#[test]
fn a_project_operation_needs_a_project_scope() {
    assert_eq!(get(Some("PAY"), "hooks", "/rest/projects/PAY/hooks"), Ok("hooks"));
    assert!(get(Some("OPS"), "hooks", "/rest/projects/PAY/hooks").is_err());
    assert!(get(Some("PAY/ledger"), "hooks", "/rest/projects/PAY/hooks").is_err());
}

#[test]
fn a_filter_must_be_there_once_and_name_the_project() {
    assert_eq!(get(Some("PAY"), "repos", "/rest/repos?name=x&projectkey=pay"), Ok("repos"));
    for query in [
        "",
        "?projectkey=OPS",
        "?projectkey=PAY&projectkey=OPS",
        "?projectkey=PAY&projectkey=PAY",
        "?ProjectKey=PAY",
    ] {
        assert!(
            matches!(
                get(Some("PAY"), "repos", &format!("/rest/repos{query}")),
                Err(Fault::OutOfScope(_))
            ),
            "{query}"
        );
    }
    assert!(get(Some("PAY/ledger"), "repos", "/rest/repos?projectkey=PAY").is_err());
    assert_eq!(get(None, "repos", "/rest/repos"), Ok("repos"));
}

#[test]
fn own_and_server_operations_pass_and_unbounded_ones_do_not() {
    for scope in ["PAY", "PAY/ledger"] {
        assert_eq!(get(Some(scope), "dashboard", "/rest/dashboard"), Ok("dashboard"));
        assert_eq!(get(Some(scope), "version", "/rest/version"), Ok("version"));
        assert!(matches!(
            get(Some(scope), "builds", "/rest/builds/abc"),
            Err(Fault::OutOfScope(_))
        ));
    }
    assert_eq!(get(None, "builds", "/rest/builds/abc"), Ok("builds"));
}

#[test]
fn what_is_keyed_by_something_noted_needs_a_key_that_was_seen() {
    for scope in ["PAY", "PAY/ledger"] {
        assert_eq!(get(Some(scope), "counts", "/rest/counts/seen"), Ok("counts"));
        assert!(matches!(
            get(Some(scope), "counts", "/rest/counts/other"),
            Err(Fault::OutOfScope(_))
        ));
        // One that may not be keyed so is not let through by a key that was seen.
        assert!(matches!(
            get(Some(scope), "builds", "/rest/builds/seen"),
            Err(Fault::OutOfScope(_))
        ));
        assert_eq!(get(Some(scope), "tests", "/rest/tests/seen"), Ok("tests"));
    }
    assert_eq!(get(None, "counts", "/rest/counts/other"), Ok("counts"));
    assert!(matches!(get(None, "tests", "/rest/tests/other"), Err(Fault::Misshapen(_))));
}
