//! One statement per item: enumerations are taken apart, what is said around an item is left out.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    edges::{
        place_only, shortened, with_stop, without_dash, without_lead, without_remark, without_sign,
        without_smiley, without_speaker, without_tail,
    },
    markers::heading,
    qualities::is_plausible,
    words::{View, Word},
};

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
    let range = &until_reason(view, range, category, cues);
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
    let mut parts = until_refusal(view, at_commas(view, range), cues);
    // "Role: Controller, data centres" names the position.
    let named = |part: &Range<usize>| view.words_in(part).iter().all(|word| view.is_name(word));
    if category == Category::Task && list && parts.len() > 1 && parts.first().is_some_and(named) {
        return Vec::new();
    }
    if category.is_requirement() {
        // "X, not just Y" says nothing more of X, and neither does "X, since …".
        let more = |part: &Range<usize>| {
            let words = view.words_in(part);
            cues.negations.at(words).is_some() || cues.reasons.at(words).is_some()
        };
        let end = parts.iter().skip(1).position(more);
        parts.truncate(end.map_or(parts.len(), |at| at + 1));
    }
    let parts: Vec<Range<usize>> = rejoin(view, parts, category, cues);
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

/// The parts after "(a)", "(b)", or "1)", "2)".
fn enumerated(view: &View<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let mut marks: Vec<(usize, usize)> = Vec::new();
    let mut last: Option<u32> = None;
    for (close, _) in text.match_indices(')') {
        let before = text.get(..close).unwrap_or_default();
        let sign = before.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        let start = close - sign.len();
        let lead = text.get(..start).and_then(|lead| lead.chars().next_back());
        let after = text.get(close + 1..).is_some_and(|after| after.starts_with(char::is_whitespace));
        let open = match lead {
            Some('(') => start.saturating_sub(1),
            Some(letter) if !letter.is_whitespace() => continue,
            Some(_) | None => start,
        };
        let bracket = open < start;
        let number = match sign.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(u32::from(letter - b'a') + 1),
            [_] | [_, _] => sign.parse().ok(),
            _ => None,
        };
        // A bracket may hold any sign; a number without one counts on from the number before.
        let counts = number.is_some_and(|number| last.map_or(number <= 2, |last| number == last + 1));
        if after && ((bracket && (1..=2).contains(&sign.len())) || counts) {
            marks.push((open, close + 1));
            last = number;
        }
    }
    let mut parts = Vec::with_capacity(marks.len() + 1);
    // The first mark may have been taken for the bullet of the line.
    let first = marks.first().map_or(0, |(open, _)| *open);
    if marks.len() > 1 || is_second(text, marks.first()) {
        let lead = range.start..range.start + first;
        if is_second(text, marks.first()) && !view.words_in(&lead).is_empty() {
            parts.push(lead);
        }
    }
    let ends = marks.iter().skip(1).map(|(open, _)| *open).chain([text.len()]);
    parts.extend(marks.iter().zip(ends).map(|((_, from), end)| range.start + from..range.start + end));
    parts
}

/// Whether a mark is the second one: "2)", "b)".
fn is_second(text: &str, mark: Option<&(usize, usize)>) -> bool {
    let mark = mark.and_then(|(open, end)| text.get(*open..*end)).unwrap_or_default();
    matches!(mark.trim_matches(['(', ')']), "2" | "b")
}

/// Whether a range is an enumeration: "1) this 2) that".
pub(super) fn is_enumerated(view: &View<'_>, range: &Range<usize>) -> bool {
    enumerated(view, range).len() > 1
}

/// The parts between semicolons and bars that stand in no bracket.
fn at_bars(view: &View<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '/' if depth == 0 && !is_spaced(text, at) => {}
            ';' if text.get(at + 1..).is_some_and(|after| after.starts_with(['-', ')', 'P'])) => {}
            ';' | '|' | '/' if depth == 0 => {
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

/// Whether a sign stands between blanks.
fn is_spaced(text: &str, at: usize) -> bool {
    let before = text.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace));
    before && text.get(at + 1..).is_some_and(|after| after.starts_with(char::is_whitespace))
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
        let said = cues.says.at(words).is_some()
            || words.last().is_some_and(|word| cues.says.is(std::slice::from_ref(word)));
        let aside = words.len() <= 3 && (said || finite_second(words, cues));
        if !aside {
            kept.push(part);
        }
    }
    kept
}

