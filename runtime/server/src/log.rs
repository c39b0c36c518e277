//! The log: lines on standard error, without any secret, for whoever runs the server.
//!
//! Whether anybody reads them is not this server's business: a closed standard error is no failure.

use crate::clock;
use crate::configuration::LogLevel;
use bb_client::Redaction;
use std::io::{self, Write as _};
use std::sync::OnceLock;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

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
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let words = panic.payload_as_str().unwrap_or("a panic");
        tracing::error!("this server failed inside, at {place}: {words}");
    }));
}

/// From here on these secrets are taken out of every line.
pub(crate) fn redact(redaction: Redaction) {
    // The preview and the server make one connection in a process.
    let _ = REDACTION.set(redaction);
}

/// Tells a person something that is no line of the log.
pub(crate) fn tell(text: &str) {
    // It never fails.
    let _ = StandardError.write_all(format!("{text}\n").as_bytes());
}

#[derive(Debug)]
struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        writer.write_str(&clock::now())
    }
}

/// Standard error, behind the redaction. It takes whole lines and never fails.
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
        let text = String::from_utf8_lossy(line);
        let text = match REDACTION.get() {
            Some(redaction) => redaction.text(&text),
            None => text.into_owned(),
        };
        let _ = io::stderr().write_all(text.as_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
