//! One statement per item: enumerations are taken apart, what is said around an item is left out.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    markers::heading,
    words::{View, Word},
};

/// The most characters of an item.
const LONGEST: usize = 200;
/// Fewer characters are no skill, unless they look like the name of one.
const SHORTEST_SKILL: usize = 6;
/// Fewer characters are no task.
const SHORTEST_TASK: usize = 11;

/// The items that a range names. `list`: whether it is meant as a list, e.g. after "Krav:".
pub(super) fn items(
    view: &View<'_>,
    range: &Range<usize>,
    category: Category,
    list: bool,
    cues: &Cues,
) -> Vec<Range<usize>> {
    let range = &until_reason(view, range, cues);
    if category.is_single() {
        return Vec::from_iter(item(view, range.clone(), category, true, cues));
    }
    let numbered = enumerated(view, range);
    if numbered.len() > 1 {
        return numbered.into_iter().filter_map(|part| item(view, part, category, list, cues)).collect();
    }
    let parts = if list { at_bars(view, range) } else { Vec::new() };
    if parts.len() > 1 {
        // Who parts with semicolons or bars means commas otherwise.
        return parts.into_iter().filter_map(|part| item(view, part, category, list, cues)).collect();
    }
    let parts: Vec<Range<usize>> = rejoin(view, at_commas(view, range), cues);
    let parts = said_of_it(view, parts, cues);
    let Some(end) = parts.last() else { return Vec::new() };
    let or = |part: &Range<usize>| contains(&cues.or, view.words_in(part));
    let and = |part: &Range<usize>| contains(&cues.and, view.words_in(part));
    if parts.len() > 1 && !list && category.is_requirement() && or(end) && !and(end) {
        // "economics, law or engineering" is one requirement.
        let whole = range.start..end.end;
        return Vec::from_iter(item(view, whole, category, list, cues));
    }
    let mut all = Vec::with_capacity(parts.len() + 1);
    for (at, part) in parts.iter().enumerate() {
        let bare = without_connector(view, part, cues);
        let closing = parts.len() > 1
            && at + 1 == parts.len()
            && view.trim(bare.clone(), is_edge).start == view.trim(part.clone(), is_edge).start
            && !parts.iter().rev().skip(1).any(|part| joins_phrases(view.words_in(part), cues));
        let ends = parts.len() > 1 && at + 1 == parts.len();
        all.extend(at_and(view, &bare, closing, ends, category == Category::Task, cues));
    }
    if all.len() > 1 && is_one(view, &all, category, list, cues) {
        all.clear();
        all.push(range.start..end.end);
    }
    all.into_iter().filter_map(|part| item(view, part, category, list, cues)).collect()
}

/// The parts after "(a)", "(b)", "(1)".
fn enumerated(view: &View<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for (open, _) in text.match_indices('(') {
        let rest = text.get(open + 1..).unwrap_or_default();
        let close = rest.char_indices().take(3).find(|(_, letter)| *letter == ')').map(|(at, _)| at);
        let inner = close.and_then(|close| rest.get(..close)).unwrap_or_default();
        let after = close.and_then(|close| rest.get(close + 1..)).unwrap_or_default();
        let mark = !inner.is_empty() && inner.chars().all(|letter| letter.is_ascii_alphanumeric());
        if mark && after.starts_with(char::is_whitespace) {
            marks.push((open, open + 2 + inner.len()));
        }
    }
    let ends = marks.iter().skip(1).map(|(open, _)| *open).chain([text.len()]);
    marks.iter().zip(ends).map(|((_, from), end)| range.start + from..range.start + end).collect()
}

/// The parts between semicolons and bars that stand in no bracket.
fn at_bars(view: &View<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ';' | '|' if depth == 0 => {
                parts.push(range.start + start..range.start + at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(range.start + start..range.end);
    parts.retain(|part| !view.words_in(part).is_empty());
    parts
}

/// Whether an "and" inside these words joins two phrases of several words: then it does not close the list.
fn joins_phrases(words: &[Word], cues: &Cues) -> bool {
    (2..words.len()).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        cues.and.at(rest).is_some_and(|(length, ())| rest.len() >= length + 2)
    })
}

fn contains(phrases: &super::words::Phrases<()>, words: &[Word]) -> bool {
    // The first word may only open the part.
    words.get(1..).is_some_and(|words| phrases.within(words))
}

