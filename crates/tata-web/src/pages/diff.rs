//! Two versions of a text, word by word.

use similar::{ChangeTag, TextDiff};

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
    let difference = TextDiff::from_words(before, after);
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
