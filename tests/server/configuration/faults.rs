//! What is wrong with a file, a variable or a flag: the exit code, where it is, and what to do.

use super::Machine;

const URL: &str = "url: https://git.example.com";

/// Both owners' faults: the file, and for each fault its line, column and words.
type Broken = (&'static str, &'static [(u32, u32, &'static str)]);

const BROKEN: &[Broken] = &[
    (
        "hots: {}",
        &[(1, 1, "`hots` is no key of a configuration file; write `hosts`, if that is meant")],
    ),
    ("zzz: 1", &[(1, 1, "its keys are hosts, request_timeout, log_level")]),
    ("- a", &[(1, 1, "a configuration file is a list; give a mapping")]),
    ("request_timeout: 0", &[(1, 18, "is no whole number from 1 to 3600; give one")]),
    ("request_timeout: '60'", &[(1, 18, "is no whole number from 1 to 3600; give one")]),
    ("request_timeout: 1.5", &[(1, 18, "is no whole number from 1 to 3600; give one")]),
    ("request_timeout:", &[(1, 16, "is no whole number from 1 to 3600; give one")]),
    ("log_level: loud", &[(1, 12, "give one of error, warn, info, debug")]),
    ("log_level: warn\nlog_level: info", &[(2, 1, "`log_level` is given twice")]),
    ("log_level: &a warn", &[(1, 15, "anchors and aliases are not read")]),
    ("hosts: [a]", &[(1, 8, "`hosts` is a list; give a mapping")]),
    ("hosts: { Work: { url: 'https://git.example.com' } }", &[(1, 10, "cannot be a host's name")]),
    ("hosts:\n  a: { url: git.example.com }", &[(2, 13, "is not a URL")]),
    ("hosts:\n  a: { url: 'https://u:s3cret@git.example.com' }", &[(2, 13, "give the URL alone")]),
    ("hosts:\n  a: {}", &[(2, 3, "`a` has no `url`")]),
    ("hosts:\n  a:", &[(2, 4, "`a` has no value; give a mapping, or take the key out")]),
];

/// What is wrong with one host that has a URL: the rest of it, and the fault's words.
const BROKEN_HOSTS: &[(&str, &str)] = &[
    ("allow_http: yes", "`allow_http` is a text; give true or false, without quotes"),
    ("allow_http: 1", "give true or false"),
    ("allow_htp: true", "write `allow_http`, if that is meant"),
    ("token_file: a\n    token_env: B", "keep one of them"),
    ("token_env: a b", "this is no variable's name"),
    ("token_file: a\n    username: ada\n    password_env: B", "keep one of the two ways in"),
    ("username: ada", "`username` without a password"),
    ("username: 12\n    password_env: B", "a text is expected; put it in quotes"),
    ("password_env: B", "a password without `username`"),
    ("username: a\n    password_env: B\n    password_file: c", "keep one of them"),
    ("client_cert: a.pem", "give both or neither"),
    ("client_key: a.pem", "give both or neither"),
    ("ca_file: ''", "`ca_file` is empty"),
    ("ca_file: ~", "`ca_file` has no value"),
    ("ca_file: ~ada/ca.pem", "give the whole path"),
    ("proxy: ftp://proxy", "is not supported"),
    ("proxy: http://ada:s3cret@proxy", "give such a URL in HTTPS_PROXY"),
    ("headers: { Authorization: s3cret }", "`Authorization` is set by this server"),
    ("headers: { proxy-x: s3cret }", "is set by this server or by the protocol"),
    ("headers: { 'a b': s3cret }", "cannot be a header's name"),
    ("headers: { X-A: a, x-a: b }", "given twice, in other letters"),
    ("headers: { X-A: \"s3cret\\nx\" }", "holds a line break"),
    ("headers: { X-A: 5 }", "put it in quotes"),
    ("headers: { X-A: [s3cret] }", "`X-A` is a list; give a text"),
    ("headers: { X-A: { env: A, file: b } }", "needs one of `env` and `file`"),
    ("headers: { X-A: {} }", "needs one of `env` and `file`"),
    ("headers: { X-A: { text: s3cret } }", "`text` is no key of `X-A`"),
    ("token: s3cret", "would put a secret into this file; give a host's `token_file`"),
    ("password: s3cret", "give a host's `password_file`"),
];

#[test]
fn every_fault_of_a_file_is_told_where_it_stands() {
    for (text, faults) in BROKEN {
        for user in [true, false] {
            let machine = Machine::new();
            let path = if user { machine.user(text) } else { machine.system(text) };
            let (code, errors) = machine.start(&["--demo"]);
            assert_eq!(code, Some(2), "{text}: {errors}");
            for (line, column, expected) in *faults {
                let place = format!("{}:{line}:{column}: ", path.display());
                let told = errors.lines().find(|told| told.starts_with(&place));
                let told = told.unwrap_or_else(|| panic!("{text} at {line}:{column}: {errors}"));
                // The keys of the system's file are more.
                let expected = if user {
                    expected
                } else {
                    expected.split(" log_level").next().unwrap_or(expected)
                };
                assert!(told.contains(expected), "{text}: {told}");
            }
            assert_eq!(errors.lines().count(), faults.len() + 1, "{text}: {errors}");
            assert!(!errors.contains("s3cret"), "{errors}");
        }
    }
    for (rest, expected) in BROKEN_HOSTS {
        let machine = Machine::new();
        let path = machine.user(format!("hosts:\n  a:\n    {URL}\n    {rest}\n"));
        let (code, errors) = machine.start(&["--demo"]);
        assert_eq!(code, Some(2), "{rest}: {errors}");
        let told = errors.lines().nth(1).unwrap_or_default();
        assert!(told.starts_with(&format!("{}:", path.display())), "{rest}: {errors}");
        assert!(told.contains(expected), "{rest}: {errors}");
        assert!(!errors.contains("s3cret"), "{errors}");
    }
}

#[test]
fn all_faults_of_both_files_are_told_at_once_in_their_order() {
    let machine = Machine::new();
    let user = machine.user(
        "request_timeout: 0\r\nhosts:\r\n  a: { url: nonsense, tokn_file: x, allow_http: 'no' }\r\n",
    );
    let system = machine.system("\u{feff}policy:\n  read_only: on\n  audit: x\n");
    let (code, errors) = machine.start(&[]);
    assert_eq!(code, Some(2));
    let places: Vec<String> = errors
        .lines()
        .skip(1)
        .map(|line| line.split(": ").next().unwrap_or_default().to_owned())
        .collect();
    let at = |path: &std::path::Path, place: &str| format!("{}:{place}", path.display());
    assert_eq!(
        places,
        [
            at(&system, "2:14"),
            at(&system, "3:3"),
            at(&user, "1:18"),
            at(&user, "3:13"),
            at(&user, "3:23"),
            at(&user, "3:49"),
        ],
        "{errors}"
    );
}

#[test]
fn a_file_that_cannot_be_read_stops_the_start() {
    let machine = Machine::new();
    let large = format!("# {}\n", "x".repeat(1 << 20));
    for (bytes, expected) in [
        (&b"log_level: warn\nhosts: {\xff"[..], ":2:9: this is not UTF-8 text"),
        (large.as_bytes(), ":1:1: the file is larger than 1024 KiB"),
        (b"hosts: [", ":1:8: not YAML"),
        (b"a: 1\n---\nb: 2\n", ":3:1: a second document"),
    ] {
        for name in ["system.yaml", "home/.config/bb/config.yaml"] {
            let path = machine.write(name, bytes);
            let (code, errors) = machine.start(&["--demo"]);
            assert_eq!(code, Some(2), "{errors}");
            assert!(errors.contains(&format!("{}{expected}", path.display())), "{errors}");
            std::fs::remove_file(path).expect("removed");
        }
    }
    std::fs::create_dir(machine.folder.join("system.yaml")).expect("a folder");
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("system.yaml:1:1: this is no regular file"), "{errors}");
}

#[test]
#[cfg(unix)]
fn a_system_file_that_is_there_and_cannot_be_read_is_not_an_absent_one() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let machine = Machine::new();
    let system = machine.folder.join("system.yaml");
    symlink(machine.folder.join("nowhere"), &system).expect("a link");
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("system.yaml:1:1: the file cannot be read"), "{errors}");
    std::fs::remove_file(&system).expect("removed");
    machine.system("policy: { disable_mcp_server: true }\n");
    std::fs::set_permissions(&system, std::fs::Permissions::from_mode(0o000)).expect("a mode");
    // Whoever may read everything is told of the policy instead.
    let may_read = std::fs::read(&system).is_ok();
    let (code, errors) = machine.start(&["--demo"]);
    assert_eq!(code, Some(if may_read { 4 } else { 2 }), "{errors}");
}

