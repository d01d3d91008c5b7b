//! Prose that a model wrote, held against what people brought, sentence by sentence.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::claims::{self, Reason};
use tata_phrases::runs;

use tata_core::Statement;

use crate::{Language, Texts};

/// Marks a source that is only a name: of the company, the position, the candidate.
pub(crate) const NAME: &str = "name";

/// A part of a text that no source proves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unproven {
    /// Where it stands, by the name of the part of the document.
    pub part: String,
    /// The sentence.
    pub sentence: String,
    /// The words in it that nothing proves.
    pub words: String,
    /// Why, as the name of a text.
    pub reason: String,
}

impl Unproven {
    /// Why, as people say it. A stored one may name a reason that this version does not know.
    pub fn why(&self, texts: &Texts) -> &'static str {
        let reason = group!("project.unproven.reasons").find(&self.reason);
        reason.map_or("", |reason| texts.get(reason))
    }

    /// For people.
    pub(crate) fn shown(&self, texts: &Texts) -> String {
        let reason = self.why(texts);
        texts.say(
            key!("project.unproven.one"),
            &[("sentence", &self.sentence), ("words", &self.words), ("reason", reason)],
        )
    }
}

/// What a person does with a statement that is not proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofChoice {
    /// It stays, on the person's word.
    Keep,
    /// It is worded otherwise, in the person's words.
    Edit,
    /// It goes.
    #[default]
    Delete,
}

/// A second opinion on sentences that the rules let pass. Whoever has none asks nobody.
///
/// A document is made twice: first the sentences are collected, all of them are judged at once, and then what the judge
/// objected to is not proven.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judge(Option<Arc<Mutex<Opinions>>>);

#[derive(Debug, Default)]
struct Opinions {
    collected: Vec<Statement>,
    /// The words that nothing supports, by sentence.
    objections: BTreeMap<String, String>,
}

impl Judge {
    /// What was taken down.
    pub(crate) fn collected(&self) -> Vec<Statement> {
        self.with(|opinions| std::mem::take(&mut opinions.collected)).unwrap_or_default()
    }

    /// One that takes down what it is asked, and knows what was objected to.
    pub(crate) fn knowing(objections: BTreeMap<String, String>) -> Self {
        Self(Some(Arc::new(Mutex::new(Opinions { objections, ..Opinions::default() }))))
    }

    /// The words of a sentence that nothing supports, as far as anybody said so.
    fn objects(&self, sentence: &str, sources: &[(&str, &str)]) -> Option<String> {
        self.with(|opinions| {
            let evidence = sources.iter().map(|(_, text)| (*text).to_owned()).collect();
            opinions.collected.push(Statement { sentence: sentence.to_owned(), evidence });
            opinions.objections.get(sentence).cloned()
        })?
    }

    fn with<T>(&self, read: impl FnOnce(&mut Opinions) -> T) -> Option<T> {
        let opinions = self.0.as_ref()?;
        Some(read(&mut opinions.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// The parts of a text that no source proves, as far as their reason counts.
    pub(crate) fn unproven(
        &self,
        language: Language,
        part: &str,
        text: &str,
        sources: &[(&str, &str)],
        counts: fn(Reason) -> bool,
    ) -> Vec<Unproven> {
        // A name proves itself and nothing else.
        let (names, sources): (Vec<_>, Vec<_>) = sources.iter().copied().partition(|(kind, _)| *kind == NAME);
        let words = |text: &str| -> Vec<String> { runs(text).map(str::to_lowercase).collect() };
        let known: Vec<String> = names.iter().flat_map(|(_, name)| words(name)).collect();
        // A genitive is still the name.
        let is_known = |word: &String| {
            known.contains(word)
                || word == "s"
                || word.strip_suffix('s').is_some_and(|bare| known.iter().any(|name| name == bare))
        };
        let is_name = |text: &str| words(text).iter().all(is_known);
        let checked = claims::check(language, text, &sources);
        let all = checked.iter().filter_map(|sentence| {
            // One reason is enough to look at a sentence; the first is where it begins to be wrong.
            let first = sentence.unproven.iter().find(|one| counts(one.reason) && !is_name(one.text));
            let (words, reason) = match first {
                Some(first) => (first.text.to_owned(), first.reason.name()),
                None => (self.objects(sentence.text, &sources)?, JUDGED),
            };
            Some(Unproven {
                part: part.to_owned(),
                sentence: sentence.text.to_owned(),
                words,
                reason: reason.to_owned(),
            })
        });
        all.collect()
    }
}

/// The reason of the judge.
const JUDGED: &str = "judged";

/// For a text of which everything must stand in the sources.
pub(crate) fn any_claim(_: Reason) -> bool {
    true
}

/// For a text that judges or invites: only the facts in it must stand in the sources.
pub(crate) fn is_fact(reason: Reason) -> bool {
    use Reason::{Benefit, Name, Pay, Promise, Quotation, Value};
    matches!(reason, Value | Name | Pay | Benefit | Promise | Quotation)
}
