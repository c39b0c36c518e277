//! The configured hosts, and which of them is meant.
//!
//! It does not know how a host is reached.

use super::file::{HostKeys, SecretFrom, UserFile};
use super::shown;
use super::sourced::{Place, Source, Sourced};
use crate::cli::Failure;
use bb_client::BaseUrl;
use bb_contract::arguments::nearest;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A way in, as it is configured.
#[derive(Debug, Clone)]
pub(super) enum WayIn {
    /// By an HTTP access token.
    Token(Sourced<SecretFrom>),
    /// By a user's name and password.
    Basic {
        /// The user.
        user: Sourced<String>,
        /// The password.
        password: Sourced<SecretFrom>,
    },
}

/// A host's settings, of both files.
#[derive(Debug, Default)]
pub(super) struct Host {
    pub(super) way_in: Option<WayIn>,
    pub(super) ca_file: Option<Sourced<PathBuf>>,
    /// Certificate and key, which go together.
    pub(super) identity: Option<(Sourced<PathBuf>, Sourced<PathBuf>)>,
    pub(super) proxy: Option<Sourced<String>>,
    pub(super) headers: BTreeMap<String, Sourced<SecretFrom>>,
    pub(super) allow_http: Option<Sourced<bool>>,
}

/// The hosts of both files.
#[derive(Debug, Default)]
pub(super) struct Hosts(BTreeMap<String, (Sourced<String>, BaseUrl, Host)>);

/// The Bitbucket that is meant.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Its name, when it is a configured one, and what has chosen it.
    pub(super) name: Option<Sourced<String>>,
    /// Its URL, as it was given.
    pub(super) url: Sourced<String>,
    /// What is configured for it.
    pub(super) host: Host,
    /// How many hosts are configured.
    pub(super) among: usize,
}

impl Hosts {
    /// Puts the hosts of both files together, the user's before the system's, key by key.
    ///
    /// # Errors
    /// A line for each host without a URL.
    pub(super) fn of(user: UserFile, system: UserFile) -> Result<Self, Vec<String>> {
        let mut system = system.hosts.unwrap_or_default();
        let mut both = BTreeMap::new();
        for (name, host) in user.hosts.unwrap_or_default() {
            let other = system.remove(&name).filter(|other| same_server(&host, other));
            both.insert(name, together(host, other.unwrap_or_default()));
        }
        both.extend(system);
        let mut faults = Vec::new();
        let mut hosts = BTreeMap::new();
        for (name, keys) in both {
            match keys.url.as_ref().and_then(|url| Some((url.clone(), base(url)?))) {
                Some((url, base)) => {
                    hosts.insert(name, (url, base, host(keys)));
                }
                None => faults.push(without_url(&name, keys.place.as_ref())),
            }
        }
        if faults.is_empty() { Ok(Self(hosts)) } else { Err(faults) }
    }

    /// The Bitbucket that `--host`, else `BITBUCKET_URL`, else the only configured host means.
    ///
    /// # Errors
    /// When none is meant, or more than one could be.
    pub(super) fn choose(
        self,
        flag: Option<&str>,
        variable: Option<Sourced<String>>,
    ) -> Result<Chosen, Failure> {
        let among = self.0.len();
        let chosen = match (flag, variable) {
            (Some(text), _) => self.named(text),
            (None, Some(url)) => self.at(url),
            (None, None) => self.only(),
        };
        chosen.map(|chosen| Chosen { among, ..chosen })
    }

    /// The host that `--host` means, by its name or by a URL.
    fn named(mut self, text: &str) -> Result<Chosen, Failure> {
        let source = Source::Flag("--host");
        let name = text.trim();
        if let Some((name, (url, _, host))) = self.0.remove_entry(name) {
            return Ok(Chosen { name: Some(Sourced { value: name, source }), url, host, among: 0 });
        }
        if !name.contains(':') && !self.0.is_empty() {
            return Err(self.unknown(name));
        }
        self.at(Sourced { value: text.to_owned(), source })
    }

