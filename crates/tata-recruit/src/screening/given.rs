//! What a model wrote itself, held to the same rules as the built-in texts.

use std::{collections::BTreeSet, ops::RangeInclusive};

use schemars::JsonSchema;
use serde::Deserialize;
use tata_language::identify::identify;

use super::{
    Anchors, ScreeningInput, SkillType,
    protected::check_private,
    select::{MOST_ENTRIES, Problems, Selection, start},
};
use crate::{
    Audience, Gate, Key, Profile, Refusal, Texts, Voice,
    document::listed,
    evidence::is_emoji,
    same,
    skills::{Words, lists::INVITATIONS},
    tidy,
};

/// The most characters of a question, a line or a description.
const MOST_LINE: usize = 600;
/// How sure the guess of a language must be to refuse a text.
const SURE: f32 = 0.7;

/// What sort of skill a skill is, and why.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenType {
    /// The skill, as the profile has it.
    pub skill: String,
    /// Technical, leadership or functional for a must-have; good-to-haves are always `good_to_have`.
    #[serde(rename = "type")]
    pub skill_type: SkillType,
    /// Why, in one sentence.
    pub reason: String,
}

/// Questions on one skill.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenQuestions {
    /// The skill, as the profile has it.
    pub skill: String,
    /// One question about past behavior (situation, task, action, result).
    pub main_question: String,
    /// Two or three follow-up questions.
    pub follow_ups: Vec<String>,
    /// What a 1, a 3 and a 5 look like. Leave out for the built-in descriptions.
    #[serde(default)]
    pub anchors: Option<Anchors>,
}

/// Wordings of the practical questions; what is left out is built in.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GivenPractical {
    /// The notice period and the first possible day.
    pub notice_period: Option<String>,
    /// What the candidate expects to earn. Never what they earn or earned.
    pub salary_expectation: Option<String>,
    /// Whether the place of work suits.
    pub location: Option<String>,
    /// What the candidate wants to know.
    pub candidate_questions: Option<String>,
}

/// Verifies everything that was given; all problems are named at once. What passes is on one line, and calls each skill
/// as the profile does.
pub(super) fn verify(
    input: &mut ScreeningInput,
    selection: &Selection,
    profile: &Profile,
    voice: Voice,
    texts: &Texts,
) -> Result<(), Refusal> {
    let mut verifier =
        Verifier { selection, profile, voice, problems: Problems::new(texts), seen: Vec::new() };
    verifier.entries("skill_types", &mut input.skill_types, |one| &mut one.skill, Verifier::skill_type);
    verifier.entries("questions", &mut input.questions, |one| &mut one.skill, Verifier::questions);
    verifier.part("motivation", &mut input.motivation, 3..=5, Verifier::question);
    if let Some(practical) = &mut input.practical {
        verifier.practical(practical);
    }
    verifier.part("closing", &mut input.closing, 3..=6, Verifier::closing);
    verifier.problems.refusal.or_ok()
}

struct Verifier<'a> {
    selection: &'a Selection,
    profile: &'a Profile,
    voice: Voice,
    problems: Problems<'a>,
    /// Every question so far.
    seen: Vec<String>,
}

