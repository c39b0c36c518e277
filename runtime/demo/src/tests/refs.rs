//! Branches and tags that come and go.

use serde_json::json;

use super::{demo, ledger, send, values, write};
use crate::USER;

#[tokio::test]
async fn branches_and_tags_are_made_and_removed() {
    let demo = demo().await;
    let made =
        write(&demo, "POST", "/branches", json!({ "name": "топик/ü", "startPoint": "main" })).await;
    assert_eq!(made.json()["id"], "refs/heads/топик/ü");
    let again =
        write(&demo, "POST", "/branches", json!({ "name": "топик/ü", "startPoint": "main" })).await;
    assert_eq!((again.status, again.error().as_str()), (400, "DuplicateRefException"));
    let bad =
        write(&demo, "POST", "/branches", json!({ "name": "a b", "startPoint": "main" })).await;
    assert_eq!(bad.status, 400);
    let inside =
        write(&demo, "POST", "/branches", json!({ "name": "main/x", "startPoint": "main" })).await;
    assert_eq!(inside.status, 409, "main would have to be a folder");
    let tag = write(
        &demo,
        "POST",
        "/tags",
        json!({ "name": "v9/ü", "startPoint": "main", "message": "m" }),
    )
    .await;
    assert!(tag.json()["hash"].is_string());
    assert_eq!(ledger(&demo, "/tags/v9/%C3%BC").await["displayId"], "v9/ü");
    let git = "/rest/git/latest/projects/PAY/repos/ledger/tags";
    let light = json!({ "name": "v9/ü", "startPoint": "stable", "message": "m",
        "type": "LIGHTWEIGHT" });
    let again = send(&demo, USER, "POST", git, light.clone()).await;
    assert_eq!((again.status, again.error().as_str()), (400, "DuplicateRefException"));
    let mut forced = light;
    forced["force"] = json!(true);
    let forced = send(&demo, USER, "POST", git, forced).await;
    assert_eq!((forced.status, &forced.json()["hash"]), (201, &json!(null)));
    let branches = "/rest/branch-utils/latest/projects/PAY/repos/ledger/branches";
    let removed =
        send(&demo, USER, "DELETE", branches, json!({ "name": "refs/heads/топик/ü" })).await;
    assert_eq!(removed.status, 204);
    let used = send(&demo, USER, "DELETE", branches, json!({ "name": "main" })).await;
    assert_eq!((used.status, used.error().as_str()), (400, "UnsupportedOnBranchException"));
    assert_eq!(used.json()["errors"][0]["context"], "name");
    let tags = "/rest/git/latest/projects/PAY/repos/ledger/tags/v9/%C3%BC";
    assert_eq!(send(&demo, USER, "DELETE", tags, json!({})).await.status, 204);
    assert_eq!(send(&demo, USER, "DELETE", tags, json!({})).await.status, 404);
    let label = write(&demo, "POST", "/labels", json!({ "name": "Money" })).await;
    assert_eq!(label.json()["name"], "money");
    assert!(values(&ledger(&demo, "/labels").await).contains(&json!({ "name": "money" })));
    assert_eq!(write(&demo, "DELETE", "/labels/money", json!({})).await.status, 204);
}
