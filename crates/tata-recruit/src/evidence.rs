//! Where a statement comes from: a source and the characters in it, checked by the machine.
//!
//! A quotation is found again although quotes, dashes, blanks, letter case, soft hyphens, emoji or line breaks differ. A
//! paraphrase is not, and neither is a part of a word.

use std::{cell::OnceCell, collections::BTreeMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::named;
use tata_phrases::{is_invisible, is_mark};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::UnicodeEmoji;

use crate::Texts;

named! {
    /// A text that somebody gave, in the order in which it is believed.
    #[derive(Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Source {
        /// Notes of the start-up meeting.
        #[default]
        StartupNotes = "startup_notes",
        /// What the hiring manager said.
        HiringManagerInput = "hiring_manager_input",
        /// An earlier ad.
        OldJobAd = "old_job_ad",
        /// What the recruiter said in the conversation.
        RecruiterInput = "recruiter_input",
        /// What is known of the company, approved by the recruiter.
        CompanyContext = "company_context",
        /// A candidate's public profile.
        CandidateProfile = "candidate_profile",
        /// An interview.
        Transcript = "transcript",
        /// A candidate's CV.
        CandidateCv = "candidate_cv",
    }
}

impl Source {
    /// What people call it.
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(group!("project.sources").key(self.name()))
    }
}

/// The texts a document was made from. They are kept with it, so that every span can be checked later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sources(BTreeMap<Source, String>);

impl Sources {
    /// Adds a text; a blank one is none.
    #[must_use]
    pub fn with(mut self, source: Source, text: Option<&str>) -> Self {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            self.0.insert(source, text.to_owned());
        }
        self
    }

    /// Adds to a text that may already be there: what a recruiter says comes in pieces, and earlier spans stay true.
    pub fn extend(&mut self, source: Source, text: &str) {
        let whole = self.0.entry(source).or_default();
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(text);
    }

    /// Adds what somebody says, and gives it back with its place there. Signs alone say nothing.
    pub(crate) fn say(&mut self, source: Source, statement: &str) -> Option<Item> {
        let quote = statement.trim().to_owned();
        if !quote.chars().any(char::is_alphanumeric) {
            return None;
        }
        self.extend(source, &quote);
        let end = self.get(source).unwrap_or_default().chars().count();
        let start = end - quote.chars().count();
        Some(Item { text: tidy(&quote), evidence: Evidence { source, start, end, quote } })
    }

    /// One text.
    pub fn get(&self, source: Source) -> Option<&str> {
        self.0.get(&source).map(String::as_str)
    }

    /// All texts, the most trusted first.
    pub fn iter(&self) -> impl Iterator<Item = (Source, &str)> {
        self.0.iter().map(|(source, text)| (*source, text.as_str()))
    }
}

/// The place a statement comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The text.
    pub source: Source,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What stands there, unchanged.
    pub quote: String,
}

impl Evidence {
    /// As a document shows it, with the name its source has for people.
    pub(crate) fn named(&self, source: &str) -> tata_document::Evidence {
        let (source, quote) = (source.to_owned(), self.quote.clone());
        tata_document::Evidence { source, start: self.start, end: self.end, quote }
    }

    /// Whether the quotation stands where it says.
    pub fn holds(&self, sources: &Sources) -> bool {
        let length = self.end.saturating_sub(self.start);
        let text = sources.get(self.source).unwrap_or_default();
        let there = text.chars().skip(self.start).take(length).eq(self.quote.chars());
        length > 0 && there && self.quote.chars().count() == length
    }
}

/// A statement with its evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The statement.
    pub text: String,
    /// Where it comes from.
    #[serde(flatten)]
    pub evidence: Evidence,
}

impl Item {
    /// Whether the statement is what stands in its source, typographic differences aside.
    pub fn holds(&self, sources: &Sources) -> bool {
        self.evidence.holds(sources) && same(&self.text, &self.evidence.quote)
    }
}

