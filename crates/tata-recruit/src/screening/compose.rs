//! Questions from native texts, chosen so that the same skill always gets the same ones.

use std::collections::BTreeMap;

use super::{
    Anchors, Question, ScreeningInput, ScreeningTemplate, SkillSet, classify::Class, intro, select::Selection,
};
use crate::{Key, Profile, Texts, Voice, figures, texts::fill};

/// How many follow-ups a must-have gets.
const FOLLOW_UPS: usize = 3;
/// How many follow-ups a good-to-have gets.
const WELCOME_FOLLOW_UPS: usize = 2;
/// What the questions on motivation are about.
const MOTIVATION: [&str; 4] = ["attraction", "next", "view", "drive"];

/// Composes the template, all but its introduction. The hiring manager's has room for notes.
pub(super) fn compose(
    profile: &Profile,
    selection: &Selection,
    input: &ScreeningInput,
    voice: Voice,
    notes: bool,
) -> ScreeningTemplate {
    let texts = Texts::of(voice);
    let mut picker = Picker { texts, used: BTreeMap::new() };
    picker.taken(input);
    let question = |text: String| Question { text, notes_space: notes };

    let motivation: Vec<String> = input.motivation.clone().unwrap_or_else(|| {
        let title = crate::wording::title_in_sentence(bare(&selection.title), voice.language());
        let keys = MOTIVATION.map(|slot| group!("screening.motivation").key(slot));
        keys.into_iter().map(|key| picker.pick(key, &selection.title, 0, &[("title", &title)])).collect()
    });
    let skills = selection
        .skills()
        .map(|(skill, must_have)| {
            let content = profile.content_language;
            let class = Class::of(skill, must_have, content).held_in(voice.language(), content);
            skill_set(skill, must_have, class, input, &mut picker, notes)
        })
        .collect();
    let practical = practical(profile, selection, input, voice, &mut picker);
    let closing = input.closing.clone().unwrap_or_else(|| texts.list(key!("screening.closing")).to_vec());
    ScreeningTemplate {
        position_title: selection.title.clone(),
        is_hm_template: notes,
        voice,
        profile_version: profile.version,
        motivation: motivation.into_iter().map(question).collect(),
        motivation_anchors: anchors(texts, "motivation"),
        skills,
        not_asked: selection.not_asked.clone(),
        additional_areas: selection.areas.clone(),
        practical: practical.into_iter().map(question).collect(),
        closing,
        ..ScreeningTemplate::default()
    }
}

fn skill_set(
    skill: &str,
    must_have: bool,
    mut class: Class,
    input: &ScreeningInput,
    picker: &mut Picker<'_>,
    notes: bool,
) -> SkillSet {
    let texts = picker.texts;
    let mut type_reason = class.reason(texts);
    if let Some(own) = input.skill_types.iter().flatten().find(|own| own.skill == skill) {
        class.skill_type = own.skill_type;
        type_reason = class.with_requirement(&own.reason, texts);
    }
    let style = class.style();
    let own = input.questions.iter().flatten().find(|own| own.skill == skill);
    let own_questions = own.map(|own| (own.main_question.clone(), own.follow_ups.clone()));
    let (main, follow_ups) = own_questions.unwrap_or_else(|| {
        let values = [("skill", bare(skill))];
        let main =
            picker.pick(group!("screening.questions").key(format_args!("{style}.main")), skill, 0, &values);
        let count = if must_have { FOLLOW_UPS } else { WELCOME_FOLLOW_UPS };
        let key = group!("screening.questions").key(format_args!("{style}.follow_ups"));
        let follow_ups = (1..=count).map(|at| picker.pick(key, skill, at, &values)).collect();
        (main, follow_ups)
    });
    let question = |text: String| Question { text, notes_space: notes };
    SkillSet {
        skill_name: skill.to_owned(),
        skill_type: class.skill_type,
        type_reason,
        requirement: class.requirement,
        must_have,
        main_question: question(main),
        follow_ups: follow_ups.into_iter().map(question).collect(),
        anchors: own.and_then(|own| own.anchors.clone()).unwrap_or_else(|| anchors(texts, style)),
    }
}

