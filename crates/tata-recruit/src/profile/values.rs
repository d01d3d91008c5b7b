//! The values in a line of notes by which it can be held against another: sums, days, hours.

use std::ops::Range;

use tata_guided::{answer, sort::Place};
use tata_phrases::whole_words;

use super::rivals::Subject;
use crate::{
    Language,
    lists::{
        VALUES_APPLY, VALUES_CEILING, VALUES_DAY, VALUES_EVERY, VALUES_HOME, VALUES_HOUR, VALUES_NEGATED,
        VALUES_OFFICE, VALUES_OR, VALUES_PAID, VALUES_START, VALUES_WEEKEND,
    },
};

/// A longer line is a paragraph, and speaks of many things.
const LONGEST: usize = 500;
/// Fewer hours are no week of work, more nobody works.
const HOURS: std::ops::RangeInclusive<u64> = 15..=60;
/// The days of a week of work.
const WEEK: u64 = 5;
/// No pay has fewer, in thousands or as it is.
const LEAST_SUM: u64 = 20;
const THOUSAND: u64 = 1_000;

/// What a line says of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) subject: Subject,
    /// The values that it says hold.
    holds: Vec<Figure>,
    /// Those that it says do not.
    denied: Vec<Figure>,
}

/// A value and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Figure {
    value: u64,
    at: Range<usize>,
    /// It is what another number leaves of a week, and stands nowhere.
    derived: bool,
}

/// A word with its marks off.
struct Word<'t> {
    text: String,
    written: &'t str,
    at: Range<usize>,
}

impl Claim {
    /// Whether a claim of a later line cannot hold beside this one of an earlier.
    pub(super) fn contradicts(&self, earlier: &Self) -> bool {
        let says = |claim: &Self, value: u64| claim.holds.iter().any(|figure| figure.value == value);
        if self.denied.iter().any(|figure| says(earlier, figure.value)) {
            return true;
        }
        let shared = self.holds.iter().any(|figure| says(earlier, figure.value));
        match self.subject {
            Subject::Pay => {
                let near = |figure: &Figure| {
                    earlier
                        .holds
                        .iter()
                        .any(|known| known.value <= figure.value * 2 && figure.value <= known.value * 2)
                };
                !shared && self.holds.iter().any(near)
            }
            Subject::Start | Subject::Apply | Subject::Hours | Subject::Home | Subject::Weekend => {
                !shared && !self.holds.is_empty() && !earlier.holds.is_empty()
            }
        }
    }

    /// Whether two values of this subject contradict each other wherever they stand; weekends may be of two duties.
    pub(super) fn is_plain(&self) -> bool {
        self.subject != Subject::Weekend
    }
}

/// What a line says, subject by subject.
pub(super) fn claims(text: &str, place: Option<Place>, language: Language) -> Vec<Claim> {
    if text.len() > LONGEST {
        return Vec::new();
    }
    let words = words(text);
    let mut claims = Vec::new();
    for subject in Subject::ALL {
        let figures = match subject {
            Subject::Pay => sums(text, &words, place),
            Subject::Start => days(&words, &VALUES_START, place, language),
            Subject::Apply => days(&words, &VALUES_APPLY, place, language),
            Subject::Hours => hours(&words),
            Subject::Home => at_home(text, &words, language),
            Subject::Weekend => weekends(&words, language),
        };
        let (denied, holds): (Vec<Figure>, Vec<Figure>) =
            figures.into_iter().partition(|figure| is_denied(&words, figure));
        if !(holds.is_empty() && denied.is_empty()) {
            claims.push(Claim { subject, holds, denied });
        }
    }
    claims
}

/// An earlier text with the value of a later one: "jedes 4. WE" with "jedes 5." is "jedes 5. WE". None where the values are
/// not of one shape, or the text would not say the same with it.
pub(super) fn replaced(text: &str, earlier: &Claim, correction: &str, later: &Claim) -> Option<String> {
    let denied = |figure: &&Figure| later.denied.iter().any(|other| other.value == figure.value);
    let new = later.holds.last()?;
    let old = match earlier.holds.iter().find(denied) {
        Some(old) => old,
        // The upper end of a pay is what a later sum corrects.
        None => earlier.holds.last()?,
    };
    let has_new = earlier.holds.iter().any(|figure| figure.value == new.value);
    if has_new {
        return without_choice(text, old);
    }
    if old.derived != new.derived {
        return None;
    }
    let (old_text, new_text) = (text.get(old.at.clone())?, correction.get(new.at.clone())?);
    let new_text = later.written(new, new_text, old_text, old.value)?;
    let (before, after) = (text.get(..old.at.start)?, text.get(old.at.end..)?);
    Some(format!("{before}{new_text}{after}"))
}

