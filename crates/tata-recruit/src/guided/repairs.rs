//! People correct themselves while they type: "Tuesday, no wait, Wednesday". What they took back is taken out.

use std::borrow::Cow;

use super::{clock::find_length, hearing::Heard, lexicon::Lexicon, numerals::number_at, tokens::Token};
use crate::gate::is_frequent;

/// So many corrections in one message are followed.
const MOST: usize = 4;
/// What is taken back stands at most so many words before the correction, and what is meant as many after it.
const REACH: usize = 12;

/// The text without what was taken back in it.
pub(super) fn mended(text: &str) -> Cow<'_, str> {
    let mut mended = without_fillers(text);
    for _ in 0..MOST {
        match once(&mended) {
            Some(next) => mended = Cow::Owned(next),
            None => break,
        }
    }
    mended
}

/// The text without words that only fill a pause: ", well, ", "liksom".
fn without_fillers(text: &str) -> Cow<'_, str> {
    let lexicon = Lexicon::get();
    let tokens = super::tokens::tokens(text);
    let mut clean = String::new();
    let (mut at, mut copied) = (0, 0);
    while at < tokens.len() {
        let longest = |list: &str| lexicon.phrase_at(list, &tokens, at);
        let apart = |count: usize| {
            (at == 0 || tokens[at].is_after_break())
                && tokens.get(at + count).is_none_or(|next| next.before.contains(','))
        };
        let count = longest("pauses").or_else(|| longest("asides").filter(|count| apart(*count)));
        // A label is no filler: "Typ: HM-Interview".
        let label = |count: usize| tokens.get(at + count).is_some_and(|next| next.before.starts_with(':'));
        if let Some(count) = count.filter(|count| !label(*count) && tokens.len() > *count && at > 0) {
            // What stands before it goes with it if it is parted on both sides.
            let from = if tokens[at].before.contains(',') { tokens[at - 1].end } else { tokens[at].start };
            clean.push_str(text.get(copied..from).unwrap_or_default());
            copied = tokens[at + count - 1].end;
            if from == tokens[at].start && text.get(copied..).is_some_and(|rest| rest.starts_with(' ')) {
                copied += 1;
            }
            at += count;
        } else {
            at += 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(clean)
}

/// A correction: its first token and the token after it.
fn correction(tokens: &[Token<'_>]) -> impl Iterator<Item = (usize, usize)> {
    let lexicon = Lexicon::get();
    (1..tokens.len()).filter(|at| tokens[*at].is_after_break()).filter_map(move |at| {
        let long = lexicon.phrase_at("repairs", tokens, at);
        // A bare "no" takes back only if something stands in its place at once.
        let bare = || {
            let next = tokens.get(at + 1)?;
            let meant =
                next.before.contains(',') || number_at(tokens, at + 1).is_some_and(|(value, _)| value > 1);
            (lexicon.has("repair_words", &tokens[at].text) && meant).then_some(1)
        };
        let mut end = at + long.or_else(bare)?;
        // "no wait, sorry, I mean": one correction.
        while let Some(more) = lexicon.phrase_at("repairs", tokens, end) {
            end += more;
        }
        Some((at, end))
    })
}

/// Follows the first correction that can be followed.
fn once(text: &str) -> Option<String> {
    let heard = Heard::of(text);
    let tokens = &heard.tokens;
    correction(tokens).find_map(|(start, end)| {
        let first = tokens.get(end)?;
        let cut = |from: usize, to: usize| {
            let (from, to) = (tokens.get(from)?.start, tokens.get(to)?.start);
            Some(format!("{}{}", text.get(..from)?, text.get(to..)?))
        };
        let back = start.saturating_sub(REACH)..start;
        let before = |fits: &dyn Fn(usize) -> bool| back.clone().rev().find(|at| fits(*at));
        // "15 contacted, no, 25, …": only the number changes.
        if let Some((value, after)) = number_at(tokens, end).filter(|(value, _)| *value > 1)
            && tokens.get(after).is_none_or(Token::is_after_break)
            && let Some(old) = before(&|at| is_count(tokens, at))
            && old + 1 < start
        {
            let (from, to) = (tokens[old].start, tokens[old].end);
            let rest = tokens
                .get(after)
                .map_or("", |next| text.get(tokens[after - 1].end..next.start).unwrap_or(", "));
            let kept = text.get(to..tokens[start - 1].end)?;
            let tail = tokens.get(after).map_or(Some(""), |next| text.get(next.start..))?;
            return Some(format!("{}{value}{kept}{rest}{tail}", text.get(..from)?));
        }
        // "auf Schwedisch weitermachen, ach nein, auf Norwegisch": one name for another, the rest stays.
        let named = (end..tokens.len().min(end + 3)).find_map(|at| {
            let sort = sort(&heard, at).filter(|sort| matches!(sort, Sort::Language | Sort::City))?;
            Some((before(&|old| self::sort(&heard, old) == Some(sort))?, at))
        });
        if let Some((old, new)) = named {
            let (opening, kept) =
                (text.get(..tokens[old].start)?, text.get(tokens[old].end..tokens[start - 1].end)?);
            let tail = text.get(tokens[new].end..)?;
            return Some(format!("{opening}{}{kept}{tail}", tokens[new].raw));
        }
        // "a project manager, no, a programme manager": from the same word on.
        let alike = |at: usize| {
            let lexicon = Lexicon::get();
            let articles = lexicon.is_article(&first.text) && lexicon.is_article(&tokens[at].text);
            tokens[at].text == first.text || articles
        };
        if (!heard.is_known(end) || Lexicon::get().is_article(&first.text))
            && let Some(from) = before(&alike).filter(|at| start - at <= 8)
        {
            return cut(from, end);
        }
        if let (Some((_, old)), Some(_)) =
            (find_length(tokens.get(..start)?), find_length(tokens.get(end..)?))
        {
            return cut(old.start, end);
        }
        let window = end..tokens.len().min(end + REACH);
        let same = window.clone().find_map(|at| {
            let sort = sort(&heard, at)?;
            Some((before(&|old| self::sort(&heard, old) == Some(sort))?, at))
        });
        if let Some((from, to)) = same {
            return cut(from, to);
        }
        let occupation = |at: usize| Lexicon::get().is_head(&tokens[at].text);
        if (end..tokens.len().min(end + 3)).any(occupation)
            && let Some(from) = before(&occupation).filter(|at| start - at <= 2)
        {
            return cut(from, end);
        }
        // "Python, or no, SQL": one word for another.
        let content = |at: usize| !heard.is_known(at) && !is_frequent(&tokens[at].text);
        (content(end) && content(start - 1)).then(|| cut(start - 1, end)).flatten()
    })
}

/// What can be taken back for another of its sort.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Weekday,
    Number,
    Language,
    City,
    Need,
}

fn is_count(tokens: &[Token<'_>], at: usize) -> bool {
    tokens[at].number().is_some() || number_at(tokens, at).is_some_and(|(value, _)| value > 1)
}

fn sort(heard: &Heard<'_>, at: usize) -> Option<Sort> {
    let lexicon = Lexicon::get();
    let word = heard.tokens.get(at)?.text.as_str();
    if lexicon.calendar.weekday(word).is_some() {
        Some(Sort::Weekday)
    } else if is_count(&heard.tokens, at) || lexicon.ordinal(word).is_some() {
        Some(Sort::Number)
    } else if lexicon.language(word).is_some() {
        Some(Sort::Language)
    } else if lexicon.is_city(word) {
        Some(Sort::City)
    } else if heard.covers(&["good_to_have"], at) || lexicon.has("must_words", word) {
        Some(Sort::Need)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_gone() {
        for (text, meant) in [
            ("take out number 3, no wait, 4", "take out number 4"),
            ("15 contacted, no, 25, eleven replied", "25 contacted, eleven replied"),
            (
                "a profile for a project manager, no, sorry, a programme manager",
                "a profile for a programme manager",
            ),
            ("Tuesday, no, she's away then, Wednesday at 3 pm", "Wednesday at 3 pm"),
            ("half an hour, actually no, make it 45 minutes", "make it 45 minutes"),
            ("lägg till Python, eller nej, SQL", "lägg till SQL"),
            ("in Bremen, äh, Quatsch, in Hannover", "in Hannover"),
            (
                "kravprofil på en controller, nei forresten, en business controller",
                "kravprofil på en business controller",
            ),
            ("no, remove the third", "no, remove the third"),
            ("1 and 2 yes, 3 no", "1 and 2 yes, 3 no"),
        ] {
            assert_eq!(mended(text), meant, "{text}");
        }
    }
}
