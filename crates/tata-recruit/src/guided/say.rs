//! What to say: the words for what was understood, and for what the tools brought.

use serde_json::{Map, Value};
use tata_guided::{form::Filled, sort::Place, wish::Wish};

use super::{
    Ask,
    change::place_of,
    forms::form,
    memory::{Done, Memory, Thought},
    sheet::{prefill, shown, stored},
    tools::{kind_for, kinds, wish_for, wish_of},
    turn::Step,
};
use crate::{Kind, Texts, form::Known, greeting, menu::services, rendered};

/// The answer to a wish that needs no tool.
pub(super) fn words(memory: &Memory, thought: &mut Thought, wish: Wish) -> String {
    let voice = memory.voice(thought.language);
    let texts = Texts::of(voice);
    let position = memory.position.as_deref();
    let menu = || if memory.begun { services(voice, position) } else { greeting(voice, position) }.markdown();
    match wish {
        Wish::Greeting if !memory.begun => {
            thought.ask = position.is_none().then_some(Ask::Position { proposed: None });
            greeting(voice, position).markdown()
        }
        Wish::Greeting => {
            let offer = offer(memory, thought, texts);
            joined(&[texts.get("guided.hello").to_owned(), offer])
        }
        Wish::Menu => joined(&[menu(), texts.get("guided.about").to_owned()]),
        Wish::Thanks => {
            let offer = offer(memory, thought, texts);
            joined(&[texts.get("guided.welcome").to_owned(), offer])
        }
        Wish::ShowDocument => shown_again(memory, texts),
        Wish::DocumentQuestion => texts.get("guided.no_documents").to_owned(),
        Wish::None => {
            thought.misses = memory.misses + 1;
            if thought.misses >= 2 && !memory.draft {
                return joined(&[menu(), texts.get("guided.about").to_owned()]);
            }
            texts.get("guided.missed").to_owned()
        }
        Wish::ConfirmProfile | Wish::EditProfile | Wish::ConfirmReport | Wish::DecideFindings => {
            texts.get("guided.nothing_made").to_owned()
        }
        Wish::RequirementProfile
        | Wish::JobAd
        | Wish::TaScreening
        | Wish::HmScreening
        | Wish::Headhunting
        | Wish::CandidateReport
        | Wish::Compare
        | Wish::FunnelReport
        | Wish::JobAdReview
        | Wish::DiReview
        | Wish::CalendarInvite
        | Wish::SetLanguage
        | Wish::SetPosition
        | Wish::Restore
        | Wish::Cancel => texts.get("guided.missed").to_owned(),
    }
}

/// A document that was made before: the one whose name stands in the message, else the last.
fn shown_again(memory: &Memory, texts: &Texts) -> String {
    let said = memory.message().to_lowercase();
    let named = kinds().filter(|kind| {
        let name = kind.display(texts).to_lowercase();
        said.contains(&name)
            || name.split_whitespace().any(|word| word.chars().count() > 4 && said.contains(word))
    });
    let made =
        named.filter(|kind| memory.made.contains_key(kind)).max_by_key(|kind| kind.display(texts).len());
    let document = made.or(memory.last).and_then(|kind| rendered(kind, memory.made.get(&kind)?));
    document.map_or_else(|| texts.get("guided.nothing_made").to_owned(), |document| document.markdown())
}

/// The calls that made or should have made something, without changes of settings beside them.
fn main_call(memory: &Memory) -> Option<&Done> {
    memory.done.iter().find(|done| done.tool != "set_project").or_else(|| memory.done.last())
}

/// What to say after tools ran.
pub(super) fn after_tools(memory: &Memory, mut thought: Thought) -> Step {
    thought.language = memory.project.unwrap_or(thought.language);
    thought.ask = None;
    let texts = Texts::of(memory.voice(thought.language));
    let text = match main_call(memory) {
        Some(done) if done.failed => refused(memory, done, &mut thought, texts),
        Some(done) => made(memory, done, &mut thought, texts),
        None => texts.get("guided.missed").to_owned(),
    };
    Step::Say { thought, text }
}

