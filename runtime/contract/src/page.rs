//! Reading a paged listing up to a limit, from any place, yielding each element once.
//!
//! It does not know where pages come from.

use std::future::Future;

/// The most pages one call reads. Narrowing can leave pages empty; a call that has read this
/// many answers with what it has and a cursor.
const MOST_PAGES: usize = 40;

/// A place in a listing: the start of a page as Bitbucket named it, and how many of that page's
/// elements are behind us. Bitbucket's pages may be uneven, so places are never computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    /// `start` of the page.
    pub start: u64,
    /// Elements of that page already taken.
    pub skip: u32,
}

/// One page as it came, narrowed or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page<T> {
    /// Its elements.
    pub values: Vec<T>,
    /// Where the next page starts; `None` on the last.
    pub next: Option<u64>,
}

impl<T> Page<T> {
    /// A page from the members Bitbucket sends. It is the last one when it says so, when it names
    /// no next start, or when that does not lie ahead: some resources never say they are last.
    #[must_use]
    pub fn new(values: Vec<T>, start: u64, last: Option<bool>, next: Option<i64>) -> Self {
        let next = next.and_then(|next| u64::try_from(next).ok()).filter(|next| *next > start);
        Self { values, next: if last == Some(true) { None } else { next } }
    }
}

/// What was read of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// At most as many elements as asked for.
    pub values: Vec<T>,
    /// Where to go on; `None` when there is no more.
    pub next: Option<Position>,
}

/// Reads pages from `from` until `limit` elements that `keep` accepts are there.
///
/// `fetch` is given the start and how many elements to ask for.
///
/// # Errors
/// Whatever `fetch` fails with.
pub async fn list<T, E, Answer>(
    limit: usize,
    from: Position,
    keep: impl Fn(&T) -> bool,
    fetch: impl Fn(u64, u64) -> Answer,
) -> Result<Listed<T>, E>
where
    Answer: Future<Output = Result<Page<T>, E>>,
{
    let mut taken = Vec::with_capacity(limit.min(100));
    let mut place = from;
    for _ in 0..MOST_PAGES {
        let ask = (limit - taken.len()) as u64 + u64::from(place.skip);
        let page = fetch(place.start, ask).await?;
        for (index, value) in page.values.into_iter().enumerate().skip(place.skip as usize) {
            if taken.len() == limit {
                let skip = u32::try_from(index).unwrap_or(u32::MAX);
                return Ok(Listed { values: taken, next: Some(Position { skip, ..place }) });
            }
            if keep(&value) {
                taken.push(value);
            }
        }
        match page.next {
            None => return Ok(Listed { values: taken, next: None }),
            Some(start) => place = Position { start, skip: 0 },
        }
        if taken.len() == limit {
            break;
        }
    }
    Ok(Listed { values: taken, next: Some(place) })
}

#[cfg(test)]
mod tests {
    use super::{Listed, Page, Position, list};
    use proptest::prelude::*;
    use std::convert::Infallible;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// Runs a future that never waits.
    fn run<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => unreachable!("nothing here waits"),
        }
    }

    /// A listing of `total` numbers that hides every third and lowers the limit to `most`,
    /// as a server does that drops what the caller may not see.
    fn serve(total: u64, most: u64, start: u64, limit: u64) -> Page<u64> {
        let end = total.min(start + limit.min(most));
        let values = (start..end).filter(|number| number % 3 != 1).collect();
        Page::new(values, start, Some(end >= total), Some(end as i64))
    }

    fn read(total: u64, most: u64, limit: usize, from: Position, kept: u64) -> Listed<u64> {
        let fetch = async |start, ask| Ok::<_, Infallible>(serve(total, most, start, ask));
        run(list(limit, from, |number| number % kept == 0, fetch)).expect("it cannot fail")
    }

    proptest! {
        #[test]
        fn walking_by_cursor_yields_each_element_once(
            total in 0_u64..300, most in 1_u64..40, limit in 1_usize..50, kept in 1_u64..5,
        ) {
            let all: Vec<u64> = (0..total).filter(|n| n % 3 != 1 && n % kept == 0).collect();
            let (mut seen, mut from) = (Vec::new(), Position::default());
            for _ in 0..=total + 1 {
                let page = read(total, most, limit, from, kept);
                prop_assert!(page.values.len() <= limit);
                seen.extend(page.values);
                match page.next { Some(next) => from = next, None => break }
            }
            prop_assert_eq!(seen, all);
        }
    }

    #[test]
    fn a_resource_that_never_says_it_is_last_ends() {
        let page = Page::new(vec![1], 0, Some(false), Some(0));
        assert_eq!(page.next, None);
        assert_eq!(Page::new(vec![1], 5, None, None).next, None);
        assert_eq!(Page::new(vec![1], 5, Some(false), Some(-1)).next, None);
        assert_eq!(Page::new(vec![1], 5, Some(true), Some(9)).next, None);
        assert_eq!(Page::new(vec![1], 5, Some(false), Some(9)).next, Some(9));
    }
}
