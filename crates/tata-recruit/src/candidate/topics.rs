//! What each answer is about: the interviewer's question, as the screening template has it or as people ask, and the
//! words of a skill.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    lexicon::{Cue, Lexicon, Spoken, Word, words},
    speech::{Speech, Turn},
};
use crate::{Profile, Requirement, ScreeningTemplate, same};

/// A question of so few words asks on: "And then?", "How so?"
const SHORT_QUESTION: usize = 3;

/// Words that mean what was named before.
const POINTING: [&str; 8] = ["that", "this", "it", "det", "dette", "detta", "dessa", "davon"];

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    /// Why this role.
    Motivation,
    /// One of the skills, by its place in the list.
    Skill(usize),
    /// The career so far.
    Background,
    /// Notice and start.
    Notice,
    /// Pay.
    Salary,
    /// The place of work.
    Location,
    /// Languages.
    Languages,
}

/// Cues that name a topic, the clearest first.
const ASKED: [(Cue, Topic); 6] = [
    (Cue::AskNotice, Topic::Notice),
    (Cue::AskSalary, Topic::Salary),
    (Cue::AskLanguages, Topic::Languages),
    (Cue::AskMotivation, Topic::Motivation),
    (Cue::AskBackground, Topic::Background),
    (Cue::AskLocation, Topic::Location),
];

/// A skill that is assessed.
pub(super) struct Skill {
    /// As the profile has it.
    pub(super) name: String,
    /// Whether it counts.
    pub(super) must_have: bool,
    /// Its own words.
    pub(super) terms: Terms,
    /// What an answer of 1, 3 and 5 looks like.
    pub(super) anchors: crate::Anchors,
    /// It is a language, which nobody assesses by having heard it.
    pub(super) language: bool,
    /// It is a paper or a matter of working hours: there or not, and nothing one has done.
    pub(super) formal: bool,
}

/// The must-haves of the profile, then the good-to-haves that the template asks about.
pub(super) fn skills(profile: &Profile, template: &ScreeningTemplate) -> Vec<Skill> {
    let set = |name: &str| template.skills.iter().find(|set| same(&set.skill_name, name));
    let skill = |name: &str, must_have: bool| {
        let set = set(name);
        let requirement = set.map(|set| set.requirement).unwrap_or_default();
        Skill {
            name: name.to_owned(),
            must_have,
            terms: Terms::of(name),
            anchors: set.map(|set| set.anchors.clone()).unwrap_or_default(),
            language: requirement == Requirement::Language || is_language(name),
            formal: match requirement {
                Requirement::Credential | Requirement::Education | Requirement::Availability => true,
                Requirement::Experience | Requirement::Language => false,
            },
        }
    };
    let mut skills: Vec<Skill> =
        profile.must_have_skills.iter().map(|item| skill(&item.text, true)).collect();
    for set in template.skills.iter().filter(|set| !set.must_have) {
        if !skills.iter().any(|known| same(&known.name, &set.skill_name)) {
            skills.push(skill(&set.skill_name, false));
        }
    }
    skills
}

/// A skill is a language if it names one and says nothing but how well.
fn is_language(name: &str) -> bool {
    let lexicon = Lexicon::get();
    let words = words(name.chars().take(400));
    let marks = lexicon.marks(&words, [true; 5]);
    let other = |word: &&Word| {
        let marks = lexicon.marks(std::slice::from_ref(word), [true; 5]);
        ![Cue::LanguageName, Cue::LanguageAbility, Cue::Generic, Cue::Common]
            .iter()
            .any(|cue| marks.has(*cue))
    };
    marks.has(Cue::LanguageName) && (marks.has(Cue::LanguageAbility) || words.iter().find(other).is_none())
}

/// The words by which a text is recognized.
pub(super) struct Terms {
    /// Abbreviations and the like: one of them is enough.
    sharp: Vec<String>,
    /// Other words: two of them, or the only one.
    plain: Vec<String>,
}

impl Terms {
    /// The words of a requirement that name something.
    pub(super) fn of(text: &str) -> Self {
        let lexicon = Lexicon::get();
        let words = words(text.chars().take(2_000));
        let (mut sharp, mut plain): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        // Where a sharp word ended: "SD-anlegg" is known by what stands before the hyphen.
        let mut sharp_end = None;
        for word in &words {
            let marks = lexicon.marks(std::slice::from_ref(word), [true; 5]);
            let general = marks.has(Cue::Generic) || marks.has(Cue::Common) || marks.has(Cue::Number);
            if general || lexicon.is_frequent(word) {
                continue;
            }
            let inner = word.written.chars().skip(1);
            let behind = sharp_end.is_some_and(|end| {
                end + 1 == word.start
                    && text.chars().nth(end).is_some_and(|sign| matches!(sign, '-' | '‑' | '–'))
            });
            let is_sharp = word.written.chars().any(char::is_alphabetic)
                && inner
                    .clone()
                    .any(|letter| letter.is_uppercase() || letter.is_numeric() || "+#".contains(letter));
            if behind && !is_sharp {
                continue;
            }
            if is_sharp {
                sharp_end = Some(word.end);
            }
            let list = if is_sharp { &mut sharp } else { &mut plain };
            if word.plain.chars().count() > 1 && !list.contains(&word.plain) {
                list.push(word.plain.clone());
            }
        }
        Self { sharp, plain }
    }

