//! Parts of a finished document in other words: a person writes them, and the rules of the document hold them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    Audience, Document, Gate, Kind, Made, Profile, Project, Refusal, Sources, Texts, Voice,
    clip::start,
    form::Asked,
    gate::Cleared,
    input::{
        Fields,
        Rule::{Choice, Said},
    },
    profile, same, tidy,
    withheld::Sieve,
};

/// The most characters of one part.
const MOST_PART: usize = 2_000;

/// Parts of a document in other words.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewordInput {
    /// One for each part.
    pub changes: Vec<Rewording>,
}

impl Asked for RewordInput {
    const FIELDS: Fields = Fields(&[(Choice, "changes/*/{old,number}"), (Said, "changes/*/new")]);
}

/// One part in other words.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rewording {
    /// The part as it reads now, whole.
    pub old: String,
    /// The recruiter's own words for it. Empty takes it out.
    pub new: String,
    /// Which one, where several parts read alike: its place in the document, from 1.
    #[serde(default)]
    pub number: Option<usize>,
}

/// A part of a document that can be worded otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// What it belongs to.
    pub label: String,
    /// How it reads.
    pub text: String,
    /// Whether it may go.
    pub optional: bool,
    pub(crate) voice: Voice,
}

impl TextPart {
    pub(crate) fn new(label: impl Into<String>, voice: Voice, optional: bool) -> Self {
        Self { label: label.into(), text: String::new(), optional, voice }
    }
}

/// A document whose words can be changed part by part.
pub(crate) trait Reworded: Serialize + DeserializeOwned {
    /// Whom it is for.
    const AUDIENCE: Audience;

    /// Shows every part with its text, in the order of the document.
    fn each_part(&mut self, see: &mut dyn FnMut(TextPart, &mut String));

    /// Words that stand in it as others wrote them.
    fn title(&self) -> &str;

    /// Sets right what depends on its words, and says which of its rules the new ones break.
    fn settle(&mut self, words: &[(String, &str)], texts: &Texts, refusal: &mut Refusal);

    /// Says when this version was made.
    fn date(&mut self, now: Timestamp);

    /// As people read it.
    fn shown(&self) -> Document;

    /// What the recruiter should know or decide about it now.
    fn remarks(&self, _made: &mut Made, _texts: &Texts) {}
}

/// The parts of a document that can be worded otherwise.
pub(crate) fn parts<D: Reworded>(document: &mut D) -> Vec<TextPart> {
    let mut parts = Vec::new();
    document.each_part(&mut |part, text| parts.push(TextPart { text: text.clone(), ..part }));
    parts
}

/// Carries changes out, as a new version of the document.
pub(crate) fn reword<D: Reworded>(
    kind: Kind,
    input: &RewordInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let Some(mut document) = project.read::<D>(kind, "") else {
        return Err(Refusal::lacking(kind, &[kind], texts));
    };
    let known = parts(&mut document);
    let mut refusal = Refusal::default();
    if input.changes.is_empty() {
        refusal.say("changes", texts, key!("project.reword.nothing"), &[]);
    }
    // The new words of parts, by their places.
    let mut wanted: BTreeMap<usize, String> = BTreeMap::new();
    for (at, change) in input.changes.iter().enumerate() {
        let field = format!("changes/{at}");
        let Some((place, part)) = find(&known, change, &field, texts, &mut refusal) else { continue };
        refusal.check_most(&format!("{field}/new"), &change.new, MOST_PART, texts);
        let lines = change.new.lines().map(tidy).filter(|line| !line.is_empty());
        let words = lines.collect::<Vec<_>>().join("\n");
        if words.is_empty() && !part.optional {
            needed(&part.text, &field, texts, &mut refusal);
        }
        wanted.insert(place, words);
    }
    refusal.or_ok()?;
    let cleared = passed::<D>(&known, &wanted, &document, project)?;

    let mut place = 0;
    document.each_part(&mut |_, text| {
        if let Some(words) = wanted.get(&place) {
            text.clone_from(words);
        }
        place += 1;
    });
    let mut refusal = Refusal::default();
    let new = wanted.values().enumerate();
    let new = new.map(|(at, words)| (format!("changes/{at}/new"), words.as_str()));
    document.settle(&new.collect::<Vec<_>>(), texts, &mut refusal);
    refusal.or_ok()?;
    document.date(now);
    let mut made = Made::new(kind, &document, document.shown(), &cleared);
    document.remarks(&mut made, texts);
    Ok(made)
}

/// The part that is meant: by its words, and by its place where others read alike.
fn find<'a>(
    known: &'a [TextPart],
    change: &Rewording,
    field: &str,
    texts: &Texts,
    refusal: &mut Refusal,
) -> Option<(usize, &'a TextPart)> {
    let alike = known.iter().enumerate().filter(|(_, part)| same(&part.text, &change.old));
    let alike: Vec<(usize, &TextPart)> = alike.collect();
    let meant = match (alike.as_slice(), change.number) {
        ([one], None) => Some(*one),
        (_, number) => alike.iter().copied().find(|(at, _)| number == Some(at + 1)),
    };
    if meant.is_none() {
        let (part, key) = match alike.as_slice() {
            [] => ("old", key!("project.reword.unknown")),
            [..] => ("number", key!("project.reword.several")),
        };
        let numbers: Vec<String> = alike.iter().map(|(at, _)| (at + 1).to_string()).collect();
        let values = [("text", start(&change.old, 200)), ("numbers", &*numbers.join(", "))];
        refusal.say(format!("{field}/{part}"), texts, key, &values);
    }
    meant
}

/// Says that a part must be there.
pub(crate) fn needed(text: &str, field: &str, texts: &Texts, refusal: &mut Refusal) {
    refusal.say(format!("{field}/new"), texts, key!("project.reword.needed"), &[("text", start(text, 200))]);
}

/// The new words before the checks that every text of this document passes.
fn passed<D: Reworded>(
    known: &[TextPart],
    wanted: &BTreeMap<usize, String>,
    document: &D,
    project: &Project,
) -> Result<Cleared, Refusal> {
    let texts = project.texts();
    let profile = profile::of(project);
    let sieve =
        Sieve::new(texts, project.voice().language(), profile.as_ref().and_then(Profile::job_country));
    let mut refusal = Refusal::default();
    let mut all =
        Gate { voice: project.voice(), audience: D::AUDIENCE, verbatim: &[] }.pass_lines(&[], texts)?;
    let said = profile.iter().flat_map(Profile::items).map(|item| item.text.as_str());
    let verbatim: Vec<&str> = said.chain([document.title()]).filter(|text| !text.is_empty()).collect();
    let new = wanted.iter().filter_map(|(place, words)| Some((known.get(*place)?, words.as_str())));
    for (at, (part, words)) in new.enumerate() {
        sieve.statement(&format!("changes/{at}/new"), words, &Sources::default(), &mut refusal);
        let gate = Gate { voice: part.voice, audience: D::AUDIENCE, verbatim: &verbatim };
        match gate.pass_lines(&[words], texts) {
            Ok(cleared) => all = all.and(cleared),
            Err(found) => refusal.problems.extend(found.problems),
        }
    }
    refusal.or_ok().map(|()| all)
}
