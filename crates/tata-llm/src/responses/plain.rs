//! Plain events, read at a glance: flat objects of texts without escapes and of whole numbers. Nearly all pieces of an
//! answer are such. Whatever is not plain, or not quite right, is left to the general reader, which also knows how to
//! complain; what this one reads, that one reads the same.

use super::wire::Event;
use crate::wire::lenient::{Index, Str};

/// Reads a plain event. If it is none, what was read of it is of no use.
pub(super) fn read<'a>(data: &'a str, event: &mut Event<'a>) -> Option<()> {
    let mut scan = Scan { data, at: 0 };
    scan.take(b'{')?;
    loop {
        let key = scan.text()?;
        scan.take(b':')?;
        match key {
            "type" => scan.text_into(&mut event.kind)?,
            "item_id" => scan.text_into(&mut event.item_id)?,
            "call_id" => scan.text_into(&mut event.call_id)?,
            "delta" => scan.text_into(&mut event.delta)?,
            "output_index" => scan.number_into(&mut event.output_index)?,
            "content_index" => scan.number_into(&mut event.content_index)?,
            "summary_index" => scan.number_into(&mut event.summary_index)?,
            "text" | "refusal" | "input" | "arguments" | "item" | "annotation" | "response" | "error" => {
                return None;
            }
            _ => scan.pass_over()?,
        }
        match scan.next()? {
            b',' => {}
            b'}' => return (scan.at == data.len()).then_some(()),
            _ => return None,
        }
    }
}

/// What is read, and up to where.
struct Scan<'a> {
    data: &'a str,
    at: usize,
}

