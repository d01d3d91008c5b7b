//! What is asked about a table before anything is computed from it.

use std::collections::{BTreeMap, BTreeSet};

use tata_core::Problem;

use super::{labels, stage::quoted, target::Target};
use crate::{
    Refusal, Texts, clip,
    mapping::{MappingChoice, MappingPart, MappingQuestion, NeedsMapping, TableReading},
    tidy,
};

/// How many rows of a table are shown with the questions.
const MOST_SHOWN: usize = 40;
/// How many figures stand beside a label.
const MOST_EXAMPLES: usize = 6;

/// The answers of a person, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers(BTreeMap<String, Target>);

impl Answers {
    /// What was answered; an answer that is none of the choices is refused.
    pub(super) fn of(mapping: &BTreeMap<String, String>, texts: &Texts, refusal: &mut Refusal) -> Self {
        let mut given = BTreeMap::new();
        for (label, answer) in mapping {
            if let Some(target) = Target::answered(answer.trim()) {
                given.insert(plain(label), target);
            } else {
                let all = [Target::counts(), Target::days(), Target::columns().to_vec()].concat();
                let values = [
                    ("label", &*shown(label, texts)),
                    ("answer", &*shown(answer, texts)),
                    ("names", &*names(all.into_iter().map(|target| target.display(texts)))),
                ];
                refusal.say("mapping", texts, key!("funnel.mapping.unknown_answer"), &values);
            }
        }
        Self(given)
    }

    /// Takes over what was said about an earlier table with the same headings.
    pub(super) fn remember(&mut self, before: &TableReading, source: &str) {
        if !source.is_empty() && before.source == source {
            for label in before.labels.iter().filter(|label| label.by_person) {
                if let Some(target) = Target::find(&label.means) {
                    self.0.entry(plain(&label.label)).or_insert(target);
                }
            }
        }
    }

    /// What a person said about a name.
    pub(super) fn get(&self, label: &str) -> Option<Target> {
        self.0.get(&plain(label)).copied()
    }
}

impl NeedsMapping {
    /// Asks about a name, once.
    pub(super) fn ask(
        &mut self,
        part: MappingPart,
        label: &str,
        figures: &[&str],
        choices: Vec<Target>,
        texts: &Texts,
    ) {
        let figure = figures.iter().filter(|figure| !figure.is_empty()).map(|figure| tidy(figure));
        if let Some(asked) = self.questions.iter_mut().find(|asked| plain(&asked.label) == plain(label)) {
            let room = MOST_EXAMPLES.saturating_sub(asked.figures.len());
            asked.figures.extend(figure.take(room));
            return;
        }
        let figures: Vec<String> = figure.take(MOST_EXAMPLES).collect();
        let label = label.trim().to_owned();
        let values = [("label", &*shown(&label, texts)), ("figures", &*figures.join(", "))];
        let near = Target::called(&label).or_else(|| labels::nearest(&label));
        let near = near.filter(|near| choices.contains(near));
        let proposed = near.or_else(|| choices.starts_with(&Target::columns()).then(|| guess(&label)));
        let question = group!("funnel.mapping").key(format_args!("{}_question", part.name()));
        let question = texts.say(question, &values);
        let choice = |target: Target| MappingChoice { value: target.name(), text: target.display(texts) };
        let (choices, proposed) = (choices.into_iter().map(choice).collect(), proposed.map(Target::name));
        self.questions.push(MappingQuestion { label, part, figures, question, choices, proposed });
    }

    /// Makes an answer the likely one.
    pub(super) fn propose(&mut self, label: &str, target: Target) {
        if let Some(asked) = self.questions.iter_mut().find(|asked| plain(&asked.label) == plain(label)) {
            asked.proposed = Some(target.name());
        }
    }

    /// Keeps a table to be shown.
    pub(super) fn show(&mut self, rows: impl Iterator<Item = Vec<String>>) {
        self.table = rows.take(MOST_SHOWN).collect();
    }

    /// The table and what it is about.
    pub(crate) fn lead(&self, texts: &Texts) -> String {
        let rows: Vec<String> = self.table.iter().map(|row| row.join(" | ")).collect();
        texts.say(key!("funnel.mapping.needed"), &[("table", &rows.join("\n"))])
    }

    /// As a refusal that a model and a person can read.
    pub(super) fn refuse(self, refusal: &mut Refusal, texts: &Texts) {
        let choices = self.questions.iter().flat_map(|question| &question.choices);
        let names = names(choices.map(|choice| choice.text.clone()));
        let way_out = texts.say(key!("funnel.mapping.way_out"), &[("names", &names)]);
        refusal.add("mapping", self.lead(texts), way_out);
        for question in &self.questions {
            let hint = question
                .proposal()
                .map(|choice| texts.say(key!("funnel.mapping.proposal"), &[("choice", &choice.text)]));
            let field = format!("mapping.{}", question.label);
            refusal.problems.push(Problem { field, message: question.question.clone(), hint });
        }
        refusal.mapping = Some(Box::new(self));
    }
}

/// A column of numbers: of days if it says so, else of counts.
pub(super) fn guess(label: &str) -> Target {
    let [count, days, _] = Target::columns();
    if labels::names_days(label) { days } else { count }
}

/// Names in order, each once.
fn names(names: impl Iterator<Item = String>) -> String {
    names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// A name as answers are looked up by.
fn plain(label: &str) -> String {
    tidy(label).to_lowercase()
}

/// A name short enough to be told; what looks like contact data is not.
pub(super) fn shown(name: &str, texts: &Texts) -> String {
    let name = tidy(clip::start(name, 200));
    if name.is_empty() || is_contact(&name) {
        return texts.get(key!("funnel.notices.unnamed")).to_owned();
    }
    quoted(clip::start(&name, 60), texts)
}

/// Whether a cell looks like an address or a number of a person.
pub(super) fn is_contact(cell: &str) -> bool {
    cell.contains('@') || cell.chars().filter(char::is_ascii_digit).count() > 7
}
