//! Reading a streamed answer, as text or as bytes, up to a cap.

use crate::error::{stopped, timed_out};
use crate::{CallContext, Fault, Result, network};
use futures_util::TryStreamExt as _;
use progenitor_client::ByteStream;
use tokio::time::timeout_at;

/// A text that may have been cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutText {
    /// What was read, decoded as UTF-8; other bytes show as U+FFFD.
    pub text: String,
    /// Whether there was more.
    pub cut: bool,
}

/// Bytes that may have been cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutBytes {
    /// What was read.
    pub bytes: Vec<u8>,
    /// Whether there was more.
    pub cut: bool,
}

/// As [`read_bytes`], decoded.
///
/// # Errors
/// As [`read_bytes`].
pub async fn read_text(context: &CallContext, stream: ByteStream, cap: usize) -> Result<CutText> {
    let read = read_bytes(context, stream, cap).await?;
    Ok(CutText { text: String::from_utf8_lossy(&read.bytes).into_owned(), cut: read.cut })
}

/// Reads at most `cap` bytes of a stream and drops the rest of it, which ends the request.
///
/// # Errors
/// When the connection breaks, or the call's deadline passes, before the cap or the end.
pub async fn read_bytes(context: &CallContext, stream: ByteStream, cap: usize) -> Result<CutBytes> {
    let mut stream = stream.into_inner();
    let mut bytes: Vec<u8> = Vec::new();
    let deadline = context.inner().call.deadline;
    let cut = loop {
        let next = timeout_at(deadline, stream.try_next()).await.map_err(|_| timed_out())?;
        match next.map_err(|error| stopped(fault_in(&error)))? {
            None => break false,
            Some(chunk) => {
                let room = cap - bytes.len();
                bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    break true;
                }
            }
        }
    };
    let bytes = context.connection().redact().body(bytes);
    Ok(CutBytes { bytes, cut })
}

/// Our own fault lies some sources deep in the error that the stream ends with.
fn fault_in(error: &reqwest::Error) -> Fault {
    let mut next = std::error::Error::source(error);
    while let Some(source) = next {
        if let Some(fault) = source.downcast_ref::<Fault>() {
            return fault.clone();
        }
        next = source.source();
    }
    Fault::Network(network::broken())
}
