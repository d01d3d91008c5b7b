//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::HeadhuntingInput;
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Said, Source, Written},
    },
};

impl Grounded for HeadhuntingInput {
    const FIELDS: Fields = Fields(&[
        ("language", Choice),
        ("german_form", Choice),
        ("candidate_name", Said),
        ("candidate_profile", Source),
        ("company_context", Source),
        ("personalization_detail/quote", Said),
        ("value_propositions/based_on", Choice),
        ("value_propositions/en", Written),
        ("value_propositions/sv", Written),
        ("value_propositions/da", Written),
        ("value_propositions/no", Written),
        ("value_propositions/de_du", Written),
        ("value_propositions/de_sie", Written),
        ("messages/*/version", Choice),
        ("messages/*/voice", Choice),
        ("messages/*/text", Written),
        ("messages/*/hook", Written),
        ("messages/*/value_proposition", Written),
        ("messages/*/based_on", Choice),
        ("messages/*/call_to_action", Written),
    ]);
}

impl InLanguage for HeadhuntingInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for HeadhuntingInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::Material;
        use Need::Never;
        &[field("candidate_profile", Material, Never)]
    };
}
