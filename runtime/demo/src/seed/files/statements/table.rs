//! Exchange rates by day, read from the rates file.

use std::collections::BTreeMap;

/// A rate in parts per million, so that nothing is ever rounded twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate(pub u64);

/// The rates of one day.
#[derive(Debug, Default)]
pub struct Table {
    rates: BTreeMap<(String, String), Rate>,
}

impl Table {
    pub fn rate(&self, from: &str, to: &str) -> Option<Rate> {
        if from == to {
            return Some(Rate(1_000_000));
        }
        self.rates.get(&(from.to_owned(), to.to_owned())).copied()
    }
}
