//! One thing in the place of another: "swap the second for CCNP", "Juniper instead of Cisco".

use std::ops::Range;

use super::{
    hearing::Heard,
    lexicon::Lexicon,
    wishes::{is_item, is_polite, places, statement, trimmed},
};
use crate::gate::is_frequent;

/// Whether somebody names what they do not want any more.
pub(super) fn says_instead(heard: &Heard<'_>) -> bool {
    let begins = |at: usize| Lexicon::get().phrase_at("instead_of", &heard.tokens, at).is_some();
    (0..heard.tokens.len()).any(begins)
}

/// Whether something becomes a must-have.
pub(super) fn says_must(heard: &Heard<'_>) -> bool {
    let begins = |at: usize| Lexicon::get().phrase_at("becomes_must", &heard.tokens, at).is_some();
    (0..heard.tokens.len()).any(begins)
}

/// "Juniper instead of Cisco", "statt Cisco bitte Juniper".
pub(super) fn in_place(heard: &Heard<'_>, clause: &Range<usize>) -> Option<(String, String)> {
    let lexicon = Lexicon::get();
    let (at, length) =
        clause.clone().find_map(|at| Some((at, lexicon.phrase_at("instead_of", &heard.tokens, at)?)))?;
    let first = at + length;
    let parting = |index: &usize| {
        let token = &heard.tokens[*index];
        token.before.contains(',')
            || !token.is_capital() && is_frequent(&token.text)
            || is_polite(&token.text)
    };
    let middle = (first + 1..clause.end).find(parting);
    match middle {
        Some(middle) if trimmed(heard, middle, clause.end).is_some() && at <= clause.start + 3 => {
            Some((reference(heard, first..middle)?, trimmed(heard, middle, clause.end)?))
        }
        _ => Some((reference(heard, first..clause.end)?, statement(heard, &(clause.start..at))?)),
    }
}

/// "aus Punkt 2 wird Docker", "mach aus der dritten Aufgabe bitte Vertrieb".
pub(super) fn made_of(heard: &Heard<'_>, clause: &Range<usize>) -> Option<(String, String)> {
    let lexicon = Lexicon::get();
    let at = clause.clone().find(|at| lexicon.phrase_at("made_of", &heard.tokens, *at).is_some())?;
    let after = at + lexicon.phrase_at("made_of", &heard.tokens, at)?;
    // The place stands at once, or after an article and before its noun.
    let end = (after..clause.end.min(after + 4)).rev().find(|end| {
        !places(heard, *end..end + 1, 99).is_empty()
            || heard.covers(&["finding", "task", "good_to_have"], *end)
    })?;
    let place = places(heard, after..end + 1, 99).first()?.to_string();
    Some((place, trimmed(heard, end + 1, clause.end)?))
}

/// "Staplerschein von Kann zu Muss", "English should be a must-have after all".
pub(super) fn raised(heard: &Heard<'_>, clause: &Range<usize>) -> Option<String> {
    let lexicon = Lexicon::get();
    let at = clause.clone().find(|at| lexicon.phrase_at("becomes_must", &heard.tokens, *at).is_some())?;
    let from = (clause.start..at).find(|at| lexicon.has("can_words", &heard.tokens[*at].text));
    statement(heard, &(clause.start..from.unwrap_or(at)))
}

/// "Zendesk is not quite it, could you make ticket systems of it?"
pub(super) fn made_of_it(heard: &Heard<'_>) -> Option<(String, String)> {
    let lexicon = Lexicon::get();
    let at = (1..heard.tokens.len()).find(|at| lexicon.has("of_it", &heard.tokens[*at].text))?;
    let comma = (1..=at).rev().find(|at| heard.tokens[*at].is_after_break())?;
    let verb =
        heard.all("make").chain(heard.all("change")).map(|hit| hit.start).filter(|verb| *verb > at).min();
    let end = verb.unwrap_or(heard.tokens.len());
    let new = (at + 1..end).find(|start| is_item(heard, *start, end)).map(|start| start..end)?;
    Some((statement(heard, &(0..comma))?, trimmed(heard, new.start, new.end)?))
}

/// "Number 4 is wrong, it should be fibre": what is right stands after the remark.
pub(super) fn corrected(heard: &Heard<'_>) -> Option<(String, String)> {
    let lexicon = Lexicon::get();
    let count = heard.tokens.len();
    let at = (1..count).find(|at| lexicon.phrase_at("should_be", &heard.tokens, *at).is_some())?;
    let places = places(heard, 0..at, 20);
    let [place] = places.as_slice() else { return None };
    let after = at + lexicon.phrase_at("should_be", &heard.tokens, at)?;
    let end = (after..count).find(|at| heard.tokens[*at].is_after_sentence()).unwrap_or(count);
    let called = end > after && lexicon.has("called", &heard.tokens[end - 1].text);
    let end = if called { end - 1 } else { end };
    let verbs = ["add", "remove", "good_to_have"];
    if !(called || heard.tokens[at].is_after_break()) || (after..end).any(|at| heard.covers(&verbs, at)) {
        return None;
    }
    Some((place.to_string(), trimmed(heard, after, end)?))
}

/// "swap the second one for CCNP".
pub(super) fn replacement(
    heard: &Heard<'_>,
    clause: &Range<usize>,
    start: usize,
    said: Option<&str>,
) -> Option<(String, String)> {
    let at = (start..clause.end).find(|at| *at > start && heard.cue_at("replaced_by", *at).is_some())?;
    // "we no longer use Navision, swap it for Business Central".
    let pronoun = (start..at).all(|at| Lexicon::get().has("pronouns", &heard.tokens[at].text));
    let old = if pronoun { said?.to_owned() } else { reference(heard, start..at)? };
    let after = at + heard.cue_at("replaced_by", at)?;
    // "…, so that is settled" is a remark; "…, for example Agda or Hogia" belongs to it.
    let remark = |at: &usize| {
        let token = &heard.tokens[*at];
        let goes_on = token.is_capital()
            || !is_frequent(&token.text)
            || Lexicon::get().has("example_leads", &token.text);
        token.is_after_break() && !goes_on
    };
    let end = (after + 1..clause.end).find(remark).unwrap_or(clause.end);
    Some((old, trimmed(heard, after, end)?))
}

/// "das dritte Kriterium durch Teamfähigkeit ersetzen": the verb comes last.
pub(super) fn replaced_before(
    heard: &Heard<'_>,
    clause: &Range<usize>,
    verb: usize,
) -> Option<(String, String)> {
    let cue = (clause.start + 1..verb).find(|at| heard.cue_at("replaced_by", *at).is_some())?;
    let after = cue + heard.cue_at("replaced_by", cue)?;
    let place = places(heard, clause.start..cue, 20).first().map(u32::to_string)?;
    Some((place, trimmed(heard, after, verb)?))
}

/// A place in the list, or the words of a statement.
fn reference(heard: &Heard<'_>, range: Range<usize>) -> Option<String> {
    let lexicon = Lexicon::get();
    // "the second one" is a place; "5 years of experience" is not.
    let words = range.clone().filter(|at| {
        let token = &heard.tokens[*at];
        let counts = token.number().is_some()
            || lexicon.ordinal(&token.text).is_some()
            || lexicon.number(&token.text).is_some();
        !counts
            && !heard.is_known(*at)
            && !is_frequent(&token.text)
            && !lexicon.is_article(&token.text)
            && !lexicon.is_last(&token.text)
    });
    if words.count() == 0
        && let Some(place) = places(heard, range.clone(), 99).first()
    {
        return Some(place.to_string());
    }
    trimmed(heard, range.start, range.end)
}
