//! Lines as calendars have them.

/// A line has so many octets at most.
const LINE: usize = 75;

/// Lines, folded by octets and never inside a character.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
}

impl Lines {
    pub(super) fn push(&mut self, line: &str) {
        let mut used = 0;
        for letter in line.chars() {
            if used + letter.len_utf8() > LINE {
                self.bytes.extend_from_slice(b"\r\n ");
                used = 1;
            }
            used += letter.len_utf8();
            self.bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.bytes.extend_from_slice(b"\r\n");
    }
}