impl Claim {
    /// A value as another one of the same subject is written.
    fn written(&self, new: &Figure, new_text: &str, like: &str, old: u64) -> Option<String> {
        match self.subject {
            // Days are written in too many ways: the later line stands for itself.
            Subject::Start | Subject::Apply => None,
            Subject::Pay => sum_like(new.value, old, like),
            Subject::Hours | Subject::Home | Subject::Weekend => {
                let is_digits = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
                (is_digits(like) == is_digits(new_text)).then(|| new_text.to_owned())
            }
        }
    }
}

/// "58,000" with 60 000 is "60,000", and "58" with it "60".
fn sum_like(new: u64, old: u64, like: &str) -> Option<String> {
    let digits: String = like.chars().filter(char::is_ascii_digit).collect();
    let short = digits.parse::<u64>().ok()? != old;
    let value = if short { new.checked_div(THOUSAND)? } else { new };
    let value = value.to_string();
    if value.len() != digits.len() {
        return None;
    }
    let mut new = value.chars();
    Some(
        like.chars()
            .map(|letter| if letter.is_ascii_digit() { new.next().unwrap_or(letter) } else { letter })
            .collect(),
    )
}

/// "37 h (or 32 if it is the right one)" without the second.
fn without_choice(text: &str, old: &Figure) -> Option<String> {
    let before = text.get(..old.at.start)?;
    let open = before.rfind('(').filter(|open| !before.get(*open..).unwrap_or_default().contains(')'));
    if let Some(open) = open {
        let close = text.get(open..)?.find(')').map_or(text.len(), |at| open + at + 1);
        return Some(joined(text.get(..open)?, text.get(close..)?));
    }
    let words = words(before);
    let or = words.iter().rev().find(|word| VALUES_OR.contains(&word.text.as_str()) || word.text == "/")?;
    let end = text.get(old.at.end..)?.find([',', ';']).map_or(text.len(), |at| old.at.end + at);
    Some(joined(text.get(..or.at.start)?, text.get(end..)?))
}

fn joined(before: &str, after: &str) -> String {
    let before = before.trim_end();
    format!("{before}{}", if after.trim().is_empty() { "" } else { after })
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let parts = text.split_inclusive(|letter: char| letter.is_whitespace() || "/(–-".contains(letter));
    for part in parts {
        let bare = part.trim_matches(|letter: char| !letter.is_alphanumeric());
        if let Some(at) = part.find(bare).filter(|_| !bare.is_empty()) {
            let at = start + at..start + at + bare.len();
            found.push(Word { text: bare.to_lowercase(), written: part, at });
        }
        start += part.len();
    }
    found
}

fn number(word: &str, language: Language) -> Option<u64> {
    let digits = word.trim_end_matches(['.', ':']);
    let counted = digits.parse().ok();
    counted.or_else(|| answer::number(word, language)).or_else(|| answer::ordinal(word, language))
}

/// Whether "not" stands right before a figure.
fn is_denied(words: &[Word<'_>], figure: &Figure) -> bool {
    let at = words.partition_point(|word| word.at.end <= figure.at.start);
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    before.is_some_and(|word| VALUES_NEGATED.contains(&word.text.as_str()))
}

/// The figures behind which a unit stands, and those that are said not to hold or to be another possibility beside them.
fn counted(words: &[Word<'_>], unit: &[&str], language: Option<Language>) -> Vec<Figure> {
    let value = |word: &Word<'_>| match language {
        Some(language) => number(&word.text, language),
        None => word.text.replace(',', ".").split('.').next().and_then(|digits| digits.parse().ok()),
    };
    let mut found: Vec<Figure> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(value) = value(word) else { continue };
        let next = words.get(at + 1).is_some_and(|next| unit.contains(&next.text.as_str()));
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.text.as_str());
        let beside = before.is_some_and(|word| VALUES_NEGATED.contains(&word) || VALUES_OR.contains(&word));
        if next || beside && !found.is_empty() {
            found.push(Figure { value, at: word.at.clone(), derived: false });
        }
    }
    found
}

