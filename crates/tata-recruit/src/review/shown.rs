//! Pieces of an ad as a report shows them.

use crate::{clip::clipped, evidence::is_emoji};

/// The most characters of a place that are shown.
const MOST: usize = 160;

/// A piece on one line, not too long, without emoji: a report has none, whoever wrote them.
pub(crate) fn shown(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|letter| !is_emoji(*letter) && !matches!(*letter, '\u{FE0F}' | '\u{20E3}' | '\u{200D}'))
        .collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    clipped(&line, MOST)
}
