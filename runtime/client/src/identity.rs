//! Who we are. Bitbucket has no resource that says it; every answer to somebody it knows has a header
//! that does.

use crate::attempt::{buffered, execute};
use crate::probe::DOCTOR_OPERATIONS;
use crate::{CallContext, Connection, Fault, Result, egress, error, journal, network};
use bb_contract::{OperationFacts, Reach};
use reqwest::header::HeaderMap;
use reqwest::{Method, Request, Response, Url};
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout_at;

/// How long it is believed who a credential belongs to.
const KNOWN_FOR: Duration = Duration::from_secs(600);

/// A read whose answer is JSON; what differs is filled in.
pub(crate) const READ: OperationFacts = OperationFacts {
    id: "",
    method: "GET",
    template: "",
    reach: Reach::Server,
    noted: &[],
    stream: false,
    accept: "application/json",
};

/// Says which release it is, to anybody, and in a header whom it takes us for.
pub(crate) static PROPERTIES: OperationFacts = OperationFacts {
    id: "server_properties",
    template: "/rest/api/latest/application-properties",
    ..READ
};
/// A person, by slug.
pub(crate) static USER: OperationFacts =
    OperationFacts { id: "server_user", template: "/rest/api/latest/users/{user}", ..READ };
/// People, by a part of their name.
pub(crate) static USERS: OperationFacts =
    OperationFacts { id: "server_users", template: "/rest/api/latest/users", ..READ };

/// What this server asks for itself, whichever tool runs. Nothing of it belongs to a project.
pub static OWN_OPERATIONS: &[&OperationFacts] = &[&PROPERTIES, &USER, &USERS];

/// Who a credential belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whoami {
    /// The user's name, by which others are compared with it.
    pub name: String,
    /// The slug, by which the user is addressed; none where the user could not be read.
    pub slug: Option<String>,
    /// What people call the user.
    pub display_name: Option<String>,
}

/// What is known so far.
#[derive(Debug, Default)]
pub(crate) struct Identity(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    name: Option<(String, Instant)>,
    whole: Option<(Whoami, Instant)>,
}

impl Identity {
    /// Takes the name that an answer says, if it says one.
    pub(crate) fn note(&self, headers: &HeaderMap) {
        let Some(name) = name_in(headers) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.whole.as_ref().is_some_and(|(whole, _)| whole.name != name) {
            known.whole = None;
        }
        known.name = Some((name, Instant::now()));
    }

    /// Forgets who we are: Bitbucket has just taken us for nobody.
    fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Known::default();
    }

    pub(crate) fn name(&self) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, since) = known.name.as_ref()?;
        (since.elapsed() < KNOWN_FOR).then(|| name.clone())
    }

    fn whole(&self) -> Option<Whoami> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (whole, since) = known.whole.as_ref()?;
        (since.elapsed() < KNOWN_FOR).then(|| whole.clone())
    }

    fn keep(&self, whole: &Whoami) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.whole = Some((whole.clone(), Instant::now()));
    }
}

/// The name of the header that says it: form-encoded.
fn name_in(headers: &HeaderMap) -> Option<String> {
    let name = headers.get("x-ausername")?.to_str().ok()?;
    let name = egress::decode(&name.replace('+', " ")).unwrap_or_else(|| name.to_owned());
    (!name.is_empty()).then_some(name)
}

impl Connection {
    /// The user's name, once any answer has said it. Nothing is asked.
    #[must_use]
    pub fn caller(&self) -> Option<String> {
        self.identity().name()
    }
}

/// Who this server is to Bitbucket: read once, and again after ten minutes.
///
/// # Errors
/// When Bitbucket cannot be asked, or does not know the credential.
pub async fn whoami(context: &CallContext) -> Result<Whoami> {
    let call = context.inner();
    let asked = timeout_at(call.call.deadline, ask(&call.connection)).await;
    match asked {
        Ok(Ok(Some(whoami))) => Ok(whoami),
        Ok(Ok(None)) => Err(error::unknown_to_bitbucket()),
        Ok(Err(fault)) => Err(error::stopped(fault)),
        Err(_) => Err(error::stopped(Fault::Deadline)),
    }
}

