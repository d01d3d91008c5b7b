//! What to do now: call a tool, or say something.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{
    answer,
    fields::{Field, fields},
    hearing::{Heard, beginning},
    intent::{Intent, Signs, Weighed, weigh},
    mail::body,
    memory::{Done, Memory, Pending, Thought},
    pasted::{MOST_JUDGED, Pasted, pasted},
    repairs::mended,
    slots::{Slots, lay, put},
};
use crate::{Kind, Language, identify};

/// The next thing to do.
pub(super) enum Step {
    /// Say something and wait.
    Say { thought: Thought, text: String },
    /// Let tools run.
    Call { thought: Thought, calls: Vec<(String, Map<String, Value>)> },
}

/// An intent this strong is a new wish, whatever was asked before.
const STRONG: i32 = 38;
/// And one this strong if the answer to the question is nowhere in it.
const LIKELY: i32 = 30;

/// A longer text is not noted whole.
const LONGEST_NOTED: usize = 2_000;

/// A ticket of so many bytes is no text that was pasted.
const SHORT_TICKET: usize = 500;

/// What to do after the last message.
pub(super) fn next_step(memory: &Memory, today: Date, has: &dyn Fn(&str) -> bool) -> Step {
    let understood = understand(memory, today);
    let settled = memory.done.iter().all(|done| done.tool == "set_project" && !done.failed);
    let Understood { mut thought, tool, arguments, switch } = understood;
    // The language was set first; what was wanted comes now.
    let goes_on = settled && tool.as_deref().is_some_and(|tool| tool != "set_project");
    if !memory.done.is_empty() && !goes_on {
        // The tools have changed what is known; what was wanted is as it was understood before.
        return answer::after_tools(memory, memory.thought.clone().unwrap_or(thought));
    }
    let Some(tool) = tool.filter(|tool| has(tool)) else {
        let text = answer::say(memory, &mut thought);
        return Step::Say { thought, text };
    };
    let switch = switch.filter(|_| tool != "set_project" && has("set_project") && memory.done.is_empty());
    let Some(language) = switch else { return Step::Call { thought, calls: vec![(tool, arguments)] } };
    let mut settings = Map::new();
    put(&mut settings, "language", json!(language.code()));
    let settings = ("set_project".to_owned(), settings);
    // A project that was set to another language is set first, so that refusals come in the right one. A new project
    // answers as it is asked, and is set beside it.
    let calls = if memory.project.is_some() { vec![settings] } else { vec![(tool, arguments), settings] };
    Step::Call { thought, calls }
}

/// How a message was understood.
struct Understood {
    thought: Thought,
    tool: Option<String>,
    arguments: Map<String, Value>,
    /// The language the project should speak from now on.
    switch: Option<Language>,
}

/// Tools that take the language of their document.
const SPEAKING: [&str; 9] = [
    "create_requirement_profile",
    "create_job_ad",
    "create_ta_screening_template",
    "create_hm_screening_template",
    "create_headhunting_messages",
    "create_candidate_report",
    "compare_candidates",
    "create_funnel_report",
    "create_calendar_invite",
];

