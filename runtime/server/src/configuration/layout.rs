//! From a file's text to what it holds: shapes first, then what can be said of each value alone.
//!
//! It does not know which value wins, and opens no file but through what it is given.

use super::file::{
    HOST_NAME, HostKeys, LogLevel, PolicyKeys, REQUEST_TIMEOUT, SecretFrom, SystemFile, UserFile,
};
use super::members::{Faults, Members};
use super::policy::HostPattern;
use super::sourced::Sourced;
use super::yaml::{self, Located, Node};
use super::{headers, shown};
use bb_client::{BaseUrl, Proxy};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    User,
    System,
}

/// What paths in a file are relative to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Folders<'a> {
    /// For paths that begin with `~/`.
    pub(super) home: Option<&'a Path>,
    /// For other relative paths: the folder of the file.
    pub(super) file: &'a Path,
}

impl Folders<'_> {
    /// The path a text means.
    pub(super) fn path(self, text: &str) -> Result<PathBuf, String> {
        match text.strip_prefix("~/").or_else(|| text.strip_prefix("~\\")) {
            Some(rest) => self
                .home
                .map(|home| home.join(rest))
                .ok_or_else(|| "there is no home folder for `~`; give the whole path".to_owned()),
            None if text.starts_with('~') => {
                Err("`~` stands for your home folder alone, as `~/`; give the whole path"
                    .to_owned())
            }
            None => Ok(self.file.join(text)),
        }
    }
}

/// Reads a file's text. What it returns is whole only when no fault was found.
pub(super) fn read(text: &str, owner: Owner, folders: Folders<'_>, faults: &Faults) -> SystemFile {
    let tree = match yaml::parse(text) {
        Ok(tree) => tree,
        Err(fault) => {
            faults.push(fault.at, fault.value);
            return SystemFile::default();
        }
    };
    let reader = Reader { folders, faults };
    reader.file(&tree, owner).unwrap_or_default()
}

struct Reader<'a> {
    folders: Folders<'a>,
    faults: &'a Faults,
}

