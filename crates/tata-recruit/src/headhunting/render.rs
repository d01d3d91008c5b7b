//! Headhunting messages as people read them: the language that was asked for first, then the others.

use super::artifact::{HeadhuntingMessages, Version};
use crate::{Document, FormRule, GermanForm, Language, Texts, Voice};

impl HeadhuntingMessages {
    /// As a document. Of the two German forms, the chosen one is shown.
    pub fn document(&self) -> Document {
        let texts = Texts::of(self.shown);
        let title = texts.say("headhunting.title", &[("position", &self.position_title)]);
        let mut document = Document::new(self.shown, title);
        document.paragraph(match &self.personalization_detail {
            Some(detail) => texts.say("headhunting.detail_used", &[("detail", &detail.item.text)]),
            None => texts.get("headhunting.no_detail").to_owned(),
        });
        for voice in self.shown_voices() {
            let name = texts.get(&format!("headhunting.voices.{}", voice.code()));
            document.heading(1, capitalized(name));
            if voice.language() == Language::De {
                document.paragraph(self.why_this_form(texts));
            }
            for version in Version::ALL {
                document.heading(2, texts.get(&format!("headhunting.versions.{}", version.name())));
                for paragraph in self.versions.get(version).get(voice).text.split("\n\n") {
                    document.paragraph(paragraph);
                }
            }
        }
        document
    }

    /// One voice per language, the shown one first.
    pub fn shown_voices(&self) -> Vec<Voice> {
        let others = Language::ALL.into_iter().filter(|language| *language != self.shown.language());
        let others = others.map(|language| Voice::new(language, self.german_form.form));
        std::iter::once(self.shown).chain(others).collect()
    }

    fn why_this_form(&self, texts: &Texts) -> String {
        let form = match self.german_form.form {
            GermanForm::Du => "du",
            GermanForm::Sie => "Sie",
        };
        match self.german_form.rule {
            FormRule::Chosen => texts.say("headhunting.german_form.chosen", &[("form", form)]),
            FormRule::NoCue => texts.say("headhunting.german_form.no_cue", &[("form", form)]),
            FormRule::Cues { informal, formal } => {
                let (informal, formal) = (informal.to_string(), formal.to_string());
                let values = [("form", form), ("informal", informal.as_str()), ("formal", formal.as_str())];
                texts.say("headhunting.german_form.cues", &values)
            }
        }
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
