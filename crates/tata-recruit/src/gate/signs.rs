//! Rules about single signs: emoji, and dashes that are bullets.

use tata_phrases::is_invisible;
use unicode_properties::UnicodeEmoji;

use super::{Finding, Rule, text::Text};
use crate::evidence::is_emoji;

/// Asks for the picture of the character before.
const AS_PICTURE: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';
const JOINER: char = '\u{200D}';
/// No picture is made of smaller characters alone.
const FIRST_SIGN: char = '\u{203C}';
const DASHES: [char; 3] = ['-', '–', '—'];

/// Pictures; neighbors are one finding.
pub(super) fn emoji(text: &Text<'_>, findings: &mut Vec<Finding>) {
    if text.written.chars().all(|letter| letter < FIRST_SIGN) {
        return;
    }
    let characters = text.characters();
    let mut at = 0;
    while at < characters.len() {
        let start = at;
        while let Some(next) = after_picture(characters, at) {
            at = next;
        }
        if at > start {
            findings.push(text.place(Rule::Emoji, start, at));
        } else {
            at += 1;
        }
    }
}

/// The character after a picture that stands here with all that belongs to it.
fn after_picture(characters: &[char], at: usize) -> Option<usize> {
    let letter = *characters.get(at)?;
    let asked = matches!(characters.get(at + 1), Some(&AS_PICTURE | &KEYCAP)) && letter.is_emoji_char();
    if !is_emoji(letter) && !asked {
        return None;
    }
    let belongs = |letter: &char| matches!(*letter, AS_PICTURE | KEYCAP | JOINER | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}');
    let more = characters.iter().skip(at + 1).take_while(|letter| belongs(letter)).count();
    let end = at + 1 + more;
    // A joined sign such as ♂ belongs to the picture even where it would be text by itself.
    let joined = characters.get(end - 1) == Some(&JOINER)
        && characters.get(end).is_some_and(|next| next.is_emoji_char() && !next.is_ascii());
    Some(if joined { end + 1 } else { end })
}

/// Lines that begin with a dash and a blank.
pub(super) fn dash_bullets(text: &Text<'_>, findings: &mut Vec<Finding>) {
    if !DASHES.iter().any(|dash| text.written.contains(*dash)) {
        return;
    }
    let is_break = |letter: &char| {
        matches!(*letter, '\n' | '\r' | '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    let mut start = 0;
    for line in text.characters().split(is_break) {
        let indent =
            line.iter().take_while(|letter| letter.is_whitespace() || is_invisible(**letter)).count();
        if let Some([dash, blank, ..]) = line.get(indent..)
            && DASHES.contains(dash)
            && blank.is_whitespace()
        {
            findings.push(text.place(Rule::DashBullet, start + indent, start + line.len()));
        }
        start += line.len() + 1;
    }
}