impl Reader<'_> {
    fn file(&self, tree: &Located<Node>, owner: Owner) -> Option<SystemFile> {
        let members = Members::of("a configuration file", tree, self.faults)?;
        let file = SystemFile {
            keys: UserFile {
                hosts: members.node("hosts").and_then(|node| self.hosts(node)),
                request_timeout: members.whole("request_timeout", REQUEST_TIMEOUT),
                log_level: members
                    .text("log_level")
                    .and_then(|text| self.checked(text, |text| LogLevel::parse(&text))),
            },
            policy: match owner {
                Owner::System => members.node("policy").and_then(|node| self.policy(node)),
                Owner::User => {
                    self.no_policy(&members);
                    None
                }
            },
        };
        members.close();
        Some(file)
    }

    fn no_policy(&self, members: &Members<'_>) {
        if let Some((key, _)) = members.all().iter().find(|(key, _)| key.value == "policy") {
            // Asked for, so that it is not reported a second time.
            let _ = members.node("policy");
            self.faults.push(
                key.at,
                "a policy stands in the system's file alone, because who could write one here \
                 could take it out again; take the key out",
            );
        }
    }

    fn hosts(&self, node: &Located<Node>) -> Option<BTreeMap<String, HostKeys>> {
        let members = Members::of("`hosts`", node, self.faults)?;
        let mut hosts = BTreeMap::new();
        for (name, node) in members.all() {
            if !is_host_name(&name.value) {
                self.faults.push(
                    name.at,
                    format!(
                        "`{}` cannot be a host's name; use {HOST_NAME}: lower case letters, digits, dots, dashes",
                        shown(&name.value)
                    ),
                );
            }
            if let Some(host) = self.host(&name.value, name, node) {
                hosts.insert(name.value.clone(), host);
            }
        }
        Some(hosts)
    }

    fn host(&self, name: &str, key: &Located<String>, node: &Located<Node>) -> Option<HostKeys> {
        let what = format!("`{}`", shown(name));
        let members = Members::of(&what, node, self.faults)?;
        let host = HostKeys {
            place: Some(self.faults.place(key.at)),
            url: members.text("url").and_then(|text| {
                // Whether plain http will do is known when the host is chosen.
                self.checked(text, |text| BaseUrl::parse(&text, true).map(|_| text))
            }),
            token_file: self.path(members.text("token_file")),
            token_env: self.variable(members.text("token_env")),
            username: members.text("username"),
            password_file: self.path(members.text("password_file")),
            password_env: self.variable(members.text("password_env")),
            ca_file: self.path(members.text("ca_file")),
            client_cert: self.path(members.text("client_cert")),
            client_key: self.path(members.text("client_key")),
            proxy: members.text("proxy").and_then(|text| self.checked(text, proxy)),
            headers: members.node("headers").and_then(|node| self.headers(node)),
            allow_http: members.flag("allow_http"),
        };
        self.fits_together(key, &members);
        members.close();
        Some(host)
    }

    /// Keys of one host that exclude or need each other, whatever their values are.
    fn fits_together(&self, key: &Located<String>, members: &Members<'_>) {
        let fault = |text: &str| {
            self.faults.push(key.at, format!("`{}` has {text}", shown(&key.value)));
        };
        let has = |name| members.has(name);
        if has("token_file") && has("token_env") {
            fault("`token_file` and `token_env`; keep one of them");
        }
        if has("password_file") && has("password_env") {
            fault("`password_file` and `password_env`; keep one of them");
        }
        let token = has("token_file") || has("token_env");
        let password = has("password_file") || has("password_env");
        if token && (has("username") || password) {
            fault("a token and a user's name or password; keep one of the two ways in");
        } else if has("username") && !password {
            fault("`username` without a password; add `password_file` or `password_env`");
        } else if password && !has("username") {
            fault("a password without `username`; add it");
        }
        if has("client_cert") != has("client_key") {
            fault("one of `client_cert` and `client_key`; give both or neither");
        }
    }

    fn headers(&self, node: &Located<Node>) -> Option<BTreeMap<String, Sourced<SecretFrom>>> {
        let members = Members::of("`headers`", node, self.faults)?;
        let mut found: BTreeMap<String, Sourced<SecretFrom>> = BTreeMap::new();
        for (name, node) in members.all() {
            if let Err(text) = headers::check_name(&name.value) {
                self.faults.push(name.at, text);
            }
            if found.keys().any(|other| other.eq_ignore_ascii_case(&name.value)) {
                let text =
                    format!("`{}` is given twice, in other letters; keep one", shown(&name.value));
                self.faults.push(name.at, text);
            }
            if let Some(value) = self.header(&name.value, node) {
                found.insert(name.value.clone(), value);
            }
        }
        Some(found)
    }

    fn header(&self, name: &str, node: &Located<Node>) -> Option<Sourced<SecretFrom>> {
        let what = shown(name);
        let Node::Map(_) = node.value else {
            let text = self.faults.text(&what, node)?;
            return self.checked(text, |text| {
                headers::check_value(&text).map(|()| SecretFrom::Text(text))
            });
        };
        let called = format!("`{what}`");
        let members = Members::of(&called, node, self.faults)?;
        let variable = self.variable(members.text("env"));
        let file = self.path(members.text("file"));
        let given = members.all().len();
        members.close();
        match (variable, file) {
            (Some(name), None) => Some(name.map(|env| SecretFrom::Variable { env })),
            (None, Some(path)) => Some(path.map(|file| SecretFrom::File { file })),
            (None, None) if given > 0 => None,
            _ => {
                self.faults
                    .push(node.at, format!("`{what}` needs one of `env` and `file`; give one"));
                None
            }
        }
    }

    fn policy(&self, node: &Located<Node>) -> Option<PolicyKeys> {
        let members = Members::of("`policy`", node, self.faults)?;
        let policy = PolicyKeys {
            allowed_hosts: members.texts("allowed_hosts"),
            read_only: members.flag("read_only"),
            disable_mcp_server: members.flag("disable_mcp_server"),
            mcp_audit_file: members.text("mcp_audit_file").and_then(|text| {
                self.checked(text, |text| {
                    let path = PathBuf::from(text);
                    // `~` and the working folder are the user's to choose.
                    if path.is_absolute() {
                        Ok(path)
                    } else {
                        Err("a policy's path has to be absolute; give the whole path".to_owned())
                    }
                })
            }),
            allow_insecure: members.flag("allow_insecure"),
        };
        for pattern in policy.allowed_hosts.iter().flat_map(|list| &list.value) {
            if let Err(text) = HostPattern::parse(&pattern.value) {
                self.faults.push_at(pattern, text);
            }
        }
        members.close();
        Some(policy)
    }

    fn checked<T, U>(
        &self,
        given: Sourced<T>,
        check: impl FnOnce(T) -> Result<U, String>,
    ) -> Option<Sourced<U>> {
        let source = given.source.clone();
        match check(given.value) {
            Ok(value) => Some(Sourced { value, source }),
            Err(text) => {
                self.faults.push_at(&Sourced { value: (), source }, text);
                None
            }
        }
    }

    fn path(&self, given: Option<Sourced<String>>) -> Option<Sourced<PathBuf>> {
        self.checked(given?, |text| self.folders.path(&text))
    }

    fn variable(&self, given: Option<Sourced<String>>) -> Option<Sourced<String>> {
        self.checked(given?, |name| {
            // The name is not repeated: who mistakes the key gives the secret itself.
            if is_variable(&name) {
                Ok(name)
            } else {
                Err("this is no variable's name; give the name alone, such as WORK_TOKEN"
                    .to_owned())
            }
        })
    }
}

fn proxy(text: String) -> Result<String, String> {
    if text.trim() == "none" {
        return Ok(text);
    }
    let proxy = Proxy::parse(&text)?;
    if proxy.has_credentials() {
        return Err("the proxy's URL holds a user or a password; give such a URL in HTTPS_PROXY, and none here".to_owned());
    }
    Ok(text)
}

fn is_host_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.bytes().next().is_some_and(plain)
        && name.bytes().all(|byte| plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

fn is_variable(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
