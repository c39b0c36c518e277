//! The checker on good and bad calls.

use super::{ArgumentFacts, ArgumentType, check, nearest};
use crate::JsonObject;
use serde_json::{Value, json};

const DECLARED: &[ArgumentFacts] = &[
    argument("project", true, ArgumentType::ProjectKey),
    argument("repo", true, ArgumentType::RepoSlug),
    argument("id", false, ArgumentType::PullRequestId),
    argument("state", false, ArgumentType::Choice(&["open", "all"])),
    argument("commit", false, ArgumentType::Commit),
    argument("path", false, ArgumentType::Path),
    argument("until", false, ArgumentType::Ref),
    argument("ignore_whitespace", false, ArgumentType::Flag),
    argument("reviewers", false, ArgumentType::Texts),
    ArgumentFacts {
        min: Some(1),
        max: Some(100),
        default: Some("25"),
        ..argument("limit", false, ArgumentType::Count)
    },
];

const fn argument(name: &'static str, required: bool, kind: ArgumentType) -> ArgumentFacts {
    ArgumentFacts { name, required, kind, default: None, min: None, max: None }
}

fn run(value: Value) -> Result<Value, Vec<String>> {
    let mut members: JsonObject = value.as_object().cloned().unwrap_or_default();
    match check(DECLARED, &mut members) {
        Ok(()) => Ok(Value::Object(members)),
        Err(faults) => Err(faults.iter().map(ToString::to_string).collect()),
    }
}

fn call(name: &str, value: Value) -> Result<Value, Vec<String>> {
    let mut whole = json!({"project": "PAY", "repo": "ledger"});
    whole[name] = value;
    run(whole).map(|checked| checked[name].clone())
}

#[test]
fn defaults_are_filled_in() {
    let checked = run(json!({"project": "PAY", "repo": "ledger"}));
    assert_eq!(checked, Ok(json!({"project": "PAY", "repo": "ledger", "limit": 25})));
}

#[test]
fn every_fault_is_reported_at_once_with_its_path() {
    let faults = run(json!({"repository": "x", "Project": "PAY", "limit": 0, "a/b~": 1}));
    assert_eq!(
        faults,
        Err(vec![
            "/repository: not an argument of this tool; did you mean `repo`?".to_owned(),
            "/Project: not an argument of this tool; did you mean `project`?".to_owned(),
            "/limit: 0 is out of range; give a whole number of 1 to 100".to_owned(),
            "/a~1b~0: not an argument of this tool; it takes `project`, `repo`, `id`, `state`, \
             `commit`, `path`, `until`, `ignore_whitespace`, `reviewers`, `limit`"
                .to_owned(),
            "/project: missing; give a project key, such as PAY or ~user".to_owned(),
            "/repo: missing; give a repository slug: letters, digits, dots, hyphens, underscores"
                .to_owned(),
        ])
    );
}

#[test]
fn numbers_may_be_spelled_and_nothing_else_passes_for_one() {
    assert_eq!(call("id", json!("12")), Ok(json!(12)));
    assert_eq!(call("id", json!(9_007_199_254_740_993_i64)), Ok(json!(9_007_199_254_740_993_i64)));
    for bad in [
        json!("12abc"),
        json!(" 12"),
        json!(1.5),
        json!("1e2"),
        json!(null),
        json!([1]),
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!(""),
    ] {
        assert!(call("id", bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn texts_of_each_type_are_checked() {
    let good = [
        ("project", json!("~a.user")),
        ("repo", json!(".github")),
        ("state", json!("all")),
        ("commit", json!("0123456789abcdef0123456789ABCDEF01234567")),
        ("path", json!("src/a b.rs")),
        ("until", json!("refs/heads/feature/ä")),
        ("ignore_whitespace", json!("true")),
        ("reviewers", json!(["a", "b"])),
    ];
    for (name, value) in good {
        assert!(call(name, value.clone()).is_ok(), "{name} {value}");
    }
    let bad = [
        ("project", json!("")),
        ("project", json!("~")),
        ("project", json!("A/B")),
        ("project", json!("..")),
        ("project", json!("PAY%2F")),
        ("repo", json!("../x")),
        ("repo", json!(".")),
        ("repo", json!("a b")),
        ("state", json!("OPEN")),
        ("commit", json!("abc")),
        ("path", json!("/etc")),
        ("path", json!("a/../b")),
        ("until", json!(" ")),
        ("until", json!("a\nb")),
        ("ignore_whitespace", json!("yes")),
        ("reviewers", json!("a")),
        ("reviewers", json!([1])),
        ("reviewers", json!(vec!["a"; 101])),
        ("until", json!("a".repeat(1_025))),
        ("project", json!({})),
    ];
    for (name, value) in bad {
        assert!(call(name, value.clone()).is_err(), "{name} {value}");
    }
}

#[test]
fn a_name_far_from_all_has_no_nearest() {
    let known = || ["project", "repo"].into_iter();
    assert_eq!(nearest("projcet", known()), Some("project"));
    assert_eq!(nearest("reop", known()), Some("repo"));
    assert_eq!(nearest("colour", known()), None);
    assert_eq!(nearest("", known()), None);
}
