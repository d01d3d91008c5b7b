//! Where sentences end.

use std::ops::Range;

use super::{
    cues::Cues,
    words::{View, Word},
};

/// The sentences of a range. A full stop after an abbreviation, a number or a single letter ends none.
pub(super) fn sentences(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Vec<Range<usize>> {
    let range = &view.trim(range.clone(), char::is_whitespace);
    let text = view.slice(range);
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    let mut depth = 0_usize;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at + letter.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        let closes = match letter {
            '!' | '?' | '\u{2026}' => next.is_none_or(char::is_whitespace),
            '.' => {
                next.is_none_or(|next| next.is_whitespace() || next == '"')
                    && stops(view, range, start, at, cues)
            }
            _ => false,
        };
        // A bracket that is never closed must not swallow the text.
        if closes && (depth == 0 || end - start > 400) {
            depth = 0;
            sentences.push(range.start + start..range.start + end);
            start = end;
        }
    }
    if start < text.len() {
        sentences.push(range.start + start..range.end);
    }
    let blank = |sentence: &Range<usize>| view.slice(sentence).trim().is_empty();
    sentences.retain(|sentence| !blank(sentence));
    sentences
}

/// Whether the full stop at `at` ends the sentence that began at `start`.
fn stops(view: &View<'_>, range: &Range<usize>, start: usize, at: usize, cues: &Cues) -> bool {
    let words = view.words_in(&(range.start + start..range.start + at));
    let after = view.slice(&(range.start + at + 1..range.end)).trim_start().chars().next();
    let Some(last) = words.last() else { return after.is_none() || words.is_empty() };
    if after.is_none() {
        return true;
    }
    // Whoever goes on with a small letter or a sign has not ended the sentence, unless no sentence begins with a capital.
    let small = view.slice(range).chars().next().is_some_and(char::is_lowercase)
        && after.is_some_and(char::is_lowercase)
        && last.text.chars().count() >= 2
        && !cues.abbreviations.is(std::slice::from_ref(last))
        && opens(view, &(range.start + at + 1..range.end), cues)
        && view.slice(&(range.start + start..last.start)).chars().next_back().is_none_or(char::is_whitespace);
    if !small
        && !after.is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit() || is_opening(letter))
    {
        return false;
    }
    // "abgeschl. Ausbildung": one small word is no sentence.
    let lone = words.len() == 1 && view.slice(&(last.start..last.end)).chars().all(char::is_lowercase);
    if lone && last.text.chars().count() <= 10 && !small {
        return false;
    }
    let standing = view.slice(&(range.start + start..last.start)).chars().next_back();
    let own = standing.is_none_or(|before| before.is_whitespace() || matches!(before, '.' | '('));
    let capital = view.slice(&(last.start..last.end)).chars().all(char::is_uppercase);
    let pair =
        words.len() >= 2 && words.get(words.len() - 2).is_some_and(|word| word.text.chars().count() == 1);
    let single = last.text.chars().count() == 1 && last.text.chars().all(char::is_alphabetic);
    let abbreviation = cues.abbreviations.is(std::slice::from_ref(last)) || single;
    // "z. B. SAP" goes on, "class B. A car" does not.
    !(own && abbreviation && (!(single && capital) || pair))
}

/// Whether what follows a stop plainly begins a sentence although its first letter is small.
fn opens(view: &View<'_>, rest: &Range<usize>, cues: &Cues) -> bool {
    // A few words are enough; looking at all of them for every stop would take too long.
    let end = view.slice(rest).char_indices().nth(80).map_or(rest.end, |(at, _)| rest.start + at);
    let words = view.words_in(&(rest.start..end));
    let marker = cues.roles.at(words).is_some_and(|(_, roles)| roles.before.is_some());
    let lists =
        [&cues.remarks, &cues.subjects, &cues.negations, &cues.qualities, &cues.sought, &cues.candidates];
    let long = |word: &Word| word.text.chars().count() >= 3 && !cues.links.is(std::slice::from_ref(word));
    let head = words.first().is_some_and(long) && cues.heads.at(words).is_some();
    marker || head || cues.modals.at(words).is_some() || lists.iter().any(|list| list.at(words).is_some())
}

fn is_opening(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\'' | '(' | '[' | '*' | '/' | '\u{201C}'..='\u{201E}' | '\u{AB}' | '\u{BB}' | '\u{2018}' | '>'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_do_not_end_sentences() {
        let check = |text: &str, expected: &[&str]| {
            let view = View::new(text);
            let found: Vec<&str> = sentences(&view, &(0..text.len()), Cues::get())
                .iter()
                .map(|sentence| view.slice(sentence).trim())
                .collect();
            assert_eq!(found, expected);
        };
        check("Må ha BGP. Gjerne f.eks. MPLS! Ok", &["Må ha BGP.", "Gjerne f.eks. MPLS!", "Ok"]);
        check("Kenntnisse in z. B. SAP. Dann", &["Kenntnisse in z. B. SAP.", "Dann"]);
        check("Version 2.5 required. Start 1. januar", &["Version 2.5 required.", "Start 1. januar"]);
        check(
            "Führerschein Klasse B. Ein Auto. Nach VOB/B. Er",
            &["Führerschein Klasse B.", "Ein Auto.", "Nach VOB/B.", "Er"],
        );
        check("", &[]);
        check("...", &["..."]);
    }
}
