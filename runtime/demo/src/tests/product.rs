//! Access, paging, refusals, places and refs.

use super::{LEDGER, ask, demo, get, ledger, values};
use crate::{Demo, Options, USER};

#[tokio::test]
async fn only_the_token_opens_the_product() {
    let demo = demo().await;
    let path = "/rest/api/latest/projects";
    let reply = ask(&demo, path, "").await;
    assert_eq!((reply.status, reply.error().as_str()), (401, "AuthenticationRequiredException"));
    let reply = ask(&demo, path, "Authorization: Bearer other\r\n").await;
    assert_eq!(reply.status, 401);
    assert_eq!(reply.error(), "IncorrectPasswordAuthenticationException");
    let properties = "/rest/api/1.0/application-properties";
    let reply = ask(&demo, properties, "").await;
    assert_eq!((reply.status, reply.json()["version"].as_str()), (200, Some("10.2.1")));
    assert!(!reply.head.contains("x-ausername:"));
    let reply = get(&demo, properties).await;
    assert!(reply.head.contains(&format!("x-ausername: {USER}")));
    assert!(reply.head.contains("x-arequestid: @"));
    assert!(reply.head.contains("content-type: application/json;charset=utf-8"));
}

#[tokio::test]
async fn pages_follow_each_other_to_the_last() {
    let demo = demo().await;
    let (mut start, mut seen) = (0, Vec::new());
    loop {
        let page = ledger(&demo, &format!("/branches?limit=20&start={start}")).await;
        assert_eq!(page["limit"], 20);
        seen.extend(values(&page).iter().map(|branch| branch["id"].to_string()));
        if page["isLastPage"] == true {
            assert!(page["nextPageStart"].is_null());
            break;
        }
        start = page["nextPageStart"].as_u64().unwrap();
    }
    let total = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), total);
    assert!(total > 60, "{total}");
}

#[tokio::test]
async fn a_limit_is_lowered_without_a_word_and_a_bad_one_refused() {
    let demo = demo().await;
    let page = ledger(&demo, "/commits?limit=5000").await;
    assert_eq!((page["limit"].as_u64(), values(&page).len()), (Some(100), 100));
    assert_eq!(page["isLastPage"], false);
    assert_eq!(ledger(&demo, "/pull-requests/1/activities?limit=5000").await["limit"], 500);
    assert_eq!(ledger(&demo, "/branches?limit=5000").await["limit"], 1000);
    for query in ["limit=x", "start=-1", "limit=0"] {
        assert_eq!(get(&demo, &format!("{LEDGER}/tags?{query}")).await.status, 400);
    }
    let reply = get(&demo, &format!("{LEDGER}/branches?orderBy=SIZE")).await;
    assert_eq!(reply.status, 400);
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let demo = demo().await;
    for (path, error) in [
        ("/projects/NONE", "NoSuchProjectException"),
        ("/projects/NONE/repos/x", "NoSuchProjectException"),
        ("/projects/PAY/repos/none", "NoSuchRepositoryException"),
        ("/projects/PAY/repos/ledger/pull-requests/999", "NoSuchPullRequestException"),
        ("/projects/PAY/repos/ledger/commits?until=refs/heads/none", "NoSuchCommitException"),
        ("/projects/PAY/repos/ledger/commits/0123456789", "NoSuchCommitException"),
        ("/users/heike.brandt", "NoSuchUserException"),
        ("/projects/PAY/repos/ledger/pull-requests/1/auto-merge", "NoSuchEntityException"),
    ] {
        let reply = get(&demo, &format!("/rest/api/latest{path}")).await;
        assert_eq!((reply.status, reply.error().as_str()), (404, error), "{path}");
    }
    let reply = get(&demo, "/rest/api/latest/nothing").await;
    assert_eq!(reply.status, 404);
    assert_eq!(reply.json()["sub-code"], -1);
    let reply = get(&demo, &format!("{LEDGER}/pull-requests/4/merge")).await;
    assert_eq!((reply.status, reply.error().as_str()), (409, "IllegalPullRequestStateException"));
}

