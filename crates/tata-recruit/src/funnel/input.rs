//! What a funnel report is made from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::stage::FunnelStage;
use crate::FormWish;

/// The figures of one recruitment.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    /// The title of the position. Taken from the project when it is left out.
    pub job_title: Option<String>,
    /// How many people are to be hired, at least 1. Ask for it if it is missing.
    pub number_of_positions: Option<u32>,
    /// The hiring manager's name. Ask for it if it is missing.
    pub hiring_manager_name: Option<String>,
    /// Where the position is: one entry per place.
    pub locations: Vec<String>,
    /// People who came by the job ad. Leave out what is not known; 0 means that it was counted and nobody was there.
    #[schemars(skip_serializing_if = "has_no_default")]
    pub attraction: Attraction,
    /// People who were searched for and written to.
    #[schemars(skip_serializing_if = "has_no_default")]
    pub sourcing: Sourcing,
    /// Interviews, tests and offers.
    #[schemars(skip_serializing_if = "has_no_default")]
    pub process: Process,
    /// How many days people spend in each stage.
    #[schemars(skip_serializing_if = "has_no_default")]
    pub time: Time,
    /// Limits that this team uses instead of the built-in ones.
    pub thresholds: Vec<Threshold>,
    /// A table as it was copied from an ATS, LinkedIn or a spreadsheet (comma, semicolon, tab or bar between cells),
    /// unchanged. Do not read numbers out of it yourself: the tool does, and drops names and contact data.
    pub pasted_table: Option<String>,
    /// What names of the table stand for, where the tool asked: the name as it stands in the table, and one of the
    /// answers that were offered (a stage, `days_in_` and a stage, `offers_rejected`, `count_column`, `days_column`,
    /// `ignore` …). Only what the recruiter answered; ask, do not choose yourself.
    pub mapping: BTreeMap<String, String>,
    /// The language of the report: en, sv, da, no or de. Without it, the project's.
    pub language: Option<String>,
    /// How a German report addresses its reader.
    pub german_form: Option<FormWish>,
}

/// People who came by the job ad.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Attraction {
    /// How often the ad was seen.
    pub job_ad_views: Option<u64>,
    /// How often somebody clicked to apply.
    pub apply_clicks: Option<u64>,
    /// How many applications came in.
    pub applications_received: Option<u64>,
    /// How many of them meet the requirements.
    pub qualified_applications: Option<u64>,
}

/// People who were searched for.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sourcing {
    /// How many were found.
    pub candidates_sourced: Option<u64>,
    /// How many were written to.
    pub contacted: Option<u64>,
    /// How many answered at all.
    pub replied: Option<u64>,
    /// How many want to know more.
    pub interested: Option<u64>,
    /// LinkedIn's "accepted": counts as interested.
    pub accepted: Option<u64>,
    /// LinkedIn's "declined": with accepted it makes the replies.
    pub declined: Option<u64>,
}

/// Interviews, tests and offers.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Process {
    /// Screenings by the recruiter.
    pub ta_screenings: Option<u64>,
    /// Interviews with the hiring manager.
    pub hm_interviews: Option<u64>,
    /// Case interviews.
    pub case_interviews: Option<u64>,
    /// Interviews with the team.
    pub team_interviews: Option<u64>,
    /// People who were tested.
    pub tests: Option<u64>,
    /// People whose references were taken.
    pub references: Option<u64>,
    /// Offers that were made.
    pub offers_made: Option<u64>,
    /// Offers that were accepted.
    pub offers_accepted: Option<u64>,
    /// Offers that were declined.
    pub offers_rejected: Option<u64>,
}

/// Days per stage, on average over those who moved on. Decimals are fine.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "as recruiters call it")]
pub struct Time {
    /// Days from publishing to being seen.
    pub job_ad_views: Option<Days>,
    /// Days until the click.
    pub apply_clicks: Option<Days>,
    /// Days until the application.
    pub applications_received: Option<Days>,
    /// Days until it is judged.
    pub qualified_applications: Option<Days>,
    /// Days to find people.
    pub candidates_sourced: Option<Days>,
    /// Days until they are written to.
    pub contacted: Option<Days>,
    /// Days until they answer.
    pub replied: Option<Days>,
    /// Days until they say whether they are interested.
    pub interested: Option<Days>,
    /// Days in the recruiter's screening.
    pub ta_screenings: Option<Days>,
    /// Days until and in the hiring manager's interview.
    pub hm_interviews: Option<Days>,
    /// Days in the case stage.
    pub case_interviews: Option<Days>,
    /// Days in the team stage.
    pub team_interviews: Option<Days>,
    /// Days in testing.
    pub tests: Option<Days>,
    /// Days until the references are taken.
    pub references: Option<Days>,
    /// Days until the offer is made.
    pub offers_made: Option<Days>,
    /// Days until it is accepted.
    pub offers_accepted: Option<Days>,
    /// Days from opening the position to filling it.
    pub time_to_fill: Option<Days>,
}

/// A number of days.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Days(#[schemars(range(min = 0))] f64);

/// Limits of one stage. What is left out stays as it is.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// The stage.
    pub stage: FunnelStage,
    /// Conversion in percent below which it is a serious bottleneck.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    pub high_below: Option<f64>,
    /// Conversion in percent below which it is a bottleneck; not less than `high_below`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    pub medium_below: Option<f64>,
    /// Days above which it is a serious bottleneck.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub high_above_days: Option<f64>,
    /// Days above which it is a bottleneck; not more than `high_above_days`.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub medium_above_days: Option<f64>,
}

/// A schema says nothing about a block that is left out: every field of it is left out.
fn has_no_default<Block>(_: &Block) -> bool {
    true
}

impl Input {
    /// Every block of figures, by its name.
    pub(super) fn blocks(&self) -> Value {
        json!({
            "attraction": self.attraction, "sourcing": self.sourcing, "process": self.process, "time": self.time,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_plain_days_and_no_default_of_a_block() {
        let schema = schemars::schema_for!(Input).to_value();
        for block in ["attraction", "sourcing", "process", "time"] {
            assert_eq!(schema["properties"][block].get("default"), None, "{block}");
        }
        let days = &schema["$defs"]["Time"]["properties"]["tests"];
        assert_eq!(days["description"], "Days in testing.");
        let limit = &schema["$defs"]["Threshold"]["properties"]["high_above_days"];
        let plain = |property: &Value| {
            let mut property = property.as_object().unwrap().clone();
            property.remove("description");
            property
        };
        assert_eq!(plain(days), plain(limit));
    }
}
