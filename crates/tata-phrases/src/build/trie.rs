//! Writes words by their letters, see [`crate::Trie`].

use super::byte_writer::ByteWriter;
use crate::{
    rows::number,
    trie::{NONE, REST},
};

/// The longest rest: its length is one byte.
const LONGEST_REST: usize = 255;

/// Writes a trie of sorted words, none of which stands twice.
pub(super) fn write(words: &[(&[u8], u32)], output: &mut ByteWriter) {
    let mut builder = Builder { cells: vec![[0, NONE, NONE]], rests: Vec::new(), free: 1 };
    builder.children(0, words, 0);
    output.rows(&builder.cells);
    output.bytes(&builder.rests);
    output.bytes(pairs(words).as_flattened());
}

/// Which two bytes some words begin with, a bit for each pair.
fn pairs(words: &[(&[u8], u32)]) -> [[u8; 32]; 256] {
    let mut pairs = [[0_u8; 32]; 256];
    for (word, _) in words {
        let Some(row) = word.first().and_then(|first| pairs.get_mut(usize::from(*first))) else { continue };
        match word.get(1) {
            Some(second) => row[usize::from(second >> 3)] |= 1 << (second & 7),
            None => *row = [u8::MAX; 32],
        }
    }
    pairs
}

struct Builder {
    cells: Vec<[u32; 3]>,
    rests: Vec<u8>,
    /// No cell before this one is free.
    free: usize,
}

impl Builder {
    /// Writes the children of a cell: the words share their first letters.
    fn children(&mut self, cell: usize, words: &[(&[u8], u32)], depth: usize) {
        let groups: Vec<&[(&[u8], u32)]> =
            words.chunk_by(|(one, _), (other, _)| one.get(depth) == other.get(depth)).collect();
        let letter = |group: &[(&[u8], u32)]| group.first().and_then(|(word, _)| word.get(depth)).copied();
        let letters: Vec<usize> = groups.iter().filter_map(|group| letter(group)).map(usize::from).collect();
        let base = self.base(&letters);
        if let Some(row) = self.cells.get_mut(cell) {
            row[0] = number(base);
        }
        // All cells are taken before the first of them looks for room for its own children.
        for letter in &letters {
            if let Some(row) = self.cells.get_mut(base + letter) {
                row[1] = number(cell);
            }
        }
        for (group, letter) in groups.into_iter().filter_map(|group| Some((group, letter(group)?))) {
            let child = base + usize::from(letter);
            let (ends, goes_on) = group.split_at(group.partition_point(|(word, _)| word.len() == depth + 1));
            match (ends, goes_on) {
                ([], [(word, number)]) if word.len() - depth - 1 <= LONGEST_REST => {
                    self.rest(child, word.get(depth + 1..).unwrap_or_default(), *number);
                }
                ([(_, number), ..], []) => self.rest(child, &[], *number),
                (ends, goes_on) => {
                    if let (Some((_, number)), Some(row)) = (ends.first(), self.cells.get_mut(child)) {
                        row[2] = *number;
                    }
                    self.children(child, goes_on, depth + 1);
                }
            }
        }
    }

    fn rest(&mut self, cell: usize, rest: &[u8], word: u32) {
        if let Some(row) = self.cells.get_mut(cell) {
            *row = [REST | number(self.rests.len()), row[1], word];
        }
        self.rests.extend(u8::try_from(rest.len()));
        self.rests.extend(rest);
    }

    /// The first place with room for some letters.
    fn base(&mut self, letters: &[usize]) -> usize {
        let is_free =
            |cells: &[[u32; 3]], at: usize| cells.get(at).is_none_or(|row| row[1] == NONE && at > 0);
        while !is_free(&self.cells, self.free) {
            self.free += 1;
        }
        let least = letters.first().copied().unwrap_or(0);
        let mut base = self.free.saturating_sub(least);
        while !letters.iter().all(|letter| is_free(&self.cells, base + letter)) {
            base += 1;
        }
        let end = base + letters.last().map_or(0, |last| last + 1);
        if self.cells.len() < end {
            self.cells.resize(end, [0, NONE, NONE]);
        }
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trie;

    #[test]
    fn words_are_found_by_their_beginnings() {
        let words: Vec<(&[u8], u32)> = vec![(b"a", 3), (b"abc", 1), (b"abcde", 2), (b"b", 7), (b"bone", 9)];
        let mut output = ByteWriter::default();
        write(&words, &mut output);
        let bytes = output.finish();
        let trie = Trie::of(&bytes);
        let check = |text: &str, expected: &[(u32, usize)]| {
            let mut found = Vec::new();
            trie.beginnings(text.as_bytes(), |word, length| found.push((word, length)));
            assert_eq!(found, expected, "{text:?}");
        };
        check("abcdef", &[(3, 1), (1, 3), (2, 5)]);
        check("abcd", &[(3, 1), (1, 3)]);
        check("bones", &[(7, 1), (9, 4)]);
        check("bon", &[(7, 1)]);
        check("c", &[]);
        check("", &[]);
    }
}
