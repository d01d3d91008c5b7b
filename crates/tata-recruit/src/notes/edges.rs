//! What stands around an item and is no part of it.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    split::{RELATIVES, is_edge, is_remark, opening},
    words::{View, Word},
};

/// The most characters of an item.
const LONGEST: usize = 200;

/// An item without the face at its end.
pub(super) fn without_smiley(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let text = view.slice(&range);
    let face = [";-)", ":-)", ";)", ":)", ":-(", ":("].iter().find(|face| text.ends_with(**face));
    range.start..range.end - face.map_or(0, |face| face.len())
}

/// An item with the full stop of the abbreviation it ends with: "illustration o.l."
pub(super) fn with_stop(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let words = view.words_in(&range);
    let Some((last, before)) = words.split_last().filter(|(last, _)| last.end == range.end) else {
        return range;
    };
    let dotted = before.last().is_some_and(|word| view.slice(&(word.end..last.start)) == ".");
    let small = view.slice(&(last.start..last.end)).chars().all(char::is_lowercase);
    let short = small && last.text.chars().count() <= 5 && cues.abbreviations.is(std::slice::from_ref(last));
    let stopped = view.slice(&(range.end..view.text.len().min(range.end + 1))) == ".";
    range.start..range.end + usize::from(stopped && small && (short || dotted))
}

/// An item without the remark after a dash: "clear English - they ring customers".
pub(super) fn without_dash(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let text = view.slice(&range);
    let dash = [" - ", " \u{2013} ", " \u{2014} "].iter().filter_map(|dash| text.find(dash)).min();
    let Some(dash) = dash.map(|at| range.start + at).filter(|at| *at > range.start) else { return range };
    let remark = is_remark(view.words_in(&(dash..range.end)), cues);
    range.start..if remark { dash } else { range.end }
}

/// An item without the sign that counts it: "(c) having priced bids", "a) Java", "2) SQL".
pub(super) fn without_sign(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let text = view.slice(&range);
    let bare = text.strip_prefix('(').unwrap_or(text);
    let Some((sign, rest)) = bare.split_once(')') else { return range };
    let letter = sign.len() == 1 && sign.chars().all(|sign| sign.is_ascii_alphabetic());
    let number = (1..=2).contains(&sign.len()) && sign.chars().all(|sign| sign.is_ascii_digit());
    let roman = (1..=4).contains(&sign.len()) && sign.chars().all(|sign| matches!(sign, 'i' | 'v' | 'x'));
    let follows = rest.starts_with(char::is_whitespace) && rest.contains(char::is_alphanumeric);
    if !(letter || number || roman) || !follows {
        return range;
    }
    view.trim(range.end - rest.len()..range.end, is_edge)
}

/// Titles that stand before a name, as they are written.
const TITLES: [&str; 8] = ["Herr", "Herrn", "Frau", "Fru", "Hr", "Mr", "Mrs", "Ms"];

/// How many words name somebody at the beginning: "Herr Nguyen" in "(verlangt) Herr Nguyen Erfahrung mit …".
fn named(view: &View<'_>, words: &[Word]) -> Option<usize> {
    let written = |at: usize| words.get(at).map(|word| view.slice(&(word.start..word.end)));
    let title = written(0).is_some_and(|word| TITLES.contains(&word));
    let doctor = usize::from(written(1).is_some_and(|word| matches!(word, "Dr" | "Prof")));
    let name = written(1 + doctor).and_then(|word| word.chars().next());
    (title && name.is_some_and(char::is_uppercase)).then_some(2 + doctor)
}

/// The person who speaks, in five languages.
const OWN: [&str; 6] = ["me", "mir", "mich", "mig", "meg", "mej"];
/// Words before that person, beyond the prepositions of the cues.
const AWAY: [&str; 4] = ["without", "ohne", "utan", "uden"];

/// A statement without what it says of the person who speaks: "take over the reporting from me".
pub(super) fn without_speaker(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let words = view.words_in(&range);
    let own = words.iter().rposition(|word| OWN.contains(&word.text.as_str()));
    let Some(at) = own.filter(|at| *at >= 3 && words.len() - at <= 4) else { return range };
    let before = words.get(at - 1).filter(|word| {
        AWAY.contains(&word.text.as_str()) || cues.prepositions.is(std::slice::from_ref(word))
    });
    before.map_or(range.clone(), |word| view.trim(range.start..word.start, is_edge))
}

/// A place without the clause that goes on after it: "Slough and wants the person there three days". Another place goes
/// on with a capital letter.
pub(super) fn place_only(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let words = view.words_in(&range);
    let clause = (1..words.len()).find(|at| {
        let rest = words.get(*at..).unwrap_or_default();
        let joined = cues.and.at(rest).or_else(|| cues.but.at(rest)).map(|(length, ())| length);
        let next = joined.and_then(|length| rest.get(length));
        next.is_some_and(|word| {
            view.slice(&(word.start..word.end)).chars().next().is_some_and(char::is_lowercase)
        })
    });
    let end = clause.and_then(|at| words.get(at)).map_or(range.end, |word| word.start);
    view.trim(range.start..end, is_edge)
}

