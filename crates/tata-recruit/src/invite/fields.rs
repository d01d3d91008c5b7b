//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::InviteInput;
use crate::{
    Project,
    form::{Asked, Known, Need, Spec, choice, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Day, Minutes, Office, Said, Time},
    },
    profile,
};

impl Grounded for InviteInput {
    const FIELDS: Fields = Fields(&[
        ("position_name", Said),
        ("hiring_manager/name", Said),
        ("hiring_manager/title", Said),
        ("hiring_manager/linkedin", Said),
        ("interview_type", Choice),
        ("location_type", Choice),
        ("city", Office),
        ("duration", Minutes),
        ("booking_method", Choice),
        ("date", Day),
        ("weekday", Choice),
        ("time", Time),
        ("time_zone", Choice),
        ("candidate_name", Said),
        ("job_ad_link", Said),
        ("additional_participants/*/name", Said),
        ("additional_participants/*/title", Said),
        ("additional_participants/*/linkedin", Said),
        ("agenda/*", Said),
        ("access_information", Said),
        ("signature", Said),
        ("language", Choice),
        ("german_form", Choice),
    ]);
}

impl InLanguage for InviteInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for InviteInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::{Date, Duration, Name, Text, Time};
        use Need::{Always, If, Never};
        &[
            field("position_name", Text, Always),
            field("candidate_name", Name, Never),
            choice("interview_type", Always, &["ta_screening", "hiring_manager", "case", "team"]),
            choice("location_type", Always, &["teams", "onsite"]),
            choice("city", If("location_type", "onsite"), &["stockholm", "copenhagen", "oslo"]),
            choice("booking_method", Always, &["manual", "jobylon"]),
            field("date", Date, If("booking_method", "manual")),
            field("time", Time, If("booking_method", "manual")),
            field("duration", Duration, Always),
            field("hiring_manager.name", Name, Always),
            field("hiring_manager.title", Text, Never),
        ]
    };

    fn known(project: &Project) -> Known {
        Known { position: profile::position(project).is_some(), ..Known::default() }
    }
}
