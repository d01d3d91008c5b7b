//! What in a text is only the wrapping of a mail: headers, greetings, signatures, footers. None of it is a source.

use super::{
    cues::Cues,
    lines::{Line, is_rule},
    words::{View, Word},
};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What somebody says about the role.
    Content,
    /// Nothing.
    Blank,
    /// A rule, a mail header or a greeting: what came before is over.
    Break,
    /// A signature or a footer.
    Wrapping,
    /// The rule under a heading.
    Under,
}

/// What each line is.
pub(super) fn parts(view: &View<'_>, lines: &[Line], cues: &Cues) -> Vec<Part> {
    let headers: Vec<bool> = lines.iter().map(|line| is_header(view, line, cues)).collect();
    let dashes = lines.iter().filter(|line| view.slice(&line.range) == "--").count();
    let mail = lines.iter().zip(&headers).any(|(line, header)| {
        let words = view.words_in(&line.range);
        *header || is_quotation_line(view.slice(&line.range), words, cues)
    });
    let mut parts = Vec::with_capacity(lines.len());
    let mut signature = None;
    let mut footer = false;
    let mut after_blank = false;
    for (at, line) in lines.iter().enumerate() {
        let words = view.words_in(&line.range);
        let text = view.slice(&line.range);
        if signature.is_some_and(|depth| depth != line.depth) && !line.is_blank() {
            (signature, footer) = (None, false);
        }
        let neighbor = |step: isize| {
            let next = at.checked_add_signed(step);
            next.and_then(|next| headers.get(next)).copied().unwrap_or(false)
        };
        let header = headers[at] && (neighbor(-1) || neighbor(1) || text.contains('@'));
        let part = if line.underline {
            // Nothing parts a heading from what stands under it.
            Part::Under
        } else if line.is_blank() {
            footer = false;
            Part::Blank
        } else if text == "--" && dashes > 1 {
            Part::Break
        } else if text == "--" {
            signature = Some(line.depth);
            Part::Wrapping
        } else if header || is_rule(text) || is_quotation_line(text, words, cues) {
            (signature, footer) = (None, false);
            Part::Break
        } else if footer || cues.footers.within(words) {
            footer = true;
            signature = Some(line.depth);
            Part::Wrapping
        } else if is_sign_off(text, words, cues) {
            signature = Some(line.depth);
            Part::Wrapping
        } else if signature.is_some() {
            if resumes(line, words, after_blank, cues) && !is_contact(text, words) {
                signature = None;
                Part::Content
            } else {
                Part::Wrapping
            }
        } else if is_greeting(words, cues) {
            Part::Break
        } else if mail && after_blank && is_signature(text, words) && closes(lines, at) {
            signature = Some(line.depth);
            Part::Wrapping
        } else if is_contact(text, words) {
            Part::Wrapping
        } else {
            Part::Content
        };
        after_blank = part == Part::Blank;
        parts.push(part);
    }
    parts
}

/// "From: …"; on its own it may be anything, beside another one it is a header.
fn is_header(view: &View<'_>, line: &Line, cues: &Cues) -> bool {
    let words = view.words_in(&line.range);
    cues.mail_headers.at(words).is_some_and(|(length, ())| {
        let last = words.get(length - 1).map_or(line.range.end, |word| word.end);
        view.slice(&(last..line.range.end)).trim_start_matches(['*', ' ', '\u{A0}']).starts_with(':')
    })
}

/// "On 3 May Karin wrote:"
fn is_quotation_line(text: &str, words: &[Word], cues: &Cues) -> bool {
    let named = words.len() <= 25 && cues.wrote.within(words);
    named && (text.ends_with(':') || text.starts_with("--") || text.contains('@'))
}

/// One or two words with capitals: a name.
fn is_signature(text: &str, words: &[Word]) -> bool {
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    (1..=2).contains(&words.len()) && text.chars().count() <= 30 && text.split_whitespace().all(capital)
}

/// Whether what stands at this depth ends with this line: nothing, a blank line or another depth follows.
fn closes(lines: &[Line], at: usize) -> bool {
    lines
        .get(at + 1)
        .is_none_or(|next| next.is_blank() || lines.get(at).is_some_and(|line| line.depth != next.depth))
}

fn is_greeting(words: &[Word], cues: &Cues) -> bool {
    words.len() <= 4 && cues.greetings.at(words).is_some()
}

/// A line that closes a mail, with or without the name.
fn is_sign_off(text: &str, words: &[Word], cues: &Cues) -> bool {
    let name = text.strip_prefix(['/', '~']).map(str::trim_start).unwrap_or_default();
    let slashed =
        words.len() <= 3 && name.chars().next().is_some_and(char::is_uppercase) && !name.contains(':');
    let closing = cues.sign_offs.at(words).is_some_and(|(length, ())| words.len() <= length + 4);
    slashed || (closing && !text.contains(':'))
}

/// Whether somebody goes on after a signature: a postscript, a heading, or a requirement after a blank line.
fn resumes(line: &Line, words: &[Word], after_blank: bool, cues: &Cues) -> bool {
    if line.heading || cues.postscripts.at(words).is_some() {
        return true;
    }
    let says = (0..words.len()).any(|at| {
        let roles = cues.roles.at(words.get(at..).unwrap_or_default()).map(|(_, roles)| *roles);
        let roles = roles.unwrap_or_default();
        [roles.heading, roles.before, roles.after].into_iter().flatten().any(super::Category::is_requirement)
    });
    after_blank && says
}

/// Telephone numbers, addresses of mail and web.
fn is_contact(text: &str, words: &[Word]) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let phone =
        text.starts_with(['+', '(', 'T', 't', 'M', 'm', '0']) && digits >= 7 && digits * 2 > words.len() * 3;
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let mostly_digits = phone && letters <= 12;
    let address = text.split_whitespace().any(|word| {
        word.starts_with("www.") || word.starts_with("http") || (word.contains('@') && word.contains('.'))
    });
    words.len() <= 12 && (mostly_digits || address)
}
