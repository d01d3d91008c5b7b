//! What is asked about a table before anything is computed from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tata_core::Problem;

use super::{labels, render::quoted, target::Target};
use crate::{Refusal, Texts, tidy};

/// How many rows of a table are shown with the questions.
const MOST_SHOWN: usize = 40;
/// How many figures stand beside a label.
const MOST_EXAMPLES: usize = 6;

/// A table whose names are not all certain: the person says what they stand for, and nothing is computed before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NeedsMapping {
    /// The headings of the table: an answer is remembered for tables with the same ones.
    pub source: String,
    /// The table without what is about persons, the headings first.
    pub table: Vec<Vec<String>>,
    /// One per name that is not certain.
    pub questions: Vec<MappingQuestion>,
}

/// A question about one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingQuestion {
    /// The name as it stands in the table: the key of the answer in `mapping`.
    pub label: String,
    /// What has this name.
    pub part: MappingPart,
    /// The figures beside or below it.
    pub figures: Vec<String>,
    /// The question.
    pub question: String,
    /// The answers, to be numbered from 1.
    pub choices: Vec<MappingChoice>,
    /// The answer that seems likely; one of the choices.
    pub proposed: Option<String>,
}

/// What a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MappingPart {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A figure in a sentence.
    Figure,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappingChoice {
    /// Its name in `mapping`.
    pub value: String,
    /// As people call it.
    pub text: String,
}

/// How a table was read: it stands in the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableReading {
    /// The headings of the table.
    pub source: String,
    /// What each name was taken for.
    pub labels: Vec<ReadLabel>,
    /// Rows that were not read.
    pub unread_rows: Vec<String>,
    /// Columns that were not read.
    pub unread_columns: Vec<String>,
    /// How many columns about persons were dropped.
    pub personal_columns: usize,
    /// How many rows were counted, where each is a person.
    pub people: Option<u64>,
    /// Whether figures with the same meaning were added up.
    pub summed: bool,
}

/// A name and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLabel {
    /// The name.
    pub label: String,
    /// What it stands for, as in `mapping`.
    pub means: String,
    /// Whether a person said so.
    pub by_person: bool,
}

/// The answers of a person, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    given: BTreeMap<String, Target>,
    remembered: BTreeMap<String, Target>,
}

impl Answers {
    /// What was answered; an answer that is none of the choices is refused.
    pub(super) fn of(mapping: &BTreeMap<String, String>, texts: &Texts, refusal: &mut Refusal) -> Self {
        let mut given = BTreeMap::new();
        for (label, answer) in mapping {
            if let Some(target) = Target::find(answer.trim()) {
                given.insert(plain(label), target);
            } else {
                let values = [("label", &*shown(label, texts)), ("answer", &*shown(answer, texts))];
                let message = texts.say("funnel.mapping.unknown_answer", &values);
                refusal.add(
                    "mapping",
                    message,
                    texts.say("funnel.mapping.way_out", &[("names", &all_names())]),
                );
            }
        }
        Self { given, remembered: BTreeMap::new() }
    }

    /// Takes over what was said about an earlier table with the same headings.
    pub(super) fn remember(&mut self, before: &TableReading, source: &str) {
        if !source.is_empty() && before.source == source {
            let said = before.labels.iter().filter(|label| label.by_person);
            let said = said.filter_map(|label| Some((plain(&label.label), Target::find(&label.means)?)));
            self.remembered = said.collect();
        }
    }

    /// What a person said about a name.
    pub(super) fn get(&self, label: &str) -> Option<Target> {
        let label = plain(label);
        self.given.get(&label).or_else(|| self.remembered.get(&label)).copied()
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
        let key = match part {
            MappingPart::Row => "row",
            MappingPart::Column => "column",
            MappingPart::Figure => "figure",
        };
        let label = label.trim().to_owned();
        let values = [("label", &*shown(&label, texts)), ("figures", &*figures.join(", "))];
        let near = labels::nearest(&label).filter(|near| choices.contains(near));
        let proposed = near.or_else(|| choices.starts_with(&Target::columns()).then(|| guess(&label)));
        self.questions.push(MappingQuestion {
            question: texts.say(&format!("funnel.mapping.{key}_question"), &values),
            label,
            part,
            figures,
            choices: choices
                .into_iter()
                .map(|target| MappingChoice { value: target.name(), text: target.display(texts) })
                .collect(),
            proposed: proposed.map(Target::name),
        });
    }

    /// Keeps a table to be shown.
    pub(super) fn show(&mut self, rows: impl Iterator<Item = Vec<String>>) {
        self.table = rows.take(MOST_SHOWN).collect();
    }

    /// As a refusal that a model and a person can read.
    pub(super) fn refuse(self, refusal: &mut Refusal, texts: &Texts) {
        let lines: Vec<String> = self.table.iter().map(|row| row.join(" | ")).collect();
        let message = texts.say("funnel.mapping.needed", &[("table", &lines.join("\n"))]);
        let names: Vec<&str> = self
            .questions
            .iter()
            .flat_map(|question| &question.choices)
            .map(|choice| choice.value.as_str())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        let way_out = texts.say("funnel.mapping.way_out", &[("names", &names.join(", "))]);
        refusal.problems.push(Problem { field: "mapping".to_owned(), message, hint: Some(way_out) });
        for question in &self.questions {
            let proposed = question
                .proposed
                .as_ref()
                .and_then(|proposed| question.choices.iter().find(|choice| choice.value == *proposed));
            let hint = proposed.map(|choice| {
                texts.say("funnel.mapping.proposal", &[("choice", &choice.text), ("name", &choice.value)])
            });
            let field = format!("mapping.{}", question.label);
            refusal.problems.push(Problem { field, message: question.question.clone(), hint });
        }
        refusal.mapping = Some(Box::new(self));
    }
}

/// A column of numbers: of days if it says so, else of counts.
fn guess(label: &str) -> Target {
    let [count, days, _] = Target::columns();
    if labels::names_days(label) { days } else { count }
}

fn all_names() -> String {
    let all = [Target::counts(), Target::days(), Target::columns().to_vec()].concat();
    let mut names: Vec<String> = all.into_iter().map(Target::name).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// A name as answers are looked up by.
fn plain(label: &str) -> String {
    tidy(label).to_lowercase()
}

/// A name short enough to be told; what looks like contact data is not.
pub(super) fn shown(name: &str, texts: &Texts) -> String {
    let name = tidy(&name.chars().take(200).collect::<String>());
    if name.is_empty() || is_contact(&name) {
        return texts.get("funnel.notices.unnamed").to_owned();
    }
    quoted(&name.chars().take(60).collect::<String>(), texts)
}

/// Whether a cell looks like an address or a number of a person.
pub(super) fn is_contact(cell: &str) -> bool {
    cell.contains('@') || cell.chars().filter(char::is_ascii_digit).count() > 7
}
