//! Two versions of a text, word by word.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// How long the smallest difference is looked for; after it a larger one is taken.
const LOOKING: Duration = Duration::from_millis(200);

/// A run of words that stayed, came or went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) kind: Change,
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Same,
    Added,
    Removed,
}

impl Piece {
    pub(crate) fn is_added(&self) -> bool {
        self.kind == Change::Added
    }

    pub(crate) fn is_removed(&self) -> bool {
        self.kind == Change::Removed
    }
}

/// How one text became another.
pub(crate) fn pieces(before: &str, after: &str) -> Vec<Piece> {
    let difference = TextDiff::configure().timeout(LOOKING).diff_words(before, after);
    let mut pieces: Vec<Piece> = Vec::new();
    for change in difference.iter_all_changes() {
        let kind = match change.tag() {
            ChangeTag::Equal => Change::Same,
            ChangeTag::Insert => Change::Added,
            ChangeTag::Delete => Change::Removed,
        };
        match pieces.last_mut().filter(|last| last.kind == kind) {
            Some(last) => last.text.push_str(change.value()),
            None => pieces.push(Piece { kind, text: change.value().to_owned() }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two long texts that have nothing in common were compared word by word with each other.
    #[test]
    fn texts_that_have_nothing_in_common_are_told_apart_soon() {
        let text = |letter: &str| (0..40_000).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(" ");
        let begun = std::time::Instant::now();
        let pieces = pieces(&text("a"), &text("b"));
        assert!(pieces.iter().any(Piece::is_added) && pieces.iter().any(Piece::is_removed));
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    #[test]
    fn only_the_words_that_changed_are_marked() {
        let shown: Vec<_> = pieces("At least four years", "At least five years")
            .into_iter()
            .map(|piece| (piece.kind, piece.text))
            .collect();
        let expected = [
            (Change::Same, "At least "),
            (Change::Removed, "four"),
            (Change::Added, "five"),
            (Change::Same, " years"),
        ];
        assert_eq!(shown, expected.map(|(kind, text)| (kind, text.to_owned())));
        assert!(pieces("same", "same").iter().all(|piece| piece.kind == Change::Same));
    }
}
