//! Which skills and areas get questions: only what the profile has, and nothing private.

use tata_core::near;

use super::{ScreeningInput, protected::check_private};
use crate::{
    Key, MUST_HAVES, Notice, Profile, Refusal, Texts,
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
pub(super) const MOST_ENTRIES: usize = 100;

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
    let mut problems = Problems::new(texts);
    let names = |items: &[crate::Item]| -> Vec<String> {
        items.iter().map(|item| tidy(&item.text)).filter(|name| !name.is_empty()).collect()
    };
    let must_haves = names(&profile.must_have_skills);
    let mut selection = Selection { title: tidy(&profile.position_title), ..Selection::default() };
    if selection.title.is_empty() {
        problems.add("position_title", key!("screening.refusal.no_title"), &[]);
    }
    problems.refusal.check_most("position_title", &selection.title, MOST_SKILL_CHARACTERS, texts);
    if must_haves.len() < MUST_HAVES {
        let count = must_haves.len().to_string();
        problems.add("must_have_skills", key!("screening.refusal.few_must_haves"), &[("count", &count)]);
    }
    std::mem::take(&mut problems.refusal).or_ok()?;

    check_twice(&must_haves, &mut problems);
    let welcome = names(&profile.good_to_haves);
    let welcome = without_known(welcome, &must_haves, input, &mut problems);
    let choice = wishes(input, &must_haves, &welcome, &mut problems);
    let wanted = |skill: &String| choice.as_ref().is_none_or(|choice| choice.contains(skill));
    let (picked, others): (Vec<String>, Vec<String>) =
        welcome.into_iter().partition(|skill| choice.is_some() && wanted(skill));
    // Nobody picked any: all of them, if they are wanted at all.
    let all = picked.is_empty() && input.include_good_to_haves;
    selection.good_to_haves = if all { others } else { picked };
    let (field, count) = ("include_good_to_haves", selection.good_to_haves.len());
    if input.include_good_to_haves && count == 0 {
        problems.note(field, key!("screening.notice.no_good_to_haves"), &[]);
    }
    (selection.must_haves, selection.not_asked) = must_haves.into_iter().partition(wanted);
    problems.exceeds(field, key!("screening.refusal.many_good_to_haves"), count, MOST_GOOD_TO_HAVES);
    for (skill, _) in selection.skills() {
        problems.check_topic("skills_to_include", key!("screening.refusal.long_skill"), skill);
    }
    selection.areas = areas(input, &mut problems);
    if !selection.not_asked.is_empty() {
        let skills = [("skills", &*listed(&selection.not_asked, texts))];
        problems.note("skills_to_include", key!("screening.notice.not_asked"), &skills);
    }
    selection.notices = problems.notices;
    problems.refusal.or_ok().map(|()| selection)
}

/// What is wrong with an input or worth a word, said in the recruiter's language.
pub(super) struct Problems<'a> {
    pub(super) texts: &'a Texts,
    pub(super) refusal: Refusal,
    notices: Vec<Notice>,
}

impl<'a> Problems<'a> {
    pub(super) fn new(texts: &'a Texts) -> Self {
        Self { texts, refusal: Refusal::default(), notices: Vec::new() }
    }

    fn note(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        self.notices.push(Notice::say(field, self.texts, key, values));
    }

    /// A problem from the texts, with its way out.
    pub(super) fn add(&mut self, field: &str, key: Key, values: &[(&str, &str)]) {
        self.refusal.say(field, self.texts, key, values);
    }

    /// Whether there are too many of something; says so.
    pub(super) fn exceeds(&mut self, field: &str, key: Key, count: usize, most: usize) -> bool {
        self.refusal.check_count(field, count, most, key, self.texts)
    }

    /// Says that a skill is not in the profile, with the nearest names.
    pub(super) fn unknown(&mut self, field: &str, wish: &str, known: &[&str], list: &str) {
        let (short, texts) = (start(wish), self.texts);
        let message = texts.say(key!("screening.refusal.unknown_skill"), &[("skill", &short)]);
        let near = near(&short, known.iter().copied());
        let near: Vec<String> = near.iter().map(|skill| start(skill)).collect();
        let way_out = if near.is_empty() {
            texts.say(key!("screening.refusal.unknown_skill_way_out"), &[("skills", list)])
        } else {
            texts.say(key!("screening.refusal.unknown_skill_near"), &[("near", &listed(&near, texts))])
        };
        self.refusal.add(field, message, way_out);
    }

