//! Texts that a model wrote: taken over if they keep every rule, refused with the rule otherwise.

use std::collections::{BTreeMap, BTreeSet};
use tata_language::identify::identify;

use tata_core::Problem;

use super::{
    GivenMessage,
    artifact::{Message, ValueKind, Version},
    compose::WORDS,
    value::wrong_form,
};
use crate::{
    Audience, Gate, Key, Profile, Refusal, Texts, Voice,
    prose::{Judge, NAME, is_fact},
    same,
};

/// So many words in a row from somebody's profile are a quotation.
const QUOTED: usize = 4;

/// What the texts are checked against.
pub(super) struct Checker<'a> {
    pub(super) profile: &'a Profile,
    pub(super) candidate: Option<&'a str>,
    /// What was taken up from the candidate's profile; empty if nothing was.
    pub(super) detail: &'a str,
    pub(super) judge: &'a Judge,
    /// In the recruiter's language.
    pub(super) texts: &'static Texts,
}

impl Checker<'_> {
    /// The texts as they are stored, or everything that is wrong with them.
    pub(super) fn check(
        &self,
        given: &[GivenMessage],
    ) -> Result<BTreeMap<(Version, Voice), Message>, Refusal> {
        let (mut refusal, mut messages) = (Refusal::default(), BTreeMap::new());
        let mut seen = BTreeSet::new();
        // Of more than eighteen, one at least is there twice.
        for one in given.iter().take(19) {
            let before = refusal.problems.len();
            if !seen.insert((one.version, one.voice)) {
                self.refuse(&mut refusal, one, key!("headhunting.refusal.message.twice"), &[]);
            }
            self.check_parts(one, &mut refusal);
            self.check_content(one, &mut refusal);
            self.check_words(one, &mut refusal);
            if refusal.problems.len() == before {
                messages.insert((one.version, one.voice), self.message(one));
            }
        }
        refusal.or_ok().map(|()| messages)
    }

    fn message(&self, one: &GivenMessage) -> Message {
        let item = self.profile.items().find(|item| same(&item.text, &one.based_on));
        Message {
            text: one.text.clone(),
            hook: one.hook.clone(),
            value_proposition: one.value_proposition.clone(),
            value_kind: ValueKind::Translated,
            value_evidence: item.map(|item| item.evidence.clone()).into_iter().collect(),
            call_to_action: one.call_to_action.clone(),
            given: true,
            words: one.text.split_whitespace().count(),
            characters: one.text.chars().count(),
        }
    }

    /// Length, the three parts, the position.
    fn check_parts(&self, one: &GivenMessage, refusal: &mut Refusal) {
        let (words, characters) = (one.text.split_whitespace().count(), one.text.chars().count());
        let most = one.version.most_characters();
        if words >= WORDS {
            let values = [("count", words.to_string()), ("limit", WORDS.to_string())];
            self.refuse_as(refusal, one, key!("headhunting.refusal.words"), &values);
        }
        if characters > most {
            let values = [("count", characters.to_string()), ("limit", most.to_string())];
            self.refuse_as(refusal, one, key!("headhunting.refusal.characters"), &values);
        }
        let mut rest = one.text.clone();
        for part in [&one.hook, &one.value_proposition, &one.call_to_action] {
            if part.trim().is_empty() || rest.matches(part.as_str()).count() != 1 {
                self.refuse(
                    refusal,
                    one,
                    key!("headhunting.refusal.message.part"),
                    &[("part", part.clone())],
                );
            }
            // A sign that is in no part keeps the parts apart.
            rest = rest.replacen(part.as_str(), "\n\0\n", 1);
        }
        if !one.hook.contains(&self.profile.position_title) {
            self.refuse(
                refusal,
                one,
                key!("headhunting.refusal.message.position"),
                &[("position", self.profile.position_title.clone())],
            );
        }
        if !self.profile.items().any(|item| same(&item.text, &one.based_on)) {
            let values = [("statement", one.based_on.clone())];
            self.refuse_as(refusal, one, key!("headhunting.refusal.value.based_on"), &values);
        }
    }

    /// One true detail, no pretended knowledge, no numbers from nowhere, one question.
    fn check_content(&self, one: &GivenMessage, refusal: &mut Refusal) {
        let detail = self.detail;
        let own = if detail.is_empty() { one.text.clone() } else { one.text.replacen(detail, " \0 ", 1) };
        let folded = own.to_lowercase();
        if detail.is_empty() {
            let cues = Texts::of(one.voice).list(key!("headhunting.knowledge"));
            if let Some(cue) = cues.iter().find(|cue| folded.contains(cue.as_str())) {
                self.refuse(
                    refusal,
                    one,
                    key!("headhunting.refusal.message.pretends"),
                    &[("excerpt", cue.clone())],
                );
            }
        } else if one.text.matches(detail).count() != 1 {
            self.refuse(
                refusal,
                one,
                key!("headhunting.refusal.message.detail"),
                &[("detail", detail.to_owned())],
            );
        }
        if let Some(excerpt) = self.copied(&own) {
            self.refuse(refusal, one, key!("headhunting.refusal.message.copies"), &[("excerpt", excerpt)]);
        }
        if own.matches('?').count() > 1 {
            self.refuse(refusal, one, key!("headhunting.refusal.message.questions"), &[]);
        }
        self.check_proof(one, refusal);
    }

    /// What the message says of the role must stand in the profile. A call to action ("15 minutes") is an offer and no
    /// fact, and the position and the detail are quoted.
    fn check_proof(&self, one: &GivenMessage, refusal: &mut Refusal) {
        let facts = self.without_quoted(&one.text.replacen(one.call_to_action.as_str(), " ", 1));
        let pay = self.profile.pay_range.as_ref().map(|pay| pay.evidence.quote.as_str());
        let size = self.profile.team_info.size.as_ref().map(|size| size.evidence.quote.as_str());
        let items = self.profile.items().map(|item| item.text.as_str());
        let names = [&*self.profile.position_title, self.detail, "GlobalConnect"].map(|text| (NAME, text));
        let stated = items.chain(pay).chain(size).map(|text| ("profile", text));
        let sources: Vec<(&str, &str)> = stated.chain(names).collect();
        for found in self.judge.unproven(one.voice.language(), "message", &facts, &sources, is_fact) {
            let reason = found.why(self.texts).to_owned();
            self.refuse(
                refusal,
                one,
                key!("headhunting.refusal.message.unproven"),
                &[("text", found.words), ("reason", reason)],
            );
        }
    }

    /// Language, form, and the rules for all texts.
    fn check_words(&self, one: &GivenMessage, refusal: &mut Refusal) {
        let own = self.without_quoted(&one.text);
        if identify(&own).is_some_and(|found| found.language != one.voice.language()) {
            self.refuse(refusal, one, key!("headhunting.refusal.message.language"), &[]);
        }
        if wrong_form(&own, one.voice) {
            self.refuse(refusal, one, key!("headhunting.refusal.message.address"), &[]);
        }
        let verbatim: Vec<&str> = self.quoted().collect();
        let gate = Gate { voice: one.voice, audience: Audience::Headhunting, verbatim: &verbatim };
        if let Err(found) = gate.pass_lines(&[&one.text], self.texts) {
            let problems = found.problems.into_iter();
            refusal
                .problems
                .extend(problems.map(|problem| Problem { field: one.version.field(one.voice), ..problem }));
        }
    }

    /// The position, and the detail if there is one.
    fn quoted(&self) -> impl Iterator<Item = &str> {
        [&*self.profile.position_title, self.detail].into_iter().filter(|text| !text.is_empty())
    }

    fn without_quoted(&self, text: &str) -> String {
        self.quoted().fold(text.to_owned(), |text, quoted| text.replace(quoted, " "))
    }

    /// Words in a row that stand in the candidate's profile too, the position aside.
    fn copied(&self, own: &str) -> Option<String> {
        let candidate = self.candidate?;
        let own = own.replace(&self.profile.position_title, " \0 ").to_lowercase();
        let split = |letter: char| !letter.is_alphanumeric() && letter != '\0';
        let words: Vec<&str> = own.split(split).filter(|word| !word.is_empty()).collect();
        let rows: BTreeSet<Vec<&str>> =
            words.windows(QUOTED).filter(|row| !row.contains(&"\0")).map(<[&str]>::to_vec).collect();
        let lower = candidate.to_lowercase();
        let others: Vec<&str> = lower.split(split).filter(|word| !word.is_empty()).collect();
        others.windows(QUOTED).find(|row| rows.contains(*row)).map(|row| row.join(" "))
    }

    fn refuse(&self, refusal: &mut Refusal, one: &GivenMessage, rule: Key, values: &[(&str, String)]) {
        self.refuse_as(refusal, one, rule, values);
    }

    fn refuse_as(&self, refusal: &mut Refusal, one: &GivenMessage, key: Key, values: &[(&str, String)]) {
        let mut all =
            vec![("version", one.version.display(self.texts)), ("voice", one.voice.display(self.texts))];
        all.extend(values.iter().map(|(name, value)| (*name, value.as_str())));
        let way_out = self.texts.get(key!("headhunting.refusal.message.way_out"));
        refusal.add(one.version.field(one.voice), self.texts.say(key, &all), way_out);
    }
}
