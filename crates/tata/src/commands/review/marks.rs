//! What both reviews found, in one shape: places in a text with a reason and better words.

use std::path::PathBuf;
use tata_language::book::{Category, Severity};

use serde::Deserialize;
use tata_recruit::{DiReview, JobAdReview, Kind, Made, Texts};

/// A text that was reviewed.
pub(super) struct Reviewed {
    pub(super) path: PathBuf,
    pub(super) made: Made,
    /// In the language in which it explains.
    pub(super) texts: &'static Texts,
}

/// A finding.
pub(super) struct Mark {
    pub(super) number: usize,
    /// What programs call the rule; people read the category.
    pub(super) rule: String,
    pub(super) category: Option<Category>,
    pub(super) severity: Severity,
    /// The first byte and the one after the last; nothing if it has no place.
    pub(super) bytes: Option<(usize, usize)>,
    /// What it is and why, in whole sentences.
    pub(super) message: String,
    pub(super) alternatives: Vec<String>,
    /// Those that surely fit into their sentence, with their numbers.
    pub(super) offered: Vec<(usize, String)>,
    /// The law behind it, with its country.
    pub(super) ground: Option<String>,
}

impl Reviewed {
    pub(super) fn score(&self) -> u32 {
        self.made.json["overall_score"].as_u64().and_then(|score| u32::try_from(score).ok()).unwrap_or(0)
    }

    pub(super) fn text(&self) -> &str {
        self.made.json["original_text"].as_str().unwrap_or_default()
    }

    pub(super) fn di(&self) -> Option<DiReview> {
        let wanted = self.made.kind == Kind::DiReview;
        wanted.then(|| DiReview::deserialize(&self.made.json).ok()).flatten()
    }

    pub(super) fn ad(&self) -> Option<JobAdReview> {
        let wanted = self.made.kind == Kind::JobAdReview;
        wanted.then(|| JobAdReview::deserialize(&self.made.json).ok()).flatten()
    }

    /// The findings, in order.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        let review = self.di();
        let law = |law: &String| review.as_ref().map(|review| review.law_line(law));
        let owned = |offered: Vec<(usize, &str)>| -> Vec<(usize, String)> {
            offered.into_iter().map(|(number, words)| (number, words.to_owned())).collect()
        };
        for item in review.iter().flat_map(|review| review.flagged_items.clone()) {
            let offered = review.as_ref().map(|review| owned(review.offered(&item))).unwrap_or_default();
            marks.push(Mark {
                offered,
                number: item.number,
                rule: item.rule,
                category: Some(item.category),
                severity: item.severity,
                bytes: Some((item.byte_start, item.byte_end)),
                message: item.explanation,
                alternatives: item.alternatives,
                ground: item.legal_ground.as_ref().and_then(law),
            });
        }
        let ad = self.ad();
        for issue in ad.iter().flat_map(|review| review.issues.clone()) {
            let offered = ad.as_ref().map(|review| owned(review.offered(&issue))).unwrap_or_default();
            marks.push(Mark {
                // What is offered stands in a line of its own.
                message: if offered.is_empty() {
                    format!("{} {}", issue.description, issue.suggestion)
                } else {
                    issue.description
                },
                offered,
                number: issue.number,
                rule: issue.rule,
                category: None,
                severity: issue.severity,
                bytes: issue.bytes,
                alternatives: issue.alternatives,
                ground: None,
            });
        }
        marks
    }
}

/// A line of a text and the part of it that a finding marks.
pub(super) struct Spot<'a> {
    /// Counted from 1.
    pub(super) line: usize,
    /// Characters before the finding, from 0.
    pub(super) before: usize,
    /// Characters of the finding on this line.
    pub(super) length: usize,
    /// Characters of the line.
    pub(super) width: usize,
    /// The first byte of the finding in the line.
    pub(super) at: usize,
    pub(super) text: &'a str,
}

/// A text of which every finding asks where it is: lines and characters are counted once.
pub(super) struct Places<'a> {
    text: &'a str,
    /// The first byte of each line.
    lines: Vec<usize>,
    /// How many characters begin before each block of bytes.
    blocks: Vec<usize>,
}

/// How many bytes are counted at once.
const BLOCK: usize = 64;

impl<'a> Places<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let blocks = text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            let begun = block.iter().filter(|byte| begins_character(**byte)).count();
            Some(std::mem::replace(before, *before + begun))
        });
        Self { text, lines: std::iter::once(0).chain(breaks).collect(), blocks: blocks.collect() }
    }

    /// How many characters begin before a byte.
    fn characters(&self, byte: usize) -> usize {
        let block = byte.min(self.text.len().saturating_sub(1)) / BLOCK;
        let bytes = self.text.as_bytes().get(block * BLOCK..byte.min(self.text.len()));
        let begun = bytes.unwrap_or_default().iter().filter(|byte| begins_character(**byte)).count();
        self.blocks.get(block).copied().unwrap_or_default() + begun
    }

    /// The line of a byte and the character in it, both from 1.
    pub(super) fn position(&self, byte: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|first| *first <= byte);
        let first = line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or_default();
        (line, self.characters(byte) - self.characters(first) + 1)
    }

    /// Where a finding stands. One that goes over several lines is marked on its first.
    pub(super) fn spot(&self, (start, end): (usize, usize)) -> Spot<'a> {
        let (line, column) = self.position(start);
        let first = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let last = self.lines.get(line).map_or(self.text.len(), |next| next - 1);
        let text = self.text.get(first..last).unwrap_or_default().trim_end_matches('\r');
        let length = self.characters(end.min(last).max(start)) - self.characters(start);
        Spot {
            line,
            before: column - 1,
            length: length.max(1),
            width: self.characters(first + text.len()) - self.characters(first),
            at: start - first,
            text,
        }
    }
}

fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted for each by itself, from the beginning of the text.
    fn slowly(text: &str, at: usize) -> (usize, usize) {
        let before = &text[..at];
        (before.matches('\n').count() + 1, before.rsplit('\n').next().unwrap().chars().count() + 1)
    }

    #[test]
    fn places_are_counted_as_if_from_the_beginning() {
        let text = "Åsa söker ett ungt team 🙂 nu\r\n\nrad två är lång ".repeat(30);
        for text in [text.as_str(), "", "x", "\n", "å"] {
            let places = Places::of(text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(places.position(at), slowly(text, at), "{at}");
            }
        }
        let spot = Places::of("ett\r\ntvå ungt\r\n").spot((10, 14));
        assert_eq!((spot.line, spot.before, spot.length, spot.width, spot.text), (2, 4, 4, 8, "två ungt"));
    }
}