fn understand(memory: &Memory, today: Date) -> Understood {
    let message = memory.message.as_str();
    let (message, pasted) = opened(message);
    let wish = without_addresses(pasted.as_ref().map_or(message, |pasted| pasted.wish));
    let wish = mended(&wish);
    let heard = Heard::of(&wish);
    let slots = Slots::find(&heard, pasted.as_ref(), today, listed(memory));
    let signs = Signs { made: !memory.made.is_empty(), ..slots.signs() };
    let weighed = weigh(&heard, signs, &slots.lists(), pasted.as_ref());
    let known = memory.language.unwrap_or_default();
    let spoken = match &pasted {
        Some(pasted) if pasted.wish.is_empty() && memory.pending.is_none() && !memory.begun => {
            identify(beginning(pasted.text, MOST_JUDGED)).map_or(known, |found| found.language)
        }
        _ => heard.language(known, memory.begun && memory.language.is_some()),
    };
    let (intent, mut arguments) = decide(memory, &heard, &slots, weighed);
    let tool = tool_of(intent, memory);
    let mut thought = Thought {
        intent: Some(intent),
        language: spoken,
        slots: noted(&arguments),
        wanted: memory.wanted,
        ..Thought::default()
    };
    if intent == Intent::EditProfile
        && memory.pending.as_ref().is_some_and(|pending| lacking_in_profile(pending).is_some())
    {
        thought.wanted = Some(Intent::JobAd);
    }
    if let Some(pending) = &memory.pending
        && tool.as_deref() == Some(pending.tool.as_str())
        && Intent::of_tool(&pending.tool) == Some(intent)
    {
        let mut all = pending.arguments.clone();
        merge(&mut all, arguments, pending);
        arguments = all;
    } else if let Some(position) = memory.position.as_ref().filter(|_| intent == Intent::RequirementProfile)
        && !arguments.contains_key("position_title")
    {
        put(&mut arguments, "position_title", json!(position));
    }
    // An ad that was pasted once is there for the other review.
    if matches!(intent, Intent::JobAdReview | Intent::DiReview)
        && !arguments.contains_key("job_ad_text")
        && !memory.made.contains_key(&Kind::JobAd)
        && let Some(ad) = &memory.ad
    {
        put(&mut arguments, "job_ad_text", json!(ad));
    }
    // Whoever was named once is not asked for again.
    if let Some(manager) = &memory.manager {
        if intent == Intent::CalendarInvite && !arguments.contains_key("hiring_manager") {
            put(&mut arguments, "hiring_manager.name", json!(manager));
        }
        if intent == Intent::FunnelReport && !arguments.contains_key("hiring_manager_name") {
            put(&mut arguments, "hiring_manager_name", json!(manager));
        }
    }
    if intent == Intent::SetLanguage {
        thought.language = slots.named_language().unwrap_or(spoken);
    }
    let switch = (spoken != memory.project.unwrap_or_default())
        .then_some(spoken)
        .filter(|_| intent != Intent::SetLanguage);
    if let (Some(language), Some(tool)) = (switch, tool.as_deref()) {
        let speaks = SPEAKING.contains(&tool) || tool == "set_project";
        if speaks && !arguments.contains_key("language") {
            put(&mut arguments, "language", json!(language.code()));
        } else if matches!(tool, "create_di_review" | "create_job_ad_review") {
            put(&mut arguments, "explain_in", json!(language.code()));
        }
    }
    Understood { thought, tool, arguments, switch }
}

/// What a sentence said, as it is noted beside the answer. A text that was pasted stands in the message and in the call
/// already: of that only the beginning.
fn noted(arguments: &Map<String, Value>) -> Map<String, Value> {
    let short = |value: &Value| match value.as_str() {
        Some(text) if text.len() > LONGEST_NOTED => json!(format!("{} …", beginning(text, LONGEST_NOTED))),
        Some(_) | None => value.clone(),
    };
    let said = arguments.iter().filter(|(name, _)| *name != "recruiter_input");
    said.map(|(name, value)| (name.clone(), short(value))).collect()
}

/// How many must-haves the profile has.
fn listed(memory: &Memory) -> u32 {
    let profile = memory.made.get(&Kind::RequirementProfile);
    let items = profile.and_then(|profile| profile["must_have_skills"].as_array());
    items.and_then(|items| u32::try_from(items.len()).ok()).filter(|count| *count > 0).unwrap_or(4)
}

/// The message without greeting and regards, and what is pasted in it. A letter that is itself what is pasted stays whole.
fn opened(message: &str) -> (&str, Option<Pasted<'_>>) {
    let body = body(message);
    // A short ticket is read field by field.
    let ticket = || {
        let titled = |(field, _): &(Field, std::ops::Range<usize>)| *field == Field::Title;
        body.len() <= SHORT_TICKET && fields(&Heard::of(body)).iter().any(titled)
    };
    match pasted(body) {
        Some(found) if found.wish.is_empty() && ticket() => (body, None),
        Some(found) if found.wish.is_empty() => (message, pasted(message)),
        found => (body, found),
    }
}

/// The same text with blanks for mail addresses and links, whose words mean nothing.
fn without_addresses(text: &str) -> String {
    let blank = |word: &str| {
        let address = word.contains('@') || word.contains("://") || word.starts_with("www.");
        if address { " ".repeat(word.len()) } else { word.to_owned() }
    };
    text.split_inclusive(char::is_whitespace).map(blank).collect()
}

