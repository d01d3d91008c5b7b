//! Tables that are written into one piece of bytes, see `crate::rows`.

use crate::rows::number;

/// Tables that are written.
#[derive(Debug, Default)]
pub(crate) struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// A table.
    pub(crate) fn rows<const N: usize>(&mut self, rows: &[[u32; N]]) {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.bytes(&bytes);
    }

    /// Bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(number(bytes.len()).to_le_bytes());
        self.0.extend(bytes);
    }

    /// The tables of another.
    pub(crate) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// All of it.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}
