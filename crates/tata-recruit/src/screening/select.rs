//! Which skills and areas get questions: only what the profile has, and nothing private.

use tata_core::near;

use super::{ScreeningInput, protected::protected};
use crate::{
    MUST_HAVES, Notice, Profile, Refusal, Texts,
    clip::{self, clipped},
    document::listed,
    same,
    skills::Words,
    tidy,
};

/// The most further areas; each is a question of several minutes.
pub const MOST_AREAS: usize = 10;
/// The most good-to-haves in one interview.
pub(super) const MOST_GOOD_TO_HAVES: usize = 10;
/// The most characters of a title, a skill or an area that still fit into a spoken question.
const MOST_SKILL_CHARACTERS: usize = 300;
/// The most entries of a list that are read at all.
const MOST_ENTRIES: usize = 100;

/// What the template is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// The position.
    pub(super) title: String,
    /// Must-haves with questions, in the order of the profile.
    pub(super) must_haves: Vec<String>,
    /// Must-haves without.
    pub(super) not_asked: Vec<String>,
    /// Good-to-haves with questions.
    pub(super) good_to_haves: Vec<String>,
    /// Further areas.
    pub(super) areas: Vec<String>,
    /// What the recruiter should know.
    pub(super) notices: Vec<Notice>,
}

impl Selection {
    /// Every skill with questions, and whether it is a must-have.
    pub(super) fn skills(&self) -> impl Iterator<Item = (&str, bool)> {
        let must = self.must_haves.iter().map(|skill| (skill.as_str(), true));
        must.chain(self.good_to_haves.iter().map(|skill| (skill.as_str(), false)))
    }

    /// The skill that is meant.
    pub(super) fn find(&self, wish: &str) -> Option<(&str, bool)> {
        self.skills().find(|(skill, _)| same(skill, wish))
    }
}

/// Chooses the skills and areas, or says what is wrong with the choice.
pub(super) fn select(input: &ScreeningInput, profile: &Profile, texts: &Texts) -> Result<Selection, Refusal> {
    let mut refusal = Refusal::default();
    let names = |items: &[crate::Item]| -> Vec<String> {
        items.iter().map(|item| tidy(&item.text)).filter(|name| !name.is_empty()).collect()
    };
    let must_haves = names(&profile.must_have_skills);
    let mut welcome = names(&profile.good_to_haves);
    let mut selection = Selection { title: tidy(&profile.position_title), ..Selection::default() };
    if selection.title.is_empty() {
        add(&mut refusal, "position_title", "no_title", &[], texts);
    }
    refusal.check_most("position_title", &selection.title, MOST_SKILL_CHARACTERS, texts);
    if must_haves.len() < MUST_HAVES {
        let count = [("count", &*must_haves.len().to_string())];
        add(&mut refusal, "must_have_skills", "few_must_haves", &count, texts);
    }
    refusal.or_ok()?;

    let mut refusal = Refusal::default();
    check_twice(&must_haves, &mut refusal, &mut selection.notices, texts);
    drop_known(&mut welcome, &must_haves, input, &mut selection.notices, texts);
    let choice = wishes(input, &must_haves, &welcome, &mut refusal, texts);
    let wanted = |skill: &String| choice.as_ref().is_none_or(|choice| choice.contains(skill));
    let picked: Vec<String> =
        welcome.iter().filter(|skill| choice.is_some() && wanted(skill)).cloned().collect();
    selection.good_to_haves = match (picked.is_empty(), input.include_good_to_haves) {
        (false, _) => picked,
        (true, true) => welcome,
        (true, false) => Vec::new(),
    };
    if input.include_good_to_haves && selection.good_to_haves.is_empty() {
        let key = "screening.notice.no_good_to_haves";
        selection.notices.push(Notice::say("include_good_to_haves", texts, key, &[]));
    }
    (selection.must_haves, selection.not_asked) = must_haves.into_iter().partition(wanted);
    let count = selection.good_to_haves.len();
    if count > MOST_GOOD_TO_HAVES {
        let values = [("count", &*count.to_string()), ("most", &*MOST_GOOD_TO_HAVES.to_string())];
        add(&mut refusal, "include_good_to_haves", "many_good_to_haves", &values, texts);
    }
    for (skill, _) in selection.skills() {
        check_topic(&mut refusal, "skills_to_include", "long_skill", skill, texts);
    }
    selection.areas = areas(input, &mut refusal, texts);
    refusal.or_ok()?;

    if !selection.not_asked.is_empty() {
        let skills = [("skills", &*listed(&selection.not_asked, texts))];
        let notice = Notice::say("skills_to_include", texts, "screening.notice.not_asked", &skills);
        selection.notices.push(notice);
    }
    Ok(selection)
}

