//! What a model wrote itself, held to the same rules as the built-in texts.

use std::{collections::BTreeMap, ops::RangeInclusive};
use tata_language::identify::identify;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Anchors, ScreeningInput, SkillType,
    protected::check_private,
    select::{MOST_ENTRIES, Problems, Selection, start},
};
use crate::{
    Audience, Gate, Key, Level, Profile, Refusal, Rule, Texts, Voice,
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

/// What was given and verified.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) skills: BTreeMap<String, GivenSkill>,
    pub(super) motivation: Option<Vec<String>>,
    pub(super) practical: GivenPractical,
    pub(super) closing: Option<Vec<String>>,
}

/// What was given on one skill.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenSkill {
    pub(super) skill_type: Option<(SkillType, String)>,
    pub(super) questions: Option<(String, Vec<String>)>,
    pub(super) anchors: Option<Anchors>,
}

/// Verifies everything that was given; all problems are named at once.
pub(super) fn verify(
    input: &ScreeningInput,
    selection: &Selection,
    profile: &Profile,
    voice: Voice,
    texts: &Texts,
) -> Result<Given, Refusal> {
    let problems = Problems { texts, refusal: Refusal::default() };
    let mut verifier = Verifier { selection, profile, voice, problems, seen: Vec::new() };
    let mut given = Given::default();
    verifier.types(input.skill_types.as_deref().unwrap_or_default(), &mut given);
    verifier.questions(input.questions.as_deref().unwrap_or_default(), &mut given);
    given.motivation = verifier.part("motivation", input.motivation.as_ref(), 3..=5, Verifier::question);
    if let Some(practical) = &input.practical {
        given.practical = verifier.practical(practical);
    }
    given.closing = verifier.part("closing", input.closing.as_ref(), 3..=6, Verifier::closing);
    verifier.problems.refusal.or_ok().map(|()| given)
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
        lines: Option<&Vec<String>>,
        wanted: RangeInclusive<usize>,
        check: fn(&mut Self, &str, &str) -> String,
    ) -> Option<Vec<String>> {
        let lines = lines?;
        if !wanted.contains(&lines.len()) {
            self.problems.add(
                name,
                group!("screening.refusal").key(format_args!("{name}_count")),
                &[("count", &lines.len().to_string())],
            );
            return None;
        }
        let lines = lines.iter().enumerate();
        let said: Vec<String> = lines.map(|(at, text)| check(self, &format!("{name}[{at}]"), text)).collect();
        self.language(name, &said.join(" "));
        Some(said)
    }

    fn types(&mut self, types: &[GivenType], given: &mut Given) {
        if self.problems.exceeds(
            "skill_types",
            key!("screening.refusal.many_entries"),
            types.len(),
            MOST_ENTRIES,
        ) {
            return;
        }
        for (at, one) in types.iter().enumerate() {
            let field = format!("skill_types[{at}]");
            let Some((skill, must_have)) = self.skill(&field, &one.skill) else { continue };
            let name = start(&skill);
            let values = [("skill", name.as_str())];
            let reason = self.line(
                &format!("{field}.reason"),
                &one.reason,
                Some((key!("screening.refusal.type_reason"), &values[..])),
            );
            if must_have == (one.skill_type == SkillType::GoodToHave) {
                self.problems.add(&field, key!("screening.refusal.type_wrong"), &values);
            }
            let entry = given.skills.entry(skill).or_default();
            if entry.skill_type.replace((one.skill_type, reason)).is_some() {
                self.problems.add(&field, key!("screening.refusal.given_twice"), &values);
            }
        }
    }

    fn questions(&mut self, questions: &[GivenQuestions], given: &mut Given) {
        if self.problems.exceeds(
            "questions",
            key!("screening.refusal.many_entries"),
            questions.len(),
            MOST_ENTRIES,
        ) {
            return;
        }
        for (at, one) in questions.iter().enumerate() {
            let field = format!("questions[{at}]");
            let Some((skill, _)) = self.skill(&field, &one.skill) else { continue };
            let name = start(&skill);
            let main = self.question(&format!("{field}.main_question"), &one.main_question);
            let count = one.follow_ups.len();
            if !(2..=3).contains(&count) {
                let values = [("skill", name.as_str()), ("count", &*count.to_string())];
                self.problems.add(
                    &format!("{field}.follow_ups"),
                    key!("screening.refusal.follow_ups"),
                    &values,
                );
                continue;
            }
            let follow_ups = one.follow_ups.iter().enumerate();
            let follow_ups =
                follow_ups.map(|(at, text)| self.question(&format!("{field}.follow_ups[{at}]"), text));
            let follow_ups: Vec<String> = follow_ups.collect();
            let anchors = one.anchors.as_ref().map(|anchors| self.anchors(&field, &name, anchors));
            let described = anchors.iter().flat_map(Anchors::all);
            let all: Vec<&str> =
                std::iter::once(&main).chain(&follow_ups).chain(described).map(String::as_str).collect();
            self.language(&field, &all.join(" "));
            let entry = given.skills.entry(skill).or_default();
            entry.anchors = anchors;
            if entry.questions.replace((main, follow_ups)).is_some() {
                self.problems.add(&field, key!("screening.refusal.given_twice"), &[("skill", &name)]);
            }
        }
    }

    fn anchors(&mut self, field: &str, skill: &str, anchors: &Anchors) -> Anchors {
        let field = format!("{field}.anchors");
        let mut line = |score: &str, text: &str| self.line(&format!("{field}.{score}"), text, None);
        let (one, three, five) =
            (line("1", &anchors.one), line("3", &anchors.three), line("5", &anchors.five));
        if same(&one, &three) || same(&three, &five) || same(&one, &five) {
            self.problems.add(&field, key!("screening.refusal.anchors_same"), &[("skill", skill)]);
        }
        Anchors { one, three, five }
    }

    fn practical(&mut self, practical: &GivenPractical) -> GivenPractical {
        let mut question = |name: &str, text: &Option<String>| {
            let field = format!("practical.{name}");
            let text = self.question(&field, text.as_ref()?);
            self.language(&field, &text);
            Some(text)
        };
        GivenPractical {
            notice_period: question("notice_period", &practical.notice_period),
            salary_expectation: question("salary_expectation", &practical.salary_expectation),
            location: question("location", &practical.location),
            candidate_questions: question("candidate_questions", &practical.candidate_questions),
        }
    }

    /// A line of the closing. It must not promise what only the interviewer knows.
    fn closing(&mut self, field: &str, text: &str) -> String {
        let line = self.line(field, text, None);
        if line.chars().any(|letter| letter.is_numeric() || letter == '@') || line.contains("://") {
            self.problems.add(field, key!("screening.refusal.invented"), &[("start", &start(&line))]);
        }
        line
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
    fn question(&mut self, field: &str, text: &str) -> String {
        let problems = self.problems.refusal.problems.len();
        let question = self.line(field, text, None);
        if self.problems.refusal.problems.len() > problems {
            return question;
        }
        let bare = self.without_skills(&question);
        let marks = bare.matches(['?', '？', '؟']).count();
        let invited = || Words::of(&bare).find(INVITATIONS, self.voice.language()).is_some();
        let beginning = start(&question);
        let values = [("start", beginning.as_str())];
        if marks > 1 {
            self.problems.add(field, key!("screening.refusal.many_questions"), &values);
        } else if marks == 0 && !invited() {
            self.problems.add(field, key!("screening.refusal.no_question"), &values);
        } else if self.seen.iter().any(|seen| same(seen, &question)) {
            self.problems.add(field, key!("screening.refusal.repeated"), &values);
        }
        self.seen.push(question.clone());
        question
    }

    /// One line of text: there, short enough, allowed. `blank` says what is wrong if it is not there.
    fn line(&mut self, field: &str, text: &str, blank: Option<(Key, &[(&str, &str)])>) -> String {
        if self.problems.exceeds(field, key!("screening.refusal.long"), text.chars().count(), MOST_LINE) {
            return String::new();
        }
        let line = tidy(text);
        if line.is_empty() {
            let (key, values) = blank.unwrap_or((key!("screening.refusal.blank"), &[]));
            self.problems.add(field, key, values);
            return line;
        }
        let bare = self.without_skills(&line);
        let gate = Gate { voice: self.voice, audience: Audience::Colleagues, verbatim: &[] };
        let findings = gate.check(&bare).into_iter().filter(|finding| {
            // A single line is too short to tell its language; the whole part is looked at.
            finding.level == Level::Error && finding.rule != Rule::Language
        });
        // Emoji are gone from the tidy line, so the text as it came is looked at.
        let emoji = text.chars().find(|letter| is_emoji(*letter)).map(String::from);
        for excerpt in findings.map(|finding| finding.excerpt).chain(emoji) {
            self.problems.add(field, key!("screening.refusal.wording"), &[("excerpt", &excerpt)]);
        }
        check_private(&mut self.problems.refusal, field, &bare, self.problems.texts);
        line
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
