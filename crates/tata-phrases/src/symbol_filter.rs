//! Which symbols there may be, in a few bits.

/// Which symbols there may be: what has none in common need not be looked up. Frequent symbols have a bit of their own,
/// the others share the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymbolFilter([u64; 4]);

/// So many symbols have a mark of their own.
const OWN: u16 = 128;
const ALL: u16 = 256;

/// As many numbers as a row of a table has for marks.
pub(crate) const NUMBERS: usize = 8;

impl SymbolFilter {
    /// The mark of a symbol; frequent ones have small numbers.
    #[inline]
    pub(crate) fn bit(symbol: u16) -> u8 {
        let shared = symbol.wrapping_mul(0x9E37) >> 9;
        let bit = if symbol < OWN { symbol } else { OWN + shared % (ALL - OWN) };
        u8::try_from(bit).unwrap_or(u8::MAX)
    }

    /// Adds a mark.
    #[inline]
    pub(crate) fn add(&mut self, bit: u8) {
        self.0[usize::from(bit >> 6)] |= 1 << (bit & 63);
    }

    /// Adds the marks of others.
    #[inline]
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own |= other);
    }

    /// Whether a mark is there.
    #[inline]
    pub(crate) fn has(&self, bit: u8) -> bool {
        self.0[usize::from(bit >> 6)] >> (bit & 63) & 1 != 0
    }

    /// Whether any mark is in both.
    #[inline]
    pub(crate) fn meet(&self, others: &Self) -> bool {
        self.0.iter().zip(others.0).fold(0, |both, (own, other)| both | own & other) != 0
    }

    /// From the numbers of a table.
    #[inline]
    pub(crate) fn read(numbers: &[[u8; 4]; NUMBERS]) -> Self {
        let (words, _) = numbers.as_flattened().as_chunks();
        Self(std::array::from_fn(|at| words.get(at).copied().map_or(0, u64::from_le_bytes)))
    }

    /// The same for a table.
    #[cfg(any(test, feature = "build"))]
    pub(crate) fn numbers(self) -> [u32; NUMBERS] {
        let half = |at: usize| u32::try_from(self.0[at / 2] >> (at % 2 * 32) & u64::from(u32::MAX));
        std::array::from_fn(|at| half(at).unwrap_or(0))
    }
}
