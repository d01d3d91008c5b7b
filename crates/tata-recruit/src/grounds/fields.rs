//! What each field of a tool's input is: a text somebody brought, a statement, a choice.

use self::Rule::{Choice, Day, Fact, FactSource, Minutes, Number, Office, Pick, Said, Source, Time, Written};

/// How a field is held against what people brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A text that somebody brought: by its number (m4), or word for word.
    Source,
    /// A statement in somebody's own words.
    Said,
    /// A fact about the company: in somebody's own words, or word for word in a passage that a search brought. A person
    /// decides about it.
    Fact,
    /// Where such a fact stands.
    FactSource,
    /// A choice that is the person's: named by them, in words or by its number.
    Pick,
    /// A number that somebody named.
    Number,
    /// A day that somebody named, as YYYY-MM-DD.
    Day,
    /// A time of day that somebody named, as HH:MM.
    Time,
    /// A length that somebody named, in minutes.
    Minutes,
    /// A city with an office, by any of its names.
    Office,
    /// Written by the model; the module checks every sentence of it itself.
    Written,
    /// A switch, a language, a key of something that is stored: it says nothing about anybody.
    Choice,
}

/// The fields of an input by their paths, `*` for any place in a list. What is not named must have been said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields(pub(crate) &'static [(&'static str, Rule)]);

impl Fields {
    /// The rule of a path such as `must_haves/0/text`.
    pub(crate) fn rule(&self, path: &str) -> Rule {
        self.find(path).unwrap_or(Said)
    }

    fn find(&self, path: &str) -> Option<Rule> {
        let named = |pattern: &str| {
            // The names in a table are whatever somebody called them.
            if let Some(start) = pattern.strip_suffix("**") {
                return path.starts_with(start);
            }
            let mut parts = path.split('/');
            let mut whole = pattern.split('/').all(|wanted| {
                parts.next().is_some_and(|part| {
                    wanted == part || wanted == "*" && part.bytes().all(|byte| byte.is_ascii_digit())
                })
            });
            whole &= parts.next().is_none();
            whole
        };
        self.0.iter().find(|(pattern, _)| named(pattern)).map(|(_, rule)| *rule)
    }
}

/// An input whose fields are known.
pub(crate) trait Grounded {
    /// Its fields.
    const FIELDS: Fields;
}

impl Grounded for crate::SettingsInput {
    const FIELDS: Fields = Fields(&[("language", Choice), ("german_form", Choice), ("position_name", Said)]);
}

impl Grounded for crate::ProfileInput {
    const FIELDS: Fields = Fields(&[
        ("position_title", Said),
        ("startup_notes", Source),
        ("old_job_ad", Source),
        ("hiring_manager_input", Source),
        ("recruiter_input", Source),
        ("language", Choice),
        ("german_form", Choice),
        ("must_haves/*/text", Said),
        ("must_haves/*/source", Choice),
        ("chosen_must_haves/*", Pick),
        ("responsibilities/*/text", Said),
        ("responsibilities/*/source", Choice),
        ("good_to_haves/*/text", Said),
        ("good_to_haves/*/source", Choice),
        ("soft_skills/*/text", Said),
        ("soft_skills/*/source", Choice),
        ("motivations/*/text", Said),
        ("motivations/*/source", Choice),
        ("performance_measures/*/text", Said),
        ("performance_measures/*/source", Choice),
        ("challenges/*/text", Said),
        ("challenges/*/source", Choice),
        ("enrichments/must_haves/*", Said),
        ("enrichments/responsibilities/*", Said),
        ("enrichments/contribution_to_mission", Said),
        ("enrichments/team/size", Number),
        ("enrichments/team/location", Said),
        ("enrichments/team/collaboration_style", Said),
        ("enrichments/business_unit", Said),
        ("enrichments/performance_measures/*", Said),
        ("enrichments/challenges/*", Said),
        ("enrichments/nice_to_haves/*", Said),
        ("enrichments/soft_skills/*", Said),
        ("enrichments/motivations/*", Said),
        ("enrichments/pay_range", Said),
        ("enrichments/collective_agreement", Said),
    ]);
}

