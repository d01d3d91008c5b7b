//! A conversation as its pages show it: turns with what was said, what was done and what came of it.

use std::{collections::HashMap, sync::Arc};

use tata_core::{
    ArtifactName, CallId, CheckedAnswer, CheckedSentence, Citation, Cost, Entry, Gap, Question,
    QuestionReason, Record, ToolStatus, TurnEnd, UsageRow, UsageTotal,
};

use super::{
    shown_text::{self, Kind},
    ui::Ui,
    words::Words,
};
use crate::{Problem, encoded::encoded};

/// Longer pieces of what a person said are folded.
const FOLDED_FROM: usize = 1_200;

/// A turn.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "a template asks about each of them by itself")]
pub(crate) struct TurnView {
    pub(crate) number: u32,
    pub(crate) at: String,
    /// The words of the person.
    pub(crate) said: Vec<SaidView>,
    /// A person ran this tool themselves.
    pub(crate) by_hand: Option<String>,
    pub(crate) parts: Vec<PartView>,
    pub(crate) questions: Vec<QuestionView>,
    /// What the program asks below the answer.
    pub(crate) asks: Option<QuestionView>,
    /// What the answer cites.
    pub(crate) sources: Vec<CitationView>,
    /// What was found beside it.
    pub(crate) sources_left: Vec<CitationView>,
    /// The sentences that their sources do not prove.
    pub(crate) unproven: Vec<UnprovenView>,
    /// Documents were searched and nothing was found.
    pub(crate) nothing_found: bool,
    /// Why it ended without an answer, or with half of one.
    pub(crate) problem: Option<String>,
    pub(crate) stopped: bool,
    /// It is not over.
    pub(crate) open: bool,
    pub(crate) running: bool,
    /// It is the last one: it can be asked again.
    pub(crate) last: bool,
    pub(crate) model: Option<String>,
    pub(crate) by_rules: bool,
    pub(crate) tokens: Option<String>,
    pub(crate) cost: Option<String>,
    pub(crate) seconds: Option<String>,
    /// The answer as it was held against its sources.
    checked: Option<CheckedAnswer>,
    calls: HashMap<CallId, (String, String)>,
}

/// Something a person said or brought.
pub(crate) struct SaidView {
    pub(crate) text: String,
    /// Its first line, where it is folded.
    pub(crate) folded: Option<String>,
}

/// A part of an answer, in the order in which it came.
pub(crate) enum PartView {
    /// What was answered: Markdown until [`cleaned`] has made HTML of it.
    Text(String),
    Steps(Vec<StepView>),
    Document(DocumentLink),
}

/// One step.
pub(crate) struct StepView {
    call_id: CallId,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) problem: Option<String>,
    pub(crate) done: bool,
    pub(crate) ok: bool,
    pub(crate) seconds: String,
}

/// A document that a turn made.
pub(crate) struct DocumentLink {
    pub(crate) name: ArtifactName,
    pub(crate) shown: String,
    pub(crate) version: u32,
    pub(crate) address: String,
}

/// Something only a person can decide.
pub(crate) struct QuestionView {
    pub(crate) call_id: String,
    pub(crate) seal: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    pub(crate) words: Option<String>,
    pub(crate) heading: &'static str,
    /// Each answer: the decision, and what it is called.
    pub(crate) answers: Vec<(&'static str, &'static str)>,
}

/// A passage that an answer rests on.
pub(crate) struct CitationView {
    pub(crate) number: u32,
    pub(crate) title: String,
    pub(crate) place: String,
    pub(crate) quote: String,
}

/// A sentence that its sources do not prove.
pub(crate) struct UnprovenView {
    pub(crate) text: String,
    /// What is missing: the part of the sentence, and why.
    pub(crate) gaps: Vec<(String, &'static str)>,
}

/// What a page is made of, beside the journal.
pub(crate) struct Around<'a> {
    pub(crate) ui: &'a Ui,
    pub(crate) session: String,
    pub(crate) usage: &'a [Arc<UsageRow>],
    pub(crate) running: bool,
}

/// The address of a document on the pages.
pub(crate) fn document_address(session: &str, name: &ArtifactName) -> String {
    let kind = encoded(name.kind.as_str());
    if name.key.is_empty() {
        return format!("/p/{session}/d/{kind}");
    }
    format!("/p/{session}/d/{kind}?key={}", encoded(&name.key))
}

