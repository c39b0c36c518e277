//! The real binary over real pipes, against a demo Bitbucket whose request log is looked at.

mod cli;
mod configuration;
mod connection;
mod decode;
mod harness;
mod lifecycle;
mod log;
mod network;
mod preview;
mod protocol;
mod scope;
mod tidy;
mod tools;
mod views;
