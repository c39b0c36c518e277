//! The way to Bitbucket, tried step by step, for a person who wants to know where it ends.

use crate::identity::{self, PROPERTIES, READ};
use crate::network::Failure;
use crate::{Connection, Fault, Network};
use bb_contract::text::visible;
use bb_contract::{OperationFacts, Reach};
use reqwest::header::{DATE, HeaderMap, LOCATION};
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

    fn with(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// Tries the way to Bitbucket up to the scope's project or repository. `now` is this machine's clock.
pub async fn probe(
    connection: &Connection,
    scope: Option<(&str, Option<&str>)>,
    now: SystemTime,
) -> Vec<Step> {
    let mut steps = Vec::new();
    reach(connection, &mut steps).await;
    if steps.iter().any(|step| step.ended == Ended::Failed) {
        return skipped(
            steps,
            &["proxy", "TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"],
        );
    }
    let asked = identity::get(connection, &PROPERTIES, &[], &[]);
    let (response, value) = match asked.await {
        Ok(answer) => answer,
        Err(Fault::Network(network)) => return failed(connection, steps, network),
        Err(fault) => {
            passed(connection, &mut steps);
            steps.push(Step {
                remedy: fault.remedy().map(str::to_owned),
                ..Step::new("HTTP", Ended::Failed, fault.to_string())
            });
            return skipped(steps, &["Bitbucket", "credential", "scope", "clock"]);
        }
    };
    passed(connection, &mut steps);
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    steps.push(Step::new("HTTP", Ended::Passed, format!("status {status}")));
    let body = response.bytes().await.unwrap_or_default();
    steps.push(product(connection, status, &headers, &body, value.as_ref()));
    if steps.iter().any(|step| step.ended == Ended::Failed) {
        steps = skipped(steps, &["credential", "scope"]);
    } else {
        steps.push(credential(connection, status).await);
        let known = steps.last().is_some_and(|step| step.ended == Ended::Passed);
        steps.push(match scope {
            None => Step::new("scope", Ended::Skipped, "none is set"),
            Some(_) if !known => Step::new("scope", Ended::Skipped, "not tried"),
            Some((project, repo)) => confined(connection, project, repo).await,
        });
    }
    steps.push(clock(&headers, now));
    steps
}

fn skipped(mut steps: Vec<Step>, names: &[&'static str]) -> Vec<Step> {
    steps.extend(names.iter().map(|name| Step::new(name, Ended::Skipped, "not tried")));
    steps
}

/// The name and the port of what is reached first: the proxy, else Bitbucket.
async fn reach(connection: &Connection, steps: &mut Vec<Step>) {
    let (what, setting) = if connection.proxy_host().is_some() {
        ("the proxy ", "check HTTPS_PROXY (proxy)")
    } else {
        ("", "check BITBUCKET_URL (url), and whether a proxy is needed: HTTPS_PROXY (proxy)")
    };
    let Some((host, port)) = connection.first_address() else {
        steps.push(Step::new("DNS", Ended::Failed, "the address names no host").with(setting));
        return;
    };
    let limit = connection.limits().connect;
    let found: Vec<_> = match timeout(limit, lookup_host((host.as_str(), port))).await {
        Ok(Ok(found)) => found.collect(),
        Ok(Err(error)) => {
            let text = format!("{what}{host}: {}", visible(&error.to_string()));
            steps.push(Step::new("DNS", Ended::Failed, text).with(setting));
            return skipping_tcp(steps);
        }
        Err(_) => {
            let text = format!("{what}{host}: no answer in {} s", limit.as_secs());
            steps.push(Step::new("DNS", Ended::Failed, text).with(setting));
            return skipping_tcp(steps);
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
                return;
            }
            Ok(Err(error)) => last = visible(&error.to_string()),
            Err(_) => last = format!("no answer in {} s", limit.as_secs()),
        }
    }
    let text = format!("{what}{host} port {port}: {last}");
    steps.push(Step::new("TCP", Ended::Failed, text).with(setting));
}

fn skipping_tcp(steps: &mut Vec<Step>) {
    steps.push(Step::new("TCP", Ended::Skipped, "not tried"));
}

/// What has to have gone well for anything to answer.
fn passed(connection: &Connection, steps: &mut Vec<Step>) {
    steps.push(match connection.proxy_host() {
        Some(proxy) => Step::new("proxy", Ended::Passed, format!("{proxy} lets through")),
        None => Step::new("proxy", Ended::Skipped, "none is used"),
    });
    steps.push(encrypted(connection));
}

fn encrypted(connection: &Connection) -> Step {
    let Some(chain) = connection.chain().filter(|_| connection.is_encrypted()) else {
        return Step::new("TLS", Ended::Skipped, "the address is not encrypted");
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
fn failed(connection: &Connection, mut steps: Vec<Step>, network: Network) -> Vec<Step> {
    let step = |name| Step {
        remedy: network.remedy.map(str::to_owned),
        ..Step::new(name, Ended::Failed, &*network.found)
    };
    let rest: &[&'static str] = match network.failure {
        Failure::ProxyCredentials | Failure::Proxy => {
            steps.push(step("proxy"));
            &["TLS", "HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        Failure::Certificate | Failure::ClientCertificate | Failure::Tls => {
            passed(connection, &mut steps);
            steps.pop();
            steps.push(step("TLS"));
            &["HTTP", "Bitbucket", "credential", "scope", "clock"]
        }
        _ => {
            passed(connection, &mut steps);
            steps.push(step("HTTP"));
            &["Bitbucket", "credential", "scope", "clock"]
        }
    };
    skipped(steps, rest)
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
    if parsed.as_ref().is_some_and(|value| value.get("errors").is_some()) {
        return Step::new(name, Ended::Passed, format!("its API answers {status}"));
    }
    let place = headers.get(LOCATION).and_then(|place| place.to_str().ok());
    let found = match place.filter(|_| (300..400).contains(&status)) {
        // Its query may hold a session.
        Some(place) => {
            let place = place.split(['?', '#']).next().unwrap_or_default();
            format!("a redirect to {}", visible(&connection.redact().text(place)))
        }
        None => crate::error::title(headers, body),
    };
    Step::new(name, Ended::Failed, format!("{} answers {status} with {found}", connection.base()))
        .with("check BITBUCKET_URL (url), its context path, and whether a sign-on page or a gateway stands before Bitbucket")
}

async fn credential(connection: &Connection, status: u16) -> Step {
    let name = "credential";
    if status != 401
        && let Ok(Some(whoami)) = identity::ask(connection).await
    {
        let called = whoami.display_name.map(|called| format!(" ({})", visible(&called)));
        let text = format!("{}{}", visible(&whoami.name), called.unwrap_or_default());
        return Step::new(name, Ended::Passed, text);
    }
    let (found, remedy) = if connection.uses_password() {
        (
            "Bitbucket does not accept the name and password",
            "since 10.0 Bitbucket refuses passwords unless told otherwise: use an HTTP access token in BITBUCKET_TOKEN",
        )
    } else {
        (
            "Bitbucket does not know the token",
            "check BITBUCKET_TOKEN or BITBUCKET_TOKEN_FILE (token_file): is the token whole, has it ended, and does a gateway take the Authorization header off?",
        )
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
