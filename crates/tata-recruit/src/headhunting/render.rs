//! Headhunting messages as people read them: the language that was asked for first, then the others.

use tata_document::Span;

use super::artifact::{HeadhuntingMessages, Version};
use crate::{
    Block, Document, FormDecision, FormRule, GermanForm, Language, Texts, Voice, capitals::capitalized,
    review::ready::not_ready as not_ready_texts,
};

/// As a document.
pub(crate) fn render(messages: &HeadhuntingMessages) -> Document {
    let mut document = in_voices(messages, messages.voices());
    if let Some(not_ready) = not_ready(messages, Texts::of(messages.shown)) {
        document.blocks.insert(0, Block::paragraph(not_ready));
    }
    document
}

/// What keeps the messages from being sent, in words: high findings of the inclusion review.
pub(crate) fn not_ready(messages: &HeadhuntingMessages, texts: &Texts) -> Option<String> {
    let said = messages.versions.iter();
    not_ready_texts(said.map(|(_, voice, message)| (voice.language(), message.text.as_str())), texts)
}

/// The part of the document that is in its own language.
pub(super) fn own_part(messages: &HeadhuntingMessages) -> Document {
    in_voices(messages, std::iter::once(messages.shown))
}

fn in_voices(messages: &HeadhuntingMessages, voices: impl Iterator<Item = Voice>) -> Document {
    let texts = Texts::of(messages.shown);
    let title = texts.say(key!("headhunting.title"), &[("position", &messages.position_title)]);
    let mut document = Document::new(messages.shown, title);
    document.paragraph(match &messages.personalization_detail {
        Some(detail) => texts.say(key!("headhunting.detail_used"), &[("detail", &detail.item.text)]),
        None => texts.get(key!("headhunting.no_detail")).to_owned(),
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
    let key = match decision.rule {
        FormRule::Chosen => key!("headhunting.german_form.chosen"),
        FormRule::NoCue => key!("headhunting.german_form.no_cue"),
        FormRule::Cues { .. } => key!("headhunting.german_form.cues"),
    };
    texts.say(key, &[("form", form)])
}