impl Grounded for crate::ProfileEdit {
    const FIELDS: Fields = Fields(&[
        ("recruiter_input", Source),
        ("position_title", Said),
        ("must_haves/add/*", Said),
        ("must_haves/remove/*", Choice),
        ("must_haves/replace/*/old", Choice),
        ("must_haves/replace/*/new", Said),
        ("must_haves/replace/*/part", Choice),
        ("responsibilities/add/*", Said),
        ("responsibilities/remove/*", Choice),
        ("responsibilities/replace/*/old", Choice),
        ("responsibilities/replace/*/new", Said),
        ("responsibilities/replace/*/part", Choice),
        ("good_to_haves/add/*", Said),
        ("good_to_haves/remove/*", Choice),
        ("good_to_haves/replace/*/old", Choice),
        ("good_to_haves/replace/*/new", Said),
        ("good_to_haves/replace/*/part", Choice),
        ("soft_skills/add/*", Said),
        ("soft_skills/remove/*", Choice),
        ("soft_skills/replace/*/old", Choice),
        ("soft_skills/replace/*/new", Said),
        ("soft_skills/replace/*/part", Choice),
        ("motivations/add/*", Said),
        ("motivations/remove/*", Choice),
        ("motivations/replace/*/old", Choice),
        ("motivations/replace/*/new", Said),
        ("motivations/replace/*/part", Choice),
        ("performance_measures/add/*", Said),
        ("performance_measures/remove/*", Choice),
        ("performance_measures/replace/*/old", Choice),
        ("performance_measures/replace/*/new", Said),
        ("performance_measures/replace/*/part", Choice),
        ("challenges/add/*", Said),
        ("challenges/remove/*", Choice),
        ("challenges/replace/*/old", Choice),
        ("challenges/replace/*/new", Said),
        ("challenges/replace/*/part", Choice),
        ("team/size", Number),
        ("team/location", Said),
        ("team/collaboration_style", Said),
        ("business_unit", Said),
        ("contribution_to_mission", Said),
        ("pay_range", Said),
        ("collective_agreement", Said),
    ]);
}

impl Grounded for crate::JobAdInput {
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

impl Grounded for crate::ProofInput {
    const FIELDS: Fields =
        Fields(&[("decisions/*/number", Choice), ("decisions/*/choice", Choice), ("decisions/*/text", Said)]);
}

impl Grounded for crate::RewordInput {
    const FIELDS: Fields =
        Fields(&[("changes/*/old", Choice), ("changes/*/new", Said), ("changes/*/number", Choice)]);
}

impl Grounded for crate::ScreeningInput {
    const FIELDS: Fields = Fields(&[
        ("skills_to_include/*", Choice),
        ("additional_areas/*", Said),
        ("language", Choice),
        ("german_form", Choice),
        ("skill_types/*/skill", Choice),
        ("skill_types/*/type", Choice),
        ("skill_types/*/reason", Written),
        ("questions/*/skill", Choice),
        ("questions/*/main_question", Written),
        ("questions/*/follow_ups/*", Written),
        ("questions/*/anchors/1", Written),
        ("questions/*/anchors/3", Written),
        ("questions/*/anchors/5", Written),
        ("motivation/*", Written),
        ("practical/notice_period", Written),
        ("practical/salary_expectation", Written),
        ("practical/location", Written),
        ("practical/candidate_questions", Written),
        ("closing/*", Written),
    ]);
}

impl Grounded for crate::HeadhuntingInput {
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

impl Grounded for crate::CandidateInput {
    const FIELDS: Fields = Fields(&[
        ("candidate_name", Said),
        ("interview_date", Day),
        ("transcript", Source),
        ("candidate_cv", Source),
        ("candidate_speaker", Said),
        ("interviewers/*", Said),
        ("also_known_as/*", Said),
        ("candidate_key", Choice),
        ("language", Choice),
        ("german_form", Choice),
        ("content/summary/*/text", Written),
        ("content/summary/*/quotes/*", Written),
        ("content/background/*/text", Written),
        ("content/background/*/quotes/*", Written),
        ("content/motivation/rating", Choice),
        ("content/motivation/explanation", Written),
        ("content/motivation/summary", Written),
        ("content/motivation/quotes/*", Written),
        ("content/skills/*/skill_name", Choice),
        ("content/skills/*/rating", Choice),
        ("content/skills/*/explanation", Written),
        ("content/skills/*/summary", Written),
        ("content/skills/*/quotes/*", Written),
        ("content/practical/notice_period", Written),
        ("content/practical/salary_expectation", Written),
        ("content/practical/location", Written),
        ("content/practical/languages", Written),
        ("content/risks/*/text", Written),
        ("content/risks/*/quotes/*", Written),
    ]);
}

impl Grounded for crate::ConfirmInput {
    // What is decided is put to the person, word by word; the reason is their own.
    const FIELDS: Fields = Fields(&[
        ("candidate_key", Choice),
        ("decisions/*/about", Choice),
        ("decisions/*/choice", Choice),
        ("decisions/*/rating", Choice),
        ("decisions/*/reason", Said),
    ]);
}

impl Grounded for crate::CompareInput {
    const FIELDS: Fields =
        Fields(&[("candidate_keys/*", Choice), ("language", Choice), ("german_form", Choice)]);
}

impl Grounded for crate::FunnelInput {
    const FIELDS: Fields = Fields(&[
        ("job_title", Said),
        ("number_of_positions", Number),
        ("hiring_manager_name", Said),
        ("locations/*", Said),
        ("attraction/job_ad_views", Number),
        ("attraction/apply_clicks", Number),
        ("attraction/applications_received", Number),
        ("attraction/qualified_applications", Number),
        ("sourcing/candidates_sourced", Number),
        ("sourcing/contacted", Number),
        ("sourcing/replied", Number),
        ("sourcing/interested", Number),
        ("sourcing/accepted", Number),
        ("sourcing/declined", Number),
        ("process/ta_screenings", Number),
        ("process/hm_interviews", Number),
        ("process/case_interviews", Number),
        ("process/team_interviews", Number),
        ("process/tests", Number),
        ("process/references", Number),
        ("process/offers_made", Number),
        ("process/offers_accepted", Number),
        ("process/offers_rejected", Number),
        ("time/job_ad_views", Number),
        ("time/apply_clicks", Number),
        ("time/applications_received", Number),
        ("time/qualified_applications", Number),
        ("time/candidates_sourced", Number),
        ("time/contacted", Number),
        ("time/replied", Number),
        ("time/interested", Number),
        ("time/ta_screenings", Number),
        ("time/hm_interviews", Number),
        ("time/case_interviews", Number),
        ("time/team_interviews", Number),
        ("time/tests", Number),
        ("time/references", Number),
        ("time/offers_made", Number),
        ("time/offers_accepted", Number),
        ("time/time_to_fill", Number),
        ("thresholds/*/stage", Choice),
        ("thresholds/*/high_below", Number),
        ("thresholds/*/medium_below", Number),
        ("thresholds/*/high_above_days", Number),
        ("thresholds/*/medium_above_days", Number),
        ("pasted_table", Source),
        ("mapping/**", Choice),
        ("language", Choice),
        ("german_form", Choice),
    ]);
}

impl Grounded for crate::JobAdReviewInput {
    const FIELDS: Fields = Fields(&[
        ("job_ad_text", Source),
        ("language", Choice),
        ("position_title", Said),
        ("explain_in", Choice),
    ]);
}

impl Grounded for crate::DiReviewInput {
    const FIELDS: Fields = Fields(&[
        ("job_ad_text", Source),
        ("language", Choice),
        ("position_title", Said),
        ("explain_in", Choice),
        ("title_form", Choice),
    ]);
}

impl Grounded for crate::DecideInput {
    const FIELDS: Fields = Fields(&[
        ("accept/*/finding", Choice),
        ("accept/*/alternative", Choice),
        ("accept/*/text", Said),
        ("ignore/*", Choice),
    ]);
}

impl Grounded for crate::InviteInput {
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

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::Value;

