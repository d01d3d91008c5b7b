//! What the tool is called with.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SectionName;
use crate::{FormWish, MOST_CHARACTERS, PayPeriod, Refusal, Source, Texts};

/// The most characters of a place, a name or an address: what is longer is something else.
pub(super) const SHORT: usize = 300;

/// What comes with the call; the profile is read from the project.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JobAdInput {
    /// Notes of the start-up meeting, if they say more than the ones the profile was made from.
    pub startup_notes: Option<String>,
    /// An earlier ad for this position.
    pub old_job_ad: Option<String>,
    /// Text about the company or the business unit. Nothing of it enters the ad by itself: its statements are proposed
    /// to the recruiter, and enter through `approved_company_facts`.
    pub company_context: Option<String>,
    /// Facts about the company that the recruiter has approved for this ad, in the language of the ad. Never put a
    /// fact here that the recruiter has not said yes to.
    pub approved_company_facts: Vec<CompanyFact>,
    /// The language of the ad: en, sv, da, no or de. Without it, the language of the project.
    pub language: Option<String>,
    /// How a German ad addresses its readers: du, sie or auto.
    pub german_form: Option<FormWish>,
    /// The pay, if the profile does not have it. Never ask for anybody's pay history.
    pub pay_range: Option<AdPay>,
    /// Whom candidates can ask.
    pub contact: Option<AdContact>,
    /// The last day to apply, as YYYY-MM-DD.
    pub apply_by: Option<String>,
    /// The steps of the recruitment in order, as the recruiter said them, in the language of the ad.
    pub process_steps: Vec<String>,
    /// For example "permanent, full time", in the language of the ad.
    pub contract_type: Option<String>,
    /// Where the work is done, and how much of it at home, in the language of the ad.
    pub work_place: Option<String>,
    /// Which of the headlines to use: 1 is the one that comes without a choice, 2 the first alternative.
    pub choose_headline: Option<usize>,
    /// Which of the intros to use, counted the same way.
    pub choose_intro: Option<usize>,
    /// Whether the ad offers adjustments in the recruitment process. Yes unless the recruiter says no.
    pub accommodation_line: Option<bool>,
    /// Whether the ad says that every application is welcome. Only when the recruiter says yes.
    pub equal_opportunity_line: Option<bool>,
    /// Up to five ads for similar positions that the recruiter pasted, for a comparison. Never write them yourself.
    pub similar_ads: Vec<String>,
    /// Sections already written, in the language of the ad. Each is checked against its quotations; sections that are
    /// not here are composed from the profile. Pay, place, start, contract, contact, last day and the offer of adjustments
    /// are printed from their own fields: do not write them.
    pub sections: Vec<WrittenSection>,
    /// More headlines to choose from; each contains the title.
    pub alternative_headlines: Vec<String>,
    /// More intros to choose from; each has at most two sentences.
    pub alternative_intros: Vec<String>,
}

/// What the recruiter gave for an ad beside the profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AdGiven {
    /// Whom candidates can ask.
    pub contact: Option<AdContact>,
    /// The pay.
    pub pay_range: Option<AdPay>,
    /// The last day to apply.
    pub apply_by: Option<Date>,
    /// The form of employment.
    pub contract_type: Option<String>,
    /// Where the work is.
    pub work_place: Option<String>,
    /// The steps of the recruitment.
    pub process_steps: Vec<String>,
    /// What was approved about the company.
    pub approved_company_facts: Vec<CompanyFact>,
    /// Whether adjustments are offered.
    pub accommodation_line: Option<bool>,
    /// Whether every application is welcome.
    pub equal_opportunity_line: Option<bool>,
}

/// A fact about the company.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompanyFact {
    /// The fact as a sentence.
    pub text: String,
    /// Where it comes from: a page, a document, a person.
    pub source: String,
}

/// What the role pays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdPay {
    /// The least; nothing where only the most was said.
    #[serde(default)]
    pub min: Option<u64>,
    /// The most; nothing where only the least was said, the same as the least where one sum was.
    #[serde(default)]
    pub max: Option<u64>,
    /// An ISO 4217 code such as SEK.
    pub currency: String,
    /// What the amount is for.
    #[serde(default)]
    pub period: PayPeriod,
    /// What comes with it, in the recruiter's words: bonus, pension, commission, "gross".
    #[serde(default)]
    pub beside: Vec<String>,
}

/// Whom candidates can ask.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AdContact {
    /// The name.
    pub name: Option<String>,
    /// What the person does.
    pub role: Option<String>,
    /// The address.
    pub email: Option<String>,
    /// The number.
    pub phone: Option<String>,
}

/// A section that was written already.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenSection {
    /// Which.
    pub name: SectionName,
    /// Prose.
    #[serde(default)]
    pub text: String,
    /// Points; three to five responsibilities, the four must-haves word for word.
    #[serde(default)]
    pub points: Vec<String>,
    /// What it rests on: quotations from the sources, word for word, in the language of the source.
    #[serde(default)]
    pub evidence: Vec<AdQuotation>,
}

