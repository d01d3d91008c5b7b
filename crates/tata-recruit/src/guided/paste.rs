//! Long texts that somebody pastes: what was typed before or after them, and what they are where their form shows it.

use tata_document::is_table;
use tata_guided::{
    sort::{Notes, Place},
    wish::{self, Wish},
};

use crate::{Language, candidate::read_talk, clip};

/// A message with so many lines has something pasted in it.
const FEWEST_LINES: usize = 4;
/// A paragraph of so many characters as well.
const LONG: usize = 360;
/// What is typed around a text is not longer than this.
const LONGEST_WISH: usize = 320;
/// An introduction has so many words; fewer are a heading.
const FEWEST_WORDS: usize = 4;
/// What a text is shows in its beginning: so many characters are looked at.
const MOST_JUDGED: usize = 40_000;
/// A conversation has so many turns.
const FEWEST_TURNS: usize = 6;

/// A message: what was typed, and what was pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message<'m> {
    /// What was typed; the whole message, if nothing was pasted.
    pub(super) wish: &'m str,
    /// The text as it is.
    pub(super) pasted: Option<&'m str>,
}

/// Tells what was typed from what was pasted. A first or last paragraph counts as typed only if it certainly says what
/// is wanted: the top of notes is never lost.
pub(super) fn parted(message: &str, language: Language) -> Message<'_> {
    let message = message.trim();
    let lines = message.lines().filter(|line| !line.trim().is_empty()).count();
    if lines < FEWEST_LINES && message.chars().count() < LONG {
        return Message { wish: message, pasted: None };
    }
    let says = |text: &str| {
        let short = text.chars().count() <= LONGEST_WISH && text.lines().count() <= 3;
        // What tells of somebody wanted, of a place and of days is the top of notes, whatever else it says.
        let announces = text.trim_end().ends_with([':', '?'])
            || text.lines().count() == 1 && !text.contains(char::is_numeric);
        let certain = || wish::read(text, language).certain.filter(|wish| wish.acts());
        short && announces && !is_label(text, language) && certain().is_some()
    };
    let wants = |(wish, text): &(&str, &str)| says(wish) && !text.trim().is_empty();
    let paragraph = message.split_once("\n\n").or_else(|| message.split_once("\r\n\r\n"));
    let introduced = paragraph.filter(|(lead, _)| introduces(lead, language));
    let first = || paragraph.or_else(|| message.split_once('\n')).filter(wants);
    let last = || message.rsplit_once("\n\n").map(|(text, wish)| (wish, text)).filter(wants);
    if let Some((wish, text)) = introduced.or_else(first).or_else(last) {
        return Message { wish: wish.trim(), pasted: Some(text.trim()) };
    }
    // "Funnel report: 1200 views, …" in one paragraph is a wish with figures, not a text.
    if lines < FEWEST_LINES && says(message.lines().next().unwrap_or_default()) {
        return Message { wish: message, pasted: None };
    }
    Message { wish: "", pasted: Some(message) }
}

/// "Here are my notes from the meeting:" is not one of the notes. A figure may be. Nor is a question for something that
/// can be done, even if it is not clear for what.
fn introduces(lead: &str, language: Language) -> bool {
    let sentence = lead.split_whitespace().count() >= FEWEST_WORDS && lead.chars().count() <= LONGEST_WISH;
    let bare = !lead.trim().contains('\n') && !lead.contains(char::is_numeric);
    let asks = || wish::read(lead, language).ranked.first().is_some_and(|(wish, _)| wish.acts());
    let end = lead.trim_end();
    (end.ends_with(':') || end.ends_with('?') && asks()) && sentence && bare && !is_label(lead, language)
}

/// "Must have:" ends with a colon and wants nothing.
fn is_label(text: &str, language: Language) -> bool {
    let notes = Notes::cut(text, language);
    notes.pieces.iter().any(|piece| piece.role == tata_guided::sort::Role::Heading)
}

/// What a text is, where its form leaves no doubt: a conversation, a table, notes with headings.
pub(super) fn certain_kind(text: &str, language: Language) -> Option<Wish> {
    let text = clip::start(text, MOST_JUDGED);
    if text.starts_with("WEBVTT") || is_conversation(text) {
        return Some(Wish::CandidateReport);
    }
    if is_table(text) {
        return Some(Wish::FunnelReport);
    }
    let notes = crate::profile::cut(text, language);
    let must = notes.lines().filter(|line| line.place == Some(Place::Must)).count();
    (must >= 2).then_some(Wish::RequirementProfile)
}

/// Two people who take turns.
fn is_conversation(text: &str) -> bool {
    let transcript = read_talk(text, &[]);
    let mut turns: Vec<usize> =
        transcript.utterances.iter().filter_map(|utterance| utterance.speaker).collect();
    turns.dedup();
    (2..=4).contains(&transcript.speakers.len()) && turns.len() >= FEWEST_TURNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_notes_is_never_a_wish() {
        let notes = "REDOVISNINGSEKONOM - anteckningar 6/11 (Maria + Johan)\n- sthlm, solnavägen\n- SKA: bokslut\n- Excel krav!";
        assert_eq!(parted(notes, Language::Sv), Message { wish: "", pasted: Some(notes) });
        let headed = "Must have:\n- BGP\n- Linux\n- Python\n- English";
        assert_eq!(parted(headed, Language::En).pasted, Some(headed));
        let led = format!("Here are my notes from the start-up meeting:\n\n{headed}");
        assert_eq!(parted(&led, Language::En).pasted, Some(headed));
        for (top, language) in [
            (
                "Startmöte 12/11 med Jonas Berg.\nVi söker en projektledare. Placering Malmö.\nTeamet är 6 personer.",
                Language::Sv,
            ),
            ("Oppstartsmøte HR Business Partner, Oslo (Fornebu), 10. november", Language::No),
        ] {
            let notes = format!("{top}\n\nKrav:\n- BGP\n- Linux\n- Python");
            assert_eq!(parted(&notes, language), Message { wish: "", pasted: Some(&notes) });
        }
        let question = "Kan du granska hur inkluderande den här annonsen är?";
        let asked = format!("{question}\n\n{headed}");
        assert_eq!(parted(&asked, Language::Sv), Message { wish: question, pasted: Some(headed) });
        let notes = format!("Vem är det som ska ersätta Anna?\n\n{headed}");
        assert_eq!(parted(&notes, Language::Sv), Message { wish: "", pasted: Some(&notes) });
        let asked = format!("Jag behöver en kravprofil för en projektledare\n\n{headed}");
        assert_eq!(parted(&asked, Language::Sv).pasted, Some(headed));
    }

    #[test]
    fn what_a_text_is_shows_where_its_form_is_certain() {
        let check = |text: &str, kind| assert_eq!(certain_kind(text, Language::En), kind, "{text}");
        check("Views: 1200\nApplications: 60\nInterviews: 12\nHired: 1", Some(Wish::FunnelReport));
        check("Must have:\n- BGP\n- Linux\n- Python\n- English", Some(Wish::RequirementProfile));
        check("Hi Sam,\n\nSorry for the brain dump.\n\nWe need somebody good.\n\nCheers", None);
    }
}
