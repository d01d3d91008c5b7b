//! What a position needs, as a sentence lists it: what is a must, and what is a plus.

use std::ops::Range;

use super::{
    hearing::Heard,
    lexicon::Lexicon,
    wishes::{is_item, items_between, list_end},
};
use crate::gate::is_frequent;

/// A list, and its tokens.
pub(super) type Listed = (Vec<String>, Range<usize>);

/// The two lists.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) must: Option<Listed>,
    pub(super) good: Option<Listed>,
}

/// What a sentence lists.
pub(super) fn needs(heard: &Heard<'_>) -> Needs {
    let good = good(heard);
    let mut must = must(heard, good.as_ref().map(|(_, range)| range));
    // "Danish is needed, well, Danish is only a plus": it is a plus.
    if let (Some((items, _)), Some((plus, _))) = (&mut must, &good) {
        items.retain(|item| !plus.contains(item));
    }
    Needs { must: must.filter(|(items, _)| !items.is_empty()), good }
}

fn must(heard: &Heard<'_>, good: Option<&Range<usize>>) -> Option<Listed> {
    let mut best: Option<Listed> = None;
    let mut take = |items: Vec<String>, range: Range<usize>, fewest: usize| {
        if items.len() >= fewest && best.as_ref().is_none_or(|(known, _)| items.len() > known.len()) {
            best = Some((items, range));
        }
    };
    // A list does not reach into what is a plus.
    let until = |start: usize, end: usize| match good {
        Some(plus) if plus.start >= start => end.min(plus.start),
        _ => end,
    };
    for (after, words) in heard.after_cues("skills_before") {
        let end = until(after, list_end(heard, after, "skills_end"));
        take(plausible(heard, after, end), after..end, if words > 1 { 1 } else { 2 });
    }
    for at in 1..heard.tokens.len() {
        // "eine Referentin, die Arbeitsrecht und Workday beherrscht".
        if heard.tokens[at].before.contains(',') && Lexicon::get().has("relatives", &heard.tokens[at].text) {
            let sentence = list_end(heard, at + 1, "no_stop");
            let verb =
                (at + 2..sentence).find(|at| Lexicon::get().has("final_verbs", &heard.tokens[*at].text));
            if let Some(verb) = verb {
                take(plausible(heard, at + 1, verb), at + 1..verb, 1);
            }
        }
    }
    for at in 0..heard.tokens.len() {
        // "Without BGP and MPLS it makes no sense".
        if Lexicon::get().has("without", &heard.tokens[at].text) {
            let sentence = list_end(heard, at + 1, "no_stop");
            let denied = (at + 1..sentence).find(|at| Lexicon::get().has("denials", &heard.tokens[*at].text));
            let verb =
                (at + 2..sentence).find(|at| Lexicon::get().has("without_ends", &heard.tokens[*at].text));
            if let (Some(denied), Some(verb)) = (denied, verb)
                && verb < denied
            {
                take(plausible(heard, at + 1, verb), at + 1..verb, 1);
            }
        }
    }
    for at in 1..heard.tokens.len() {
        // "Data engineer: Python, SQL and Spark".
        if heard.tokens[at].before.trim_start().starts_with(':') {
            let end = until(at, list_end(heard, at, "skills_end"));
            take(plausible(heard, at, end), at..end, 3);
        }
        // "a backend developer (Java, Spring, Kafka)".
        if heard.tokens[at].before.contains('(') {
            let end = (at + 1..heard.tokens.len()).find(|next| heard.tokens[*next].before.contains(')'));
            let end = end.unwrap_or(heard.tokens.len());
            take(plausible(heard, at, end), at..end, 2);
        }
        // "Excel and Power BI are a must".
        if is_predicate(heard, at) {
            let start = (0..at).rev().find(|index| {
                let token = &heard.tokens[*index];
                *index == 0
                    || token.is_after_sentence()
                    || token.before.contains(':')
                    || good.is_some_and(|plus| plus.end == *index)
            });
            let listed = plausible_end(heard, start.unwrap_or_default(), at);
            let end = before_copula(heard, listed, at);
            let mut items = plausible(heard, listed, end);
            // "… is important, also Zendesk and good English".
            if let Some(more) = further(heard, at).filter(|_| !items.is_empty()) {
                items.extend(plausible(heard, more, until(more, list_end(heard, more, "skills_end"))));
            }
            take(items, listed..end, 1);
        }
    }
    best
}