/// The same byte eight times.
const fn eight(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// How many bytes stand for themselves in a text of JSON: all but quotes, backslashes and control characters.
#[inline]
fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks();
    for (at, word) in words.iter().enumerate() {
        // Eight at a time. A byte is less than another if the subtraction borrows its highest bit. That may also mark a
        // byte above one that is really less, but never one below it, and only the lowest mark counts.
        let word = u64::from_le_bytes(*word);
        let less = |bytes: u64, than: u8| bytes.wrapping_sub(eight(than)) & !bytes;
        let marks = less(word, 0x20) | less(word ^ eight(b'"'), 1) | less(word ^ eight(b'\\'), 1);
        let marks = marks & eight(0x80);
        if marks != 0 {
            return at * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let plain = |byte: &u8| *byte >= 0x20 && !matches!(byte, b'"' | b'\\');
    words.len() * 8 + rest.iter().take_while(|byte| plain(byte)).count()
}

/// So many digits are a number for certain.
const MOST_DIGITS: usize = 18;

impl<'a> Scan<'a> {
    /// The next byte after blanks, which stays.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.data.as_bytes().get(self.at)?;
            if byte != b' ' {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// The next byte after blanks.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    #[inline(never)]
    fn text(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let rest = self.data.get(self.at..)?;
        let length = plain_length(rest.as_bytes());
        if rest.as_bytes().get(length) != Some(&b'"') {
            return None;
        }
        self.at += length + 1;
        rest.get(..length)
    }

    /// What follows its digits is looked at next.
    #[inline(never)]
    fn number(&mut self) -> Option<u64> {
        self.peek()?;
        let rest = self.data.as_bytes().get(self.at..)?;
        let digits = rest.iter().map_while(|byte| byte.is_ascii_digit().then(|| u64::from(byte - b'0')));
        let (length, number) = digits
            .take(MOST_DIGITS + 1)
            .fold((0, 0), |(length, number), digit| (length + 1, number * 10 + digit));
        self.at += length;
        let leading_zero = length > 1 && rest.first() == Some(&b'0');
        ((1..=MOST_DIGITS).contains(&length) && !leading_zero).then_some(number)
    }

    /// A field that stands twice is a mistake.
    fn text_into(&mut self, field: &mut Str<'a>) -> Option<()> {
        let text = self.text()?;
        field.get().is_none().then(|| *field = text.into())
    }

    fn number_into(&mut self, field: &mut Index) -> Option<()> {
        let number = self.number()?;
        field.0.is_none().then(|| field.0 = Some(number))
    }

    /// What nobody asks for: a text, a number, an empty list.
    fn pass_over(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.text().map(drop),
            b'[' => self.take(b'[').and_then(|()| self.take(b']')),
            _ => self.number().map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(data: &str) -> Option<Event<'_>> {
        let mut event = Event::default();
        read(data, &mut event).map(|()| event)
    }

    fn general(data: &str) -> Option<Event<'_>> {
        serde_json::from_str(data).ok()
    }

    fn shown(event: Option<&Event<'_>>) -> String {
        format!("{event:?}")
    }

    #[test]
    fn pieces_of_text_are_plain() {
        for data in [
            r#"{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hej åäö","logprobs":[],"obfuscation":"x1"}"#,
            r#"{"content_index": 0, "delta": "", "item_id": "m", "output_index": 12, "type": "t"}"#,
        ] {
            assert_eq!(shown(plain(data).as_ref()), shown(general(data).as_ref()));
            assert!(plain(data).is_some(), "{data}");
        }
    }

    /// Wherever the first byte stands that does not stand for itself, and whatever is around it.
    #[test]
    fn a_text_ends_where_it_ends() {
        for length in 0..20 {
            for filler in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                for (end, byte) in (0..length).flat_map(|end| (0..=255_u8).map(move |byte| (end, byte))) {
                    let mut bytes = vec![filler; length];
                    bytes[end] = byte;
                    let plain = byte >= 0x20 && byte != b'"' && byte != b'\\';
                    assert_eq!(plain_length(&bytes), if plain { length } else { end }, "{bytes:?}");
                    // Only the first counts.
                    bytes[end..].fill(byte);
                    assert_eq!(plain_length(&bytes), if plain { length } else { end }, "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_plain_is_left_alone() {
        for data in [
            "",
            "{",
            "{}",
            "[]",
            r#"{"delta":"a\n"}"#,
            "{\"delta\":\"a\nb\"}",
            r#"{"delta":"a"} "#,
            r#"{"delta":"a"}}"#,
            r#"{"delta":"a","delta":"b"}"#,
            r#"{"delta":null}"#,
            r#"{"delta":1}"#,
            r#"{"output_index":"1"}"#,
            r#"{"output_index":01}"#,
            r#"{"output_index":-1}"#,
            r#"{"output_index":1.5}"#,
            r#"{"output_index":1e3}"#,
            r#"{"x":{"y":1}}"#,
            r#"{"x":[1]}"#,
            r#"{"error":"no"}"#,
            r#"{"delta":"a",}"#,
            r#"{"delta" "a"}"#,
            r#"{"x":1234567890123456789012}"#,
        ] {
            assert!(plain(data).is_none(), "{data}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Both readers agree on whatever this one reads, also on what is nearly right.
        #[test]
        fn what_it_reads_the_general_reader_reads_the_same(
            fields in prop::collection::vec((0..12_usize, 0..18_usize), 0..7),
            cut in prop::option::of((0..80_usize, 0..9_usize)),
        ) {
            const KEYS: [&str; 12] = [
                "type", "item_id", "call_id", "delta", "output_index", "content_index", "summary_index", "text", "error",
                "sequence_number", "logprobs", "de\\u006cta",
            ];
            const VALUES: [&str; 18] = [
                "\"a\"", "\"\"", "\"å – 漢\"", "\"a\\\"b\"", "\"\\n\"", "\"\t\"", "0", "7", "007", "-1", "1.5", "1e9",
                "123456789012345678901", "null", "[]", "[ ]", "[1]", "{}",
            ];
            const PIECES: [&str; 9] = ["", "\"", "\\", ",", "}", "{", " ", "\n", "0"];
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("\"{}\":{}", KEYS[*key], VALUES[*value])).collect();
            let mut data = format!("{{{}}}", fields.join(","));
            if let Some((at, piece)) = cut {
                let at = (0..=at.min(data.len())).rev().find(|at| data.is_char_boundary(*at)).unwrap_or(0);
                data.insert_str(at, PIECES[piece]);
            }
            if let Some(event) = plain(&data) {
                prop_assert_eq!(shown(Some(&event)), shown(general(&data).as_ref()), "{}", data);
            }
        }
    }
}
