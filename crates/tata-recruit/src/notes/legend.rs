//! Letters and signs that notes explain.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    lines::Line,
    words::{View, Word},
};

/// The most letters or signs that are looked for.
const MOST_SIGNS: usize = 8;

/// What letters and signs mean: "M = must, K = kann", "*** = need".
#[derive(Clone, Debug, Default)]
pub(super) struct Legend {
    signs: Vec<(String, Category)>,
    lines: Vec<Range<usize>>,
}

impl Legend {
    /// The legend of a text.
    pub(super) fn read(view: &View<'_>, lines: &[Line], cues: &Cues) -> Self {
        let mut legend = Self::default();
        for line in lines {
            let text = view.slice(&line.range);
            let mut from = 0;
            let known = legend.signs.len();
            for (at, _) in text.match_indices('=') {
                let before = text.get(from..at).unwrap_or_default().trim_end();
                let sign = before.rsplit([' ', '(', ',', ';', '[', '\t']).next().unwrap_or_default();
                let end = text.len().min(
                    text.get(at + 1..)
                        .and_then(|rest| rest.find([',', ';', ')', '=']))
                        .map_or(text.len(), |end| at + 1 + end),
                );
                let words = view.words_in(&(line.range.start + at + 1..line.range.start + end));
                let category =
                    tag_of(words, cues).or_else(|| tag_of(words.get(..1).unwrap_or_default(), cues));
                if let Some(category) = category
                    && is_sign(sign)
                    && legend.signs.len() < MOST_SIGNS
                {
                    legend.signs.push((sign.to_owned(), category));
                }
                from = at + 1;
            }
            if legend.signs.len() > known {
                legend.lines.push(line.range.clone());
            }
        }
        // One sign alone explains nothing: "x = must" may be anything.
        if legend.signs.len() < 2 { Self::default() } else { legend }
    }

    /// Whether a line is where the signs are explained.
    pub(super) fn explains(&self, range: &Range<usize>) -> bool {
        self.lines.iter().any(|line| line.start == range.start)
    }

    /// What a sign means.
    pub(super) fn of(&self, text: &str) -> Option<Category> {
        let text = text.trim().trim_matches(['(', ')', '[', ']']);
        self.signs.iter().find(|(sign, _)| sign == text).map(|(_, category)| *category)
    }

    /// What the sign at the end of a text means, and how long the text is without it.
    pub(super) fn at_end(&self, text: &str) -> Option<(Category, usize)> {
        let last = text.rsplit(char::is_whitespace).next()?;
        let rest = text.len().checked_sub(last.len()).filter(|rest| *rest > 0)?;
        self.of(last).map(|category| (category, rest))
    }
}

/// A letter, or the same sign up to four times.
fn is_sign(text: &str) -> bool {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return false };
    let same = text.chars().all(|letter| letter == first) && text.chars().count() <= 4;
    match first {
        '*' | '!' | '+' | '#' | '\u{2605}' => same,
        letter => letter.is_alphabetic() && letters.next().is_none(),
    }
}

/// The category that words name as a tag, if they are nothing else.
pub(super) fn tag_of(words: &[Word], cues: &Cues) -> Option<Category> {
    let (length, roles) = cues.roles.at(words)?;
    (length == words.len())
        .then_some(roles.tag.or(roles.heading).or(roles.after))
        .flatten()
        .filter(|category| category.is_about_candidate())
}
