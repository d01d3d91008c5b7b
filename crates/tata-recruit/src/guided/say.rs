//! What to say: the words for what was understood, and for what the tools brought.

use serde_json::Value;
use tata_core::Form;
use tata_guided::{
    answer::{Context, names_ad},
    form::Filled,
    sort::Place,
    wish::Wish,
};

use super::{
    Ask,
    change::place_of,
    forms::form,
    memory::{Done, Memory, kind_of},
    sheet::{prefill, shown, stored, waiting},
    tools::{kind_for, kinds, wish_for, wish_of},
    turn::{Step, Turn},
};
use crate::{Kind, Language, Refusal, Texts, form::Arguments, rendered, tool};

/// A document that was made before: the one whose name stands in the message, else the last.
pub(super) fn shown_again(memory: &Memory, texts: &Texts) -> String {
    let named = kinds().filter(|kind| names(*kind, memory.message(), texts));
    let named: Vec<Kind> = named.collect();
    let made = named.iter().copied().filter(|kind| memory.made.contains_key(kind));
    let made = made.max_by_key(|kind| kind.display(texts).len());
    let document = made
        .or(memory.last.filter(|_| named.is_empty()))
        .and_then(|kind| rendered(kind, memory.made.get(&kind)?));
    document.map_or_else(|| texts.get(key!("guided.nothing_made")).to_owned(), |document| document.markdown())
}

/// Whether words name a document, by its name or by a word of it.
pub(super) fn names(kind: Kind, said: &str, texts: &Texts) -> bool {
    let said = said.to_lowercase();
    let name = kind.display(texts).to_lowercase();
    let is_ad = || names_ad(&said);
    said.contains(&name)
        || kind == Kind::JobAd && is_ad()
        || name.split_whitespace().any(|word| word.chars().count() > 4 && said.contains(word))
}

