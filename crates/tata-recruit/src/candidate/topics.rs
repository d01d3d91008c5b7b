//! What can be asked for in an interview, and the words by which a skill is known.

use tata_language::identify::is_frequent;
use tata_phrases::{Case, Word};

use super::{
    lexicon::{ANY, Spoken, cues, cues_of, lists, words},
    speech::Sentence,
};
use crate::{Profile, Requirement, ScreeningTemplate, clip::start, cues::List, same};

/// What an abbreviation, the name of a language or a word for education weighs beside other words.
const SHARP: usize = 4;
/// So many other things may stand in a question that names one word of a requirement.
const MOST_BESIDE: usize = 1;
/// A question of so few words that names the place of work asks for it.
const SHORT_PLACE: usize = 12;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    /// Why this role.
    Motivation,
    /// The career so far.
    Background,
    /// Notice.
    Notice,
    /// The first day.
    Start,
    /// Pay.
    Salary,
    /// The place of work.
    Location,
    /// Languages.
    Languages,
}

impl Topic {
    /// Cues that name a topic, the clearest first.
    pub(super) const ASKED: [(List, Self); 6] = [
        (lists::ASK_NOTICE, Topic::Notice),
        (lists::ASK_SALARY, Topic::Salary),
        (lists::ASK_LANGUAGES, Topic::Languages),
        (lists::ASK_MOTIVATION, Topic::Motivation),
        (lists::ASK_BACKGROUND, Topic::Background),
        (lists::ASK_LOCATION, Topic::Location),
    ];

    /// Whether it has a place of its own in the report: "What drew you to the role of a payroll specialist?" asks for no
    /// payroll.
    pub(super) fn is_apart(self) -> bool {
        matches!(self, Topic::Motivation | Topic::Notice | Topic::Start | Topic::Salary | Topic::Location)
    }
}

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
    /// It is an education.
    education: bool,
}

impl Skill {
    /// Whether a sentence of the candidate speaks of it.
    pub(super) fn is_told_by(&self, sentence: &Sentence) -> bool {
        // A story in which English was spoken says nothing of how well.
        let tells_how = !self.language || sentence.cues.has(lists::LANGUAGE_ABILITY);
        tells_how && self.terms.in_words(&sentence.words)
    }
}

/// What a profile asks for, by which questions are told apart.
pub(super) struct ProfileTopics {
    /// The skills that are assessed.
    pub(super) skills: Vec<Skill>,
    /// Tasks and other statements: a question that names more of them is about them, not about a skill.
    others: Vec<Terms>,
    /// The place of work, in words with a capital letter.
    places: Vec<String>,
}

impl ProfileTopics {
    /// What a profile and its template ask for.
    pub(super) fn new(profile: &Profile, template: &ScreeningTemplate) -> Self {
        let skills = skills(profile, template);
        let others = profile.primary_responsibilities.iter().chain(&profile.good_to_haves);
        let others = others.filter(|item| !skills.iter().any(|skill| same(&skill.name, &item.text)));
        let place = profile.team_info.location.as_ref().map_or("", |place| place.text.as_str());
        let named = words(place).into_iter().filter(|word| word.case != Case::Lower);
        let places = named.map(|word| word.text.to_string()).filter(|word| word.chars().count() > 3);
        Self { others: others.map(|item| Terms::of(&item.text)).collect(), places: places.collect(), skills }
    }

    /// The skills that a question asks for: those of which it names most.
    pub(super) fn asked(&self, question: &str, topic: Option<Topic>, spoken: Spoken) -> Vec<usize> {
        let words = words(question);
        let content = Terms::of(question);
        let educates = cues(&words, spoken).has(lists::EDUCATION);
        let rival = self.others.iter().map(|other| other.weight(&words)).max().unwrap_or(0);
        let weights: Vec<usize> = self
            .skills
            .iter()
            .map(|skill| {
                let weight = skill.terms.weight(&words);
                // "Take me through your years in delivery" is about them, whatever else it says.
                let of_career = topic == Some(Topic::Background);
                let clear = of_career || skill.terms.is_clear(&content, skill.language);
                let named = if clear && weight >= rival { weight } else { 0 };
                named + usize::from(skill.education && educates) * SHARP
            })
            .collect();
        let most = weights.iter().copied().max().unwrap_or(0);
        let best = weights.iter().enumerate().filter(|(_, weight)| most > 0 && **weight == most);
        best.map(|(at, _)| at).collect()
    }

