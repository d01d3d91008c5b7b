//! Where symbols lead from rows, in one table: rows lie between each other where there is room.

use crate::rows::{ByteReader, Rows};

/// The transitions of many rows. That of a symbol lies so many places after the base of its row, and says whose it is: one
/// look tells where it leads, or that there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Transitions<'a>(Rows<'a, 2>);

impl<'a> Transitions<'a> {
    /// From what the build has written.
    pub(crate) fn read(reader: &mut ByteReader<'a>) -> Option<Self> {
        reader.rows().map(Self)
    }

    /// Where a symbol leads from a row.
    #[inline]
    pub(crate) fn target(&self, row: u32, base: u32, symbol: u16) -> Option<u32> {
        let [owner, target] = self.0.get(base.wrapping_add(u32::from(symbol)))?;
        (owner == row).then_some(target)
    }
}