/// Whether what stands before a token is needed: "… are a must", "… muss er können", "… må de ha".
fn is_predicate(heard: &Heard<'_>, at: usize) -> bool {
    let lexicon = Lexicon::get();
    if lexicon.phrase_at("skills_after", &heard.tokens, at).is_some() {
        return true;
    }
    let word = |at: usize| heard.tokens.get(at).map_or("", |token| token.text.as_str());
    // "Kandidaten må kunne BGP" has its list behind it.
    let subject = |at: usize| lexicon.has("need_subjects", word(at));
    if !lexicon.has("need_modals", word(at)) || at.checked_sub(1).is_none_or(subject) {
        return false;
    }
    let mut next = at + 1;
    while next < at + 4 && subject(next) {
        next += 1;
    }
    // "må de ha" says who; "må kunne" alone must close its clause, or its list stands behind it.
    let closes = heard.tokens.get(next + 1).is_none_or(super::tokens::Token::is_after_break);
    lexicon.has("need_verbs", word(next)) && (next > at + 1 || closes)
}

/// Where further needs begin after what was said of the first: behind a comma and "also".
fn further(heard: &Heard<'_>, predicate: usize) -> Option<usize> {
    let lexicon = Lexicon::get();
    let comma = (predicate + 1..heard.tokens.len().min(predicate + 6))
        .find(|at| heard.tokens[*at].is_after_break())
        .filter(|at| heard.tokens[*at].before.contains(','))?;
    lexicon.has("further", &heard.tokens[comma].text).then_some(comma + 1)
}

/// What is a plus.
fn good(heard: &Heard<'_>) -> Option<Listed> {
    let lexicon = Lexicon::get();
    let mut marks: Vec<(usize, usize, bool)> =
        heard.all("good_to_have").map(|hit| (hit.start, hit.end, false)).collect();
    for at in 0..heard.tokens.len() {
        let labelled = lexicon.has("plus_labels", &heard.tokens[at].text)
            && heard.tokens.get(at + 1).is_some_and(|next| next.before.starts_with(':'));
        marks.extend(labelled.then_some((at, at + 1, true)));
        let led = lexicon.phrase_at("good_before", &heard.tokens, at);
        marks.extend(led.map(|words| (at, at + words, true)));
        let told = lexicon.phrase_at("good_after", &heard.tokens, at);
        marks.extend(told.map(|words| (at, at + words, false)));
    }
    marks.sort_by_key(|(start, end, _)| (std::cmp::Reverse(end - start), *start));
    let mut best: Option<Listed> = None;
    for (start, end, leads) in marks {
        let next = heard.tokens.get(end);
        let opens = start == 0 || heard.tokens[start].is_after_break() || {
            let before = &heard.tokens[start - 1];
            lexicon.has_cue("and", &before.text) && heard.tokens[start].before == " "
        };
        let told = next.is_some_and(|next| {
            opens && next.before.contains(':')
                || (!next.is_after_break() && lexicon.has("copulas", &next.text))
        });
        let forward = next.is_some_and(|next| !next.is_after_sentence() || next.before.contains(':'))
            && (leads || told || opens && next.is_some_and(|next| !next.is_after_break()));
        let found = if forward { after_mark(heard, start, end) } else { before_mark(heard, start) };
        if let Some(found) = found
            && best.as_ref().is_none_or(|(known, _)| found.0.len() > known.len())
        {
            best = Some(found);
        }
    }
    best
}

