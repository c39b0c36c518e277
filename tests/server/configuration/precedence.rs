//! Every pair of places a setting can be given in: the stronger one is what the server does.

use super::{Machine, header};
use crate::harness::{demo, until};
use bb_demo::{Demo, Fault};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Gives a value in one place.
type Gives = fn(&mut Machine, &mut Vec<String>, &str);

fn flag(_: &mut Machine, flags: &mut Vec<String>, url: &str) {
    flags.extend(["--host".to_owned(), url.to_owned()]);
}

fn variable(machine: &mut Machine, _: &mut Vec<String>, url: &str) {
    machine.set("BITBUCKET_URL", url);
}

fn user(machine: &mut Machine, _: &mut Vec<String>, url: &str) {
    machine.user(format!("hosts: {{ a: {{ url: {url} }} }}\n"));
}

#[test]
fn the_host_is_the_flags_then_the_variables_then_the_files() {
    let places: [(&str, Gives); 3] = [("flag", flag), ("variable", variable), ("user", user)];
    for (index, (strong, strongly)) in places.iter().enumerate() {
        for (weak, weakly) in &places[index + 1..] {
            let (asked, other) = (demo(), demo());
            let mut machine = Machine::new();
            let mut flags = Vec::new();
            strongly(&mut machine, &mut flags, &asked.url());
            weakly(&mut machine, &mut flags, &other.url());
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            if (*strong, *weak) == ("flag", "variable") {
                // A token of the environment would be the variable's server's.
                machine
                    .user(format!("hosts: {{ a: {{ url: {}, token_env: MINE }} }}\n", asked.url()));
                machine.set("MINE", bb_demo::TOKEN);
            } else {
                machine.set("BITBUCKET_TOKEN", bb_demo::TOKEN);
            }
            machine.reads(&flags);
            assert_eq!(
                (asked.requests().len(), other.requests().len()),
                (1, 0),
                "{strong} before {weak}"
            );
        }
    }
}

/// Gives a host of both files what these two say of it, and what is needed beside.
fn files(demo: &Demo, machine: &Machine, user: &str, system: &str) {
    machine.write("home/.config/bb/good", bb_demo::TOKEN);
    machine.write("good", bb_demo::TOKEN);
    machine.write("home/.config/bb/bad", "hunter");
    machine.write("bad", "hunter");
    let url = demo.url();
    machine.user(format!("hosts:\n  a:\n    url: {url}\n    {user}\n"));
    machine.system(format!("hosts:\n  a:\n    url: {url}\n    {system}\n"));
}

#[test]
fn the_credential_is_the_variables_then_the_users_then_the_systems() {
    let demo = demo();
    for (token, user, system, expected) in [
        (Some("good"), "token_file: bad", "", true),
        (Some("bad"), "token_file: good", "", false),
        (Some("good"), "", "token_file: bad", true),
        (Some("bad"), "", "token_file: good", false),
        (None, "token_file: good", "token_file: bad", true),
        (None, "token_file: bad", "token_file: good", false),
        (None, "token_file: good", "username: ada\n    password_file: bad", true),
    ] {
        let mut machine = Machine::new();
        files(&demo, &machine, user, system);
        if let Some(token) = token {
            machine.set("BITBUCKET_TOKEN", if token == "good" { bb_demo::TOKEN } else { "hunter" });
        }
        if expected {
            machine.reads(&[]);
        } else {
            assert!(machine.fails(&[]).contains("401"), "{token:?} {user} {system}");
        }
    }
}

#[test]
fn headers_are_the_users_then_the_systems() {
    let demo = demo();
    let machine = Machine::new();
    files(
        &demo,
        &machine,
        "token_file: good\n    headers: { X-A: user }",
        "headers: { x-A: system }",
    );
    machine.reads(&[]);
    assert_eq!(header(&demo, "x-a").as_deref(), Some("user"));
}

