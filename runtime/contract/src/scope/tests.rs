//! The first half of the rules on every kind of value.

use super::{Refused, RuleName, Scope};
use crate::JsonObject;
use serde_json::{Value, json};

fn members(value: Value) -> JsonObject {
    value.as_object().cloned().unwrap_or_default()
}

fn project() -> Scope {
    Scope::new("PAY".to_owned(), None)
}

fn repository() -> Scope {
    Scope::new("PAY".to_owned(), Some("ledger".to_owned()))
}

#[test]
fn what_is_left_out_or_blank_is_filled_in() {
    for given in [json!({}), json!({"project": ""}), json!({"project": " \t", "repo": "  "})] {
        let mut given = members(given);
        assert_eq!(RuleName::ProjectRepo.prepare(Some(&repository()), &mut given), Ok(()));
        assert_eq!(given.get("project"), Some(&json!("PAY")));
        assert_eq!(given.get("repo"), Some(&json!("ledger")));
    }
}

#[test]
fn another_letter_case_travels_on_in_the_configured_spelling() {
    let mut given = members(json!({"project": "pAy", "repo": "LEDGER"}));
    assert_eq!(RuleName::OptionalProjectRepo.prepare(Some(&repository()), &mut given), Ok(()));
    assert_eq!(Value::Object(given), json!({"project": "PAY", "repo": "ledger"}));
}

#[test]
fn anything_else_is_denied_and_nothing_is_rewritten() {
    let others = [
        json!("OPS"),
        json!("PAY "),
        json!(" PAY"),
        json!("PAY/ledger"),
        json!("P\u{c4}Y"),
        json!("%50AY"),
        json!("\u{ff30}AY"),
        json!("PAY\u{0}"),
        json!(null),
        json!(1),
        json!(true),
        json!(["PAY"]),
        json!({"key": "PAY"}),
    ];
    for other in others {
        let mut given = members(json!({"project": other, "id": 9_007_199_254_740_993_u64}));
        let before = given.clone();
        let result = RuleName::ProjectRepo.prepare(Some(&project()), &mut given);
        assert!(matches!(result, Err(Refused::Denied(_))), "{other}: {result:?}");
        assert_eq!(given, before);
    }
}

#[test]
fn unicode_case_folding_does_not_make_two_keys_equal() {
    // U+212A, the Kelvin sign, folds to k; a key is ASCII and is compared as such.
    let scope = Scope::new("KAY".to_owned(), None);
    let mut given = members(json!({"project": "\u{212a}AY"}));
    assert!(RuleName::ProjectRepo.prepare(Some(&scope), &mut given).is_err());
}

#[test]
fn tools_that_nothing_bounds_are_withheld() {
    let mut given = JsonObject::new();
    for (rule, scope, there) in [
        (RuleName::Unbounded, Some(project()), false),
        (RuleName::Unbounded, Some(repository()), false),
        (RuleName::ProjectFilter, Some(repository()), false),
        (RuleName::ProjectFilter, Some(project()), true),
        (RuleName::Unbounded, None, true),
    ] {
        assert_eq!(rule.withholds(scope.as_ref()), !there, "{rule:?} {scope:?}");
        let result = rule.prepare(scope.as_ref(), &mut given);
        assert_eq!(matches!(result, Err(Refused::Withheld(_))), !there, "{rule:?} {scope:?}");
    }
}

#[test]
fn under_a_project_scope_the_repository_is_left_as_it_is() {
    let mut given = members(json!({"repo": "../OPS"}));
    assert_eq!(RuleName::ProjectRepo.prepare(Some(&project()), &mut given), Ok(()));
    assert_eq!(given.get("repo"), Some(&json!("../OPS")));
}
