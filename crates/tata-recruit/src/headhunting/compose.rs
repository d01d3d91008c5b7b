//! Writes a text from its parts: greeting, personal detail, hook, reason, call, closing.
//!
//! Every text has each part once because it is put together that way. What is too long is written with shorter
//! sentences, then with the next reason; nothing is ever cut out.

use super::{
    artifact::{Message, PersonalDetail, Version},
    value::Value,
};
use crate::{GermanForm, Key, Texts, Voice, figures, texts::fill};

/// Fewer words than this.
pub(super) const WORDS: usize = 100;

/// Why a text could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwritable {
    /// No reason can be said in this voice.
    NoValue(Voice),
    /// The shortest wording is too long.
    TooLong { version: Version, voice: Voice, words: usize, characters: usize },
    /// A part would stand in the text twice.
    Repeated { version: Version, voice: Voice },
}

/// What all texts of one voice share.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    pub(super) position: &'a str,
    pub(super) detail: Option<&'a PersonalDetail>,
    /// How the person is called, if it is known.
    pub(super) name: Option<&'a str>,
}

impl Writer<'_> {
    /// One text, with the first of these reasons that fits.
    pub(super) fn write(
        &self,
        version: Version,
        voice: Voice,
        reasons: &[Value],
    ) -> Result<Message, Unwritable> {
        let mut problem = Unwritable::NoValue(voice);
        for value in reasons {
            for tight in [false, true] {
                let message = self.draft(version, voice, value, tight);
                match check(&message, version, voice, self.detail) {
                    Ok(()) => return Ok(message),
                    Err(found) => problem = shorter(problem, found),
                }
            }
        }
        Err(problem)
    }

    fn draft(&self, version: Version, voice: Voice, value: &Value, tight: bool) -> Message {
        let texts = Texts::of(voice);
        let pick = |slot: u8, key: Key, values: &[(&str, &str)]| {
            let frames = texts.list(key);
            fill(choose(frames, seed(self.position, version, slot), tight), values)
        };
        let name = version.name();
        let detail = self.detail.map(|detail| {
            pick(
                0,
                group!("headhunting.text.detail").key(detail.kind.name()),
                &[("detail", &detail.item.text)],
            ) + " "
        });
        let position = crate::job_ad::title_in_sentence(self.position, voice.language());
        let hook =
            pick(1, group!("headhunting.text").key(format_args!("{name}.hook")), &[("position", &position)]);
        let values: Vec<(&str, &str)> =
            value.values.iter().map(|(key, text)| (*key, text.as_str())).collect();
        let reason = pick(2, group!("headhunting.text.fact").key(&value.frame), &values);
        let call = pick(3, group!("headhunting.text").key(format_args!("{name}.call")), &[]);
        let hello = match self.name {
            Some(name) => pick(4, key!("headhunting.text.hello_name"), &[("name", called(name, voice))]),
            None => pick(4, key!("headhunting.text.hello"), &[]),
        };
        let closing = pick(5, key!("headhunting.text.closing"), &[]);
        let between = match version {
            Version::ShortDirect => " ",
            Version::ValueProposition | Version::CallToAction => "\n\n",
        };
        let detail = detail.unwrap_or_default();
        let text = format!("{hello}\n\n{detail}{hook}{between}{reason} {call}\n\n{closing}");
        Message {
            words: text.split_whitespace().count(),
            characters: text.chars().count(),
            text,
            hook,
            value_proposition: reason,
            value_kind: value.kind,
            value_evidence: value.evidence.clone(),
            call_to_action: call,
            given: false,
        }
    }
}

/// The first name; the whole name where people say Sie, since nobody knows whether it is Frau or Herr.
fn called(name: &str, voice: Voice) -> &str {
    match voice.form() {
        Some(GermanForm::Sie) => name,
        Some(GermanForm::Du) | None => name.split(' ').next().unwrap_or(name),
    }
}

/// Whether a text keeps its limits and has each part once.
pub(super) fn check(
    message: &Message,
    version: Version,
    voice: Voice,
    detail: Option<&PersonalDetail>,
) -> Result<(), Unwritable> {
    let Message { words, characters, .. } = *message;
    if words >= WORDS || characters > version.most_characters() {
        return Err(Unwritable::TooLong { version, voice, words, characters });
    }
    let once = |part: &str| message.text.matches(part).count() == 1;
    let parts = [&message.hook, &message.value_proposition, &message.call_to_action];
    if parts.into_iter().all(|part| once(part)) && detail.is_none_or(|detail| once(&detail.item.text)) {
        Ok(())
    } else {
        Err(Unwritable::Repeated { version, voice })
    }
}

/// Of two problems, the one that is nearer to a solution.
fn shorter(one: Unwritable, other: Unwritable) -> Unwritable {
    let Unwritable::TooLong { characters: known, .. } = one else { return other };
    match other {
        Unwritable::TooLong { characters, .. } if characters < known => other,
        Unwritable::TooLong { .. } | Unwritable::Repeated { .. } => one,
        Unwritable::NoValue(_) => other,
    }
}

fn choose(frames: &[String], seed: u64, tight: bool) -> &str {
    let chosen = if tight {
        frames.iter().min_by_key(|frame| frame.chars().count())
    } else {
        let count = u64::try_from(frames.len()).unwrap_or(1).max(1);
        usize::try_from(seed % count).ok().and_then(|at| frames.get(at))
    };
    chosen.map_or("", String::as_str)
}

/// With a last stir: the same title always gives the same wording, other titles other ones.
fn seed(position: &str, version: Version, slot: u8) -> u64 {
    let bytes = position.bytes().chain(version.name().bytes()).chain([slot]);
    let hash = figures::stable_hash(bytes);
    let stirred = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    stirred ^ (stirred >> 31)
}
