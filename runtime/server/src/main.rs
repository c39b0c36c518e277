//! `bb`: the command line, and the server it starts.

mod cli;
mod clock;
mod configuration;
mod doctor;
mod environment;
mod guard;
mod handlers;
mod kinds;
mod log;
mod output;
mod preview;
mod random;
mod read;
mod serve;
mod settings;
mod tools;
mod transport;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    let outcome = cli::run(arguments);
    if let Err(failure) = &outcome {
        log::tell(&format!("bb: {}", failure.message));
    }
    log::end(outcome.is_ok());
    outcome.map_or_else(|failure| ExitCode::from(failure.code), |()| ExitCode::SUCCESS)
}