/// A problem from the texts, with its way out.
pub(super) fn add(refusal: &mut Refusal, field: &str, key: &str, values: &[(&str, &str)], texts: &Texts) {
    refusal.say(field, texts, &format!("screening.refusal.{key}"), values);
}

/// The beginning of a text, to recognize it by.
pub(super) fn start(text: &str) -> String {
    clipped(&tidy(clip::start(text, 400)), 60)
}

/// The skills that are named, as the profile writes them; nothing if nobody chose.
fn wishes(
    input: &ScreeningInput,
    must_haves: &[String],
    welcome: &[String],
    refusal: &mut Refusal,
    texts: &Texts,
) -> Option<Vec<String>> {
    let wishes = input.skills_to_include.as_ref()?;
    let field = "skills_to_include";
    let known: Vec<&str> = must_haves.iter().chain(welcome).map(String::as_str).collect();
    let list: Vec<String> = known.iter().map(|skill| start(skill)).collect();
    let list = listed(&list, texts);
    if wishes.is_empty() {
        add(refusal, field, "no_skills", &[("skills", &list)], texts);
    }
    if too_many(refusal, field, wishes.len(), texts) {
        return Some(Vec::new());
    }
    let mut chosen = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let short = clip::start(wish, MOST_SKILL_CHARACTERS);
        if tidy(short).is_empty() {
            add(refusal, &field, "blank_entry", &[], texts);
        } else if let Some(skill) = known.iter().find(|skill| same(skill, wish)) {
            chosen.push((*skill).to_owned());
        } else {
            unknown(refusal, &field, short, &known, &list, texts);
        }
    }
    Some(chosen)
}

/// Says that a skill is not in the profile, with the nearest names.
pub(super) fn unknown(
    refusal: &mut Refusal,
    field: &str,
    wish: &str,
    known: &[&str],
    list: &str,
    texts: &Texts,
) {
    let short = start(wish);
    let message = texts.say("screening.refusal.unknown_skill", &[("skill", &short)]);
    let near: Vec<String> = near(&short, known.iter().copied()).iter().map(|skill| start(skill)).collect();
    let way_out = if near.is_empty() {
        texts.say("screening.refusal.unknown_skill_way_out", &[("skills", list)])
    } else {
        texts.say("screening.refusal.unknown_skill_near", &[("near", &listed(&near, texts))])
    };
    refusal.add(field, message, way_out);
}

/// Whether a list is too long to be read; says so.
pub(super) fn too_many(refusal: &mut Refusal, field: &str, count: usize, texts: &Texts) -> bool {
    let many = count > MOST_ENTRIES;
    if many {
        let values = [("count", &*count.to_string()), ("most", &*MOST_ENTRIES.to_string())];
        add(refusal, field, "many_entries", &values, texts);
    }
    many
}

/// A skill or an area must fit into a question and concern the job.
fn check_topic(refusal: &mut Refusal, field: &str, long: &str, topic: &str, texts: &Texts) {
    let count = topic.chars().count();
    if count > MOST_SKILL_CHARACTERS {
        let (start, count, most) = (start(topic), count.to_string(), MOST_SKILL_CHARACTERS.to_string());
        let values = [("start", &*start), ("count", &*count), ("most", &*most)];
        add(refusal, field, long, &values, texts);
    } else if let Some(found) = protected(topic) {
        found.refuse(refusal, field, texts);
    }
}

