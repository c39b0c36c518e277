//! What generation gives: the same bytes every time, and what is committed of it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use bb_codegen::{Difference, Source, Spec, artifacts, bless, differences, load, rust, sources};
use std::fs;
use std::path::Path;

fn read(folder: &Path) -> Spec {
    load(folder).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

fn written(spec: &Spec) -> Vec<Source> {
    sources(spec).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn two_loads_give_the_same_bytes() {
    let folder = fixture::repository().join("spec");
    let (one, other) = (read(&folder), read(&folder));
    assert_eq!(written(&one), written(&other));
    assert_eq!(artifacts(&one), artifacts(&other));
    assert_eq!(rust(&folder), written(&one));
}

#[test]
fn no_output_has_a_carriage_return_or_lacks_a_last_line_feed() {
    let folder = fixture::base("crlf");
    for name in ["server.yaml", "types.yaml", "bitbucket/openapi.yaml", "tools/list_builds.yaml"] {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
        fs::write(path, text).unwrap();
    }
    let (spec, plain) = (read(&folder), read(&fixture::base("lf")));
    assert_eq!(written(&spec), written(&plain));
    assert_eq!(artifacts(&spec), artifacts(&plain));
    for artifact in artifacts(&spec) {
        assert!(
            artifact.text.ends_with('\n') && !artifact.text.contains('\r'),
            "{}",
            artifact.path
        );
    }
}

#[test]
fn what_each_tool_of_the_base_spec_becomes_is_as_expected() {
    let spec = read(&fixture::base("emitted"));
    let folder = fixture::repository().join("codegen/tests/output");
    let all = written(&spec);
    let tools: Vec<&Source> =
        all.iter().filter(|source| source.path.starts_with("tools/")).collect();
    assert_eq!(tools.len(), spec.tools().count());
    let mut wrong = Vec::new();
    for source in &tools {
        wrong.extend(fixture::held(&folder.join(&source.path), &source.text));
    }
    for name in fixture::names(&folder.join("tools")) {
        if !tools.iter().any(|source| source.path == format!("tools/{name}")) {
            wrong.push(format!(
                "no tool of the base spec becomes codegen/tests/output/tools/{name}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The committed fixture of `tests/ui` is what a build of a tool without a rule compiles.
#[test]
fn a_tool_without_a_scope_rule_becomes_the_fixture_the_compiler_is_shown() {
    let sources = rust(&fixture::composed("missing-scope", "shown"));
    let [Source { path, text }] = sources.as_slice() else { panic!("more than the faults") };
    assert_eq!(path, "root.rs");
    let fixture = fixture::repository().join("tests/ui/fixtures/spec_without_a_scope_rule.rs");
    let wrong = fixture::held(&fixture, &format!("{text}\nfn main() {{}}\n"));
    assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
}

fn told(difference: &Difference) -> String {
    match difference {
        Difference::Missing(path) => format!("{path} is missing"),
        Difference::Stale(path, is, should) => {
            format!("{path} is stale; first\n  is:        {is}\n  should be: {should}")
        }
        Difference::Orphan(path) => format!("{path} belongs to no part of the spec"),
    }
}

#[test]
fn committed_artifacts_are_what_the_spec_says() {
    let root = fixture::repository();
    let found = differences(&read(&root.join("spec")), &root).unwrap();
    let told: Vec<String> = found.iter().map(told).collect();
    assert!(told.is_empty(), "{}\nto mend it: cargo bless, and read the diff", told.join("\n"));
}

#[test]
fn stale_missing_and_orphaned_artifacts_are_found_and_mended() {
    let spec = read(&fixture::base("blessed-spec"));
    let root = fixture::scratch("blessed");
    assert_eq!(bless(&spec, &root).unwrap().len(), artifacts(&spec).len());
    assert_eq!(differences(&spec, &root).unwrap(), []);

    let stale = root.join("generated/scope-table.md");
    let text = fs::read_to_string(&stale).unwrap();
    assert!(text.contains("| `unbounded` |"));
    fs::write(&stale, text.replace("| `unbounded` |", "| `project_repo` |")).unwrap();
    fs::write(root.join("generated/tools/gone.json"), "{}\n").unwrap();
    fs::remove_file(root.join("generated/tools/approve.json")).unwrap();
    let found = differences(&spec, &root).unwrap();
    let [
        Difference::Stale(path, is, should),
        Difference::Missing(missing),
        Difference::Orphan(orphan),
    ] = found.as_slice()
    else {
        panic!("{found:?}")
    };
    assert_eq!(path, "generated/scope-table.md");
    assert!(is.contains("list_builds") && is.contains("project_repo"), "{is}");
    assert!(should.contains("list_builds") && should.contains("unbounded"), "{should}");
    assert_eq!(missing, "generated/tools/approve.json");
    assert_eq!(orphan, "generated/tools/gone.json");

    bless(&spec, &root).unwrap();
    assert_eq!(differences(&spec, &root).unwrap(), []);
    assert!(!root.join("generated/tools/gone.json").exists());
}

#[test]
fn an_artifact_that_ends_early_or_late_is_stale() {
    let spec = read(&fixture::base("ends-spec"));
    let root = fixture::scratch("ends");
    bless(&spec, &root).unwrap();
    let path = root.join("generated/operations.md");
    let text = fs::read_to_string(&path).unwrap();
    let half = &text[..text.trim_end().rfind('\n').unwrap() + 1];
    for changed in [half.to_owned(), format!("{text}one more\n"), String::new()] {
        fs::write(&path, changed).unwrap();
        let found = differences(&spec, &root).unwrap();
        let [Difference::Stale(_, is, should)] = found.as_slice() else { panic!("{found:?}") };
        assert_ne!(is, should);
    }
    fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(differences(&spec, &root).unwrap(), [], "a checkout with other line endings");
}