    /// A skill or an area must fit into a question and concern the job.
    fn check_topic(&mut self, field: &str, long: Key, topic: &str) {
        let count = topic.chars().count();
        if count > MOST_SKILL_CHARACTERS {
            let (start, count, most) = (start(topic), count.to_string(), MOST_SKILL_CHARACTERS.to_string());
            self.add(field, long, &[("start", &start), ("count", &count), ("most", &most)]);
        } else {
            check_private(&mut self.refusal, field, topic, self.texts);
        }
    }
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
    problems: &mut Problems<'_>,
) -> Option<Vec<String>> {
    let wishes = input.skills_to_include.as_ref()?;
    let field = "skills_to_include";
    let known: Vec<&str> = must_haves.iter().chain(welcome).map(String::as_str).collect();
    let list: Vec<String> = known.iter().map(|skill| start(skill)).collect();
    let list = listed(&list, problems.texts);
    if wishes.is_empty() {
        problems.add(field, key!("screening.refusal.no_skills"), &[("skills", &list)]);
    }
    if problems.exceeds(field, key!("screening.refusal.many_entries"), wishes.len(), MOST_ENTRIES) {
        return Some(Vec::new());
    }
    let mut chosen = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let short = clip::start(wish, MOST_SKILL_CHARACTERS);
        if tidy(short).is_empty() {
            problems.add(&field, key!("screening.refusal.blank_entry"), &[]);
        } else if let Some(skill) = known.iter().find(|skill| same(skill, wish)) {
            chosen.push((*skill).to_owned());
        } else {
            problems.unknown(&field, short, &known, &list);
        }
    }
    Some(chosen)
}

/// The further areas, each once.
fn areas(input: &ScreeningInput, problems: &mut Problems<'_>) -> Vec<String> {
    let mut areas: Vec<String> = Vec::new();
    let wishes = input.additional_areas.as_deref().unwrap_or_default();
    let field = "additional_areas";
    if problems.exceeds(field, key!("screening.refusal.many_areas"), wishes.len(), MOST_AREAS) {
        return areas;
    }
    for (at, wish) in wishes.iter().enumerate() {
        let field = format!("{field}[{at}]");
        let area = tidy(wish);
        if area.is_empty() {
            problems.add(&field, key!("screening.refusal.blank_entry"), &[]);
        } else if !areas.iter().any(|known| same(known, &area)) {
            problems.check_topic(&field, key!("screening.refusal.long_area"), &area);
            areas.push(area);
        }
    }
    areas
}

/// Two must-haves with the same words cannot both have questions of their own; similar ones are worth a word.
fn check_twice(skills: &[String], problems: &mut Problems<'_>) {
    for (at, skill) in skills.iter().enumerate() {
        for other in skills.iter().skip(at + 1) {
            let (one, two) = (start(skill), start(other));
            let values = [("skill", &*one), ("other", &*two)];
            match likeness(skill, other) {
                Likeness::Same => problems.add("must_have_skills", key!("screening.refusal.twice"), &values),
                Likeness::Near => {
                    problems.note("must_have_skills", key!("screening.notice.near_twice"), &values);
                }
                Likeness::Different => {}
            }
        }
    }
}

/// What is required already is not asked about again as welcome.
fn without_known(
    welcome: Vec<String>,
    must_haves: &[String],
    input: &ScreeningInput,
    problems: &mut Problems<'_>,
) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for skill in welcome.into_iter().take(MOST_ENTRIES) {
        let is_same = |other: &String| likeness(other, &skill) == Likeness::Same;
        if must_haves.iter().any(is_same) {
            if input.include_good_to_haves {
                let skill = [("skill", &*start(&skill))];
                problems.note("good_to_haves", key!("screening.notice.welcome_twice"), &skill);
            }
        } else if !kept.iter().any(is_same) {
            kept.push(skill);
        }
    }
    kept
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
    let shared = one.intersection(&other).count();
    let most = one.len().max(other.len());
    if shared > 0 && one == other {
        Likeness::Same
    } else if shared >= 2 && shared + 1 >= most && one.len() != other.len() {
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