    /// The host at a URL, with what is configured for it.
    fn at(mut self, url: Sourced<String>) -> Result<Chosen, Failure> {
        let wanted = base(&url);
        let same: Vec<String> = self
            .0
            .iter()
            .filter(|(_, (_, base, _))| Some(base) == wanted.as_ref())
            .map(|(name, _)| name.clone())
            .collect();
        if same.len() > 1 {
            return Err(Failure::usage(format!(
                "{} means several configured hosts ({}); give --host with one of their names",
                url.source,
                same.join(", ")
            )));
        }
        let found = same.first().and_then(|name| self.0.remove_entry(name));
        Ok(match found {
            Some((name, (_, _, host))) => Chosen {
                name: Some(Sourced { value: name, source: url.source.clone() }),
                url,
                host,
                among: 0,
            },
            // Also what is no URL: it is told when the URL is read for good.
            None => Chosen { name: None, url, host: Host::default(), among: 0 },
        })
    }

    fn only(mut self) -> Result<Chosen, Failure> {
        let names = self.names();
        match self.0.pop_first() {
            None => Err(Failure::usage(
                "no Bitbucket is named: set BITBUCKET_URL or give --host URL, or configure a host \
                 in a file; --demo serves a made-up one",
            )),
            Some((name, (url, _, host))) if self.0.is_empty() => {
                let name = Sourced { value: name, source: url.source.clone() };
                Ok(Chosen { name: Some(name), url, host, among: 0 })
            }
            Some(_) => Err(Failure::usage(format!(
                "several hosts are configured ({names}) and none is chosen; give --host NAME, or \
                 set BITBUCKET_URL"
            ))),
        }
    }

    fn names(&self) -> String {
        self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    fn unknown(&self, name: &str) -> Failure {
        // What is no name may hold a password.
        let called =
            if name.contains('@') { "so".to_owned() } else { format!("`{}`", shown(name)) };
        let near = nearest(name, self.0.keys().map(String::as_str));
        let meant = near.map(|near| format!("is `{near}` meant? ")).unwrap_or_default();
        Failure::usage(format!(
            "--host: no configured host is called {called}; {meant}configured are {}; or give a URL",
            self.names()
        ))
    }
}

/// Whether two entries of one name are about one server. Settings of another server, and its
/// credential before all, are not this one's.
fn same_server(one: &HostKeys, other: &HostKeys) -> bool {
    match (&one.url, &other.url) {
        (Some(one), Some(other)) => base(one) == base(other),
        _ => true,
    }
}

fn base(url: &Sourced<String>) -> Option<BaseUrl> {
    BaseUrl::parse(&url.value, true).ok()
}

/// The first where it has something, else the second. What goes together comes from one of them.
fn together(first: HostKeys, second: HostKeys) -> HostKeys {
    let has_way_in =
        first.token_file.is_some() || first.token_env.is_some() || first.username.is_some();
    let way_in = if has_way_in { &first } else { &second };
    let identity = if first.client_cert.is_some() { &first } else { &second };
    let mut headers = second.headers.clone().unwrap_or_default();
    for (name, value) in first.headers.clone().unwrap_or_default() {
        headers.retain(|other, _| !other.eq_ignore_ascii_case(&name));
        headers.insert(name, value);
    }
    HostKeys {
        token_file: way_in.token_file.clone(),
        token_env: way_in.token_env.clone(),
        username: way_in.username.clone(),
        password_file: way_in.password_file.clone(),
        password_env: way_in.password_env.clone(),
        client_cert: identity.client_cert.clone(),
        client_key: identity.client_key.clone(),
        headers: Some(headers),
        place: first.place,
        url: first.url.or(second.url),
        ca_file: first.ca_file.or(second.ca_file),
        proxy: first.proxy.or(second.proxy),
        allow_http: first.allow_http.or(second.allow_http),
    }
}

fn host(keys: HostKeys) -> Host {
    let file = |path: Sourced<PathBuf>| path.map(|file| SecretFrom::File { file });
    let variable = |name: Sourced<String>| name.map(|env| SecretFrom::Variable { env });
    let token = keys.token_file.map(file).or_else(|| keys.token_env.map(variable));
    let password = keys.password_file.map(file).or_else(|| keys.password_env.map(variable));
    let basic = keys.username.zip(password);
    Host {
        way_in: token
            .map(WayIn::Token)
            .or_else(|| basic.map(|(user, password)| WayIn::Basic { user, password })),
        ca_file: keys.ca_file,
        identity: keys.client_cert.zip(keys.client_key),
        proxy: keys.proxy,
        headers: keys.headers.unwrap_or_default(),
        allow_http: keys.allow_http,
    }
}

fn without_url(name: &str, place: Option<&Place>) -> String {
    let at = place.map(|place| format!("{place}: ")).unwrap_or_default();
    format!("{at}`{name}` has no `url`; give it")
}
