//! Headhunting messages as people read them: the language that was asked for first, then the others.

use tata_document::Span;

use super::artifact::{HeadhuntingMessages, Version};
use crate::{
    Block, Document, FormDecision, FormRule, GermanForm, Language, Texts, Voice, capitals::capitalized,
    review::ready::not_ready as not_ready_texts,
};

/// As a document. Of the two German forms, the chosen one is shown.
pub(crate) fn render(messages: &HeadhuntingMessages) -> Document {
    let others = Language::ALL.into_iter().filter(|language| *language != messages.shown.language());
    let others = others.map(|language| Voice::new(language, messages.german_form.form));
    let mut document = in_voices(messages, std::iter::once(messages.shown).chain(others));
    if let Some(not_ready) = not_ready(messages, Texts::of(messages.shown)) {
        document.blocks.insert(0, Block::paragraph(not_ready));
    }
    document
}

/// What keeps the messages from being sent, in words: high findings of the inclusion review.
pub(crate) fn not_ready(messages: &HeadhuntingMessages, texts: &Texts) -> Option<String> {
    let all = Version::ALL.into_iter().flat_map(|version| Voice::ALL.map(|voice| (version, voice)));
    let said = all
        .map(|(version, voice)| (voice.language(), messages.versions.get(version).get(voice).text.as_str()));
    not_ready_texts(said, texts)
}

/// The part of the document that is in its own language.
pub(super) fn own_part(messages: &HeadhuntingMessages) -> Document {
    in_voices(messages, std::iter::once(messages.shown))
}

fn in_voices(messages: &HeadhuntingMessages, voices: impl Iterator<Item = Voice>) -> Document {
    let texts = Texts::of(messages.shown);
    let title = texts.say("headhunting.title", &[("position", &messages.position_title)]);
    let mut document = Document::new(messages.shown, title);
    document.paragraph(match &messages.personalization_detail {
        Some(detail) => texts.say("headhunting.detail_used", &[("detail", &detail.item.text)]),
        None => texts.get("headhunting.no_detail").to_owned(),
    });
    for voice in voices {
        let name = voice.display(texts);
        document.heading(1, capitalized(name));
        if voice.language() == Language::De {
            document.paragraph(why_this_form(messages.german_form, texts));
        }
        for version in Version::ALL {
            document.heading(2, version.display(texts));
            for paragraph in messages.versions.get(version).get(voice).text.split("\n\n") {
                // Read aloud and spelled in its own language, wherever the document goes.
                document.paragraph(Span::new(paragraph).language(voice));
            }
        }
    }
    document
}

fn why_this_form(decision: FormDecision, texts: &Texts) -> String {
    let form = match decision.form {
        GermanForm::Du => "du",
        GermanForm::Sie => "Sie",
    };
    match decision.rule {
        FormRule::Chosen => texts.say("headhunting.german_form.chosen", &[("form", form)]),
        FormRule::NoCue => texts.say("headhunting.german_form.no_cue", &[("form", form)]),
        FormRule::Cues { informal, formal } => {
            let (informal, formal) = (informal.to_string(), formal.to_string());
            let values = [("form", form), ("informal", informal.as_str()), ("formal", formal.as_str())];
            texts.say("headhunting.german_form.cues", &values)
        }
    }
}
