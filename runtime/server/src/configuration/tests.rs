//! Which value wins, for every setting and every set of places it is given in; and that no fault
//! holds a secret.

use super::{Configuration, LogLevel};
use crate::cli::{ConnectionFlags, Failure};
use crate::environment::Environment;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with both files in it, and an environment that names them.
struct Setup {
    folder: PathBuf,
    variables: Vec<(String, OsString)>,
    flags: ConnectionFlags,
}

impl Setup {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("bb-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let flags =
            ConnectionFlags { host: None, project: None, repo: None, demo: false, log_level: None };
        let mut setup = Self { folder, variables: Vec::new(), flags };
        let system = setup.folder.join("system.yaml").into_os_string();
        setup.variables.push(("BB_TEST_SYSTEM_CONFIG".to_owned(), system));
        setup.set("XDG_CONFIG_HOME", setup.folder.display().to_string());
        setup
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a folder");
        std::fs::write(&path, text).expect("written");
        path
    }

    fn user(&self, text: &str) {
        self.write("bb/config.yaml", text);
    }

    fn system(&self, text: &str) {
        self.write("system.yaml", text);
    }

    fn read(&self) -> Result<Configuration, Failure> {
        let variables = self.variables.iter().map(|(name, value)| (name.into(), value.clone()));
        Configuration::read(&self.flags, &Environment::of(variables), false)
    }

    /// A setting's value and source.
    fn line(&self, setting: &str) -> (String, String) {
        let configuration = self.read().unwrap_or_else(|failure| panic!("{}", failure.message));
        let line = configuration.report().into_iter().find(|line| line.setting == setting);
        line.map(|line| (line.shown, line.source)).unwrap_or_default()
    }
}

impl Drop for Setup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const URL: &str = "https://git.example.com";

/// Each place a setting can be given in, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Flag,
    Variable,
    User,
    System,
}
use Layer::{Flag, System, User, Variable};