/// As [`whoami`], without a call; `None` when Bitbucket takes us for nobody.
pub(crate) async fn ask(connection: &Connection) -> std::result::Result<Option<Whoami>, Fault> {
    let identity = connection.identity();
    if let Some(whole) = identity.whole() {
        return Ok(Some(whole));
    }
    let name = match identity.name() {
        Some(name) => name,
        None => {
            let (response, _) = get(connection, &PROPERTIES, &[], &[]).await?;
            match name_in(response.headers()) {
                Some(name) => name,
                None => {
                    identity.forget();
                    return Ok(None);
                }
            }
        }
    };
    let user = user(connection, &name).await;
    let text = |key: &str| {
        let text = user.as_ref()?.get(key)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    let whoami = Whoami { slug: text("slug"), display_name: text("displayName"), name };
    // Where the user cannot be read now, the next who wants to know asks again.
    if user.is_some() {
        identity.keep(&whoami);
    }
    Ok(Some(whoami))
}

/// The user of that name. Names are not addresses: the slug is guessed, and where it is another,
/// the user is looked for.
async fn user(connection: &Connection, name: &str) -> Option<Value> {
    let is_it = |user: &Value| {
        user.get("name").and_then(Value::as_str).is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    let slug: String = name
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '_' })
        .collect();
    if let Ok((_, Some(user))) = get(connection, &USER, &[&slug], &[]).await
        && is_it(&user)
    {
        return Some(user);
    }
    let (_, page) =
        get(connection, &USERS, &[], &[("filter", name), ("limit", "100")]).await.ok()?;
    page?.get("values")?.as_array()?.iter().find(|user| is_it(user)).cloned()
}

/// Whether Bitbucket knows us, of whom it has refused something with 401. `None` when it cannot be
/// found out.
pub(crate) async fn is_known(connection: &Connection, headers: &HeaderMap) -> Option<bool> {
    if name_in(headers).is_some() {
        return Some(true);
    }
    let (response, _) = get(connection, &PROPERTIES, &[], &[]).await.ok()?;
    let known = name_in(response.headers()).is_some();
    if !known {
        connection.identity().forget();
    }
    Some(known)
}

/// Asks for itself: past the same guard, by the same client.
pub(crate) async fn get(
    connection: &Connection,
    operation: &'static OperationFacts,
    segments: &[&str],
    query: &[(&str, &str)],
) -> std::result::Result<(Response, Option<Value>), Fault> {
    let url = address(connection, operation, segments, query)?;
    let permit = connection.permits().acquire_owned().await;
    let _permit = permit.map_err(|_| Fault::Network(network::stopping()))?;
    let begun = Instant::now();
    let tried = async {
        let response = execute(connection, operation, Request::new(Method::GET, url)).await?;
        connection.identity().note(response.headers());
        buffered(response, operation, connection).await
    };
    let tried = tried.await;
    journal::request(connection, operation, 1, begun.elapsed(), &tried);
    let response = tried?;
    let (status, headers) = (response.status(), response.headers().clone());
    // Buffered already; it does not wait.
    let body = response.bytes().await.unwrap_or_default();
    let value = if status.is_success() { serde_json::from_slice(&body).ok() } else { None };
    let mut answer = http::Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    Ok((answer.into(), value))
}

fn address(
    connection: &Connection,
    operation: &'static OperationFacts,
    segments: &[&str],
    query: &[(&str, &str)],
) -> std::result::Result<Url, Fault> {
    let misshapen = || Fault::Misshapen(format!("{} with a part that is no path", operation.id));
    let mut url = connection.base_url().clone();
    let mut values = segments.iter();
    {
        let mut path = url.path_segments_mut().map_err(|()| misshapen())?;
        path.pop_if_empty();
        for part in operation.template.split('/').skip(1) {
            let value = if part.starts_with('{') { values.next().copied() } else { Some(part) };
            path.push(value.ok_or_else(misshapen)?);
        }
    }
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    let declared = if DOCTOR_OPERATIONS.iter().any(|known| known.id == operation.id) {
        DOCTOR_OPERATIONS
    } else {
        OWN_OPERATIONS
    };
    let call = egress::Call { declared, scope: None, base: connection.base(), noted: &|_| false };
    egress::check(&call, operation.id, "GET", &url)?;
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::{Identity, Whoami, name_in};
    use reqwest::header::HeaderMap;

    fn headers(name: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-ausername", name.parse().expect("a value"));
        headers
    }

    #[test]
    fn the_name_is_decoded() {
        assert_eq!(name_in(&headers("ada%40corp+x")).as_deref(), Some("ada@corp x"));
        assert_eq!(name_in(&headers("100%")).as_deref(), Some("100%"));
        assert_eq!(name_in(&headers("")), None);
        assert_eq!(name_in(&HeaderMap::new()), None);
    }

    #[test]
    fn another_name_forgets_the_user_behind_the_first() {
        let identity = Identity::default();
        identity.note(&headers("ada"));
        identity.keep(&Whoami { name: "ada".to_owned(), slug: None, display_name: None });
        identity.note(&HeaderMap::new());
        identity.note(&headers("ada"));
        assert!(identity.whole().is_some());
        identity.note(&headers("grace"));
        assert_eq!((identity.whole(), identity.name().as_deref()), (None, Some("grace")));
    }
}
