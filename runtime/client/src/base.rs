//! The base URL a person configures, checked. It does not know what lies below it.

use reqwest::Url;

/// What Bitbucket's own pages and resources begin with, below the context path: a first segment,
/// and whether it counts only with something behind it, since a context path may be called so.
const PAGES: &[(&str, bool)] = &[
    ("rest", false),
    ("dashboard", false),
    ("login", false),
    ("projects", false),
    ("plugins", true),
    ("users", true),
    ("scm", true),
];

/// Bitbucket's base URL, with its context path and without a trailing slash. Two are equal when
/// they reach the same, however they were given.
#[derive(Debug, Clone)]
pub struct BaseUrl {
    text: String,
    loopback: bool,
    shortened: bool,
}

impl PartialEq for BaseUrl {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for BaseUrl {}

impl BaseUrl {
    /// Reads a URL as people give it: the base URL, or one of a page or a resource below it.
    /// Plain http is for loopback addresses, unless `allow_http`.
    ///
    /// # Errors
    /// A sentence saying what is wrong with it and what to give instead.
    pub fn parse(text: &str, allow_http: bool) -> std::result::Result<Self, String> {
        let text = text.trim();
        // What is no URL may be a token that was put into the wrong place, so it is not shown.
        let mut url = Url::parse(text).map_err(|error| {
            format!("this is not a URL ({error}); give one such as https://bitbucket.example.com")
        })?;
        // Of a URL, a part that can hold no secret.
        let shown = format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default());
        match url.scheme() {
            "http" | "https" => {}
            "ssh" | "git" => {
                return Err(format!(
                    "`{shown}` is where a repository is cloned from; give Bitbucket's https URL, as a browser shows it"
                ));
            }
            _ => {
                return Err(
                    "this URL has another scheme than Bitbucket is served by; give one such as https://bitbucket.example.com".to_owned(),
                );
            }
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL holds a user name or a password; give the URL alone".to_owned());
        }
        let loopback = match url.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => return Err("this URL names no host".to_owned()),
        };
        if let Some(name) = url.domain().filter(|name| is_cloud(name)) {
            return Err(format!(
                "`{name}` is Bitbucket Cloud, whose API is another; this server is for Bitbucket Data Center"
            ));
        }
        if url.scheme() == "http" && !loopback && !allow_http {
            return Err(format!(
                "`{shown}` is not encrypted, and a token would travel in the clear; give its https URL"
            ));
        }
        let shortened = shorten(&mut url);
        Ok(Self { text: url.as_str().trim_end_matches('/').to_owned(), loopback, shortened })
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

    /// Whether more was given than the base URL, such as a page's address.
    #[must_use]
    pub fn was_shortened(&self) -> bool {
        self.shortened
    }

    /// Whether a token could be read on the way.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// Host and port.
    #[must_use]
    pub fn address(&self) -> Option<(String, u16)> {
        let url = Url::parse(&self.text).ok()?;
        Some((url.host_str()?.trim_matches(['[', ']']).to_owned(), url.port_or_known_default()?))
    }

    /// Scheme, host and port, as a browser compares them.
    #[must_use]
    pub fn origin(&self) -> String {
        Url::parse(&self.text).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }
}

/// Takes off what lies below the base URL.
fn shorten(url: &mut Url) -> bool {
    let mut shortened = url.query().is_some() || url.fragment().is_some();
    url.set_query(None);
    url.set_fragment(None);
    let segments: Vec<&str> = url.path().split('/').filter(|part| !part.is_empty()).collect();
    let is_page = |(at, part): (usize, &&str)| {
        let more = at + 1 < segments.len();
        PAGES.iter().any(|(page, followed)| page == part && (more || !followed))
    };
    let kept = segments.iter().enumerate().position(is_page).unwrap_or(segments.len());
    shortened |= kept < segments.len();
    let path = segments[..kept].join("/");
    url.set_path(&path);
    shortened
}

fn is_cloud(name: &str) -> bool {
    name.eq_ignore_ascii_case("bitbucket.org")
        || name.to_ascii_lowercase().ends_with(".bitbucket.org")
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    fn base(text: &str) -> Result<String, String> {
        BaseUrl::parse(text, false).map(|base| base.as_str().to_owned())
    }

    #[test]
    fn context_paths_stay_and_trailing_slashes_go() {
        for (text, expected) in [
            ("https://host.example", "https://host.example"),
            (" https://host.example/stash/ ", "https://host.example/stash"),
            ("http://127.0.0.1:7990/a/b//", "http://127.0.0.1:7990/a/b"),
            ("https://HOST.example:443/", "https://host.example"),
        ] {
            assert_eq!(base(text).as_deref(), Ok(expected));
            assert!(!BaseUrl::parse(text, false).expect("a base URL").was_shortened(), "{text}");
        }
    }

    #[test]
    fn addresses_of_pages_and_resources_are_understood() {
        for (text, expected) in [
            ("https://h.example/rest", "https://h.example"),
            ("https://h.example/stash/rest/api/latest/", "https://h.example/stash"),
            (
                "https://h.example/projects/PAY/repos/ledger/pull-requests/1/overview",
                "https://h.example",
            ),
            ("https://h.example/stash/projects/PAY?x=1#top", "https://h.example/stash"),
            ("https://h.example/stash/users/ada/repos/notes", "https://h.example/stash"),
            ("https://h.example/scm/pay/ledger.git", "https://h.example"),
            ("https://h.example/dashboard", "https://h.example"),
            ("https://h.example/login?next=%2Fdashboard", "https://h.example"),
            ("https://h.example/?x=1", "https://h.example"),
        ] {
            assert_eq!(base(text).as_deref(), Ok(expected), "{text}");
            assert!(BaseUrl::parse(text, false).expect("a base URL").was_shortened(), "{text}");
        }
    }

    #[test]
    fn what_would_leak_or_cannot_work_is_refused_by_name() {
        for (text, expected) in [
            ("", "not a URL"),
            ("BBDC-s3cret", "not a URL"),
            ("bitbucket.example.com:7990", "another scheme"),
            ("ftp://host/s3cret", "another scheme"),
            ("ssh://git@host:7999/pay/ledger.git", "cloned from"),
            ("git@host:pay/ledger.git", "not a URL"),
            ("http://host.example/?access_token=s3cret", "`http://host.example` is not encrypted"),
            ("http://host.example", "not encrypted"),
            ("https://u:s3cret@host.example", "give the URL alone"),
            ("https://s3cret@host.example", "give the URL alone"),
            ("https://bitbucket.org/team", "Bitbucket Cloud"),
            ("https://api.bitbucket.org/2.0", "Bitbucket Cloud"),
        ] {
            let error = base(text).expect_err(text);
            assert!(error.contains(expected) && !error.contains("s3cret"), "{text}: {error}");
        }
        assert!(BaseUrl::parse("http://host.example", true).is_ok());
    }

    #[test]
    fn context_paths_may_be_called_as_pages_are() {
        for text in [
            "https://h.example/scm",
            "https://h.example/git",
            "https://h.example/users",
            "https://h.example/admin/git",
        ] {
            assert_eq!(base(text).as_deref(), Ok(text));
        }
        assert_eq!(
            BaseUrl::parse("https://h.example/dashboard", false),
            BaseUrl::parse("https://h.example", false),
        );
    }
}
