//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::{CandidateInput, CompareInput, ConfirmInput};
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Day, Said, Source, Written},
    },
};

impl Asked for CandidateInput {
    const FIELDS: Fields = Fields(&[
        (Said, "candidate_name candidate_speaker interviewers/* also_known_as/*"),
        (Day, "interview_date"),
        (Source, "transcript candidate_cv"),
        (Choice, "candidate_key language german_form"),
        (Written, "content/{summary,background,risks}/*/text content/{summary,background,risks}/*/quotes/*"),
        (Written, "content/motivation/{explanation,summary} content/motivation/quotes/*"),
        (Written, "content/skills/*/{explanation,summary} content/skills/*/quotes/*"),
        (Choice, "content/motivation/rating content/skills/*/{skill_name,rating}"),
        (Written, "content/practical/{notice_period,start,salary_expectation,location,languages}"),
    ]);
    const ASKS: &'static [Spec] = {
        use FieldKind::{Date, Material, Name, Text};
        use Need::{Always, Never};
        &[
            field("candidate_name", Name, Always),
            field("interview_date", Date, Always),
            field("transcript", Material, Always),
            field("candidate_speaker", Text, Never),
        ]
    };
}

impl Asked for ConfirmInput {
    // What is decided is put to the person, word by word; the reason is their own.
    const FIELDS: Fields =
        Fields(&[(Choice, "candidate_key decisions/*/{about,choice,rating}"), (Said, "decisions/*/reason")]);
}

impl Asked for CompareInput {
    const FIELDS: Fields = Fields(&[(Choice, "candidate_keys/* language german_form")]);
    const ASKS: &'static [Spec] = &[field("candidate_keys", FieldKind::List, Need::Never)];
}
