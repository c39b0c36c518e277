//! The log: lines on standard error, without any secret, for whoever runs the server.
//!
//! Whether anybody reads them is not this server's business: a closed standard error is no failure,
//! and one that nobody drains stops nothing. A thread of its own writes, and lines that find no room
//! before it are counted instead of kept.

use crate::clock;
use crate::configuration::LogLevel;
use bb_client::Redaction;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Lines that wait to be written.
const WAITING: usize = 256;
/// How long the good end of a process waits for them: it may not take long.
const LAST_MOMENT: Duration = Duration::from_millis(100);
/// How long a process waits that ends with something to say, which is all that is left of it.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// The process's secrets, once they are known.
static REDACTION: OnceLock<Redaction> = OnceLock::new();

/// Begins to write. Lines of libraries are never written: they may hold bodies.
pub(crate) fn start(level: LogLevel) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let ours = Targets::new().with_target("bb", level).with_target("bb_client", level);
    let lines = fmt::layer()
        .with_ansi(false)
        .with_target(false)
        .with_timer(Clock)
        .log_internal_errors(false)
        .with_writer(StandardError);
    // Fails only where a log has been begun already, which then goes on.
    let _ = tracing_subscriber::registry().with(ours).with(lines).try_init();
    std::panic::set_hook(Box::new(|panic| {
        // Its words may quote what was being read.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!("this server failed inside, at {place}");
    }));
}

/// From here on these secrets are taken out of every line.
pub(crate) fn redact(redaction: Redaction) {
    // The preview and the server make one connection in a process.
    let _ = REDACTION.set(redaction);
}

/// Tells a person something that is no line of the log.
pub(crate) fn tell(text: &str) {
    queue(format!("{text}\n"));
}

/// Gives the lines that wait time to be written, before the process ends.
pub(crate) fn end(well: bool) {
    let patience = if well { LAST_MOMENT } else { LAST_WORDS };
    let (done, written) = mpsc::channel();
    if writer().try_send(Order::Tell(done)).is_ok() {
        let _ = written.recv_timeout(patience);
    }
}

/// What the writing thread is told.
enum Order {
    Line(String),
    /// Everything before this has been written.
    Tell(mpsc::Sender<()>),
}

fn writer() -> &'static mpsc::SyncSender<Order> {
    static WRITER: OnceLock<mpsc::SyncSender<Order>> = OnceLock::new();
    WRITER.get_or_init(|| {
        let (sender, orders) = mpsc::sync_channel(WAITING);
        std::thread::spawn(move || {
            for order in orders {
                match order {
                    Order::Line(line) => drop(io::stderr().write_all(line.as_bytes())),
                    Order::Tell(done) => drop(done.send(())),
                }
            }
        });
        sender
    })
}

/// Hands a line to the thread that writes, without waiting.
fn queue(line: String) {
    static LOST: AtomicUsize = AtomicUsize::new(0);
    let line = match REDACTION.get() {
        Some(redaction) => redaction.text(&line),
        None => line,
    };
    let lost = LOST.swap(0, Ordering::Relaxed);
    let line = if lost == 0 { line } else { format!("({lost} lines were lost)\n{line}") };
    if writer().try_send(Order::Line(line)).is_err() {
        LOST.fetch_add(lost + 1, Ordering::Relaxed);
    }
}

#[derive(Debug)]
struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        writer.write_str(&clock::now())
    }
}

/// Standard error, behind the redaction. It takes whole lines, never fails and never waits.
#[derive(Debug, Clone, Copy)]
struct StandardError;

impl<'w> MakeWriter<'w> for StandardError {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        *self
    }
}

impl io::Write for StandardError {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        queue(String::from_utf8_lossy(line).into_owned());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
