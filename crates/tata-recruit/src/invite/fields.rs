//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::InviteInput;
use crate::{
    form::{Asked, Need, Spec, choice, field},
    input::{
        Fields,
        Rule::{Choice, Day, Minutes, Office, Said, Time},
    },
};

impl Asked for InviteInput {
    const FIELDS: Fields = Fields(&[
        (Said, "position_name candidate_name job_ad_link agenda/* access_information signature"),
        (Said, "hiring_manager/{name,title,linkedin} additional_participants/*/{name,title,linkedin}"),
        (Choice, "interview_type location_type booking_method weekday time_zone language german_form"),
        (Office, "city"),
        (Minutes, "duration"),
        (Day, "date"),
        (Time, "time"),
    ]);
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
}
