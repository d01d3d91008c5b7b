//! Writes lists of cues, see [`crate::Cues`].

use super::{
    byte_writer::ByteWriter,
    graph::{Graph, Meaning},
    tables,
};
use crate::{
    rows::number,
    words::{Style, Word, spelled_as},
};

/// The tables of cues; each belongs to a list. Those that come first are found first where several begin with a word.
pub fn cues<'a>(style: Style, cues: impl IntoIterator<Item = (usize, &'a str)>) -> Result<Vec<u8>, String> {
    let (mut patterns, mut rows, mut written) = (Vec::new(), Vec::new(), String::new());
    for (at, (list, cue)) in cues.into_iter().enumerate() {
        let (pattern, alone) = cue.strip_prefix('=').map_or((cue, false), |rest| (rest, true));
        patterns.push((at, Meaning::Hit, pattern));
        let from = written.len();
        if pattern.chars().any(char::is_uppercase) {
            written.push_str(&as_written(pattern, style));
        }
        rows.push([number(list), u32::from(alone), number(from), number(written.len())]);
    }
    let mut output = ByteWriter::default();
    output.bytes(&tables::write(&Graph::new(patterns, style)?, true)?);
    output.rows(&rows);
    output.bytes(written.as_bytes());
    Ok(output.finish())
}

/// The words of a cue that must stand as they are written; nothing for the others, blanks between them.
fn as_written(pattern: &str, style: Style) -> String {
    let pieces = pattern.split_whitespace().flat_map(|piece| {
        let exact = move |word: &Word<'_>| {
            !piece.contains('*') && word.written(piece).chars().any(char::is_uppercase)
        };
        let words = spelled_as(piece, style).into_iter();
        words.map(move |word| if exact(&word) { word.written(piece) } else { "" })
    });
    pieces.collect::<Vec<_>>().join(" ")
}
