//! The head of a request to the proxy: what it asks for, by whom, and what of it
//! goes on to the origin.

use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::access;

/// The largest head that is read.
const MAXIMUM: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) target: String,
    headers: Vec<(String, String)>,
    /// What came after it already.
    pub(super) rest: Vec<u8>,
}

/// Nothing when the client goes away first or says what is no head.
pub(super) async fn read(client: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Option<Head>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = bytes.split_off(end + 4);
            return Ok(parse(&String::from_utf8_lossy(&bytes[..end]), rest));
        }
        if bytes.len() > MAXIMUM || client.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

fn parse(text: &str, rest: Vec<u8>) -> Option<Head> {
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    Some(Head { method, target, headers, rest })
}

impl Head {
    /// Whether it carries these credentials, as basic authentication.
    pub(super) fn has(&self, (user, password): &(String, String)) -> bool {
        self.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("proxy-authorization")
                && value
                    .split_once(' ')
                    .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))
                    .and_then(|(_, encoded)| access::decoded(encoded.trim()))
                    .is_some_and(|decoded| decoded == format!("{user}:{password}").into_bytes())
        })
    }

    /// The place and the path of an absolute address, `host:port` and `/…`.
    pub(super) fn absolute(&self) -> Option<(String, &str)> {
        let rest = self.target.strip_prefix("http://")?;
        let end = rest.find('/').unwrap_or(rest.len());
        let (place, path) = rest.split_at(end);
        let port = place.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let place = if port { place.to_owned() } else { format!("{place}:80") };
        Some((place, if path.is_empty() { "/" } else { path }))
    }

    /// The head that goes on to the origin: nothing of it is meant for a proxy,
    /// and the connection is for this one request.
    pub(super) fn onward(&self, path: &str) -> String {
        let mut head = format!("{} {path} HTTP/1.1\r\nConnection: close\r\n", self.method);
        for (name, value) in &self.headers {
            let between = ["connection", "keep-alive", "proxy-authorization", "proxy-connection"];
            if !between.contains(&name.to_ascii_lowercase().as_str()) {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        head + "\r\n"
    }
}
