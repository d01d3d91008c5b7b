//! Writes a text from its parts: greeting, personal detail, hook, reason, call, closing.
//!
//! Every text has each part once because it is put together that way. What is too long is written with shorter
//! sentences, then with the next reason; nothing is ever cut out.

use super::{
    artifact::{Message, PersonalDetail, Version},
    value::Value,
};
use crate::{GermanForm, Key, Texts, Voice, figures, texts::fill};

/// Why a text could not be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unwritable {
    pub(super) version: Version,
    pub(super) voice: Voice,
    /// What says so, how much there is, and the limit.
    pub(super) rule: (Key, usize, usize),
    /// How long the shortest wording is, if it is too long; otherwise a part stands there twice.
    characters: Option<usize>,
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
    /// One text, with the first of these reasons that fits; without any reason there is nothing to say about it.
    pub(super) fn write(
        &self,
        version: Version,
        voice: Voice,
        reasons: &[Value],
    ) -> Result<Message, Option<Unwritable>> {
        let mut problem = None;
        for value in reasons {
            for tight in [false, true] {
                let message = self.draft(version, voice, value, tight);
                match self.check(&message, version, voice) {
                    Ok(()) => return Ok(message),
                    Err(found) => problem = Some(problem.map_or(found, |known| nearer(known, found))),
                }
            }
        }
        Err(problem)
    }

    /// Whether a text keeps its limits and has each part once.
    fn check(&self, message: &Message, version: Version, voice: Voice) -> Result<(), Unwritable> {
        check_limits(message, version, voice)?;
        let detail = self.detail.map(|detail| detail.item.text.as_str());
        let once = |part: &str| message.text.matches(part).count() == 1;
        if message.parts().into_iter().chain(detail).all(once) {
            return Ok(());
        }
        let rule = (key!("headhunting.refusal.message.part"), 0, 0);
        Err(Unwritable { version, voice, rule, characters: None })
    }

    fn draft(&self, version: Version, voice: Voice, value: &Value, tight: bool) -> Message {
        let texts = Texts::of(voice);
        let pick = |slot: u8, key: Key, values: &[(&str, &str)]| {
            let frames = texts.list(key);
            fill(choose(frames, seed(self.position, version, slot), tight), values)
        };
        let name = version.name();
        let detail = self.detail.map_or_else(String::new, |detail| {
            let key = group!("headhunting.text.detail").key(detail.kind.name());
            pick(0, key, &[("detail", &detail.item.text)]) + " "
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
        let message = Message {
            text: format!("{hello}\n\n{detail}{hook}{between}{reason} {call}\n\n{closing}"),
            hook,
            value_proposition: reason,
            value_kind: value.kind,
            value_evidence: value.evidence.clone(),
            call_to_action: call,
            ..Message::default()
        };
        message.counted()
    }
}

/// The first name; the whole name where people say Sie, since nobody knows whether it is Frau or Herr.
fn called(name: &str, voice: Voice) -> &str {
    match voice.form() {
        Some(GermanForm::Sie) => name,
        Some(GermanForm::Du) | None => {
            // "Lindholm, Freya"; and "Dr. Freya Lindholm", where only the whole is certain.
            let name = name.split_once(", ").map_or(name, |(_, first)| first);
            let first = name.split(' ').next().unwrap_or(name);
            let is_title = first.ends_with('.') || first.chars().count() < 2;
            if is_title { name } else { first }
        }
    }
}

/// Whether a text keeps its limits.
pub(super) fn check_limits(message: &Message, version: Version, voice: Voice) -> Result<(), Unwritable> {
    let characters = Some(message.characters);
    let broken = message.broken_limits(version).next();
    broken.map_or(Ok(()), |rule| Err(Unwritable { version, voice, rule, characters }))
}

/// Of two problems, the one that is nearer to a solution.
fn nearer(one: Unwritable, other: Unwritable) -> Unwritable {
    let shorter = |known| other.characters.is_none_or(|characters| characters >= known);
    if one.characters.is_some_and(shorter) { one } else { other }
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
