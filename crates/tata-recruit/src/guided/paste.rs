//! Long texts that somebody pastes: what was typed before or after them, and what they are where their form shows it.

use tata_document::is_table;
use tata_guided::{
    answer::{names_ad, names_old_ad, position_named},
    sort::{Notes, Place, first_label},
    wish::{self, Wish},
};

use tata_language::identify::identify;

use super::tools::{material, tool_of};
use crate::{Kind, Language, Texts, Voice, candidate::read_talk, clip, same};

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
/// An introduction of an ad has no more words, and the ad no fewer.
const MOST_WORDS: usize = 16;
const FEWEST_OF_AD: usize = 8;
/// The position stands in one of so many lines.
const HEAD: usize = 6;
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
    if let Some(parts) = ad_below(message, language).or_else(|| labels_behind(message, language)) {
        return parts;
    }
    let lines = message.lines().filter(|line| !line.trim().is_empty()).count();
    if lines < FEWEST_LINES && message.chars().count() < LONG {
        return Message { wish: message, pasted: None };
    }
    let wants = |(wish, text): &(&str, &str)| says(wish, language).is_some() && !text.trim().is_empty();
    let paragraph = message.split_once("\n\n").or_else(|| message.split_once("\r\n\r\n"));
    let introduced = paragraph.filter(|(lead, _)| introduces(lead, language));
    let first = || paragraph.or_else(|| message.split_once('\n')).filter(wants);
    let last = || message.rsplit_once("\n\n").map(|(text, wish)| (wish, text)).filter(wants);
    if let Some((wish, text)) = introduced.or_else(first).or_else(last) {
        // What needs no text is told by the whole message: the lines below an invitation are its details.
        let needs_text = says(wish, language).is_none_or(takes_text);
        let (wish, pasted) = if needs_text { (wish.trim(), Some(text.trim())) } else { (message, None) };
        return Message { wish, pasted };
    }
    // "Funnel report: 1200 views, …" in one paragraph is a wish with figures, not a text.
    let first = message.lines().next().unwrap_or_default();
    if lines < FEWEST_LINES && says(first, language).is_some() {
        return Message { wish: message, pasted: None };
    }
    Message { wish: "", pasted: Some(message) }
}

/// What a paragraph beside a text certainly wants.
fn says(text: &str, language: Language) -> Option<Wish> {
    let short = text.chars().count() <= LONGEST_WISH && text.lines().count() <= 3;
    // What tells of somebody wanted, of a place and of days is the top of notes, whatever else it says.
    let announces = text.trim_end().ends_with([':', '?'])
        || text.lines().count() == 1 && !text.contains(char::is_numeric);
    let top =
        is_label(text, language) || text.lines().any(|line| position_named(line).is_some()) || is_point(text);
    if !short || !announces || top {
        return None;
    }
    let wish = wish::read(text, language).certain.filter(|wish| tool_of(*wish).is_some())?;
    // "We need someone for the team in Malmö" tells of the role; only who names the document wants it.
    (wish != Wish::RequirementProfile || names_profile(text)).then_some(wish)
}

/// Whether what is wanted is made from a text.
pub(super) fn takes_text(wish: Wish) -> bool {
    tool_of(wish).and_then(material).is_some()
}

/// "Review this ad: …", "Is this ad ok?" above it, "Here is our old ad, use it for the profile: …".
fn ad_below(message: &str, language: Language) -> Option<Message<'_>> {
    let line = message.lines().next()?;
    let marks = line.match_indices([':', '?']).map(|(at, mark)| at + mark.len());
    let ends = marks.chain((line.len() < message.len()).then_some(line.len()));
    let ends = ends.take_while(|end| *end <= LONGEST_WISH);
    ends.filter_map(|end| message.split_at_checked(end)).find_map(|(lead, text)| {
        let words = lead.split_whitespace().count();
        let fits = (2..=MOST_WORDS).contains(&words) && text.split_whitespace().nth(FEWEST_OF_AD).is_some();
        let named = fits && names_ad(lead) && !is_point(lead) && !is_label(lead, language);
        // The words about an ad may be in another language than the ad.
        let language = identify(lead).map_or(language, |found| found.language);
        let wishes = || wish::read(lead, language).ranked.into_iter().take(2);
        let asks = named && (names_old_ad(lead) || wishes().any(|(wish, _)| is_review(wish)));
        asks.then(|| Message { wish: lead.trim(), pasted: Some(text.trim()) })
    })
}

/// Whether a wish is one about a finished ad.
pub(super) fn is_review(wish: Wish) -> bool {
    matches!(wish, Wish::DiReview | Wish::JobAdReview)
}

/// "I need a requirement profile for a network engineer. Must have: BGP; …": a wish, and notes from their first label on.
fn labels_behind(message: &str, language: Language) -> Option<Message<'_>> {
    let head = clip::start(message, LONGEST_WISH * 2);
    let at = first_label(head, language).filter(|at| *at > 0)?;
    let (lead, notes) = message.split_at_checked(at)?;
    let (lead, notes) = (lead.trim(), notes.trim());
    let short = lead.chars().count() <= LONGEST_WISH && lead.lines().count() <= 2 && !is_point(lead);
    let profile = || {
        let reading = wish::read(lead, language);
        reading.certain.or(reading.ranked.first().map(|(wish, _)| *wish)) == Some(Wish::RequirementProfile)
    };
    let wants = short && names_profile(lead) && !is_label(lead, language) && profile();
    wants.then_some(Message { wish: lead, pasted: Some(notes) })
}