    /// The topic of a question that names the place of work: "Stockholm or Oslo?"
    pub(super) fn place(&self, asked: &str) -> Option<Topic> {
        let last = asked.split_inclusive(['.', '?', '!']).rfind(|sentence| sentence.ends_with('?'))?;
        let words = words(last);
        let named = words.iter().any(|word| self.places.iter().any(|place| *place == word.text));
        (named && words.len() <= SHORT_PLACE).then_some(Topic::Location)
    }
}

/// The must-haves of the profile, then the good-to-haves that the template asks about.
fn skills(profile: &Profile, template: &ScreeningTemplate) -> Vec<Skill> {
    let set = |name: &str| template.skills.iter().find(|set| same(&set.skill_name, name));
    let skill = |name: &str, must_have: bool| {
        let set = set(name);
        let requirement = set.map(|set| set.requirement).unwrap_or_default();
        Skill {
            name: name.to_owned(),
            must_have,
            terms: if requirement == Requirement::Language || is_language(name) {
                Terms::of_language(name)
            } else {
                Terms::of(name)
            },
            anchors: set.map(|set| set.anchors.clone()).unwrap_or_default(),
            language: requirement == Requirement::Language || is_language(name),
            education: cues(&words(start(name, 400)), ANY).has(lists::EDUCATION),
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
    let words = words(start(name, 400));
    let cues = cues(&words, ANY);
    let usual = [lists::LANGUAGE_NAME, lists::LANGUAGE_ABILITY, lists::GENERIC, lists::COMMON];
    let is_usual = |word: &Word<'_>| usual.into_iter().any(|list| cues_of(word, ANY).has(list));
    cues.has(lists::LANGUAGE_NAME) && (cues.has(lists::LANGUAGE_ABILITY) || words.iter().all(is_usual))
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
        let text = start(text, 2_000);
        let words = words(text);
        let (mut sharp, mut plain): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        // Where a sharp word ended: "SD-anlegg" is known by what stands before the hyphen.
        let mut sharp_end = None;
        for word in &words {
            let cues = cues_of(word, ANY);
            let general = cues.has(lists::GENERIC) || cues.has(lists::COMMON) || cues.has(lists::NUMBER);
            if general || is_frequent(&word.text) {
                continue;
            }
            let written = word.written(text);
            let behind = sharp_end.is_some_and(|end| {
                end + 1 == word.start && matches!(text.chars().nth(end), Some('-' | '‑' | '–'))
            });
            let telling =
                |letter: char| letter.is_uppercase() || letter.is_numeric() || "+#".contains(letter);
            let is_sharp = written.chars().any(char::is_alphabetic) && written.chars().skip(1).any(telling);
            if is_sharp {
                sharp_end = Some(word.end);
            } else if behind {
                continue;
            }
            let list = if is_sharp { &mut sharp } else { &mut plain };
            if word.text.chars().count() > 1 && !list.iter().any(|known| *known == word.text) {
                list.push(word.text.to_string());
            }
        }
        Self { sharp, plain }
    }

    /// The names of languages in a requirement: how well somebody must speak them names nothing.
    fn of_language(text: &str) -> Self {
        let is_name = |word: &Word<'_>| cues_of(word, ANY).has(lists::LANGUAGE_NAME);
        let names = words(start(text, 2_000)).into_iter().filter(is_name).map(|word| word.text.to_string());
        let sharp: Vec<String> = names.collect();
        if sharp.is_empty() { Self::of(text) } else { Self { sharp, plain: Vec::new() } }
    }

    /// How much of it these words name: a word as it stands weighs more than another form of it, an abbreviation most.
    fn weight(&self, words: &[Word<'_>]) -> usize {
        let of = |term: &String, exact: usize| {
            let forms = words.iter().filter(|word| alike(term, &word.text));
            forms.map(|word| if *term == word.text { exact } else { 1 }).max().unwrap_or(0)
        };
        let sharp: usize = self.sharp.iter().map(|term| of(term, SHARP)).sum();
        sharp + self.plain.iter().map(|term| of(term, 2)).sum::<usize>()
    }

    /// Whether a question that names one word of it is about little else. "A hard talk with a customer" is not about
    /// selling to customers.
    fn is_clear(&self, question: &Self, language: bool) -> bool {
        let in_question = |term: &&String| question.all().any(|word| alike(term, word));
        if self.sharp.iter().any(|term| in_question(&term)) || language {
            return true;
        }
        let named: Vec<&String> = self.plain.iter().filter(in_question).collect();
        // "How's your English in writing?" is about English, and "professional" beside it names nothing.
        let is_language = |term: &&String| cues(&words(term), ANY).has(lists::LANGUAGE_NAME);
        if self.plain.len() <= 2 && named.iter().any(is_language) {
            return true;
        }
        let own = |word: &&String| self.all().any(|term| alike(term, word));
        let asks = |word: &&String| {
            let cues = cues(&words(word), ANY);
            cues.has(lists::ASK_TELL) || cues.has(lists::ASK_HOW)
        };
        let beside = question.all().filter(|word| !own(word) && !asks(word)).count();
        named.len() > 1 || named.len() == 1 && beside <= MOST_BESIDE
    }

    fn all(&self) -> impl Iterator<Item = &String> {
        self.sharp.iter().chain(&self.plain)
    }

    /// Whether these words speak of it.
    pub(super) fn in_words(&self, words: &[Word<'_>]) -> bool {
        let there = |term: &&String| words.iter().any(|word| alike(term, &word.text));
        self.sharp.iter().any(|term| there(&term))
            || (!self.plain.is_empty() && self.plain.iter().filter(there).count() >= self.plain.len().min(2))
    }

    /// Whether these words do not lead up to it: they lack an abbreviation, or everything that it names.
    pub(super) fn is_new(&self, words: &[Word<'_>]) -> bool {
        let there = |term: &String| words.iter().any(|word| alike(term, &word.text));
        let nothing = || !self.plain.is_empty() && !self.plain.iter().any(there);
        !self.sharp.iter().all(there) || self.sharp.is_empty() && nothing()
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
    let whole = short.chars().count();
    // "Arbeiten" and "Arbeitsrecht" share nothing but a word that everybody uses.
    let stem: String = short.chars().take(shared).collect();
    if shared < whole && shared < 7 && is_frequent(&stem) {
        return long.ends_with(short);
    }
    // "anlægsprojekter" is about a "projekt", "budgettet" about "budgetansvar".
    long.ends_with(short)
        || shared == whole
        || (whole >= 6 && long.rfind(short).is_some_and(|at| long.len() - at - short.len() <= 2))
        || (shared >= 6 && shared * 3 >= whole * 2)
        || (shared >= 5 && shared * 10 >= long.chars().count() * 7)
}

/// The words of a question that tell what it is about.
pub(super) fn telling(words: &[Word<'_>], spoken: Spoken) -> Vec<String> {
    let mut telling: Vec<String> = Vec::new();
    for word in words {
        let cues = cues_of(word, spoken);
        let said = word.text.chars().count() > 2 && !cues.has(lists::COMMON) && !cues.has(lists::GENERIC);
        if said && !telling.iter().any(|known| *known == word.text) && telling.len() < 60 {
            telling.push(word.text.to_string());
        }
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, said: &str) -> bool {
        Terms::of(text).in_words(&words(said))
    }

    #[test]
    fn a_skill_is_recognized_by_its_own_words() {
        let check = |skill: &str, said: &str, expected: bool| {
            assert_eq!(terms(skill, said), expected, "{skill:?} in {said:?}");
        };
        check("minst fem års erfarenhet av BGP", "jag körde BGP i kärnnätet", true);
        check("minst fem års erfarenhet av BGP", "jag har fem års erfarenhet", false);
        check("Stakeholder management", "the stakeholders wanted it managed", true);
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
