//! The examples of docs/configuration.md: each fits the published schema and is read.

use super::Machine;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/configuration.md");
const USER: &str = include_str!("../../../generated/schema/config.schema.json");
const SYSTEM: &str = include_str!("../../../generated/schema/system-config.schema.json");

/// The examples whose fence has this word behind `yaml`.
fn examples(word: &str) -> Vec<&'static str> {
    let opening = format!("```yaml {word}\n");
    PAGE.split(&opening)
        .skip(1)
        .map(|rest| rest.split("```\n").next().unwrap_or_default())
        .collect()
}

fn problems(schema: &str, example: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    validator.iter_errors(example).map(|error| error.to_string()).collect()
}

/// By the reader the server uses, without its strictness.
fn read(text: &str) -> Value {
    serde_saphyr::from_str(text).expect("YAML")
}

#[test]
fn every_example_fits_its_schema_and_is_read() {
    let (user, system) = (examples("user"), examples("system"));
    assert!(user.len() >= 2 && !system.is_empty(), "{} and {}", user.len(), system.len());
    for text in &user {
        assert_eq!(problems(USER, &read(text)), [""; 0], "{text}");
        let machine = Machine::new();
        machine.user(text);
        let (code, errors) = machine.start(&["--demo"]);
        assert_eq!(code, Some(0), "{text}\n{errors}");
    }
    for text in &system {
        assert_eq!(problems(SYSTEM, &read(text)), [""; 0], "{text}");
        let machine = Machine::new();
        machine.system(text);
        let (code, errors) = machine.start(&["--demo"]);
        assert!(matches!(code, Some(0 | 4)), "{text}\n{errors}");
    }
    // No fence without a word, whose example nobody would look at.
    let fences = PAGE.matches("```yaml").count();
    assert_eq!(fences, user.len() + system.len());
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    for text in [
        "hots: {}",
        "request_timeout: 0",
        "request_timeout: '60'",
        "log_level: loud",
        "log_level:",
        "policy: {}",
        "hosts: { Work: {} }",
        "hosts: { a: { token: x } }",
        "hosts: { a: { token_file: x, token_env: Y } }",
        "hosts: { a: { token_file: x, username: y, password_env: Z } }",
        "hosts: { a: { username: y } }",
        "hosts: { a: { password_env: Y } }",
        "hosts: { a: { client_key: y } }",
        "hosts: { a: { allow_http: 'yes' } }",
        "hosts: { a: { headers: { X-A: { text: x } } } }",
        "hosts: { a: { headers: { X-A: { env: A, file: b } } } }",
    ] {
        assert_ne!(problems(USER, &read(text)), [""; 0], "{text}");
        let machine = Machine::new();
        machine.user(text.replace("a: {", "a: { url: 'https://git.example.com',"));
        assert_eq!(machine.start(&["--demo"]).0, Some(2), "{text}");
    }
    for text in ["policy: { read_onyl: true }", "policy: { allowed_hosts: x }", "policy:"] {
        assert_ne!(problems(SYSTEM, &read(text)), [""; 0], "{text}");
    }
}

#[test]
fn every_setting_is_on_the_page() {
    for name in [
        "BITBUCKET_URL",
        "BITBUCKET_TOKEN",
        "BITBUCKET_TOKEN_FILE",
        "BITBUCKET_USERNAME",
        "BITBUCKET_PASSWORD",
        "BB_CA_FILE",
        "BB_CLIENT_CERT",
        "BB_CLIENT_KEY",
        "BB_INSECURE_SKIP_VERIFY",
        "BB_ALLOW_HTTP",
        "BB_REQUEST_TIMEOUT",
        "BB_LOG_LEVEL",
        "BB_CONFIG",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "--host",
        "--log-level",
        "--read-only",
        "--project",
        "--repo",
        "--demo",
    ] {
        assert!(PAGE.contains(&format!("`{name}")), "{name} is not on the page");
    }
    let schema: Value = serde_json::from_str(SYSTEM).expect("JSON");
    let mut keys = 0;
    for object in [&schema, &schema["$defs"]["HostKeys"], &schema["$defs"]["PolicyKeys"]] {
        for key in object["properties"].as_object().expect("properties").keys() {
            keys += 1;
            assert!(PAGE.contains(&format!("`{key}")), "{key} is not on the page");
        }
    }
    assert!(keys > 15, "{keys}");
}