/// The turns that still count.
pub(crate) fn turns(records: &[Record], around: &Around<'_>) -> Vec<TurnView> {
    let mut turns: Vec<TurnView> = Vec::new();
    for record in records {
        if let Entry::UserMessage { turn, message, .. } = &record.entry {
            let said = message.texts().filter(|text| !text.text.trim().is_empty());
            turns.push(TurnView {
                number: *turn,
                at: around.ui.moment(record.at),
                said: said.map(|text| SaidView::of(&text.text)).collect(),
                open: true,
                ..TurnView::default()
            });
            continue;
        }
        if let Entry::TurnUndone { turn } = &record.entry {
            turns.retain(|one| one.number != *turn);
            continue;
        }
        let meant = turns.iter_mut().rev().find(|one| one.number == record.entry.turn());
        if let Some(turn) = meant {
            turn.read(&record.entry, around);
        }
    }
    let last = turns.len().saturating_sub(1);
    for (at, turn) in turns.iter_mut().enumerate() {
        turn.last = at == last;
        turn.running = turn.open && turn.last && around.running;
        turn.count(around);
        turn.set_sources_apart();
        turn.mark(around.ui.words());
    }
    turns
}

/// The turns that still count, as a page shows them.
pub(crate) async fn cleaned(mut turns: Vec<TurnView>) -> Result<Vec<TurnView>, Problem> {
    for part in turns.iter_mut().flat_map(|turn| &mut turn.parts) {
        if let PartView::Text(text) = part {
            *text = shown_text::cleaned(Kind::Answer, std::mem::take(text)).await?;
        }
    }
    Ok(turns)
}

impl SaidView {
    fn of(text: &str) -> Self {
        let is_long = text.chars().count() > FOLDED_FROM;
        let first = || text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        Self { folded: is_long.then(|| first().chars().take(120).collect()), text: text.to_owned() }
    }
}

impl TurnView {
    /// What a person ran themselves is said already, unless it went wrong.
    pub(crate) fn shows(&self, steps: &[StepView]) -> bool {
        self.by_hand.is_none() || steps.iter().any(|step| !step.ok)
    }

    fn read(&mut self, entry: &Entry, around: &Around<'_>) {
        let ui = around.ui;
        match entry {
            Entry::ModelReply { model, message, by_person, .. } => {
                for call in message.tool_calls() {
                    let known = (call.name.to_string(), call.arguments.clone());
                    self.calls.insert(call.call_id.clone(), known);
                }
                if *by_person {
                    let tool = message.tool_calls().next().map(|call| call.name.to_string());
                    let tool = tool.map(|tool| (ui.pages.tool_name)(&tool, ui.lang.code()));
                    self.by_hand = self.by_hand.take().or(tool);
                    return;
                }
                self.by_rules = (ui.app.services.files.is_rules)(model.as_str());
                self.model = Some(model.to_string());
                let said = message.spoken();
                if !said.trim().is_empty() {
                    self.parts.push(PartView::Text(said));
                }
            }
            Entry::ToolStarted { call_id, tool, .. } => {
                self.step(call_id, tool, ui, |_| {});
            }
            Entry::ToolFinished { result, status, millis, sources, .. } => {
                let problem = (!status.is_success()).then(|| problem_of(result, *status)).flatten();
                let seconds = spent(*millis);
                self.step(&result.call_id, &result.name, ui, |step| {
                    (step.done, step.ok) = (true, status.is_success());
                    (step.problem, step.seconds) = (problem, seconds);
                });
                if let Some(found) = sources {
                    self.nothing_found = found.is_empty() && self.sources.is_empty();
                    self.sources.extend(found.iter().map(CitationView::of));
                }
            }
            Entry::ArtifactStored { name, version, .. } => {
                let shown = (ui.pages.tool_name)(name.kind.as_str(), ui.lang.code());
                let address = document_address(&around.session, name);
                self.parts.retain(|part| !matches!(part, PartView::Document(link) if link.name == *name));
                let link = DocumentLink { name: name.clone(), shown, version: *version, address };
                self.parts.push(PartView::Document(link));
            }
            Entry::Waiting { questions, .. } => {
                self.questions = questions.iter().map(|one| QuestionView::of(one, ui)).collect();
            }
            Entry::Decided { call_id, .. } => {
                self.questions.retain(|question| question.call_id != call_id.as_str());
            }
            Entry::TurnFinished { end, millis, asks, checked, .. } => {
                self.open = false;
                self.checked = checked.as_deref().cloned();
                self.asks = asks.as_deref().map(|question| QuestionView::of(question, ui));
                self.seconds = Some(spent(*millis));
                self.stopped = *end == TurnEnd::Cancelled;
                self.problem = end.for_user().filter(|_| !self.stopped).map(str::to_owned);
            }
            Entry::MadeStale { .. } | Entry::UserMessage { .. } | Entry::TurnUndone { .. } => {}
        }
    }