#[tokio::test]
async fn keys_and_slugs_ignore_case() {
    let demo = demo().await;
    let reply = get(&demo, "/rest/api/1.0/projects/pay/repos/LEDGER").await;
    assert_eq!(reply.json()["slug"], "ledger");
    let reply = get(&demo, "/rest/api/latest/projects/%7Eyusuf.demir/repos/ledger").await;
    assert_eq!(reply.json()["origin"]["project"]["key"], "PAY");
}

#[tokio::test]
async fn a_moved_repository_answers_elsewhere() {
    let demo = Demo::start(Options { context_path: "/bitbucket".into(), ..Options::default() })
        .await
        .unwrap();
    let base = "/bitbucket/rest/api/latest/projects";
    let reply = get(&demo, &format!("{base}/PAY/repos/accounts/pull-requests")).await;
    let page = reply.json();
    assert_eq!(page["values"][0]["toRef"]["repository"]["project"]["key"], "OPS");
    let reply = get(&demo, &format!("{base}/PAY/repos/archive-me/branches?limit=5")).await;
    assert_eq!(reply.status, 307);
    let place = format!("location: {base}/ops/repos/archive-me/branches?limit=5");
    assert!(reply.head.contains(&place), "{}", reply.head);
    let recorded = demo.requests();
    assert_eq!(recorded[1].path, "/rest/api/latest/projects/PAY/repos/archive-me/branches");
    assert_eq!(recorded[1].query, "limit=5");
    let secret = ("authorization".to_owned(), "(Bearer)".to_owned());
    assert!(recorded[1].headers.contains(&secret));
    demo.clear_requests();
    assert!(demo.requests().is_empty());
}

#[tokio::test]
async fn commits_put_children_before_parents() {
    let demo = demo().await;
    let mut ids: Vec<String> = Vec::new();
    for start in [0, 100] {
        let page =
            ledger(&demo, &format!("/commits?until=refs/heads/main&limit=100&start={start}")).await;
        for commit in values(&page) {
            for parent in commit["parents"].as_array().unwrap() {
                assert!(!ids.contains(&parent["id"].as_str().unwrap().to_owned()));
            }
            ids.push(commit["id"].as_str().unwrap().to_owned());
        }
    }
    assert!(ids.len() > 120, "{}", ids.len());
    for (revision, index) in [("main~2", 2), ("main^", 1), ("main~", 1), ("main~0", 0)] {
        let found = ledger(&demo, &format!("/commits?until={revision}&limit=1")).await;
        assert_eq!(found["values"][0]["id"], ids[index], "{revision}");
    }
    let touched = ledger(&demo, "/commits?path=config/limits.yaml").await;
    assert_eq!(values(&touched).len(), 2);
    let tags = ledger(&demo, "/tags?orderBy=ALPHABETICAL").await;
    assert!(values(&tags).len() >= 12);
    assert_eq!(values(&ledger(&demo, "/tags?filterText=books").await).len(), 1);
}

#[tokio::test]
async fn an_avatar_is_a_picture() {
    let demo = demo().await;
    let reply = get(&demo, "/users/amara.okafor/avatar.png?s=64").await;
    assert!(reply.head.contains("content-type: image/png"));
    assert!(reply.body.starts_with(b"\x89PNG\r\n"));
}

#[tokio::test]
async fn what_one_may_not_see_leaves_a_gap_in_the_pages() {
    let demo = demo().await;
    let path = "/rest/api/latest/projects/OPS/repos";
    let (mut start, mut sizes, mut names) = (0, Vec::new(), Vec::new());
    loop {
        let page = get(&demo, &format!("{path}?limit=2&start={start}")).await.json();
        sizes.push(values(&page).len());
        names.extend(values(&page).iter().map(|found| found["slug"].as_str().unwrap().to_owned()));
        match page["nextPageStart"].as_u64() {
            Some(next) => start = next,
            None => break,
        }
    }
    assert!(sizes[..sizes.len() - 1].contains(&1), "{sizes:?}");
    assert!(!names.contains(&"hsm-keys".to_owned()));
    let hidden = get(&demo, &format!("{path}/hsm-keys")).await;
    assert_eq!((hidden.status, hidden.error().as_str()), (404, "NoSuchRepositoryException"));
    let headers = format!("Authorization: Bearer {}\r\n", demo.token_of("luis.ferreira"));
    assert_eq!(ask(&demo, &format!("{path}/hsm-keys"), &headers).await.status, 200);
}
