//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::HeadhuntingInput;
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Source, Written},
    },
};

impl Asked for HeadhuntingInput {
    const FIELDS: Fields = Fields(&[
        (Choice, "language german_form"),
        (Said, "candidate_name personalization_detail/quote"),
        (Source, "candidate_profile company_context"),
        (Written, "value_propositions/{en,sv,da,no,de_du,de_sie}"),
        (Written, "messages/*/{text,hook,value_proposition,call_to_action}"),
        (Choice, "value_propositions/based_on messages/*/{version,voice,based_on}"),
    ]);
    const ASKS: &'static [Spec] = &[field("candidate_profile", FieldKind::Material, Need::Never)];
}