/// The parts up to the first that is only a remark: "X, we are all on call here", "Karin says, X".
fn said_of_it(view: &View<'_>, parts: Vec<Range<usize>>, cues: &Cues) -> Vec<Range<usize>> {
    let mut kept: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        let words = view.words_in(&part);
        if !kept.is_empty() && is_remark(words, cues) {
            break;
        }
        let aside = words.len() <= 3 && (cues.says.within(words) || finite_second(words, cues));
        if !aside {
            kept.push(part);
        }
    }
    kept
}

/// Whether words are a sentence of their own: "we are four", "leases are half of it".
fn is_remark(words: &[Word], cues: &Cues) -> bool {
    cues.remarks.at(words).is_some() || finite_second(words, cues)
}

fn finite_second(words: &[Word], cues: &Cues) -> bool {
    words.get(1..).is_some_and(|rest| cues.finite.at(rest).is_some())
}

/// A point of a list without the remark that follows it after a comma or in brackets.
pub(super) fn without_afterthought(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Range<usize> {
    let parts = at_commas(view, range);
    let remark = parts.iter().skip(1).find(|part| is_remark(view.words_in(part), cues));
    range.start..remark.map_or(range.end, |remark| remark.start)
}

/// One item: trimmed, without the words that only lead to it, cut between words, long enough to mean something.
pub(super) fn item(
    view: &View<'_>,
    range: Range<usize>,
    category: Category,
    marked: bool,
    cues: &Cues,
) -> Option<Range<usize>> {
    let range = view.trim(range, is_edge);
    let range = without_lead(view, range, cues);
    let range = without_tail(view, range, cues);
    as_written(view, range, category, marked, cues)
}

/// One item as it stands in a list.
pub(super) fn as_written(
    view: &View<'_>,
    range: Range<usize>,
    category: Category,
    marked: bool,
    cues: &Cues,
) -> Option<Range<usize>> {
    let range = without_remark(view, without_dash(view, view.trim(range, is_edge), cues), cues);
    let range = view.trim(shortened(view, range), is_edge);
    let text = view.slice(&range);
    let words = view.words_in(&range);
    let letters = text.chars().filter(|letter| letter.is_alphanumeric()).count();
    if letters == 0 || cues.junk.is(words) || text.trim_end_matches(')').ends_with('?') {
        return None;
    }
    let stated = category.is_requirement() || category == Category::Task;
    if stated && is_beside_the_point(words, category, cues) {
        return None;
    }
    // "Role: Controller, data centres" names the position.
    let named = words.first().filter(|word| view.is_name(word));
    if category == Category::Task
        && named.is_some_and(|word| view.slice(&(word.end..range.end)).starts_with(','))
    {
        return None;
    }
    let length = text.chars().count();
    let enough = match category {
        // A task is something one does: no number of people.
        Category::Task => length >= SHORTEST_TASK && !words.first().is_some_and(|word| is_number(word, cues)),
        Category::Must | Category::Good => length >= SHORTEST_SKILL || is_short_name(text, marked),
        Category::Soft
        | Category::Motive
        | Category::Team
        | Category::Location
        | Category::Style
        | Category::Unit
        | Category::Mission
        | Category::Challenge
        | Category::Measure
        | Category::Pay
        | Category::Agreement
        | Category::Not
        | Category::Other => length >= 2,
    };
    enough.then_some(range)
}

/// Words that are no requirement and no task: a heading, something the recruiter has to do, a sentence about others.
fn is_beside_the_point(words: &[Word], category: Category, cues: &Cues) -> bool {
    let text: Vec<Word> = words.iter().filter(|word| !is_number(word, cues)).take(6).cloned().collect();
    let title = text.len() <= 4 && words.len() <= 6 && heading(&text, cues, 0).is_some();
    let empty = |word: &Word| {
        let one = std::slice::from_ref(word);
        is_number(word, cues)
            || cues.junk.is(one)
            || cues.fillers.is(one)
            || cues.prepositions.is(one)
            || cues.joins.is(one)
            || cues.and.is(one)
    };
    let nothing = words.iter().all(empty);
    let to_do = category.is_requirement() && cues.todos.at(words).is_some();
    let counted = words.first().is_some_and(|word| is_number(word, cues))
        && category.is_requirement()
        && words.get(1..).is_some_and(|rest| cues.joins.at(rest).is_some());
    // A German task may begin with its object: "das Unternehmen vertreten".
    let about_others = category.is_requirement() && cues.subjects.at(words).is_some();
    title || nothing || counted || to_do || about_others
}

/// An item without the remark after a dash: "clear English - they ring customers".
fn without_dash(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let text = view.slice(&range);
    let dash = [" - ", " \u{2013} ", " \u{2014} "].iter().filter_map(|dash| text.find(dash)).min();
    let Some(dash) = dash.map(|at| range.start + at).filter(|at| *at > range.start) else { return range };
    let remark = is_remark(view.words_in(&(dash..range.end)), cues);
    range.start..if remark { dash } else { range.end }
}

fn is_number(word: &Word, cues: &Cues) -> bool {
    word.text.chars().all(|letter| letter.is_ascii_digit()) || cues.numbers.is(std::slice::from_ref(word))
}

/// "SQL", "C++", "Go", "R": short names of real skills. In a list of requirements small letters do as well.
fn is_short_name(text: &str, marked: bool) -> bool {
    let named = text.chars().any(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    letters > 0 && (named || text.contains(['+', '#']) || (marked && letters >= 2))
}

/// Characters around an item that are no part of it.
pub(super) fn is_edge(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, ',' | ';' | ':' | '.' | '!' | '*' | '_' | '"' | '=' | '>' | '|' | '~' | '-' | '/')
        || matches!(letter, '\u{2010}'..='\u{2015}' | '\u{201C}'..='\u{201E}' | '\u{2022}' | '\u{2026}' | '\u{2192}')
        || matches!(letter, '\0' | '\u{200B}'..='\u{200F}' | '\u{FEFF}' | '\u{AB}' | '\u{BB}' | '\u{FF1A}')
        || crate::evidence::is_emoji(letter)
}

/// What is said before the reason is given.
fn until_reason(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Range<usize> {
    let words = view.words_in(range);
    let reason = (1..words.len()).find(|at| cues.because.at(words.get(*at..).unwrap_or_default()).is_some());
    let end = reason.and_then(|at| words.get(at)).map_or(range.end, |word| word.start);
    range.start..end
}

/// The parts between commas and semicolons that stand in no bracket. A comma inside a number parts nothing.
fn at_commas(view: &View<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut letters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let parted = match letter {
            '(' | '[' => {
                depth += 1;
                false
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                false
            }
            ',' => !(before.is_ascii_digit() && next.is_ascii_digit()),
            ';' | '\u{2022}' => true,
            '+' => (before.is_whitespace() || before == '+') && (next.is_whitespace() || next == '+'),
            '/' | '\u{B7}' => before.is_whitespace() && next.is_whitespace(),
            _ => false,
        };
        if parted && depth == 0 {
            parts.push(range.start + start..range.start + at);
            start = at + letter.len_utf8();
        }
        before = letter;
    }
    parts.push(range.start + start..range.end);
    parts.retain(|part| !view.words_in(part).is_empty());
    parts
}

/// A part without the "and" it begins with.
pub(super) fn without_connector(view: &View<'_>, part: &Range<usize>, cues: &Cues) -> Range<usize> {
    let mut start = part.start;
    let mut words = view.words_in(part);
    while let Some((length, ())) = cues.and.at(words).or_else(|| cues.but.at(words)) {
        let Some(rest) = words.get(length..).filter(|rest| !rest.is_empty()) else { break };
        start = rest.first().map_or(start, |word| opening(view, word, start));
        words = rest;
    }
    start..part.end
}

/// Where a word begins with the sign before it: a bracket or a dot as in ".NET".
fn opening(view: &View<'_>, word: &Word, least: usize) -> usize {
    let before = view.slice(&(least..word.start));
    let sign = before.chars().next_back().filter(|sign| matches!(sign, '.' | '(' | '[' | '\u{201C}' | '"'));
    word.start - sign.map_or(0, char::len_utf8)
}

/// Parts that only go on with the one before ("which …", "e.g. …") belong to it.
fn rejoin(view: &View<'_>, parts: Vec<Range<usize>>, cues: &Cues) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        let words = view.words_in(&part);
        let belongs = cues.joins.at(words).is_some() || cues.prepositions.at(words).is_some();
        match joined.last_mut() {
            Some(last) if belongs => last.end = part.end,
            Some(_) | None => joined.push(part),
        }
    }
    joined
}

