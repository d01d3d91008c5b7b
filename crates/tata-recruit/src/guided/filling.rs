//! Forms: all that is missing at once, answered in any order.

use serde::Deserialize;
use serde_json::{Value, json};
use tata_core::{Field, FieldKind, put};
use tata_guided::{
    answer::{Context, is_doubt, is_talk, names_old_ad, unmistakable, yes_or_no},
    form::{Command, Entry, Filled, Outcome, fill},
    wish::{self, Wish},
};

use super::{
    Ask,
    forms::form,
    paste::{is_review, parted, position_of},
    say,
    sheet::{is_free, noted, prefill, readings, refusals, shown, stored, waiting},
    tools::{kept, material, tool_of, wish_of},
    turn::{Step, Turn, language_named},
};
use crate::{
    Kind, Profile,
    form::{Arguments, Known, NAMES, lay, terms_of},
    funnel, tool,
};

impl Turn<'_> {
    /// What answers are read against.
    pub(super) fn context(&self) -> Context<'static> {
        Context::new(self.language, self.today)
    }

    pub(super) fn known(&self) -> Known {
        let profile = self.memory.made.get(&Kind::RequirementProfile);
        Known {
            position: self.memory.position.is_some(),
            ad: self.memory.made.contains_key(&Kind::JobAd),
            pay: profile.is_some_and(|profile| profile["pay_range"].is_object()),
            terms: profile
                .and_then(|profile| Profile::deserialize(profile).ok())
                .map(|profile| terms_of(&profile))
                .unwrap_or_default(),
            table: self.memory.table(),
        }
    }

    /// Begins what a tool does: with what the message says beyond doubt, what was answered before, and a form for the rest.
    pub(super) fn begin(&mut self, tool: &str, message: &str, pasted: Option<&str>) -> Step {
        let mut arguments = Arguments::new();
        if let Some(before) = self.memory.calls.get(tool) {
            for name in kept(tool) {
                if let Some(value) = before.get(name) {
                    put(&mut arguments, name, value.clone());
                }
            }
        }
        if let Some((field, text)) = material(tool).zip(pasted) {
            // An ad of an earlier time is a source of its own beside the notes.
            let old = tool == tool::CREATE_REQUIREMENT_PROFILE && names_old_ad(message);
            put(&mut arguments, if old { "old_job_ad" } else { field }, json!(text));
        }
        if let Some(language) = language_named(message).filter(|_| speaks_wished(tool)) {
            put(&mut arguments, "language", json!(language.code()));
        }
        // Figures in a sentence are a table to be read; the tool says what it could not read.
        let digits = message.split(|letter: char| !letter.is_ascii_digit());
        let figures = digits.filter(|digits| !digits.is_empty()).count();
        if tool == tool::CREATE_FUNNEL_REPORT && pasted.is_none() && figures >= 3 {
            put(&mut arguments, "pasted_table", json!(message));
        }
        if tool == tool::CREATE_REQUIREMENT_PROFILE {
            let named = || pasted.and_then(position_of).map(str::to_owned);
            if let Some(position) = self.memory.position.clone().or_else(named) {
                put(&mut arguments, "position_title", json!(position));
            }
            let profile = self.memory.made.get(&Kind::RequirementProfile);
            if profile.is_some_and(|profile| profile["status"] == "confirmed") {
                put(&mut arguments, "replace", json!(true));
            }
        }
        let Some(form) = form(tool, &arguments, &self.known(), self.texts()) else {
            return self.call(tool, arguments);
        };
        let mut filled = Filled::new(form);
        prefill(&mut filled, &arguments, self.context());
        self.read_values(&mut filled, message);
        self.go_on(tool, arguments, filled, &[])
    }

    /// Whether an answer cannot be the title of a position: it is long, or speaks of the conversation.
    fn is_no_title(&self, answer: &str) -> bool {
        let long = answer.split_whitespace().count() > MOST_OF_TITLE;
        long || yes_or_no(answer, self.language).is_none() && is_talk(answer, self.language)
    }

    /// What is said to an answer that cannot be the title that is asked for; none if it may be one, or a command.
    fn no_title(&self, tool: &str, filled: &Filled, message: &str) -> Option<String> {
        let (at, _) = waiting(filled).next().filter(|(_, field)| is_title(field))?;
        let answer = message.lines().next().unwrap_or_default();
        let other = || {
            Command::read(message, self.language, filled.form.fields.len()).is_some()
                || self.other_wishes(tool, message).is_some()
        };
        if !self.is_no_title(answer) || other() {
            return None;
        }
        let doubt = is_doubt(answer, self.language);
        let key = if doubt { key!("guided.answer.doubt") } else { key!("guided.not_an_answer") };
        Some(format!("{}: {}", at + 1, self.texts().get(key)))
    }

    /// What a message says beyond doubt goes into its field; what it may say is proposed there.
    fn read_values(&self, filled: &mut Filled, message: &str) {
        let context = self.context();
        for field in filled.form.fields.clone() {
            // The names of a table stand in it, of course: that says nothing about what each of them is.
            if filled.answer(&field.id).is_none()
                && !field.id.starts_with(NAMES)
                && let Some(answer) = unmistakable(field.kind, message, &context.of(&field))
            {
                filled.prefill(&field.id, &answer.to_json(), context);
            }
        }
        let name = super::propose::name(message);
        let position = super::propose::position(message, self.language, self.texts());
        for (field, entry) in filled.form.fields.iter_mut().zip(&filled.entries) {
            let proposal = match field.id.as_str() {
                _ if matches!(entry, Entry::Answered(_)) || field.proposed.is_some() => continue,
                "candidate_name" => &name,
                "position_title" | "position_name" | "job_title" => &position,
                _ => continue,
            };
            field.proposed = proposal.clone().map(Value::String);
        }
    }

    /// The next message to a form.
    pub(super) fn fill(
        &mut self,
        tool: &str,
        arguments: Arguments,
        state: &Value,
        message: &str,
    ) -> Option<Step> {
        let mut form = form(tool, &arguments, &self.known(), self.texts())?;
        for (field, proposed) in
            form.fields.iter_mut().zip(state["proposed"].as_array().into_iter().flatten())
        {
            field.proposed =
                Some(proposed.clone()).filter(|value| !value.is_null()).or(field.proposed.take());
        }
        let mut filled = Filled::restored(form, state, self.context());
        if yes_or_no(message, self.language) == Some(true) {
            return self.take_proposals(tool, arguments, filled);
        }
        let before = filled.clone();
        // A text that was pasted goes where a text is asked for, whatever else waits.
        let parts = parted(message, self.language);
        let numbered = message.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        let material = waiting(&filled).find(|(_, field)| field.kind == FieldKind::Material);
        let material = material.map(|(_, field)| field.id.clone());
        if let Some((id, text)) = material.zip(parts.pasted).filter(|_| !numbered) {
            filled.prefill(&id, &json!(text), self.context());
            return Some(self.go_on(tool, arguments, filled, &[]));
        }
        // A whole text is no answer to short questions: it is kept, and asked about.
        if parts.pasted.is_some() && !numbered && message.lines().count() > waiting(&filled).count() {
            return None;
        }
        if let Some(lead) = self.no_title(tool, &filled, message).filter(|_| !numbered) {
            return Some(self.ask_form(tool, arguments, &before, &[lead]));
        }
        let outcome = fill(&mut filled, message, self.context());
        let texts = self.texts();
        let said: String = message.chars().take(80).collect();
        let lead = match outcome {
            Outcome::Cancelled => return Some(self.drop_it()),
            Outcome::Show | Outcome::Back => None,
            Outcome::NothingBack => Some(texts.get(key!("guided.form.nothing_back")).to_owned()),
            Outcome::Explain(at) => {
                let field = filled.form.fields.get(at);
                let why = field.and_then(|field| field.why.as_deref());
                let why = why.unwrap_or(texts.get(key!("guided.form.no_why")));
                let question = field.map_or("", |field| field.question.as_str());
                Some(format!("{}. {question}: {why}", at + 1))
            }
            Outcome::Required(at) => {
                Some(texts.say(key!("guided.form.required"), &[("number", &(at + 1).to_string())]))
            }
            Outcome::Skipped(_) => return Some(self.go_on(tool, arguments, filled, &[])),
            Outcome::NoField => return None,
            Outcome::Read { answered, unsure, refused } => {
                let free = |at: &usize| before.form.fields.get(*at).is_some_and(is_free);
                // A form that needs nothing more takes what is certainly for it, and leaves all else alone.
                let strict = !answered.is_empty() && unsure.is_empty() && !answered.iter().any(free);
                if before.is_complete() && !numbered && !strict {
                    return None;
                }
                if answered.iter().any(free)
                    && !numbered
                    && let Some(wishes) = self.other_wishes(tool, message)
                {
                    // It may be an answer, and it may be a wish: whoever said it knows.
                    let number = answered.first().map_or(1, |at| at + 1);
                    let open = Ask::Form { tool: tool.to_owned(), arguments, state: stored(&before) };
                    return Some(self.guess(wishes, message, Some((open, number))));
                }
                if answered.is_empty() && unsure.is_empty() {
                    if self.other_wishes(tool, message).is_some() {
                        return None;
                    }
                    let lead = refusals(&refused, texts);
                    return Some(self.ask_form(tool, arguments, &before, &[lead]));
                }
                let refused = (!refused.is_empty()).then(|| refusals(&refused, texts));
                let unsure = unsure.into_iter().map(|at| readings(&filled, at, &said, texts));
                let leads: Vec<String> = refused.into_iter().chain(unsure).collect();
                return Some(self.go_on(tool, arguments, filled, &leads));
            }
        };
        Some(self.ask_form(tool, arguments, &filled, lead.as_slice()))
    }

    /// A yes takes what is proposed, if it is clear for what.
    fn take_proposals(&mut self, tool: &str, arguments: Arguments, mut filled: Filled) -> Option<Step> {
        let proposed: Vec<(String, Value)> = waiting(&filled)
            .filter_map(|(_, field)| Some((field.id.clone(), field.proposed.clone()?)))
            .collect();
        if proposed.is_empty() {
            // A form that needs nothing more is done; else a yes answers nothing.
            let lead = self.texts().get(key!("guided.answer.only_yes_or_no")).to_owned();
            return (!filled.is_complete()).then(|| self.ask_form(tool, arguments, &filled, &[lead]));
        }
        for (id, value) in proposed {
            filled.prefill(&id, &value, self.context());
        }
        Some(self.go_on(tool, arguments, filled, &[]))
    }

    /// The message was the answer to a form, whoever chose says.
    pub(super) fn answer_certainly(&mut self, ask: Ask, message: &str) -> Option<Step> {
        let Ask::Form { tool, arguments, state } = ask else { return None };
        let form = form(&tool, &arguments, &self.known(), self.texts())?;
        let mut filled = Filled::restored(form, &state, self.context());
        fill(&mut filled, message, self.context());
        Some(self.go_on(&tool, arguments, filled, &[]))
    }

    /// Wishes for something else, if the message is certainly one or may be.
    fn other_wishes(&self, tool: &str, message: &str) -> Option<Vec<Wish>> {
        let reading = wish::read(message, self.language);
        let wish = reading.certain.filter(|wish| wish.acts() || tool_of(*wish).is_some())?;
        (wish_of(tool) != Some(wish) && wish != Wish::SetPosition).then(|| vec![wish])
    }

    /// Asks for what is missing, or lets the tool run.
    fn go_on(&mut self, tool: &str, mut arguments: Arguments, mut filled: Filled, leads: &[String]) -> Step {
        let before = arguments.clone();
        lay(&mut arguments, &filled);
        // What one answer makes necessary is asked at once.
        match form(tool, &arguments, &self.known(), self.texts()) {
            Some(rebuilt) if rebuilt.fields.len() == filled.form.fields.len() => {
                for (field, new) in filled.form.fields.iter_mut().zip(rebuilt.fields) {
                    field.required = new.required;
                }
            }
            // A table brings the names in it that are not certain.
            Some(rebuilt) => {
                filled = Filled::new(rebuilt);
                prefill(&mut filled, &arguments, self.context());
            }
            None => {}
        }
        if !filled.is_complete() {
            return self.ask_form(tool, before, &filled, leads);
        }
        if tool == tool::CREATE_REQUIREMENT_PROFILE {
            return self.begin_sorting(arguments);
        }
        self.thought.intent = self.thought.intent.or(wish_of(tool));
        self.call(tool, arguments)
    }

    /// Shows the fields that wait, numbered, and what is noted.
    pub(super) fn ask_form(
        &mut self,
        tool: &str,
        mut arguments: Arguments,
        filled: &Filled,
        leads: &[String],
    ) -> Step {
        let texts = self.texts();
        lay(&mut arguments, filled);
        let lead = if leads.is_empty() {
            let key = if filled.is_complete() { key!("guided.form.more") } else { key!("guided.form.lead") };
            texts.get(key).to_owned()
        } else {
            leads.join("\n\n")
        };
        let names = funnel::names(&arguments, &self.known(), texts)
            .filter(|_| tool == tool::CREATE_FUNNEL_REPORT && !filled.is_complete());
        let text = say::joined(&[
            &*names.map(|names| names.lead(texts)).unwrap_or_default(),
            &lead,
            &shown(filled, texts),
            &noted(filled, texts),
            texts.get(key!("guided.form.help")),
        ]);
        self.thought.intent = wish_of(tool).or(self.thought.intent);
        self.keep_open(tool, arguments, filled);
        self.say(text)
    }
}

/// A title has no more words.
const MOST_OF_TITLE: usize = 12;

/// Whether a field asks for the name of a position.
fn is_title(field: &Field) -> bool {
    matches!(field.id.as_str(), "position_title" | "position_name" | "job_title")
}

/// Whether a tool makes a document in the language that is wished for; a review has the language of its ad.
fn speaks_wished(tool: &str) -> bool {
    wish_of(tool).is_some_and(|wish| !is_review(wish) && wish != Wish::Compare)
}