impl Verifier<'_> {
    /// A part of so many lines, each checked by itself and all in the language of the template.
    fn part(
        &mut self,
        name: &str,
        lines: &mut Option<Vec<String>>,
        wanted: RangeInclusive<usize>,
        check: fn(&mut Self, &str, &mut String),
    ) {
        let Some(lines) = lines else { return };
        if !wanted.contains(&lines.len()) {
            let key = group!("screening.refusal").key(format_args!("{name}_count"));
            return self.problems.add(name, key, &[("count", &lines.len().to_string())]);
        }
        for (at, line) in lines.iter_mut().enumerate() {
            check(self, &format!("{name}[{at}]"), line);
        }
        self.language(name, &lines.join(" "));
    }

    /// Entries about skills of the template, one about each. `check` says whether an entry counts as one.
    fn entries<T>(
        &mut self,
        list: &str,
        entries: &mut Option<Vec<T>>,
        skill: fn(&mut T) -> &mut String,
        check: fn(&mut Self, &str, &mut T, bool) -> bool,
    ) {
        let entries = entries.as_deref_mut().unwrap_or_default();
        let many = key!("screening.refusal.many_entries");
        if self.problems.exceeds(list, many, entries.len(), MOST_ENTRIES) {
            return;
        }
        let mut known = BTreeSet::new();
        for (at, entry) in entries.iter_mut().enumerate() {
            let field = format!("{list}[{at}]");
            let Some((name, must_have)) = self.skill(&field, skill(entry)) else { continue };
            skill(entry).clone_from(&name);
            if check(self, &field, entry, must_have) && !known.insert(name.clone()) {
                self.problems.add(&field, key!("screening.refusal.given_twice"), &[("skill", &start(&name))]);
            }
        }
    }

    fn skill_type(&mut self, field: &str, one: &mut GivenType, must_have: bool) -> bool {
        let name = start(&one.skill);
        let values = [("skill", name.as_str())];
        let blank = (key!("screening.refusal.type_reason"), &values[..]);
        self.line(&format!("{field}.reason"), &mut one.reason, Some(blank));
        if must_have == (one.skill_type == SkillType::GoodToHave) {
            self.problems.add(field, key!("screening.refusal.type_wrong"), &values);
        }
        true
    }

    fn questions(&mut self, field: &str, one: &mut GivenQuestions, _must_have: bool) -> bool {
        let name = start(&one.skill);
        self.question(&format!("{field}.main_question"), &mut one.main_question);
        let count = one.follow_ups.len();
        if !(2..=3).contains(&count) {
            let values = [("skill", name.as_str()), ("count", &*count.to_string())];
            self.problems.add(&format!("{field}.follow_ups"), key!("screening.refusal.follow_ups"), &values);
            return false;
        }
        for (at, text) in one.follow_ups.iter_mut().enumerate() {
            self.question(&format!("{field}.follow_ups[{at}]"), text);
        }
        if let Some(anchors) = &mut one.anchors {
            self.anchors(&format!("{field}.anchors"), &name, anchors);
        }
        let described = one.anchors.iter().flat_map(Anchors::all);
        let all = std::iter::once(&one.main_question).chain(&one.follow_ups).chain(described);
        self.language(field, &all.map(String::as_str).collect::<Vec<_>>().join(" "));
        true
    }

    fn anchors(&mut self, field: &str, skill: &str, Anchors { one, three, five }: &mut Anchors) {
        for (score, text) in [("1", &mut *one), ("3", &mut *three), ("5", &mut *five)] {
            self.line(&format!("{field}.{score}"), text, None);
        }
        if same(one, three) || same(three, five) || same(one, five) {
            self.problems.add(field, key!("screening.refusal.anchors_same"), &[("skill", skill)]);
        }
    }

    fn practical(&mut self, practical: &mut GivenPractical) {
        let GivenPractical { notice_period, salary_expectation, location, candidate_questions } = practical;
        for (name, text) in [
            ("notice_period", notice_period),
            ("salary_expectation", salary_expectation),
            ("location", location),
            ("candidate_questions", candidate_questions),
        ] {
            let Some(text) = text else { continue };
            let field = format!("practical.{name}");
            self.question(&field, text);
            self.language(&field, text);
        }
    }

    /// A line of the closing. It must not promise what only the interviewer knows.
    fn closing(&mut self, field: &str, line: &mut String) {
        self.line(field, line, None);
        if line.chars().any(|letter| letter.is_numeric() || letter == '@') || line.contains("://") {
            self.problems.add(field, key!("screening.refusal.invented"), &[("start", &start(line))]);
        }
    }

    /// The skill that is meant, if it is in the template.
    fn skill(&mut self, field: &str, wish: &str) -> Option<(String, bool)> {
        if let Some((skill, must_have)) = self.selection.find(wish) {
            return Some((skill.to_owned(), must_have));
        }
        let field = format!("{field}.skill");
        let mut others = self.profile.must_have_skills.iter().chain(&self.profile.good_to_haves);
        if others.any(|item| same(&item.text, wish)) {
            self.problems.add(&field, key!("screening.refusal.not_chosen"), &[("skill", &start(wish))]);
            return None;
        }
        let known: Vec<&str> = self.selection.skills().map(|(skill, _)| skill).collect();
        let list = listed(&known, self.problems.texts);
        self.problems.unknown(&field, wish, &known, &list);
        None
    }

    /// One question: in the form of one, only once, and nothing private.
    fn question(&mut self, field: &str, question: &mut String) {
        let problems = self.problems.refusal.problems.len();
        self.line(field, question, None);
        if self.problems.refusal.problems.len() > problems {
            return;
        }
        let bare = self.without_skills(question);
        let marks = bare.matches(['?', '？', '؟']).count();
        let invited = || Words::of(&bare).find(INVITATIONS, self.voice.language()).is_some();
        let beginning = start(question);
        let values = [("start", beginning.as_str())];
        if marks > 1 {
            self.problems.add(field, key!("screening.refusal.many_questions"), &values);
        } else if marks == 0 && !invited() {
            self.problems.add(field, key!("screening.refusal.no_question"), &values);
        } else if self.seen.iter().any(|seen| same(seen, question)) {
            self.problems.add(field, key!("screening.refusal.repeated"), &values);
        }
        self.seen.push(question.clone());
    }

    /// One line of text: there, short enough, allowed. `blank` says what is wrong if it is not there.
    fn line(&mut self, field: &str, line: &mut String, blank: Option<(Key, &[(&str, &str)])>) {
        if self.problems.exceeds(field, key!("screening.refusal.long"), line.chars().count(), MOST_LINE) {
            return line.clear();
        }
        // Emoji are gone from the tidy line, so the text as it came is looked at.
        let emoji = line.chars().find(|letter| is_emoji(*letter)).map(String::from);
        *line = tidy(line);
        if line.is_empty() {
            let (key, values) = blank.unwrap_or((key!("screening.refusal.blank"), &[]));
            return self.problems.add(field, key, values);
        }
        let bare = self.without_skills(line);
        let gate = Gate { voice: self.voice, audience: Audience::Colleagues, verbatim: &[] };
        for excerpt in gate.errors(&bare).map(|finding| finding.excerpt).chain(emoji) {
            self.problems.add(field, key!("screening.refusal.wording"), &[("excerpt", &excerpt)]);
        }
        check_private(&mut self.problems.refusal, field, &bare, self.problems.texts);
    }

    /// A part must be in the language of the template.
    fn language(&mut self, field: &str, part: &str) {
        let part = self.without_skills(part);
        let wanted = self.voice.language();
        if identify(&part).is_some_and(|guess| guess.language != wanted && guess.confidence >= SURE) {
            let values = [("language", wanted.code()), ("start", &*start(&part))];
            self.problems.add(field, key!("screening.refusal.language"), &values);
        }
    }

    /// A text without the names of skills and the title, which may say anything in any language.
    fn without_skills(&self, text: &str) -> String {
        let mut text = text.to_owned();
        let names = self.selection.skills().map(|(skill, _)| skill).chain([self.selection.title.as_str()]);
        // Short names stand inside other words, and taking them out would hide those.
        for name in names.filter(|name| name.chars().count() > 5) {
            text = text.replace(name, "…");
        }
        text
    }
}
