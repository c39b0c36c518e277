//! The way to Bitbucket, tried step by step, for a person who wants to know where it ends.

use crate::identity::{self, PROPERTIES, READ};
use crate::network::Failure;
use crate::send::place;
use crate::{Connection, Fault, Network};
use bb_contract::text::visible;
use bb_contract::{OperationFacts, Reach};
use reqwest::header::{DATE, HeaderMap};
use serde_json::Value;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

/// One repository of a project, to see whether there is one.
static REPOSITORIES: OperationFacts = OperationFacts {
    id: "doctor_repositories",
    template: "/rest/api/latest/repos",
    reach: Reach::Filter { project: "projectkey", repo: None },
    ..READ
};
/// The repository of a scope.
static REPOSITORY: OperationFacts = OperationFacts {
    id: "doctor_repository",
    template: "/rest/api/latest/projects/{project}/repos/{repo}",
    reach: Reach::Repository,
    ..READ
};

/// What is asked beside [`crate::OWN_OPERATIONS`].
pub static DOCTOR_OPERATIONS: &[&OperationFacts] = &[&REPOSITORIES, &REPOSITORY];

/// A clock that differs by more than this is told; certificates and tokens end by the clock.
const SKEW: Duration = Duration::from_secs(300);

const NOT_TRIED: &str = "not tried";
const ADDRESS: &str = "check BITBUCKET_URL (url), its context path, and whether a sign-on page or a gateway stands before Bitbucket";

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Passed,
    /// Well enough to go on.
    Doubtful,
    /// Not well.
    Failed,
    /// It was not tried.
    Skipped,
}

/// One step of the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// How it ended.
    pub ended: Ended,
    /// What was found.
    pub found: String,
    /// What to do, where there is something to do.
    pub remedy: Option<String>,
    /// Whether it is the credential that failed.
    pub is_authentication: bool,
}

impl Step {
    fn new(name: &'static str, ended: Ended, found: impl Into<String>) -> Self {
        Self { name, ended, found: found.into(), remedy: None, is_authentication: false }
    }

    fn of(name: &'static str, fault: &Fault) -> Self {
        let step = Self::new(name, Ended::Failed, fault.to_string());
        Self { remedy: fault.remedy().map(str::to_owned), ..step }
    }

