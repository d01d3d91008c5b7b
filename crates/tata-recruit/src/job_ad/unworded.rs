//! Lines that only the recruiter can word: the notes' author speaks in them, or speaks to the recruiter.
//!
//! "First you, then me" means something else to an applicant. Such a line is not printed as it is and not lost: it stands
//! in the ad as a gap, in the words of the notes, and is asked about once.

use super::{Section, compose::Composer};
use crate::{Item, Source, wording::author};

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The work, the team, the reasons: "you" is the applicant.
    Offer,
    /// A quality, or what is welcome: also nobody may stand there as "they".
    Person,
    /// A step, a day, a term: in notes "you" is the recruiter.
    Arrangement,
}

impl Composer<'_> {
    /// Whether a line of the notes would say something else in the ad. What the recruiter said for the ad is for applicants.
    pub(super) fn is_unworded(&self, item: &Item, line: Line) -> bool {
        let language = self.texts.language();
        if item.evidence.source == Source::RecruiterInput {
            return false;
        }
        match line {
            Line::Offer => author::is_authors(&item.text, language),
            Line::Person => {
                author::is_authors(&item.text, language) || author::is_about_candidate(&item.text, language)
            }
            Line::Arrangement => author::is_to_recruiter(&item.text, language),
        }
    }

    /// The gap for a line: what it says in the notes, so that nobody has to look it up.
    pub(super) fn unworded(&self, item: &Item, section: &mut Section) -> String {
        if !section.sources.iter().any(|source| source == "gap") {
            section.sources.push("gap".to_owned());
        }
        self.texts.say(key!("job_ad.gaps.reword"), &[("text", item.text.trim())])
    }

    /// A line as the ad has it, or its gap.
    pub(super) fn worded(&self, item: &Item, line: Line, section: &mut Section) -> String {
        if self.is_unworded(item, line) { self.unworded(item, section) } else { item.text.clone() }
    }

    /// Of several sentences those that can be printed, and a gap for each of the others.
    pub(super) fn tell_sentences(&self, section: &mut Section, source: &str, item: &Item) {
        let evidence = &item.evidence;
        let sentences = sentences(&item.text).into_iter();
        let items: Vec<Item> = sentences.map(|text| Item { text, evidence: evidence.clone() }).collect();
        self.tell(section, source, Line::Offer, &items.iter().collect::<Vec<_>>());
    }

    /// Sentences as prose and everything else as points, each in the words of an ad or as a gap.
    pub(super) fn tell(&self, section: &mut Section, source: &str, line: Line, items: &[&Item]) {
        let (gaps, fine): (Vec<&Item>, Vec<&Item>) =
            items.iter().copied().partition(|item| self.is_unworded(item, line));
        if !fine.is_empty() {
            section.tell(source, &fine);
        }
        for item in gaps {
            let gap = self.unworded(item, section);
            section.points.push(gap);
            section.rests_on(source, [item]);
        }
    }
}

/// A text at the stops behind which a capital letter begins another sentence.
fn sentences(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let begins = letters.peek().is_some_and(|next| next.is_uppercase());
        if letter == ' ' && matches!(before, '.' | '!' | '?') && begins {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            last.push(letter);
        }
        before = letter;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_sentence_about_the_manager_is_held_back() {
        let text = "Das Team besteht aus fünf Leuten und mir. Zwei Tage Büro, drei Tage mobil.";
        let wanted = ["Das Team besteht aus fünf Leuten und mir.", "Zwei Tage Büro, drei Tage mobil."];
        assert_eq!(sentences(text), wanted);
        assert_eq!(sentences("About 3 p.m. each day"), ["About 3 p.m. each day"]);
    }
}
