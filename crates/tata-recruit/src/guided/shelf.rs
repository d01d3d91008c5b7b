//! The word lists where they lie in the program: a text, the places of its lines, and the sections they make.

use std::cmp::Ordering;

use super::tokens::Token;

/// Every line, one after the other.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/guided.txt"));
/// Where each line begins and, last, where the text ends: four bytes each, the lowest first.
const STARTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/guided.starts"));
/// The sections: name, first line, number of lines.
const SECTIONS: &str = include_str!(concat!(env!("OUT_DIR"), "/guided.sections"));

/// The lines of a section.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    first: usize,
    count: usize,
}

/// The sections by name.
pub(super) fn sections() -> impl Iterator<Item = (&'static str, Lines)> {
    SECTIONS.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let name = fields.next()?;
        let (first, count) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some((name, Lines { first, count }))
    })
}

impl Lines {
    pub(super) fn iter(self) -> impl Iterator<Item = &'static str> {
        (0..self.count).map(move |at| self.line(at))
    }

    fn line(self, at: usize) -> &'static str {
        let (start, end) = (start_of(self.first + at), start_of(self.first + at + 1));
        TEXT.get(start..end).unwrap_or_default()
    }

    /// The lines from the first that is not smaller, as long as they are equal.
    fn equal(self, compare: impl Fn(&'static str) -> Ordering) -> impl Iterator<Item = &'static str> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if compare(self.line(middle)) == Ordering::Less {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low..self.count)
            .map(move |at| self.line(at))
            .take_while(move |line| compare(line) == Ordering::Equal)
    }

    /// The lines whose first field is this.
    pub(super) fn of_field(self, key: &str) -> impl Iterator<Item = &'static str> {
        self.equal(move |line| up_to(line, b'\t').cmp(key.as_bytes()))
    }

    /// The wordings whose first word is this, the longest first.
    pub(super) fn of_word(self, word: &str) -> impl Iterator<Item = &'static str> {
        self.equal(move |line| up_to(line, b' ').cmp(word.as_bytes()))
    }

    /// The lines that begin with a letter.
    pub(super) fn of_letter(self, letter: char) -> impl Iterator<Item = &'static str> {
        self.equal(move |line| line.chars().next().cmp(&Some(letter)))
    }

    /// How many words each of the wordings has that stand at a token, the longest first.
    pub(super) fn lengths_at(self, tokens: &[Token<'_>], at: usize) -> impl Iterator<Item = usize> {
        let first = tokens.get(at).map(|token| self.of_word(&token.text));
        first.into_iter().flatten().filter_map(move |wording| standing(wording, tokens, at))
    }

    /// Whether one of the wordings ends just before a token.
    pub(super) fn end_before(self, tokens: &[Token<'_>], end: usize) -> bool {
        let stands = |wording: &str| {
            let start = end.checked_sub(wording.split(' ').count());
            start.is_some_and(|start| standing(wording, tokens, start).is_some())
        };
        self.iter().any(stands)
    }
}

/// How many words a wording has, if it stands at a token.
fn standing(wording: &str, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut count = 0;
    for word in wording.split(' ') {
        if tokens.get(at + count)?.text != word {
            return None;
        }
        count += 1;
    }
    Some(count)
}

fn up_to(line: &str, sign: u8) -> &[u8] {
    let bytes = line.as_bytes();
    let end = bytes.iter().position(|byte| *byte == sign).unwrap_or(bytes.len());
    bytes.get(..end).unwrap_or_default()
}

fn start_of(line: usize) -> usize {
    let bytes = STARTS.get(line * 4..).and_then(|rest| rest.first_chunk::<4>());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::tokens::tokens;

    fn section(name: &str) -> Lines {
        sections().find(|(known, _)| *known == name).unwrap().1
    }

    #[test]
    fn every_line_is_found_by_its_first_word() {
        for (name, lines) in sections().filter(|(name, _)| name.starts_with("slot ")) {
            for line in lines.iter() {
                let word = line.split(' ').next().unwrap();
                let found: Vec<&str> = lines.of_word(word).collect();
                assert!(found.contains(&line), "{name}: {line}");
                assert!(
                    found.is_sorted_by_key(|line| std::cmp::Reverse(line.split(' ').count())),
                    "{found:?}"
                );
            }
        }
        let wordings = section("wordings");
        for line in wordings.iter().step_by(97) {
            assert!(wordings.of_field(line.split('\t').next().unwrap()).any(|found| found == line), "{line}");
        }
        assert_eq!(wordings.of_field("").next(), None);
    }

    #[test]
    fn wordings_stand_where_all_their_words_do() {
        let said = tokens("the profile instead of the ad");
        assert_eq!(section("instead_of").lengths_at(&said, 2).next(), Some(2));
        assert_eq!(section("instead_of").lengths_at(&said, 9).next(), None);
        assert!(section("instead_of").end_before(&said, 4) && !section("instead_of").end_before(&said, 1));
    }
}
