//! Words that say how somebody is.

use crate::lists::QUALITIES;

/// Whether a word, in the form that word lists have it in, says how somebody is.
pub(super) fn is_quality(word: &str) -> bool {
    QUALITIES.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// A quality with a clause that hangs on a person who is not named, with that person. Only where everything before the
/// clause is a quality: a clause after a noun has its person.
pub(super) fn with_person(
    text: &str,
    clause: &str,
    person: &str,
    joins: impl Fn(&str) -> bool,
) -> Option<String> {
    let (before, rest) = text.split_once(clause)?;
    let known = |word: &str| joins(word) || is_quality(word.trim_end_matches(','));
    before.split(' ').all(known).then(|| format!("{before}{person}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_known() {
        assert!(is_quality("Calm") && is_quality("noggrann") && !is_quality("BGP") && !is_quality(""));
    }
}
