//! What was shown of an answer, held against what is recorded of it. Pieces get lost, some servers send the text only at
//! its end, others send it twice: in the end the listener has what the journal has, once.

/// The text that was shown, in the order in which it was shown.
#[derive(Debug, Default)]
pub(crate) struct Shown(String);

/// Room for a short answer, in bytes.
const EXPECTED: usize = 512;

/// What must still be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Missing<'a> {
    /// These parts, each with its place; often none.
    Rest(Vec<(usize, &'a str)>),
    /// What was shown is not how the text begins: all of it.
    All,
}

impl Shown {
    /// Notes a piece that is shown.
    pub(crate) fn note(&mut self, piece: &str) {
        if self.0.is_empty() {
            // What comes in pieces is long: the first steps of growing are skipped.
            self.0.reserve(EXPECTED);
        }
        self.0.push_str(piece);
    }

    /// Whether this was shown last.
    pub(crate) fn ends_with(&self, text: &str) -> bool {
        self.0.ends_with(text)
    }

    /// What of these parts, in their order, was not shown.
    pub(crate) fn missing<'a>(&self, parts: impl Iterator<Item = (usize, &'a str)>) -> Missing<'a> {
        let mut shown = self.0.as_str();
        let mut rest = Vec::new();
        for (place, part) in parts {
            if let Some(after) = shown.strip_prefix(part) {
                shown = after;
            } else if let Some(more) = part.strip_prefix(shown) {
                shown = "";
                rest.push((place, more));
            } else {
                return Missing::All;
            }
        }
        if shown.is_empty() { Missing::Rest(rest) } else { Missing::All }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shown: &[&str], parts: &[&'static str], missing: &Missing<'static>) {
        let mut noted = Shown::default();
        for piece in shown {
            noted.note(piece);
        }
        assert_eq!(noted.missing(parts.iter().copied().enumerate()), *missing, "{shown:?} of {parts:?}");
    }

    #[test]
    fn what_is_missing_is_told_once_and_a_contradiction_begins_anew() {
        check(&["a", "b"], &["ab"], &Missing::Rest(vec![]));
        check(&["a", "bc"], &["ab", "c"], &Missing::Rest(vec![]));
        check(&[], &["ab", "c"], &Missing::Rest(vec![(0, "ab"), (1, "c")]));
        check(&["a"], &["ab", "", "c"], &Missing::Rest(vec![(0, "b"), (2, "c")]));
        check(&["ab"], &["ab", "c"], &Missing::Rest(vec![(1, "c")]));
        check(&["a", "c"], &["abc"], &Missing::All);
        check(&["c", "ab"], &["ab", "c"], &Missing::All);
        check(&["ab"], &["a"], &Missing::All);
        check(&["a"], &[], &Missing::All);
    }
}
