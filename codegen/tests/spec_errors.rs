//! Every check, with a spec that it refuses and the words it refuses it with.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use bb_codegen::{Diagnostic, SLUGS, load, sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Fewer than these mean that the scan looks in the wrong place.
const FEWEST: usize = 40;

/// Fixtures whose one fault is two checks' business, with the reason.
const IMPLIED: &[(&str, &str, &str)] = &[(
    "unknown-member.comma",
    "bad-text",
    "a comma cuts the text: its rest becomes a member, and its beginning is no sentence",
)];

/// The folders beside the base: one a check, `SLUG.VARIANT` for further ones.
fn fixtures() -> Vec<String> {
    let folder = fixture::spec_errors();
    let all = fixture::names(&folder);
    all.into_iter().filter(|name| name != "base" && folder.join(name).is_dir()).collect()
}

fn slug_of(fixture: &str) -> &str {
    fixture.split('.').next().unwrap_or(fixture)
}

fn rendered(faults: &[Diagnostic]) -> String {
    let blocks: Vec<String> = faults.iter().map(ToString::to_string).collect();
    blocks.join("\n\n") + "\n"
}

fn faults(folder: &Path) -> Vec<Diagnostic> {
    load(folder).err().unwrap_or_default()
}

#[test]
fn every_check_has_a_fixture_and_every_fixture_a_check() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= FEWEST, "only {} fixtures found", fixtures.len());
    let slugs: BTreeSet<&str> = SLUGS.iter().map(|entry| entry.0).collect();
    assert_eq!(slugs.len(), SLUGS.len(), "a slug is listed twice");
    let folders: BTreeSet<&str> = fixtures.iter().map(String::as_str).collect();
    let missing: Vec<_> = slugs.difference(&folders).collect();
    assert!(missing.is_empty(), "checks without a fixture of their name: {missing:?}");
    let unknown: Vec<_> =
        folders.iter().filter(|folder| !slugs.contains(slug_of(folder))).collect();
    assert!(unknown.is_empty(), "fixtures of no check: {unknown:?}");
}

/// A slug that is not listed has no help, no fixture and no entry in the reference.
#[test]
fn every_check_in_the_code_is_listed_and_every_listed_one_is_in_the_code() {
    fn scan(folder: &Path, found: &mut BTreeSet<String>) {
        for name in fixture::names(folder) {
            let path = folder.join(&name);
            if path.is_dir() {
                scan(&path, found);
            } else if name != "slugs.rs" {
                let text = fs::read_to_string(&path).unwrap();
                for call in text.split("fault(").chain(text.split("fault_with_help(")).skip(1) {
                    let slug =
                        call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                    found.extend(slug.map(str::to_owned));
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    scan(&fixture::repository().join("codegen/src"), &mut found);
    assert!(found.len() >= FEWEST, "only {} checks found", found.len());
    let listed: BTreeSet<String> = SLUGS.iter().map(|entry| entry.0.to_owned()).collect();
    let unlisted: Vec<_> = found.difference(&listed).collect();
    assert!(unlisted.is_empty(), "not in codegen/src/slugs.rs: {unlisted:?}");
    let unused: Vec<_> = listed.difference(&found).collect();
    assert!(unused.is_empty(), "listed, and no check says it: {unused:?}");
}

#[test]
fn the_checks_are_listed_in_order() {
    let slugs: Vec<&str> = SLUGS.iter().map(|entry| entry.0).collect();
    assert!(slugs.is_sorted(), "codegen/src/slugs.rs is not sorted by slug");
}

#[test]
fn the_base_spec_is_without_fault() {
    let spec =
        load(&fixture::base("faultless")).unwrap_or_else(|faults| panic!("{}", rendered(&faults)));
    sources(&spec).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn every_broken_spec_is_refused_in_the_expected_words() {
    let mut wrong = Vec::new();
    for name in fixtures() {
        let faults = faults(&fixture::composed(&name, "words"));
        let expected = fixture::spec_errors().join(&name).join("expected.txt");
        wrong.extend(fixture::held(&expected, &rendered(&faults)));
        let wanted = slug_of(&name);
        if !faults.iter().any(|fault| fault.slug == wanted) {
            wrong.push(format!("`{name}` does not trigger its check"));
        }
        for fault in faults.iter().filter(|fault| fault.slug != wanted) {
            let implied =
                IMPLIED.iter().any(|(fixture, slug, _)| *fixture == name && *slug == fault.slug);
            if !implied {
                wrong.push(format!("`{name}` has another fault too, {}", fault.slug));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_fault_says_where_and_what_to_do() {
    let mut seen = 0;
    for name in fixtures() {
        let folder = fixture::composed(&name, "places");
        for fault in faults(&folder) {
            seen += 1;
            let path = fault.path().strip_prefix("spec/").unwrap();
            let text = fs::read_to_string(folder.join(path)).unwrap_or_default();
            let (line, column) = fault.place();
            let lines: Vec<&str> = text.lines().collect();
            let width = lines.get(line - 1).map_or(0, |line| line.chars().count());
            assert!(line <= lines.len().max(1), "{name}: line {line} is not in the file");
            assert!(column <= width + 1, "{name}: column {column} is not in line {line}");
            let shown = fault.to_string();
            assert!(shown.contains(&format!("spec/{path}:{line}:{column}")), "{name}: {shown}");
            let help = shown.split("= help: ").nth(1).unwrap_or_default();
            assert!(!help.trim().is_empty(), "{name} has no help");
            assert!(!fault.message().ends_with('.'), "{name}: {}", fault.message());
        }
    }
    assert!(seen >= FEWEST, "only {seen} faults seen");
}

#[test]
fn faults_of_several_files_come_out_in_one_run_sorted_by_place() {
    let folder = fixture::base("several");
    let edit = |name: &str, from: &str, to: &str| {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{name} does not hold {from}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    edit("types.yaml", "summary: text", "summary: words");
    edit("server.yaml", "title: Bitbucket", "titel: Bitbucket");
    edit("tools/list_branches.yaml", "scope: project_repo\n", "");
    edit("tools/list_branches.yaml", "filterText: filter", "filterText: fliter");
    edit("tools/approve.yaml", "asks: always\n", "");
    edit("bitbucket/openapi.yaml", "operationId: list_branches", "operationId: ListBranches");
    let found: Vec<(String, &str)> =
        faults(&folder).iter().map(|fault| (fault.path().to_owned(), fault.slug)).collect();
    let expected = [
        ("spec/bitbucket/openapi.yaml", "document-operation"),
        ("spec/server.yaml", "missing-member"),
        ("spec/server.yaml", "unknown-member"),
        ("spec/tools/approve.yaml", "missing-member"),
        ("spec/tools/list_branches.yaml", "missing-scope"),
        ("spec/types.yaml", "unknown-type"),
    ];
    for (path, slug) in expected {
        assert!(found.contains(&(path.to_owned(), slug)), "{slug} in {path} is not in {found:?}");
    }
    let places: Vec<_> =
        faults(&folder).iter().map(|fault| (fault.path().to_owned(), fault.place())).collect();
    assert!(places.is_sorted(), "not sorted: {places:?}");
}
