//! What a model hands over about an interview, and the checks it must pass: every quotation from the candidate's mouth,
//! every rating with a reason, no statement that nobody proves, nothing about a person that nobody may be judged by.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use tata_language::claims::Reason;

use super::{
    CandidateInput,
    artifact::{Assessment, Basis, CandidateReport, PracticalDetails, Quote, Rating, Statement},
    compose::quoted,
    lexicon::{ANY, cues, lists, protected, words},
    practical::{handed_over, is_pay_history},
    rate::{MOST_EXAMPLES, usual_summary},
    speech::Speech,
    topics::Skill,
};
use crate::{
    Evidence, Key, Language, Project, Refusal, Source, Texts, Tracer, Unproven,
    prose::{NAME, any_claim, is_fact},
    same, tidy,
};

/// The most quotations of one statement.
const MOST_QUOTES: usize = 12;
/// The most statements of one kind.
const MOST_STATEMENTS: usize = 40;

/// What a model may hand over. Whatever is left out is worked out from the transcript by rules.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Content {
    /// Who the candidate is, in two or three sentences, each with quotations.
    pub summary: Vec<StatementContent>,
    /// The career so far, each statement with quotations from the interview or the CV.
    pub background: Vec<StatementContent>,
    /// The motivation for this role.
    pub motivation: Option<AssessmentContent>,
    /// One per skill that the interview says something about.
    pub skills: Vec<SkillContent>,
    /// Practical details that the candidate told.
    pub practical: PracticalContent,
    /// What to think about, each with quotations. Job-related only.
    pub risks: Vec<StatementContent>,
}

/// A sentence with the words behind it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct StatementContent {
    /// The sentence. It may say only what the quotations say.
    pub text: String,
    /// Verbatim words of the candidate, or of the CV.
    pub quotes: Vec<String>,
}

/// A rating with its reason.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct AssessmentContent {
    /// An integer from 1 to 5 against the anchors of the screening template; leave it out if the interview does not show
    /// enough.
    #[serde(default)]
    pub rating: Option<i64>,
    /// Why: what was shown and what is missing, measured against the anchors. Never about age, family, health, origin,
    /// religion, orientation, feelings or accent.
    pub explanation: String,
    /// One or two sentences on what was said.
    #[serde(default)]
    pub summary: Option<String>,
    /// Up to three verbatim quotations of the candidate. A rating needs at least one.
    #[serde(default)]
    pub quotes: Vec<String>,
}

/// A rating of a skill.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SkillContent {
    /// The skill, exactly as the requirement profile has it.
    pub skill_name: String,
    /// The rating with its reason.
    #[serde(flatten)]
    pub assessment: AssessmentContent,
}

/// Verbatim words of the candidate for each practical detail; leave out what was not discussed.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PracticalContent {
    /// Notice period.
    pub notice_period: Option<String>,
    /// When the candidate can begin.
    pub start: Option<String>,
    /// What the candidate expects. Never what the candidate earns or earned.
    pub salary_expectation: Option<String>,
    /// Where the candidate can work.
    pub location: Option<String>,
    /// What the candidate says about languages.
    pub languages: Option<String>,
}

/// Takes content over into a report that rules made. What nothing proves is left out and given back.
pub(super) fn take_over(
    input: &CandidateInput,
    speech: &Speech,
    skills: &[Skill],
    report: &mut CandidateReport,
    project: &Project,
) -> Result<Vec<Unproven>, Refusal> {
    let Some(content) = &input.content else { return Ok(Vec::new()) };
    let cv = input.candidate_cv.as_deref().map(|text| (Source::CandidateCv, text));
    let mut checker = Checker {
        speech,
        said: speech.tracer(),
        cv: Tracer::over(cv),
        name: &input.candidate_name,
        language: report.voice.language(),
        project,
        texts: project.texts(),
        problems: Refusal::default(),
        left_out: Vec::new(),
    };
    report.summary = checker.statements("summary", &content.summary, true);
    let background = checker.statements("background", &content.background, true);
    if !background.is_empty() {
        report.background = background;
    }
    if let Some(motivation) = &content.motivation {
        report.motivation_assessment.take_over(checker.assessment("motivation", motivation, None));
    }
    checker.skills(&content.skills, skills, &mut report.skill_assessments);
    checker.practical(&content.practical, &mut report.practical_details);
    report.risks = checker.statements("risks", &content.risks, false);
    checker.problems.or_ok().map(|()| checker.left_out)
}

