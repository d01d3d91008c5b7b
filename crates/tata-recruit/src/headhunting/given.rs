//! Texts that a model wrote: taken over if they keep every rule, refused with the rule otherwise.

use std::collections::{BTreeMap, BTreeSet};
use tata_language::identify::identify;

use tata_core::Problem;

use super::{
    GivenMessage,
    artifact::{Message, ValueKind, Version},
    value::wrong_form,
};
use crate::{
    Audience, Gate, Key, Profile, Refusal, Texts, Voice,
    prose::{Judge, NAME, is_fact},
    same,
};

/// So many words in a row from somebody's profile are a quotation.
const QUOTED: usize = 4;

/// What the texts are checked against, and what is wrong with them.
pub(super) struct Checker<'a> {
    pub(super) profile: &'a Profile,
    pub(super) candidate: Option<&'a str>,
    /// What was taken up from the candidate's profile; empty if nothing was.
    pub(super) detail: &'a str,
    pub(super) judge: &'a Judge,
    /// In the recruiter's language.
    pub(super) texts: &'static Texts,
    pub(super) refusal: Refusal,
}

impl<'a> Checker<'a> {
    /// The texts as they are stored, or everything that is wrong with them.
    pub(super) fn check(
        mut self,
        given: &[GivenMessage],
    ) -> Result<BTreeMap<(Version, Voice), Message>, Refusal> {
        let mut messages = BTreeMap::new();
        // Of more than eighteen, one at least is there twice.
        for one in given.iter().take(19) {
            let message = self.message(one);
            if messages.contains_key(&(one.version, one.voice)) {
                self.refuse(one, key!("headhunting.refusal.message.twice"), &[]);
            }
            self.check_parts(one, &message);
            self.check_content(one);
            self.check_words(one);
            messages.insert((one.version, one.voice), message);
        }
        self.refusal.or_ok().map(|()| messages)
    }

    fn message(&self, one: &GivenMessage) -> Message {
        let item = self.profile.items().find(|item| same(&item.text, &one.based_on));
        let message = Message {
            text: one.text.clone(),
            hook: one.hook.clone(),
            value_proposition: one.value_proposition.clone(),
            value_kind: ValueKind::Translated,
            value_evidence: item.map(|item| item.evidence.clone()).into_iter().collect(),
            call_to_action: one.call_to_action.clone(),
            given: true,
            ..Message::default()
        };
        message.counted()
    }

    /// Length, the three parts, the position.
    fn check_parts(&mut self, one: &GivenMessage, message: &Message) {
        for (key, count, limit) in message.broken_limits(one.version) {
            self.refuse(one, key, &[("count", &count.to_string()), ("limit", &limit.to_string())]);
        }
        let mut rest = one.text.clone();
        for part in message.parts() {
            if part.trim().is_empty() || rest.matches(part).count() != 1 {
                self.refuse(one, key!("headhunting.refusal.message.part"), &[("part", part)]);
            }
            // A sign that is in no part keeps the parts apart.
            rest = rest.replacen(part, "\n\0\n", 1);
        }
        let position = self.profile.position_title.as_str();
        if !one.hook.contains(position) {
            self.refuse(one, key!("headhunting.refusal.message.position"), &[("position", position)]);
        }
        if message.value_evidence.is_empty() {
            self.refuse(one, key!("headhunting.refusal.value.based_on"), &[("statement", &one.based_on)]);
        }
    }

    /// One true detail, no pretended knowledge, no numbers from nowhere, one question.
    fn check_content(&mut self, one: &GivenMessage) {
        let detail = self.detail;
        let own = if detail.is_empty() { one.text.clone() } else { one.text.replacen(detail, " \0 ", 1) };
        let folded = own.to_lowercase();
        if detail.is_empty() {
            let cues = Texts::of(one.voice).list(key!("headhunting.knowledge"));
            if let Some(cue) = cues.iter().find(|cue| folded.contains(cue.as_str())) {
                self.refuse(one, key!("headhunting.refusal.message.pretends"), &[("excerpt", cue)]);
            }
        } else if one.text.matches(detail).count() != 1 {
            self.refuse(one, key!("headhunting.refusal.message.detail"), &[("detail", detail)]);
        }
        if let Some(excerpt) = self.copied(&own) {
            self.refuse(one, key!("headhunting.refusal.message.copies"), &[("excerpt", &excerpt)]);
        }
        if own.matches('?').count() > 1 {
            self.refuse(one, key!("headhunting.refusal.message.questions"), &[]);
        }
        self.check_proof(one);
    }