/// Words after which a task only goes on: "looks after the generators and the pumps".
const ARTICLES: [&str; 16] = [
    "the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "en", "ett", "et", "ei",
    "det",
];

/// A part taken apart at its "and": where a new statement plainly begins, and in the last part of a list (`closing`).
fn at_and(
    view: &View<'_>,
    part: &Range<usize>,
    closing: bool,
    last: bool,
    task: bool,
    cues: &Cues,
) -> Vec<Range<usize>> {
    let words = view.words_in(part);
    let mut breaks = Vec::new();
    let mut at = 1;
    while at < words.len() {
        let Some((length, ())) = cues.and.at(words.get(at..).unwrap_or_default()) else {
            at += 1;
            continue;
        };
        let begin =
            words.get(breaks.last().map_or(0, |(_, next): &(usize, usize)| *next)..at).unwrap_or_default();
        let rest = words.get(at + length..).unwrap_or_default();
        let fixed = cues.together.at(words.get(at - 1..).unwrap_or_default()).is_some();
        // "truck licence A and B"
        let letter = |word: Option<&Word>| word.is_some_and(|word| word.text.chars().count() == 1);
        let fixed = fixed || (letter(begin.last()) && letter(rest.first()) && rest.len() == 1);
        let article = task && rest.first().is_some_and(|word| ARTICLES.contains(&word.text.as_str()));
        // "Nachträge prüfen und die Fortschritte berichten": a German verb closes each of them.
        let infinitive = |words: &[Word]| words.last().is_some_and(|word| word.text.ends_with("en"));
        let article = article && !(infinitive(begin) && infinitive(rest));
        let fresh = cues.heads.at(rest).is_some() && !article;
        let short = words.len() == begin.len() + length + rest.len() && begin.len() <= 2 && rest.len() <= 2;
        let names = short && [begin, rest].iter().all(|words| is_named(view, words));
        let strong = last && cues.strong.at(words.get(at..).unwrap_or_default()).is_some();
        let first = closing && breaks.is_empty();
        if !fixed && !rest.is_empty() && (fresh || names || first || strong) {
            breaks.push((at, at + length));
        }
        at += length;
    }
    let mut pieces = Vec::with_capacity(breaks.len() + 1);
    let mut start = part.start;
    for (at, next) in breaks {
        let end = words.get(at).map_or(part.end, |word| word.start);
        pieces.push(start..end);
        start = words.get(next).map_or(part.end, |word| opening(view, word, end));
    }
    pieces.push(start..part.end);
    pieces
}

