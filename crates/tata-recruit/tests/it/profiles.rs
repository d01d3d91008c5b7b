//! Profiles as recruiters would make them, from pools of native phrases (`pools/<language>.yaml`).

use std::{collections::BTreeMap, sync::OnceLock};

use proptest::prelude::*;
use tata_core::from_yaml;
use tata_recruit::{
    Item, Language, PayPeriod, PayRange, Profile, ProfileStatus, Size, Source, Sources, TeamInfo, Tracer,
    Voice,
};

/// The phrases of one language.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pool {
    pub(crate) titles: Vec<String>,
    pub(crate) skills: Vec<String>,
    pub(crate) responsibilities: Vec<String>,
    pub(crate) good_to_haves: Vec<String>,
    pub(crate) soft_skills: Vec<String>,
    pub(crate) motivations: Vec<String>,
    pub(crate) locations: Vec<String>,
    pub(crate) styles: Vec<String>,
    pub(crate) business_units: Vec<String>,
    pub(crate) missions: Vec<String>,
    pub(crate) challenges: Vec<String>,
}

/// The phrases of a language.
pub(crate) fn pool(language: Language) -> &'static Pool {
    static POOLS: OnceLock<BTreeMap<Language, Pool>> = OnceLock::new();
    let pools = POOLS.get_or_init(|| {
        let read = |language: Language| {
            let path = format!("{}/tests/it/pools/{}.yaml", env!("CARGO_MANIFEST_DIR"), language.code());
            let text = std::fs::read_to_string(&path).unwrap();
            (language, from_yaml(&path, &text).unwrap())
        };
        Language::ALL.into_iter().map(read).collect()
    });
    &pools[&language]
}

/// A complete or sparse profile whose statements are in one language; every statement can be traced.
pub(crate) fn any_profile(language: Language) -> impl Strategy<Value = Profile> {
    let pool = pool(language);
    let some = |from: &'static [String], least: usize, most: usize| {
        proptest::sample::subsequence(from.to_vec(), least..=most.min(from.len())).prop_shuffle()
    };
    let one = |from: &'static [String]| proptest::option::of(proptest::sample::select(from.to_vec()));
    let lists = (
        proptest::sample::select(pool.titles.clone()),
        some(&pool.skills, 4, 4),
        some(&pool.responsibilities, 3, 5),
        some(&pool.good_to_haves, 0, 3),
        some(&pool.soft_skills, 1, 4),
        some(&pool.motivations, 1, 3),
        some(&pool.challenges, 0, 2),
    );
    let facts = (
        proptest::option::of(2_u32..40),
        one(&pool.locations),
        one(&pool.styles),
        one(&pool.business_units),
        one(&pool.missions),
        proptest::option::of((30_u64..60, 1_u64..20)),
    );
    (lists, facts).prop_map(move |((title, skills, tasks, goods, softs, motives, challenges), facts)| {
        let (size, location, style, unit, mission, pay) = facts;
        let mut notes = format!("{title}\n");
        let mut note = |text: &str| notes.push_str(&format!("* {text}\n"));
        [&skills, &tasks, &goods, &softs, &motives, &challenges]
            .into_iter()
            .flatten()
            .for_each(|text| note(text));
        [&location, &style, &unit, &mission].into_iter().flatten().for_each(|text| note(text));
        if let Some(size) = size {
            note(&format!("{size} in the team"));
        }
        if let Some((low, more)) = pay {
            note(&format!("{low}000-{}000 SEK", low + more));
        }
        let sources = Sources::default().with(Source::StartupNotes, Some(&notes));
        let tracer = Tracer::new(&sources);
        let item = |text: &String| tracer.item(text, None).unwrap();
        let items = |texts: &[String]| texts.iter().map(item).collect::<Vec<Item>>();
        Profile {
            country: None,
            position_title: title,
            status: ProfileStatus::Confirmed,
            version: 1,
            voice: Voice::new(language, tata_recruit::GermanForm::Sie),
            content_language: Some(language),
            must_have_skills: items(&skills),
            primary_responsibilities: items(&tasks),
            good_to_haves: items(&goods),
            soft_skills: items(&softs),
            motivations: items(&motives),
            team_info: TeamInfo {
                size: size.map(|people| Size {
                    people,
                    evidence: tracer.find(&format!("{people} in the team"), None).unwrap(),
                }),
                location: location.as_ref().map(item),
                collaboration_style: style.as_ref().map(item),
            },
            bu_description: unit.as_ref().map(item),
            contribution_to_mission: mission.as_ref().map(item),
            performance_measures: Vec::new(),
            dates: Vec::new(),
            process_steps: Vec::new(),
            employment: Vec::new(),
            challenges: items(&challenges),
            pay_range: pay.map(|(low, more)| PayRange {
                min: Some(low * 1000),
                max: Some((low + more) * 1000),
                currency: "SEK".to_owned(),
                period: PayPeriod::Month,
                beside: Vec::new(),
                evidence: tracer.find(&format!("{}000-{}000 SEK", low, low + more), None).unwrap(),
            }),
            collective_agreement: None,
            created_at: "2026-11-15T09:00:00Z".parse().unwrap(),
            sources: sources.clone(),
        }
    })
}

proptest! {
    /// The generator itself keeps its word.
    #[test]
    fn every_statement_can_be_traced(profile in proptest::sample::select(&Language::ALL[..]).prop_flat_map(any_profile)) {
        prop_assert_eq!(profile.must_have_skills.len(), 4);
        prop_assert!(profile.items().all(|item| item.holds(&profile.sources)));
    }
}
