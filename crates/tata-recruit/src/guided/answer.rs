//! What to say: the words for what was understood, and for what the tools brought.

use serde_json::{Map, Value, json};

use super::{
    act::{Step, main_call},
    intent::Intent,
    memory::{Done, Memory, Thought},
};
use crate::{Kind, Language, Texts, Voice, greeting, menu::services, rendered};

/// Documents in the order in which a recruitment needs them.
const ORDER: [Kind; 10] = [
    Kind::RequirementProfile,
    Kind::JobAd,
    Kind::TaScreeningTemplate,
    Kind::HmScreeningTemplate,
    Kind::HeadhuntingMessages,
    Kind::DiReview,
    Kind::JobAdReview,
    Kind::CandidateReport,
    Kind::FunnelReport,
    Kind::CalendarInvite,
];

/// The answer to a message that needs no tool.
pub(super) fn say(memory: &Memory, thought: &mut Thought) -> String {
    let voice = voice_of(memory, thought.language);
    let texts = Texts::of(voice);
    let intent = thought.intent.unwrap_or(Intent::Unclear);
    let position = memory.position.as_deref();
    thought.asks_position = matches!(intent, Intent::Greeting | Intent::Menu) && position.is_none();
    match intent {
        Intent::Greeting if !memory.begun => greeting(voice, position).markdown(),
        Intent::Greeting => {
            let offer = offer(memory, thought, texts);
            joined(&[texts.get("guided.hello").to_owned(), offer])
        }
        Intent::Menu => joined(&[shown_menu(memory, voice), texts.get("guided.about").to_owned()]),
        Intent::Thanks => {
            let offer = offer(memory, thought, texts);
            joined(&[texts.get("guided.welcome").to_owned(), offer])
        }
        Intent::No if memory.draft => texts.get("guided.what_to_change").to_owned(),
        Intent::Cancel | Intent::No => {
            thought.dropped = true;
            texts.get("guided.dropped").to_owned()
        }
        Intent::Yes => {
            let offer = offer(memory, thought, texts);
            if offer.is_empty() { texts.get("guided.nothing_asked").to_owned() } else { offer }
        }
        Intent::ShowDocument => shown_again(memory, texts),
        Intent::DocumentQuestion => texts.get("guided.no_documents").to_owned(),
        Intent::SmallTalk => texts.get("guided.small_talk").to_owned(),
        Intent::OffTopic => texts.get("guided.off_topic").to_owned(),
        Intent::RequirementProfile
        | Intent::EditProfile
        | Intent::ConfirmProfile
        | Intent::JobAd
        | Intent::TaScreening
        | Intent::HmScreening
        | Intent::Headhunting
        | Intent::CandidateReport
        | Intent::ConfirmReport
        | Intent::Compare
        | Intent::FunnelReport
        | Intent::JobAdReview
        | Intent::DiReview
        | Intent::DecideFindings
        | Intent::CalendarInvite
        | Intent::SetLanguage
        | Intent::SetPosition
        | Intent::Restore
        | Intent::Unclear => missed(memory, thought, voice, texts),
    }
}

/// What there is; whoever has been greeted is not greeted again.
fn shown_menu(memory: &Memory, voice: Voice) -> String {
    let position = memory.position.as_deref();
    if memory.begun { services(voice, position) } else { greeting(voice, position) }.markdown()
}

/// Nothing was understood: say so, and the second time show what there is.
fn missed(memory: &Memory, thought: &mut Thought, voice: Voice, texts: &Texts) -> String {
    thought.misses = memory.misses + 1;
    thought.offer = memory.offer;
    if let Some(pending) = &memory.pending {
        let question = question_for(&pending.field, None, texts);
        let lead = texts.get("guided.not_an_answer").to_owned();
        return joined(&[lead, question]);
    }
    if thought.misses >= 2 {
        let lead = texts.get("guided.missed_again").to_owned();
        return joined(&[lead, shown_menu(memory, voice), texts.get("guided.about").to_owned()]);
    }
    texts.get("guided.missed").to_owned()
}

