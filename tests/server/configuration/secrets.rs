//! No way in shows its secret, and secrets in files are taken as people write them.

use super::{Machine, header};
use crate::harness::{demo, runtime};
use bb_demo::{Demo, Options};

/// Variables of one case; `FILE` is what the user's file says of its host.
type Variables = Vec<(&'static str, String)>;

#[test]
fn no_secret_is_shown_whatever_is_wrong_with_it() {
    let files: [(&str, &[u8]); 5] = [
        ("two-lines", b"s3cret\ns3cret\n"),
        ("empty", b"\n"),
        ("bytes", b"s3cret\xff"),
        ("spaces", b"s3cret s3cret"),
        ("bearers", b"Bearer Bearer s3cret"),
    ];
    let url = ("BITBUCKET_URL", "https://git.example.com");
    let ada = ("BITBUCKET_USERNAME", "ada");
    let mut cases: Vec<(Variables, Vec<String>)> = Vec::new();
    let mut case = |variables: &[(&'static str, &str)], flags: &[&str]| {
        let variables =
            variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        cases.push((variables, flags.iter().map(|flag| (*flag).to_owned()).collect()));
    };
    case(&[url, ("BITBUCKET_TOKEN", "s3cret\nx")], &[]);
    case(&[url, ("BITBUCKET_TOKEN", "s3cret x")], &[]);
    case(&[url, ("BITBUCKET_TOKEN", "Bearer Bearer s3cret")], &[]);
    case(&[url, ("BITBUCKET_TOKEN", "s3cré3cret")], &[]);
    case(&[url, ("BITBUCKET_TOKEN_FILE", "s3cret")], &[]);
    case(&[url, ("BITBUCKET_TOKEN_FILE", "s3cret/s3cret")], &[]);
    case(&[url, ("BITBUCKET_TOKEN", "s3cret"), ("BITBUCKET_TOKEN_FILE", "s3cret")], &[]);
    case(&[url, ada, ("BITBUCKET_PASSWORD", "s3cret\nx")], &[]);
    case(&[url, ada, ("BITBUCKET_PASSWORD", "s3cret\u{7}")], &[]);
    case(&[url, ada, ("BITBUCKET_PASSWORD", "s3cret"), ("BITBUCKET_TOKEN", "s3cret")], &[]);
    case(&[url, ("BITBUCKET_PASSWORD", "s3cret")], &[]);
    case(
        &[("BITBUCKET_URL", "https://ada:s3cret@git.example.com"), ("BITBUCKET_TOKEN", "s3cret")],
        &[],
    );
    case(&[url, ("BITBUCKET_TOKEN", "s3cret"), ("HTTPS_PROXY", "ftp://ada:s3cret@proxy")], &[]);
    case(&[("BITBUCKET_TOKEN", "s3cret"), url], &["--host", "https://other.example"]);
    // What belongs into a file, pasted where its path belongs, and into the wrong variable.
    let key = "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----";
    let token = ("BITBUCKET_TOKEN", "abc");
    case(&[url, token, ("BB_CLIENT_KEY", key), ("BB_CLIENT_CERT", "~/two-lines")], &[]);
    case(&[url, token, ("BB_CLIENT_KEY", "s3cret"), ("BB_CLIENT_CERT", "~/two-lines")], &[]);
    case(&[url, token, ("BB_CLIENT_KEY", key), ("BB_CLIENT_CERT", key)], &[]);
    case(&[url, token, ("BB_CA_FILE", key)], &[]);
    case(&[token, ("BITBUCKET_URL", "s3cret")], &[]);
    case(&[token, ("BITBUCKET_URL", "http://git.example.com/?access_token=s3cret")], &[]);
    case(&[token, ("BITBUCKET_URL", "ftp://git.example.com/s3cret")], &[]);
    for host in
        ["https://s3cret@git.example.com", "ada:s3cret@git.example.com", "s3cret@git.example.com"]
    {
        case(&[("BITBUCKET_TOKEN", "s3cret")], &["--host", host]);
    }
    for (name, _) in files {
        case(&[url, ("BITBUCKET_TOKEN_FILE", &format!("~/{name}"))], &[]);
    }
    for rest in [
        "token: s3cret",
        "Token: s3cret",
        "password: s3cret",
        "access_token: s3cret",
        "token_file: s3cret",
        "token_file: [s3cret]",
        "token_env: s3cret",
        "token_env: s3cret-x",
        "username: ada, password_file: s3cret",
        "username: ada, password_env: s3cret",
        "token_file: ~/two-lines",
        "token_file: ~/bytes",
        "token_file: ~/empty",
        "token_file: ~/spaces",
        "token_file: ~/bearers",
        "username: ada, password_file: ~/two-lines",
        "proxy: 'http://ada:s3cret@proxy'",
        "proxy: 'http://s3cret:x@y:z'",
        "token_env: T, headers: { X-A: { env: s3cret } }",
        "token_env: T, headers: { X-A: { file: s3cret } }",
        "headers: { X-A: { value: s3cret } }",
        "headers: { X-A: 53 }",
        "headers: [s3cret]",
        "token_env: T, headers: { X-A: { file: ~/two-lines } }",
        "token_env: T, headers: { X-A: { file: ~/bytes } }",
        "allow_http: s3cret",
        "token_file: &a s3cret",
        "token_file: 's3cret",
        "token_file: *s3cret",
        "token_file: !!int s3cret",
    ] {
        case(&[("T", "hunter"), ("FILE", rest)], &[]);
    }
    assert!(cases.len() > 50, "{}", cases.len());
    for (variables, flags) in cases {
        let mut machine = Machine::new();
        for (name, bytes) in files {
            machine.write(&format!("home/{name}"), bytes);
        }
        for (name, value) in &variables {
            match *name {
                "FILE" => drop(machine.user(format!(
                    "hosts: {{ a: {{ url: 'https://git.example.com', {value} }} }}\n"
                ))),
                name => machine.set(
                    name,
                    value.replace('~', &machine.folder.join("home").display().to_string()),
                ),
            }
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let (code, errors) = machine.start(&flags);
        assert_eq!(code, Some(2), "{variables:?} {flags:?}: {errors}");
        // Not its parts either, in whatever spelling.
        let shown = errors.replace("machine-", "");
        for part in ["s3cret", "3cr", "s3"] {
            assert!(!shown.contains(part), "{variables:?} {flags:?}: {errors}");
        }
    }
}

#[test]
fn a_token_file_is_taken_as_people_write_it() {
    let demo = demo();
    let token = bb_demo::TOKEN;
    for text in [
        token.to_owned(),
        format!("{token}\n"),
        format!("{token}\r\n"),
        format!("\u{feff}{token}\n"),
        format!("Bearer {token}\n"),
        format!(" {token} "),
    ] {
        let mut machine = Machine::new();
        machine.write("home/token", text);
        machine.set("BITBUCKET_URL", demo.url());
        machine.set("BITBUCKET_TOKEN_FILE", "~/token");
        machine.reads(&[]);
    }
    let mut machine = Machine::new();
    machine.set("BITBUCKET_URL", demo.url());
    machine.write("home/lines", "hunter\nhunter\n");
    machine.write("home/blank", " \n");
    machine.write("home/bytes", b"hunter\xff");
    machine.write("home/large", "x".repeat((64 << 10) + 1));
    let home = machine.folder.join("home").display().to_string();
    for (path, expected) in [
        ("large", "BITBUCKET_TOKEN_FILE: the file is larger than 64 KiB"),
        (".config", "BITBUCKET_TOKEN_FILE: this is no regular file"),
        ("none", "BITBUCKET_TOKEN_FILE: there is no such file; correct the path (looked for in "),
        ("a/b", "(nor is there its folder)"),
        ("lines", "BITBUCKET_TOKEN_FILE: the file named there has more than one line"),
        ("blank", "BITBUCKET_TOKEN_FILE: the file named there is empty"),
        ("bytes", "BITBUCKET_TOKEN_FILE: the file named there is not UTF-8"),
    ] {
        machine.set("BITBUCKET_TOKEN_FILE", format!("{home}/{path}"));
        let (code, errors) = machine.start(&[]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn a_users_name_and_password_let_in() {
    let options = Options { basic_authentication: true, ..Options::default() };
    let demo = runtime().block_on(Demo::start(options)).expect("a demo");
    let mut machine = Machine::new();
    machine.set("BITBUCKET_URL", demo.url());
    machine.set("BITBUCKET_USERNAME", bb_demo::USER);
    machine.set("BITBUCKET_PASSWORD", bb_demo::TOKEN);
    machine.reads(&[]);
    assert_eq!(header(&demo, "authorization").as_deref(), Some("(Basic)"));
    let machine = Machine::new();
    machine.write("home/.config/bb/password", format!("{}\n", bb_demo::TOKEN));
    machine.user(format!(
        "hosts: {{ a: {{ url: {}, username: {}, password_file: password }} }}\n",
        demo.url(),
        bb_demo::USER
    ));
    machine.reads(&[]);
}

#[test]
#[cfg(unix)]
fn files_that_others_may_read_are_warned_of() {
    use std::os::unix::fs::PermissionsExt as _;
    let demo = demo();
    let machine = Machine::new();
    let token = machine.write("home/.config/bb/token", bb_demo::TOKEN);
    let host = format!("url: {}, token_file: token", demo.url());
    let user = machine.user(format!("hosts: {{ a: {{ {host}, headers: {{ X-A: text }} }} }}\n"));
    let set = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    assert_eq!(machine.start(&[]), (Some(0), String::new()), "nothing is said of what is right");
    set(&token, 0o644);
    let (code, errors) = machine.start(&[]);
    assert_eq!(code, Some(0));
    assert!(
        errors.contains("bb: warning: ") && errors.contains("may read the file named there"),
        "{errors}"
    );
    set(&token, 0o600);
    for mode in [0o644, 0o622] {
        set(&user, mode);
        let (_, errors) = machine.start(&[]);
        assert!(errors.contains("holds headers given as text; chmod 600 it"), "{errors}");
    }
    machine.write("home/.config/bb/config.yaml", format!("hosts: {{ a: {{ {host} }} }}\n"));
    set(&user, 0o644);
    assert_eq!(machine.start(&[]), (Some(0), String::new()), "there is nothing to hide in it");
}