    /// Whether these words speak of it.
    pub(super) fn in_words(&self, words: &[Word]) -> bool {
        let there = |term: &&String| words.iter().any(|word| alike(term, &word.plain));
        self.sharp.iter().any(|term| there(&term))
            || (!self.plain.is_empty() && self.plain.iter().filter(there).count() >= self.plain.len().min(2))
    }

    /// Whether at least one of its words is there.
    pub(super) fn touched_by(&self, words: &[Word]) -> bool {
        self.sharp.iter().chain(&self.plain).any(|term| words.iter().any(|word| alike(term, &word.plain)))
    }
}

/// Whether two words are forms of one word, or one is a compound of the other.
fn alike(term: &str, word: &str) -> bool {
    if term == word {
        return true;
    }
    let (long, short) = if term.len() >= word.len() { (term, word) } else { (word, term) };
    if short.chars().count() < 5 {
        return false;
    }
    let shared = long.chars().zip(short.chars()).take_while(|(one, two)| one == two).count();
    long.ends_with(short)
        || shared == short.chars().count()
        || (shared >= 5 && shared * 10 >= long.chars().count() * 7)
}

/// The topic of every sentence of the candidate, by the question before it.
pub(super) fn topics(speech: &Speech, template: &ScreeningTemplate, skills: &[Skill]) -> Vec<Option<Topic>> {
    let questions = questions(template, skills, speech.spoken);
    let mut topics = vec![None; speech.sentences.len()];
    let mut current = None;
    for turn in &speech.turns {
        match turn {
            Turn::Other(said) => current = asked(said, &questions, skills, speech.spoken, current),
            Turn::Candidate(sentences) => {
                topics.get_mut(sentences.clone()).unwrap_or_default().fill(current);
            }
        }
    }
    topics
}

/// A question of the template, by its telling words.
struct Known {
    topic: Topic,
    words: Vec<String>,
    /// It names its skill, so whoever asks it does too.
    names: bool,
    /// A follow-up fits any skill: it stays with the one that is talked about.
    follow_up: bool,
}

fn questions(template: &ScreeningTemplate, skills: &[Skill], spoken: Spoken) -> Vec<Known> {
    let known = |text: &str, topic: Topic| Known {
        topic,
        words: telling(&words(text.chars()), spoken),
        names: named(topic, &words(text.chars()), skills),
        follow_up: false,
    };
    let mut questions = Vec::new();
    for (at, skill) in skills.iter().enumerate() {
        for set in template.skills.iter().filter(|set| same(&set.skill_name, &skill.name)) {
            questions.push(known(&set.main_question.text, Topic::Skill(at)));
            let follow_ups = set.follow_ups.iter().map(|question| known(&question.text, Topic::Skill(at)));
            questions.extend(follow_ups.map(|question| Known { follow_up: true, ..question }));
        }
    }
    questions.extend(template.motivation.iter().map(|question| known(&question.text, Topic::Motivation)));
    for question in &template.practical {
        let marks = Lexicon::get().marks(&words(question.text.chars()), [true; 5]);
        if let Some((_, topic)) = ASKED.into_iter().find(|(cue, _)| marks.has(*cue)) {
            questions.push(known(&question.text, topic));
        }
    }
    // Words that stand in questions on several topics tell nothing apart.
    let mut of_word: BTreeMap<String, BTreeSet<Topic>> = BTreeMap::new();
    for question in &questions {
        for word in &question.words {
            of_word.entry(word.clone()).or_default().insert(question.topic);
        }
    }
    for question in &mut questions {
        question.words.retain(|word| of_word.get(word).is_some_and(|topics| topics.len() == 1));
    }
    questions.retain(|question| question.words.len() >= 2);
    questions
}

/// Whether words name the skill that is the topic.
fn named(topic: Topic, words: &[Word], skills: &[Skill]) -> bool {
    match topic {
        Topic::Skill(at) => skills.get(at).is_some_and(|skill| skill.terms.touched_by(words)),
        Topic::Motivation
        | Topic::Background
        | Topic::Notice
        | Topic::Salary
        | Topic::Location
        | Topic::Languages => false,
    }
}

