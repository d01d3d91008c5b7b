//! Names, titles of people and titles of positions in a sentence.

use std::ops::Range;

use super::{hearing::Heard, lexicon::Lexicon};
use crate::gate::is_frequent;

/// Concepts whose words are no names.
const KNOWN: [&str; 24] = [
    "profile",
    "notes",
    "ad",
    "screening",
    "manager",
    "own",
    "outreach",
    "message",
    "candidate",
    "report",
    "transcript",
    "funnel",
    "inclusive",
    "invite",
    "interview",
    "invite_verb",
    "make",
    "review",
    "hello",
    "thanks",
    "on_teams",
    "on_site",
    "type_case",
    "yes",
];
/// A name, and its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundName {
    pub(super) name: String,
    pub(super) tokens: Range<usize>,
}

/// Whether a token can be part of a name.
fn is_name_part(heard: &Heard<'_>, at: usize, small: bool, first: bool) -> bool {
    let Some(token) = heard.tokens.get(at) else { return false };
    let lexicon = Lexicon::get();
    let word = token.text.as_str();
    let letters = token.raw.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '’'));
    let shouted = token.raw.chars().count() > 3 && token.raw.chars().all(char::is_uppercase) && !small;
    letters
        && !shouted
        && (token.is_capital() || small)
        && word.chars().count() > 1
        && !lexicon.has("no_names", word)
        && !lexicon.has("name_skip", word)
        // "Robin Lund" is not from Lund.
        && !(first && lexicon.is_city(word))
        && lexicon.language(word).is_none()
        && lexicon.calendar.month(word).is_none()
        && lexicon.calendar.weekday(word).is_none()
        && !heard.covers(&KNOWN, at)
        && !is_frequent(word.split('\'').next().unwrap_or(word))
        && !lexicon.has_cue("title_skip", word)
        && !(small && lexicon.has_cue("title_end", word))
        && !lexicon.is_article(word)
        && (token.is_capital() || !lexicon.has_cue("candidate_before", word))
}

/// The name that begins at a token.
pub(super) fn name_at(heard: &Heard<'_>, start: usize, small: bool) -> Option<FoundName> {
    let lexicon = Lexicon::get();
    let (mut end, mut parts) = (start, 0);
    while parts < 4 {
        let Some(token) = heard.tokens.get(end) else { break };
        let joined = matches!(token.before, " " | "-" | "\u{a0}") || end == start;
        if !joined {
            break;
        }
        let inner = parts > 0
            && lexicon.has("particles", &token.text)
            && is_name_part(heard, end + 1, false, false)
            && heard.tokens.get(end + 1).is_some_and(|next| next.before == " " || next.before == "-");
        if !inner && !is_name_part(heard, end, small && parts < 2, parts == 0) {
            break;
        }
        if !inner && small && !token.is_capital() && parts >= 2 {
            break;
        }
        parts += usize::from(!inner);
        end += 1;
    }
    // "Network Engineer" is no person.
    let occupation = (start..end).any(|at| lexicon.is_head(&heard.tokens[at].text));
    if parts == 0 || occupation {
        return None;
    }
    let name = heard.typed(start, end);
    let name = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name);
    Some(FoundName { name: name.to_owned(), tokens: start..end })
}

/// The name after one of a slot's cues; `small` lets it be written in small letters.
pub(super) fn name_after(
    heard: &Heard<'_>,
    slot: &str,
    small: bool,
    taken: &[Range<usize>],
) -> Option<FoundName> {
    let free = |found: &FoundName| {
        taken.iter().all(|range| found.tokens.end <= range.start || range.end <= found.tokens.start)
    };
    let lexicon = Lexicon::get();
    let mut best: Option<(usize, usize, FoundName)> = None;
    for (after, words) in heard.after_cues(slot) {
        for skip in 0..=1 {
            let skipped = skip == 0
                || heard.tokens.get(after).is_some_and(|token| {
                    lexicon.is_article(&token.text)
                        || heard.covers(&["candidate"], after)
                        || heard.covers(&["manager"], after)
                        || lexicon.has("name_skip", &token.text)
                });
            if !skipped {
                continue;
            }
            let broken = heard.tokens.get(after + skip).is_some_and(super::tokens::Token::is_after_sentence);
            if broken {
                continue;
            }
            if let Some(found) = name_at(heard, after + skip, small && words > 1).filter(|found| free(found))
            {
                let parts = found.tokens.len().min(2);
                if best.as_ref().is_none_or(|(known, cue, _)| (parts, words) > (*known, *cue)) {
                    best = Some((parts, words, found));
                }
            }
        }
    }
    best.map(|(.., found)| found)
}