/// Lays an answer over what was known. What somebody adds to a list comes to what was there.
fn merge(all: &mut Map<String, Value>, arguments: Map<String, Value>, pending: &Pending) {
    let before = all.get("recruiter_input").and_then(Value::as_str).map(str::to_owned);
    let more = arguments.get("recruiter_input").and_then(Value::as_str).map(str::to_owned);
    lay(all, arguments);
    if let (Some(before), Some(more)) = (before, more)
        && pending.tool == "edit_requirement_profile"
    {
        put(all, "recruiter_input", json!(format!("{before}\n{more}")));
    }
}

fn tool_of(intent: Intent, memory: &Memory) -> Option<String> {
    let tool = intent.tool()?;
    let of_ad = intent == Intent::DecideFindings && memory.last == Some(Kind::JobAdReview);
    Some(if of_ad { "decide_job_ad_findings" } else { tool }.to_owned())
}

/// The intent in the light of what was asked before, and what it says.
fn decide(
    memory: &Memory,
    heard: &Heard<'_>,
    slots: &Slots<'_, '_>,
    weighed: Weighed,
) -> (Intent, Map<String, Value>) {
    let message = memory.message.as_str();
    let own = |intent: Intent| {
        let restores = intent == Intent::Restore;
        let arguments =
            if restores { answer::restoration(memory, heard) } else { slots.arguments(intent, message) };
        (intent, arguments)
    };
    let Weighed { intent, weight } = weighed;
    if let Some(pending) = &memory.pending
        && let Some(wanted) = Intent::of_tool(&pending.tool)
        && let Some(found) = answer_of(memory, heard, slots, pending, wanted, weighed)
    {
        return found;
    }
    if memory.draft
        && memory.pending.is_none()
        && let Some((intent, edit)) = about_draft(heard, slots, message, weighed)
    {
        return (intent, moved(memory, edit));
    }
    if memory.last.is_some_and(|kind| matches!(kind, Kind::DiReview | Kind::JobAdReview)) && weight < STRONG {
        let count = answer::findings(memory);
        let decided = replaceable(memory, super::decisions::decisions(heard, count));
        let told = ["accept", "ignore", "all", "yes", "no", "rest"].iter().any(|name| heard.has(name));
        let speaks = told || heard.tokens.len() <= 4;
        if count > 0 && !decided.is_empty() && speaks {
            return (Intent::DecideFindings, decided);
        }
    }
    if memory.last == Some(Kind::CandidateReport)
        && (heard.has("ratings") || (heard.has("yes") && heard.tokens.len() <= 5))
    {
        let arguments = answer::confirmations(memory);
        if !arguments.is_empty() {
            return (Intent::ConfirmReport, arguments);
        }
    }
    if let Some(offer) = memory.offer {
        let agreed = heard.has("yes") || (heard.has("make") && heard.tokens.len() <= 6);
        let declined = heard.has("cancel") || (heard.has("no") && !heard.has("yes"));
        let other =
            intent != offer && intent != Intent::SetLanguage && intent.tool().is_some() && weight >= LIKELY;
        if agreed && !declined && !other {
            return own(offer);
        }
        if declined && !other {
            return (Intent::Cancel, Map::new());
        }
    }
    let confirmed = memory.made.contains_key(&Kind::RequirementProfile);
    // "Juniper instead of Cisco" is about the profile, whatever else it names.
    if confirmed && weight < STRONG {
        let (_, edit) = own(Intent::EditProfile);
        if replaces(heard, &edit) {
            return (Intent::EditProfile, moved(memory, edit));
        }
    }
    // "Take reporting out of the tasks" is no report.
    let of_tasks = names_list(heard);
    let free = of_tasks
        || !matches!(
            intent,
            Intent::CalendarInvite | Intent::FunnelReport | Intent::CandidateReport | Intent::JobAd
        )
        || weight < LIKELY;
    let free = free
        && !matches!(
            intent,
            Intent::SetLanguage | Intent::RequirementProfile | Intent::ShowDocument | Intent::Cancel
        );
    if confirmed && free && weight < STRONG {
        let (_, edit) = own(Intent::EditProfile);
        if changes(heard, &edit)
            && !edit.is_empty()
            && (of_tasks || !(intent.tool().is_some() && weight >= LIKELY && intent != Intent::SetPosition))
        {
            return (Intent::EditProfile, moved(memory, edit));
        }
    }
    // A project has one position; a title in passing does not change it.
    let announced = heard.after_cues("title_before").iter().any(|(_, words)| *words > 1);
    if intent == Intent::SetPosition && memory.position.is_some() && !announced {
        return (Intent::Unclear, Map::new());
    }
    if intent == Intent::Unclear && memory.asks_position && heard.tokens.len() <= 8 {
        let named = slots.answer("position_name", message, &Map::new());
        return if named.is_empty() { (Intent::Unclear, named) } else { (Intent::SetPosition, named) };
    }
    // Nothing was asked: there is nothing to agree to.
    let asked = memory.pending.is_some() || memory.offer.is_some() || memory.draft || memory.last.is_some();
    if matches!(intent, Intent::Yes | Intent::No) && !asked {
        return (Intent::Unclear, Map::new());
    }
    own(intent)
}