    /// Changes the step of a call; a new one joins the steps before it.
    fn step(&mut self, call_id: &CallId, tool: &str, ui: &Ui, change: impl FnOnce(&mut StepView)) {
        let lists = self.parts.iter_mut().filter_map(|part| match part {
            PartView::Steps(steps) => Some(steps),
            PartView::Text(_) | PartView::Document(_) => None,
        });
        if let Some(step) = lists.flatten().find(|step| step.call_id == *call_id) {
            change(step);
            return;
        }
        let (name, arguments) = self.calls.get(call_id).cloned().unwrap_or_default();
        let name = if name.is_empty() { tool.to_owned() } else { name };
        let mut step = StepView {
            call_id: call_id.clone(),
            name: (ui.pages.tool_name)(&name, ui.lang.code()),
            arguments: pretty(&arguments),
            problem: None,
            done: false,
            ok: false,
            seconds: String::new(),
        };
        change(&mut step);
        match self.parts.last_mut() {
            Some(PartView::Steps(steps)) => steps.push(step),
            Some(PartView::Text(_) | PartView::Document(_)) | None => {
                self.parts.push(PartView::Steps(vec![step]));
            }
        }
    }

    /// What the answer cites, and what was found beside it. An answer may cite what an earlier turn found.
    fn set_sources_apart(&mut self) {
        let mut found = std::mem::take(&mut self.sources);
        // The same passage may have been found twice.
        let mut seen = Vec::new();
        found.retain(|source| {
            let new = !seen.contains(&source.number);
            seen.push(source.number);
            new
        });
        let texts: Vec<&String> = self.parts.iter().filter_map(PartView::text).collect();
        let is_named = |source: &CitationView| {
            texts.iter().any(|text| source.number > 0 && text.contains(&format!("[{}]", source.number)))
        };
        let (mut cited, left): (Vec<_>, Vec<_>) = found.into_iter().partition(is_named);
        for citation in self.checked.iter().flat_map(|checked| &checked.citations) {
            if !cited.iter().any(|known| known.number == citation.number) {
                cited.push(CitationView::of(citation));
            }
        }
        cited.sort_by_key(|source| source.number);
        (self.sources, self.sources_left) = (cited, left);
    }

    /// Marks in the answer what its sources do not prove, and lets its numbers lead to them.
    fn mark(&mut self, words: &'static Words) {
        let (number, sources) = (self.number, &self.sources);
        let mut texts = self.parts.iter_mut().rev().filter_map(PartView::text_mut);
        if let Some(checked) = &self.checked
            && let Some(last) = texts.next()
        {
            *last = linked(&marked(checked, number, words), number, sources);
        }
        for text in texts {
            *text = linked(text, number, sources);
        }
        let unproven = self.checked.iter().flat_map(CheckedAnswer::unproven);
        self.unproven = unproven.map(|sentence| UnprovenView::of(sentence, words)).collect();
    }

    fn count(&mut self, around: &Around<'_>) {
        let rows = around.usage.iter().filter(|row| row.turn == self.number);
        let total: UsageTotal = rows.collect();
        if total.requests > total.uncounted {
            self.tokens = Some(total.total_tokens.to_string());
        }
        if total.requests > 0 && !self.by_rules {
            let words = around.ui.words();
            let known = total.known_cost().map(price);
            self.cost = Some(known.unwrap_or_else(|| words.cost_unknown.to_owned()));
        }
    }
}

impl PartView {
    fn text(&self) -> Option<&String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Steps(_) | Self::Document(_) => None,
        }
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Steps(_) | Self::Document(_) => None,
        }
    }
}

