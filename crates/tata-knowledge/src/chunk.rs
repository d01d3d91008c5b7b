//! A document's blocks to chunks: cut at headings, then between blocks, then between sentences.

use tata_document::{BlockKind, Reading};
use tata_language::{Language, sentences, tokens};

use crate::{Chunk, Lang};

/// The version of what is written here.
pub(crate) const VERSION: u32 = 1;

/// About 300 tokens.
pub const TARGET: usize = 1_200;

/// A section shorter than this may share a chunk with the next, unless that is a chapter of its own.
const SHORT: usize = 400;

/// The text of a document and its chunks, which tile it.
pub fn chunks(reading: &Reading, lang: Option<Lang>) -> Vec<Chunk> {
    let mut cutter = Cutter::default();
    for (at, block) in reading.blocks.iter().enumerate() {
        let text = match block.kind {
            BlockKind::Item => format!("- {}", block.text),
            BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Row | BlockKind::Code => {
                block.text.clone()
            }
        };
        let next = reading.blocks.get(at + 1).map(|next| next.kind);
        let close = matches!(
            (block.kind, next),
            (BlockKind::Item, Some(BlockKind::Item)) | (BlockKind::Row, Some(BlockKind::Row))
        );
        let end = if close { "\n" } else { "\n\n" };
        if let BlockKind::Heading(level) = block.kind {
            cutter.heading(level, &text);
        }
        cutter.page = block.page;
        for piece in pieces(&text, lang) {
            cutter.add(piece, block.kind);
        }
        if next.is_some() {
            cutter.text.push_str(end);
        }
    }
    cutter.cut();
    cutter.chunks
}

#[derive(Default)]
struct Cutter {
    chunks: Vec<Chunk>,
    text: String,
    /// Characters in the chunks so far.
    done: usize,
    /// The open headings with their levels.
    path: Vec<(u8, String)>,
    /// The headings and the page of the chunk that is being filled, from its first words that are no heading.
    headings: Option<Vec<String>>,
    first_page: Option<u32>,
    page: Option<u32>,
}

impl Cutter {
    fn heading(&mut self, level: u8, text: &str) {
        // A run of headings stays together; a new chapter begins a new chunk.
        if self.headings.is_some() && (level <= 2 || self.text.len() >= SHORT) {
            self.cut();
        }
        self.path.retain(|(open, _)| *open < level);
        self.path.push((level, text.to_owned()));
    }

    fn add(&mut self, piece: &str, kind: BlockKind) {
        if self.headings.is_some() && self.text.len() + piece.len() > TARGET {
            self.cut();
        }
        if self.text.is_empty() {
            self.first_page = self.page;
        }
        self.text.push_str(piece);
        if !matches!(kind, BlockKind::Heading(_)) && self.headings.is_none() {
            self.headings = Some(self.path.iter().map(|(_, heading)| heading.clone()).collect());
        }
    }

    fn cut(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.text);
        let start = self.done;
        self.done += text.chars().count();
        let headings = self.headings.take();
        let headings =
            headings.unwrap_or_else(|| self.path.iter().map(|(_, heading)| heading.clone()).collect());
        self.chunks.push(Chunk { ordinal: self.chunks.len(), text, start, headings, page: self.first_page });
    }
}

/// A block in pieces of at most the target: whole if it fits, else by sentences, else by words.
fn pieces(text: &str, lang: Option<Lang>) -> Vec<&str> {
    if text.len() <= TARGET {
        return vec![text];
    }
    let found = tokens(text);
    let language = lang.and_then(Lang::spoken).unwrap_or(Language::En);
    let starts =
        sentences(language, &found).into_iter().filter_map(|range| found.get(range.start)).map(|t| t.byte);
    let mut pieces = Vec::new();
    let mut begun = 0;
    for start in starts.skip(1).chain([text.len()]) {
        let mut rest = text.get(begun..start).unwrap_or_default();
        while rest.len() > TARGET {
            let (head, tail) = rest.split_at(word_end(rest));
            pieces.push(head);
            rest = tail;
        }
        if !rest.is_empty() {
            pieces.push(rest);
        }
        begun = start;
    }
    pieces
}

/// Where to cut a sentence that is too long: after the last blank within the target, else anywhere between characters.
fn word_end(text: &str) -> usize {
    let end = (0..=TARGET).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let head = text.get(..end).unwrap_or_default();
    let blank = head.rfind(char::is_whitespace).filter(|at| *at > TARGET / 2);
    blank.and_then(|at| head.get(at..)?.chars().next().map(|c| at + c.len_utf8())).unwrap_or(end)
}
