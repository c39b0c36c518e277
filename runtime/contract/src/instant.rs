//! Points in time as text. No clock is read here.

/// RFC 3339 in UTC with whole seconds, of milliseconds since 1970.
///
/// `None` outside the years 0 to 9999, which RFC 3339 cannot write.
#[must_use]
pub fn from_milliseconds(milliseconds: i64) -> Option<String> {
    let seconds = milliseconds.div_euclid(1000);
    let days = seconds.div_euclid(86_400);
    let second_of_day = seconds.rem_euclid(86_400);
    let (year, month, day) = civil_from_days(days);
    if !(0..=9999).contains(&year) {
        return None;
    }
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second_of_day / 3600,
        second_of_day / 60 % 60,
        second_of_day % 60
    ))
}

/// Milliseconds since 1970 of an ISO 8601 date and time with an offset.
///
/// `None` for anything else, also for a date alone.
#[must_use]
pub fn to_milliseconds(text: &str) -> Option<i64> {
    let (date, rest) = text.trim().split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(number);
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let split = rest.find(['Z', 'z', '+', '-'])?;
    let (time, offset) = rest.split_at(split);
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut whole = whole.splitn(3, ':').map(number);
    let (hour, minute, second) = (whole.next()??, whole.next()??, whole.next().unwrap_or(Some(0))?);
    let offset = offset_minutes(offset)?;
    if !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
        || hour > 24
        || minute > 59
        || second > 60
    {
        return None;
    }
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    let seconds =
        days_from_civil(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
    Some(seconds * 1000 + number(&digits)?)
}

fn number(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// `Z`, `+02:00`, `+0200` or `+02` in minutes.
fn offset_minutes(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text[1..].chars().filter(|letter| *letter != ':').collect();
    let hours = number(digits.get(..2)?)?;
    let minutes = digits.get(2..).filter(|rest| !rest.is_empty()).map_or(Some(0), number)?;
    Some(sign * (hours * 60 + minutes))
}

/// Days since 1970-01-01, the inverse of [`civil_from_days`].
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let cycle = year.div_euclid(400);
    let year_of_cycle = year.rem_euclid(400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    cycle * 146_097 + year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year
        - 719_468
}

/// The proleptic Gregorian date of a count of days since 1970-01-01, by counting
/// 400-year cycles of years that begin in March, so that the leap day comes last.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let day_of_cycle = shifted.rem_euclid(146_097);
    let year_of_cycle =
        (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_cycle + cycle * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{from_milliseconds, to_milliseconds};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_second_survives_being_written_and_read(second in -62_167_219_200_i64..253_402_300_800) {
            let text = from_milliseconds(second * 1000).expect("a year of four digits");
            prop_assert_eq!(to_milliseconds(&text), Some(second * 1000));
        }

        #[test]
        fn any_text_is_answered(text: String) {
            let _ = to_milliseconds(&text);
        }
    }

    #[test]
    fn dates_around_the_edges_of_the_calendar_are_right() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
            (253_402_300_799_000, "9999-12-31T23:59:59Z"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(from_milliseconds(milliseconds).as_deref(), Some(text));
        }
        assert_eq!(from_milliseconds(253_402_300_800_000), None);
        assert_eq!(from_milliseconds(i64::MAX), None);
        assert_eq!(from_milliseconds(i64::MIN), None);
    }
}
