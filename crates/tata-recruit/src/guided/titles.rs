//! Titles of positions in a sentence.

use std::ops::Range;

use super::{hearing::Heard, lexicon::Lexicon, people::is_role};
use crate::gate::is_frequent;

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
        // What a sentence announces stands in the same sentence.
        let apart = heard.tokens.get(start).is_none_or(super::tokens::Token::is_after_sentence);
        let Some(found) = title_at(heard, start, lexicon).filter(|_| !apart) else { continue };
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
            let plain = !here.is_after_break() || matches!(here.before, "/" | " / ");
            let word = previous.text.as_str();
            let short = is_short_name(heard, start - 1, lexicon);
            let ends = !short
                && (lexicon.has_cue("title_skip", word)
                    || lexicon.has_cue("title_end", word)
                    || lexicon.is_article(word)
                    || heard.may_cover(&NO_TITLES, start - 1)
                    || heard.covers(&["make", "hello", "yes", "story"], start - 1)
                    || lexicon.is_city(word)
                    || is_frequent(word));
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
    let mut start = start;
    let leads = |at: usize| {
        heard.tokens.get(at).is_some_and(|token| !token.is_capital() && lexicon.has("copulas", &token.text))
    };
    while leads(start) {
        start += 1;
    }
    let mut end = start;
    while let Some(token) = heard.tokens.get(end) {
        let first = end == start;
        // "for Hamburg a sales manager": the title begins after the article.
        let is_title = (start..end).any(|at| lexicon.is_head(&heard.tokens[at].text));
        if !first && lexicon.is_article(&token.text) && !is_title && !token.is_after_break() {
            end += 1;
            start = end;
            continue;
        }
        let joined = matches!(token.before, "/" | " / " | "-" | "&" | " & ");
        if (!first && token.is_after_break() && !joined) || end - start >= 6 {
            break;
        }
        // "Leiter/in Kundenservice": an ending, not a word.
        if !first && matches!(token.before, "/" | ":" | "*") && lexicon.has("gender_endings", &token.text) {
            end += 1;
            continue;
        }
        if let Some(after) = specialised(heard, start, end, lexicon) {
            end = after;
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
        if stops(heard, start, end, lexicon) {
            break;
        }
        end += 1;
    }
    if end == start {
        return None;
    }
    let certain = (start..end).any(|at| lexicon.is_head(&heard.tokens[at].text));
    if certain {
        end = with_comma_part(heard, start, end, lexicon);
    }
    let person = !certain && heard.covers(&["manager", "candidate"], start);
    let title = heard.typed(start, end).to_owned();
    let known = (start..end).all(|at| heard.is_known(at) || is_frequent(&heard.tokens[at].text));
    (!person && (certain || !known)).then_some(FoundTitle { title, tokens: start..end, certain })
}

/// Whether a title ends before a token.
fn stops(heard: &Heard<'_>, start: usize, at: usize, lexicon: &Lexicon) -> bool {
    let token = &heard.tokens[at];
    let is_head = |at: usize| heard.tokens.get(at).is_some_and(|token| lexicon.is_head(&token.text));
    let (first, occupation) = (at == start, is_head(at));
    // "IT Support Lead", "it-arkitekt": no small word, though written like one.
    if is_short_name(heard, at, lexicon) {
        return false;
    }
    let follows = |at: usize| heard.tokens.get(at).is_some_and(|next| matches!(next.before, " " | "-"));
    // "lead security architect", "team lead": the occupation comes last.
    let last = |at: usize| follows(at) && is_head(at);
    let plain =
        !lexicon.has_cue("title_end", &token.text) && !heard.is_known(at) && !is_frequent(&token.text);
    if last(at + 1) && (plain || token.text == "team") && !token.is_after_break() {
        return false;
    }
    // "our CTO Ingrid Solberg": a name is no part of the role.
    let led = at > start && is_role(&heard.tokens[at - 1].text, lexicon);
    let name = || super::people::name_at(heard, at, false).filter(|name| name.tokens.len() > 1);
    if led && name().is_some_and(|name| !(at..name.tokens.end).any(is_head)) {
        return true;
    }
    // After the name of the occupation only what is written like it: "Bauleiter Tiefbau", not "technician recruitment".
    let previous = at.checked_sub(1).and_then(|before| heard.tokens.get(before));
    let ending = previous.is_some_and(|before| lexicon.has("gender_endings", &before.text));
    let after_head = ending || previous.is_some_and(|before| lexicon.is_head(&before.text));
    let over = !first && !token.is_capital() && !occupation && after_head;
    let adverb = !first && !token.is_capital() && lexicon.has("copulas", &token.text);
    let stop = over
        || adverb
        || lexicon.has_cue("title_end", &token.text)
            && !(token.is_capital() && token.text.len() > 3 && occupation);
    let dated = lexicon.calendar.weekday(&token.text).is_some() || token.number().is_some();
    stop || dated
        || lexicon.language(&token.text).is_some()
        || (!first && lexicon.is_city(&token.text) && !occupation)
        || (heard.covers(&NO_TITLES, at) && !occupation)
}

/// Whether a token is a short name before an occupation: "IT", "HR".
fn is_short_name(heard: &Heard<'_>, at: usize, lexicon: &Lexicon) -> bool {
    let Some(token) = heard.tokens.get(at) else { return false };
    let short = token.text.chars().count() <= 3;
    let shouted = token.raw.chars().all(char::is_uppercase) && token.raw.chars().count() >= 2;
    let glued = heard.tokens.get(at + 1).is_some_and(|next| next.before == "-");
    let heads =
        (at + 1..at + 4).any(|at| heard.tokens.get(at).is_some_and(|next| lexicon.is_head(&next.text)));
    short && (shouted || glued) && heads
}

