//! Obvious slips of a transcription: a word written twice, an apostrophe left out. What was said is never changed; the
//! reader is told how it reads.

use crate::lists::{SLIP_APOSTROPHES, SLIP_DOUBLED};

/// How a text reads without its slips, if it has any.
pub(super) fn corrected(text: &str) -> Option<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut changed = false;
    for word in text.split(' ') {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let lower = bare.to_lowercase();
        let before = kept.last().map(|last| last.to_lowercase());
        let alphabetic = !lower.is_empty() && lower.chars().all(char::is_alphabetic);
        if alphabetic && before.as_deref() == Some(lower.as_str()) && !SLIP_DOUBLED.contains(&lower.as_str())
        {
            // The second one stays: it may carry the comma.
            kept.pop();
            changed = true;
        }
        match SLIP_APOSTROPHES.iter().find(|(slip, _)| *slip == lower) {
            Some((_, right)) => {
                kept.push(word.replace(bare, right));
                changed = true;
            }
            None => kept.push(word.to_owned()),
        }
    }
    changed.then(|| kept.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_read_right_and_meaning_is_kept() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(corrected(text).as_deref(), expected, "{text:?}");
        };
        check("I dont think so.", Some("I don't think so."));
        check("we moved the the core, the edge", Some("we moved the core, the edge"));
        check("jag att att ledde", Some("jag att ledde"));
        check("what I had had was that that", None);
        check("bgp, BGP", None);
        check("its were well", None);
        check("1 1", None);
        check("", None);
    }
}
