//! Words that say how somebody is.

use crate::lists::QUALITIES;

/// Whether a word, in the form that word lists have it in, says how somebody is.
pub(super) fn is_quality(word: &str) -> bool {
    QUALITIES.binary_search(&word.to_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_known() {
        assert!(is_quality("Calm") && is_quality("noggrann") && !is_quality("BGP") && !is_quality(""));
    }
}
