//! Pages as the product cuts them: the limit is lowered to a maximum without a
//! word, and there is no total.

use serde_json::{Map, Value, json};

use crate::errors::Failure;
use crate::query::Query;

/// The most of pull requests and commits one page holds.
pub(crate) const MAXIMUM_SMALL: usize = 100;
/// The most activities one page holds.
pub(crate) const MAXIMUM_ACTIVITIES: usize = 500;
/// The most of anything else one page holds.
pub(crate) const MAXIMUM: usize = 1000;

const DEFAULT_LIMIT: usize = 25;

/// The part of a list that was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) start: usize,
    pub(crate) limit: usize,
}

impl Window {
    pub(crate) fn read(query: &Query, maximum: usize) -> Result<Window, Failure> {
        let start = number(query, "start")?.unwrap_or(0);
        let limit = number(query, "limit")?.unwrap_or(DEFAULT_LIMIT);
        if limit == 0 {
            return Err(Failure::bad_parameter("limit", "The limit must be greater than zero."));
        }
        Ok(Window { start, limit: limit.min(maximum) })
    }

    /// Cuts the page first and leaves out what the caller may not see next, so
    /// that a page may hold less than its limit and still not be the last.
    pub(crate) fn page_of_visible<T>(
        self,
        all: &[T],
        is_visible: impl Fn(&T) -> bool,
        mut shape: impl FnMut(&T) -> Value,
    ) -> Value {
        let mut page = self.page(all, |_| Value::Null);
        let shown: Vec<Value> = all
            .iter()
            .skip(self.start)
            .take(self.limit)
            .filter(|item| is_visible(item))
            .map(&mut shape)
            .collect();
        page["size"] = json!(shown.len());
        page["values"] = Value::Array(shown);
        page
    }

    /// Cuts the page and shapes only the values on it.
    pub(crate) fn page<T>(self, all: &[T], mut shape: impl FnMut(&T) -> Value) -> Value {
        let values: Vec<Value> =
            all.iter().skip(self.start).take(self.limit).map(&mut shape).collect();
        let end = self.start.saturating_add(values.len());
        let last = end >= all.len();
        let mut page = Map::new();
        page.insert("size".into(), json!(values.len()));
        page.insert("limit".into(), json!(self.limit));
        page.insert("isLastPage".into(), json!(last));
        page.insert("values".into(), Value::Array(values));
        page.insert("start".into(), json!(self.start));
        page.insert("nextPageStart".into(), if last { Value::Null } else { json!(end) });
        Value::Object(page)
    }
}

fn number(query: &Query, name: &str) -> Result<Option<usize>, Failure> {
    query
        .get(name)
        .map(|text| {
            text.parse::<u32>().map(|value| value as usize).map_err(|_| {
                Failure::bad_parameter(
                    name,
                    &format!("The value of {name} must be a number that is not negative."),
                )
            })
        })
        .transpose()
}