/// Whether two texts differ by typography only.
pub fn same(one: &str, other: &str) -> bool {
    needle(one) == needle(other)
}

/// Finds statements in texts, each known by its key. A text is made comparable once, when it is first looked at.
pub struct Tracer<'a, Key = Source> {
    texts: Vec<(Key, &'a str, OnceCell<[Folded; 2]>)>,
}

impl<'a, Key: Copy + PartialEq> Tracer<'a, Key> {
    /// A tracer over texts, the one that is looked at first in front.
    pub(crate) fn over(texts: impl IntoIterator<Item = (Key, &'a str)>) -> Self {
        Self { texts: texts.into_iter().map(|(key, text)| (key, text, OnceCell::new())).collect() }
    }

    /// Where a statement stands, in characters: in the text that is named, else in the first one that has it.
    pub(crate) fn place(&self, statement: &str, wanted: Option<Key>) -> Option<(Key, usize, usize)> {
        let needle = needle(statement);
        if needle.is_empty() {
            return None;
        }
        let mut texts = self.texts.iter().filter(|(key, ..)| wanted.is_none_or(|wanted| wanted == *key));
        texts.find_map(|(key, text, folds)| {
            // What is longer than the text does not stand in it.
            if needle.len() > text.len() * 3 {
                return None;
            }
            let folds = folds.get_or_init(|| [Folded::of(text, true), Folded::of(text, false)]);
            let (start, end) = folds.iter().find_map(|fold| fold.find(&needle))?;
            Some((*key, start, end))
        })
    }

    /// The words of a text from one character to another.
    pub(crate) fn words(&self, key: Key, start: usize, end: usize) -> String {
        let text = self.texts.iter().find(|(known, ..)| *known == key).map_or("", |(_, text, _)| text);
        text.chars().skip(start).take(end - start).collect()
    }
}

impl<'a> Tracer<'a> {
    /// A tracer over these sources.
    pub fn new(sources: &'a Sources) -> Self {
        Self::over(sources.iter())
    }

    /// Where a statement stands: in the source that is named, else in the most trusted one that has it.
    pub fn find(&self, statement: &str, wanted: Option<Source>) -> Option<Evidence> {
        let (source, start, end) = self.place(statement, wanted)?;
        Some(Evidence { source, start, end, quote: self.words(source, start, end) })
    }

    /// The statement as an item, if it can be traced.
    pub fn item(&self, statement: &str, wanted: Option<Source>) -> Option<Item> {
        let evidence = self.find(statement, wanted)?;
        Some(Item { text: tidy(statement), evidence })
    }
}

/// A statement on one line, without emoji and without the mark of a list before it.
pub fn tidy(statement: &str) -> String {
    let kept: String = statement.chars().filter(|letter| !is_dropped(*letter)).collect();
    let mut lines = kept.split(['\n', '\r']);
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines.map(|line| line.trim_start_matches(is_margin)) {
        let broken_word =
            text.strip_suffix(is_dash).is_some_and(|word| word.ends_with(char::is_alphanumeric));
        if !broken_word {
            text.push(' ');
        }
        text.push_str(line);
    }
    text.split_whitespace().skip_while(|word| is_bullet(word)).collect::<Vec<_>>().join(" ")
}

/// What stands before a line: blanks, and the marks of quoted mail, which are no part of what was written.
fn is_margin(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '>' | '|')
}

/// Whether a word is the mark of a list.
fn is_bullet(word: &str) -> bool {
    word.chars().all(|letter| is_dash(letter) || matches!(letter, '*' | '•'))
}

/// A text made comparable, and for each of its bytes the character it came from.
struct Folded {
    text: String,
    origin: Vec<usize>,
}

