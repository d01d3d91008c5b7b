//! Words by their letters: a trie in one table (a double array), read where it lies.
//!
//! A way that only one word takes on is not spelled out letter by letter: the rest of that word is kept as it is.

use crate::rows::{ByteReader, Rows};

/// Many words, each with its number.
#[derive(Clone, Copy, Debug)]
pub struct Trie<'a> {
    /// Where the children begin, or the rest of the only word; whose child it is; the number of the word that ends here.
    cells: Rows<'a, 3>,
    /// The rests: a length, and as many bytes.
    rests: &'a [u8],
    /// Which two bytes the words begin with, a bit for each pair.
    pairs: &'a [u8; PAIRS],
}

/// As many bytes as there are pairs of bytes to have a bit.
pub(crate) const PAIRS: usize = 1 << 13;

/// In place of where the children begin: the rest of the only word follows.
pub(crate) const REST: u32 = 1 << 31;
/// In place of a number: nothing.
pub(crate) const NONE: u32 = u32::MAX;

impl<'a> Trie<'a> {
    /// From the bytes that the build made.
    pub fn of(bytes: &'a [u8]) -> Self {
        let none = Self { cells: Rows::default(), rests: &[], pairs: &[0; PAIRS] };
        Self::read(&mut ByteReader::of(bytes)).unwrap_or(none)
    }

    pub(crate) fn read(reader: &mut ByteReader<'a>) -> Option<Self> {
        Some(Self { cells: reader.rows()?, rests: reader.bytes()?, pairs: reader.bytes()?.try_into().ok()? })
    }

    /// Whether any word begins with these bytes: most texts have few places where one does.
    #[inline]
    fn may_begin(&self, first: u8, second: u8) -> bool {
        self.pairs[usize::from(first) << 5 | usize::from(second) >> 3] >> (second & 7) & 1 != 0
    }

    /// Gives every word that stands anywhere in some letters: its number, and where it begins and ends.
    #[inline]
    pub fn anywhere(&self, letters: &[u8], mut take: impl FnMut(u32, usize, usize)) {
        if self.cells.get(1).is_none() {
            return;
        }
        for (at, first) in letters.iter().enumerate() {
            let second = letters.get(at + 1).copied().unwrap_or(0);
            if self.may_begin(*first, second) {
                let rest = letters.get(at..).unwrap_or_default().iter().copied();
                self.along(rest, |word, length| take(word, at, at + length));
            }
        }
    }

    /// Gives every word that some letters begin with: its number and its length; short ones come first.
    #[inline]
    pub fn beginnings(&self, letters: &[u8], take: impl FnMut(u32, usize)) {
        let may_begin = match letters {
            [first, second, ..] => self.may_begin(*first, *second),
            [only] => self.may_begin(*only, 0),
            [] => false,
        };
        if may_begin {
            self.along(letters.iter().copied(), take);
        }
    }

    /// The same for letters that come one after the other, from the end of a word perhaps.
    pub fn along(&self, letters: impl IntoIterator<Item = u8>, mut take: impl FnMut(u32, usize)) {
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
