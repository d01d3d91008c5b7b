//! Plain events, read at a glance: flat objects of texts without escapes and of whole numbers. Nearly all pieces of an
//! answer are such. Whatever is not plain, or not quite right, is left to the general reader, which also knows how to
//! complain; what this one reads, that one reads the same.

use super::wire::Event;
use crate::wire::lenient::{Index, Str};

/// Reads a plain event.
pub(super) fn read(data: &str) -> Option<Event<'_>> {
    let mut event = Event::default();
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
            b'}' => return (scan.at == data.len()).then_some(event),
            _ => return None,
        }
    }
}

/// How many bytes stand for themselves. On its own: among the rest of the reader the loop would count everything.
#[inline(never)]
fn plain_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !PLAIN[usize::from(*byte)]).unwrap_or(bytes.len())
}

struct Scan<'a> {
    data: &'a str,
    at: usize,
}

/// The bytes that stand for themselves in a text of JSON.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 0x20 {
        plain[byte] = false;
        byte += 1;
    }
    plain[b'"' as usize] = false;
    plain[b'\\' as usize] = false;
    plain
};

/// So many digits are a number for certain.
const MOST_DIGITS: usize = 18;

impl<'a> Scan<'a> {
    /// The next byte after blanks.
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.data.as_bytes().get(self.at)?;
            self.at += 1;
            if byte != b' ' {
                return Some(byte);
            }
        }
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    fn text(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let rest = self.data.as_bytes().get(self.at..)?;
        let length = plain_length(rest);
        let text = self.data.get(self.at..self.at + length).filter(|_| rest.get(length) == Some(&b'"'))?;
        self.at += length + 1;
        Some(text)
    }

    /// Its digits are followed by something else: what that is, is looked at next.
    fn number(&mut self) -> Option<u64> {
        let first = self.next()?;
        self.at -= 1;
        let rest = self.data.as_bytes().get(self.at..)?;
        let length = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        let leading_zero = first == b'0' && length > 1;
        let digits = rest.get(..length).filter(|_| (1..=MOST_DIGITS).contains(&length) && !leading_zero)?;
        self.at += length;
        Some(digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
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
        let first = self.next()?;
        self.at -= 1;
        match first {
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
            assert_eq!(shown(read(data).as_ref()), shown(general(data).as_ref()));
            assert!(read(data).is_some(), "{data}");
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
            assert!(read(data).is_none(), "{data}");
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
            if let Some(event) = read(&data) {
                prop_assert_eq!(shown(Some(&event)), shown(general(&data).as_ref()), "{}", data);
            }
        }
    }
}
