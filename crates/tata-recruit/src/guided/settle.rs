//! Yes, no and doubts; decisions about findings and ratings; undo.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tata_guided::{
    answer::{after_yes, asks_to_make, is_agreed, is_doubt, is_later, is_undo, yes_or_no},
    decide::{self, Rated},
    wish::{self, Wish},
};

use super::{
    paste::{certain_kind, parted, takes_text},
    say,
    tools::{kind_for, kinds, wish_for},
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
        if self.memory.draft && self.beside_yes().is_some() {
            return Some(self.agreed());
        }
        if let Some(step) = self.offer_taken(message) {
            return Some(step);
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

    /// A yes to what was offered, in more words than a yes or in fewer: "please do", "yes please, write the ad". It makes what
    /// was offered and nothing else, and confirms nothing.
    fn offer_taken(&mut self, message: &str) -> Option<Step> {
        let (language, draft) = (self.language, self.memory.draft);
        let offer = self.memory.offer.filter(|_| !draft)?;
        if is_later(message, language) {
            return Some(self.drop_it());
        }
        if is_agreed(message, language) {
            return Some(self.take_offer(offer));
        }
        let more = after_yes(message, language).filter(|more| !more.contains(['?', '\n']))?;
        let asks = |text: &str| {
            let reading = wish::read(text, language);
            reading.certain == Some(offer) || reading.offers().next() == Some(offer)
        };
        let names = kind_for(offer).is_some_and(|kind| say::names(kind, more, self.texts()));
        (names || asks(more)).then(|| self.take_offer(offer))
    }

    /// The document that is wished for in the same breath as a yes: "yes please, write the ad".
    pub(super) fn beside_yes(&self) -> Option<Wish> {
        let (language, texts) = (self.language, self.texts());
        let more = after_yes(self.memory.message(), language).filter(|more| !more.contains(['?', '\n']))?;
        let certain = wish::read(more, language).certain;
        let named = || {
            let named = kinds().filter(|kind| say::names(*kind, more, texts));
            named.max_by_key(|kind| kind.display(texts).len()).and_then(wish_for)
        };
        let wished = certain.or_else(|| asks_to_make(more, language).then(named).flatten())?;
        kind_for(wished).filter(|kind| kind.requires().contains(&Kind::RequirementProfile)).map(|_| wished)
    }

    /// What was offered; with the text that was brought for it before something else had to be made.
    fn take_offer(&mut self, offer: Wish) -> Step {
        let (memory, language) = (self.memory, self.language);
        let waits = memory.wanted == Some(offer) && takes_text(offer);
        let mut texts = memory.said.iter().rev().filter_map(|said| parted(said, language).pasted);
        let brought = waits.then(|| texts.find(|text| certain_kind(text, language) == Some(offer))).flatten();
        self.follow(offer, "", brought)
    }

    /// A yes: to the draft, to the offer; to nothing, if nothing was asked.
    pub(super) fn agreed(&mut self) -> Step {
        if self.memory.draft {
            self.thought.intent = Some(Wish::ConfirmProfile);
            return self.call(tool::EDIT_REQUIREMENT_PROFILE, arguments([("confirm", json!(true))]));
        }
        match self.memory.offer {
            Some(offer) => self.take_offer(offer),
            None if self.memory.stands => {
                let offer = self.offer();
                self.say(say::joined(&[self.texts().get(key!("guided.stays")), &offer]))
            }
            None => self.tell(key!("guided.nothing_asked")),
        }
    }

    /// What is taken needs words that can stand there; what is left is left. Neither becomes the other.
    fn decide_findings(&mut self, review: Kind, decided: &BTreeMap<usize, bool>) -> Step {
        let with_words = say::replaceable(self.memory);
        let numbers = |wanted: bool| {
            let decided = decided.iter().filter(move |(_, take)| **take == wanted);
            decided.map(|(number, _)| *number).collect::<Vec<usize>>()
        };
        let (taken, left) = (numbers(true), numbers(false));
        let (ready, wordless): (Vec<usize>, Vec<usize>) =
            taken.into_iter().partition(|number| with_words.contains(number));
        let Some(first) = wordless.first().map(usize::to_string) else {
            let ready = ready.into_iter().map(|finding| Accepted { finding, ..Accepted::default() });
            return self.take(review, &ready.collect::<Vec<_>>(), &left);
        };
        // Nothing is decided by halves: the person says the words, or leaves these out.
        let named: Vec<String> = wordless.iter().map(usize::to_string).collect();
        let others: Vec<String> = ready.iter().map(usize::to_string).collect();
        let texts = self.texts();
        let lead = texts.say(
            key!("guided.findings_wordless"),
            &[("numbers", &texts.enumerate(&named)), ("number", &first)],
        );
        let rest = texts.say(key!("guided.findings_others"), &[("numbers", &others.join(", "))]);
        let rest = if others.is_empty() { String::new() } else { rest };
        self.thought.intent = Some(Wish::DecideFindings);
        self.say(say::joined(&[lead, rest]))
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
        let skill = |at: usize| skills.get(at).map_or("", String::as_str);
        let bare: Vec<&Rated> = rated.iter().filter(|rated| rated.reason.is_none()).collect();
        if let [one] = bare.as_slice() {
            let (number, rating) = ((one.at + 1).to_string(), one.rating.to_string());
            let values = [("number", number.as_str()), ("rating", &rating), ("skill", skill(one.at))];
            return Some(self.say(texts.say(key!("guided.ratings_reason"), &values)));
        }
        if !bare.is_empty() {
            // All that was rated stands in the answer, so that it can be sent back with its reasons.
            let line = |one: &&Rated| format!("{}: {}, …", skill(one.at), one.rating);
            let lines: Vec<String> = bare.iter().map(line).collect();
            let lead = texts.get(key!("guided.ratings_reasons")).to_owned();
            return Some(self.say(say::joined(&[lead, say::bullets(&lines)])));
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
