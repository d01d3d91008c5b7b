//! Rules about names: modules are not called by letters, the company is written one way, and nobody asks the recruiter's
//! name.

use super::{Finding, Level, Rule, text::Text};
use tata_phrases::{Case, Gap, Word};

use crate::{Language, lists::MODULE_WORDS};

/// The company, as it is written.
const COMPANY: &str = "GlobalConnect";
/// How far around the company's name an address is looked for.
const REACH: usize = 200;

/// "Module A" to "Module J". Where `spoken`, somebody else's own words may say so: a candidate who worked on one.
pub(super) fn module_letters(text: &Text<'_>, language: Language, spoken: bool, findings: &mut Vec<Finding>) {
    for (at, word) in text.words.iter().enumerate() {
        // As all of them do.
        if !word.text.starts_with("modul") {
            continue;
        }
        if let Some(letter) = text.words.get(at + 1)
            && MODULE_WORDS.contains(&&*word.text)
            && is_module_letter(&letter.text)
            && letter.gap <= Gap::Colon
            && text.between(word, letter).len() <= 4
            && !is_small_word(text, at + 1, language)
            && !(spoken && text.is_verbatim(at) && text.is_verbatim(at + 1))
        {
            findings.extend(text.finding(Rule::ModuleLetter, at, at + 1));
        }
        if is_joined_module(text, word) && !(spoken && text.is_verbatim(at)) {
            findings.extend(text.finding(Rule::ModuleLetter, at, at));
        }
    }
}

fn is_module_letter(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'j'])
}

/// "a module a student takes", "en modul i systemet": a word of the language, not a letter.
fn is_small_word(text: &Text<'_>, at: usize, language: Language) -> bool {
    let Some(word) = text.words.get(at) else { return false };
    let small = match language {
        Language::En => word.text == "a",
        Language::Sv | Language::Da | Language::No => word.text == "i",
        Language::De => false,
    };
    let goes_on = text.words.get(at + 1).is_some_and(|next| next.gap <= Gap::Blank);
    small && goes_on && word.case == Case::Lower && word.gap == Gap::Blank
}

/// "ModuleA", "ModulB": the letter is a capital and the one before is not.
fn is_joined_module(text: &Text<'_>, word: &Word<'_>) -> bool {
    let letters = || text.characters().get(word.start..word.end).unwrap_or_default();
    matches!(word.text.get(..word.text.len() - 1), Some("module" | "modul"))
        && matches!(letters(), [rest @ .., before, 'A'..='J'] if before.is_lowercase() && rest.len() < 6)
}

/// GlobalConnect, written otherwise: a warning.
pub(super) fn company_name(text: &Text<'_>, findings: &mut Vec<Finding>) {
    for (at, word) in text.words.iter().enumerate() {
        if !word.text.starts_with("global") {
            continue;
        }
        let next = text.words.get(at + 1);
        let last = match &*word.text {
            "globalconnect" | "globalconnects" | "globalconnect's" => at,
            "global"
                if word.case != Case::Lower && next.is_some_and(|next| is_second_half(text, word, next)) =>
            {
                at + 1
            }
            _ => continue,
        };
        let Some(end) = text.words.get(last).map(|last| last.end) else { continue };
        let written = text.characters().get(word.start..end).unwrap_or_default();
        let right = written.iter().zip(COMPANY.chars()).filter(|(one, other)| **one == *other).count();
        if right < COMPANY.len() && !text.is_verbatim(at) && !is_address(text.characters(), word.start, end) {
            let finding = text.place(Rule::CompanyName, word.start, end);
            findings.push(Finding { level: Level::Warning, suggestion: Some(COMPANY.to_owned()), ..finding });
        }
    }
}

fn is_second_half(text: &Text<'_>, first: &Word<'_>, second: &Word<'_>) -> bool {
    let between = text.between(first, second);
    let parted =
        |letter: &char| letter.is_whitespace() || matches!(letter, '-' | '\u{2010}' | '\u{2011}' | '\u{AD}');
    matches!(&*second.text, "connect" | "connects" | "connect's")
        && between.len() <= 3
        && between.iter().all(parted)
}

/// Whether a place is part of an e-mail address, a link or a handle.
fn is_address(characters: &[char], start: usize, end: usize) -> bool {
    let before = characters.get(start.saturating_sub(REACH)..start).unwrap_or_default();
    let after = characters.get(end..characters.len().min(end + REACH)).unwrap_or_default();
    let left: Vec<char> = before.iter().rev().take_while(|letter| !letter.is_whitespace()).copied().collect();
    let right: Vec<char> = after.iter().take_while(|letter| !letter.is_whitespace()).copied().collect();
    let joined = |letter: &char| matches!(letter, '@' | '/' | '_' | '#' | '=');
    let domain = matches!(right.as_slice(), ['.', next, ..] if next.is_alphanumeric());
    let within =
        matches!(left.first(), Some('.')) && left.get(1).is_some_and(|letter| letter.is_alphanumeric());
    domain || within || left.iter().chain(&right).any(joined)
}

/// Questions for the recruiter's name, in any of the languages.
pub(super) fn name_questions(text: &Text<'_>, findings: &mut Vec<Finding>) {
    for (first, last) in text.questions() {
        if !(first..=last).all(|word| text.is_verbatim(word)) {
            findings.extend(text.finding(Rule::NameQuestion, first, last));
        }
    }
}