impl Turn<'_> {
    /// What to say after a tool ran.
    pub(super) fn after(mut self, done: &Done) -> Step {
        let confirmed = !done.failed
            && done.tool == tool::EDIT_REQUIREMENT_PROFILE
            && done.arguments.get("confirm") == Some(&Value::Bool(true));
        if let Some(wish) = self.beside_yes().filter(|_| confirmed) {
            return self.follow(wish, "", None);
        }
        let text = if done.failed { self.refused(done) } else { self.made(done) };
        self.say(text)
    }

    /// A refusal as the next question.
    fn refused(&mut self, done: &Done) -> String {
        let texts = self.texts();
        let error = &done.result["error"];
        let missing = error["missing"].as_array().into_iter().flatten();
        let missing: Vec<Kind> = missing.filter_map(|kind| kind.as_str().and_then(Kind::find)).collect();
        if let Some(first) = missing.first() {
            let wanted = wish_of(&done.tool);
            let kind = wanted.and_then(kind_for).unwrap_or(Kind::JobAd);
            let lacking = Refusal::lacking(kind, &missing, texts).problems.remove(0);
            self.thought.wanted = wanted;
            self.thought.offer = wish_for(*first);
            return joined(&[lacking.message, lacking.hint.unwrap_or_default()]);
        }
        let problems = error["problems"].as_array().map(Vec::as_slice).unwrap_or_default();
        if error["kind"] == "not_approved" {
            return texts.get(key!("guided.edit.kept")).to_owned();
        }
        let Some(first) = problems.first() else {
            // Nothing the person could mend; the tool has said it in words that are safe to show.
            return error["message"].as_str().unwrap_or(texts.get(key!("guided.missed"))).to_owned();
        };
        let told = problems.iter().flat_map(|problem| [&problem["message"], &problem["hint"]]);
        let told = joined(&told.filter_map(Value::as_str).collect::<Vec<_>>());
        let field = first["field"].as_str().unwrap_or_default().trim_start_matches('/');
        let name = field.split('/').next().unwrap_or_default();
        let arguments = done.arguments.clone();
        // No reason that can be said in every language: one figure mends it, and one question asks for it.
        if done.tool == tool::CREATE_HEADHUNTING_MESSAGES && name.starts_with("value_propositions") {
            self.thought.wanted = Some(Wish::Headhunting);
            self.thought.ask = Some(Ask::Part { place: Place::Team });
            return texts.get(key!("guided.ask.team_size")).to_owned();
        }
        match (done.tool.as_str(), name) {
            (tool::CREATE_REQUIREMENT_PROFILE, "must_haves") => {
                self.thought.ask = Some(Ask::More { arguments });
            }
            (tool::CREATE_REQUIREMENT_PROFILE, "chosen_must_haves") => {
                self.thought.ask = Some(Ask::Chosen { arguments });
            }
            (tool::CREATE_JOB_AD, name) if place_of(name).is_some() => {
                self.thought.wanted = Some(Wish::JobAd);
                self.thought.ask = place_of(name).map(|place| Ask::Part { place });
            }
            (tool::CREATE_REQUIREMENT_PROFILE, _) if matches!(self.open, Some(Ask::Sort { .. })) => {
                // What was sorted stays sorted: only what is wrong is to be mended.
                self.thought.ask = self.open.take();
                return joined(&[told, self.how_to_sort()]);
            }
            (tool, _) => {
                let form = self.form_again(tool, arguments, problems).unwrap_or_default();
                return joined(&[told, form]);
            }
        }
        told
    }

    /// The form of a tool that was refused, with the fields that are wrong open again.
    fn form_again(&mut self, tool: &str, mut arguments: Arguments, problems: &[Value]) -> Option<String> {
        let texts = self.texts();
        let wrong: Vec<String> = problems
            .iter()
            .filter_map(|problem| problem["field"].as_str())
            .map(|field| field.trim_start_matches('/').replace('/', "."))
            .collect();
        for field in &wrong {
            arguments.remove(field.split('.').next().unwrap_or_default());
        }
        let mut known = self.known();
        known.pay &= !wrong.iter().any(|field| field.starts_with("pay_range"));
        let mut form = form(tool, &arguments, &known, texts)?;
        for field in &mut form.fields {
            let about =
                |wrong: &String| *wrong == field.id || field.id.split('.').next() == Some(wrong.as_str());
            field.required |= wrong.iter().any(about) && field.id != "hiring_manager.title";
        }
        let filled = filled_by(form, &arguments);
        if !waiting(&filled).any(|(_, field)| field.required) {
            return None;
        }
        self.keep_open(tool, arguments, &filled);
        Some(joined(&[&*shown(&filled, texts), texts.get(key!("guided.form.help"))]))
    }

    /// A form that the next message may fill.
    pub(super) fn keep_open(&mut self, tool: &str, arguments: Arguments, filled: &Filled) {
        self.thought.ask = Some(Ask::Form { tool: tool.to_owned(), arguments, state: stored(filled) });
    }

    /// What was made: the document, what to note, what is asked, what could come next.
    fn made(&mut self, done: &Done) -> String {
        let texts = self.texts();
        let result = &done.result;
        let kind = kind_of(result);
        if kind == Some(Kind::ProjectSettings) {
            return self.project_set(done);
        }
        let mut artifact = result["artifact"].clone();
        if kind == Some(Kind::CandidateReport) {
            // The model's copy has no name; the person who gave it may read it.
            let name =
                done.arguments.get("candidate_name").or_else(|| result["artifact"].get("candidate_key"));
            if let (Some(name), Some(fields)) = (name, artifact.as_object_mut()) {
                fields.entry("candidate_name").or_insert_with(|| name.clone());
            }
        }
        let document = kind.and_then(|kind| rendered(kind, &artifact)).map(|document| document.markdown());
        let text = || result["text"].as_str().or_else(|| result["plain_text"].as_str()).map(str::to_owned);
        let mut parts = vec![document.or_else(text).unwrap_or_default()];
        if let Some((version, kind)) = result["restored_version"].as_u64().zip(kind) {
            let values = [("version", &*version.to_string()), ("document", kind.display(texts))];
            parts.insert(0, texts.say(key!("guided.restored"), &values));
        }
        let (notices, questions) = (lines(result, "warnings"), lines(result, "ask_the_recruiter"));
        if !notices.is_empty() {
            parts.push(format!("{}\n{}", texts.get(key!("guided.please_note")), bullets(&notices)));
        }
        let more = (kind == Some(Kind::JobAd)).then(|| self.more_fields(done)).flatten();
        parts.push(more.unwrap_or_else(|| questions.join("\n\n")));
        if questions.is_empty() || kind == Some(Kind::JobAd) {
            parts.push(self.follow_up(kind));
        } else if !self.memory.draft {
            self.thought.offer = None;
            self.thought.stands = true;
        }
        joined(&parts)
    }

    /// What an ad could still say, as a form that stays open.
    fn more_fields(&mut self, done: &Done) -> Option<String> {
        let texts = self.texts();
        let filled = filled_by(form(&done.tool, &done.arguments, &self.known(), texts)?, &done.arguments);
        let text = Some(shown(&filled, texts)).filter(|text| !text.is_empty())?;
        self.keep_open(&done.tool, done.arguments.clone(), &filled);
        Some(joined(&[texts.get(key!("guided.form.more")), &text]))
    }

    /// What was chosen for the project, and how to begin.
    fn project_set(&mut self, done: &Done) -> String {
        let texts = self.texts();
        let mut parts = Vec::new();
        if done.arguments.contains_key("language") && self.thought.intent == Some(Wish::SetLanguage) {
            parts.push(texts.get(key!("guided.language_set")).to_owned());
        }
        parts.extend(lines(&done.result, "warnings"));
        if let Some(position) = done.arguments.get("position_name").and_then(Value::as_str) {
            parts.push(texts.say(key!("guided.position_set"), &[("position", position)]));
        }
        parts.push(if self.memory.made.contains_key(&Kind::RequirementProfile) {
            self.offer()
        } else {
            self.offered(Some(Wish::RequirementProfile))
        });
        joined(&parts)
    }

    /// What could come next, and the offer to do it.
    fn follow_up(&mut self, kind: Option<Kind>) -> String {
        let (memory, intent) = (self.memory, self.thought.intent);
        let key = match kind {
            Some(Kind::RequirementProfile) if memory.draft => return String::new(),
            Some(Kind::DiReview | Kind::JobAdReview)
                if findings(memory) > 0 && intent != Some(Wish::DecideFindings) =>
            {
                key!("guided.ask.findings")
            }
            Some(Kind::CandidateReport) if is_unrated(memory) && intent != Some(Wish::ConfirmReport) => {
                key!("guided.ratings_how")
            }
            Some(_) | None => return self.offer(),
        };
        self.texts().get(key).to_owned()
    }

    /// The offer of the next document: what was wanted before, else the next one that is not there yet.
    pub(super) fn offer(&mut self) -> String {
        let memory = self.memory;
        let is_made = |kind: &Kind| memory.made.contains_key(kind);
        let possible = |kind: Kind| !is_made(&kind) && kind.requires().iter().all(is_made);
        let wanted = memory.wanted.filter(|wanted| kind_for(*wanted).is_some_and(possible));
        if wanted.is_some() || !is_made(&Kind::RequirementProfile) {
            return self.offered(wanted);
        }
        if memory.draft {
            let position = memory.position.as_deref().unwrap_or_default();
            return self.texts().say(key!("profile.ask_right"), &[("position", position)]);
        }
        self.offered(kinds().find(|kind| !is_made(kind)).and_then(wish_for))
    }

    fn offered(&mut self, wish: Option<Wish>) -> String {
        self.thought.offer = wish;
        let text = wish.map(|wish| self.texts().get(group!("guided.offer").key(wish.name())));
        text.unwrap_or_default().to_owned()
    }
}

