//! From a chosen host to the client's settings: each setting from the environment, else from the
//! files, and the policy asked before anything insecure.

use super::file::SecretFrom;
use super::files;
use super::hosts::{Chosen, Host, WayIn};
use super::policy::Policy;
use super::report::Line;
use super::sourced::Sourced;
use super::{headers, way_in};
use crate::cli::Failure;
use crate::environment::Environment;
use bb_client::{BaseUrl, ClientIdentity, GatewayHeader, Pem, Proxy, Secret, Settings, Trust};
use std::path::PathBuf;

/// A Bitbucket that can be reached.
#[derive(Debug)]
pub(crate) struct Target {
    /// What the client runs with.
    pub(crate) settings: Settings,
    /// Each setting of it, and where it was given.
    pub(super) lines: Vec<Line>,
}

/// Settles everything about one host.
///
/// # Errors
/// What is wrong with a setting, or that the policy forbids it.
pub(super) fn connect(
    chosen: Chosen,
    environment: &Environment,
    policy: &Policy,
    warnings: &mut Vec<String>,
) -> Result<Target, Failure> {
    let Chosen { name, url, mut host, among } = chosen;
    let (base, mut lines) = reach(name, url, &mut host, environment, policy, warnings)?;

    let way_in = way_in(&base.value, host.way_in.take(), among, environment)?;
    let credential = way_in.credential(environment, warnings)?;
    lines.push(Line::new("credential", way_in.shown(), way_in.source()));
    let mut settings = Settings::new(base.value, credential);

    settings.trust = trust(host.ca_file.take(), environment, policy, warnings, &mut lines)?;
    settings.identity = identity(host.identity.take(), environment, &mut lines)?;
    let proxy = proxy(&settings.base, host.proxy.take(), environment)?;
    let shown = proxy.value.as_ref().map_or("none", Proxy::as_str).to_owned();
    lines.push(Line::new("proxy", shown, &proxy.source));
    settings.proxy = proxy.value;
    for (name, given) in host.headers {
        let value = way_in::secret(&given, environment, warnings)?;
        headers::check_value(&value).map_err(|text| Failure::usage(given.source.fault(&text)))?;
        lines.push(Line::new("header", format!("{name} (set)"), &given.source));
        // What stands in a file for anybody to read is no secret, and may be an everyday word.
        let is_secret = !matches!(given.value, SecretFrom::Text(_));
        settings.headers.push(GatewayHeader { name, value: Secret::new(value), is_secret });
    }
    Ok(Target { settings, lines })
}

/// Where Bitbucket is, and whether it may be reached there.
fn reach(
    name: Option<Sourced<String>>,
    url: Sourced<String>,
    host: &mut Host,
    environment: &Environment,
    policy: &Policy,
    warnings: &mut Vec<String>,
) -> Result<(Sourced<BaseUrl>, Vec<Line>), Failure> {
    let allow_http = environment
        .switch("BB_ALLOW_HTTP")?
        .or(host.allow_http.take())
        .unwrap_or_else(|| Sourced::default(false));
    if allow_http.value {
        policy.may_be_insecure(&allow_http, "plain http")?;
    }
    let base = url.try_map(|url| BaseUrl::parse(&url, allow_http.value)).map_err(Failure::usage)?;
    policy.may_reach(&base.value)?;
    if base.value.was_shortened() {
        warnings.push(format!(
            "{}: {} is taken for Bitbucket's address, without the page that was named behind it",
            base.source,
            base.value.as_str()
        ));
    }
    if !base.value.is_encrypted() && !base.value.is_loopback() {
        warnings.push(format!(
            "{} is not encrypted, which {} allows: who is on the way can read the credential",
            base.value.as_str(),
            allow_http.source
        ));
    }
    let mut lines = Vec::new();
    if let Some(name) = name {
        lines.push(Line::new("host", name.value, &name.source));
    }
    lines.push(Line::new("url", base.value.as_str(), &base.source));
    lines.push(Line::new("allow_http", allow_http.value.to_string(), &allow_http.source));
    Ok((base, lines))
}

