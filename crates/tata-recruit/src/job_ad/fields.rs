//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::{JobAdInput, ProofInput};
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Day, Fact, FactSource, Number, Said, Source, Written},
    },
};

impl Asked for JobAdInput {
    const FIELDS: Fields = Fields(&[
        (Source, "startup_notes old_job_ad company_context similar_ads/*"),
        (Fact, "approved_company_facts/*/text"),
        (FactSource, "approved_company_facts/*/source"),
        (Choice, "language german_form choose_headline choose_intro"),
        (Number, "pay_range/{min,max}"),
        (Choice, "pay_range/{currency,period}"),
        (Said, "pay_range/beside/*"),
        (Said, "contact/{name,role,email,phone} process_steps/* contract_type work_place"),
        (Day, "apply_by"),
        (Written, "sections/*/text sections/*/points/* {alternative_headlines,alternative_intros}/*"),
        (Choice, "sections/*/name sections/*/evidence/*/source"),
        (Said, "sections/*/evidence/*/quote"),
    ]);
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
}

impl Asked for ProofInput {
    const FIELDS: Fields = Fields(&[(Choice, "decisions/*/{number,choice}"), (Said, "decisions/*/text")]);
}
