//! The inclusion review: what in an ad shuts people out, why, and what would be better. The ad stays as it is.

mod artifact;
mod decide;
mod render;
mod score;

use std::sync::Arc;
use tata_language::{
    book::{Category, Element},
    review::{Place, Reading, TitleForm, balance, places, readability},
};

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use tata_core::{FieldKind, Tool, ToolNameError};

pub use artifact::{DiReview, FlaggedItem, ScoreBand};
pub use decide::decide_di_findings;
use render::quoting;
pub(crate) use render::{decided, reading, render};

use crate::{
    Audience, Country, Gate, Kind, Made, Notice, Project, Refusal, Texts,
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Source},
    },
    module::deciding,
    review::{
        input::{ReviewedText, country, given_text, reviewed},
        law::about_ad,
    },
    tool,
};

/// Shorter texts are reviewed with a warning.
const SHORT: usize = 50;
/// Shorter texts are no whole ads, so nothing is missing in them.
const WHOLE_AD: usize = 80;
/// What an inclusive ad says.
const ELEMENTS: [Element; 5] =
    [Element::Pay, Element::Accommodation, Element::EqualOpportunity, Element::Contact, Element::Deadline];

/// What an inclusion review needs: the text.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiReviewInput {
    /// The ad, word for word as the recruiter gave it. Left out, the job ad of this project is reviewed.
    pub job_ad_text: Option<String>,
    /// The language of the ad: en, sv, da, no or de. Left out, it is found out.
    pub language: Option<String>,
    /// The position, if it is known.
    pub position_title: Option<String>,
    /// The language of the explanations, where the project has none yet: en, sv, da, no or de.
    pub explain_in: Option<String>,
    /// The country of the job, only where the recruiter named it.
    pub country: Option<Country>,
    /// How German titles should be marked.
    #[schemars(schema_with = "title_forms")]
    pub title_form: Option<TitleForm>,
}

/// The forms by their names.
fn title_forms(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"], "enum": TitleForm::ALL.map(TitleForm::name) })
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let review = deciding(
        tool::CREATE_DI_REVIEW,
        "Reviews how inclusive a job ad is (gender, age, disability, nationality, ethnicity, religion, family, \
         orientation, socioeconomic, German titles, requirements, location, readability): a score for every category, \
         every finding with its place, reason and alternatives. It never changes the text. Call it when the recruiter \
         wants a D&I or bias check of an ad.",
        Kind::DiReview,
        Kind::DiReview.requires(),
        Some(crate::acts::REPLACES_DI_REVIEW),
        create_di_review,
    )?;
    let decide = deciding(
        tool::DECIDE_DI_FINDINGS,
        "Records which findings of the D&I review the recruiter accepts (with which alternative) or ignores, by number, \
         and writes a revised text from the accepted ones only. Call it only after the recruiter decided.",
        Kind::DiReview,
        &[Kind::DiReview],
        Some(decide::DECIDES),
        decide_di_findings,
    )?;
    Ok(vec![review, decide])
}

/// Reviews how inclusive an ad is.
pub fn create_di_review(input: DiReviewInput, project: &Project, now: Timestamp) -> Result<Made, Refusal> {
    let texts = project.texts();
    let text = given_text(input.job_ad_text.as_deref(), project)?;
    let ReviewedText { words, language, detected, notices } =
        reviewed(&text, input.language.as_deref(), SHORT, project)?;
    let country = country(input.country, &text, language, project);
    let form = input.title_form.unwrap_or_default();
    let reading = Reading::of(&text, words, language);
    let places = places(&reading, form);
    let readability = readability(&reading);
    let whole = reading.words.len() >= WHOLE_AD;
    let missing: Vec<Element> =
        ELEMENTS.into_iter().filter(|element| whole && !reading.says(*element)).collect();
    let scores = score::of(&places, &readability, missing.len(), language);
    let balance = balance(&reading);
    let flagged_items: Vec<FlaggedItem> = places
        .into_iter()
        .enumerate()
        .map(|(at, place)| item(at + 1, place, &reading, country, texts))
        .collect();
    let mut review = DiReview {
        position_title: input.position_title.filter(|title| !title.trim().is_empty()),
        language,
        detected_language: detected,
        country: Some(country),
        voice: project.voice(),
        title_form: form,
        overall_score: scores.overall,
        score_band: ScoreBand::capped(scores.overall, flagged_items.iter().map(|item| item.severity)),
        flags_per_100_words: score::density(flagged_items.len(), reading.words.len()),
        category_scores: scores.categories,
        category_issues: scores.issues,
        compliance_notes: Vec::new(),
        flagged_items,
        missing_elements: missing,
        balance,
        readability,
        decisions: Vec::new(),
        revised_text: None,
        created_at: now,
        original_text: text.clone().into_owned(),
    };
    review.compliance_notes = law_notes(&review, country, texts);
    let mut made = made(&review, notices, texts)?;
    if !review.flagged_items.is_empty() {
        made.next_steps = vec![texts.get(key!("review.next.decide")).to_owned()];
    }
    Ok(made)
}

/// The report behind the gate; what it quotes from the ad is the ad's.
fn made(review: &DiReview, notices: Vec<Notice>, texts: &Texts) -> Result<Made, Refusal> {
    let items = review.flagged_items.iter().map(|item| &item.text);
    let coded = review.balance.agentic.iter().chain(&review.balance.communal).map(|word| &word.text);
    let verbatim: Vec<&str> = items.chain(coded).chain(&review.position_title).map(String::as_str).collect();
    let gate = Gate { voice: review.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let document = render(review);
    let cleared = gate.pass_lines(&quoting(&document, review), texts)?;
    let mut made = Made::new(Kind::DiReview, review, document, &cleared);
    made.notices.splice(..0, notices);
    Ok(made)
}

fn item(number: usize, place: Place, reading: &Reading<'_>, country: Country, texts: &Texts) -> FlaggedItem {
    let Place { rule, category, severity, reason, alternatives, start, end } = place;
    FlaggedItem {
        number,
        text: reading.cut(start, end).to_owned(),
        start,
        end,
        byte_start: reading.byte(start),
        byte_end: reading.byte(end),
        category,
        severity,
        explanation: texts
            .get(group!("review.reasons").key(format_args!("{}.{reason}", category.name())))
            .to_owned(),
        legal_ground: about_ad(country, (category, reason), texts.language()),
        alternatives,
        rule,
    }
}

/// What the law says, once for each category: all that is cited for one of its reasons.
fn law_notes(review: &DiReview, country: Country, texts: &Texts) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for category in Category::ALL {
        let items = review.flagged_items.iter().filter(|item| item.category == category);
        for law in items.filter_map(|item| item.legal_ground.as_deref()) {
            let values =
                [("category", texts.category(category)), ("country", country.display(texts)), ("law", law)];
            let note = texts.say(key!("review.law"), &values);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes.extend(review.missing_lines(texts));
    notes
}

impl Asked for DiReviewInput {
    const FIELDS: Fields = Fields(&[
        (Source, "job_ad_text"),
        (Choice, "language explain_in title_form country"),
        (Said, "position_title"),
    ]);
    // The language of a review's input is that of the ad; what explains it has a field of its own.
    const LANGUAGE: &'static str = "explain_in";
    const ASKS: &'static [Spec] = &[field("job_ad_text", FieldKind::Material, Need::Always)];
}