/// The document that a sentence names.
fn named_kind(heard: &super::hearing::Heard<'_>) -> Option<Kind> {
    let named = [
        (Kind::DiReview, heard.has("inclusive")),
        (Kind::JobAdReview, heard.has("review") && heard.has("ad")),
        (Kind::HmScreeningTemplate, heard.has("screening") && heard.has("manager")),
        (Kind::TaScreeningTemplate, heard.has("screening")),
        (Kind::FunnelReport, heard.has("funnel")),
        (Kind::CandidateReport, heard.has("report")),
        (Kind::HeadhuntingMessages, heard.has("outreach")),
        (Kind::CalendarInvite, heard.has("invite")),
        (Kind::JobAd, heard.has("ad")),
        (Kind::RequirementProfile, heard.has("profile")),
    ];
    named.into_iter().find(|(_, is)| *is).map(|(kind, _)| kind)
}

/// Which document should be as it was, and at which version; the one before the last if none is named.
pub(super) fn restoration(memory: &Memory, heard: &super::hearing::Heard<'_>) -> Map<String, Value> {
    let kind = named_kind(heard).or(memory.last).unwrap_or(Kind::RequirementProfile);
    let named = heard.tokens.iter().find_map(super::tokens::Token::number);
    let newest = memory.made.get(&kind).and_then(|made| made["version"].as_u64());
    let before = || newest.and_then(|newest| newest.checked_sub(1)).filter(|before| *before > 0).unwrap_or(1);
    let version = named.map_or_else(before, u64::from);
    let mut arguments = Map::new();
    arguments.insert("kind".to_owned(), json!(kind.name()));
    arguments.insert("version".to_owned(), json!(version));
    arguments
}

/// A document that was made before.
fn shown_again(memory: &Memory, texts: &Texts) -> String {
    let wanted = named_kind(&super::hearing::Heard::of(&memory.message)).or(memory.last);
    let document = wanted.and_then(|kind| Some((kind, memory.made.get(&kind)?)));
    match document.and_then(|(kind, json)| rendered(kind, json)) {
        Some(document) => document.markdown(),
        None => texts.get("guided.nothing_made").to_owned(),
    }
}

/// What to say after tools ran.
pub(super) fn after_tools(memory: &Memory, mut thought: Thought) -> Step {
    thought.language = memory.language.unwrap_or(thought.language);
    let voice = voice_of(memory, thought.language);
    let texts = Texts::of(voice);
    let text = match main_call(memory) {
        Some(done) if done.failed => refused(memory, done, &mut thought, texts),
        Some(done) => made(memory, done, &mut thought, texts),
        None => missed(memory, &mut thought, voice, texts),
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
        let wanted = Intent::of_tool(&done.tool);
        let kinds: Vec<_> = missing.iter().map(|kind| tata_core::ArtifactKind::new(kind.name())).collect();
        let kind = ORDER.into_iter().find(|kind| Intent::of_kind(*kind) == wanted).unwrap_or(Kind::JobAd);
        let lacking = crate::module::lacking(kind, &kinds, texts);
        thought.wanted = wanted;
        thought.offer = Intent::of_kind(*first);
        let how = if *first == Kind::RequirementProfile { texts.get("guided.ask.startup_notes") } else { "" };
        return joined(&[lacking.message, lacking.hint.unwrap_or_default(), how.to_owned()]);
    }
    let problem = &error["problems"][0];
    let Some(message) = problem["message"].as_str() else {
        // Nothing the person could mend; the tool has said it in words that are safe to show.
        return error["message"].as_str().unwrap_or(texts.get("guided.missed")).to_owned();
    };
    let field = problem["field"].as_str().unwrap_or_default();
    let question = question_for(field, problem["hint"].as_str(), texts);
    let begun = memory.done.len() == 1 && done.arguments.is_empty();
    // The tool speaks the language of the document, which need not be that of the conversation.
    let foreign = done.arguments.get("language").is_some_and(|code| code != thought.language.code());
    let says_it_all = begun || (foreign && !done.arguments.contains_key(field));
    let asked = texts.has(&format!("guided.ask.{field}"));
    let lead = if says_it_all && asked { String::new() } else { message.to_owned() };
    joined(&[lead, question])
}

