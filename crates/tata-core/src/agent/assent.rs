//! A whole message that says yes, or no, and nothing else.
//!
//! The list is closed. A question, a doubt, a "but", a number: whatever is not on it says less than yes, and the person is
//! asked in plain words what exactly they decide.

/// The wordings, one a line.
const WORDINGS: &str = include_str!("assent.txt");

/// What may stand beside a yes and adds nothing to it.
const COURTESIES: [&str; 14] = [
    "please",
    "thanks",
    "thank you",
    "many thanks",
    "tack",
    "tack så mycket",
    "tak",
    "mange tak",
    "takk",
    "mange takk",
    "bitte",
    "danke",
    "vielen dank",
    "danke schön",
];

/// A thumb up.
const THUMB: char = '\u{1f44d}';

/// What a no is, one a line.
const REFUSALS: &str = include_str!("dissent.txt");

/// Whether a message is a yes: as a whole on the list, or part by part, as in "yes, looks good, thanks".
pub fn says_yes(message: &str) -> bool {
    if is_one_of(message, WORDINGS) {
        return true;
    }
    let said = message.replace(THUMB, ", yes, ").replace(is_skin_tone, "");
    if is_something_else(&said) {
        return false;
    }
    let parts = said.split([',', '.', '!', ';', '\n']).filter(|part| !plain(part).is_empty());
    let mut yes = false;
    for part in parts {
        let assents = is_one_of(part, WORDINGS);
        if !assents && !COURTESIES.contains(&plain(part).as_str()) {
            return false;
        }
        yes |= assents;
    }
    yes
}

/// What colours a thumb, or asks for its picture.
fn is_skin_tone(letter: char) -> bool {
    matches!(letter, '\u{1f3fb}'..='\u{1f3ff}' | '\u{fe0f}')
}

/// Whether a message, taken as a whole, is a no.
pub fn says_no(message: &str) -> bool {
    is_one_of(message, REFUSALS)
}

fn is_one_of(message: &str, wordings: &str) -> bool {
    if is_something_else(message) {
        return false;
    }
    let said = plain(message);
    !said.is_empty() && wordings.lines().map(str::trim).any(|line| !line.starts_with('#') && line == said)
}

/// Nothing on the lists is longer, and a question is no answer.
fn is_something_else(message: &str) -> bool {
    message.len() > 120 || message.contains('?')
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

    /// What people say to a plain question: each was no answer once, and they were asked again.
    #[test]
    fn a_short_yes_is_one() {
        for yes in [
            "ok",
            "Okay.",
            "yep",
            "Yeah!",
            "sure",
            "y",
            "👍",
            "👍🏽",
            "ok 👍",
            "Yes 👍👍",
            "go ahead",
            "Absolutely!",
            "japp",
            "jo",
            "okej",
            "Ja, okej",
            "greit",
            "jepp",
            "Helt greit",
            "jawohl",
            "in Ordnung",
            "Ja, in Ordnung.",
            "Ja, ser bra ut",
            "Ja, ser bra ut, tack!",
            "yes, looks good, thanks",
            "Ok, thank you",
            "jep",
            "fint",
            "Alles klar",
            "det er i orden",
            "Ja, gerne",
            "Yes. Correct.",
        ] {
            assert!(says_yes(yes), "{yes}");
        }
        for no in [
            "ok, but not the second",
            "ok?",
            "👎",
            "👍👎",
            "👍?",
            "thanks",
            "tack",
            "👍 but change 2",
            "yes, 2",
            "yes, no",
            "ja, nej",
            "ok, change the title",
            "sure, if the salary is removed",
            "go ahead with the ad",
            "ja, aber",
            "jo, men",
            "in Ordnung, bis auf 3",
            "not ok",
            "y/n",
            "absolutely not",
            "🏽",
            "yes, looks good, thanks, and draft the ad",
        ] {
            assert!(!says_yes(no), "{no}");
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
            "yes\0",
            "no",
        ] {
            assert!(!says_yes(no), "{no}");
        }
    }
}