/// The verbs that close a German clause: "…, dass man ein Team geführt hat, wenigstens fachlich".
const CLOSING: [&str; 5] = ["hat", "haben", "kann", "ist", "sind"];

/// A statement up to the verb that closes its clause, if only an afterthought follows.
fn until_closing(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let words = view.words_in(&range);
    let closing = (2..words.len().saturating_sub(1)).find(|at| {
        let comma = words.get(*at).zip(words.get(at + 1)).is_some_and(|(word, next)| {
            CLOSING.contains(&word.text.as_str()) && view.slice(&(word.end..next.start)).starts_with(',')
        });
        comma && words.len() - at <= 4
    });
    let end = closing.and_then(|at| words.get(at)).map_or(range.end, |word| word.start);
    view.trim(range.start..end, is_edge)
}

/// Words that open a clause: "at nogle ord på tysk".
const CONJUNCTIONS: [&str; 4] = ["at", "att", "dass", "that"];

/// An item without words that only lead to it.
pub(super) fn without_lead(
    view: &View<'_>,
    range: Range<usize>,
    category: Category,
    cues: &Cues,
) -> Range<usize> {
    let mut range = range;
    loop {
        let words = view.words_in(&range);
        let conjunction = words.first().is_some_and(|word| CONJUNCTIONS.contains(&word.text.as_str()));
        let relative = words.first().is_some_and(|word| RELATIVES.contains(&word.text.as_str()));
        let headed = words.get(1..).is_some_and(|rest| cues.heads.at(rest).is_some());
        let personal = category == Category::Soft;
        // "well organised" has no filler.
        if personal && cues.qualities.at(words).is_some() {
            break;
        }
        let who = words.first().is_some_and(|word| word.text == "who");
        let opens = ((conjunction || relative) && headed) || (relative && personal) || who;
        let someone = named(view, words).filter(|_| category.is_requirement());
        let filler = cues.fillers.at(words).map(|(length, ())| length);
        let Some(length) = filler.or(someone).or(opens.then_some(1)) else {
            break;
        };
        let Some(next) = words.get(length) else { break };
        let start = opening(view, next, range.start);
        range = view.trim(start..range.end, is_edge);
    }
    range
}

/// An item without words that only close it: German verbs, "as well", "too".
pub(super) fn without_tail(
    view: &View<'_>,
    range: Range<usize>,
    category: Category,
    cues: &Cues,
) -> Range<usize> {
    let mut range = if category.is_requirement() { until_closing(view, range) } else { range };
    loop {
        let words = view.words_in(&range);
        let tail =
            (1..=3.min(words.len().saturating_sub(1))).rev().map(|count| words.len() - count).find(|at| {
                let tail = words.get(*at..).unwrap_or_default();
                let verb = category.is_requirement() && cues.verb_tails.is(tail);
                let is =
                    tail.len() == 1 && tail.iter().all(|word| matches!(word.text.as_str(), "ist" | "sind"));
                let verb = verb || (category == Category::Soft && is);
                // "lugn typ" is one thing.
                let kind = category == Category::Soft && cues.types.is(tail);
                // "tak" is thanks after a comma, and a roof or a hold elsewhere.
                let thanks = cues.sign_offs.is(tail) && tail.first().is_some_and(|word| word.glued);
                !kind && !thanks && (cues.tails.is(tail) || verb || dangles(tail, cues))
            });
        let Some(word) = tail.and_then(|at| words.get(at)) else { return range };
        range = view.trim(range.start..word.start, is_edge);
    }
}

/// Words that only open a clause, which was cut off: "which", "vilket".
fn dangles(words: &[Word], cues: &Cues) -> bool {
    words.first().is_some_and(|word| matches!(word.text.as_str(), "that" | "dass" | "att" | "at"))
        && words.len() == 1
        || cues.what.is(words)
}

/// An item without a long remark in brackets at its end.
pub(super) fn without_remark(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let text = view.slice(&range);
    let arrow = text.find("<-").or_else(|| text.find('\u{2190}')).filter(|at| *at > 0);
    let range = range.start..arrow.map_or(range.end, |at| range.start + at);
    let text = view.slice(&range);
    let Some(open) = text.rfind('(').filter(|open| *open > 0) else { return range };
    let remark = range.start + open..range.end;
    let closed = text.get(open..).is_some_and(|remark| !remark.contains(')') || remark.ends_with(')'));
    let words = view.words_in(&remark);
    let negated = (0..words.len()).any(|at| {
        let roles = cues.roles.at(words.get(at..).unwrap_or_default()).map(|(_, roles)| *roles);
        roles.is_some_and(|roles| [roles.after, roles.tag, roles.heading].contains(&Some(Category::Not)))
    });
    let negated =
        negated || cues.negations.within(words) || cues.finite.within(words) || cues.states.within(words);
    if closed && (words.len() > 5 || negated) { range.start..remark.start } else { range }
}

/// An item of at most [`LONGEST`] characters, cut between words.
pub(super) fn shortened(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let text = view.slice(&range);
    let Some((most, _)) = text.char_indices().nth(LONGEST) else { return range };
    let cut = text.get(..most).unwrap_or_default();
    let end = if text.get(most..).is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
        most
    } else {
        cut.rfind(char::is_whitespace).unwrap_or(most)
    };
    range.start..range.start + end
}
