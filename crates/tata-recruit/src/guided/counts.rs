//! Numbers of a funnel in a sentence: "87 applications, 19 of them qualified".

use std::collections::BTreeMap;

use super::{hearing::follows, lexicon::Lexicon, numerals::number_at, tokens::Token};

/// A stage's name stands at most so many words from its number.
const REACH: usize = 4;

/// The stages that have a number.
pub(super) fn counts(tokens: &[Token<'_>], meant: &[Option<&str>]) -> BTreeMap<&'static str, u32> {
    let mut counts = BTreeMap::new();
    let numbers = numbers(tokens);
    for (order, (start, end, value)) in numbers.iter().enumerate() {
        let next = numbers.get(order + 1).map_or(tokens.len(), |(start, ..)| *start);
        let previous = order.checked_sub(1).and_then(|at| numbers.get(at)).map_or(0, |(_, end, _)| *end);
        // "87 applications": after the number, up to the next one.
        let stop = (*end..next).find(|at| *at > *end && tokens[*at].is_after_break()).unwrap_or(next);
        let broken = tokens.get(*end).is_none_or(Token::is_after_break);
        let after =
            (*end..stop.min(*end + REACH)).filter(|_| !broken).find_map(|at| stage(tokens, at, stop, meant));
        // "contacted 38", "replies: 21": directly before it.
        let before = (previous..*start).rev().take(REACH).find_map(|at| {
            stage(tokens, at, *start, meant).filter(|(_, stop)| is_near(tokens, *stop, *start))
        });
        let led = tokens.get(*start).is_some_and(|token| token.before.contains([':', '=']));
        // "geantwortet haben elf und interessiert …": what stands directly before it is nearer.
        let unbroken = tokens.get(*start).is_some_and(|token| !token.is_after_break());
        let beside = (*end..stop).next().and_then(|at| stage(tokens, at, stop, meant)).filter(|_| !broken);
        let nearer = unbroken && beside.is_none() && before.is_some_and(|(_, stop)| stop == *start);
        let found = if led || nearer { before.or(after) } else { after.or(before) };
        if let Some((stage, _)) = found {
            counts.entry(stage).or_insert(*value);
        }
        // "1 offer made and accepted": both stages have the number.
        if let Some((_, stop)) = &after
            && let Some((second, _)) =
                (*stop..next.min(*stop + 2)).find_map(|at| stage_and(tokens, at, next, meant))
        {
            counts.entry(second).or_insert(*value);
        }
    }
    counts
}

/// Whether at most a few small words stand between: "gesourct haben wir 60".
fn is_near(tokens: &[Token<'_>], stop: usize, start: usize) -> bool {
    let small = |at: usize| crate::gate::is_frequent(&tokens[at].text) && !tokens[at].is_after_break();
    stop + 1 >= start || stop + 3 >= start && (stop..start).all(small)
}

/// The stage whose name begins at a token and ends before another.
fn stage(
    tokens: &[Token<'_>],
    at: usize,
    limit: usize,
    meant: &[Option<&str>],
) -> Option<(&'static str, usize)> {
    let word = tokens.get(at).map(|token| token.text.as_str())?;
    Lexicon::get().stages(word).iter().find_map(|(words, stage)| {
        // A stage may open a sentence; only the words after its first must not.
        let (first, rest) = words.split_first()?;
        let first = [*first].into_iter();
        follows(first, tokens.get(..=at)?, at, meant).or_else(|| {
            let own = words.first()?;
            let fits = if own.open { word.starts_with(own.text) } else { word == own.text };
            fits.then_some((at + 1, false))
        })?;
        let (end, _) = follows(rest.iter().copied(), tokens, at + 1, meant)?;
        (end <= limit).then_some((*stage, end))
    })
}

/// A second stage after "and".
fn stage_and(
    tokens: &[Token<'_>],
    at: usize,
    limit: usize,
    meant: &[Option<&str>],
) -> Option<(&'static str, usize)> {
    let joined = tokens.get(at).is_some_and(|token| Lexicon::get().has_cue("and", &token.text));
    if joined { stage(tokens, at + 1, limit, meant) } else { None }
}

/// Numbers with their tokens: "2 140" and "2.140" are one.
fn numbers(tokens: &[Token<'_>]) -> Vec<(usize, usize, u32)> {
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Some(mut value) = token.number() else {
            // "a" and "one" are too common to be counts, unless the stage follows at once: "one offer".
            let found = number_at(tokens, at)
                .filter(|(value, end)| *value != 1 || stage(tokens, *end, tokens.len(), &[]).is_some());
            match found {
                Some((value, end)) => {
                    numbers.push((at, end, value));
                    at = end;
                }
                None => at += 1,
            }
            continue;
        };
        if let Some((scaled, end)) = number_at(tokens, at).filter(|(_, end)| *end > at + 1) {
            numbers.push((at, end, scaled));
            at = end;
            continue;
        }
        let mut end = at + 1;
        while let Some(next) = tokens.get(end).filter(|next| {
            matches!(next.before, " " | "." | "," | "\u{a0}" | "\u{202f}" | "'") && next.text.len() == 3
        }) {
            let Some(more) = next.number().filter(|_| tokens[end - 1].text.len() <= 3) else { break };
            let Some(larger) = value.checked_mul(1000).and_then(|value| value.checked_add(more)) else {
                break;
            };
            value = larger;
            end += 1;
        }
        numbers.push((at, end, value));
        at = end;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::tokens::tokens;

    #[test]
    fn numbers_find_their_stages() {
        let found =
            counts(&tokens("2 140 ad views, 310 apply clicks, 87 applications, 19 of them qualified"), &[]);
        let expected = [
            ("job_ad_views", 2140),
            ("apply_clicks", 310),
            ("applications_received", 87),
            ("qualified_applications", 19),
        ];
        assert_eq!(found, expected.into_iter().collect());
        let found = counts(&tokens("sourced 45, contacted 38, 21 replied. 1 offer made and accepted"), &[]);
        let expected = [
            ("candidates_sourced", 45),
            ("contacted", 38),
            ("replied", 21),
            ("offers_made", 1),
            ("offers_accepted", 1),
        ];
        assert_eq!(found, expected.into_iter().collect());
        assert!(counts(&tokens(""), &[]).is_empty());
    }
}
