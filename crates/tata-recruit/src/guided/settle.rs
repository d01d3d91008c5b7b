//! Yes, no and doubts; decisions about findings and ratings; undo.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tata_guided::{
    answer::{is_doubt, is_undo, yes_or_no},
    decide,
    wish::Wish,
};

use super::{
    paste::parted,
    say,
    turn::{Step, Turn, arguments},
};
use crate::{Accepted, Kind, tool};

impl Turn<'_> {
    /// Yes, no, doubts and decisions about what is there: each by a closed list, or by numbers.
    pub(super) fn settled(&mut self, message: &str) -> Option<Step> {
        let language = self.language;
        if is_undo(message, language) {
            return Some(self.undo());
        }
        if is_doubt(message, language) {
            self.thought.offer = self.memory.offer;
            let lead = self.texts().get(key!("guided.doubt"));
            return Some(self.say(say::joined(&[lead, &self.draft_open()])));
        }
        match yes_or_no(message, language) {
            Some(true) => return Some(self.agreed()),
            Some(false) if self.memory.draft => return Some(self.tell(key!("guided.what_to_change"))),
            Some(false) => return Some(self.drop_it()),
            None => {}
        }
        let last = self.memory.last?;
        if parted(message, language).pasted.is_some() {
            return None;
        }
        if matches!(last, Kind::DiReview | Kind::JobAdReview) {
            if let Some(chosen) = Accepted::chosen(message) {
                return Some(self.take(last, &chosen, &[]));
            }
            let count = say::findings(self.memory);
            let decided =
                decide::findings(message, count, language).ok().filter(|decided| !decided.is_empty())?;
            return Some(self.decide_findings(last, &decided));
        }
        if last == Kind::CandidateReport {
            return self.rate(message);
        }
        None
    }

    /// A yes: to the draft, to the offer; to nothing, if nothing was asked.
    pub(super) fn agreed(&mut self) -> Step {
        if self.memory.draft {
            self.thought.intent = Some(Wish::ConfirmProfile);
            return self.call(tool::EDIT_REQUIREMENT_PROFILE, arguments([("confirm", json!(true))]));
        }
        match self.memory.offer {
            Some(offer) => self.follow(offer, "", None),
            None => self.tell(key!("guided.nothing_asked")),
        }
    }

    fn decide_findings(&mut self, review: Kind, decided: &BTreeMap<usize, bool>) -> Step {
        let with_words = say::replaceable(self.memory);
        let (taken, left): (Vec<_>, Vec<_>) =
            decided.iter().partition(|(number, take)| **take && with_words.contains(number));
        let taken = taken.into_iter().map(|(number, _)| Accepted { finding: *number, ..Accepted::default() });
        let left: Vec<usize> = left.into_iter().map(|(number, _)| *number).collect();
        self.take(review, &taken.collect::<Vec<_>>(), &left)
    }

    fn take(&mut self, review: Kind, taken: &[Accepted], left: &[usize]) -> Step {
        let mut arguments = arguments([("accept", json!(taken)), ("ignore", json!(left))]);
        arguments.retain(|_, list| *list != json!([]));
        self.thought.intent = Some(Wish::DecideFindings);
        let tool =
            if review == Kind::JobAdReview { tool::DECIDE_JOB_AD_FINDINGS } else { tool::DECIDE_DI_FINDINGS };
        self.call(tool, arguments)
    }

    /// Ratings that a person gives, each with its reason.
    fn rate(&mut self, message: &str) -> Option<Step> {
        let (key, report) = (self.memory.report_key.clone()?, self.memory.made.get(&Kind::CandidateReport)?);
        let skills = report["skill_assessments"].as_array()?.iter();
        let skills = skills.map(|skill| skill["skill_name"].as_str().unwrap_or_default());
        let texts = self.texts();
        let motivation = texts.get(key!("candidate.section.motivation"));
        let skills: Vec<String> = skills.chain([motivation]).map(str::to_owned).collect();
        let rated = decide::ratings(message, &skills, self.language)?;
        self.thought.intent = Some(Wish::ConfirmReport);
        if let Some(bare) = rated.iter().find(|rated| rated.reason.is_none()) {
            let (number, rating) = ((bare.at + 1).to_string(), bare.rating.to_string());
            let skill = skills.get(bare.at).map_or("", String::as_str);
            let values = [("number", number.as_str()), ("rating", &rating), ("skill", skill)];
            return Some(self.say(texts.say(key!("guided.ratings_reason"), &values)));
        }
        let decisions: Vec<Value> = rated
            .iter()
            .map(|rated| {
                json!({ "about": skills.get(rated.at), "choice": "rate", "rating": rated.rating, "reason": rated.reason })
            })
            .collect();
        let arguments = arguments([("candidate_key", json!(key)), ("decisions", json!(decisions))]);
        Some(self.call(tool::CONFIRM_CANDIDATE_REPORT, arguments))
    }

    /// The version before, of the document that was made last or that is open.
    pub(super) fn undo(&mut self) -> Step {
        let kind = self.memory.last.unwrap_or(Kind::RequirementProfile);
        let newest = self.memory.made.get(&kind).and_then(|made| made["version"].as_u64());
        let before = newest.and_then(|newest| newest.checked_sub(1)).filter(|before| *before > 0);
        let Some(before) = before else {
            return self.tell(key!("guided.undo_nothing"));
        };
        self.thought.intent = Some(Wish::Restore);
        let arguments = arguments([("kind", json!(kind.name())), ("version", json!(before))]);
        self.call("restore_document", arguments)
    }
}