    /// What the message says of the role must stand in the profile. A call to action ("15 minutes") is an offer and no
    /// fact, and the position and the detail are quoted.
    fn check_proof(&mut self, one: &GivenMessage) {
        let facts = self.without_quoted(&one.text.replacen(one.call_to_action.as_str(), " ", 1));
        let pay = self.profile.pay_range.as_ref().map(|pay| pay.evidence.quote.as_str());
        let size = self.profile.team_info.size.as_ref().map(|size| size.evidence.quote.as_str());
        let items = self.profile.items().map(|item| item.text.as_str());
        let names = [&*self.profile.position_title, self.detail, "GlobalConnect"].map(|text| (NAME, text));
        let stated = items.chain(pay).chain(size).map(|text| ("profile", text));
        let sources: Vec<(&str, &str)> = stated.chain(names).collect();
        for found in self.judge.unproven(one.voice.language(), "message", &facts, &sources, is_fact) {
            let values = [("text", found.words.as_str()), ("reason", found.why(self.texts))];
            self.refuse(one, key!("headhunting.refusal.message.unproven"), &values);
        }
    }

    /// Language, form, and the rules for all texts.
    fn check_words(&mut self, one: &GivenMessage) {
        let own = self.without_quoted(&one.text);
        if identify(&own).is_some_and(|found| found.language != one.voice.language()) {
            self.refuse(one, key!("headhunting.refusal.message.language"), &[]);
        }
        if wrong_form(&own, one.voice) {
            self.refuse(one, key!("headhunting.refusal.message.address"), &[]);
        }
        let verbatim: Vec<&str> = self.quoted().collect();
        let gate = Gate { voice: one.voice, audience: Audience::Headhunting, verbatim: &verbatim };
        if let Err(found) = gate.pass_lines(&[&one.text], self.texts) {
            let field = || one.version.field(one.voice);
            let problems = found.problems.into_iter().map(|problem| Problem { field: field(), ..problem });
            self.refusal.problems.extend(problems);
        }
    }

    /// The position, and the detail if there is one.
    fn quoted(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        [&*self.profile.position_title, self.detail].into_iter().filter(|text| !text.is_empty())
    }

    fn without_quoted(&self, text: &str) -> String {
        self.quoted().fold(text.to_owned(), |text, quoted| text.replace(quoted, " "))
    }

    /// Words in a row that stand in the candidate's profile too, the position aside.
    fn copied(&self, own: &str) -> Option<String> {
        let own = own.replace(&self.profile.position_title, " \0 ").to_lowercase();
        let candidate = self.candidate?.to_lowercase();
        let (words, others) = (words(&own), words(&candidate));
        let rows: BTreeSet<&[&str]> = words.windows(QUOTED).filter(|row| !row.contains(&"\0")).collect();
        others.windows(QUOTED).find(|row| rows.contains(row)).map(|row| row.join(" "))
    }

    fn refuse(&mut self, one: &GivenMessage, key: Key, values: &[(&str, &str)]) {
        let own = [("version", one.version.display(self.texts)), ("voice", one.voice.display(self.texts))];
        let message = self.texts.say(key, &[&own, values].concat());
        let way_out = self.texts.get(key!("headhunting.refusal.message.way_out"));
        self.refusal.add(one.version.field(one.voice), message, way_out);
    }
}

fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric() && letter != '\0');
    parts.filter(|word| !word.is_empty()).collect()
}