/// Whether a text begins with a bullet.
fn is_point(text: &str) -> bool {
    text.trim_start().starts_with(['-', '*', '•', '–', '·'])
}

/// Whether words name the requirement profile, in any language.
fn names_profile(text: &str) -> bool {
    let said = text.to_lowercase();
    Voice::ALL.into_iter().any(|voice| {
        let name = Kind::RequirementProfile.display(Texts::of(voice)).to_lowercase();
        // "The profile" is short for it.
        let last = name.split_whitespace().last().unwrap_or_default();
        said.contains(&name) || said.contains(last)
    })
}

/// The position that the head of notes names: "Position: Payroll Specialist".
pub(super) fn position_of(notes: &str) -> Option<&str> {
    let head = notes.lines().filter(|line| !line.trim().is_empty()).take(HEAD);
    let mut named = head.filter_map(position_named);
    named.next().filter(|first| named.all(|other| same(first, other)))
}

/// "Here are my notes from the meeting:" is not one of the notes. A figure may be. Nor is a question for something that
/// can be done, even if it is not clear for what.
fn introduces(lead: &str, language: Language) -> bool {
    let sentence = lead.split_whitespace().count() >= FEWEST_WORDS && lead.chars().count() <= LONGEST_WISH;
    let bare = !lead.trim().contains('\n') && !lead.contains(char::is_numeric);
    let asks = || wish::read(lead, language).ranked.first().is_some_and(|(wish, _)| wish.acts());
    let end = lead.trim_end();
    let top = is_label(lead, language) || is_point(lead) || position_named(lead).is_some();
    (end.ends_with(':') || end.ends_with('?') && asks()) && sentence && bare && !top
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

    /// The first line of notes is one of the notes unless it names a document, and "Position: …" is none.
    #[test]
    fn the_first_line_of_notes_is_not_swallowed() {
        let points = "- BGP\n- Linux\n- Python\n- English";
        for (top, language) in [
            ("- so we need someone for the fibre delivery team in Malmö, replacing Petra", Language::En),
            ("we need someone for the fibre delivery team in Malmö, replacing Petra", Language::En),
            ("Position: Payroll Specialist", Language::En),
            ("Job title: Payroll Specialist", Language::En),
            ("Recruiting: Payroll Specialist", Language::En),
            ("Titel: Lönespecialist", Language::Sv),
            ("Tjänst: Lönespecialist", Language::Sv),
            ("Stilling: Lønspecialist", Language::Da),
            ("Stilling: Lønnsspesialist", Language::No),
            ("Position: Netzwerktechniker", Language::De),
            ("# Netzwerktechniker", Language::De),
        ] {
            for notes in [format!("{top}\n{points}"), format!("{top}\n\n{points}")] {
                assert_eq!(parted(&notes, language), Message { wish: "", pasted: Some(&notes) }, "{notes}");
            }
        }
    }

    #[test]
    fn a_wish_and_its_text_in_one_message_belong_together() {
        let ad = "Vi söker en driven säljare till vårt team. Vi kräver: svenska, körkort och egen bil.";
        for (lead, language) in [
            ("review this ad:", Language::En),
            ("Is this ad ok?", Language::En),
            ("check how inclusive this ad is:", Language::En),
            ("Granska den här annonsen:", Language::Sv),
            ("Gennemgå denne annonce:", Language::Da),
            ("Gå gjennom denne annonsen:", Language::No),
            ("Prüfe diese Anzeige:", Language::De),
            ("Here is our old ad, use it for the profile:", Language::En),
            ("Här är vår gamla annons, använd den till kravprofilen:", Language::Sv),
        ] {
            for mark in [" ", "\n", "\n\n"] {
                let message = format!("{lead}{mark}{ad}");
                assert_eq!(parted(&message, language), Message { wish: lead, pasted: Some(ad) }, "{message}");
            }
        }
        for (lead, notes, language) in [
            (
                "I need a requirement profile for a network engineer.",
                "Must have: BGP; Linux; Python; English. Tasks: run the network.",
                Language::En,
            ),
            (
                "Jag behöver en kravprofil för en nätverkstekniker.",
                "Krav: BGP; Linux; Python; engelska",
                Language::Sv,
            ),
            (
                "Jeg skal bruge en kravprofil til en netværkstekniker.",
                "Krav: BGP; Linux; Python; engelsk",
                Language::Da,
            ),
            (
                "Jeg trenger en kravprofil for en nettverkstekniker.",
                "Krav: BGP; Linux; Python; engelsk",
                Language::No,
            ),
            (
                "Ich brauche ein Anforderungsprofil für einen Netzwerktechniker.",
                "Anforderungen: BGP; Linux; Python; Englisch",
                Language::De,
            ),
        ] {
            for mark in [" ", "\n"] {
                let message = format!("{lead}{mark}{notes}");
                assert_eq!(
                    parted(&message, language),
                    Message { wish: lead, pasted: Some(notes) },
                    "{message}"
                );
            }
        }
    }

    #[test]
    fn what_a_text_is_shows_where_its_form_is_certain() {
        let check = |text: &str, kind| assert_eq!(certain_kind(text, Language::En), kind, "{text}");
        check("Views: 1200\nApplications: 60\nInterviews: 12\nHired: 1", Some(Wish::FunnelReport));
        check("Must have:\n- BGP\n- Linux\n- Python\n- English", Some(Wish::RequirementProfile));
        check("Hi Sam,\n\nSorry for the brain dump.\n\nWe need somebody good.\n\nCheers", None);
    }
}