/// The words of a question that tell what it is about.
fn telling(words: &[Word], spoken: Spoken) -> Vec<String> {
    let lexicon = Lexicon::get();
    let mut telling: Vec<String> = Vec::new();
    for word in words {
        let marks = lexicon.marks(std::slice::from_ref(word), spoken);
        let said = word.plain.chars().count() > 2 && !marks.has(Cue::Common) && !marks.has(Cue::Generic);
        if said && !telling.contains(&word.plain) && telling.len() < 60 {
            telling.push(word.plain.clone());
        }
    }
    telling
}

/// What the interviewer asks now. A remark or a very short question stays with the topic; another question, or an
/// invitation to tell something else, leaves it.
fn asked(
    said: &str,
    questions: &[Known],
    skills: &[Skill],
    spoken: Spoken,
    current: Option<Topic>,
) -> Option<Topic> {
    let lexicon = Lexicon::get();
    let mut topic = None;
    let mut leaves = false;
    for sentence in said.split_inclusive(['.', '?', '!']) {
        let words = words(sentence.chars());
        let marks = lexicon.marks(&words, spoken);
        let asks = sentence.ends_with('?') || marks.has(Cue::AskTell);
        let fits = |known: &Known| {
            let there = known.words.iter().filter(|term| words.iter().any(|word| alike(term, &word.plain)));
            let there = there.count();
            let share = there * 100 / known.words.len().max(1);
            // The frame of a question fits many skills: it is this one only if the skill is named as well.
            let meant = || !known.names || named(known.topic, &words, skills);
            let stays = || current.filter(|topic| matches!(topic, Topic::Skill(_)));
            let topic = if known.follow_up && !known.names { stays()? } else { known.topic };
            (there >= 2 && share >= 60 && meant()).then_some((share, topic))
        };
        // Of two that fit as well, the first.
        let best = questions.iter().filter_map(fits).min_by_key(|(share, _)| std::cmp::Reverse(*share));
        let cue = ASKED.into_iter().find(|(cue, _)| marks.has(*cue)).map(|(_, topic)| topic);
        let skill = || skills.iter().position(|skill| skill.terms.in_words(&words)).map(Topic::Skill);
        // One word is enough where it names one skill only: "your experience of reception work".
        let touched = || {
            let mut touched = (0..skills.len()).filter(|at| named(Topic::Skill(*at), &words, skills));
            // "A project where that mattered" asks on about what was named before.
            let points_back = words.iter().any(|word| POINTING.contains(&word.plain.as_str()));
            // "How did you lead the kitchen team?" begins like a question that asks on about a skill.
            let asks_on = marks.has(Cue::AskMore) && matches!(current, Some(Topic::Skill(_)));
            let asks = asks && !points_back && !asks_on;
            let only = touched.next().filter(|_| asks && touched.next().is_none());
            only.map(Topic::Skill)
        };
        let found = best.map(|(_, topic)| topic).or_else(skill).or(cue).or_else(touched);
        // "Cooling is a requirement. What have you done?" asks about the cooling.
        let goes_on = found == Some(Topic::Background) && matches!(topic, Some(Topic::Skill(_)));
        if found.is_some() && !goes_on {
            topic = found;
        } else if asks && !marks.has(Cue::AskMore) && words.len() > SHORT_QUESTION {
            leaves = true;
        }
    }
    // What else is asked in the same breath belongs to the topic that was named.
    match topic {
        Some(topic) => Some(topic),
        None if leaves => None,
        None => current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, said: &str) -> bool {
        Terms::of(text).in_words(&words(said.chars()))
    }

    #[test]
    fn a_skill_is_recognized_by_its_own_words() {
        let check = |skill: &str, said: &str, expected: bool| {
            assert_eq!(terms(skill, said), expected, "{skill:?} in {said:?}");
        };
        check("minst fem års erfarenhet av BGP", "jag körde BGP i kärnnätet", true);
        check("minst fem års erfarenhet av BGP", "jag har fem års erfarenhet", false);
        check("Stakeholder management", "the stakeholders wanted it managed", false);
        check("Stakeholder management", "stakeholder management was half of it", true);
        check("Erfahrung mit Projektleitung", "in der Projektleitung", true);
        check("Upphandling", "en offentlig upphandling, flera upphandlingar", true);
        check("Fiberprojekt", "fiberprojektet i Boden", true);
        check("C# and .NET", "we wrote C# then", true);
        check("Java", "JavaScript", false);
        check("", "anything", false);
    }

    #[test]
    fn languages_are_told_from_other_skills() {
        let check = |skill: &str, expected: bool| assert_eq!(is_language(skill), expected, "{skill:?}");
        check("Fluent in English", true);
        check("Flytande svenska i tal och skrift", true);
        check("Verhandlungssicheres Deutsch", true);
        check("English", true);
        check("Danish labor law", false);
        check("dansk arbejdsret", false);
        check("Network design", false);
    }
}
