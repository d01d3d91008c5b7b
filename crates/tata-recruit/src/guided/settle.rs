//! Yes, no and doubts; decisions about findings and ratings; undo.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tata_core::put;
use tata_guided::{
    answer::{is_doubt, is_undo, yes_or_no},
    decide,
    wish::Wish,
};

use super::{
    paste::parted,
    say,
    turn::{Step, Turn},
};
use crate::Kind;

impl Turn<'_> {
    /// Yes, no, doubts and decisions about what is there: each by a closed list, or by numbers.
    pub(super) fn settled(&mut self, message: &str) -> Option<Step> {
        let language = self.language;
        let texts = self.texts();
        if is_undo(message, language) {
            return Some(self.undo());
        }
        if is_doubt(message, language) {
            let lead = texts.get("guided.doubt").to_owned();
            self.thought.offer = self.memory.offer;
            return Some(self.say(say::joined(&[lead, self.draft_open()])));
        }
        match yes_or_no(message, language) {
            Some(true) => return Some(self.agreed()),
            Some(false) if self.memory.draft => {
                return Some(self.say(texts.get("guided.what_to_change").to_owned()));
            }
            Some(false) => return Some(self.drop_it()),
            None => {}
        }
        let last = self.memory.last?;
        let said = parted(message, self.language);
        if said.pasted.is_some() {
            return None;
        }
        if matches!(last, Kind::DiReview | Kind::JobAdReview) {
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
            let mut arguments = Map::new();
            put(&mut arguments, "confirm", json!(true));
            return self.call("edit_requirement_profile", arguments);
        }
        if let Some(offer) = self.memory.offer {
            self.follow(offer, "", None)
        } else {
            let text = self.texts().get("guided.nothing_asked").to_owned();
            self.say(text)
        }
    }

    fn decide_findings(&mut self, review: Kind, decided: &BTreeMap<usize, bool>) -> Step {
        let with_words = say::replaceable(self.memory);
        let taken: Vec<Value> = decided
            .iter()
            .filter(|(number, take)| **take && with_words.contains(number))
            .map(|(number, _)| json!({ "finding": number }))
            .collect();
        let left: Vec<usize> = decided
            .iter()
            .filter(|(number, take)| !(**take && with_words.contains(number)))
            .map(|(number, _)| *number)
            .collect();
        let mut arguments = Map::new();
        for (name, value) in [("accept", json!(taken)), ("ignore", json!(left))] {
            if value.as_array().is_some_and(|members| !members.is_empty()) {
                put(&mut arguments, name, value);
            }
        }
        self.thought.intent = Some(Wish::DecideFindings);
        let tool = if review == Kind::JobAdReview { "decide_job_ad_findings" } else { "decide_di_findings" };
        self.call(tool, arguments)
    }

    /// Ratings that a person gives, each with its reason.
    fn rate(&mut self, message: &str) -> Option<Step> {
        let (key, report) = (self.memory.report_key.clone()?, self.memory.made.get(&Kind::CandidateReport)?);
        let skills: Vec<String> = report["skill_assessments"]
            .as_array()?
            .iter()
            .map(|skill| skill["skill_name"].as_str().unwrap_or_default().to_owned())
            .collect();
        let texts = self.texts();
        let motivation = texts.get("candidate.section.motivation").to_owned();
        let skills: Vec<String> = skills.into_iter().chain([motivation]).collect();
        let rated = decide::ratings(message, &skills, self.language)?;
        self.thought.intent = Some(Wish::ConfirmReport);
        if let Some(bare) = rated.iter().find(|rated| rated.reason.is_none()) {
            let (number, rating) = ((bare.at + 1).to_string(), bare.rating.to_string());
            let skill = skills.get(bare.at).map_or("", String::as_str);
            let values = [("number", number.as_str()), ("rating", &rating), ("skill", skill)];
            return Some(self.say(texts.say("guided.ratings_reason", &values)));
        }
        let decisions: Vec<Value> = rated
            .iter()
            .map(|rated| {
                json!({ "about": skills.get(rated.at), "choice": "rate", "rating": rated.rating, "reason": rated.reason })
            })
            .collect();
        let mut arguments = Map::new();
        put(&mut arguments, "candidate_key", json!(key));
        put(&mut arguments, "decisions", json!(decisions));
        Some(self.call("confirm_candidate_report", arguments))
    }

    /// The version before, of the document that was made last or that is open.
    pub(super) fn undo(&mut self) -> Step {
        let kind = self.memory.last.unwrap_or(Kind::RequirementProfile);
        let newest = self.memory.made.get(&kind).and_then(|made| made["version"].as_u64());
        let before = newest.and_then(|newest| newest.checked_sub(1)).filter(|before| *before > 0);
        let Some(before) = before else {
            let text = self.texts().get("guided.undo_nothing").to_owned();
            return self.say(text);
        };
        self.thought.intent = Some(Wish::Restore);
        let mut arguments = Map::new();
        put(&mut arguments, "kind", json!(kind.name()));
        put(&mut arguments, "version", json!(before));
        self.call("restore_document", arguments)
    }
}