/// Whether words are a sentence of their own: "we are four", "leases are half of it".
pub(super) fn is_remark(words: &[Word], cues: &Cues) -> bool {
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
    let range = without_sign(view, view.trim(range, is_edge));
    let range = without_lead(view, range, category, cues);
    let range = without_tail(view, range, category, cues);
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
    let range = without_smiley(view, view.trim(range, char::is_whitespace));
    let range = without_remark(view, without_dash(view, view.trim(range, is_edge), cues), cues);
    let range = without_sign(view, view.trim(shortened(view, range), is_edge));
    let range = match category {
        Category::Must | Category::Good | Category::Task => without_speaker(view, range, cues),
        Category::Location => place_only(view, range, cues),
        Category::Soft
        | Category::Motive
        | Category::Team
        | Category::Style
        | Category::Unit
        | Category::Mission
        | Category::Challenge
        | Category::Measure
        | Category::Pay
        | Category::Agreement
        | Category::Not
        | Category::Other => range,
    };
    let range = with_stop(view, range, cues);
    let text = view.slice(&range);
    let words = view.words_in(&range);
    let letters = text.chars().filter(|letter| letter.is_alphanumeric()).count();
    if letters == 0 || cues.junk.is(words) || text.trim_end_matches(')').ends_with('?') {
        return None;
    }
    let stated = category.is_requirement() || category == Category::Task;
    if stated && (is_beside_the_point(words, category, marked, cues) || is_about_pay(words, cues)) {
        return None;
    }
    // "He urgently needs an electrician" names the position.
    let position = words.len() <= 3
        && words.last().is_some_and(|word| view.is_name(word))
        && words.iter().any(|word| ARTICLES.contains(&word.text.as_str()));
    if position && !marked && category.is_requirement() {
        return None;
    }
    if category == Category::Soft && !is_plausible(words, cues) {
        return None;
    }
    // "and it will be so for others, too"
    let pronoun = words.first().is_some_and(|word| matches!(word.text.as_str(), "det" | "it" | "das" | "es"));
    if category == Category::Measure && pronoun {
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
        // "Team size: 5"
        Category::Team => length >= 1,
        Category::Soft
        | Category::Motive
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
fn is_beside_the_point(words: &[Word], category: Category, marked: bool, cues: &Cues) -> bool {
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
    // "weil die Fachbereiche kein Englisch sprechen" gives a reason for something else.
    let reason =
        !marked && category.is_requirement() && words.first().is_some_and(|word| word.text == "weil");
    let counted = words.first().is_some_and(|word| is_number(word, cues))
        && category.is_requirement()
        && words.get(1..).is_some_and(|rest| cues.joins.at(rest).is_some());
    // "She needs to talk to finance", "he urgently needs an engineer"
    let errand = !marked && category.is_requirement() && words.first().is_some_and(|word| word.text == "to");
    // "Whoever can not drive …": the rest of it is lost.
    let denied = !marked && category == Category::Must && cues.negations.at(words).is_some();
    // A German task may begin with its object: "das Unternehmen vertreten".
    let about_others = category.is_requirement() && cues.subjects.at(words).is_some();
    // "skrue ned for" has lost its object.
    let lost = category == Category::Good
        && words.len() <= 3
        && cues.heads.at(words).is_none()
        && words
            .last()
            .is_some_and(|word| words.len() > 1 && cues.prepositions.is(std::slice::from_ref(word)));
    title || nothing || counted || to_do || reason || about_others || lost || errand || denied
}

/// Whether words say what the role pays: "Base around 75 with", "Gehalt um die 48".
fn is_about_pay(words: &[Word], cues: &Cues) -> bool {
    let pay = cues.pay_words.at(words).or_else(|| cues.pay_leads.at(words)).map(|(length, ())| length);
    let after = pay.and_then(|length| words.get(length..length + 4.min(words.len() - length)));
    after.is_some_and(|words| {
        words.iter().any(|word| word.text.starts_with(|sign: char| sign.is_ascii_digit()))
    })
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
fn until_reason(view: &View<'_>, range: &Range<usize>, category: Category, cues: &Cues) -> Range<usize> {
    let words = view.words_in(range);
    let reason = (1..words.len()).find(|at| {
        let rest = words.get(*at..).unwrap_or_default();
        // "calm and not easily upset" goes on.
        let on = category == Category::Soft && cues.and.at(rest).is_some();
        !on && cues.because.at(rest).is_some()
    });
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
            ';' => !matches!(next, '-' | ')'),
            '\u{2022}' => true,
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
pub(super) fn opening(view: &View<'_>, word: &Word, least: usize) -> usize {
    let before = view.slice(&(least..word.start));
    let sign = before.chars().next_back().filter(|sign| matches!(sign, '.' | '(' | '[' | '\u{201C}' | '"'));
    word.start - sign.map_or(0, char::len_utf8)
}

/// Parts that only go on with the one before ("which …", "e.g. …") belong to it.
fn rejoin(view: &View<'_>, parts: Vec<Range<usize>>, category: Category, cues: &Cues) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        let words = view.words_in(&part);
        // "samler op på, hvad vi lærte" goes on after the comma.
        let hangs = joined.last().and_then(|last| view.words_in(last).last()).is_some_and(|word| {
            cues.prepositions.is(std::slice::from_ref(word)) && cues.what.at(words).is_some()
        });
        let willing = category.is_about_candidate() && is_infinitive(words);
        let contrast = category == Category::Soft && cues.but.at(words).is_some();
        // The English "I" is no Scandinavian "in".
        let own = words.first().is_some_and(|word| view.slice(&(word.start..word.end)) == "I");
        let leads = !own && (cues.joins.at(words).is_some() || cues.prepositions.at(words).is_some());
        // "…, not afterwards" is no statement of its own.
        let denied = cues.negations.at(words).is_some() && words.len() <= SHORTEST_DENIAL;
        // "collects figures from sales, law and finance": the list hangs on its preposition.
        let before = joined.last().map(|last| view.words_in(last)).unwrap_or_default();
        let listed = category == Category::Task
            && words.len() <= LONGEST_REST
            && contains(&cues.and, words)
            && before.len() >= 4
            && before
                .get(before.len() - 2..)
                .is_some_and(|two| cues.prepositions.is(two.get(..1).unwrap_or_default()));
        let belongs = hangs || willing || contrast || leads || denied || listed;
        match joined.last_mut() {
            Some(last) if belongs => last.end = part.end,
            Some(_) | None => joined.push(part),
        }
    }
    joined
}

/// Whether words end with a German infinitive that depends on what stands before: "…, nach Leipzig zu reisen".
fn is_infinitive(words: &[Word]) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    before.last().is_some_and(|word| word.text == "zu") && last.text.ends_with('n')
}

/// The parts before one that is taken back: "a, b -> no".
fn until_refusal(view: &View<'_>, parts: Vec<Range<usize>>, cues: &Cues) -> Vec<Range<usize>> {
    let refused = |part: &Range<usize>| {
        let text = view.slice(part);
        let arrow = text.find("->").or_else(|| text.find('\u{2192}'));
        arrow.is_some_and(|at| cues.refusals.at(view.words_in(&(part.start + at..part.end))).is_some())
    };
    let kept = parts.iter().position(refused).unwrap_or(parts.len());
    parts.into_iter().take(kept).collect()
}

/// A longer part that begins with "not" says something of its own.
const SHORTEST_DENIAL: usize = 3;
/// The rest of a list after a preposition: "law and finance".
const LONGEST_REST: usize = 4;

/// Words after which a task only goes on: "looks after the generators and the pumps".
const ARTICLES: [&str; 16] = [
    "the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "en", "ett", "et", "ei",
    "det",
];

/// Words that go on with "somebody": "who", "som".
pub(super) const RELATIVES: [&str; 4] = ["who", "som", "der", "die"];

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
        // "has worked with Linux and who can write scripts"
        let relative = !task
            && rest.first().is_some_and(|word| RELATIVES.contains(&word.text.as_str()))
            && rest.get(1..).is_some_and(|rest| cues.heads.at(rest).is_some());
        let fresh = (cues.heads.at(rest).is_some() || relative) && !article;
        let short = words.len() == begin.len() + length + rest.len() && begin.len() <= 2 && rest.len() <= 2;
        let names = !task && short && [begin, rest].iter().all(|words| is_named(view, words));
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
    let is_short = |part: &Range<usize>| view.slice(part).trim().chars().count() < SHORTEST_TASK;
    let Some((first, rest)) = parts.split_first() else { return true };
    match category {
        // Nouns are listed: "reporting, forecasts, support for the project managers".
        Category::Task if list && parts.len() > 2 && !parts.iter().any(is_short) => false,
        Category::Task => parts.iter().any(|part| bare(part, 1) || is_short(part)),
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
