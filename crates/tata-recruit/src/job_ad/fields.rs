//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::{JobAdInput, ProofInput};
use crate::{
    Project,
    form::{Asked, Known, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Day, Fact, FactSource, Number, Said, Source, Written},
    },
    profile,
};

impl Grounded for JobAdInput {
    const FIELDS: Fields = Fields(&[
        ("startup_notes", Source),
        ("old_job_ad", Source),
        ("company_context", Source),
        ("approved_company_facts/*/text", Fact),
        ("approved_company_facts/*/source", FactSource),
        ("language", Choice),
        ("german_form", Choice),
        ("pay_range/min", Number),
        ("pay_range/max", Number),
        ("pay_range/currency", Choice),
        ("pay_range/period", Choice),
        ("contact/name", Said),
        ("contact/role", Said),
        ("contact/email", Said),
        ("contact/phone", Said),
        ("apply_by", Day),
        ("process_steps/*", Said),
        ("contract_type", Said),
        ("work_place", Said),
        ("choose_headline", Choice),
        ("choose_intro", Choice),
        ("similar_ads/*", Source),
        ("sections/*/name", Choice),
        ("sections/*/text", Written),
        ("sections/*/points/*", Written),
        ("sections/*/evidence/*/source", Choice),
        ("sections/*/evidence/*/quote", Said),
        ("alternative_headlines/*", Written),
        ("alternative_intros/*", Written),
    ]);
}

impl InLanguage for JobAdInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for JobAdInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::{Date, Email, Money, Name, Text};
        use Need::Never;
        &[
            field("apply_by", Date, Never),
            field("contact.name", Name, Never),
            field("contact.email", Email, Never),
            field("contract_type", Text, Never),
            field("work_place", Text, Never),
            field("pay_range", Money, Never),
        ]
    };

    fn known(project: &Project) -> Known {
        let pay = profile::of(project).is_some_and(|profile| profile.pay_range.is_some());
        Known { pay, ..Known::default() }
    }
}

impl Grounded for ProofInput {
    const FIELDS: Fields =
        Fields(&[("decisions/*/number", Choice), ("decisions/*/choice", Choice), ("decisions/*/text", Said)]);
}

impl InLanguage for ProofInput {}

impl Asked for ProofInput {}