fn way_in(
    base: &BaseUrl,
    configured: Option<WayIn>,
    among: usize,
    environment: &Environment,
) -> Result<WayIn, Failure> {
    if let Some(given) = way_in::of_environment(environment)? {
        let url = environment.text("BITBUCKET_URL")?;
        way_in::stays_with_its_host(&given, url.as_ref(), base)?;
        if url.is_none() && among > 1 {
            return Err(Failure::usage(format!(
                "{} does not say which of the {among} configured hosts it is for, and would be \
                 sent to {}; set BITBUCKET_URL to the one it is for, or unset {}",
                given.source(),
                base.as_str(),
                given.source()
            )));
        }
        return Ok(given);
    }
    configured.ok_or_else(|| {
        Failure::usage(format!(
            "no token is set for {}: put an HTTP access token into BITBUCKET_TOKEN, or the path of \
             a file that holds it into BITBUCKET_TOKEN_FILE, or give the host of that URL a \
             `token_file` in the configuration; --demo needs none",
            base.as_str()
        ))
    })
}

fn trust(
    configured: Option<Sourced<PathBuf>>,
    environment: &Environment,
    policy: &Policy,
    warnings: &mut Vec<String>,
    lines: &mut Vec<Line>,
) -> Result<Trust, Failure> {
    let unverified =
        environment.switch("BB_INSECURE_SKIP_VERIFY")?.unwrap_or_else(|| Sourced::default(false));
    if unverified.value {
        policy.may_be_insecure(&unverified, "a connection without verified certificates")?;
        warnings.push(format!(
            "{} is set: certificates are not verified, and anybody on the way can pass for \
             Bitbucket and take the credential",
            unverified.source
        ));
    }
    let shown = if unverified.value { "no" } else { "yes" };
    lines.push(Line::new("certificates verified", shown, &unverified.source));
    let file = environment.path("BB_CA_FILE")?.or(configured);
    let authorities =
        file.iter().map(|file| pem(file, "ca_file", lines)).collect::<Result<_, _>>()?;
    Ok(Trust { authorities, verify: !unverified.value })
}

fn identity(
    configured: Option<(Sourced<PathBuf>, Sourced<PathBuf>)>,
    environment: &Environment,
    lines: &mut Vec<Line>,
) -> Result<Option<ClientIdentity>, Failure> {
    let given = match (environment.path("BB_CLIENT_CERT")?, environment.path("BB_CLIENT_KEY")?) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => configured,
        (Some(_), None) => {
            return Err(Failure::usage("BB_CLIENT_CERT is set without BB_CLIENT_KEY; set both"));
        }
        (None, Some(_)) => {
            return Err(Failure::usage("BB_CLIENT_KEY is set without BB_CLIENT_CERT; set both"));
        }
    };
    let Some((certificate, key)) = given else { return Ok(None) };
    let certificate = pem(&certificate, "client_cert", lines)?;
    let bytes = files::key(&key.value).map_err(|text| Failure::usage(key.source.fault(&text)))?;
    lines.push(Line::new("client_key", "(set)", &key.source));
    // Where it lies may be the key itself, pasted into the wrong place.
    let key = Pem { source: key.source.to_string(), bytes };
    Ok(Some(ClientIdentity { certificate, key }))
}

fn pem(file: &Sourced<PathBuf>, setting: &str, lines: &mut Vec<Line>) -> Result<Pem, Failure> {
    let bytes = files::pem(&file.value).map_err(|text| Failure::usage(file.source.fault(&text)))?;
    let source = file.value.display().to_string();
    lines.push(Line::new(setting, source.clone(), &file.source));
    Ok(Pem { source, bytes })
}

/// What stands between. A host's own `proxy` comes before the proxy variables, which speak of
/// every host alike; nothing stands before this machine.
fn proxy(
    base: &BaseUrl,
    configured: Option<Sourced<String>>,
    environment: &Environment,
) -> Result<Sourced<Option<Proxy>>, Failure> {
    if base.is_loopback() {
        return Ok(Sourced::default(None));
    }
    if let Some(given) = configured {
        let proxy = given.try_map(|text| match text.trim() {
            "none" => Ok(None),
            text => Proxy::parse(text).map(Some),
        });
        return proxy.map_err(Failure::usage);
    }
    let names = if base.is_encrypted() {
        ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    } else {
        ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
    };
    let Some(given) = environment.first(&names)? else { return Ok(Sourced::default(None)) };
    if let Some(list) = environment.first(&["NO_PROXY", "no_proxy"])?
        && Proxy::bypassed(&list.value, base)
    {
        return Ok(Sourced { value: None, source: list.source });
    }
    given.try_map(|text| Proxy::parse(&text).map(Some)).map_err(Failure::usage)
}
