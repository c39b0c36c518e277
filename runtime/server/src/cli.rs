//! The command line. It decides nothing; it says who does.

use crate::settings::{self, Settings};
use crate::{environment, preview, serve, tools};
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
    Serve(ServeArguments),
    /// Opens a local page that shows what a tool's view looks like.
    Preview(PreviewArguments),
    /// Lists every tool: access, asks, callers, scope rule, operations.
    Tools(ToolsArguments),
}

/// Flags of `serve`. None takes a secret.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Bitbucket's URL; else BITBUCKET_URL.
    #[arg(long, value_name = "URL", conflicts_with = "demo")]
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
}

/// Flags of `preview`.
#[derive(Debug, Args)]
pub(crate) struct PreviewArguments {
    #[command(flatten)]
    server: ServeArguments,
    /// Port on this machine; any free one when left out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
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
        Mcp::Serve(arguments) => serve::run(settings(&arguments)?),
        Mcp::Preview(arguments) => preview::run(settings(&arguments.server)?, arguments.port),
    }
}

fn settings(arguments: &ServeArguments) -> Result<Settings, Failure> {
    let scope = settings::scope(arguments.project.as_deref(), arguments.repo.as_deref())?;
    let deadline = settings::deadline(environment::read("BB_REQUEST_TIMEOUT").as_deref())?;
    let connection = if arguments.demo { None } else { Some(settings::connection(arguments)?) };
    Ok(Settings { connection, scope, deadline })
}