/// Notice, expectation, place, the further areas, and last the candidate's own questions.
fn practical(
    profile: &Profile,
    selection: &Selection,
    input: &ScreeningInput,
    voice: Voice,
    picker: &mut Picker<'_>,
) -> Vec<String> {
    let texts = picker.texts;
    let own = input.practical.clone().unwrap_or_default();
    let get = |key: Key| texts.get(key).to_owned();
    let salary = || match &profile.pay_range {
        Some(pay) => {
            let same = profile.content_language == Some(voice.language());
            let written = if same { crate::profile::written_whole_pay } else { crate::profile::written_pay };
            let range = written(pay, texts);
            texts.say(key!("screening.practical.salary_range"), &[("range", &range)])
        }
        None => get(key!("screening.practical.salary")),
    };
    let location = || match intro::place(profile, voice.language()) {
        Some(place) => {
            let key = if crate::wording::is_known_place(&place) {
                key!("screening.practical.location_known")
            } else {
                key!("screening.practical.location_listed")
            };
            texts.say(key, &[("place", bare(&place))])
        }
        None => get(key!("screening.practical.location")),
    };
    let mut questions = vec![
        own.notice_period.unwrap_or_else(|| get(key!("screening.practical.notice"))),
        own.salary_expectation.unwrap_or_else(salary),
        own.location.unwrap_or_else(location),
    ];
    let areas = selection.areas.iter();
    questions.extend(areas.map(|area| picker.pick(key!("screening.area"), area, 0, &[("area", bare(area))])));
    let last = || get(key!("screening.practical.own_questions"));
    questions.push(own.candidate_questions.unwrap_or_else(last));
    questions
}

fn anchors(texts: &Texts, style: &str) -> Anchors {
    let get =
        |score: &str| texts.get(group!("screening.anchors").key(format_args!("{style}.{score}"))).to_owned();
    Anchors { one: get("one"), three: get("three"), five: get("five") }
}

/// A value without the stop that the sentence around it sets. The stop of an abbreviation ("o. ä.") belongs to it.
pub(super) fn bare(value: &str) -> &str {
    let bare = value.trim_end_matches(['.', ' ']);
    let last = bare.rsplit([' ', '\u{a0}']).next().unwrap_or_default();
    let abbreviation =
        last.contains('.') || (last.chars().count() <= 2 && last.chars().all(char::is_lowercase));
    match value.get(bare.len()..bare.len() + 1) {
        Some(".") if abbreviation && !last.is_empty() => value.get(..=bare.len()).unwrap_or(bare),
        Some(_) | None => bare,
    }
}

/// Chooses wordings by the skill, and no wording twice as long as there is another.
struct Picker<'a> {
    texts: &'a Texts,
    /// How often each wording was used, whichever list it stands in.
    used: BTreeMap<String, usize>,
}

impl Picker<'_> {
    /// What a model wrote is not asked again.
    fn taken(&mut self, input: &ScreeningInput) {
        for own in input.questions.iter().flatten() {
            for text in own.follow_ups.iter().chain([&own.main_question]) {
                *self.used.entry(text.clone()).or_default() += 1;
            }
        }
    }

    fn pick(&mut self, key: Key, seed: &str, position: usize, values: &[(&str, &str)]) -> String {
        let list = self.texts.list(key);
        let first = usize::try_from(hash(seed, position) % (list.len().max(1) as u64)).unwrap_or(0);
        let order = list.iter().cycle().skip(first).take(list.len());
        // The first of the least used: `min_by_key` keeps the earliest.
        let least = order.min_by_key(|text| self.used.get(*text).copied().unwrap_or(0));
        let Some(text) = least else { return String::new() };
        let times = self.used.entry(text.clone()).or_default();
        *times += 1;
        let filled = fill(text, values);
        // A wording that is used again names what it is about, unless it does so anyway.
        match values.first() {
            Some((_, value)) if *times > 1 && filled == *text => {
                self.texts.say(key!("screening.about"), &[("skill", value), ("question", &filled)])
            }
            Some(_) | None => filled,
        }
    }
}

fn hash(text: &str, position: usize) -> u64 {
    figures::stable_hash(text.bytes().chain(position.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_does_not_change() {
        assert_eq!(hash("", 0), 0xa8c7_f832_281a_39c5);
        assert_ne!(hash("Kubernetes", 0), hash("Kubernetes", 1));
    }

    #[test]
    fn a_stop_stays_where_it_belongs_to_an_abbreviation() {
        for (value, shown) in [
            ("Lean o.ä.", "Lean o.ä."),
            ("Lean o. ä.", "Lean o. ä."),
            ("Erfahrung im Vertrieb. ", "Erfahrung im Vertrieb"),
            ("Klasse B.", "Klasse B"),
            ("...", ""),
            ("ISO 9001 m.m.", "ISO 9001 m.m."),
        ] {
            assert_eq!(bare(value), shown, "{value:?}");
        }
    }

    #[test]
    fn wordings_are_repeated_only_when_there_is_no_other() {
        let texts = Texts::of(Voice::En);
        let key = key!("screening.questions.functional.follow_ups");
        let count = texts.list(key).len();
        let mut picker = Picker { texts, used: BTreeMap::new() };
        let mut seen: Vec<String> =
            (0..count).map(|at| picker.pick(key, "Excel", at, &[("skill", "Excel")])).collect();
        assert!(seen.iter().all(|text| !text.contains("Excel")), "{seen:?}");
        seen.push(picker.pick(key, "Excel", 0, &[("skill", "Excel")]));
        assert!(seen.last().is_some_and(|text| text.contains("Excel")), "{seen:?}");
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count + 1);
    }
}