#[test]
fn the_time_of_a_call_is_the_variables_then_the_users_then_the_systems() {
    for (variable, user, system) in
        [(Some("1"), "3600", None), (Some("1"), "", Some("3600")), (None, "1", Some("3600"))]
    {
        let demo = demo();
        demo.fail("/branches", Fault::Hang, None);
        let mut machine = Machine::at(&demo);
        if let Some(seconds) = variable {
            machine.set("BB_REQUEST_TIMEOUT", seconds);
        }
        if !user.is_empty() {
            machine.user(format!("request_timeout: {user}\n"));
        }
        if let Some(seconds) = system {
            machine.system(format!("request_timeout: {seconds}\n"));
        }
        let begun = std::time::Instant::now();
        let mut server = machine.serve(&[]);
        server.failure("list_branches", json!({"project": "PAY", "repo": "ledger"}));
        assert!(begun.elapsed().as_secs() < 20, "{variable:?} {user} {system:?}");
    }
}

/// A proxy that counts who comes and lets nobody through.
fn proxy() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let _ = BufReader::new(&stream).read_line(&mut line);
            if line.starts_with("CONNECT git.example.invalid:443") {
                counted.fetch_add(1, Ordering::SeqCst);
            }
            let _ = (&stream).write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
        }
    });
    (url, count)
}

#[test]
fn the_proxy_is_the_users_then_the_systems_then_the_variables() {
    for (strong, weak) in [("user", "system"), ("user", "variable"), ("system", "variable")] {
        let ((asked, count), (other, none)) = (proxy(), proxy());
        let mut machine = Machine::new();
        machine.set("BITBUCKET_TOKEN", "hunter");
        machine.set("BB_REQUEST_TIMEOUT", "5");
        let host = |proxy: &str| {
            format!("hosts: {{ a: {{ url: 'https://git.example.invalid'{proxy} }} }}\n")
        };
        machine.user(host(""));
        for (place, url) in [(strong, &asked), (weak, &other)] {
            let text = host(&format!(", proxy: '{url}'"));
            match place {
                "user" => drop(machine.user(text)),
                "system" => drop(machine.system(text)),
                _ => machine.set("HTTPS_PROXY", url),
            }
        }
        machine.fails(&[]);
        until("the proxy's turn", || count.load(Ordering::SeqCst) > 0);
        assert_eq!(none.load(Ordering::SeqCst), 0, "{strong} before {weak}");
    }
}

#[test]
fn the_file_of_authorities_is_the_variables_then_the_users_then_the_systems() {
    for (strong, weak) in [("variable", "user"), ("variable", "system"), ("user", "system")] {
        let demo = demo();
        let mut machine = Machine::at(&demo);
        let line = |file: &str| format!("hosts: {{ a: {{ url: '{}', {file} }} }}\n", demo.url());
        for (place, file) in [(strong, "strong.pem"), (weak, "weak.pem")] {
            let path = machine.folder.join(file).display().to_string();
            match place {
                "variable" => machine.set("BB_CA_FILE", path),
                "user" => drop(machine.user(line(&format!("ca_file: '{path}'")))),
                _ => drop(machine.system(line(&format!("ca_file: '{path}'")))),
            }
        }
        let (code, errors) = machine.start(&[]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("strong.pem: there is no such file"), "{errors}");
        assert!(!errors.contains("weak.pem"), "{errors}");
    }
}

/// Gives lines of a host of this URL in one of the files.
fn host(machine: &Machine, place: &str, url: &str, lines: &str) {
    let text = format!("hosts: {{ a: {{ url: '{url}', {lines} }} }}\n");
    if place == "user" {
        machine.user(text)
    } else {
        machine.system(text)
    };
}

