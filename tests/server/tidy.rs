//! Invariants that the compiler does not hold: who may depend on what, and how files look.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Ours, with the names of what each depends on at run time.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let normal = |dependency: &&serde_json::Value| dependency["kind"].is_null();
            let names =
                package["dependencies"].as_array().expect("dependencies").iter().filter(normal);
            let names = names
                .map(|dependency| dependency["name"].as_str().expect("a name").to_owned())
                .collect();
            (package["name"].as_str().expect("a name").to_owned(), names)
        })
        .collect()
}

#[test]
fn the_crate_graph_is_the_designs() {
    let graph = dependencies();
    assert_eq!(graph.len(), 9, "{graph:?}");
    let users = |name: &str| -> Vec<&str> {
        graph
            .iter()
            .filter(|(_, names)| names.iter().any(|other| other == name))
            .map(|(user, _)| user.as_str())
            .collect()
    };
    assert_eq!(users("reqwest"), ["bb-client", "bb-generated"], "one door to Bitbucket");
    assert_eq!(users("rmcp"), ["bb"], "one crate that knows the protocol");
    assert_eq!(users("serde-saphyr"), ["bb", "bb-codegen"], "specs and configuration files");
    assert_eq!(users("schemars"), ["bb"], "the schemas of configuration files");
    let ours = |name: &str| -> Vec<&str> {
        let mut names: Vec<&str> =
            graph[name].iter().map(String::as_str).filter(|name| name.starts_with("bb")).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(ours("bb-contract"), [""; 0]);
    assert_eq!(ours("bb-codegen"), [""; 0], "the generator builds before everything");
    assert_eq!(ours("bb-demo"), [""; 0], "the demo stands alone");
    assert_eq!(ours("bb-client"), ["bb-contract"]);
    assert_eq!(ours("bb-generated"), ["bb-client", "bb-contract"]);
    assert_eq!(ours("bb-domain"), ["bb-generated"]);
    assert_eq!(ours("bb-view"), ["bb-contract", "bb-domain", "bb-generated"]);
    for name in ["bb-contract", "bb-domain", "bb-view"] {
        for forbidden in ["reqwest", "rmcp", "tokio", "axum", "http"] {
            assert!(
                !graph[name].iter().any(|other| other == forbidden),
                "{name} depends on {forbidden}"
            );
        }
    }
}

/// Every file with one of these endings that is ours to keep tidy.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name =
                path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() {
                if !matches!(name.as_str(), "target" | ".git" | "node_modules" | "out") {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn text(path: &Path) -> String {
    // Broken specs under tests/ may hold anything.
    String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned()
}

#[test]
fn files_are_small_and_say_what_they_are() {
    let rust = files(&[".rs"]);
    assert!(rust.len() > 80, "only {} files were found", rust.len());
    let mut sizes = Vec::new();
    for path in &rust {
        let text = text(path);
        let lines = text.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", path.display());
        // What the compiler's own words are compared with is not ours to word.
        let is_data = path
            .components()
            .any(|part| matches!(part.as_os_str().to_str(), Some("fixtures" | "output")));
        if !is_data {
            assert!(text.starts_with("//! "), "{} does not say what it is", path.display());
            sizes.push(lines);
        }
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 200, "the median is {}", sizes[sizes.len() / 2]);
    for path in files(&[".yaml", ".jinja", ".md", ".js", ".mjs", ".css", ".py"]) {
        let lines = text(&path).lines().count();
        let document =
            path.ends_with("spec/bitbucket/openapi.yaml") || path.ends_with("CHANGELOG.md");
        assert!(lines <= 500 || document, "{} has {lines} lines", path.display());
    }
}

#[test]
fn nothing_prints_to_standard_output_but_what_is_named() {
    let mut looked_at = 0;
    for path in files(&[".rs"]) {
        let shown = path.strip_prefix(root()).expect("below the root").display().to_string();
        if shown.starts_with("tests/") || shown.contains("/tests") {
            continue;
        }
        looked_at += 1;
        let text = text(&path);
        let prints = text.lines().any(|line| {
            let line = line.trim_start();
            !line.starts_with("//")
                && (line.contains("println!(") && !line.contains("eprintln!(")
                    || line.contains("print!(") && !line.contains("eprint"))
        });
        let opens = text.contains("io::stdout()");
        let allowed = matches!(
            shown.as_str(),
            // Build instructions, the generator's own output, and what commands other than `serve` say.
            "generated/build.rs"
                | "view/build.rs"
                | "codegen/src/main.rs"
                | "runtime/server/src/output.rs"
                | "runtime/server/src/transport/streams.rs"
        );
        assert!(allowed || !(prints || opens), "{shown} prints");
    }
    assert!(looked_at > 50, "{looked_at}");
}

#[test]
fn only_one_module_names_the_protocols_handler_and_only_the_guard_runs_a_call() {
    let source = root().join("runtime/server/src");
    let mut runs = Vec::new();
    let mut handlers = Vec::new();
    for path in files(&[".rs"]).into_iter().filter(|path| path.starts_with(&source)) {
        let text = text(&path);
        let shown = path.strip_prefix(&source).expect("below the source").display().to_string();
        if text.contains("call.run(") {
            runs.push(shown.clone());
        }
        if text.contains("impl ServerHandler for") {
            handlers.push(shown.clone());
        }
        if ["handlers/", "read/", "kinds/"].iter().any(|folder| shown.starts_with(folder)) {
            for word in ["Scope", "admit(", "Connection", "CallContext"] {
                assert!(!text.contains(word), "{shown} sees {word}");
            }
        }
        assert!(
            // The schemas' test is told to write them by a variable.
            !text.contains("std::env::var")
                || matches!(shown.as_str(), "environment.rs" | "configuration/schema.rs"),
            "{shown} reads the environment"
        );
    }
    assert_eq!(runs, ["guard/call.rs"]);
    assert_eq!(handlers, ["guard/wire.rs"]);
}

#[test]
fn only_a_debug_build_lets_a_variable_say_where_the_policy_is() {
    let variable = "BB_TEST_SYSTEM_CONFIG";
    let source = root().join("runtime/server/src");
    let mut found = 0;
    for path in files(&[".rs"]).into_iter().filter(|path| path.starts_with(&source)) {
        // The text up to each mention, from the item it stands in.
        let text = text(&path);
        let places = text.match_indices(variable).map(|(at, _)| &text[..at]);
        for before in places.filter(|_| !path.ends_with("configuration/tests.rs")) {
            found += 1;
            assert!(path.ends_with("environment.rs"), "{} names {variable}", path.display());
            let attribute = before.rfind("#[cfg(debug_assertions)]").expect("an attribute");
            let item = &before[attribute..];
            assert_eq!(item.matches("fn ").count(), 1, "the attribute is another item's:\n{item}");
        }
    }
    assert_eq!(found, 1);
}

#[test]
fn the_build_reads_no_committed_artifact() {
    let build = text(&root().join("generated/build.rs"));
    assert!(build.lines().count() <= 20);
    for path in files(&[".rs"]) {
        let shown = path.strip_prefix(root()).expect("below the root").display().to_string();
        let reads =
            text(&path).contains("generated/tools") || text(&path).contains("scope-table.md");
        let may = shown.starts_with("tests/") || shown.starts_with("codegen/");
        assert!(may || !reads, "{shown} reads an artifact");
    }
}