fn hours(words: &[Word<'_>]) -> Vec<Figure> {
    let mut found = counted(words, &VALUES_HOUR, None);
    found.retain(|figure| HOURS.contains(&figure.value));
    found
}

/// Days away from the office; those in it are the rest of a week.
fn at_home(text: &str, words: &[Word<'_>], language: Language) -> Vec<Figure> {
    let has = |range: &Range<usize>, list: &[&str]| {
        words.iter().any(|word| {
            range.start <= word.at.start && word.at.end <= range.end && list.contains(&word.text.as_str())
        })
    };
    let whole = 0..text.len();
    let (home, office) = (has(&whole, &VALUES_HOME), has(&whole, &VALUES_OFFICE));
    if !(home || office) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for figure in counted(words, &VALUES_DAY, Some(language)) {
        let clause = clause(text, &figure.at);
        let at_home = has(&clause, &VALUES_HOME) || home && !office;
        let in_office = has(&clause, &VALUES_OFFICE) || office && !home;
        match (at_home, in_office) {
            (true, _) => found.push(figure),
            (false, true) if figure.value <= WEEK => {
                found.push(Figure { value: WEEK - figure.value, derived: true, ..figure });
            }
            (false, true | false) => {}
        }
    }
    found.retain(|figure| figure.value <= WEEK);
    found
}

/// The part of a line between commas that a figure stands in.
fn clause(text: &str, at: &Range<usize>) -> Range<usize> {
    let ends = [',', ';', '(', ')'];
    let start = text.get(..at.start).and_then(|before| before.rfind(ends)).map_or(0, |at| at + 1);
    let end = text.get(at.end..).and_then(|after| after.find(ends)).map_or(text.len(), |end| at.end + end);
    start..end
}

/// "Every fourth weekend".
fn weekends(words: &[Word<'_>], language: Language) -> Vec<Figure> {
    if !words.iter().any(|word| VALUES_WEEKEND.contains(&word.text.as_str())) {
        return Vec::new();
    }
    let pairs = words.iter().zip(words.iter().skip(1));
    let every = pairs.filter(|(every, _)| VALUES_EVERY.contains(&every.text.as_str()));
    every
        .filter_map(|(_, word)| {
            let digits: String = word.text.chars().take_while(char::is_ascii_digit).collect();
            let value = digits.parse().ok().or_else(|| number(&word.text, language))?;
            let end = if digits.is_empty() { word.at.end } else { word.at.start + digits.len() };
            Some(Figure { value, at: word.at.start..end, derived: false })
        })
        .collect()
}

/// Days of a month behind a word such as "start": the month and the day in one number.
fn days(words: &[Word<'_>], cues: &[&str], place: Option<Place>, language: Language) -> Vec<Figure> {
    let named = words.iter().any(|word| cues.contains(&word.text.as_str()));
    let fits = place.is_none_or(|place| {
        [Place::Date, Place::Employment, Place::Company, Place::Place, Place::Team, Place::Out]
            .contains(&place)
    });
    if !(named && fits) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        let ends = |other: &Word<'_>| word.at.start..other.at.end;
        let digits = |word: &Word<'_>| word.text.parse::<u64>().ok();
        if let Some((month, day)) = answer::month(&word.text, language).zip(next.and_then(&digits)) {
            // "1 March 2027" has its day before the month.
            if day <= 31 && at.checked_sub(1).and_then(|at| words.get(at)).and_then(&digits).is_none() {
                found.push(Figure {
                    value: month * 100 + day,
                    at: word.at.start..next.map_or(word.at.end, |next| next.at.end),
                    derived: false,
                });
            }
        } else if let Some(day) = digits(word).filter(|day| (1..=31).contains(day)) {
            let Some(next) = next else { continue };
            let slashed = word.written.ends_with('/');
            let month = answer::month(&next.text, language).or_else(|| {
                next.text.split('.').next().and_then(|text| text.parse().ok()).filter(|_| slashed)
            });
            found.extend(month.filter(|month| *month <= 12).map(|month| Figure {
                value: month * 100 + day,
                at: ends(next),
                derived: false,
            }));
        } else if let Some((day, month)) = dotted(&word.text) {
            found.push(Figure { value: month * 100 + day, at: word.at.clone(), derived: false });
        }
    }
    found
}

/// "1.3.27", "01.03.2027", "1.3".
fn dotted(word: &str) -> Option<(u64, u64)> {
    let mut parts = word.split('.');
    let (day, month) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    ((1..=31).contains(&day) && (1..=12).contains(&month)).then_some((day, month))
}

/// Sums of a line about pay. What somebody could go to within the house is none of them.
fn sums(text: &str, words: &[Word<'_>], place: Option<Place>) -> Vec<Figure> {
    let paid = |word: &Word<'_>| {
        VALUES_PAID
            .iter()
            .any(|cue| word.text.starts_with(cue) && word.text.chars().count() <= cue.chars().count() + 5)
    };
    if place != Some(Place::Pay) && !words.iter().any(paid) || is_ceiling(text) {
        return Vec::new();
    }
    let mut found: Vec<Figure> = Vec::new();
    let mut rest = text;
    let mut start = 0;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (value, length) = sum(rest.get(at..).unwrap_or_default());
        let end = start + at + length;
        let after = text.get(end..).unwrap_or_default().trim_start();
        if !after.starts_with('%') {
            found.push(Figure { value, at: start + at..end, derived: false });
        }
        start = end;
        rest = text.get(end..).unwrap_or_default();
    }
    let large = found.iter().any(|figure| figure.value >= THOUSAND);
    for figure in &mut found {
        // "38-42.000", "34–38k", "39–43'": all ends are in thousands.
        let short = text
            .get(figure.at.end..)
            .is_some_and(|after| after.starts_with(['k', 'K', '\'', '’', '–', '-', ' ']));
        if figure.value < THOUSAND && (short || !large) {
            figure.value *= THOUSAND;
        }
    }
    found.retain(|figure| figure.value >= LEAST_SUM * THOUSAND);
    found
}

/// A sum that a text begins with, with its thousands apart, and how many bytes it has.
fn sum(text: &str) -> (u64, usize) {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let mut end = digits(text);
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let Some(mark) =
            rest.chars().next().filter(|mark| matches!(mark, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}'))
        else {
            break;
        };
        let group = rest.get(mark.len_utf8()..).unwrap_or_default();
        if digits(group) != 3 {
            break;
        }
        end += mark.len_utf8() + 3;
    }
    let written: String = text.get(..end).unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    (written.parse().unwrap_or_default(), end)
}

/// Whether a line says how far somebody could go: no pay that anybody offers.
pub(super) fn is_ceiling(text: &str) -> bool {
    let text = format!(" {} ", text.to_lowercase());
    VALUES_CEILING.iter().any(|cue| whole_words(&text, cue).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(first: &str, last: &str, subject: Subject, language: Language) -> Option<String> {
        let of = |text: &str, place| {
            claims(text, place, language).into_iter().find(|claim| claim.subject == subject)
        };
        let place = (subject == Subject::Pay).then_some(Place::Pay);
        let (first_claim, last_claim) = (of(first, place)?, of(last, None)?);
        if !last_claim.contradicts(&first_claim) {
            return None;
        }
        Some(replaced(first, &first_claim, last, &last_claim).unwrap_or_else(|| last.to_owned()))
    }

    /// Notes said 32 and then 37 hours, 2 days at home and then 1, every 4th weekend and then every 5th.
    #[test]
    fn a_later_value_takes_the_place_of_an_earlier_one() {
        for (language, subject, first, last, expected) in [
            (
                Language::Da,
                Subject::Hours,
                "fast, 37 t (el. 32 hvis det er den rigtige)",
                "stillingen er forresten 37 t, ikke 32 (Dorthe)",
                "fast, 37 t",
            ),
            (
                Language::No,
                Subject::Home,
                "team 3 + Terje, Fornebu, 2 dg hjemme",
                "hjemme: nei, det er 1 dag, ikke 2 (Terje rettet)",
                "team 3 + Terje, Fornebu, 1 dg hjemme",
            ),
            (
                Language::De,
                Subject::Weekend,
                "Schicht 6–14 / 13–21, jedes 4. WE",
                "WE doch nur jedes 5. (Voß korrigiert)",
                "Schicht 6–14 / 13–21, jedes 5. WE",
            ),
            (
                Language::En,
                Subject::Home,
                "on site 5 days a wk",
                "1 day from home is OK",
                "1 day from home is OK",
            ),
            (
                Language::Sv,
                Subject::Pay,
                "Lönen ligger mellan 48 000 och 54 000 kr i månaden.",
                "HR säger att taket är 53 000, så utgå från det.",
                "Lönen ligger mellan 48 000 och 53 000 kr i månaden.",
            ),
            (
                Language::Da,
                Subject::Pay,
                "Lønnen er 41.000-46.000 kr. om måneden plus 11 % i pension.",
                "I budgettet står der 44.000 som loft",
                "Lønnen er 41.000-44.000 kr. om måneden plus 11 % i pension.",
            ),
            (
                Language::De,
                Subject::Pay,
                "68.000 bis 76.000 Euro brutto im Jahr plus 8 % Zielbonus.",
                "die Eingruppierung gebe nur 74.000 her",
                "68.000 bis 74.000 Euro brutto im Jahr plus 8 % Zielbonus.",
            ),
            (
                Language::En,
                Subject::Start,
                "in place by 1 March 2027",
                "Oh, and the start: 1 February would be even better",
                "Oh, and the start: 1 February would be even better",
            ),
        ] {
            assert_eq!(merged(first, last, subject, language).as_deref(), Some(expected), "{first} / {last}");
        }
        for (language, subject, first, last) in [
            (
                Language::Sv,
                Subject::Pay,
                "lön 39–43' /mån",
                "lön igen: Petra har egentligen utrymme till 45 men skriv 43",
            ),
            (
                Language::En,
                Subject::Pay,
                "DKK 52,000 to 58,000 a month",
                "for somebody who knows it I could go to 60,000",
            ),
            (Language::De, Subject::Home, "Zwei Tage Büro, drei Tage mobil", "drei Tage zuhause"),
            (Language::En, Subject::Hours, "37 hours", "shifts of 8 hours"),
        ] {
            assert_eq!(merged(first, last, subject, language), None, "{first} / {last}");
        }
    }
}