impl Folded {
    /// `keep_hyphens`: whether a hyphen at the end of a line belongs to the word. Both readings are tried.
    fn of(text: &str, keep_hyphens: bool) -> Self {
        let mut folded =
            Self { text: String::with_capacity(text.len()), origin: Vec::with_capacity(text.len()) };
        let mut characters = text.chars().enumerate().filter(|(_, letter)| !is_dropped(*letter)).peekable();
        let (mut blank_at, mut before) = (None, ' ');
        while let Some((at, letter)) = characters.next() {
            if letter.is_whitespace() {
                blank_at = blank_at.or(Some(at));
                if matches!(letter, '\n' | '\r') {
                    while characters.next_if(|(_, next)| is_margin(*next)).is_some() {}
                }
                continue;
            }
            let broken_word = is_dash(letter)
                && blank_at.is_none()
                && before.is_alphanumeric()
                && characters.peek().is_some_and(|(_, next)| matches!(next, '\n' | '\r'));
            if let Some(blank_at) = blank_at.take()
                && !folded.text.is_empty()
            {
                folded.push(' ', blank_at);
            }
            if !broken_word || keep_hyphens {
                folded.take(letter, at);
            }
            if broken_word {
                while characters.next_if(|(_, next)| is_margin(*next)).is_some() {}
            }
            before = letter;
        }
        folded
    }

