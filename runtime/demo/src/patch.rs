//! Commits as mails, as `git format-patch` writes them.

use std::fmt::Write as _;

use crate::diff::{self, Change, Whitespace};
use crate::history::{Commit, History, Tree};
use crate::state::{LineType, Time};

/// The lines around a change in a patch: git's own number.
const CONTEXT: usize = 3;
/// The longest row of plus and minus signs.
const WIDEST: usize = 60;

/// The mails of some commits, oldest first; merges have none. `author` says
/// name and address of who wrote a commit.
pub(crate) fn mails<'c>(
    history: &History,
    commits: impl Iterator<Item = &'c Commit>,
    author: impl Fn(&Commit) -> (String, String),
) -> String {
    let commits: Vec<&Commit> = commits.filter(|commit| commit.parents.len() < 2).collect();
    let mut out = String::new();
    for (index, commit) in commits.iter().enumerate() {
        let number = match commits.len() {
            1 => String::new(),
            count => format!(" {}/{count}", index + 1),
        };
        let before = commit.parents.first().and_then(|id| history.commit(id));
        let none = Tree::new();
        let changes = diff::changes(before.map_or(&none, |commit| &commit.tree), &commit.tree);
        // Writing to a `String` cannot fail.
        let _ = mail(&mut out, commit, &number, &author(commit), &changes);
    }
    out
}

fn mail(
    out: &mut String,
    commit: &Commit,
    number: &str,
    (name, address): &(String, String),
    changes: &[Change],
) -> std::fmt::Result {
    let (subject, body) = commit.message.split_once("\n\n").unwrap_or((&commit.message, ""));
    let subject = subject.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
    // The date is git's mark of a mail that is none; it is always this one.
    writeln!(out, "From {} Mon Sep 17 00:00:00 2001", commit.id)?;
    writeln!(out, "From: {} <{}>", encoded(name), encoded(address))?;
    writeln!(out, "Date: {}", date(commit.date))?;
    writeln!(out, "Subject: [PATCH{number}] {}\n", encoded(subject.trim()))?;
    if !body.trim().is_empty() {
        writeln!(out, "{}", body.trim_end())?;
    }
    writeln!(out, "---")?;
    statistics(out, changes)?;
    writeln!(out)?;
    for change in changes {
        out.push_str(&diff::unified(change, CONTEXT, Whitespace::Show));
    }
    writeln!(out, "-- \n2.45.0\n")
}

fn statistics(out: &mut String, changes: &[Change]) -> std::fmt::Result {
    let (mut insertions, mut deletions) = (0, 0);
    for change in changes {
        if change.is_binary() {
            writeln!(out, " {} | Bin", change.path().escape_debug())?;
            continue;
        }
        let hunks = change.hunks(0, Whitespace::Show);
        let count = |kind: LineType| {
            hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.kind == kind).count()
        };
        let (added, removed) = (count(LineType::Added), count(LineType::Removed));
        insertions += added;
        deletions += removed;
        let shown = |part: usize| {
            if added + removed <= WIDEST { part } else { (part * WIDEST).div_ceil(added + removed) }
        };
        let row = format!("{}{}", "+".repeat(shown(added)), "-".repeat(shown(removed)));
        writeln!(out, " {} | {} {row}", change.path().escape_debug(), added + removed)?;
    }
    let many =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    write!(out, " {} changed", many(changes.len(), "file"))?;
    if insertions > 0 {
        write!(out, ", {}(+)", many(insertions, "insertion"))?;
    }
    if deletions > 0 {
        write!(out, ", {}(-)", many(deletions, "deletion"))?;
    }
    writeln!(out)
}

/// A header's text: what is no plain text goes out as an encoded word.
fn encoded(text: &str) -> String {
    if text.chars().all(|letter| letter == ' ' || letter.is_ascii_graphic()) {
        return text.to_owned();
    }
    let bytes = text.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("={byte:02X}")
        }
    });
    format!("=?UTF-8?q?{}?=", bytes.collect::<String>())
}

/// A date as mails have it, in universal time.
fn date(time: Time) -> String {
    let seconds = time.div_euclid(1000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let months =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // Years of 366 days begin in March, so that a leap day is the last one.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = (month + 2) % 12;
    let year = year + era * 400 + i64::from(month < 2);
    let named = |names: &[&'static str], index: i64| {
        usize::try_from(index).ok().and_then(|index| names.get(index).copied()).unwrap_or_default()
    };
    format!(
        "{}, {day} {} {year} {:02}:{:02}:{:02} +0000",
        named(&weekday, days.rem_euclid(7)),
        named(&months, month),
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::{date, encoded};

    #[test]
    fn dates_are_those_of_mails() {
        assert_eq!(date(0), "Thu, 1 Jan 1970 00:00:00 +0000");
        assert_eq!(date(951_825_599_000), "Tue, 29 Feb 2000 11:59:59 +0000");
        assert_eq!(date(1_767_225_600_000), "Thu, 1 Jan 2026 00:00:00 +0000");
        assert_eq!(date(1_772_323_200_000), "Sun, 1 Mar 2026 00:00:00 +0000");
    }

    #[test]
    fn what_is_no_plain_text_is_an_encoded_word() {
        assert_eq!(encoded("Ana K."), "Ana K.");
        assert_eq!(encoded("ü\n"), "=?UTF-8?q?=C3=BC=0A?=");
    }
}
