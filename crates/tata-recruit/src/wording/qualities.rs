//! Words that say how somebody is.

/// One a line, sorted; of all languages.
const WORDS: &str = include_str!("../../data/words/qualities.txt");

/// Whether a word, in the form that word lists have it in, says how somebody is.
pub(super) fn is_quality(word: &str) -> bool {
    let word = word.to_lowercase();
    !word.is_empty() && WORDS.lines().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_known() {
        let lines: Vec<&str> = WORDS.lines().collect();
        assert_eq!(lines.windows(2).find(|pair| pair[0] >= pair[1]), None);
        assert!(is_quality("Calm") && is_quality("noggrann") && !is_quality("BGP") && !is_quality(""));
    }
}
