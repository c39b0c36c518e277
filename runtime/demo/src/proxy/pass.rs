//! One connection of a client through the proxy.

use std::net::IpAddr;
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, copy, copy_bidirectional, sink};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::head::{self, Head};
use super::{ProxyOptions, ProxyRequest, Shared};

pub(super) async fn pass(shared: &Shared, mut client: TcpStream) -> std::io::Result<()> {
    let Some(head) = head::read(&mut client).await? else {
        return Ok(());
    };
    let authorized =
        shared.options.credentials.as_ref().is_none_or(|credentials| head.has(credentials));
    shared.add(ProxyRequest {
        method: head.method.clone(),
        target: head.target.clone(),
        authorized,
    });
    if !authorized {
        let wanted = "Proxy-Authenticate: Basic realm=\"proxy\"\r\n";
        return refuse(client, 407, wanted).await;
    }
    if let Some(status) = shared.options.refuse_with {
        return refuse(client, status, "").await;
    }
    if head.method == "CONNECT" {
        return tunnel(shared, client, &head).await;
    }
    let Some((place, path)) = head.absolute() else {
        return refuse(client, 400, "").await;
    };
    let Some(mut origin) = dial(shared, &place).await else {
        return refuse(client, 502, "").await;
    };
    origin.write_all(head.onward(path).as_bytes()).await?;
    join(client, origin, &head.rest).await
}

async fn tunnel(shared: &Shared, mut client: TcpStream, head: &Head) -> std::io::Result<()> {
    let Some(origin) = dial(shared, &head.target).await else {
        return refuse(client, 502, "").await;
    };
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
    join(client, origin, &head.rest).await
}

async fn join(mut client: TcpStream, mut origin: TcpStream, rest: &[u8]) -> std::io::Result<()> {
    origin.write_all(rest).await?;
    copy_bidirectional(&mut client, &mut origin).await?;
    Ok(())
}

async fn dial(shared: &Shared, asked: &str) -> Option<TcpStream> {
    TcpStream::connect(place(&shared.options, asked)?).await.ok()
}

/// Where a place really is. One that is neither mapped nor on this machine does
/// not exist for a test, and no name server is asked for it.
fn place<'a>(options: &'a ProxyOptions, asked: &'a str) -> Option<&'a str> {
    if let Some((_, real)) = options.map.iter().find(|(name, _)| name.eq_ignore_ascii_case(asked)) {
        return Some(real);
    }
    let (host, _) = asked.rsplit_once(':')?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let here = host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    here.then_some(asked)
}

/// How long a refused client may go on sending.
const LEAVING: Duration = Duration::from_secs(1);

async fn refuse(mut client: TcpStream, status: u16, header: &str) -> std::io::Result<()> {
    let answer = format!(
        "HTTP/1.1 {status} Refused\r\n{header}Connection: close\r\nContent-Length: 0\r\n\r\n"
    );
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await?;
    // Closing with bytes unread would be a reset, and the answer could be lost.
    let _ = timeout(LEAVING, copy(&mut client, &mut sink())).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ProxyOptions, place};

    #[test]
    fn only_this_machine_and_what_was_told_exist() {
        let map = vec![("bitbucket.example.test:443".to_owned(), "127.0.0.1:9".to_owned())];
        let options = ProxyOptions { map, ..ProxyOptions::default() };
        assert_eq!(place(&options, "Bitbucket.Example.test:443"), Some("127.0.0.1:9"));
        for here in ["localhost:80", "127.0.0.1:80", "[::1]:80"] {
            assert_eq!(place(&options, here), Some(here));
        }
        for elsewhere in ["bitbucket.example.test:80", "192.0.2.1:443", "localhost", ""] {
            assert_eq!(place(&options, elsewhere), None, "{elsewhere}");
        }
    }
}