/// The end of a title that says of what: "Head of Data Platform", "chef för fältservice", "Leiterin der Buchhaltung".
fn specialised(heard: &Heard<'_>, start: usize, at: usize, lexicon: &Lexicon) -> Option<usize> {
    let (leader, link) =
        (heard.tokens.get(at.checked_sub(1)?).filter(|_| at > start)?, heard.tokens.get(at)?);
    let leads = is_role(&leader.text, lexicon) || lexicon.has("leading_heads", &leader.text);
    let wide = lexicon.has("area_links", &link.text) && lexicon.is_head(&leader.text);
    if link.before != " " || !(leads && lexicon.has("role_links", &link.text) || wide) {
        return None;
    }
    let is_area = |at: usize| {
        heard.tokens.get(at).is_some_and(|token| {
            matches!(token.before, " " | "-")
                && !lexicon.is_article(&token.text)
                && !lexicon.is_city(&token.text)
                && !is_frequent(&token.text)
                && !heard.covers(&["team_word", "profile", "candidate", "manager"], at)
                && token.number().is_none()
                && lexicon.language(&token.text).is_none()
                && !lexicon.has_cue("title_end", &token.text)
        })
    };
    let capital = |at: usize| heard.tokens.get(at).is_some_and(super::tokens::Token::is_capital);
    // English writes it with capitals, and so does German every noun.
    let written =
        capital(at + 1) || !matches!(link.text.as_str(), "of" | "der" | "des" | "im" | "für" | "von");
    if !is_area(at + 1) || !written {
        return None;
    }
    // "Head of Sales Anna Berg": the last two of three or more are a name.
    let run = (at + 1..at + 6).take_while(|at| is_area(*at) && capital(*at)).count();
    let name = (run >= 3).then(|| super::people::name_at(heard, at + 1 + run - 2, false)).flatten();
    let limit = if name.is_some_and(|name| name.tokens.len() == 2) { at + 1 + run - 2 } else { at + 5 };
    let mut end = at + 2;
    while end < limit {
        let joins = heard
            .tokens
            .get(end)
            .is_some_and(|token| lexicon.has("title_links", &token.text) || token.before == " & ");
        if is_area(end) && capital(end) {
            end += 1;
        } else if joins && capital(end + 1) && is_area(end + 1) && capital(at + 1) && end < at + 4 {
            end += 2;
        } else {
            break;
        }
    }
    Some(end)
}

/// The end of a title with what stands behind a comma: "Key Account Manager, Public Sector".
fn with_comma_part(heard: &Heard<'_>, start: usize, end: usize, lexicon: &Lexicon) -> usize {
    let cased = heard.tokens.get(start).is_some_and(super::tokens::Token::is_capital);
    let begins = |token: &&super::tokens::Token<'_>| token.before == ", " && token.is_capital() == cased;
    let Some(first) = heard.tokens.get(end).filter(begins) else { return end };
    let is_part = |at: usize| {
        heard.tokens.get(at).is_some_and(|token| {
            !is_frequent(&token.text)
                && !heard.is_known(at)
                && !lexicon.is_city(&token.text)
                && !lexicon.is_head(&token.text)
                && !lexicon.is_polite(&token.text)
                && !lexicon.is_article(&token.text)
                && token.number().is_none()
                && super::numerals::in_one_word(&token.text).is_none()
                && lexicon.calendar.weekday(&token.text).is_none()
                && lexicon.language(&token.text).is_none()
                && !lexicon.has_cue("title_end", &token.text)
                && !lexicon.has("repair_words", &token.text)
        })
    };
    // German writes every noun with a capital: only names in capitals are told apart there.
    let german = heard.spoken() == Some(crate::Language::De);
    let single = heard.tokens.get(end + 1).is_none_or(|next| next.before != " " || !next.is_capital());
    if german && single && first.is_capital() && !first.raw.chars().all(char::is_uppercase) {
        return end;
    }
    // A name of somebody, or a list of skills, is no part of a title.
    let parts = (end..end + 2).take_while(|at| {
        is_part(*at)
            && (*at == end
                || heard.tokens[*at].before == " " && heard.tokens[*at].is_capital() == first.is_capital())
    });
    let after = end + parts.count();
    let mut next = after;
    while heard.tokens.get(next).is_some_and(|token| lexicon.is_polite(&token.text)) {
        next += 1;
    }
    let closed = heard.tokens.get(next).is_none_or(|token| {
        token.is_after_sentence()
            || token.before == " " && (lexicon.has_cue("title_end", &token.text) || heard.is_known(next))
            || token.before.contains([',', ')'])
                && (heard.is_known(next)
                    || is_frequent(&token.text)
                    || lexicon.has_cue("title_end", &token.text)
                    || lexicon.is_city(&token.text))
    });
    // "Head of Network, Lotte Bager" names a person.
    let leads = (start..end).any(|at| is_role(&heard.tokens[at].text, lexicon));
    let named = super::people::name_at(heard, end, false).is_some_and(|name| name.tokens.len() > 1);
    if leads && named {
        return end;
    }
    if after > end && closed { after } else { end }
}
