//! The base URL a person configures, checked. It does not know what lies below it.

use reqwest::Url;

/// Bitbucket's base URL, with its context path and without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    loopback: bool,
}

impl BaseUrl {
    /// Reads a URL as configured.
    ///
    /// # Errors
    /// A sentence saying what is wrong with it and what to give instead.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let text = text.trim();
        let url = Url::parse(text).map_err(|error| {
            // What is no URL may still hold a password.
            let shown = if text.contains('@') { "the URL" } else { text };
            format!(
                "`{shown}` is not a URL ({error}); give one such as https://bitbucket.example.com"
            )
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL holds a user name or a password; give the URL alone".to_owned());
        }
        let loopback = match url.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => return Err(format!("`{text}` names no host")),
        };
        match url.scheme() {
            "https" => {}
            "http" if loopback => {}
            "http" => {
                return Err(format!(
                    "`{text}` is not encrypted, and a token would travel in the clear; give its https URL"
                ));
            }
            other => {
                return Err(format!(
                    "`{other}` is not a scheme Bitbucket is served by; give an https URL"
                ));
            }
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(format!("`{text}` has a query or a fragment; give the base URL alone"));
        }
        Ok(Self { text: url.as_str().trim_end_matches('/').to_owned(), loopback })
    }

    /// The URL, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is served by this machine; no proxy stands between then.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    #[test]
    fn context_paths_stay_and_trailing_slashes_go() {
        let base = |text: &str| BaseUrl::parse(text).map(|base| base.as_str().to_owned());
        assert_eq!(base("https://host.example"), Ok("https://host.example".to_owned()));
        assert_eq!(
            base(" https://host.example/stash/ "),
            Ok("https://host.example/stash".to_owned())
        );
        assert_eq!(base("http://127.0.0.1:7990/a/b//"), Ok("http://127.0.0.1:7990/a/b".to_owned()));
    }

    #[test]
    fn what_would_leak_or_cannot_work_is_refused() {
        for text in [
            "",
            "bitbucket",
            "ftp://host",
            "http://host.example",
            "https://u:p@host.example",
            "https://t@host.example",
            "https://host.example?x=1",
            "https://host.example/#x",
        ] {
            assert!(BaseUrl::parse(text).is_err(), "{text}");
        }
    }
}
