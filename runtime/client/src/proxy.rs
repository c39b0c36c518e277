//! The proxy between this machine and Bitbucket, and for which hosts there is none.

use crate::{BaseUrl, Secret};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use std::net::IpAddr;

/// A proxy, with its credentials apart from its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    url: String,
    credentials: Option<(String, Secret)>,
}

impl Proxy {
    /// Reads a proxy's URL. `host:port` alone is taken for http.
    ///
    /// # Errors
    /// A sentence saying what is wrong with it, without any password in it.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let text = text.trim();
        let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let mut url = Url::parse(&whole).map_err(|error| {
            format!("the proxy's address is no URL ({error}); give one such as http://proxy.example.com:3128")
        })?;
        match url.scheme() {
            "http" | "https" => {}
            other => {
                return Err(format!(
                    "a proxy spoken to by `{other}` is not supported; give an http or https one"
                ));
            }
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err("the proxy's address names no host".to_owned());
        }
        let decoded = |text: &str| {
            crate::egress::decode(text)
                .ok_or_else(|| "the proxy's credentials are not percent-encoded text".to_owned())
        };
        let credentials = if url.username().is_empty() && url.password().is_none() {
            None
        } else {
            let password = Secret::new(decoded(url.password().unwrap_or_default())?);
            Some((decoded(url.username())?, password))
        };
        // Neither fails for a URL with a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_path("");
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self { url: url.as_str().trim_end_matches('/').to_owned(), credentials })
    }

    /// The address, without credentials.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// Host and port, for who wants to reach it.
    #[must_use]
    pub fn address(&self) -> Option<(String, u16)> {
        let url = Url::parse(&self.url).ok()?;
        Some((url.host_str()?.trim_matches(['[', ']']).to_owned(), url.port_or_known_default()?))
    }

    /// Whether credentials come with it.
    #[must_use]
    pub fn has_credentials(&self) -> bool {
        self.credentials.is_some()
    }

    pub(crate) fn password(&self) -> Option<&Secret> {
        self.credentials.as_ref().map(|(_, password)| password)
    }

    /// The encoded pair of basic authentication.
    pub(crate) fn pair(&self) -> Option<String> {
        let (user, password) = self.credentials.as_ref()?;
        Some(STANDARD.encode(format!("{user}:{}", password.expose())))
    }

    /// As the HTTP client takes it.
    pub(crate) fn built(&self) -> reqwest::Result<reqwest::Proxy> {
        let proxy = reqwest::Proxy::all(&self.url)?;
        Ok(match &self.credentials {
            Some((user, password)) => proxy.basic_auth(user, password.expose()),
            None => proxy,
        })
    }

    /// Whether `NO_PROXY` takes the host out: `*`, a name with all below it, an address, or a
    /// network such as `10.0.0.0/8`; each may end in a port.
    #[must_use]
    pub fn bypassed(no_proxy: &str, base: &BaseUrl) -> bool {
        let Some((host, port)) = base.address() else { return false };
        // The root's dot changes no name.
        let host = host.trim_end_matches('.').to_owned();
        let address: Option<IpAddr> = host.parse().ok();
        no_proxy.split([',', ' ']).map(str::trim).filter(|entry| !entry.is_empty()).any(|entry| {
            if entry == "*" {
                return true;
            }
            let (entry, only) = split_port(entry);
            if only.is_some_and(|only| only != port) {
                return false;
            }
            match address {
                Some(address) => within(entry, address),
                None => below(entry, &host),
            }
        })
    }
}

/// The entry without its port. An IPv6 address has colons of its own.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    if let Some(rest) = entry.strip_prefix('[') {
        let (address, after) = rest.split_once(']').unwrap_or((rest, ""));
        return (address, after.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match entry.split_once(':') {
        // A port that is none fits nothing.
        Some((host, port)) if !port.contains(':') => (host, Some(port.parse().unwrap_or(0))),
        _ => (entry, None),
    }
}

fn below(entry: &str, host: &str) -> bool {
    let name = entry.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
    let host = host.to_ascii_lowercase();
    !name.is_empty()
        && (host == name || host.strip_suffix(&name).is_some_and(|rest| rest.ends_with('.')))
}

fn within(entry: &str, address: IpAddr) -> bool {
    let Some((network, length)) = entry.split_once('/') else {
        return entry.parse() == Ok(address);
    };
    let Ok(length) = length.parse::<u32>() else { return false };
    match (network.parse(), address) {
        (Ok(IpAddr::V4(network)), IpAddr::V4(address)) => {
            let shift = 32_u32.checked_sub(length);
            shift.is_some_and(|shift| {
                u32::from(network).checked_shr(shift) == u32::from(address).checked_shr(shift)
            })
        }
        (Ok(IpAddr::V6(network)), IpAddr::V6(address)) => {
            let shift = 128_u32.checked_sub(length);
            shift.is_some_and(|shift| {
                u128::from(network).checked_shr(shift) == u128::from(address).checked_shr(shift)
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Proxy;
    use crate::BaseUrl;

    #[test]
    fn credentials_stay_apart_from_the_address() {
        let proxy = Proxy::parse(" http://ada:p%40ss@proxy.example.com:3128/ ").expect("a proxy");
        assert_eq!(proxy.as_str(), "http://proxy.example.com:3128");
        assert!(proxy.has_credentials());
        assert_eq!(proxy.password().map(crate::Secret::expose), Some("p@ss"));
        assert!(!format!("{proxy:?}").contains("p@ss") && !format!("{proxy:?}").contains("p%40"));
        let plain = Proxy::parse("proxy:3128").expect("a proxy");
        assert_eq!((plain.as_str(), plain.has_credentials()), ("http://proxy:3128", false));
        assert_eq!(plain.address(), Some(("proxy".to_owned(), 3128)));
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        for text in ["", "socks5://u:s3cret@proxy:1080", "http://u:s3cret@", "http://u:s3cret@:x"] {
            let error = Proxy::parse(text).expect_err(text);
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn hosts_that_no_proxy_names_are_reached_directly() {
        let bypassed = |list: &str, base: &str| {
            Proxy::bypassed(list, &BaseUrl::parse(base, false).expect("a base URL"))
        };
        let host = "https://git.corp.example:8443/x";
        for list in [
            "*",
            "git.corp.example",
            ".corp.example",
            "*.corp.example",
            "a, corp.EXAMPLE ,b",
            "git.corp.example:8443",
            "a corp.example",
        ] {
            assert!(bypassed(list, host), "{list}");
        }
        for list in [
            "",
            ",",
            "orp.example",
            "git.corp.example:443",
            "git.corp.example.org",
            "git.corp.example:abc",
            "10.0.0.0/8",
            ".",
        ] {
            assert!(!bypassed(list, host), "{list}");
        }
        for (list, base, expected) in [
            ("10.0.0.0/8", "https://10.2.3.4", true),
            ("10.0.0.0/8", "https://11.2.3.4", false),
            ("10.2.3.4", "https://10.2.3.4", true),
            ("0.0.0.0/0", "https://11.2.3.4", true),
            ("10.0.0.0/99", "https://10.2.3.4", false),
            ("fd00::/8", "https://[fd12::1]", true),
            ("[fd12::1]:8443", "https://[fd12::1]:8443", true),
            ("[fd12::1]:8443", "https://[fd12::1]", false),
            ("fe80::1", "https://[fd12::1]", false),
        ] {
            assert_eq!(bypassed(list, base), expected, "{list} {base}");
        }
    }
}