/// Any name of two parts, wherever it stands.
pub(super) fn any_name(heard: &Heard<'_>, taken: &[Range<usize>], parts: usize) -> Option<FoundName> {
    let mut at = 0;
    while at < heard.tokens.len() {
        let free = taken.iter().all(|range| !range.contains(&at));
        if free
            && let Some(found) = name_at(heard, at, false)
            && found.tokens.len() >= parts
            && taken.iter().all(|range| !range.contains(&(found.tokens.end - 1)))
        {
            return Some(found);
        }
        at += 1;
    }
    None
}

/// What somebody does, after their name: "Mette Sørensen, Head of Field Operations".
pub(super) fn role_after(heard: &Heard<'_>, name: &FoundName) -> Option<String> {
    let lexicon = Lexicon::get();
    let first = heard.tokens.get(name.tokens.end)?;
    let mut start = name.tokens.end;
    let joined = matches!(first.before.trim(), "," | "(" | "–" | "-");
    let told = |word: &str| lexicon.has("role_lead", word);
    if !joined && !told(&first.text) {
        return None;
    }
    while heard.tokens.get(start).is_some_and(|token| told(&token.text)) {
        start += 1;
    }
    let mut end = start;
    while let Some(token) = heard.tokens.get(end) {
        let broken = end > start && token.is_after_break() && !matches!(token.before, "/" | "-" | "&");
        let linked = lexicon.has("title_links", &token.text);
        let stop = end > start && !linked && !token.is_capital() && lexicon.has_cue("title_end", &token.text);
        if broken || stop || end - start > 6 || lexicon.calendar.weekday(&token.text).is_some() {
            break;
        }
        end += 1;
    }
    while end > start
        && heard.tokens.get(end - 1).is_some_and(|token| lexicon.has("title_links", &token.text))
    {
        end -= 1;
    }
    let names = |at: usize| {
        let word = heard.tokens[at].text.as_str();
        lexicon.is_head(word)
            || heard.covers(&["manager"], at)
            || lexicon.list("role_heads").flatten().any(|head| word.ends_with(head) || word.starts_with(head))
    };
    (start..end).any(names).then(|| heard.typed(start, end).to_owned())
}

/// What somebody does, before their name: "our Sales Director Helena Brandt".
pub(super) fn role_before(heard: &Heard<'_>, name: &FoundName) -> Option<String> {
    let lexicon = Lexicon::get();
    let mut start = name.tokens.start;
    if heard.tokens.get(start).is_none_or(|token| token.before != " ") {
        return None;
    }
    while let Some(token) = start.checked_sub(1).and_then(|at| heard.tokens.get(at)) {
        let word = token.text.as_str();
        let linked = lexicon.has("title_links", word) && start < name.tokens.start;
        let role = token.is_capital() || is_role(word, lexicon) || linked;
        let ends =
            lexicon.is_article(word) || lexicon.has("name_skip", word) || name.tokens.start - start >= 4;
        if !role || ends {
            break;
        }
        start -= 1;
        if heard.tokens[start].before.trim() != "" || start == 0 {
            break;
        }
    }
    while start < name.tokens.start && lexicon.has("title_links", &heard.tokens[start].text) {
        start += 1;
    }
    let known = |at: usize| {
        is_role(&heard.tokens[at].text, lexicon) && !heard.covers(&["type_manager", "candidate"], at)
    };
    (start..name.tokens.start).any(known).then(|| heard.typed(start, name.tokens.start).to_owned())
}

/// Whether a word is how a leading role begins or ends.
fn is_role(word: &str, lexicon: &Lexicon) -> bool {
    lexicon.list("role_heads").flatten().any(|head| word.ends_with(head) || word == head)
}

/// A position that was named, and how clearly.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundTitle {
    pub(super) title: String,
    pub(super) tokens: Range<usize>,
    /// Whether it ends like the name of an occupation.
    pub(super) certain: bool,
}

/// Concepts whose words are no titles.
const NO_TITLES: [&str; 15] = [
    "profile",
    "notes",
    "ad",
    "screening",
    "own",
    "outreach",
    "message",
    "candidate",
    "report",
    "transcript",
    "funnel",
    "inclusive",
    "invite",
    "interview",
    "on_teams",
];

/// The position a sentence names.
pub(super) fn find_title(heard: &Heard<'_>, taken: &[Range<usize>]) -> Option<FoundTitle> {
    let lexicon = Lexicon::get();
    let mut best: Option<(bool, usize, FoundTitle)> = None;
    for (after, words) in heard.after_cues("title_before") {
        let mut start = after;
        while heard
            .tokens
            .get(start)
            .is_some_and(|token| !token.is_after_sentence() && lexicon.has_cue("title_skip", &token.text))
        {
            start += 1;
        }
        // "Hiring manager" hires nobody.
        if heard.all("manager").any(|hit| hit.start < start && start < hit.end) {
            continue;
        }
        let Some(found) = title_at(heard, start, lexicon) else { continue };
        let overlaps =
            taken.iter().any(|range| found.tokens.start < range.end && range.start < found.tokens.end);
        if overlaps {
            continue;
        }
        if best.as_ref().is_none_or(|(certain, cue, _)| (found.certain, words) > (*certain, *cue)) {
            best = Some((found.certain, words, found));
        }
    }
    let best = best.map(|(.., found)| found);
    best.filter(|found| found.certain).or_else(|| by_head(heard, lexicon, taken))
}

