//! Times of day and lengths as people type them: "2pm", "kl 14.30", "halv tre", "one and a half hours".

use std::ops::Range;

use super::{calendar::Sense, lexicon::Lexicon, numerals::number_at, tokens::Token};

/// A time of day, and how long it lasts if a range was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundTime {
    pub(super) minutes: u32,
    pub(super) length: Option<u32>,
    /// The first token.
    pub(super) start: usize,
    /// The token after the last.
    pub(super) end: usize,
}

impl FoundTime {
    /// As `HH:MM`.
    pub(super) fn shown(self) -> String {
        format!("{:02}:{:02}", self.minutes / 60, self.minutes % 60)
    }
}

/// No meeting lasts longer than so many hours; "16h" is a time.
const LONGEST: u32 = 10;
/// A day has so many minutes.
const DAY: u32 = 24 * 60;

/// The first time of day that is named outside of `taken`.
pub(super) fn find_time(tokens: &[Token<'_>], taken: Option<&Range<usize>>) -> Option<FoundTime> {
    let free = |at: &usize| taken.is_none_or(|taken| !taken.contains(at));
    let (start, (minutes, mut end)) =
        (0..tokens.len()).filter(free).find_map(|at| Some((at, time_at(tokens, at, false)?)))?;
    let until = end + to_length(tokens, end).unwrap_or(0);
    let ranged = tokens.get(end).is_some_and(|token| matches!(token.before.trim(), "-" | "–"));
    let mut length = None;
    if until > end || ranged {
        let later = time_at(tokens, until, true);
        if let Some((stop, after)) = later {
            let stop = if stop < minutes { stop + 12 * 60 } else { stop };
            length = Some(stop - minutes).filter(|length| (5..=8 * 60).contains(length));
            if length.is_some() {
                end = after;
            }
        }
    }
    Some(FoundTime { minutes, length, start, end })
}

fn to_length(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    Lexicon::get().calendar.at(Sense::To, tokens, at)
}

/// The time at a token, and the token after it. `bare`: a number alone is a time too.
fn time_at(tokens: &[Token<'_>], at: usize, bare: bool) -> Option<(u32, usize)> {
    let lexicon = Lexicon::get();
    let calendar = &lexicon.calendar;
    let spoken = |token: &Token<'_>| token.number().or_else(|| lexicon.number(&token.text));
    // "kvart over ett": nothing follows that the article could belong to.
    let last = |at: usize| tokens.get(at + 1).is_none_or(Token::is_after_break);
    for (sense, minutes) in
        [(Sense::HalfPast, 30_i64), (Sense::HalfTo, -30), (Sense::QuarterPast, 15), (Sense::QuarterTo, -15)]
    {
        if let Some(length) = calendar.at(sense, tokens, at)
            && let Some(hour) = tokens
                .get(at + length)
                .filter(|token| !lexicon.is_article(&token.text) || last(at + length))
                .and_then(spoken)
            && (1..=24).contains(&hour)
        {
            let total = u32::try_from(i64::from(hour) * 60 + minutes).ok()?;
            return Some(half_day(total, false, tokens, at + length + 1));
        }
    }
    if let Some(length) = calendar.at(Sense::Noon, tokens, at) {
        return Some((12 * 60, at + length));
    }
    let token = tokens.get(at)?;
    let after_cue = calendar.ends_before(Sense::At, tokens, at) || bare;
    let number = token.number();
    let hour = number.filter(|hour| *hour < 24 && token.text.len() <= 2);
    // "14:30", "14.30".
    if let (Some(hour), Some(next)) = (hour, tokens.get(at + 1))
        && next.text.len() == 2
        && let Some(minute) = next.number().filter(|minute| *minute < 60)
        && matches!(next.before, ":" | ".")
    {
        let certain = next.before == ":"
            || after_cue
            || calendar.at(Sense::OClock, tokens, at + 2).is_some()
            || minute == 0
            || minute > 12;
        let more = tokens.get(at + 2).is_some_and(|token| token.before == "." && token.number().is_some());
        if certain && !more {
            let zero = token.text.starts_with('0');
            return Some(half_day(hour * 60 + minute, zero, tokens, at + 2));
        }
    }
    // "0930", "kl 1430".
    if let Some(clock) = number.filter(|clock| token.text.len() == 4 && clock / 100 < 24 && clock % 100 < 60)
        && (after_cue || token.text.starts_with('0') || clock % 15 == 0 && !(2000..2100).contains(&clock))
    {
        return Some(half_day(clock / 100 * 60 + clock % 100, true, tokens, at + 1));
    }
    let hour = hour.or_else(|| {
        let spoken = lexicon.number(&token.text).filter(|_| !token.plain);
        // "um eine Einladung bitten" names no hour.
        let article = lexicon.is_article(&token.text) && calendar.at(Sense::OClock, tokens, at + 1).is_none();
        spoken.filter(|hour| *hour > 0 && after_cue && !article)
    });
    let hour = hour?;
    // "10 bis 11 Uhr".
    let ranged = to_length(tokens, at + 1).is_some_and(|length| {
        tokens.get(at + 1 + length).is_some_and(|token| token.number().is_some_and(|hour| hour < 25))
            && calendar.at(Sense::OClock, tokens, at + 2 + length).is_some()
    });
    if !bare && ranged && number.is_some() {
        return Some(half_day(hour * 60, token.text.starts_with('0'), tokens, at + 1));
    }
    // "14-15.30": the end says that it is a time.
    if !bare
        && tokens.get(at + 1).is_some_and(|next| matches!(next.before.trim(), "-" | "–"))
        && (tokens.get(at + 2).is_some_and(|last| matches!(last.before, ":" | ".") && last.text.len() == 2)
            && time_at(tokens, at + 1, true).is_some_and(|(_, end)| end == at + 3)
            || calendar.at(Sense::OClock, tokens, at + 2).is_some())
    {
        return Some(half_day(hour * 60, token.text.starts_with('0'), tokens, at + 1));
    }
    // "16h30", "9 Uhr 30", "neun Uhr dreißig".
    if let Some(length) = calendar.at(Sense::OClock, tokens, at + 1).or_else(|| {
        let glued = tokens.get(at + 1).is_some_and(|next| next.before.is_empty() && next.text == "h");
        glued.then_some(1)
    }) && let Some((minute, end)) = number_at(tokens, at + 1 + length)
        && (5..60).contains(&minute)
        && tokens.get(at + 1 + length).is_some_and(|next| matches!(next.before, "" | " "))
        && calendar.at(Sense::Minute, tokens, end).is_none()
    {
        return Some(half_day(hour * 60 + minute, false, tokens, end));
    }
    // "14h": no meeting is as long.
    let late = number.is_some_and(|hour| hour > LONGEST)
        && tokens.get(at + 1).is_some_and(|next| next.before.is_empty() && next.text == "h");
    let marked = late
        || [Sense::Am, Sense::Pm, Sense::OClock]
            .into_iter()
            .any(|sense| calendar.at(sense, tokens, at + 1).is_some());
    let unit = [Sense::Hour, Sense::Minute, Sense::Days, Sense::Week]
        .into_iter()
        .any(|sense| calendar.at(sense, tokens, at + 1).is_some());
    let next = tokens.get(at + 1);
    let dated = next.is_some_and(|token| {
        calendar.month(&token.text).is_some()
            || (matches!(token.before, "." | "/" | ". ") && token.number().is_some() && !bare)
            || calendar.at(Sense::OrdinalEnding, tokens, at + 1).is_some()
    });
    if marked || (after_cue && !unit && !dated) {
        let zero = token.text.starts_with('0');
        return Some(half_day(hour * 60, zero, tokens, at + 1));
    }
    None
}

/// Working hours decide where nobody says whether it is morning or afternoon.
fn half_day(minutes: u32, certain: bool, tokens: &[Token<'_>], end: usize) -> (u32, usize) {
    let calendar = &Lexicon::get().calendar;
    let mut end = end;
    if let Some(length) = calendar.at(Sense::OClock, tokens, end) {
        end += length;
    }
    if let Some(length) = calendar.at(Sense::Pm, tokens, end) {
        let minutes = if minutes < 12 * 60 { minutes + 12 * 60 } else { minutes };
        return (minutes % DAY, end + length);
    }
    // "um zwei am Dienstag" is German, and no morning.
    let dated = tokens.get(end).is_some_and(|token| token.text == "am")
        && tokens
            .get(end + 1)
            .is_some_and(|next| calendar.weekday(&next.text).is_some() || next.number().is_some());
    if let Some(length) = calendar.at(Sense::Am, tokens, end).filter(|_| !dated) {
        return (minutes % (12 * 60), end + length);
    }
    let afternoon = !certain && (30..7 * 60).contains(&minutes);
    (if afternoon { minutes + 12 * 60 } else { minutes } % DAY, end)
}

/// The first length that is named, in minutes, and its tokens.
pub(super) fn find_length(tokens: &[Token<'_>]) -> Option<(u32, Range<usize>)> {
    let lexicon = Lexicon::get();
    let calendar = &lexicon.calendar;
    for at in 0..tokens.len() {
        for (sense, minutes) in [(Sense::HourAndHalf, 90), (Sense::HalfHour, 30)] {
            if let Some(length) = calendar.at(sense, tokens, at) {
                return Some((minutes, at..at + length));
            }
        }
        if let Some(length) = lexicon.phrase_at("hour_and_quarter", tokens, at) {
            return Some((75, at..at + length));
        }
        if let Some(length) = lexicon.phrase_at("three_quarters", tokens, at) {
            return Some((45, at..at + length));
        }
    }
    for at in 0..tokens.len() {
        let Some((tenths, end)) = quantity(tokens, at) else { continue };
        if calendar.at(Sense::Minute, tokens, end).is_some() {
            return Some((tenths / 10, at..end + 1));
        }
        if let Some(length) = calendar.at(Sense::Hour, tokens, end).filter(|_| tenths <= 10 * LONGEST) {
            let end = end + length;
            let more = quantity(tokens, end)
                .filter(|(_, after)| calendar.at(Sense::Minute, tokens, *after).is_some())
                .map(|(tenths, after)| (tenths / 10, after + 1));
            let (minutes, end) = more.unwrap_or((0, end));
            return Some((tenths * 6 + minutes, at..end));
        }
    }
    None
}

/// A number in tenths, and the token after it: "1.5", "1,5", "two".
fn quantity(tokens: &[Token<'_>], at: usize) -> Option<(u32, usize)> {
    let (whole, end) = number_at(tokens, at).filter(|(count, _)| *count < 1000)?;
    let fraction = tokens
        .get(end)
        .filter(|next| matches!(next.before, "." | ",") && next.text.len() == 1)
        .and_then(Token::number);
    match fraction {
        Some(fraction) => Some((whole * 10 + fraction, end + 1)),
        None => Some((whole * 10, end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::tokens::tokens;

    #[test]
    fn times_are_read_as_people_type_them() {
        for (text, time) in [
            ("Thursday at 2pm", "14:00"),
            ("at 10", "10:00"),
            ("at half past two", "14:30"),
            ("at half two", "14:30"),
            ("14:30", "14:30"),
            ("quarter past ten", "10:15"),
            ("11am", "11:00"),
            ("at noon", "12:00"),
            ("09.00", "09:00"),
        ] {
            let found = find_time(&tokens(text), None).map(FoundTime::shown);
            assert_eq!(found.as_deref(), Some(time), "{text}");
        }
        for text in ["24 November", "3 positions", "60 minutes", "2140 ad views", ""] {
            assert_eq!(find_time(&tokens(text), None), None, "{text}");
        }
        let ranged = find_time(&tokens("25/11 13:00-14:30"), Some(&(0..2)));
        assert_eq!(ranged.map(|found| (found.minutes, found.length)), Some((780, Some(90))));
    }

    #[test]
    fn lengths_are_read_as_people_type_them() {
        for (text, minutes) in [
            ("one hour", 60),
            ("an hour and a half", 90),
            ("1.5 hours", 90),
            ("45 min", 45),
            ("half an hour", 30),
            ("1h 15m", 75),
            ("three quarters of an hour", 45),
            ("an hour and a quarter", 75),
        ] {
            assert_eq!(find_length(&tokens(text)).map(|(minutes, _)| minutes), Some(minutes), "{text}");
        }
        assert_eq!(find_length(&tokens("at 2pm")), None);
    }
}
