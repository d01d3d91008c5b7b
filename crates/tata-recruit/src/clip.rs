//! The beginning of a text, where the whole is too long to be shown.

/// The first characters.
pub(crate) fn start(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// A text no longer than this many characters, cut between words.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    let cut = start(text, most);
    if cut.len() == text.len() {
        return text.to_owned();
    }
    let end = cut.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(cut).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(clipped("one two three", 9), "one two…");
        assert_eq!(clipped("onetwothree", 4), "onet…");
        assert_eq!(clipped("one", 9), "one");
    }
}