/// A title that nothing announces: capital letters up to the name of an occupation.
fn by_head(heard: &Heard<'_>, lexicon: &Lexicon, used: &[Range<usize>]) -> Option<FoundTitle> {
    let is_free = |at: usize| used.iter().all(|range| !range.contains(&at));
    for at in 0..heard.tokens.len() {
        let token = &heard.tokens[at];
        // "key account manager" is a title, "the manager" is not.
        let alone = at.checked_sub(1).is_none_or(|before| {
            heard.is_known(before) || is_frequent(&heard.tokens[before].text) || token.is_after_break()
        });
        let person = heard.covers(&["own", "candidate"], at) || (heard.covers(&["manager"], at) && alone);
        if !is_free(at) || !lexicon.is_head(&token.text) || person {
            continue;
        }
        let mut start = at;
        while let Some(previous) = start.checked_sub(1).and_then(|index| heard.tokens.get(index)) {
            let here = &heard.tokens[start];
            let plain = !here.is_after_break() || here.before == "/";
            let word = previous.text.as_str();
            let ends = lexicon.has_cue("title_skip", word)
                || lexicon.has_cue("title_end", word)
                || lexicon.is_article(word)
                || heard.may_cover(&NO_TITLES, start - 1)
                || heard.covers(&["make", "hello", "yes", "story"], start - 1)
                || is_frequent(word);
            if !plain || ends || at - start >= 4 {
                break;
            }
            start -= 1;
        }
        let single = start == at && !token.is_capital();
        if single && token.text.chars().count() < 8 {
            continue;
        }
        if let Some(found) = title_at(heard, start, lexicon).filter(|found| found.certain) {
            return Some(found);
        }
    }
    None
}

/// The title that begins at a token.
fn title_at(heard: &Heard<'_>, start: usize, lexicon: &Lexicon) -> Option<FoundTitle> {
    let (mut start, mut end) = (start, start);
    while let Some(token) = heard.tokens.get(end) {
        let first = end == start;
        // "for Hamburg a sales manager": the title begins after the article.
        let is_title = (start..end).any(|at| lexicon.is_head(&heard.tokens[at].text));
        if !first && lexicon.is_article(&token.text) && !is_title && !token.is_after_break() {
            end += 1;
            start = end;
            continue;
        }
        let slash =
            token.before == "/" || token.before == "-" || token.before == "&" || token.before == " & ";
        if (!first && token.is_after_break() && !slash)
            || (first && token.is_after_sentence())
            || end - start >= 6
        {
            break;
        }
        let linked = lexicon.has("title_links", &token.text);
        let head_follows = (end + 1..end + 3).any(|at| {
            heard.tokens.get(at).is_some_and(|next| lexicon.is_head(&next.text) && next.is_capital())
        });
        if linked && !first && head_follows && token.text != "for" {
            end += 1;
            continue;
        }
        // After the name of the occupation only what is written like it: "Bauleiter Tiefbau", not "technician recruitment".
        let named = end > start
            && heard.tokens[end - 1].is_capital()
            && !heard.is_known(end)
            && !is_frequent(&token.text);
        let over = !first
            && !named
            && !token.is_capital()
            && !lexicon.is_head(&token.text)
            && lexicon.is_head(&heard.tokens[end - 1].text);
        let stop = over
            || lexicon.has_cue("title_end", &token.text)
                && !(token.is_capital() && token.text.len() > 3 && lexicon.is_head(&token.text));
        let dated = lexicon.calendar.weekday(&token.text).is_some() || token.number().is_some();
        if stop
            || dated
            || lexicon.language(&token.text).is_some()
            || (heard.covers(&NO_TITLES, end) && !lexicon.is_head(&token.text))
        {
            break;
        }
        end += 1;
    }
    if end == start {
        return None;
    }
    let certain = (start..end).any(|at| lexicon.is_head(&heard.tokens[at].text));
    let person = !certain && heard.covers(&["manager", "candidate"], start);
    let title = heard.typed(start, end).to_owned();
    let known = (start..end).all(|at| heard.is_known(at) || is_frequent(&heard.tokens[at].text));
    (!person && (certain || !known)).then_some(FoundTitle { title, tokens: start..end, certain })
}