    use super::*;

    /// The paths of everything in a schema that can hold words or numbers.
    fn leaves(schema: &Value, root: &Value, path: &str, out: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let target = name.trim_start_matches("#/$defs/");
            return leaves(&root["$defs"][target], root, path, out);
        }
        let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        for variants in ["anyOf", "oneOf", "allOf"] {
            for variant in schema[variants].as_array().into_iter().flatten() {
                leaves(variant, root, path, out);
            }
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            leaves(member, root, &join(name), out);
        }
        if schema["items"].is_object() {
            leaves(&schema["items"], root, &join("*"), out);
        }
        if schema["additionalProperties"].is_object() {
            leaves(&schema["additionalProperties"], root, &join("**"), out);
        }
        let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
        if kinds.iter().any(|kind| matches!(kind.as_str(), Some("string" | "number" | "integer"))) {
            out.push(path.to_owned());
        }
    }

    fn check<Input: Grounded + JsonSchema>() {
        let schema = schemars::schema_for!(Input).to_value();
        let mut paths = Vec::new();
        leaves(&schema, &schema, "", &mut paths);
        assert!(!paths.is_empty());
        for path in &paths {
            let one = path.replace('*', "0");
            assert!(
                Input::FIELDS.find(&one).is_some(),
                "{path} of {} has no rule",
                std::any::type_name::<Input>()
            );
        }
        for (pattern, _) in Input::FIELDS.0 {
            assert!(
                paths.iter().any(|path| path == pattern),
                "{pattern} is no field of {}",
                std::any::type_name::<Input>()
            );
        }
    }

    /// A new field cannot slip in without a rule (A8.2).
    #[test]
    fn every_field_of_every_tool_has_its_rule() {
        check::<crate::SettingsInput>();
        check::<crate::ProfileInput>();
        check::<crate::ProfileEdit>();
        check::<crate::JobAdInput>();
        check::<crate::ProofInput>();
        check::<crate::RewordInput>();
        check::<crate::ScreeningInput>();
        check::<crate::HeadhuntingInput>();
        check::<crate::CandidateInput>();
        check::<crate::ConfirmInput>();
        check::<crate::CompareInput>();
        check::<crate::FunnelInput>();
        check::<crate::JobAdReviewInput>();
        check::<crate::DiReviewInput>();
        check::<crate::DecideInput>();
        check::<crate::InviteInput>();
    }
}