/// Whether words begin like a name: "Java", "SQL", "B-körkort".
fn is_named(view: &View<'_>, words: &[Word]) -> bool {
    let first = words.first().map(|word| view.slice(&(word.start..word.end)));
    first
        .and_then(|first| first.chars().next())
        .is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit())
}

/// Whether parts are one statement after all: "experience with BGP, MPLS and OSPF", "runs routers, switches and links".
fn is_one(view: &View<'_>, parts: &[Range<usize>], category: Category, list: bool, cues: &Cues) -> bool {
    let bare = |part: &Range<usize>, most: usize| {
        let words = view.words_in(part);
        words.len() <= most && cues.heads.at(words).is_none()
    };
    let Some((first, rest)) = parts.split_first() else { return true };
    match category {
        Category::Task => {
            parts.iter().any(|part| bare(part, 1) || view.slice(part).trim().chars().count() < SHORTEST_TASK)
        }
        Category::Must | Category::Good => {
            let words = view.words_in(first);
            let object = words.len() >= 3
                && (1..words.len())
                    .any(|at| cues.prepositions.at(words.get(at..).unwrap_or_default()).is_some());
            !list && object && rest.iter().all(|part| bare(part, 2))
        }
        Category::Soft | Category::Motive | Category::Challenge | Category::Measure => false,
        Category::Team
        | Category::Location
        | Category::Style
        | Category::Unit
        | Category::Mission
        | Category::Pay
        | Category::Agreement
        | Category::Not
        | Category::Other => true,
    }
}

/// An item without words that only lead to it.
fn without_lead(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let mut range = range;
    while let Some((length, ())) = cues.fillers.at(view.words_in(&range)) {
        let words = view.words_in(&range);
        let Some(next) = words.get(length) else { break };
        let start = opening(view, next, range.start);
        range = view.trim(start..range.end, is_edge);
    }
    range
}

/// An item without words that only close it: German verbs, "as well", "too".
fn without_tail(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
    let mut range = range;
    loop {
        let words = view.words_in(&range);
        let tail = (1..=3.min(words.len().saturating_sub(1)))
            .rev()
            .map(|count| words.len() - count)
            .find(|at| cues.tails.is(words.get(*at..).unwrap_or_default()));
        let Some(word) = tail.and_then(|at| words.get(at)) else { return range };
        range = view.trim(range.start..word.start, is_edge);
    }
}

/// An item without a long remark in brackets at its end.
fn without_remark(view: &View<'_>, range: Range<usize>, cues: &Cues) -> Range<usize> {
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
fn shortened(view: &View<'_>, range: Range<usize>) -> Range<usize> {
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