/// What gives a setting in one place.
enum Gives {
    Flag(fn(&mut ConnectionFlags)),
    Variables(&'static [(&'static str, &'static str)]),
    /// Lines of a host in a file.
    Host(&'static str),
    /// Lines of a file.
    File(&'static str),
}

type Case = (&'static str, &'static [(Layer, Gives)], Option<&'static str>);

/// Every setting that more than one place can give, with what it is when none does.
const CASES: &[Case] = &[
    (
        "log_level",
        &[
            (Flag, Gives::Flag(|flags| flags.log_level = Some(LogLevel::Debug))),
            (Variable, Gives::Variables(&[("BB_LOG_LEVEL", "info")])),
            (User, Gives::File("log_level: error")),
            (System, Gives::File("log_level: info")),
        ],
        Some("warn"),
    ),
    (
        "request_timeout",
        &[
            (Variable, Gives::Variables(&[("BB_REQUEST_TIMEOUT", "7")])),
            (User, Gives::File("request_timeout: 8")),
            (System, Gives::File("request_timeout: 9")),
        ],
        Some("60"),
    ),
    (
        "url",
        &[
            (Flag, Gives::Flag(|flags| flags.host = Some(format!("{URL}/flag")))),
            (Variable, Gives::Variables(&[("BITBUCKET_URL", "https://git.example.com/variable")])),
            (User, Gives::Host("url: https://git.example.com")),
            (System, Gives::Host("url: https://git.example.com")),
        ],
        None,
    ),
    (
        "credential",
        &[
            (Variable, Gives::Variables(&[("BITBUCKET_TOKEN", "abc")])),
            (User, Gives::Host("token_file: secret")),
            (System, Gives::Host("username: ada\n    password_file: secret")),
        ],
        None,
    ),
    (
        "ca_file",
        &[
            (Variable, Gives::Variables(&[("BB_CA_FILE", "FOLDER/variable.pem")])),
            (User, Gives::Host("ca_file: user.pem")),
            (System, Gives::Host("ca_file: system.pem")),
        ],
        Some(""),
    ),
    (
        "client_key",
        &[
            (
                Variable,
                Gives::Variables(&[
                    ("BB_CLIENT_CERT", "FOLDER/variable.pem"),
                    ("BB_CLIENT_KEY", "FOLDER/variable.pem"),
                ]),
            ),
            (User, Gives::Host("client_cert: user.pem\n    client_key: user.pem")),
            (System, Gives::Host("client_cert: system.pem\n    client_key: system.pem")),
        ],
        Some(""),
    ),
    (
        "allow_http",
        &[
            (Variable, Gives::Variables(&[("BB_ALLOW_HTTP", "yes")])),
            (User, Gives::Host("allow_http: false")),
            (System, Gives::Host("allow_http: true")),
        ],
        Some("false"),
    ),
    (
        "proxy",
        &[
            (User, Gives::Host("proxy: http://user.example")),
            (System, Gives::Host("proxy: http://system.example")),
            // The one setting whose variables come last: they speak of every host alike.
            (Variable, Gives::Variables(&[("HTTPS_PROXY", "http://variable.example")])),
        ],
        Some("none"),
    ),
    (
        "header",
        &[(User, Gives::Host("headers: { x-a: u }")), (System, Gives::Host("headers: { X-A: s }"))],
        Some(""),
    ),
];

/// A set-up in which these places give the setting, and others what they need to be whole.
fn given(setting: &str, layers: &[(Layer, &Gives)]) -> Setup {
    let mut setup = Setup::new();
    setup.write("secret", "hunter\n");
    for name in ["user.pem", "system.pem", "variable.pem", "bb/user.pem", "bb/secret"] {
        setup.write(name, "hunter");
    }
    let (mut hosts, mut files) = ([Vec::new(), Vec::new()], [String::new(), String::new()]);
    if setting != "url" {
        hosts[0].push("url: https://git.example.com");
    }
    if setting != "credential" {
        setup.set("BITBUCKET_TOKEN", "abc");
    }
    for (layer, gives) in layers {
        let index = usize::from(*layer == System);
        match gives {
            Gives::Flag(set) => set(&mut setup.flags),
            Gives::Variables(variables) => {
                for (name, value) in *variables {
                    let value = value.replace("FOLDER", &setup.folder.display().to_string());
                    setup.set(name, value);
                }
            }
            Gives::Host(lines) => hosts[index].push(*lines),
            Gives::File(lines) => files[index] = format!("{lines}\n"),
        }
    }
    for (index, (lines, mut text)) in hosts.iter().zip(files).enumerate() {
        if !lines.is_empty() {
            text.push_str(&format!("hosts:\n  work:\n    {}\n", lines.join("\n    ")));
        }
        if index == 0 { setup.user(&text) } else { setup.system(&text) }
    }
    setup
}

#[test]
fn of_every_set_of_places_the_strongest_wins() {
    let mut combinations = 0;
    for (setting, layers, default) in CASES {
        for set in 0..1_u32 << layers.len() {
            let chosen: Vec<(Layer, &Gives)> = layers
                .iter()
                .enumerate()
                .filter(|(index, _)| set & (1 << index) != 0)
                .map(|(_, (layer, gives))| (*layer, gives))
                .collect();
            let setup = given(setting, &chosen);
            let Some((strongest, gives)) = chosen.first() else {
                match default {
                    Some(default) => assert_eq!(setup.line(setting).0, *default, "{setting}"),
                    None => assert_eq!(setup.read().map_err(|failure| failure.code).err(), Some(2)),
                }
                continue;
            };
            let (_, source) = setup.line(setting);
            let expected = match (strongest, gives) {
                (Flag, _) if *setting == "url" => "--host".to_owned(),
                (Flag, _) => "--log-level".to_owned(),
                (_, Gives::Variables(variables)) => {
                    variables.last().map(|(name, _)| (*name).to_owned()).unwrap_or_default()
                }
                (User, _) => "bb/config.yaml:".to_owned(),
                _ => "system.yaml:".to_owned(),
            };
            let places: Vec<Layer> = chosen.iter().map(|(layer, _)| *layer).collect();
            assert!(source.contains(&expected), "{setting} {places:?}: {source}");
            combinations += 1;
        }
    }
    assert!(combinations > 70, "{combinations}");
}

#[test]
fn the_report_says_what_counts_and_shows_no_secret() {
    let mut setup = Setup::new();
    setup.write("bb/token", "s3cret\n");
    setup.set("GATEWAY", "s3cret");
    setup.set("HTTPS_PROXY", "http://ada:s3cret@proxy.example:3128");
    setup.user(
        "hosts:\n  work:\n    url: https://git.example.com/stash/\n    token_file: token\n    \
         headers: { X-A: { env: GATEWAY } }\n",
    );
    setup.system("policy: { allowed_hosts: ['*.example.com'], allow_insecure: false }\n");
    let configuration = setup.read().unwrap_or_else(|failure| panic!("{}", failure.message));
    let lines: Vec<String> = configuration
        .report()
        .into_iter()
        .map(|line| format!("{} = {} from {}", line.setting, line.shown, line.source))
        .collect();
    let folder = setup.folder.display();
    let expected = [
        format!("system file = {folder}/system.yaml from default"),
        format!("user file = {folder}/bb/config.yaml from default"),
        format!("host = work from {folder}/bb/config.yaml:3"),
        format!("url = https://git.example.com/stash from {folder}/bb/config.yaml:3"),
        "allow_http = false from default".to_owned(),
        format!("credential = token (set) from {folder}/bb/config.yaml:4"),
        "certificates verified = yes from default".to_owned(),
        "proxy = http://proxy.example:3128 from HTTPS_PROXY".to_owned(),
        format!("header = X-A (set) from {folder}/bb/config.yaml:5"),
        "request_timeout = 60 from default".to_owned(),
        "log_level = warn from default".to_owned(),
        format!("policy.allowed_hosts = *.example.com from {folder}/system.yaml:1"),
        format!("policy.allow_insecure = false from {folder}/system.yaml:1"),
    ];
    assert_eq!(lines, expected);
    assert!(!format!("{configuration:?}").contains("s3cret"));
}

#[test]
fn nothing_of_another_server_is_taken_into_a_host_of_the_same_name() {
    let mut setup = Setup::new();
    setup.write("secret", "hunter");
    setup.system("hosts: { work: { url: https://git.example.com, token_file: secret } }\n");
    setup.user("hosts: { work: { url: https://evil.example } }\n");
    let failure = setup.read().expect_err("no credential");
    assert!(failure.message.contains("no token is set for https://evil.example"));
    // The same server may be written in two ways, or in one file alone.
    for user in ["url: https://GIT.example.com:443/", "ca_file: secret.pem"] {
        setup.write("bb/secret.pem", "x");
        setup.user(&format!("hosts: {{ work: {{ {user} }} }}\n"));
        assert!(setup.line("credential").1.contains("system.yaml:1"), "{user}");
    }
    // Nor is it by a URL that is another's.
    setup.set("BITBUCKET_URL", "https://git.example.com.evil.example");
    assert!(setup.read().is_err());
}

#[test]
fn proxies_come_from_the_hosts_key_then_from_the_variable_of_the_scheme() {
    let proxy = |host: &str, variables: &[(&str, &str)]| {
        let mut setup = Setup::new();
        setup.set("BITBUCKET_TOKEN", "abc");
        setup.user(&format!("hosts: {{ work: {{ {host} }} }}\n"));
        for (name, value) in variables {
            setup.set(name, *value);
        }
        setup.line("proxy")
    };
    let https = &format!("url: {URL}");
    let named = |name: &str, source: &str| (format!("http://{name}"), source.to_owned());
    let upper = ("HTTPS_PROXY", "http://upper");
    let lower = ("https_proxy", "lower:80");
    let all = ("ALL_PROXY", "http://all");
    let http = ("HTTP_PROXY", "http://plain");
    assert_eq!(proxy(https, &[lower, upper, all, http]), named("upper", "HTTPS_PROXY"));
    assert_eq!(proxy(https, &[lower, all, ("HTTPS_PROXY", " ")]), named("lower", "https_proxy"));
    assert_eq!(proxy(https, &[all, http]), named("all", "ALL_PROXY"));
    assert_eq!(proxy(https, &[http]).0, "none");
    let plain = "url: http://git.example.com, allow_http: true";
    assert_eq!(proxy(plain, &[upper, all, http]), named("plain", "HTTP_PROXY"));
    let bypassed = proxy(https, &[upper, ("NO_PROXY", "example.com")]);
    assert_eq!(bypassed, ("none".to_owned(), "NO_PROXY".to_owned()));
    assert_eq!(proxy(&format!("{https}, proxy: none"), &[upper]).0, "none");
    let own = format!("{https}, proxy: 'http://own'");
    assert_eq!(proxy(&own, &[("NO_PROXY", "*"), upper]).0, "http://own");
    for local in ["http://127.0.0.1:7990", "https://localhost", "http://[::1]:1"] {
        let host = format!("url: '{local}', proxy: 'http://own'");
        assert_eq!(proxy(&host, &[upper, http, all]).0, "none", "{local}");
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_text_is_refused_by_the_variables_name() {
    use std::os::unix::ffi::OsStringExt as _;
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
        "https_proxy",
        "ALL_PROXY",
        "NO_PROXY",
    ] {
        let mut setup = Setup::new();
        setup.set("BITBUCKET_URL", URL);
        setup.set("BITBUCKET_TOKEN", "abc");
        if name == "NO_PROXY" {
            setup.set("HTTPS_PROXY", "proxy:1");
        }
        setup.set(name, OsString::from_vec(b"s3cret\xff".to_vec()));
        let failure = setup.read().expect_err(name);
        assert!(
            failure.message.starts_with(&format!("{name} is not UTF-8")),
            "{}",
            failure.message
        );
        assert!(failure.code == 2 && !failure.message.contains("s3cret"), "{}", failure.message);
    }
}
