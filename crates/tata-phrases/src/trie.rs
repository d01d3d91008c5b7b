//! Words by their letters: a trie in one table (a double array), read where it lies.
//!
//! A way that only one word takes on is not spelled out letter by letter: the rest of that word is kept as it is.

use crate::rows::{ByteReader, Rows};

/// Many words, each with its number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trie<'a> {
    /// Where the children begin, or the rest of the only word; whose child it is; the number of the word that ends here.
    cells: Rows<'a, 3>,
    /// The rests: a length, and as many bytes.
    rests: &'a [u8],
    /// Which two bytes the words begin with, a bit for each pair.
    pairs: &'a [u8],
}

/// In place of where the children begin: the rest of the only word follows.
pub(crate) const REST: u32 = 1 << 31;
/// In place of a number: nothing.
pub(crate) const NONE: u32 = u32::MAX;

impl<'a> Trie<'a> {
    /// From the bytes that the build made.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self::read(&mut ByteReader::of(bytes)).unwrap_or_default()
    }

    pub(crate) fn read(reader: &mut ByteReader<'a>) -> Option<Self> {
        Some(Self { cells: reader.rows()?, rests: reader.bytes()?, pairs: reader.bytes()? })
    }

    /// Whether any word begins with these bytes: most texts have few places where one does.
    #[inline]
    pub fn may_begin(&self, first: u8, second: u8) -> bool {
        let byte = self.pairs.get(usize::from(first) << 5 | usize::from(second) >> 3);
        byte.is_some_and(|byte| byte >> (second & 7) & 1 != 0)
    }

    /// Gives every word that some letters begin with: its number and its length; short ones come first.
    pub fn beginnings(&self, letters: impl IntoIterator<Item = u8>, mut take: impl FnMut(u32, usize)) {
        let mut letters = letters.into_iter();
        let (mut at, mut length) = (0, 0);
        let Some([mut base, ..]) = self.cells.get(0) else { return };
        loop {
            let Some(letter) = letters.next() else { return };
            let child = base + u32::from(letter);
            let Some([next, parent, word]) = self.cells.get(child) else { return };
            if parent != at {
                return;
            }
            length += 1;
            if next & REST != 0 {
                let from = (next & !REST) as usize;
                let count = self.rests.get(from).map_or(0, |count| usize::from(*count));
                let rest = self.rests.get(from + 1..from + 1 + count).unwrap_or_default();
                if rest.iter().all(|byte| letters.next() == Some(*byte)) {
                    take(word, length + count);
                }
                return;
            }
            if word != NONE {
                take(word, length);
            }
            (at, base) = (child, next);
        }
    }
}