fn after_mark(heard: &Heard<'_>, start: usize, end: usize) -> Option<Listed> {
    let lexicon = Lexicon::get();
    let mut from = end;
    while heard.tokens.get(from).is_some_and(|token| lexicon.has("copulas", &token.text)) {
        from += 1;
    }
    let to = list_end(heard, from, "skills_end");
    let items = plausible(heard, from, to);
    (!items.is_empty()).then_some((items, start..to))
}

fn before_mark(heard: &Heard<'_>, start: usize) -> Option<Listed> {
    let lexicon = Lexicon::get();
    let opens = |at: &usize| {
        let token = &heard.tokens[*at];
        token.before.contains([',', '.', ';', ':', '!', '?', '\n', '('])
            || lexicon.has("but", &token.text)
            || *at == 0
    };
    let from = (0..start).rev().find(opens)?;
    // "… is a must and German a plus": what is a must stands before it.
    let from = (from..start).rev().find(|at| is_predicate(heard, *at)).map_or(from, |at| {
        (at..start).find(|next| lexicon.has_cue("and", &heard.tokens[*next].text)).unwrap_or(from)
    });
    let to = before_copula(heard, from, start);
    let items = plausible(heard, from, to);
    (!items.is_empty()).then_some((items, from..start))
}

/// The end of a list without the verb and small words that join it to what is said of it.
fn before_copula(heard: &Heard<'_>, from: usize, to: usize) -> usize {
    let lexicon = Lexicon::get();
    let mut to = to;
    while to > from + 1 {
        let token = &heard.tokens[to - 1];
        let small = !token.is_capital() && is_frequent(&token.text) && token.text.chars().count() <= 6;
        if !(lexicon.has("copulas", &token.text) || small) {
            break;
        }
        to -= 1;
    }
    to
}

/// Where the items of a list begin that ends at a token: after the last item that is none.
fn plausible_end(heard: &Heard<'_>, start: usize, end: usize) -> usize {
    let parts = (start..end).filter(|at| *at == start || heard.tokens[*at].before.contains(','));
    let parts: Vec<usize> = parts.collect();
    let mut from = parts.first().copied().unwrap_or(start);
    for (order, at) in parts.iter().enumerate() {
        let stop = parts.get(order + 1).copied().unwrap_or(end);
        let own = before_copula(heard, *at, stop);
        let fits = items_between(heard, *at, own).iter().all(|range| {
            let range = without_lead(heard, range.clone());
            is_item(heard, range.start, range.end)
        });
        if !fits || is_elsewhere(heard, &(*at..stop)) {
            from = stop;
        }
    }
    from
}

/// The items from here up to the first that is none.
fn plausible(heard: &Heard<'_>, start: usize, end: usize) -> Vec<String> {
    items_between(heard, start, end)
        .into_iter()
        .map(|range| without_lead(heard, range))
        .filter(|range| !is_elsewhere(heard, range))
        .take_while(|range| is_item(heard, range.start, range.end))
        .map(|range| heard.typed(range.start, range.end).to_owned())
        .collect()
}

/// Whether words say where, or how many are in the team.
fn is_elsewhere(heard: &Heard<'_>, range: &Range<usize>) -> bool {
    let short = range.len() <= 4;
    range.clone().any(|at| {
        short && (Lexicon::get().is_city(&heard.tokens[at].text) || heard.covers(&["team_word", "hello"], at))
    })
}

/// An item without the small words that lead to it: "hvor nysalg", "er Python".
fn without_lead(heard: &Heard<'_>, range: Range<usize>) -> Range<usize> {
    let lexicon = Lexicon::get();
    let mut start = range.start;
    while start + 1 < range.end {
        let token = &heard.tokens[start];
        let small = !token.is_capital()
            && (lexicon.has("item_leads", &token.text) || lexicon.has("copulas", &token.text));
        if !small {
            break;
        }
        start += 1;
    }
    start..range.end
}