/// A form with what the arguments say. They are exact: no language and no day is needed to read them.
fn filled_by(form: Form, arguments: &Arguments) -> Filled {
    let mut filled = Filled::new(form);
    prefill(&mut filled, arguments, Context::new(Language::En, jiff::civil::Date::ZERO));
    filled
}

/// The lines of a result, or their messages.
fn lines(result: &Value, field: &str) -> Vec<String> {
    let lines = result[field].as_array().into_iter().flatten();
    lines.filter_map(|line| line.as_str().or_else(|| line["message"].as_str())).map(str::to_owned).collect()
}

fn finding_list(memory: &Memory) -> &[Value] {
    let review = memory.last.and_then(|kind| memory.made.get(&kind));
    let lists = ["flagged_items", "issues"].into_iter();
    let lists = lists.filter_map(|list| review.and_then(|review| review[list].as_array()));
    lists.max_by_key(|list| list.len()).map(Vec::as_slice).unwrap_or_default()
}

/// How many findings the last review numbered.
pub(super) fn findings(memory: &Memory) -> usize {
    finding_list(memory).len()
}

/// The findings that have other words: only these can be accepted.
pub(super) fn replaceable(memory: &Memory) -> Vec<usize> {
    let has = |finding: &&Value| finding["alternatives"].as_array().is_none_or(|words| !words.is_empty());
    let numbers = finding_list(memory).iter().filter(has).filter_map(|finding| finding["number"].as_u64());
    numbers.filter_map(|number| usize::try_from(number).ok()).collect()
}

/// Whether something in the last report waits for a person's rating.
fn is_unrated(memory: &Memory) -> bool {
    let Some(report) = memory.made.get(&Kind::CandidateReport) else { return false };
    let skills = report["skill_assessments"].as_array().into_iter().flatten();
    skills.chain([&report["motivation_assessment"]]).any(|assessment| assessment["decision"].is_null())
}

/// Paragraphs, the empty ones left out.
pub(super) fn joined(parts: &[impl AsRef<str>]) -> String {
    let parts = parts.iter().map(|part| part.as_ref().trim_end());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// A list with bullets.
pub(super) fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("* {}", line.replace('\n', "\n  "))).collect::<Vec<_>>().join("\n")
}

/// A list with numbers from 1.
pub(super) fn numbered(lines: &[impl AsRef<str>]) -> String {
    let line = |(number, line): (usize, &_)| format!("{number}. {}", AsRef::<str>::as_ref(line));
    (1..).zip(lines).map(line).collect::<Vec<_>>().join("\n")
}
