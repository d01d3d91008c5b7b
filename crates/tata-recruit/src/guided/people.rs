//! Names and roles of people in a sentence.

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
        && (word.chars().count() > 1 || first && is_initial(heard, at))
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

/// Whether a token is a letter with a dot before the rest of a name: "R. Stenzel".
fn is_initial(heard: &Heard<'_>, at: usize) -> bool {
    let dotted = heard.tokens.get(at + 1).is_some_and(|next| next.before == ". " && next.is_capital());
    dotted && heard.tokens[at].raw.chars().count() == 1 && heard.tokens[at].is_capital()
}

/// The name that begins at a token.
pub(super) fn name_at(heard: &Heard<'_>, start: usize, small: bool) -> Option<FoundName> {
    let lexicon = Lexicon::get();
    let (mut end, mut parts) = (start, 0);
    while parts < 4 {
        let Some(token) = heard.tokens.get(end) else { break };
        let joined = matches!(token.before, " " | "-" | "\u{a0}")
            || end == start
            || token.before == ". " && is_initial(heard, end - 1);
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
    // "Dr. Ulrich Behrend" is called so.
    let titled = |from: &usize| {
        let (title, next) = (&heard.tokens[*from], &heard.tokens[from + 1]);
        lexicon.has("honours", &title.text) && matches!(next.before, " " | ". ")
    };
    let start = (0..start).rev().take_while(titled).last().unwrap_or(start);
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

/// The first name of two parts whose role is told, and the role.
pub(super) fn any_name_with_role(heard: &Heard<'_>) -> Option<(FoundName, Range<usize>)> {
    let mut taken: Vec<Range<usize>> = Vec::new();
    while let Some(name) = any_name(heard, &taken, 2) {
        if let Some(role) = role_of(heard, &name) {
            return Some((name, role));
        }
        taken.push(name.tokens);
    }
    None
}

/// What somebody does, wherever it stands.
pub(super) fn role_of(heard: &Heard<'_>, name: &FoundName) -> Option<Range<usize>> {
    // "our Head of Finance, Mads Thorsen, as hiring manager": the role is the first.
    let plain = |role: &Range<usize>| role.clone().any(|at| heard.covers(&["manager"], at));
    let after = role_after(heard, name);
    match role_before(heard, name) {
        Some(before) if after.as_ref().is_none_or(plain) => Some(before),
        _ => after,
    }
}

/// What somebody does, after their name: "Mette Sørensen, Head of Field Operations".
fn role_after(heard: &Heard<'_>, name: &FoundName) -> Option<Range<usize>> {
    let lexicon = Lexicon::get();
    let first = heard.tokens.get(name.tokens.end)?;
    let mut start = name.tokens.end;
    let joined = matches!(first.before.trim(), "," | "(" | "–" | "-");
    let told = |word: &str| lexicon.has("role_lead", word);
    // "hedder Birgitte og er regnskabschef": only with a verb behind it.
    let goes_on = lexicon.has_cue("and", &first.text)
        && heard.tokens.get(start + 1).is_some_and(|next| lexicon.has("copulas", &next.text));
    if goes_on {
        start += 2;
    } else if !joined && !told(&first.text) {
        return None;
    }
    while heard.tokens.get(start).is_some_and(|token| told(&token.text)) {
        start += 1;
    }
    let mut end = start;
    while let Some(token) = heard.tokens.get(end) {
        let broken = end > start && token.is_after_break() && !matches!(token.before, "/" | "-" | "&");
        let linked = joins_role(heard, end, lexicon);
        let stop = end > start && !linked && !token.is_capital() && lexicon.has_cue("title_end", &token.text);
        if broken || stop || end - start > 6 || lexicon.calendar.weekday(&token.text).is_some() {
            break;
        }
        end += 1;
    }
    while end > start
        && heard.tokens.get(end - 1).is_some_and(|token| {
            lexicon.has("title_links", &token.text) || lexicon.has("role_links", &token.text)
        })
    {
        end -= 1;
    }
    let names = |at: usize| {
        let word = heard.tokens[at].text.as_str();
        lexicon.is_head(word)
            || heard.covers(&["manager"], at)
            || lexicon.any_of("role_heads", |head| word.ends_with(head) || word.starts_with(head))
    };
    (start..end).any(names).then_some(start..end)
}

/// Whether a word inside a role goes on with it: "Head of Sales and Marketing", "chef för fältservice".
fn joins_role(heard: &Heard<'_>, at: usize, lexicon: &Lexicon) -> bool {
    let (Some(token), Some(next)) = (heard.tokens.get(at), heard.tokens.get(at + 1)) else { return false };
    let led = at.checked_sub(1).is_some_and(|before| is_role(&heard.tokens[before].text, lexicon));
    let area = !is_frequent(&next.text) && !lexicon.is_article(&next.text) && !next.is_after_break();
    lexicon.has("title_links", &token.text) && (next.is_capital() || lexicon.is_head(&next.text))
        || lexicon.has("role_links", &token.text) && led && area
}

/// What somebody does, before their name: "our Sales Director Helena Brandt".
fn role_before(heard: &Heard<'_>, name: &FoundName) -> Option<Range<usize>> {
    let lexicon = Lexicon::get();
    let mut start = name.tokens.start;
    // "our head of legal, Ursina Caflisch" has a comma, and then somebody whose head it is.
    let comma = heard.tokens.get(start)?.before == ", ";
    if !comma && heard.tokens.get(start)?.before != " " {
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
    let owned = start.checked_sub(1).is_some_and(|at| lexicon.has("role_lead", &heard.tokens[at].text));
    let fits = (start..name.tokens.start).any(known) && (!comma || owned);
    fits.then_some(start..name.tokens.start)
}

/// Whether a word is how a leading role begins or ends.
pub(super) fn is_role(word: &str, lexicon: &Lexicon) -> bool {
    lexicon.any_of("role_heads", |head| word.ends_with(head))
}
