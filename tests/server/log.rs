//! The log on standard error: which lines, at which level, and what is never in one.

use crate::harness::{Server, demo};
use bb_demo::Fault;
use serde_json::json;

/// Calls once well and once not, and takes the log.
fn log(flags: &[&str]) -> Vec<String> {
    let demo = demo();
    let mut server = Server::ready(&demo, flags);
    let arguments = json!({"project": "PAY", "repo": "ledger", "filter": "s3cret-argument"});
    server.data("list_branches", arguments.clone());
    demo.fail("/branches", Fault::Status { status: 503, retry_after: None }, Some(1));
    server.data("list_branches", arguments.clone());
    demo.fail("/branches", Fault::CutAt(5), None);
    server.failure("list_branches", arguments);
    let (_, _, errors) = server.finish();
    errors.lines().map(str::to_owned).collect()
}

#[test]
fn by_default_it_holds_warnings_alone() {
    let lines = log(&[]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].contains(
            "WARN GET /rest/api/latest/projects/{project}/repos/{repo}/branches: 503 in "
        )
    );
    assert!(lines[1].contains("WARN list_branches: "), "{lines:?}");
    assert!(log(&["--log-level", "error"]).is_empty());
}

#[test]
fn a_line_tells_each_request_and_no_argument_and_no_body() {
    for level in ["info", "debug"] {
        let lines = log(&["--log-level", level]);
        let requests: Vec<&String> = lines
            .iter()
            .filter(|line| line.contains("attempt ") && !line.contains("DEBUG"))
            .collect();
        let waits =
            lines.iter().filter(|line| line.contains("DEBUG") && line.contains(": again in "));
        assert_eq!(waits.count(), if level == "debug" { 3 } else { 0 }, "{lines:?}");
        // One, then one that fails and one more, then three that are cut.
        assert_eq!(requests.len(), 6, "{lines:?}");
        assert!(requests[0].contains("INFO") && requests[0].contains(": 200 in "));
        assert!(requests[0].contains(" ms, attempt 1, request @DEMO"), "{}", requests[0]);
        assert!(requests[1].contains("WARN") && requests[1].contains(": 503 in "));
        assert!(requests[2].contains("attempt 2"), "{}", requests[2]);
        assert!(requests[5].contains("no answer") && requests[5].contains("attempt 3"));
        for line in &lines {
            for secret in ["s3cret-argument", "displayId", "PAY", "Bearer"] {
                assert!(!line.contains(secret), "{secret} in {line}");
            }
            // RFC 3339 first.
            assert!(line.get(10..11) == Some("T") && line.starts_with("20"), "{line}");
        }
    }
}
