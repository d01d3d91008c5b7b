//! What belongs to a letter and not to its message: the head of an e-mail, the greeting, the words that end it and the
//! name below them. None of it is a requirement, so nobody is asked where it belongs.

use tata_guided::sort::{Notes, Piece, Place, Role};

use crate::lists::{LETTER_GREETING, LETTER_HEAD, SIGN_OFFS};

/// A greeting has no more words: "Good morning both of you".
const GREETING: usize = 5;
/// A name has no more words.
const NAME: usize = 3;
/// A signature has no more lines, and none of them more words.
const SIGNATURE: usize = 4;
const SIGNATURE_WORDS: usize = 8;

/// Leaves the letter out of notes that nobody sorted yet; whoever sorts them may put its lines somewhere.
pub(super) fn leave_out(text: &str, notes: &mut Notes) {
    let letters: Vec<char> = text.chars().collect();
    let whole = |piece: &Piece| -> String {
        letters.get(piece.span.start..piece.span.end).unwrap_or_default().iter().collect()
    };
    // "Date: Monday" in the head of an e-mail looks like a label of the notes.
    let is_open = |piece: &Piece| piece.place.is_none() || is_head(&whole(piece));
    let lines: Vec<usize> = (0..)
        .zip(&notes.pieces)
        .filter(|(_, piece)| piece.role == Role::Line && is_open(piece))
        .map(|(at, _)| at)
        .collect();
    let texts: Vec<String> =
        lines.iter().map(|at| notes.pieces.get(*at).map(&whole).unwrap_or_default()).collect();
    let is_head: Vec<bool> = texts.iter().map(|text| is_head(text)).collect();
    let mut signed = false;
    let mut below = 0;
    for (number, (at, text)) in lines.iter().zip(&texts).enumerate() {
        // One line may be a fact ("Date: 3 May"); two in a row are the head of an e-mail.
        let near = |other: Option<usize>| other.is_some_and(|other| is_head.get(other) == Some(&true));
        let head = is_head.get(number) == Some(&true)
            && (near(number.checked_sub(1)) || near(number.checked_add(1)));
        let name = signed && is_name(text);
        // Name, title and company below the greeting at the end; a line with a figure may be the number to call.
        let is_last = lines.len() - number <= SIGNATURE;
        let signature = below > 0 && is_last && text.split_whitespace().count() <= SIGNATURE_WORDS;
        let signature = signature
            && !text.ends_with(['.', '!', '?'])
            && !text.contains(|letter: char| letter.is_ascii_digit() || letter == ':');
        signed = is_sign_off(text);
        below = if name || signature { below + 1 } else { 0 };
        if (head || name || signed || signature || is_greeting(text))
            && let Some(piece) = notes.pieces.get_mut(*at)
        {
            piece.place = Some(Place::Out);
        }
    }
}

fn is_head(line: &str) -> bool {
    let label = line.split_once(':').map(|(label, _)| label.trim().to_lowercase());
    label.is_some_and(|label| LETTER_HEAD.binary_search(&label.as_str()).is_ok())
}

fn is_greeting(line: &str) -> bool {
    let words = words(line);
    let opens = |count: usize| {
        let begin = words.get(..count).map(|begin| begin.join(" ")).unwrap_or_default();
        LETTER_GREETING.binary_search(&begin.as_str()).is_ok()
    };
    (opens(1) || opens(2))
        && words.len() <= GREETING
        && !line.contains(|letter: char| letter.is_ascii_digit() || letter == ':')
}

/// "Thanks,", "Hilsen Ragnhild".
fn is_sign_off(line: &str) -> bool {
    let words = words(line);
    let ends = |count: usize| {
        let begin = words.get(..count).map(|begin| begin.join(" ")).unwrap_or_default();
        SIGN_OFFS.binary_search(&begin.as_str()).is_ok()
    };
    (words.len().saturating_sub(2)..=words.len()).any(ends)
}

fn is_name(line: &str) -> bool {
    let plain = |letter: char| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '.' | '\'');
    let line = line.trim_start_matches('/');
    line.chars().all(plain) && line.split_whitespace().count() <= NAME
}

fn words(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    let words = line.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use tata_language::Language;

    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut notes = Notes::cut(text, Language::En);
        leave_out(text, &mut notes);
        let left: Vec<&str> =
            notes.lines().filter(|line| line.place.is_none()).map(|line| line.text.as_str()).collect();
        assert_eq!(left, expected, "{text}");
    }

    #[test]
    fn a_letter_is_left_out_of_notes_and_its_message_stays() {
        check(
            "From: Priya Nair\nSent: Thursday\nSubject: Buyer\n\nHi both,\n\nWe need a buyer.\n\nThanks,\nPriya",
            &["We need a buyer."],
        );
        check(
            "Fra: Per\nEmne: Køber\n\nHej Camilla\n\nVi mangler en køber.\n\nHilsen Per",
            &["Vi mangler en køber."],
        );
        check(
            "Sehr geehrte Frau Yildiz,\n\nwir suchen jemanden.\n\nHerzliche Grüße\nSabine Krämer",
            &["wir suchen jemanden."],
        );
        check("Subject: Buyer", &["Subject: Buyer"]);
        check(
            "From: Priya\nTo: Louise\nDate: Tue, 14 Apr 2026 17:52\nSubject: Buyer\n\nWe need a buyer.\n\nThx!\nPriya\n\n\
             Priya Nair\nHead of Network Automation, GlobalConnect",
            &["We need a buyer."],
        );
        check(
            "Good written English\nHi-fi knowledge since 2019",
            &["Good written English", "Hi-fi knowledge since 2019"],
        );
    }
}
