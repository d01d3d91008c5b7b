//! The ten lists of a profile and its single statements, each said once: in a document, in what a tool is given and in
//! what is changed they stand in the same order.

use tata_guided::sort::Place;

use super::{
    Enrichments, ListEdit, Profile, ProfileEdit, ProfileInput,
    input::{Said, TeamWish},
};
use crate::Item;

/// One of the lists.
pub struct List {
    /// What the stored document calls it.
    pub stored: &'static str,
    /// What the tools call it.
    pub name: &'static str,
    /// What it is called where the recruiter adds to it.
    pub(crate) enriched: &'static str,
    /// The place of a line of notes that goes there.
    pub place: Place,
}

const fn list(stored: &'static str, name: &'static str, place: Place) -> List {
    List { stored, name, enriched: name, place }
}

/// All of them; the must-haves first.
pub const LISTS: [List; 10] = [
    list("must_have_skills", "must_haves", Place::Must),
    list("primary_responsibilities", "responsibilities", Place::Task),
    List { enriched: "nice_to_haves", ..list("good_to_haves", "good_to_haves", Place::Good) },
    list("soft_skills", "soft_skills", Place::Trait),
    list("motivations", "motivations", Place::Reason),
    list("performance_measures", "performance_measures", Place::Measure),
    list("challenges", "challenges", Place::Challenge),
    list("dates", "dates", Place::Date),
    list("process_steps", "process_steps", Place::Process),
    list("employment", "employment", Place::Employment),
];

/// Something for each list, in the order of [`LISTS`].
pub(crate) type Lists<T> = [T; LISTS.len()];

/// Each with its list.
pub(crate) fn named<T>(lists: Lists<T>) -> impl Iterator<Item = (&'static List, T)> {
    LISTS.iter().zip(lists)
}

impl Profile {
    /// Its lists.
    pub fn lists(&self) -> Lists<&Vec<Item>> {
        [
            &self.must_have_skills,
            &self.primary_responsibilities,
            &self.good_to_haves,
            &self.soft_skills,
            &self.motivations,
            &self.performance_measures,
            &self.challenges,
            &self.dates,
            &self.process_steps,
            &self.employment,
        ]
    }

    pub(crate) fn lists_mut(&mut self) -> Lists<&mut Vec<Item>> {
        [
            &mut self.must_have_skills,
            &mut self.primary_responsibilities,
            &mut self.good_to_haves,
            &mut self.soft_skills,
            &mut self.motivations,
            &mut self.performance_measures,
            &mut self.challenges,
            &mut self.dates,
            &mut self.process_steps,
            &mut self.employment,
        ]
    }

    /// Its single statements, with their names in the document.
    pub(crate) fn singles(&self) -> [(&'static str, &Option<Item>); 5] {
        [
            ("team_info.location", &self.team_info.location),
            ("team_info.collaboration_style", &self.team_info.collaboration_style),
            ("bu_description", &self.bu_description),
            ("contribution_to_mission", &self.contribution_to_mission),
            ("collective_agreement", &self.collective_agreement),
        ]
    }

    pub(super) fn singles_mut(&mut self) -> [&mut Option<Item>; 5] {
        [
            &mut self.team_info.location,
            &mut self.team_info.collaboration_style,
            &mut self.bu_description,
            &mut self.contribution_to_mission,
            &mut self.collective_agreement,
        ]
    }

    /// Every statement it makes.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.lists().into_iter().flatten().chain(self.singles().into_iter().flat_map(|(_, item)| item))
    }
}

impl ProfileInput {
    /// What was handed over.
    pub(super) fn lists(&self) -> Lists<Option<&Vec<Said>>> {
        [
            self.must_haves.as_ref(),
            self.responsibilities.as_ref(),
            self.good_to_haves.as_ref(),
            self.soft_skills.as_ref(),
            self.motivations.as_ref(),
            self.performance_measures.as_ref(),
            self.challenges.as_ref(),
            self.dates.as_ref(),
            self.process_steps.as_ref(),
            self.employment.as_ref(),
        ]
    }
}

impl Enrichments {
    /// What is added, each list with its own name.
    pub(super) fn lists(&self) -> Lists<(&'static str, &[String])> {
        [
            ("must_haves", &self.must_haves),
            ("responsibilities", &self.responsibilities),
            ("nice_to_haves", &self.nice_to_haves),
            ("soft_skills", &self.soft_skills),
            ("motivations", &self.motivations),
            ("performance_measures", &self.performance_measures),
            ("challenges", &self.challenges),
            ("dates", &self.dates),
            ("process_steps", &self.process_steps),
            ("employment", &self.employment),
        ]
    }

    /// Its single statements.
    pub(super) fn singles(&self) -> Singles<'_> {
        let Self { business_unit, contribution_to_mission, collective_agreement, pay_range, .. } = self;
        singles(&self.team, [business_unit, contribution_to_mission, collective_agreement, pay_range])
    }

    /// All of them: the name, the place in a list, the words.
    pub(super) fn statements(&self) -> impl Iterator<Item = (&'static str, Option<usize>, &str)> {
        let lists = self.lists().into_iter().flat_map(|(name, all)| {
            all.iter().enumerate().map(move |(at, text)| (name, Some(at), text.as_str()))
        });
        lists.chain(self.singles().map(|(name, text)| (name, None, text)))
    }
}

impl ProfileEdit {
    /// The changes of the lists.
    pub(super) fn lists(&self) -> Lists<&ListEdit> {
        [
            &self.must_haves,
            &self.responsibilities,
            &self.good_to_haves,
            &self.soft_skills,
            &self.motivations,
            &self.performance_measures,
            &self.challenges,
            &self.dates,
            &self.process_steps,
            &self.employment,
        ]
    }

    /// Its single statements.
    pub(super) fn singles(&self) -> Singles<'_> {
        let Self { business_unit, contribution_to_mission, collective_agreement, pay_range, .. } = self;
        singles(&self.team, [business_unit, contribution_to_mission, collective_agreement, pay_range])
    }
}

/// Single statements as the tools name them, in the order of those of a profile, and behind them the pay; empty where
/// nothing was said.
type Singles<'a> = [(&'static str, &'a str); 6];

fn singles<'a>(team: &'a TeamWish, [unit, mission, agreement, pay]: [&'a Option<String>; 4]) -> Singles<'a> {
    [
        ("team/location", &team.location),
        ("team/collaboration_style", &team.collaboration_style),
        ("business_unit", unit),
        ("contribution_to_mission", mission),
        ("collective_agreement", agreement),
        ("pay_range", pay),
    ]
    .map(|(field, text)| (field, text.as_deref().unwrap_or_default()))
}