/// The answer with a mark behind every sentence that its sources do not prove; it leads to what is missing.
fn marked(checked: &CheckedAnswer, turn: u32, words: &Words) -> String {
    let mut marked = String::with_capacity(checked.text.len());
    let mut letters = checked.text.chars();
    let mut at = 0;
    for (count, sentence) in checked.unproven().enumerate() {
        marked.extend(letters.by_ref().take(sentence.end.saturating_sub(at)));
        at = at.max(sentence.end);
        let label = if sentence.cites.is_empty() { words.unproven_none } else { words.unproven };
        marked.push_str(&format!(" [⚠ {label}](#unproven-{turn}-{})", count + 1));
    }
    marked.extend(letters);
    marked
}

/// Numbers in brackets that stand for a source lead to it.
fn linked(text: &str, turn: u32, sources: &[CitationView]) -> String {
    let mut text = text.to_owned();
    for number in sources.iter().map(|source| source.number).filter(|number| *number > 0) {
        text = text.replace(&format!("[{number}]"), &format!("[{number}](#cite-{turn}-{number})"));
    }
    text
}

impl UnprovenView {
    fn of(sentence: &CheckedSentence, words: &'static Words) -> Self {
        let gap = |gap: &Gap| (gap.text.clone(), words.gap(&gap.reason));
        Self { text: sentence.text.clone(), gaps: sentence.gaps.iter().map(gap).collect() }
    }
}

impl QuestionView {
    pub(crate) fn of(question: &Question, ui: &Ui) -> Self {
        let w = ui.words();
        let (heading, answers) = match question.reason {
            QuestionReason::Approval => {
                (w.asks_approval, vec![("run", w.approve_call), ("refuse", w.reject_call)])
            }
            QuestionReason::Decision => {
                (w.asks_decision, vec![("run", w.decide_yes), ("refuse", w.decide_no)])
            }
            QuestionReason::Uncertain => (
                w.asks_uncertain,
                vec![("done", w.happened), ("run", w.not_happened), ("refuse", w.reject_call)],
            ),
        };
        Self {
            call_id: question.call_id.to_string(),
            seal: question.seal.clone(),
            tool: (ui.pages.tool_name)(question.tool.as_str(), ui.lang.code()),
            arguments: pretty(&question.arguments),
            words: question.about.as_ref().map(|_| question.in_words()),
            heading,
            answers,
        }
    }
}

impl CitationView {
    fn of(citation: &Citation) -> Self {
        let page = citation.page.map(|page| format!("{page}"));
        let place: Vec<String> = citation.headings.iter().cloned().chain(page).collect();
        let title = if citation.title.is_empty() { &citation.url } else { &citation.title };
        Self {
            number: citation.number,
            title: title.clone(),
            place: place.join(" › "),
            quote: citation.quote.clone(),
        }
    }
}

/// Arguments as people read them: the same, on several lines.
pub(crate) fn pretty(arguments: &str) -> String {
    let parsed: Option<serde_json::Value> = serde_json::from_str(arguments).ok();
    parsed.map_or_else(|| arguments.to_owned(), |value| format!("{value:#}"))
}

fn spent(millis: u64) -> String {
    format!("{}.{}", millis / 1000, millis % 1000 / 100)
}

fn price(cost: Cost) -> String {
    format!("${:.4}", cost.usd())
}

/// What a person should know of a step that went wrong. What the model got wrong is the model's to mend.
fn problem_of(result: &tata_core::ToolResult, status: ToolStatus) -> Option<String> {
    if [ToolStatus::InvalidArguments, ToolStatus::UnknownTool, ToolStatus::NotRun].contains(&status) {
        return None;
    }
    let json: serde_json::Value = serde_json::from_str(&result.joined_text()).ok()?;
    let error = json.get("error");
    // What is wrong is told without the names under which a program hands it over.
    if let Some(problems) = error.and_then(|error| error.get("problems")?.as_array()) {
        let messages = problems.iter().filter_map(|problem| problem.get("message")?.as_str());
        return Some(messages.collect::<Vec<_>>().join(" "));
    }
    let said = json.get("message").or_else(|| error?.get("message"))?;
    said.as_str().map(str::to_owned)
}
