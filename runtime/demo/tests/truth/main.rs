//! The demo held against what is known of the product: its document, answers
//! recorded from running instances, clients others wrote, and rules that hold
//! after any writes.

mod clients;
mod differences;
mod document;
mod http;
mod random;
mod recorded;
mod recorded_differences;
mod rules;
mod schema;
mod session;