/// A refusal as the next question.
fn refused(memory: &Memory, done: &Done, thought: &mut Thought, texts: &Texts) -> String {
    let error = &done.result["error"];
    let missing: Vec<Kind> = error["missing"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|kind| kind.as_str().and_then(Kind::find))
        .collect();
    if let Some(first) = missing.first() {
        let wanted = wish_of(&done.tool);
        let kind = wanted.and_then(kind_for).unwrap_or(Kind::JobAd);
        let lacking = crate::Refusal::lacking(kind, &missing, texts).problems.remove(0);
        thought.wanted = wanted;
        thought.offer = wish_for(*first);
        return joined(&[lacking.message, lacking.hint.unwrap_or_default()]);
    }
    let problems = error["problems"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(first) = problems.first() else {
        // Nothing the person could mend; the tool has said it in words that are safe to show.
        return error["message"].as_str().unwrap_or(texts.get("guided.missed")).to_owned();
    };
    let told: Vec<String> = problems
        .iter()
        .flat_map(|problem| [problem["message"].as_str(), problem["hint"].as_str()])
        .flatten()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect();
    let told = joined(&told);
    let field = first["field"].as_str().unwrap_or_default().trim_start_matches('/');
    let name = field.split('/').next().unwrap_or_default();
    let arguments = done.arguments.clone();
    // No reason that can be said in every language: one figure mends it, and one question asks for it.
    if done.tool == "create_headhunting_messages" && name.starts_with("value_propositions") {
        thought.wanted = Some(Wish::Headhunting);
        thought.ask = Some(Ask::Part { place: Place::Team });
        return texts.get("guided.ask.team_size").to_owned();
    }
    match (done.tool.as_str(), name) {
        ("create_requirement_profile", "must_haves") => thought.ask = Some(Ask::More { arguments }),
        ("create_requirement_profile", "chosen_must_haves") => thought.ask = Some(Ask::Chosen { arguments }),
        ("create_job_ad", name) if place_of(name).is_some() => {
            thought.wanted = Some(Wish::JobAd);
            thought.ask = place_of(name).map(|place| Ask::Part { place });
        }
        (tool, _) => {
            if let Some(form) = form_again(memory, tool, arguments, problems, texts) {
                let (ask, text) = form;
                thought.ask = Some(ask);
                return joined(&[told, text]);
            }
        }
    }
    told
}

/// The form of a tool that was refused, with the fields that are wrong open again.
fn form_again(
    memory: &Memory,
    tool: &str,
    mut arguments: Map<String, Value>,
    problems: &[Value],
    texts: &Texts,
) -> Option<(Ask, String)> {
    let wrong: Vec<String> = problems
        .iter()
        .filter_map(|problem| problem["field"].as_str())
        .map(|field| field.trim_start_matches('/').replace('/', "."))
        .collect();
    for field in &wrong {
        arguments.remove(field.split('.').next().unwrap_or_default());
    }
    let known = Known {
        position: memory.position.is_some(),
        ad: memory.made.contains_key(&Kind::JobAd),
        pay: false,
        table: memory.table(),
    };
    let mut form = form(tool, &arguments, &known, texts)?;
    for field in &mut form.fields {
        let about = |wrong: &String| *wrong == field.id || field.id.split('.').next() == Some(wrong.as_str());
        field.required |= wrong.iter().any(about) && field.id != "hiring_manager.title";
    }
    let mut filled = Filled::new(form);
    let setting = tata_guided::form::Setting::new(crate::Language::En, jiff::civil::Date::ZERO);
    prefill(&mut filled, &arguments, setting);
    let asks =
        filled.waiting().iter().any(|at| filled.form.fields.get(*at).is_some_and(|field| field.required));
    let text = shown(&filled, texts);
    asks.then(|| {
        let state = stored(&filled);
        (
            Ask::Form { tool: tool.to_owned(), arguments, state },
            joined(&[text, texts.get("guided.form.help").to_owned()]),
        )
    })
}

/// What was made: the document, what to note, what is asked, what could come next.
fn made(memory: &Memory, done: &Done, thought: &mut Thought, texts: &Texts) -> String {
    let result = &done.result;
    let kind = result["document"].as_str().and_then(Kind::find);
    if kind == Some(Kind::ProjectSettings) {
        return project_set(memory, done, thought, texts);
    }
    let mut artifact = result["artifact"].clone();
    if kind == Some(Kind::CandidateReport) {
        // The model's copy has no name; the person who gave it may read it.
        let name =
            done.arguments.get("candidate_name").cloned().or_else(|| artifact.get("candidate_key").cloned());
        if let (Some(name), Some(fields)) = (name, artifact.as_object_mut()) {
            fields.entry("candidate_name").or_insert(name);
        }
    }
    let document = kind.and_then(|kind| rendered(kind, &artifact)).map(|document| document.markdown());
    let text = || result["text"].as_str().or_else(|| result["plain_text"].as_str()).map(str::to_owned);
    let mut parts = vec![document.or_else(text).unwrap_or_default()];
    if let Some((version, kind)) = result["restored_version"].as_u64().zip(kind) {
        let values = [("version", version.to_string()), ("document", kind.display(texts).to_owned())];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        parts.insert(0, texts.say("guided.restored", &values));
    }
    let list = |field: &str| -> Vec<String> {
        let lines = result[field].as_array().into_iter().flatten();
        lines
            .filter_map(|line| line.as_str().or_else(|| line["message"].as_str()).map(str::to_owned))
            .collect()
    };
    let (notices, questions) = (list("warnings"), list("ask_the_recruiter"));
    if !notices.is_empty() {
        parts.push(format!("{}\n{}", texts.get("guided.please_note"), bullets(&notices)));
    }
    let has_questions = !questions.is_empty();
    let more = (kind == Some(Kind::JobAd)).then(|| more_fields(memory, done, thought, texts)).flatten();
    if more.is_none() {
        parts.push(questions.join("\n\n"));
    }
    parts.extend(more);
    if !has_questions || kind == Some(Kind::JobAd) {
        parts.push(follow_up(memory, kind, thought, texts));
    } else if !memory.draft {
        thought.offer = None;
    }
    joined(&parts)
}

/// What an ad could still say, as a form that stays open.
fn more_fields(memory: &Memory, done: &Done, thought: &mut Thought, texts: &Texts) -> Option<String> {
    let pay =
        memory.made.get(&Kind::RequirementProfile).is_some_and(|profile| profile["pay_range"].is_object());
    let known = Known { position: true, ad: true, pay, table: None };
    let form = form(&done.tool, &done.arguments, &known, texts)?;
    let mut filled = Filled::new(form);
    let setting = tata_guided::form::Setting::new(crate::Language::En, jiff::civil::Date::ZERO);
    prefill(&mut filled, &done.arguments, setting);
    let text = shown(&filled, texts);
    if text.is_empty() {
        return None;
    }
    let state = stored(&filled);
    thought.ask = Some(Ask::Form { tool: done.tool.to_string(), arguments: done.arguments.clone(), state });
    Some(joined(&[texts.get("guided.form.more").to_owned(), text]))
}

/// What was chosen for the project, and how to begin.
fn project_set(memory: &Memory, done: &Done, thought: &mut Thought, texts: &Texts) -> String {
    let mut parts = Vec::new();
    if done.arguments.contains_key("language") && thought.intent == Some(Wish::SetLanguage) {
        parts.push(texts.get("guided.language_set").to_owned());
    }
    let notices = done.result["warnings"].as_array().into_iter().flatten();
    parts.extend(notices.filter_map(|notice| notice["message"].as_str().map(str::to_owned)));
    if let Some(position) = done.arguments.get("position_name").and_then(Value::as_str) {
        parts.push(texts.say("guided.position_set", &[("position", position)]));
    }
    if memory.made.contains_key(&Kind::RequirementProfile) {
        parts.push(offer(memory, thought, texts));
    } else {
        thought.offer = Some(Wish::RequirementProfile);
        parts.push(texts.get("guided.offer.requirement_profile").to_owned());
    }
    joined(&parts)
}

/// What could come next, and the offer to do it.
fn follow_up(memory: &Memory, kind: Option<Kind>, thought: &mut Thought, texts: &Texts) -> String {
    if memory.draft && kind == Some(Kind::RequirementProfile) {
        return String::new();
    }
    if matches!(kind, Some(Kind::DiReview | Kind::JobAdReview))
        && findings(memory) > 0
        && thought.intent != Some(Wish::DecideFindings)
    {
        return texts.get("guided.ask.findings").to_owned();
    }
    if kind == Some(Kind::CandidateReport)
        && is_unrated(memory)
        && thought.intent != Some(Wish::ConfirmReport)
    {
        return texts.get("guided.ratings_how").to_owned();
    }
    offer(memory, thought, texts)
}

/// The offer of the next document: what was wanted before, else the next one that is not there yet.
fn offer(memory: &Memory, thought: &mut Thought, texts: &Texts) -> String {
    let is_made = |wish: Wish| kind_for(wish).is_some_and(|kind| memory.made.contains_key(&kind));
    if let Some(wanted) = memory.wanted.filter(|wanted| !is_made(*wanted) && is_possible(memory, *wanted)) {
        thought.offer = Some(wanted);
        return texts.get(&format!("guided.offer.{}", wanted.name())).to_owned();
    }
    if !memory.made.contains_key(&Kind::RequirementProfile) {
        thought.offer = None;
        return String::new();
    }
    if memory.draft {
        return texts
            .say("profile.ask_right", &[("position", memory.position.as_deref().unwrap_or_default())]);
    }
    let next = kinds().find(|kind| !memory.made.contains_key(kind)).and_then(wish_for);
    thought.offer = next;
    next.map(|next| texts.get(&format!("guided.offer.{}", next.name())).to_owned()).unwrap_or_default()
}

/// Whether what it builds on is there.
fn is_possible(memory: &Memory, wish: Wish) -> bool {
    kind_for(wish).is_some_and(|kind| kind.requires().iter().all(|needed| memory.made.contains_key(needed)))
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
pub(super) fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> =
        parts.iter().map(|part| part.trim_end()).filter(|part| !part.trim().is_empty()).collect();
    parts.join("\n\n")
}

/// A list with bullets.
pub(super) fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("* {}", line.replace('\n', "\n  "))).collect::<Vec<_>>().join("\n")
}

/// A list with numbers from 1.
pub(super) fn numbered(lines: &[String]) -> String {
    lines.iter().enumerate().map(|(at, line)| format!("{}. {line}", at + 1)).collect::<Vec<_>>().join("\n")
}