/// A quotation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdQuotation {
    /// Which source.
    #[serde(default)]
    pub source: Option<Source>,
    /// The words as they stand there.
    pub quote: String,
}

impl JobAdInput {
    /// What the recruiter gave for an earlier version of the ad holds until something else is said. Words of another
    /// language stay there, and so does a day that has passed.
    pub(super) fn keep(&mut self, before: &AdGiven, same_language: bool, today: Date) {
        let Self { contact, pay_range, apply_by, accommodation_line, equal_opportunity_line, .. } = self;
        let day = before.apply_by.filter(|day| *day >= today).map(|day| day.to_string());
        *contact = contact.take().or_else(|| before.contact.clone());
        *pay_range = pay_range.take().or_else(|| before.pay_range.clone());
        *apply_by = apply_by.take().or(day);
        *accommodation_line = accommodation_line.or(before.accommodation_line);
        *equal_opportunity_line = equal_opportunity_line.or(before.equal_opportunity_line);
        if same_language {
            let Self { contract_type, work_place, process_steps, approved_company_facts, .. } = self;
            *contract_type = contract_type.take().or_else(|| before.contract_type.clone());
            *work_place = work_place.take().or_else(|| before.work_place.clone());
            if process_steps.is_empty() {
                process_steps.clone_from(&before.process_steps);
            }
            if approved_company_facts.is_empty() {
                approved_company_facts.clone_from(&before.approved_company_facts);
            }
        }
    }

    /// The same, to be kept with this version.
    pub(super) fn given(&self, apply_by: Option<Date>) -> AdGiven {
        AdGiven {
            contact: self.contact.clone(),
            pay_range: self.pay_range.clone(),
            apply_by,
            contract_type: self.contract_type.clone(),
            work_place: self.work_place.clone(),
            process_steps: self.process_steps.clone(),
            approved_company_facts: self.approved_company_facts.clone(),
            accommodation_line: self.accommodation_line,
            equal_opportunity_line: self.equal_opportunity_line,
        }
    }

    /// A problem for each text that is too long to be read.
    pub(super) fn check_lengths(&self, texts: &Texts) -> Refusal {
        let mut refusal = Refusal::default();
        let contact = self.contact.clone().unwrap_or_default();
        let single = [
            ("startup_notes", &self.startup_notes, MOST_CHARACTERS),
            ("old_job_ad", &self.old_job_ad, MOST_CHARACTERS),
            ("company_context", &self.company_context, MOST_CHARACTERS),
            ("language", &self.language, SHORT),
            ("apply_by", &self.apply_by, SHORT),
            ("contract_type", &self.contract_type, SHORT),
            ("work_place", &self.work_place, SHORT),
            ("contact.name", &contact.name, SHORT),
            ("contact.role", &contact.role, SHORT),
            ("contact.email", &contact.email, SHORT),
            ("contact.phone", &contact.phone, SHORT),
        ];
        for (field, text, most) in single {
            refusal.check_most(field, text.as_deref().unwrap_or_default(), most, texts);
        }
        // A list is as long as all of its parts.
        let facts = self.approved_company_facts.iter().flat_map(|fact| [&fact.text, &fact.source]);
        let written = self.sections.iter().flat_map(|section| {
            let quotes = section.evidence.iter().map(|quotation| &quotation.quote);
            std::iter::once(&section.text).chain(&section.points).chain(quotes)
        });
        let points = self.sections.iter().map(|section| section.points.len() + section.evidence.len());
        let (headlines, intros) = (&self.alternative_headlines, &self.alternative_intros);
        let beside = self.pay_range.iter().flat_map(|pay| &pay.beside);
        let lists: [(&str, String, usize, usize); 8] = [
            ("pay_range.beside", beside.clone().cloned().collect(), beside.count(), 10),
            ("approved_company_facts", facts.cloned().collect(), self.approved_company_facts.len(), 20),
            ("process_steps", self.process_steps.concat(), self.process_steps.len(), 15),
            ("similar_ads", self.similar_ads.concat(), self.similar_ads.len(), 5),
            ("sections", written.cloned().collect(), self.sections.len(), SectionName::ALL.len()),
            ("sections.points", String::new(), points.max().unwrap_or_default(), 40),
            ("alternative_headlines", headlines.concat(), headlines.len(), 10),
            ("alternative_intros", intros.concat(), intros.len(), 10),
        ];
        for (field, text, ..) in &lists {
            refusal.check_length(field, text, texts);
        }
        for (field, _, count, most) in lists {
            refusal.check_count(field, count, most, key!("job_ad.refuse.too_many"), texts);
        }
        refusal
    }

    /// The section of this name that was handed over.
    pub(super) fn written(&self, name: SectionName) -> bool {
        self.sections.iter().any(|section| section.name == name)
    }
}
