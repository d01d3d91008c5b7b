//! Lists of cues: words in a row that give something away, whatever stands between them.
//!
//! A cue is written as a phrase is, but its blanks stand for the end of a word. A word with a capital letter wants the
//! same letters; `=` before a cue wants that nothing else is there.

use crate::{
    matcher::{Hit, Matcher},
    rows::{ByteReader, Rows},
    words::Word,
};

/// Lists of cues, found in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cues<'a> {
    /// What the tables are read from.
    bytes: &'a [u8],
}

impl<'a> Cues<'a> {
    /// From the tables that the build made.
    pub const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// All cues among the words of a text, in order; the id is the number of the list. Words are spelled in the style of
    /// the cues.
    pub fn all(&self, text: &str, words: &[Word<'_>]) -> Vec<Hit> {
        let mut tables = ByteReader::of(self.bytes);
        let (Some(patterns), Some(rows), Some(written)) =
            (tables.bytes(), tables.rows::<4>(), tables.bytes())
        else {
            return Vec::new();
        };
        let mut hits = Matcher::of(patterns).all(words);
        hits.sort_by_key(|hit| (hit.first, hit.id));
        hits.retain_mut(|hit| fits(hit, (text, words), (&rows, written)));
        hits
    }
}

/// Whether a cue stands as it is written, and not only its words; its id becomes that of its list.
fn fits(hit: &mut Hit, (text, words): (&str, &[Word<'_>]), (rows, written): (&Rows<'_, 4>, &[u8])) -> bool {
    let Some([list, alone, from, to]) = u32::try_from(hit.id).ok().and_then(|id| rows.get(id)) else {
        return false;
    };
    hit.id = list as usize;
    let here = words.get(hit.first..=hit.last).unwrap_or_default();
    let exact = written.get(from as usize..to as usize).unwrap_or_default();
    let mut exact = exact.split(|byte| *byte == b' ').zip(here);
    (alone == 0 || here.len() == words.len())
        && exact.all(|(exact, word)| exact.is_empty() || exact == word.written(text).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        build,
        words::{Style, spelled_as},
    };

    #[test]
    fn cues_are_words_in_a_row() {
        let check = |cue: &str, text: &str, expected: &[(usize, usize)]| {
            let tables = build::cues(Style::Parts, [(7, cue)]).unwrap();
            let hits = Cues::of(&tables).all(text, &spelled_as(text, Style::Parts));
            assert!(hits.iter().all(|hit| hit.id == 7));
            let found: Vec<_> = hits.iter().map(|hit| (hit.first, hit.last)).collect();
            assert_eq!(found, expected, "{cue:?} in {text:?}");
        };
        check("ai", "training and maintenance", &[]);
        check("team leader", "teamleader, team-leader. A team. Leader", &[(1, 2), (4, 5)]);
        check("network*", "Networks, a network", &[(0, 0), (2, 2)]);
        check("*messung", "die OTDR-Messung", &[(2, 2)]);
        check("IT support*", "it support, IT Supporter", &[(2, 3)]);
        check("IT-support", "IT Support, it-support", &[(0, 1)]);
        check("=go", "go to market", &[]);
        check("=go", "Go", &[(0, 0)]);
        check("c++", "C++ and C", &[(0, 0)]);
        check(".net", "C# and .NET", &[(2, 2)]);
        check("driver's license*", "a driver’s licenses", &[(1, 3)]);
        check("leda\u{30a}", "ledå", &[(0, 0)]);
    }
}