    fn with(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// Tries the way to Bitbucket up to the scope's project or repository, and adds each step as it ends.
/// `now` is this machine's clock.
pub async fn probe(
    connection: &Connection,
    scope: Option<(&str, Option<&str>)>,
    now: SystemTime,
    steps: &mut Vec<Step>,
) {
    if !reach(connection, steps).await {
        let rest = ["proxy", "TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"];
        return skipped(steps, &rest);
    }
    let (response, value) = match identity::get(connection, &PROPERTIES, &[], &[]).await {
        Ok(answer) => answer,
        Err(Fault::Network(network)) => return failed(connection, steps, &network),
        Err(fault) => {
            passed(connection, steps);
            steps.push(Step::of("HTTP", &fault));
            return skipped(steps, &["Bitbucket", "credential", "scope", "clock"]);
        }
    };
    passed(connection, steps);
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    steps.push(Step::new("HTTP", Ended::Passed, format!("status {status}")));
    let body = response.bytes().await.unwrap_or_default();
    let product = product(connection, status, &headers, &body, value.as_ref());
    let is_there = product.ended == Ended::Passed;
    steps.push(product);
    if is_there {
        let credential = credential(connection, status).await;
        let known = credential.ended == Ended::Passed;
        steps.push(credential);
        steps.push(match scope {
            None => Step::new("scope", Ended::Skipped, "none is set"),
            Some(_) if !known => Step::new("scope", Ended::Skipped, NOT_TRIED),
            Some((project, repo)) => confined(connection, project, repo).await,
        });
    } else {
        skipped(steps, &["credential", "scope"]);
    }
    steps.push(clock(&headers, now));
}

/// What a probe that was given up leaves out: the rest of its steps, the first of them as failed.
pub fn given_up(steps: &mut Vec<Step>, after: Duration) {
    let all = ["DNS", "TCP", "proxy", "TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"];
    let mut failed = false;
    for name in all {
        if steps.iter().any(|step| step.name == name) {
            continue;
        }
        // What has come this far waits for an answer; how it is reached is not known by then.
        if failed || matches!(name, "proxy" | "TLS") {
            skipped(steps, &[name]);
            continue;
        }
        failed = true;
        let found = format!("no answer within {} s", after.as_secs());
        steps.push(Step::new(name, Ended::Failed, found).with(
            "look whether Bitbucket is up; BB_REQUEST_TIMEOUT (request_timeout) sets how long is waited",
        ));
    }
}

fn skipped(steps: &mut Vec<Step>, names: &[&'static str]) {
    steps.extend(names.iter().map(|name| Step::new(name, Ended::Skipped, NOT_TRIED)));
}

/// The name and the port of what is reached first: the proxy, else Bitbucket. Whether it is there.
async fn reach(connection: &Connection, steps: &mut Vec<Step>) -> bool {
    let (what, setting) = if connection.proxy_host().is_some() {
        ("the proxy ", "check HTTPS_PROXY (proxy)")
    } else {
        ("", "check BITBUCKET_URL (url), and whether a proxy is needed: HTTPS_PROXY (proxy)")
    };
    let (host, port) = connection.first_address().unwrap_or_default();
    let limit = connection.limits().connect;
    let late = || format!("no answer in {} s", limit.as_secs());
    let found: Vec<_> = match timeout(limit, lookup_host((host.as_str(), port))).await {
        Ok(Ok(found)) => found.collect(),
        other => {
            let why = match other {
                Ok(Err(error)) => visible(&error.to_string()),
                _ => late(),
            };
            steps.push(
                Step::new("DNS", Ended::Failed, format!("{what}{host}: {why}")).with(setting),
            );
            skipped(steps, &["TCP"]);
            return false;
        }
    };
    let addresses: Vec<String> =
        found.iter().take(4).map(|address| address.ip().to_string()).collect();
    let text = format!("{what}{host} is {}", addresses.join(", "));
    steps.push(Step::new("DNS", Ended::Passed, text));
    let mut last = "no address".to_owned();
    for address in found {
        match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(_)) => {
                let text = format!("{what}{host} port {port} is open");
                steps.push(Step::new("TCP", Ended::Passed, text));
                return true;
            }
            Ok(Err(error)) => last = visible(&error.to_string()),
            Err(_) => last = late(),
        }
    }
    let text = format!("{what}{host} port {port}: {last}");
    steps.push(Step::new("TCP", Ended::Failed, text).with(setting));
    false
}

/// What has to have gone well for anything to answer.
fn passed(connection: &Connection, steps: &mut Vec<Step>) {
    steps.push(through(connection));
    steps.push(encrypted(connection));
}

fn through(connection: &Connection) -> Step {
    match connection.proxy_host() {
        Some(proxy) => Step::new("proxy", Ended::Passed, format!("{proxy} lets through")),
        None => Step::new("proxy", Ended::Skipped, "none is used"),
    }
}

fn encrypted(connection: &Connection) -> Step {
    if !connection.is_encrypted() {
        return Step::new("TLS", Ended::Skipped, "the address is not encrypted");
    }
    let Some(chain) = connection.chain() else {
        return Step::new("TLS", Ended::Skipped, "no certificate was shown");
    };
    let text = format!("“{}”, issued by “{}”, until {}", chain.subject, chain.issuer, chain.until);
    if connection.verifies() {
        Step::new("TLS", Ended::Passed, text)
    } else {
        Step::new("TLS", Ended::Doubtful, format!("{text}; not verified"))
            .with("unset BB_INSECURE_SKIP_VERIFY, and set BB_CA_FILE (ca_file) if that is needed")
    }
}

/// Puts a failure of the network where on the way it was.
fn failed(connection: &Connection, steps: &mut Vec<Step>, network: &Network) {
    let step = |name| Step {
        remedy: network.remedy.map(str::to_owned),
        ..Step::new(name, Ended::Failed, &*network.found)
    };
    let unreached =
        matches!(network.failure, Failure::Name | Failure::Connect | Failure::ConnectTimeout);
    let rest: &[&'static str] = match network.failure {
        Failure::ProxyCredentials | Failure::Proxy => {
            steps.push(step("proxy"));
            &["TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        _ if unreached && connection.proxy_host().is_some() => {
            steps.push(step("proxy"));
            &["TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        // The port is open, so it is the handshake that nobody answers.
        Failure::ConnectTimeout if connection.is_encrypted() => {
            steps.push(through(connection));
            steps.push(step("TLS"));
            &["HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        Failure::Certificate | Failure::ClientCertificate | Failure::Tls => {
            steps.push(through(connection));
            steps.push(step("TLS"));
            &["HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        _ => {
            passed(connection, steps);
            steps.push(step("HTTP"));
            &["Bitbucket", "credential", "scope", "clock"]
        }
    };
    skipped(steps, rest);
}

fn product(
    connection: &Connection,
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    value: Option<&Value>,
) -> Step {
    let name = "Bitbucket";
    let text = |key: &str| value?.get(key)?.as_str().map(visible);
    if let Some(version) = text("version") {
        let called = text("displayName").unwrap_or_else(|| "Bitbucket".to_owned());
        return Step::new(name, Ended::Passed, format!("{called} {version}"));
    }
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    // Bitbucket refuses in a form of its own; so does nothing else that stands there.
    if parsed.is_some_and(|value| value.get("errors").is_some()) {
        return match status {
            401 | 403 => Step::new(name, Ended::Passed, format!("its API answers {status}")),
            429 => Step::new(name, Ended::Failed, "it is asked too much (429)")
                .with("wait, or have the rate limit of the credential's user raised"),
            _ => Step::new(name, Ended::Failed, format!("its API answers {status}"))
                .with("it may be starting, in maintenance or broken: look at Bitbucket itself"),
        };
    }
    let found = match place(connection, connection.base_url(), headers) {
        Some(place) if (300..400).contains(&status) => format!("a redirect to {place}"),
        _ => crate::error::title(headers, body),
    };
    let remedy = if status >= 500 {
        "what stands before Bitbucket does not reach it, or it is not running"
    } else {
        ADDRESS
    };
    Step::new(name, Ended::Failed, format!("{} answers {status} with {found}", connection.base()))
        .with(remedy)
}

async fn credential(connection: &Connection, status: u16) -> Step {
    let name = "credential";
    if status != 401 {
        match identity::ask(connection).await {
            Ok(Some(whoami)) => {
                let called = whoami.display_name.map(|called| format!(" ({})", visible(&called)));
                let text = format!("{}{}", visible(&whoami.name), called.unwrap_or_default());
                return Step::new(name, Ended::Passed, text);
            }
            Ok(None) => {}
            Err(fault) => return Step::of(name, &fault),
        }
    }
    let (found, remedy) = if connection.uses_password() {
        ("Bitbucket does not accept the name and password", crate::error::NO_PASSWORDS)
    } else {
        ("Bitbucket does not know the token", crate::error::BAD_TOKEN)
    };
    Step { is_authentication: true, ..Step::new(name, Ended::Failed, found).with(remedy) }
}

async fn confined(connection: &Connection, project: &str, repo: Option<&str>) -> Step {
    let name = "scope";
    let missing = "check the names, and that the credential's user may read it";
    let Some(repo) = repo else {
        let query = [("projectkey", project), ("limit", "1")];
        return match identity::get(connection, &REPOSITORIES, &[], &query).await {
            Ok((response, Some(value))) if response.status().is_success() => {
                let seen = value.get("values").and_then(Value::as_array);
                if seen.is_some_and(|seen| !seen.is_empty()) {
                    Step::new(name, Ended::Passed, format!("{project} can be read"))
                } else {
                    let text = format!("no repository of {project} can be seen");
                    Step::new(name, Ended::Failed, text).with(missing)
                }
            }
            other => refused(project, other, missing),
        };
    };
    let place = format!("{project}/{repo}");
    match identity::get(connection, &REPOSITORY, &[project, repo], &[]).await {
        Ok((response, Some(value))) if response.status().is_success() => {
            let own = |path: &str| value.pointer(path).and_then(Value::as_str).unwrap_or_default();
            let (key, slug) = (own("/project/key"), own("/slug"));
            if key.eq_ignore_ascii_case(project) && slug.eq_ignore_ascii_case(repo) {
                Step::new(name, Ended::Passed, format!("{place} can be read"))
            } else {
                let text = format!("{place} has been moved to {}/{}", visible(key), visible(slug));
                Step::new(name, Ended::Failed, text).with("name the repository as it is called now")
            }
        }
        other => refused(&place, other, missing),
    }
}

fn refused(
    place: &str,
    answer: Result<(reqwest::Response, Option<Value>), Fault>,
    remedy: &str,
) -> Step {
    let found = match answer {
        Ok((response, _)) => format!("{place}: status {}", response.status().as_u16()),
        Err(fault) => format!("{place}: {fault}"),
    };
    Step::new("scope", Ended::Failed, found).with(remedy)
}

fn clock(headers: &HeaderMap, now: SystemTime) -> Step {
    let name = "clock";
    let theirs = headers
        .get(DATE)
        .and_then(|date| date.to_str().ok())
        .and_then(|date| httpdate::parse_http_date(date).ok());
    let Some(theirs) = theirs else {
        return Step::new(name, Ended::Skipped, "the answer has no date");
    };
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let apart = seconds(now).abs_diff(seconds(theirs));
    if apart <= SKEW {
        return Step::new(name, Ended::Passed, "agrees with Bitbucket's");
    }
    let text = format!("differs from Bitbucket's by {} s", apart.as_secs());
    Step::new(name, Ended::Doubtful, text).with("set this machine's clock")
}