/// The question about a field: the guided model's own, where it can read more than the tool asks for.
fn question_for(field: &str, hint: Option<&str>, texts: &Texts) -> String {
    let field = field.trim_start_matches('/').split('/').next().unwrap_or_default();
    let key = format!("guided.ask.{field}");
    if texts.has(&key) { texts.get(&key).to_owned() } else { hint.unwrap_or_default().to_owned() }
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
    let shown = document
        .or_else(|| {
            let text = result["text"].as_str().or_else(|| result["plain_text"].as_str());
            text.map(str::to_owned)
        })
        .unwrap_or_default();
    let list = |field: &str| -> Vec<String> {
        let lines = result[field].as_array().into_iter().flatten();
        lines
            .filter_map(|line| line.as_str().or_else(|| line["message"].as_str()).map(str::to_owned))
            .collect()
    };
    let (notices, questions) = (list("warnings"), list("ask_the_recruiter"));
    let mut parts = vec![shown];
    if !notices.is_empty() {
        parts.push(format!("{}\n{}", texts.get("guided.please_note"), bullets(&notices)));
    }
    if questions.is_empty() {
        let follow = follow_up(memory, kind, thought, texts);
        parts.push(follow);
    } else {
        parts.push(questions.join("\n\n"));
        if !memory.draft {
            thought.offer = None;
        }
    }
    joined(&parts)
}

/// What was chosen for the project, and how to begin.
fn project_set(memory: &Memory, done: &Done, thought: &mut Thought, texts: &Texts) -> String {
    let mut parts = Vec::new();
    if done.arguments.contains_key("language") && thought.intent == Some(Intent::SetLanguage) {
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
        thought.offer = Some(Intent::RequirementProfile);
        parts.push(texts.get("guided.ask.startup_notes").to_owned());
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
        && thought.intent != Some(Intent::DecideFindings)
    {
        return texts.get("guided.ask.findings").to_owned();
    }
    offer(memory, thought, texts)
}

/// The offer of the next document: what was wanted before, else the next one that is not there yet.
fn offer(memory: &Memory, thought: &mut Thought, texts: &Texts) -> String {
    let is_made = |intent: Intent| memory.made.keys().any(|kind| Intent::of_kind(*kind) == Some(intent));
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
    let next = ORDER.into_iter().find(|kind| !memory.made.contains_key(kind)).and_then(Intent::of_kind);
    thought.offer = next;
    next.map(|next| texts.get(&format!("guided.offer.{}", next.name())).to_owned()).unwrap_or_default()
}

/// Whether what it builds on is there.
fn is_possible(memory: &Memory, intent: Intent) -> bool {
    let kind = ORDER.into_iter().find(|kind| Intent::of_kind(*kind) == Some(intent));
    kind.is_some_and(|kind| kind.requires().iter().all(|needed| memory.made.contains_key(needed)))
}

/// How many findings the last review numbered.
pub(super) fn findings(memory: &Memory) -> u32 {
    let review = memory.last.and_then(|kind| memory.made.get(&kind));
    let lists = ["flagged_items", "issues"];
    let count = review.map_or(0, |review| {
        lists.iter().filter_map(|list| review[*list].as_array()).map(Vec::len).max().unwrap_or(0)
    });
    u32::try_from(count).unwrap_or_default()
}

/// The confirmation of every rating of the last report.
pub(super) fn confirmations(memory: &Memory) -> Map<String, Value> {
    let mut arguments = Map::new();
    let Some((report, key)) = memory.made.get(&Kind::CandidateReport).zip(memory.report_key.as_ref()) else {
        return arguments;
    };
    let rated = |assessment: &&Value| assessment["rating"].is_number();
    let skills = report["skill_assessments"].as_array().into_iter().flatten().filter(rated);
    let mut decisions: Vec<Value> =
        skills.map(|skill| json!({ "about": skill["skill_name"], "choice": "confirm" })).collect();
    if rated(&&report["motivation_assessment"]) {
        decisions.push(json!({ "about": "motivation", "choice": "confirm" }));
    }
    if !decisions.is_empty() {
        arguments.insert("candidate_key".to_owned(), json!(key));
        arguments.insert("decisions".to_owned(), json!(decisions));
    }
    arguments
}

/// The voice of an answer in a language.
fn voice_of(memory: &Memory, language: Language) -> Voice {
    Voice::new(language, memory.voice().form().unwrap_or_default())
}

fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> =
        parts.iter().map(|part| part.trim_end()).filter(|part| !part.trim().is_empty()).collect();
    parts.join("\n\n")
}

fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("* {}", line.replace('\n', "\n  "))).collect::<Vec<_>>().join("\n")
}
