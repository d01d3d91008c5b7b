//! Messages in a person's words: the three parts of each text, in the languages that are shown.

use jiff::Timestamp;

use super::{
    artifact::{HeadhuntingMessages, Message, Version, Versions},
    compose::check_limits,
    not_ready, refuse_text, render, without_sources,
};
use crate::{
    Audience, Document, Made, Notice, Refusal, Texts, Voice,
    capitals::capitalized,
    reword::{Reworded, TextPart, needed},
};

impl Versions {
    fn get_mut(&mut self, version: Version, voice: Voice) -> &mut Message {
        let voices = match version {
            Version::ShortDirect => &mut self.short_direct,
            Version::ValueProposition => &mut self.value_proposition,
            Version::CallToAction => &mut self.call_to_action,
        };
        match voice {
            Voice::En => &mut voices.en,
            Voice::Sv => &mut voices.sv,
            Voice::Da => &mut voices.da,
            Voice::No => &mut voices.no,
            Voice::DeDu => &mut voices.de_du,
            Voice::DeSie => &mut voices.de_sie,
        }
    }
}

impl Reworded for HeadhuntingMessages {
    const AUDIENCE: Audience = Audience::Headhunting;

    fn each_part(&mut self, see: &mut dyn FnMut(TextPart, &mut String)) {
        let texts = Texts::of(self.shown);
        for voice in self.voices() {
            let language = capitalized(voice.display(texts));
            for version in Version::ALL {
                let label = format!("{language}, {}", version.display(texts));
                let message = self.versions.get_mut(version, voice);
                let Message { text, hook, value_proposition, call_to_action, .. } = &mut *message;
                for part in [hook, value_proposition, call_to_action] {
                    let before = part.clone();
                    see(TextPart::new(&label, voice, false), part);
                    if *part != before {
                        *text = text.replacen(&before, part, 1);
                    }
                }
                *message = std::mem::take(message).counted();
            }
        }
    }

    fn title(&self) -> &str {
        &self.position_title
    }

    fn settle(&mut self, _words: &[(String, &str)], texts: &Texts, refusal: &mut Refusal) {
        for (version, voice, message) in self.versions.iter() {
            if let Err(problem) = check_limits(message, version, voice) {
                refuse_text(refusal, problem, texts);
            }
            let title = crate::job_ad::title_in_sentence(&self.position_title, voice.language());
            if !message.text.contains(&self.position_title) && !message.text.contains(&title) {
                needed(&self.position_title, "changes/0", texts, refusal);
            }
        }
    }

    fn date(&mut self, now: Timestamp) {
        self.created_at = now;
    }

    fn shown(&self) -> Document {
        render(self)
    }

    fn remarks(&self, made: &mut Made, texts: &Texts) {
        made.notices.extend(not_ready(self, texts).map(|message| Notice::new("ready", message)));
        without_sources(made);
    }
}