#[test]
fn the_client_certificate_is_the_variables_then_the_users_then_the_systems() {
    for (strong, weak) in [("variable", "user"), ("variable", "system"), ("user", "system")] {
        let demo = demo();
        let mut machine = Machine::at(&demo);
        for (place, file) in [(strong, "strong.pem"), (weak, "weak.pem")] {
            let path = machine.folder.join(file).display().to_string();
            if place == "variable" {
                machine.set("BB_CLIENT_CERT", &path);
                machine.set("BB_CLIENT_KEY", &path);
            } else {
                let lines = format!("client_cert: '{path}', client_key: '{path}'");
                host(&machine, place, &demo.url(), &lines);
            }
        }
        let (code, errors) = machine.start(&[]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("strong.pem: there is no such file"), "{errors}");
        assert!(!errors.contains("weak.pem"), "{errors}");
    }
}

#[test]
fn whether_plain_http_is_allowed_is_the_variables_then_the_users_then_the_systems() {
    let url = "http://git.example.com";
    for (strong, weak) in [("variable", "user"), ("variable", "system"), ("user", "system")] {
        for (allowed, expected) in [("true", 0), ("false", 2)] {
            let mut machine = Machine::new();
            machine.set("BITBUCKET_TOKEN", "hunter");
            let other = if allowed == "true" { "false" } else { "true" };
            for (place, value) in [(strong, allowed), (weak, other)] {
                if place == "variable" {
                    machine.set("BB_ALLOW_HTTP", value);
                } else {
                    host(&machine, place, url, &format!("allow_http: {value}"));
                }
            }
            let (code, errors) = machine.start(&[]);
            assert_eq!(code, Some(expected), "{strong} {allowed} before {weak}: {errors}");
        }
    }
}

#[test]
fn what_is_written_is_the_flags_then_the_variables_then_the_users_then_the_systems() {
    let places = ["flag", "variable", "user", "system"];
    for (index, strong) in places.iter().enumerate() {
        for weak in &places[index + 1..] {
            for (level, other, written) in [("info", "error", true), ("error", "debug", false)] {
                let demo = demo();
                let mut machine = Machine::at(&demo);
                let mut flags = Vec::new();
                for (place, level) in [(strong, level), (weak, other)] {
                    match *place {
                        "flag" => flags = vec!["--log-level", level],
                        "variable" => machine.set("BB_LOG_LEVEL", level),
                        "user" => drop(machine.user(format!("log_level: {level}\n"))),
                        _ => drop(machine.system(format!("log_level: {level}\n"))),
                    }
                }
                let mut server = machine.serve(&flags);
                server.data("list_branches", json!({"project": "PAY", "repo": "ledger"}));
                let (_, _, errors) = server.finish();
                let line = errors.contains("GET /rest/api/latest/projects/{project}");
                assert_eq!(line, written, "{strong} {level} before {weak}: {errors}");
            }
        }
    }
}

#[test]
fn the_doctor_says_where_each_setting_was_given() {
    let demo = demo();
    let mut machine = Machine::at(&demo);
    machine.system("request_timeout: 9\npolicy: { allow_insecure: false }\n");
    machine.user("log_level: error\nrequest_timeout: 8\n");
    machine.set("BB_REQUEST_TIMEOUT", "7");
    let (_, text, _) = machine.run(&["ai", "mcp", "doctor", "--json", "--log-level", "info"]);
    assert!(!text.contains(bb_demo::TOKEN), "{text}");
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let settings = found["settings"].as_array().expect("settings");
    let source = |name: &str| {
        let line = settings.iter().find(|line| line["setting"] == name).expect("a setting");
        (line["value"].as_str().unwrap_or(""), line["source"].as_str().unwrap_or(""))
    };
    assert_eq!(source("url"), (demo.url().as_str(), "BITBUCKET_URL"));
    assert_eq!(source("credential"), ("token (set)", "BITBUCKET_TOKEN"));
    assert_eq!(source("request_timeout"), ("7", "BB_REQUEST_TIMEOUT"));
    assert_eq!(source("log_level"), ("info", "--log-level"));
    assert_eq!(source("proxy"), ("none", "default"));
    assert!(source("policy.allow_insecure").1.ends_with("system.yaml:2"));
}
