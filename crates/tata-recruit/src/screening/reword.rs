//! A template in a person's words: its questions, and what is said at the end.

use jiff::Timestamp;

use super::{Question, ScreeningTemplate, protected::check_private, render};
use crate::{
    Audience, Document, Key, Refusal, Texts,
    reword::{Reworded, TextPart, needed},
};

/// How many questions on motivation, follow-ups and closing lines are left at least.
const FEWEST: [usize; 3] = [3, 2, 3];

impl Reworded for ScreeningTemplate {
    const AUDIENCE: Audience = Audience::Colleagues;

    fn each_part(&mut self, see: &mut dyn FnMut(TextPart, &mut String)) {
        let (voice, texts) = (self.voice, Texts::of(self.voice));
        let [motivation, follow_ups, closing] = FEWEST;
        let mut ask = |label: &str, optional: bool, question: &mut Question| {
            see(TextPart::new(label, voice, optional), &mut question.text);
        };
        let optional = self.motivation.len() > motivation;
        let label = texts.get(key!("screening.headings.motivation"));
        self.motivation.iter_mut().for_each(|one| ask(label, optional, one));
        for set in &mut self.skills {
            ask(&set.skill_name, false, &mut set.main_question);
            let optional = set.follow_ups.len() > follow_ups;
            set.follow_ups.iter_mut().for_each(|one| ask(&set.skill_name, optional, one));
        }
        let label = texts.get(key!("screening.headings.practical"));
        self.practical.iter_mut().for_each(|one| ask(label, false, one));
        let optional = self.closing.len() > closing;
        let label = texts.get(key!("screening.headings.closing"));
        self.closing.iter_mut().for_each(|line| see(TextPart::new(label, voice, optional), line));
    }

    fn title(&self) -> &str {
        &self.position_title
    }

    fn settle(&mut self, words: &[(String, &str)], texts: &Texts, refusal: &mut Refusal) {
        let [motivation, follow_ups, closing] = FEWEST;
        let mut missing = |few: bool, name: Key| {
            if few {
                needed(texts.get(name), "changes/0", texts, refusal);
            }
        };
        let asked = |one: &Question| !one.text.is_empty();
        missing(thinned(&mut self.motivation, motivation, asked), key!("screening.headings.motivation"));
        for set in &mut self.skills {
            missing(thinned(&mut set.follow_ups, follow_ups, asked), key!("screening.headings.skills"));
        }
        let said = |line: &String| !line.is_empty();
        missing(thinned(&mut self.closing, closing, said), key!("screening.headings.closing"));
        for (field, words) in words {
            check_private(refusal, field, words, texts);
        }
    }

    fn date(&mut self, now: Timestamp) {
        self.created_at = now;
    }

    fn shown(&self) -> Document {
        render(self)
    }
}

/// Takes out what is not kept; whether fewer are left than there must be.
fn thinned<T>(list: &mut Vec<T>, fewest: usize, kept: impl Fn(&T) -> bool) -> bool {
    let before = list.len();
    list.retain(kept);
    list.len() < before.min(fewest)
}
