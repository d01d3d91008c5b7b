//! Tables of numbers in one piece of bytes, read where they lie: a program that begins has nothing to load.

/// Rows of `N` numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a, const N: usize>(&'a [[[u8; 4]; N]]);

impl<const N: usize> Default for Rows<'_, N> {
    fn default() -> Self {
        Self(&[])
    }
}

impl<'a, const N: usize> Rows<'a, N> {
    /// A row.
    #[inline]
    pub(crate) fn get(&self, at: u32) -> Option<[u32; N]> {
        self.0.get(at as usize).map(|row| row.map(u32::from_le_bytes))
    }

    /// Some rows.
    #[inline]
    pub(crate) fn range(&self, from: u32, to: u32) -> impl Iterator<Item = [u32; N]> + use<'a, N> {
        let rows = self.0.get(from as usize..to as usize).unwrap_or_default();
        rows.iter().map(|row| row.map(u32::from_le_bytes))
    }
}

/// Small numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shorts<'a>(&'a [[u8; 2]]);

impl Shorts<'_> {
    /// Where a number stands in a sorted range.
    #[inline]
    pub(crate) fn find(&self, from: u32, to: u32, wanted: u16) -> Option<u32> {
        let range = self.0.get(from as usize..to as usize)?;
        let at = range.partition_point(|row| u16::from_le_bytes(*row) < wanted);
        let found = range.get(at).is_some_and(|row| u16::from_le_bytes(*row) == wanted);
        found.then(|| from + number(at))
    }
}

/// Which of many pairs of numbers there are: most that are not there are told at once, in very little memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sieve<'a>(&'a [u8]);

impl<'a> Sieve<'a> {
    /// From bytes of [`Sieve::write`].
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether a pair may be there.
    #[inline]
    pub(crate) fn may_have(&self, one: u32, other: u32) -> bool {
        let bit = Self::bit(one, other) as usize;
        self.0.get((bit >> 3) & self.0.len().wrapping_sub(1)).is_some_and(|byte| byte >> (bit & 7) & 1 != 0)
    }

    /// A sieve of pairs as bytes.
    pub(crate) fn write(pairs: &[(u32, u32)]) -> Vec<u8> {
        let mut bytes = vec![0; pairs.len().next_power_of_two() * 2];
        let mask = bytes.len() - 1;
        for (one, other) in pairs {
            let bit = Self::bit(*one, *other) as usize;
            if let Some(byte) = bytes.get_mut((bit >> 3) & mask) {
                *byte |= 1 << (bit & 7);
            }
        }
        bytes
    }

    #[inline]
    fn bit(one: u32, other: u32) -> u32 {
        let mixed = (one ^ other << 16 ^ other >> 16).wrapping_mul(0x9E37_79B1);
        mixed ^ mixed >> 15
    }
}

/// What is left to be read of a piece of bytes.
pub(crate) struct Shelf<'a>(&'a [u8]);

impl<'a> Shelf<'a> {
    /// All of it.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next table.
    pub(crate) fn rows<const N: usize>(&mut self) -> Option<Rows<'a, N>> {
        Some(Rows(self.bytes()?.as_chunks().0.as_chunks().0))
    }

    /// The next table of small numbers.
    pub(crate) fn shorts(&mut self) -> Option<Shorts<'a>> {
        Some(Shorts(self.bytes()?.as_chunks().0))
    }

    /// The next bytes.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let (count, rest) = self.0.split_first_chunk()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*count) as usize)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Tables that are written.
#[derive(Debug, Default)]
pub(crate) struct Stack(Vec<u8>);

impl Stack {
    /// A table.
    pub(crate) fn rows<const N: usize>(&mut self, rows: &[[u32; N]]) {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    /// A table of small numbers.
    pub(crate) fn shorts(&mut self, numbers: &[u16]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(number(bytes.len()).to_le_bytes());
        self.0.extend(bytes);
    }

    /// All of it.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Word lists have thousands of entries, never billions.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX >> 3)
}
