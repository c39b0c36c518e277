//! Where lines come from, and commits as mails.

use serde_json::Value;

use super::{LEDGER, demo, get, ledger, values};

const SOURCE: &str = "src/main/kotlin/ledger";
const AT: &str = "at=refs/heads/feature/PAY-412-idempotent-retries";

/// The blame of the line that holds a text: its commit and the file's name.
async fn origin(demo: &crate::Demo, path: &str, text: &str) -> (String, String) {
    let file = ledger(demo, &format!("/browse/{path}?{AT}&blame&limit=1000")).await;
    let lines = file["lines"].as_array().unwrap();
    let blame = file["blame"].as_array().unwrap();
    let mut next = 1;
    for span in blame {
        assert_eq!(span["lineNumber"], next, "each line has one origin");
        next += span["spannedLines"].as_u64().unwrap();
    }
    assert_eq!(next - 1, lines.len() as u64);
    let number =
        1 + lines.iter().position(|line| line["text"].as_str().unwrap().contains(text)).unwrap();
    let is_here = |span: &&Value| {
        let first = span["lineNumber"].as_u64().unwrap();
        (first..first + span["spannedLines"].as_u64().unwrap()).contains(&(number as u64))
    };
    let span = blame.iter().find(is_here).unwrap();
    let id = span["commitId"].as_str().unwrap();
    let commit = ledger(demo, &format!("/commits/{id}")).await;
    assert_eq!(commit["authorTimestamp"], span["authorTimestamp"]);
    (
        commit["message"].as_str().unwrap().lines().next().unwrap().to_owned(),
        span["fileName"].as_str().unwrap().to_owned(),
    )
}

#[tokio::test]
async fn each_line_has_the_commit_that_last_changed_it() {
    let demo = demo().await;
    let service = format!("{SOURCE}/PostingService.kt");
    let amount = format!("{SOURCE}/money/Amount.kt");
    let former = format!("{SOURCE}/Amounts.kt");
    for (path, text, message, name) in [
        (&service, "class PostingService", "Move the ledger out of the monolith", &service),
        (&service, "Thread.sleep", "PAY-412: Retry postings the journal failed to take", &service),
        (
            &service,
            "findByKey",
            "PAY-412: Key every posting so that a retry cannot book twice",
            &service,
        ),
        (&amount, "operator fun minus", "PAY-412: Give amounts a package of their own", &amount),
        // Moved, not changed: the line is older than the name.
        (&amount, "operator fun unaryMinus", "Move the ledger out of the monolith", &former),
    ] {
        let (found, called) = origin(&demo, path, text).await;
        assert_eq!((found.as_str(), &called), (message, name), "{text}");
    }
    // A merge brings lines of its side, which are the side's own.
    let notes = ledger(&demo, "/files/docs/notes").await;
    let note = format!("docs/notes/{}", notes["values"][0].as_str().unwrap());
    let (found, _) = origin(&demo, &note, "#").await;
    assert!(found.starts_with("PAY-"), "{found}");
}

#[tokio::test]
async fn a_page_of_lines_has_the_origins_of_those_lines() {
    let demo = demo().await;
    let page = ledger(&demo, "/browse/CHANGELOG.md?blame&start=4&limit=3").await;
    let blame = page["blame"].as_array().unwrap();
    assert_eq!(blame[0]["lineNumber"], 5);
    let count: u64 = blame.iter().map(|span| span["spannedLines"].as_u64().unwrap()).sum();
    assert_eq!(count, 3);
    assert!(blame.len() > 1, "one line each: {blame:?}");
}

#[tokio::test]
async fn a_patch_is_one_mail_for_each_commit() {
    let demo = demo().await;
    let patch = get(&demo, &format!("{LEDGER}/pull-requests/1.patch")).await.text();
    let commits = ledger(&demo, "/pull-requests/1/commits").await;
    let mut rest = patch.as_str();
    for (index, commit) in values(&commits).iter().rev().enumerate() {
        let id = commit["id"].as_str().unwrap();
        let start = format!(
            "From {id} Mon Sep 17 00:00:00 2001\nFrom: Jonas Lindqvist <jonas.lindqvist@example.com>\nDate: "
        );
        rest = rest.strip_prefix(start.as_str()).unwrap_or_else(|| panic!("{id}: {rest}"));
        let message = commit["message"].as_str().unwrap().lines().next().unwrap();
        let subject = format!("\nSubject: [PATCH {}/3] {message}\n", index + 1);
        assert!(rest.contains(&subject), "{rest}");
        let (mail, left) = rest.split_once("\n-- \n2.45.0\n\n").unwrap();
        assert!(mail.contains("\n---\n") && mail.contains("\ndiff --git "));
        rest = left;
    }
    assert_eq!(rest, "");
    assert!(patch.contains(" files changed, "));
    let alone = get(&demo, &format!("{LEDGER}/patch?until=main")).await.text();
    assert!(alone.contains("Subject: [PATCH] Begin 2.4.0-SNAPSHOT"), "{alone}");
    let none = get(&demo, &format!("{LEDGER}/patch")).await;
    assert_eq!(none.status, 400);
    // The hostile one cannot add a header of its own.
    let hostile = get(&demo, &format!("{LEDGER}/pull-requests/7.patch")).await.text();
    assert!(hostile.contains(
        "
Subject: [PATCH 1/2] <img src=x onerror="
    ));
    assert!(hostile.contains(
        "
From: =?UTF-8?q?"
    ));
    assert_eq!(hostile.matches("\nFrom: ").count(), 2);
}
