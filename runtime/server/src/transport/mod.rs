//! JSON-RPC over standard input and output, line by line.
//!
//! rmcp's own transport ends on a stray early notification, leaves oversized and malformed lines
//! without an answer, and grows with a flood. This one answers everything, bounds a line, and
//! holds at most a few messages. Two blocking threads: they are right for pipes, sockets,
//! terminals and files alike.

mod lines;
mod message;
mod streams;

pub(crate) use streams::{Other, Streams};

use lines::{Line, Lines};
use message::Reading;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::mpsc as blocking;
use tokio::sync::{mpsc, oneshot, watch};

/// Longest line taken, in bytes. Longer ones are answered and skipped.
const LONGEST_LINE: usize = 4 << 20;
/// Messages read and not yet taken; a client that floods waits in its pipe.
const WAITING: usize = 64;

/// A line to write, and who waits for it.
type Outgoing = (Vec<u8>, Option<oneshot::Sender<io::Result<()>>>);

/// The transport.
#[derive(Debug)]
pub(crate) struct Stdio {
    incoming: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    outgoing: blocking::SyncSender<Outgoing>,
}

/// Tells that the input has ended, or that nobody reads the output any more.
#[derive(Debug)]
pub(crate) struct Ended(watch::Receiver<bool>);

impl Ended {
    /// Waits for either.
    pub(crate) async fn wait(&mut self) {
        // The sender goes away only after it has said so, or with its thread.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

impl Stdio {
    /// Starts the two threads.
    pub(crate) fn start(streams: Streams) -> (Self, Ended) {
        let (outgoing, to_write) = blocking::sync_channel::<Outgoing>(WAITING);
        let (sender, incoming) = mpsc::channel(WAITING);
        let (ending, ended) = watch::channel(false);
        let replies = outgoing.clone();
        let gone = ending.clone();
        std::thread::spawn(move || {
            read(streams.input, &sender, &replies);
            drop(sender);
            let _ = ending.send(true);
        });
        std::thread::spawn(move || {
            if write(streams.output, &to_write).is_err() {
                // A client that does not read any more has gone, whatever its other end says.
                let _ = gone.send(true);
            }
        });
        (Self { incoming, outgoing }, Ended(ended))
    }
}

fn read(
    input: File,
    sender: &mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    replies: &blocking::SyncSender<Outgoing>,
) {
    let mut lines = Lines::new(input, LONGEST_LINE);
    let mut reading = Reading::default();
    while let Some(line) = lines.next() {
        let outcome = match &line {
            Line::Whole(bytes) => reading.take(bytes),
            Line::TooLong(head) => reading.refuse_long(head, LONGEST_LINE),
        };
        let kept = match outcome {
            message::Outcome::Pass(message) => sender.blocking_send(*message).is_ok(),
            message::Outcome::Reply(reply) => replies.send((reply, None)).is_ok(),
            message::Outcome::Nothing => true,
        };
        if !kept {
            break;
        }
    }
}

fn write(mut output: File, lines: &blocking::Receiver<Outgoing>) -> io::Result<()> {
    for (line, waiting) in lines {
        let result = output.write_all(&line).and_then(|()| output.flush());
        let failed = result.as_ref().err().map(io::Error::kind);
        if let Some(waiting) = waiting {
            // Nobody waits any more for the answer of a call that was given up.
            let _ = waiting.send(result);
        }
        if let Some(kind) = failed {
            return Err(kind.into());
        }
    }
    Ok(())
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let (sender, written) = oneshot::channel();
            let mut outgoing_line = Some((message::line(&item)?, Some(sender)));
            // The channel blocks when it is full, and this thread runs everything: wait elsewhere.
            while let Some(line) = outgoing_line.take() {
                match outgoing.try_send(line) {
                    Ok(()) => {}
                    Err(blocking::TrySendError::Full(line)) => {
                        outgoing_line = Some(line);
                        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                    }
                    Err(blocking::TrySendError::Disconnected(_)) => {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                }
            }
            written.await.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.incoming.close();
        Ok(())
    }
}