/// Only what has other words can be accepted; the rest stays as it is.
fn replaceable(memory: &Memory, mut decided: Map<String, Value>) -> Map<String, Value> {
    let review = memory.last.and_then(|kind| memory.made.get(&kind));
    let findings =
        review.and_then(|review| review["issues"].as_array().or_else(|| review["flagged_items"].as_array()));
    let Some(findings) = findings else { return decided };
    let numbers: BTreeMap<Option<u64>, &Value> =
        findings.iter().rev().map(|finding| (finding["number"].as_u64(), finding)).collect();
    let has_words = |accepted: &Value| {
        let own = numbers.get(&accepted["finding"].as_u64());
        own.is_none_or(|finding| finding["alternatives"].as_array().is_none_or(|words| !words.is_empty()))
    };
    let accepted = decided.get("accept").and_then(Value::as_array).cloned().unwrap_or_default();
    let kept: Vec<Value> = accepted.iter().filter(|accepted| has_words(accepted)).cloned().collect();
    // If none can be, the tool says why.
    if !kept.is_empty() {
        put(&mut decided, "accept", json!(kept));
    }
    decided
}

/// An answer to the question that is open.
fn answer_of(
    memory: &Memory,
    heard: &Heard<'_>,
    slots: &Slots<'_, '_>,
    pending: &Pending,
    wanted: Intent,
    weighed: Weighed,
) -> Option<(Intent, Map<String, Value>)> {
    let Weighed { intent, weight } = weighed;
    let message = memory.message.as_str();
    if intent == Intent::Cancel || (heard.has("cancel") && heard.tokens.len() <= 10) {
        return Some((Intent::Cancel, Map::new()));
    }
    if let Some(field) = lacking_in_profile(pending) {
        let other = intent.tool().is_some() && weight >= LIKELY;
        let items = super::wishes::items(heard, 0, heard.tokens.len());
        if other || items.is_empty() {
            return None;
        }
        let mut edit = Map::new();
        put(&mut edit, &format!("{field}.add"), json!(items));
        put(&mut edit, "recruiter_input", json!(message.trim()));
        return Some((Intent::EditProfile, edit));
    }
    let mut found = slots.arguments(wanted, message);
    let of_edit = pending.tool == "edit_requirement_profile";
    let answer = if of_edit { Map::new() } else { slots.answer(&pending.field, message, &pending.arguments) };
    let raw = matches!(pending.field.as_str(), "startup_notes" | "transcript" | "job_ad_text");
    let says_much = (!answer.is_empty() && !raw)
        || found.keys().any(|field| field != "language" && field != "german_form");
    if matches!(intent, Intent::SetLanguage | Intent::Menu | Intent::OffTopic | Intent::DocumentQuestion)
        && weight >= LIKELY
        && !says_much
    {
        return None;
    }
    let other = intent != wanted && intent.tool().is_some() && intent != Intent::SetPosition;
    let spoken = slots.pasted.is_none_or(|pasted| !pasted.wish.is_empty());
    if other && weight >= STRONG && spoken {
        return None;
    }
    // Notes are pasted; a short sentence is not a transcript.
    let short = slots.pasted.is_none() && heard.tokens.len() < 8;
    if raw && short {
        return if other && weight >= LIKELY || intent.tool().is_none() {
            None
        } else {
            Some((wanted, found))
        };
    }
    let answered = !answer.is_empty();
    if answered && pending.field.contains("manager") {
        // Whoever answers with a name and a role names nothing else.
        for field in ["position_name", "candidate_name", "job_title"] {
            found.remove(field);
        }
    }
    lay(&mut found, answer);
    let speaks = ["yes", "no", "thanks", "hello", "help"].iter().any(|name| heard.has(name));
    if of_edit && pending.field == "must_haves" && !found.contains_key("must_haves") && !speaks {
        let items = super::wishes::items(heard, 0, heard.tokens.len());
        if heard.tokens.iter().all(|token| token.number().is_some() || token.text.len() <= 3) {
            // "1, 2, 3 and 4" names no requirement.
            return Some((Intent::Unclear, Map::new()));
        }
        put(&mut found, "must_haves.add", json!(items));
        put(&mut found, "recruiter_input", json!(message.trim()));
    }
    if found.is_empty() || (other && weight >= LIKELY && !answered && found.len() < 2) {
        return if intent == Intent::Unclear { Some((Intent::Unclear, Map::new())) } else { None };
    }
    Some((wanted, found))
}

