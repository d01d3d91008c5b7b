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

    /// A row where it lies: of a long one not all is asked for.
    #[inline]
    pub(crate) fn lying(&self, at: u32) -> Option<&'a [[u8; 4]; N]> {
        self.0.get(at as usize)
    }

    /// Some rows.
    #[inline]
    pub(crate) fn range(&self, from: u32, to: u32) -> impl Iterator<Item = [u32; N]> + use<'a, N> {
        let rows = self.0.get(from as usize..to as usize).unwrap_or_default();
        rows.iter().map(|row| row.map(u32::from_le_bytes))
    }
}

/// What is left to be read of a piece of bytes.
pub(crate) struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    /// All of it.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next table.
    pub(crate) fn rows<const N: usize>(&mut self) -> Option<Rows<'a, N>> {
        Some(Rows(self.bytes()?.as_chunks().0.as_chunks().0))
    }

    /// The next bytes.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let (count, rest) = self.0.split_first_chunk()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*count) as usize)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// Word lists have thousands of entries, never billions.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX >> 3)
}