/// Checks content against what was said.
struct Checker<'a> {
    speech: &'a Speech,
    said: Tracer<'a, ()>,
    cv: Tracer<'a>,
    /// How the candidate is called.
    name: &'a str,
    language: Language,
    project: &'a Project,
    texts: &'a Texts,
    problems: Refusal,
    left_out: Vec<Unproven>,
}

impl Checker<'_> {
    fn problem(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        self.problems.say(field, self.texts, key, values);
    }

    /// Statements with their quotations.
    fn statements(&mut self, field: &str, statements: &[StatementContent], with_cv: bool) -> Vec<Statement> {
        let mut checked = Vec::new();
        for (at, statement) in statements.iter().take(MOST_STATEMENTS).enumerate() {
            let field = format!("content/{field}/{at}");
            let text = tidy(&statement.text);
            let quotes = self.quotes(&field, &statement.quotes, with_cv);
            if text.is_empty() {
                self.problem(&field, key!("candidate.content.empty.message"), &[]);
            } else if statement.quotes.iter().all(|quote| quote.trim().is_empty()) {
                self.problem(&field, key!("candidate.content.no_quote.message"), &[("text", &short(&text))]);
            }
            if self.is_proven(&field, &text, &quotes, &[], any_claim) {
                checked.push(Statement { text, quotes });
            }
        }
        checked
    }

    /// An assessment; what is wrong with it is noted.
    fn assessment(&mut self, field: &str, content: &AssessmentContent, skill: Option<&Skill>) -> Assessment {
        let field = format!("content/{field}");
        let name =
            skill.map_or(self.texts.get(key!("candidate.section.motivation")), |skill| skill.name.as_str());
        let mut examples = self.quotes(&field, &content.quotes, false);
        let explanation = tidy(&content.explanation);
        if explanation.is_empty() {
            self.problem(&field, key!("candidate.content.no_explanation.message"), &[("skill", name)]);
        }
        let rating = content.rating.and_then(Rating::new);
        if let (Some(value), None) = (content.rating, rating) {
            let values = [("skill", name), ("rating", &*value.to_string())];
            self.problem(&field, key!("candidate.content.bad_rating.message"), &values);
        }
        let needs_language = skill.is_some_and(|skill| skill.language);
        if rating.is_some() && content.quotes.iter().all(|quote| quote.trim().is_empty()) {
            self.problem(&field, key!("candidate.content.unsupported.message"), &[("skill", name)]);
        } else if rating.is_some() && needs_language && !names_language(&examples) {
            self.problem(&field, key!("candidate.content.language.message"), &[("skill", name)]);
        }
        let known: Vec<&str> = skill.map_or_else(Vec::new, |skill| {
            std::iter::once(&skill.name).chain(skill.anchors.all()).map(String::as_str).collect()
        });
        let mut proven = |text: &String| self.is_proven(&field, text, &examples, &known, is_fact);
        let explanation = Some(explanation).filter(&mut proven).unwrap_or_default();
        let summary = content.summary.as_deref().map(tidy).filter(|summary| !summary.is_empty());
        let summary = summary.filter(proven);
        examples.truncate(MOST_EXAMPLES);
        Assessment {
            skill_name: skill.map(|skill| skill.name.clone()).unwrap_or_default(),
            must_have: skill.is_none_or(|skill| skill.must_have),
            summary: summary.unwrap_or_else(|| usual_summary(!examples.is_empty(), self.texts)),
            examples,
            rating,
            explanation,
            basis: if rating.is_some() { Basis::Assistant } else { Basis::NotAssessed },
            ..Assessment::default()
        }
    }

    /// The skills that content speaks of. The assessments are those of the skills, in the same order.
    fn skills(&mut self, contents: &[SkillContent], skills: &[Skill], assessments: &mut [Assessment]) {
        let mut known = BTreeSet::new();
        for (at, content) in contents.iter().take(MOST_STATEMENTS).enumerate() {
            let field = format!("skills/{at}");
            let mut places = skills.iter().zip(assessments.iter_mut());
            let key = match places.find(|(skill, _)| same(&skill.name, &content.skill_name)) {
                Some((skill, place)) if known.insert(&skill.name) => {
                    place.take_over(self.assessment(&field, &content.assessment, Some(skill)));
                    continue;
                }
                Some(_) => key!("candidate.content.twice.message"),
                None => key!("candidate.content.unknown_skill.message"),
            };
            let names: Vec<String> = skills.iter().map(|skill| quoted(&skill.name, self.texts)).collect();
            let values = [("skill", &*short(&content.skill_name)), ("skills", &*names.join(", "))];
            self.problem(&format!("content/{field}/skill_name"), key, &values);
        }
    }

    /// Practical details that were handed over take the place of what rules found.
    fn practical(&mut self, content: &PracticalContent, details: &mut PracticalDetails) {
        let PracticalContent { notice_period, start, salary_expectation, location, languages } = content;
        let handed = [notice_period, start, salary_expectation, location, languages];
        let handed = PracticalDetails::NAMES.into_iter().zip(handed);
        for ((name, words), detail) in handed.zip(details.all_mut()) {
            let Some(words) = words.as_deref().filter(|words| !words.trim().is_empty()) else { continue };
            let field = format!("content/practical/{name}");
            if name == "salary_expectation" && is_pay_history(words) {
                let values = [("quote", &*short(words))];
                self.problem(&field, key!("candidate.content.pay_history.message"), &values);
            } else if let Some(quote) = self.quotes(&field, &[words.to_owned()], false).into_iter().next() {
                self.check_protected(&field, &quote.text);
                *detail = handed_over(name, quote, self.speech);
            }
        }
    }

    /// Each quotation where it was said; the ones that were not are noted.
    fn quotes(&mut self, field: &str, quotes: &[String], with_cv: bool) -> Vec<Quote> {
        let mut found = Vec::new();
        for quote in quotes.iter().filter(|quote| !quote.trim().is_empty()).take(MOST_QUOTES) {
            let said = self.speech.find(&self.said, quote);
            let written = || with_cv.then(|| self.cv.find(quote, None)).flatten().map(written);
            let (key, quote) = match said.or_else(written) {
                Some(quote) if is_pay_history(&quote.text) => {
                    (key!("candidate.content.pay_history.message"), short(&quote.text))
                }
                Some(quote) => {
                    found.push(quote);
                    continue;
                }
                None => (key!("candidate.content.not_said.message"), short(quote)),
            };
            self.problem(field, key, &[("quote", &quote)]);
        }
        found
    }

    /// A text may not speak of what nobody is judged by.
    fn check_protected(&mut self, field: &str, text: &str) {
        if let Some((ground, found)) = protected(text, self.language) {
            let about = self.texts.get(group!("candidate.protected").key(ground));
            let values = [("about", about), ("words", &*found)];
            self.problem(field, key!("candidate.content.protected.message"), &values);
        }
    }

    /// Whether a text says only what the quotations behind it say. What does not is sent back once in a turn, and left out
    /// after that: no sentence about a person stands in a report without a source. What nobody is judged by is always sent
    /// back.
    fn is_proven(
        &mut self,
        field: &str,
        text: &str,
        quotes: &[Quote],
        known: &[&str],
        counts: fn(Reason) -> bool,
    ) -> bool {
        self.check_protected(field, text);
        let said = quotes.iter().map(|quote| quote.text.as_str());
        let sources = said.chain(known.iter().copied()).map(|text| ("interview", text));
        let sources: Vec<(&str, &str)> = sources.chain([(NAME, self.name)]).collect();
        let found = self.project.judge.unproven(self.language, field, text, &sources, counts);
        if self.project.tried == 0 {
            for one in &found {
                let values = [("text", &*short(&one.words)), ("reason", one.why(self.texts))];
                self.problem(field, key!("candidate.content.unproven.message"), &values);
            }
        }
        let proven = found.is_empty();
        self.left_out.extend(found);
        proven
    }
}

fn names_language(quotes: &[Quote]) -> bool {
    quotes.iter().any(|quote| cues(&words(&quote.text), ANY).has(lists::LANGUAGE_NAME))
}

/// A place in the CV as a quotation.
pub(super) fn written(evidence: Evidence) -> Quote {
    let text = tidy(&evidence.quote);
    Quote { text, spans: vec![evidence], at_ms: None, reads_as: None, question: None }
}

/// The start of a text, for a message.
pub(super) fn short(text: &str) -> String {
    let text = tidy(text);
    if text.chars().count() <= 120 {
        return text;
    }
    text.chars().take(117).chain("...".chars()).collect()
}
