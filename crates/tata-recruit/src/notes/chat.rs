//! Chats and text messages: who speaks and when is no part of what is said, and every message stands for itself.

use std::{collections::BTreeMap, ops::Range};

use super::{
    cues::Cues,
    lines::Line,
    markers::{announced, heading},
    words::View,
};

/// The longest name of somebody who speaks, in bytes.
const LONGEST_NAME: usize = 40;
/// The longest time of a message.
const LONGEST_TIME: usize = 30;

/// Takes names and times off the lines of a chat, and the quotation marks off quoted messages.
pub(super) fn messages(view: &View<'_>, lines: &mut [Line], cues: &Cues) {
    let said = lines.iter().filter(|line| !line.is_blank()).count();
    // How often each name stands before a message, and which number the speaker gets.
    let mut names: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut timed = 0;
    for line in lines.iter() {
        let text = view.slice(&line.range);
        let time = time(text);
        timed += usize::from(time > 0);
        if let Some(name) = text.get(time..).and_then(name) {
            let number = names.len() + 1;
            names.entry(name).or_insert((0, number)).0 += 1;
        }
    }
    names.retain(|name, (count, _)| (*count >= 2 || timed >= 2) && !is_label(name, cues));
    let spoken: usize = names.values().map(|(count, _)| count).sum();
    let chat = (spoken >= 3 && spoken * 5 >= said) || timed >= 2;
    let quoted = lines.iter().filter(|line| quotation(view.slice(&line.range)).is_some()).count();
    for line in lines.iter_mut() {
        let text = view.slice(&line.range);
        let time = Some(time(text)).filter(|_| timed >= 2).unwrap_or(0);
        let rest = text.get(time..).unwrap_or_default();
        let speaker = name(rest).filter(|_| chat).and_then(|name| Some((name, names.get(name)?.1)));
        let skipped = time + speaker.map_or(0, |(name, _)| name.len() + 1);
        if skipped > 0 {
            line.range = view.trim(line.range.start + skipped..line.range.end, char::is_whitespace);
            line.speaker = Some(speaker.map_or(0, |(_, number)| number));
        }
        if quoted >= 2
            && let Some(inner) = quotation(view.slice(&line.range))
        {
            line.range = line.range.start + inner.start..line.range.start + inner.end;
            line.speaker.get_or_insert(0);
        }
    }
}

/// How long the time is that a line begins with: "[09:12] ", "09:12 - ".
fn time(text: &str) -> usize {
    let head = text.char_indices().nth(LONGEST_TIME).map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
    let of_time = |inner: &str| {
        let letters = inner.chars().filter(|letter| letter.is_alphabetic()).count();
        inner.contains(':') && letters <= 2 && inner.chars().filter(char::is_ascii_digit).count() >= 3
    };
    let end = if let Some(inner) = head.strip_prefix('[') {
        inner.find(']').filter(|close| inner.get(..*close).is_some_and(of_time)).map(|close| close + 2)
    } else {
        let clock = |letter: char| letter.is_ascii_digit() || letter == ':';
        head.find(|letter| !clock(letter)).filter(|end| {
            head.get(..*end).is_some_and(of_time)
                && head.get(*end..).is_some_and(|rest| rest.starts_with(char::is_whitespace))
        })
    };
    let Some(end) = end else { return 0 };
    let rest = text.get(end..).unwrap_or_default();
    text.len() - rest.trim_start_matches([' ', '\t', '-', '\u{2013}', ',']).len()
}

/// The name before a colon: up to three words with capitals.
fn name(text: &str) -> Option<&str> {
    let colon = text.bytes().take(LONGEST_NAME).position(|byte| byte == b':')?;
    let name = text.get(..colon)?;
    let capital = |word: &str| {
        word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '.' | '-' | '\''))
    };
    let after = text.get(colon + 1..)?;
    let words = name.split(' ').count();
    ((1..=3).contains(&words) && name.split(' ').all(capital) && after.starts_with(char::is_whitespace))
        .then_some(name)
}

/// What somebody says whose name a sentence begins with.
pub(super) fn said_by(view: &View<'_>, sentence: &Range<usize>) -> Option<Range<usize>> {
    let range = view.trim(sentence.clone(), char::is_whitespace);
    let name = name(view.slice(&range))?;
    Some(range.start + name.len() + 1..range.end)
}

/// Whether a name is none, but says what follows: "Krav", "From".
fn is_label(name: &str, cues: &Cues) -> bool {
    let words = super::words::words(name);
    heading(&words, cues, 0).is_some()
        || announced(&words, cues).is_some()
        || cues.mail_headers.at(&words).is_some()
}

/// What stands between quotation marks, if that is all.
fn quotation(text: &str) -> Option<Range<usize>> {
    let is_mark =
        |letter: char| matches!(letter, '"' | '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{AB}' | '\u{BB}');
    let first = text.chars().next().filter(|letter| is_mark(*letter))?;
    let last = text.chars().next_back().filter(|letter| is_mark(*letter))?;
    let inner = first.len_utf8()..text.len().checked_sub(last.len_utf8())?;
    text.get(inner.clone())
        .is_some_and(|text| !text.contains(is_mark) && !text.trim().is_empty())
        .then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notes::lines::lines;

    #[test]
    fn names_and_times_are_no_part_of_messages() {
        let check = |text: &str, expected: &[&str]| {
            let view = View::new(text);
            let mut all = lines(text);
            messages(&view, &mut all, Cues::get());
            let found: Vec<&str> = all.iter().map(|line| view.slice(&line.range)).collect();
            assert_eq!(found, expected);
        };
        check("[09:12] Ada Berg: hej\n[09:13] Bo: ja: nej\n[09:14] Ada Berg: ok", &["hej", "ja: nej", "ok"]);
        check("Ada: hej\nBo: Java\nAda: mer?\nBo: nej", &["hej", "Java", "mer?", "nej"]);
        check("12:01 a\n12:02 b", &["a", "b"]);
        check("\u{201C}a\u{201D}\n\"b\"\nc", &["a", "b", "c"]);
        check("Krav: Java\nKrav: Go\nKrav: C", &["Krav: Java", "Krav: Go", "Krav: C"]);
        check("Chef: Ada\nOrt: Lund\nLön: 3", &["Chef: Ada", "Ort: Lund", "Lön: 3"]);
    }
}
