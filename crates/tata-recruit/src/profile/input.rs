//! What the two tools of the requirement profile are given.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Country, FormWish, Source, Sources};

/// What a requirement profile is made from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProfileInput {
    /// The position, as the recruiter calls it.
    pub position_title: String,
    /// The notes of the start-up meeting: the number of the message, such as m2.
    pub startup_notes: String,
    /// An earlier ad for the role: its number, such as m3.
    pub old_job_ad: Option<String>,
    /// What the hiring manager wrote or said: its number.
    pub hiring_manager_input: Option<String>,
    /// What the recruiter said about the role in this conversation: its number; a source of its own.
    pub recruiter_input: Option<String>,
    /// Lines of the notes that contradict each other and were put to the recruiter, whose choice the rest of this says.
    pub settled_lines: Vec<String>,
    /// The language of the document: en, sv, da, no or de. Leave out for the language of the project.
    pub language: Option<String>,
    /// How a German document addresses people: du, sie or auto.
    pub german_form: Option<FormWish>,
    /// The country of the job, only where the recruiter named it and the place of work does not tell.
    pub country: Option<Country>,
    /// Must-haves you found, quoted word by word from the sources. Leave out to let them be read from the sources. What
    /// cannot be found in a source is refused, so never rephrase and never add one.
    pub must_haves: Option<Vec<Said>>,
    /// Which four, if there are more than four must-haves: the text of each, or its number in the list you were given.
    /// The recruiter chooses, not you; the others become good-to-haves.
    pub chosen_must_haves: Option<Vec<String>>,
    /// Tasks you found, quoted word by word; at most five per source.
    pub responsibilities: Option<Vec<Said>>,
    /// Good-to-haves you found, quoted word by word.
    pub good_to_haves: Option<Vec<Said>>,
    /// Personal qualities you found, quoted word by word.
    pub soft_skills: Option<Vec<Said>>,
    /// Reasons to want the role you found, quoted word by word.
    pub motivations: Option<Vec<Said>>,
    /// How success is measured, quoted word by word.
    pub performance_measures: Option<Vec<Said>>,
    /// What is hard about the role, quoted word by word.
    pub challenges: Option<Vec<Said>>,
    /// When the work begins and until when to apply, quoted word by word.
    pub dates: Option<Vec<Said>>,
    /// The steps of the recruitment in their order, quoted word by word.
    pub process_steps: Option<Vec<Said>>,
    /// The form of employment and its hours, quoted word by word.
    pub employment: Option<Vec<Said>>,
    /// What the recruiter adds in this conversation, in the recruiter's own words.
    pub enrichments: Enrichments,
    /// Make a new profile although a confirmed one exists. Only when the recruiter said so.
    pub replace: bool,
}

impl ProfileInput {
    /// The texts that came with it.
    pub(super) fn sources(&self) -> Sources {
        Sources::default()
            .with(Source::StartupNotes, Some(&self.startup_notes))
            .with(Source::HiringManagerInput, self.hiring_manager_input.as_deref())
            .with(Source::OldJobAd, self.old_job_ad.as_deref())
            .with(Source::RecruiterInput, self.recruiter_input.as_deref())
    }
}

/// A quotation from a source.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Said {
    /// The words as they stand in the source.
    pub text: String,
    /// Which source; leave out to search them all.
    pub source: Option<Source>,
}

/// What the recruiter adds: each a statement in the recruiter's own words, kept as such.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Enrichments {
    /// Must-haves the recruiter names in addition to those in the sources.
    pub must_haves: Vec<String>,
    /// Tasks the recruiter names in addition.
    pub responsibilities: Vec<String>,
    /// What the role adds to the company's mission.
    pub contribution_to_mission: Option<String>,
    /// The team.
    pub team: TeamWish,
    /// What the business unit is and does.
    pub business_unit: Option<String>,
    /// How success is measured.
    pub performance_measures: Vec<String>,
    /// What is hard about the role.
    pub challenges: Vec<String>,
    /// When the work begins, and until when to apply.
    pub dates: Vec<String>,
    /// The steps of the recruitment.
    pub process_steps: Vec<String>,
    /// The form of employment, and its hours.
    pub employment: Vec<String>,
    /// Welcome, not required.
    pub nice_to_haves: Vec<String>,
    /// Personal qualities.
    pub soft_skills: Vec<String>,
    /// Why somebody would want the role.
    pub motivations: Vec<String>,
    /// The pay as the recruiter says it, with its ends, currency and period, and what comes with it: "45 000-52 000 SEK per month".
    pub pay_range: Option<String>,
    /// The collective agreement.
    pub collective_agreement: Option<String>,
}

/// The team, in the recruiter's own words.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamWish {
    /// How many people.
    pub size: Option<u32>,
    /// Where.
    pub location: Option<String>,
    /// How they work together.
    pub collaboration_style: Option<String>,
}

/// An explicit change of a profile, or the recruiter's yes to it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProfileEdit {
    /// The recruiter said that this is the right profile.
    pub confirm: bool,
    /// What the recruiter said: the number of the message. Whatever is added must stand in it or in an earlier source.
    pub recruiter_input: Option<String>,
    /// A new title.
    pub position_title: Option<String>,
    /// Changes of the four must-haves; afterwards there must be four again.
    pub must_haves: ListEdit,
    /// Changes of the tasks.
    pub responsibilities: ListEdit,
    /// Changes of the good-to-haves.
    pub good_to_haves: ListEdit,
    /// Changes of the personal qualities.
    pub soft_skills: ListEdit,
    /// Changes of the reasons to want the role.
    pub motivations: ListEdit,
    /// Changes of how success is measured.
    pub performance_measures: ListEdit,
    /// Changes of what is hard.
    pub challenges: ListEdit,
    /// Changes of the dates.
    pub dates: ListEdit,
    /// Changes of the steps of the recruitment.
    pub process_steps: ListEdit,
    /// Changes of the form of employment and its hours.
    pub employment: ListEdit,
    /// A new team; what is left out stays.
    pub team: TeamWish,
    /// A new description of the business unit.
    pub business_unit: Option<String>,
    /// What the role adds to the mission.
    pub contribution_to_mission: Option<String>,
    /// A new pay as the recruiter says it: "45 000-52 000 SEK per month".
    pub pay_range: Option<String>,
    /// The collective agreement.
    pub collective_agreement: Option<String>,
    /// The country of the job, as the recruiter named it.
    pub country: Option<Country>,
}

/// A change of one list. Removing comes first, then replacing, then adding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ListEdit {
    /// New statements, in the recruiter's own words.
    pub add: Vec<String>,
    /// Statements that go: the text, or the number in the list.
    pub remove: Vec<String>,
    /// Statements that change.
    pub replace: Vec<Replacement>,
}

/// One statement for another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Replacement {
    /// The text that goes, or its number in the list.
    pub old: String,
    /// The text that comes, in the recruiter's own words.
    pub new: String,
    /// The part of the statement that goes, as it stands there, if the rest stays: "5 years".
    pub part: Option<String>,
}
