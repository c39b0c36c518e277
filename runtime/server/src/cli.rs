//! The command line. It decides nothing; it says who does.

use crate::configuration::{Configuration, LogLevel};
use crate::environment::Environment;
use crate::settings::{self, Settings};
use crate::{doctor, log, preview, serve, tools};
use clap::{Args, Parser, Subcommand};

/// Talks to a Bitbucket Data Center.
#[derive(Debug, Parser)]
#[command(name = "bb", version, about, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// What is made for artificial intelligence.
    #[command(subcommand)]
    Ai(Ai),
}

#[derive(Debug, Subcommand)]
enum Ai {
    /// The Model Context Protocol server.
    #[command(subcommand)]
    Mcp(Mcp),
}

#[derive(Debug, Subcommand)]
enum Mcp {
    /// Serves tools over standard input and output.
    Serve(ServeFlags),
    /// Opens a local page that shows what a tool's view looks like.
    Preview(PreviewArguments),
    /// Tries the way to Bitbucket step by step, and says what is wrong and what to do.
    Doctor(DoctorArguments),
    /// Lists every tool: access, asks, callers, scope rule, operations.
    Tools(ToolsArguments),
}

/// Flags that say which Bitbucket is meant, and how much of it. None takes a secret.
#[derive(Debug, Args)]
pub(crate) struct ConnectionFlags {
    /// Bitbucket's URL, or the name of a configured host; else BITBUCKET_URL, else the only
    /// configured host.
    #[arg(long, value_name = "URL|NAME", conflicts_with = "demo")]
    pub(crate) host: Option<String>,
    /// Confines the server to a project.
    #[arg(long, value_name = "KEY")]
    pub(crate) project: Option<String>,
    /// Confines the server to a repository.
    #[arg(long, value_name = "KEY/slug")]
    pub(crate) repo: Option<String>,
    /// Serves from a made-up Bitbucket inside this process.
    #[arg(long)]
    pub(crate) demo: bool,
    /// What is written to standard error; else BB_LOG_LEVEL, else warn.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log_level: Option<LogLevel>,
}

/// Flags of `serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeFlags {
    #[command(flatten)]
    pub(crate) connection: ConnectionFlags,
    /// Leaves out every tool that changes something.
    #[arg(long)]
    pub(crate) read_only: bool,
}

/// Flags of `preview`.
#[derive(Debug, Args)]
pub(crate) struct PreviewArguments {
    #[command(flatten)]
    server: ServeFlags,
    /// Port on this machine; any free one when left out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
}

/// Flags of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) server: ServeFlags,
    /// As JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Flags of `tools`.
#[derive(Debug, Args)]
pub(crate) struct ToolsArguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Why the program ends with a code other than 0.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What to tell the person.
    pub(crate) message: String,
    /// 1 internal, 2 usage or configuration, 3 authentication, 4 refused by policy.
    pub(crate) code: u8,
}

impl Failure {
    /// A fault of usage or configuration.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// What the system's policy refuses.
    pub(crate) fn policy(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 4 }
    }

    /// A fault of this program or of the system under it.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }
}

/// Runs the chosen command.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Command::Ai(Ai::Mcp(command)) = arguments.command;
    match command {
        Mcp::Tools(arguments) => tools::run(arguments.json),
        Mcp::Doctor(arguments) => doctor::run(&arguments),
        Mcp::Serve(arguments) => serve::run(settings(&arguments)?),
        Mcp::Preview(arguments) => preview::run(settings(&arguments.server)?, arguments.port),
    }
}

fn settings(flags: &ServeFlags) -> Result<Settings, Failure> {
    let configuration = Configuration::read(&flags.connection, &Environment::read(), true)?;
    log::start(configuration.log_level.value);
    for warning in &configuration.warnings {
        // Told at every start, whatever the log leaves out.
        log::tell(&format!("bb: warning: {warning}"));
    }
    settings::of(flags, configuration)
}
