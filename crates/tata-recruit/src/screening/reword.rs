//! A template in a person's words: its questions, and what is said at the end.

use jiff::Timestamp;

use super::{Question, ScreeningTemplate, protected::protected, render};
use crate::{
    Audience, Document, Refusal, Texts,
    reword::{Reworded, TextPart, needed},
};

/// How many questions on motivation, follow-ups and closing lines are left at least.
const FEWEST: [usize; 3] = [3, 2, 3];

impl Reworded for ScreeningTemplate {
    const AUDIENCE: Audience = Audience::Colleagues;

    fn each_part(&mut self, see: &mut dyn FnMut(TextPart, &mut String)) {
        let (voice, texts) = (self.voice, Texts::of(self.voice));
        let heading = |name: &str| texts.get(&format!("screening.headings.{name}")).to_owned();
        let [motivation, follow_ups, closing] = FEWEST;
        let mut ask = |label: &str, optional: bool, question: &mut Question| {
            see(TextPart::new(label, voice, optional), &mut question.text);
        };
        let optional = self.motivation.len() > motivation;
        self.motivation.iter_mut().for_each(|one| ask(&heading("motivation"), optional, one));
        for set in &mut self.skills {
            ask(&set.skill_name, false, &mut set.main_question);
            let optional = set.follow_ups.len() > follow_ups;
            set.follow_ups.iter_mut().for_each(|one| ask(&set.skill_name, optional, one));
        }
        self.practical.iter_mut().for_each(|one| ask(&heading("practical"), false, one));
        let optional = self.closing.len() > closing;
        let label = heading("closing");
        self.closing.iter_mut().for_each(|line| see(TextPart::new(&label, voice, optional), line));
    }

    fn title(&self) -> &str {
        &self.position_title
    }

    fn settle(&mut self, words: &[(String, &str)], texts: &Texts, refusal: &mut Refusal) {
        let [motivation, follow_ups, closing] = FEWEST;
        let mut missed = Vec::new();
        let mut left = |name: &'static str, before: usize, after: usize, fewest: usize| {
            if after < before && after < fewest {
                missed.push(name);
            }
        };
        let asked = |one: &Question| !one.text.is_empty();
        let before = self.motivation.len();
        self.motivation.retain(asked);
        left("motivation", before, self.motivation.len(), motivation);
        for set in &mut self.skills {
            let before = set.follow_ups.len();
            set.follow_ups.retain(asked);
            left("skills", before, set.follow_ups.len(), follow_ups);
        }
        let before = self.closing.len();
        self.closing.retain(|line| !line.is_empty());
        left("closing", before, self.closing.len(), closing);
        for name in missed {
            needed(texts.get(&format!("screening.headings.{name}")), "changes/0", texts, refusal);
        }
        for (field, words) in words {
            if let Some(found) = protected(words) {
                found.refuse(refusal, field, texts);
            }
        }
    }

    fn date(&mut self, now: Timestamp) {
        self.created_at = now;
    }

    fn shown(&self) -> Document {
        render(self)
    }
}