    fn take(&mut self, letter: char, at: usize) {
        let plain = match letter {
            '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '`' | '\u{B4}' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '\u{AB}' | '\u{BB}' => '"',
            '\u{2026}' => return (0..3).for_each(|_| self.push('.', at)),
            dash if is_dash(dash) => '-',
            other => other,
        };
        for part in plain.nfd().flat_map(char::to_lowercase) {
            self.push(part, at);
        }
    }

    fn push(&mut self, letter: char, at: usize) {
        self.text.push(letter);
        self.origin.extend(std::iter::repeat_n(at, letter.len_utf8()));
    }

    /// The characters of the original that a folded text matches, whole words only.
    fn find(&self, needle: &str) -> Option<(usize, usize)> {
        let mut from = 0;
        while let Some(found) = self.text.get(from..)?.find(needle) {
            let (start, end) = (from + found, from + found + needle.len());
            let before = self.text[..start].chars().next_back();
            let after = self.text[end..].chars().next();
            let inside = |outer: Option<char>, inner: Option<char>| {
                outer.is_some_and(char::is_alphanumeric) && inner.is_some_and(char::is_alphanumeric)
            };
            let first_part = self.origin.get(start.wrapping_sub(1)) != self.origin.get(start);
            let last_part = self.origin.get(end) != self.origin.get(end - 1);
            let whole = !inside(before, needle.chars().next())
                && !inside(after, needle.chars().next_back())
                && !after.is_some_and(is_mark);
            if whole && first_part && last_part {
                return Some((*self.origin.get(start)?, *self.origin.get(end - 1)? + 1));
            }
            from = start + needle.chars().next().map_or(1, char::len_utf8);
        }
        None
    }
}

/// A statement made comparable; the stops around it do not count.
fn needle(statement: &str) -> String {
    let folded = Folded::of(statement, true).text;
    let stop = |letter: char| letter == ' ' || matches!(letter, '.' | ',' | ';' | ':');
    let mut rest = folded.as_str();
    // A mark may stand behind a stop, and a stop behind a mark: what is left has neither.
    loop {
        let bare = rest.trim_matches(stop);
        let next = match bare.split_once(' ') {
            Some((word, after)) if is_bullet(word) => after,
            None if is_bullet(bare) => "",
            Some(_) | None => bare,
        };
        if next == rest {
            return next.to_owned();
        }
        rest = next;
    }
}

fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Characters that carry no words: invisible ones, and emoji.
fn is_dropped(letter: char) -> bool {
    is_invisible(letter)
        || matches!(letter, '\u{1F1E6}'..='\u{1F1FF}' | '\u{E0020}'..='\u{E007F}' | '\u{20E3}')
        || is_emoji(letter)
}

/// Whether a character is a picture by itself. The gate refuses these, and [`tidy`] drops them.
pub(crate) fn is_emoji(letter: char) -> bool {
    match letter {
        // ©, ®, ™, arrows, bullets and signs of Chinese and Japanese have the property too, but are text unless a
        // variation selector asks for the picture.
        '\0'..='\u{AE}'
        | '\u{2122}'
        | '\u{2194}'..='\u{21AA}'
        | '\u{25AA}'..='\u{25FC}'
        | '\u{27A1}'
        | '\u{2934}'
        | '\u{2935}'
        | '\u{2B05}'..='\u{2B07}'
        | '\u{3030}'
        | '\u{303D}'
        | '\u{3297}'
        | '\u{3299}' => false,
        // Places that are kept for pictures to come.
        '\u{1F000}'..='\u{1F0FF}'
        | '\u{1F249}'..='\u{1F3FA}'
        | '\u{1F400}'..='\u{1F53D}'
        | '\u{1F546}'..='\u{1F64F}'
        | '\u{1F680}'..='\u{1F6FF}'
        | '\u{1F90C}'..='\u{1FAFF}' => true,
        other => other.is_emoji_char(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, statement: &str) -> Option<String> {
        let sources = Sources::default().with(Source::StartupNotes, Some(text));
        let evidence = Tracer::new(&sources).find(statement, None)?;
        assert!(evidence.holds(&sources), "{evidence:?}");
        Some(evidence.quote)
    }

    #[test]
    fn typography_does_not_break_a_match() {
        let check = |text: &str, statement: &str, quote: &str| {
            assert_eq!(find(text, statement).as_deref(), Some(quote), "{statement:?} in {text:?}");
        };
        check("Must: “Go” — five years", "\"go\" - five years.", "“Go” — five years");
        check("Kubernetes and\n  Docker", "kubernetes and docker", "Kubernetes and\n  Docker");
        check("fiber\u{AD}optik", "Fiberoptik", "fiber\u{AD}optik");
        check("a net-\nwork plan", "network plan", "net-\nwork plan");
        check("multi-\ntenant systems", "multi-tenant systems", "multi-\ntenant systems");
        check("> runs\n> the rollout", "runs the rollout", "runs\n> the rollout");
        check("Cafe\u{301} drift", "Café drift", "Cafe\u{301} drift");
        check("skills: C++, C# and Go", "C++", "C++");
        check("Sänd 🚀 rapport", "sänd rapport", "Sänd 🚀 rapport");
        check("İstanbul office", "i\u{307}stanbul office", "İstanbul office");
    }

    #[test]
    fn a_traced_statement_always_holds() {
        let check = |text: &str, statement: &str, tidied: &str| {
            let sources = Sources::default().with(Source::RecruiterInput, Some(text));
            let item = Tracer::new(&sources).item(statement, None).unwrap();
            assert!(item.holds(&sources) && item.text == tidied, "{item:?}");
        };
        check("\r> ¡", "\r> ¡", "¡");
        check("- Oslo", "- Oslo", "Oslo");
        check("a net-\nwork plan", "a net-\nwork plan", "a net-work plan");
        check("one\n> two", "one\n> two", "one two");
        check("a net-🚀\rwork plan", "a net-🚀\rwork plan", "a net-work plan");
        check("a net-\n| work plan", "a net-\n| work plan", "a net-work plan");
        check("one\n\u{A0}> two", "one\n\u{A0}> two", "one two");
        check("voilà-\rla", "voilà-\rla", "voilà-la");
    }

    #[test]
    fn paraphrases_and_parts_of_words_are_not_found() {
        let check = |text: &str, statement: &str| {
            assert_eq!(find(text, statement), None, "{statement:?} in {text:?}");
        };
        check("five years of JavaScript", "Java");
        check("five years of JavaScript", "years with JavaScript");
        check("five years", "   ");
        check("Café", "Cafe");
        check("", "x");
    }
}