fn areas(input: &ScreeningInput, refusal: &mut Refusal, texts: &Texts) -> Vec<String> {
    let mut areas: Vec<String> = Vec::new();
    let wishes = input.additional_areas.as_deref().unwrap_or_default();
    let field = "additional_areas";
    if wishes.len() > MOST_AREAS {
        let values = [("count", &*wishes.len().to_string()), ("most", &*MOST_AREAS.to_string())];
        add(refusal, field, "many_areas", &values, texts);
        return areas;
    }
    for (at, wish) in wishes.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let area = tidy(wish);
        if area.is_empty() {
            add(refusal, &field, "blank_entry", &[], texts);
        } else if !areas.iter().any(|known| same(known, &area)) {
            check_topic(refusal, &field, "long_area", &area, texts);
            areas.push(area);
        }
    }
    areas
}

/// Two must-haves with the same words cannot both have questions of their own; similar ones are worth a word.
fn check_twice(skills: &[String], refusal: &mut Refusal, notices: &mut Vec<Notice>, texts: &Texts) {
    for (at, skill) in skills.iter().enumerate() {
        for other in skills.iter().skip(at + 1) {
            let (one, two) = (start(skill), start(other));
            let values = [("skill", &*one), ("other", &*two)];
            match likeness(skill, other) {
                Likeness::Same => add(refusal, "must_have_skills", "twice", &values, texts),
                Likeness::Near => {
                    let key = "screening.notice.near_twice";
                    notices.push(Notice::say("must_have_skills", texts, key, &values));
                }
                Likeness::Different => {}
            }
        }
    }
}

/// What is required already is not asked about again as welcome.
fn drop_known(
    welcome: &mut Vec<String>,
    must_haves: &[String],
    input: &ScreeningInput,
    notices: &mut Vec<Notice>,
    texts: &Texts,
) {
    let mut kept: Vec<String> = Vec::new();
    for skill in welcome.drain(..).take(MOST_ENTRIES) {
        let is_same = |other: &String| likeness(other, &skill) == Likeness::Same;
        if must_haves.iter().any(is_same) {
            if input.include_good_to_haves {
                let skill = [("skill", &*start(&skill))];
                notices.push(Notice::say("good_to_haves", texts, "screening.notice.welcome_twice", &skill));
            }
        } else if !kept.iter().any(is_same) {
            kept.push(skill);
        }
    }
    *welcome = kept;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    Same,
    Near,
    Different,
}

/// How alike two skills are: the same words in any order, or all but one of at least three.
fn likeness(one: &str, other: &str) -> Likeness {
    if same(one, other) {
        return Likeness::Same;
    }
    let (one, other) = (Words::of(one), Words::of(other));
    let (one, other) = (one.set(), other.set());
    if one.is_empty() || other.is_empty() {
        return Likeness::Different;
    }
    if one == other {
        return Likeness::Same;
    }
    let shared = one.iter().filter(|word| other.binary_search(word).is_ok()).count();
    let most = one.len().max(other.len());
    if shared >= 2 && shared + 1 >= most && one.len() != other.len() {
        Likeness::Near
    } else {
        Likeness::Different
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_about_words() {
        let check = |one: &str, other: &str, likeness_wanted: Likeness| {
            assert_eq!(likeness(one, other), likeness_wanted, "{one:?}, {other:?}");
        };
        check("Go", "go.", Likeness::Same);
        check("BGP and MPLS", "MPLS and BGP", Likeness::Same);
        check("experience of BGP", "long experience of BGP", Likeness::Near);
        check("experience of Java 8", "experience of Java 11", Likeness::Different);
        check("C", "C++", Likeness::Different);
        check("…", "!", Likeness::Different);
    }

    #[test]
    fn the_start_of_a_text_is_short() {
        assert_eq!(start("short\ntext"), "short text");
        assert_eq!(start(&"x".repeat(1_000_000)).chars().count(), 61);
    }
}
