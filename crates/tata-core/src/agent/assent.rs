//! A whole message that says yes, or no, and nothing else.
//!
//! The list is closed. A question, a doubt, a "but", a number: whatever is not on it says less than yes, and the person is
//! asked in plain words what exactly they decide.

/// The wordings, one a line.
const WORDINGS: &str = include_str!("assent.txt");

/// What a no is, one a line.
const REFUSALS: &str = include_str!("dissent.txt");

/// Whether a message, taken as a whole, is a yes.
pub fn says_yes(message: &str) -> bool {
    is_one_of(message, WORDINGS)
}

/// Whether a message, taken as a whole, is a no.
pub fn says_no(message: &str) -> bool {
    is_one_of(message, REFUSALS)
}

fn is_one_of(message: &str, wordings: &str) -> bool {
    // Nothing on the lists is longer.
    if message.len() > 120 || message.contains('?') {
        return false;
    }
    let said = plain(message);
    !said.is_empty() && wordings.lines().map(str::trim).any(|line| !line.starts_with('#') && line == said)
}

/// Lower case, without stops and commas, one blank between words.
fn plain(message: &str) -> String {
    let letters = message.chars().map(|letter| match letter {
        '.' | ',' | '!' | ';' => ' ',
        '\u{2019}' => '\'',
        other => other,
    });
    let text: String = letters.flat_map(char::to_lowercase).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_written_as_messages_are_compared() {
        for line in WORDINGS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            assert_eq!(plain(line), line, "as a message would be compared");
            assert!(says_yes(line) && !says_no(line), "{line}");
        }
        for line in REFUSALS.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            assert_eq!(plain(line), line, "as a message would be compared");
            assert!(says_no(line) && !says_yes(line), "{line}");
        }
    }

    #[test]
    fn a_yes_is_a_whole_message() {
        for yes in [
            "Yes.",
            "Yes, that's right!",
            "Ja, det stämmer.",
            "JA",
            "Ja, det er rigtigt",
            "Ja, das stimmt.",
            "Bekreftet!",
        ] {
            assert!(says_yes(yes), "{yes}");
        }
    }

    /// What confirmed a profile once, and other words that are no yes.
    #[test]
    fn less_than_a_yes_is_none() {
        for no in [
            "not sure",
            "is that right?",
            "swap 1 and 2",
            "1 and 2 are too strict",
            "yes except number 2",
            "start date 1 February",
            "stämmer det?",
            "ja förutom nummer 2",
            "bin mir nicht sicher",
            "stimmt das?",
            "ja, außer Nummer 2",
            "1",
            "",
            "   ",
            "ok but",
            "yes?",
            "yes yes no",
            "ja, men",
            "nej",
            "ja tack till kaffe",
            "I would say yes",
            "👍",
            "yes\0",
            "no",
        ] {
            assert!(!says_yes(no), "{no}");
        }
    }
}
