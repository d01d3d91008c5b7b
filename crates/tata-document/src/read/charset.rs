//! Bytes to text, in whatever charset they are.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use crate::{Hint, format::utf16_without_mark};

/// Decodes text: by its mark, as UTF-8, as `declared`, or by what its bytes look like. Never fails; what cannot be
/// decoded becomes U+FFFD.
pub fn decode<'b>(bytes: &'b [u8], declared: Option<&str>) -> Cow<'b, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0;
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let declared = declared.and_then(|label| Encoding::for_label(label.as_bytes()));
    match declared {
        Some(encoding) if encoding != UTF_8 => encoding.decode_without_bom_handling(bytes).0,
        _ if mostly_utf8(bytes) => UTF_8.decode_without_bom_handling(bytes).0,
        _ => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(bytes, true);
            detector.guess(None, Utf8Detection::Deny).decode_without_bom_handling(bytes).0
        }
    }
}

/// A few broken bytes do not make UTF-8 something else.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad * 4
}

/// The charset that a server or the page itself names.
pub(super) fn declared(bytes: &[u8], hint: &Hint) -> Option<String> {
    if let Some(charset) = hint.charset() {
        return Some(charset.to_owned());
    }
    let head = bytes.get(..bytes.len().min(2048)).unwrap_or_default();
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let (_, after) = head.split_once("charset=")?;
    let label = after.trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(label.len());
    label.get(..end).filter(|label| !label.is_empty()).map(str::to_owned)
}