/// Whether a sentence says what comes in the place of what.
fn replaces(heard: &Heard<'_>, edit: &Map<String, Value>) -> bool {
    let told = heard.has("change") || super::swaps::says_instead(heard);
    told && edit.values().any(|value| value.get("replace").is_some())
}

/// Whether a sentence changes a list of the profile that it names.
fn names_list(heard: &Heard<'_>) -> bool {
    heard.has("task") && ["remove", "add", "change"].iter().any(|name| heard.has(name))
        || heard.has("good_to_have") && heard.has("remove") && !heard.has("include_good")
}

/// Whether a sentence speaks of a change.
fn changes(heard: &Heard<'_>, edit: &Map<String, Value>) -> bool {
    let verbs = ["remove", "add", "change", "title_word", "good_to_have", "task"];
    verbs.iter().any(|name| heard.has(name))
        || ["pay_range", "team", "position_title"].iter().any(|field| edit.contains_key(*field))
        || edit.values().any(|value| value.get("replace").is_some())
        || super::swaps::says_must(heard)
}

/// What becomes good to have is no must-have any more.
fn moved(memory: &Memory, mut edit: Map<String, Value>) -> Map<String, Value> {
    let must: Vec<String> = memory
        .made
        .get(&Kind::RequirementProfile)
        .and_then(|profile| profile["must_have_skills"].as_array())
        .into_iter()
        .flatten()
        .filter_map(|item| item["text"].as_str().map(str::to_lowercase))
        .collect();
    let added = edit.get("good_to_haves").and_then(|list| list.get("add")).and_then(Value::as_array).cloned();
    let gone: Vec<Value> = added
        .into_iter()
        .flatten()
        .filter(|text| {
            text.as_str().is_some_and(|text| must.iter().any(|known| known.contains(&text.to_lowercase())))
        })
        .collect();
    if !gone.is_empty() && !edit.contains_key("must_haves") {
        put(&mut edit, "must_haves.remove", json!(gone));
    }
    edit
}

/// The part of the profile that an ad lacks: the answer belongs there, and the ad comes after it.
fn lacking_in_profile(pending: &Pending) -> Option<&str> {
    let fields = ["soft_skills", "responsibilities", "motivations"];
    let field = pending.field.as_str();
    (pending.tool == "create_job_ad" && fields.contains(&field)).then_some(field)
}

/// What somebody says of a draft.
fn about_draft(
    heard: &Heard<'_>,
    slots: &Slots<'_, '_>,
    message: &str,
    weighed: Weighed,
) -> Option<(Intent, Map<String, Value>)> {
    let other = weighed.intent.tool().is_some()
        && !matches!(weighed.intent, Intent::RequirementProfile | Intent::SetPosition | Intent::SetLanguage);
    let edit = slots.arguments(Intent::EditProfile, message);
    // "Swap number 2 for experience with ads" is about the profile, whatever it names.
    let exact = replaces(heard, &edit) || names_list(heard);
    if other && weighed.weight >= LIKELY && !exact {
        return None;
    }
    let agrees = heard.has("yes");
    let numbered = !super::wishes::places(heard, 0..heard.tokens.len(), 20).is_empty();
    if changes(heard, &edit) && !edit.is_empty() && !(agrees && heard.tokens.len() <= 4 && !numbered) {
        return Some((Intent::EditProfile, edit));
    }
    if agrees {
        return Some((Intent::ConfirmProfile, slots.arguments(Intent::ConfirmProfile, message)));
    }
    if heard.has("no") {
        return Some((Intent::No, Map::new()));
    }
    None
}

/// The calls that made or should have made something, without changes of settings beside them.
pub(super) fn main_call(memory: &Memory) -> Option<&Done> {
    memory.done.iter().rev().find(|done| done.tool != "set_project").or_else(|| memory.done.last())
}