#[test]
fn files_of_other_systems_are_read() {
    let demo = crate::harness::demo();
    let machine = Machine::new();
    machine.write("home/.config/bb/token", format!("\u{feff}{}\r\n", bb_demo::TOKEN));
    machine.user(format!(
        "\u{feff}# ours\r\nhosts:\r\n  work:\r\n    url: {}\r\n    token_file: token\r\n",
        demo.url()
    ));
    machine.system("");
    machine.reads(&[]);
}

#[test]
fn faults_of_variables_and_flags_are_told_with_their_names() {
    let url = ("BITBUCKET_URL", "https://git.example.com");
    let token = ("BITBUCKET_TOKEN", "abc");
    for (flags, variables, expected) in [
        (
            &[][..],
            &[url, token, ("BITBUCKET_TOKEN_FILE", "x")][..],
            "BITBUCKET_TOKEN and BITBUCKET_TOKEN_FILE are both set",
        ),
        (
            &[],
            &[url, token, ("BITBUCKET_USERNAME", "a"), ("BITBUCKET_PASSWORD", "b")],
            "BITBUCKET_TOKEN and BITBUCKET_USERNAME are both set",
        ),
        (
            &[],
            &[url, ("BITBUCKET_TOKEN_FILE", "x"), ("BITBUCKET_PASSWORD", "b")],
            "BITBUCKET_TOKEN_FILE and BITBUCKET_PASSWORD are both set",
        ),
        (
            &[],
            &[url, ("BITBUCKET_USERNAME", "a")],
            "BITBUCKET_USERNAME is set without BITBUCKET_PASSWORD",
        ),
        (
            &[],
            &[url, ("BITBUCKET_PASSWORD", "a")],
            "BITBUCKET_PASSWORD is set without BITBUCKET_USERNAME",
        ),
        (
            &[],
            &[url, token, ("BB_CLIENT_CERT", "a.pem")],
            "BB_CLIENT_CERT is set without BB_CLIENT_KEY",
        ),
        (
            &[],
            &[url, token, ("BB_CLIENT_KEY", "a.pem")],
            "BB_CLIENT_KEY is set without BB_CLIENT_CERT",
        ),
        (
            &[],
            &[url, token, ("BB_CA_FILE", "no/ca.pem")],
            "BB_CA_FILE: no/ca.pem: there is no such file",
        ),
        (
            &[],
            &[url, token, ("BB_INSECURE_SKIP_VERIFY", "maybe")],
            "BB_INSECURE_SKIP_VERIFY: neither on nor off",
        ),
        (&[], &[url, token, ("BB_ALLOW_HTTP", "2")], "BB_ALLOW_HTTP: neither on nor off"),
        (
            &[],
            &[url, token, ("BB_LOG_LEVEL", "loud")],
            "BB_LOG_LEVEL: no such level; give one of error, warn, info, debug",
        ),
        (
            &[],
            &[url, token, ("BB_REQUEST_TIMEOUT", "3601")],
            "BB_REQUEST_TIMEOUT: `3601` is no time; give whole seconds from 1 to 3600",
        ),
        (
            &[],
            &[url, token, ("HTTPS_PROXY", "ftp://proxy")],
            "HTTPS_PROXY: a proxy spoken to by `ftp` is not supported",
        ),
        (
            &[],
            &[("BITBUCKET_URL", "http://git.example.com"), token],
            "BITBUCKET_URL: `http://git.example.com` is not encrypted",
        ),
        (
            &[],
            &[("BITBUCKET_URL", "http://git.example.com"), token, ("BB_ALLOW_HTTP", "no")],
            "is not encrypted",
        ),
        (&[], &[("BITBUCKET_URL", "nonsense"), token], "BITBUCKET_URL: this is not a URL"),
        (
            &["--host", "https://git.example.com"],
            &[("BITBUCKET_URL", "nonsense"), token],
            "BITBUCKET_URL: this is not a URL",
        ),
        (&["--log-level", "loud"], &[url, token], "possible values: error, warn, info, debug"),
        (&["--host", "bitbucket"], &[token], "--host: this is not a URL"),
        (&[], &[], "no Bitbucket is named"),
        (&[], &[url], "no token is set for https://git.example.com"),
    ] {
        let mut machine = Machine::new();
        for (name, value) in variables {
            machine.set(name, *value);
        }
        let (code, errors) = machine.start(flags);
        assert_eq!(code, Some(2), "{variables:?}: {errors}");
        assert!(errors.contains(expected), "{variables:?}: {errors}");
    }
}

#[test]
fn blank_variables_count_as_unset() {
    let demo = crate::harness::demo();
    let mut machine = Machine::at(&demo);
    for name in
        ["BITBUCKET_TOKEN_FILE", "BITBUCKET_USERNAME", "BB_CA_FILE", "BB_CONFIG", "BB_ALLOW_HTTP"]
    {
        machine.set(name, " ");
    }
    machine.reads(&[]);
}
