//! `bb`: the command line, and the server it starts.

mod cli;
mod clock;
mod configuration;
mod environment;
mod guard;
mod handlers;
mod kinds;
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
    match cli::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("bb: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
