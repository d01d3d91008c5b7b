//! Long texts that somebody pastes: what was typed around them, and what they are.

use super::{
    hearing::beginning,
    lexicon::Lexicon,
    tokens::{Token, tokens},
};
use crate::Transcript;

/// What a pasted text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PastedKind {
    /// Notes of a meeting.
    Notes,
    /// An advertisement.
    Ad,
    /// What was said in an interview.
    Transcript,
    /// Numbers of a funnel.
    Table,
}

/// A message with a pasted text in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pasted<'a> {
    /// What was typed around it.
    pub(super) wish: &'a str,
    /// The text as it is.
    pub(super) text: &'a str,
    pub(super) kind: PastedKind,
}

/// A message with so many lines has something pasted in it.
const FEWEST_LINES: usize = 4;
/// A paragraph of so many characters as well.
const LONG: usize = 360;
/// What is typed around a text is not longer than this.
const LONGEST_WISH: usize = 320;

/// What a text is shows in its beginning: so many bytes are read for that.
pub(super) const MOST_JUDGED: usize = 64_000;

/// The pasted text of a message, if there is one.
pub(super) fn pasted(message: &str) -> Option<Pasted<'_>> {
    let message = message.trim();
    let lines = message.lines().filter(|line| !line.trim().is_empty()).count();
    if lines < FEWEST_LINES && message.chars().count() < LONG {
        return None;
    }
    let (wish, text) = split(message);
    // A long question is no text.
    if lines < FEWEST_LINES && text.chars().count() < LONG / 2 {
        return None;
    }
    Some(Pasted { wish, text, kind: kind(text) })
}

/// What was typed, and what was pasted after or before it.
fn split(message: &str) -> (&str, &str) {
    if message.starts_with("WEBVTT") {
        return ("", message);
    }
    let short = |text: &str| text.chars().count() <= LONGEST_WISH;
    if let Some((first, rest)) = message.split_once("\n\n").or_else(|| message.split_once("\r\n\r\n"))
        && short(first)
        && first.lines().count() <= 3
        && is_wish(first)
        && !rest.trim().is_empty()
    {
        return (first.trim(), rest.trim());
    }
    if let Some((first, rest)) = message.split_once('\n')
        && short(first)
        && (first.trim_end().ends_with(':') || first.trim_end().ends_with('?') || is_strong_wish(first))
        && is_wish(first)
        && !rest.trim().is_empty()
    {
        return (first.trim(), rest.trim());
    }
    if let Some((rest, last)) = message.rsplit_once("\n\n")
        && short(last)
        && last.lines().count() <= 2
        && (last.trim_end().ends_with('?') || is_strong_wish(last))
        && is_wish(last)
    {
        return (last.trim(), rest.trim());
    }
    if let Some((first, rest)) = message.split_once(':')
        && first.chars().count() <= 140
        && !first.contains('\n')
        && is_strong_wish(first)
    {
        return (first.trim(), rest.trim());
    }
    ("", message)
}

/// Whether a line may be what somebody says of a text.
fn is_wish(line: &str) -> bool {
    let heard = super::hearing::Heard::of(line);
    !heard.hits.is_empty()
}

/// Whether it speaks of documents or says what to do.
fn is_strong_wish(line: &str) -> bool {
    let heard = super::hearing::Heard::of(line);
    let things = ["ad", "notes", "profile", "transcript", "report", "funnel", "inclusive"];
    let verbs = ["make", "review", "show", "hello"];
    let count = |names: &[&str]| names.iter().filter(|name| heard.has(name)).count();
    count(&things) > 0 && (count(&verbs) > 0 || heard.tokens.len() <= 8)
}

fn kind(text: &str) -> PastedKind {
    let text = beginning(text, MOST_JUDGED);
    let words = tokens(text);
    if text.starts_with("WEBVTT") || text.contains("-->") || is_conversation(text) {
        return PastedKind::Transcript;
    }
    if stages(&words) >= 4 {
        return PastedKind::Table;
    }
    let lexicon = Lexicon::get();
    let signs = words.iter().filter(|word| lexicon.has("ad_signs", &word.text)).count();
    if signs >= 4 && signs * 22 >= words.len() { PastedKind::Ad } else { PastedKind::Notes }
}

/// At least two people who take turns.
fn is_conversation(text: &str) -> bool {
    let transcript = Transcript::read(text, &[]);
    let turns = transcript.utterances.windows(2).filter(|pair| pair[0].speaker != pair[1].speaker).count();
    let long = transcript.utterances.iter().filter(|said| said.end - said.start > 25).count();
    transcript.speakers.len() == 2 && turns >= 3 && long >= 3
}

/// How many stages of a funnel stand beside a number.
fn stages(words: &[Token<'_>]) -> usize {
    super::counts::counts(words, &[]).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_what_is_said_about_them() {
        let text = "Can you turn this into a profile?\n\nNetwork engineer, Oslo\nBGP\nLinux\nOn call every fourth week";
        let found = pasted(text).unwrap();
        assert_eq!(found.wish, "Can you turn this into a profile?");
        assert!(found.text.starts_with("Network engineer"));
        assert_eq!(found.kind, PastedKind::Notes);
        let talk = "Anna: Tell me about your last project, please.\nBo: I built the new core network in Oslo.\n\
                    Anna: And what was hard about it?\nBo: The old routers, which nobody had documented.";
        assert_eq!(pasted(talk).map(|found| found.kind), Some(PastedKind::Transcript));
        assert_eq!(pasted("Write the ad, please"), None);
    }
}
