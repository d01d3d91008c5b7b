//! An ad in a person's words. What is required stays as the profile has it: it is changed there.

use jiff::Timestamp;

use super::{JobAd, SectionName, compose::FEWEST_TASKS, proof, title::Title};
use crate::{
    Audience, Document, Made, Notice, Refusal, Texts,
    capitals::capitalized,
    reword::{Reworded, TextPart, needed},
};

impl Reworded for JobAd {
    const AUDIENCE: Audience = Audience::Candidates;

    fn each_part(&mut self, see: &mut dyn FnMut(TextPart, &mut String)) {
        let (voice, texts) = (self.voice, Texts::of(self.voice));
        for section in &mut self.sections {
            if section.name == SectionName::Requirements {
                continue;
            }
            let label = capitalized(section.name.display(texts));
            let all: Vec<&mut String> = section.words_mut().filter(|text| !text.is_empty()).collect();
            let optional = all.len() > 1;
            for text in all {
                see(TextPart::new(&label, voice, optional), text);
            }
        }
    }

    fn title(&self) -> &str {
        &self.position_title
    }

    fn settle(&mut self, _words: &[(String, &str)], texts: &Texts, refusal: &mut Refusal) {
        for section in &mut self.sections {
            let fewer = section.points.iter().any(String::is_empty);
            section.points.retain(|point| !point.is_empty());
            section.further.iter_mut().for_each(|more| more.points.retain(|point| !point.is_empty()));
            section.further.retain(|more| !more.points.is_empty());
            let tasks = section.name == SectionName::Responsibilities;
            let few = fewer && tasks && section.points.len() < FEWEST_TASKS;
            if few || section.texts().all(str::is_empty) {
                needed(section.name.display(texts), "changes/0", texts, refusal);
            }
        }
        let title = Title::of(&self.position_title, self.voice.language());
        let headline = self.section(SectionName::Headline).map_or("", |section| section.text.as_str());
        if !headline.contains(&title.shown) {
            needed(&title.shown, "changes/0", texts, refusal);
        }
        proof::forget(self);
    }

    fn date(&mut self, now: Timestamp) {
        self.created_at = now;
    }

    fn shown(&self) -> Document {
        self.shown()
    }

    fn remarks(&self, made: &mut Made, texts: &Texts) {
        made.notices.extend(self.not_ready(texts).map(|message| Notice::new("ready", message)));
        made.questions.extend(proof::question(&self.unproven, texts));
    }
}

/// The ad with the words of a revised text of it. Nothing unless it then reads exactly so.
pub(super) fn revised(mut ad: JobAd, before: &str, after: &str) -> Option<JobAd> {
    if ad.document().markdown() != before || before.lines().count() != after.lines().count() {
        return None;
    }
    for (old, new) in before.lines().zip(after.lines()).filter(|(old, new)| old != new) {
        let mut open = true;
        ad.each_part(&mut |_, text| {
            for line in text.lines().map(str::to_owned).collect::<Vec<_>>() {
                let shown = if old.ends_with(&line) { line.clone() } else { capitalized(&line) };
                let Some(lead) = old.strip_suffix(&shown).filter(|_| open) else { continue };
                let Some(words) = new.strip_prefix(lead) else { continue };
                *text = text.replacen(&line, words, 1);
                open = false;
            }
        });
    }
    proof::forget(&mut ad);
    (ad.document().markdown() == after).then_some(ad)
}
