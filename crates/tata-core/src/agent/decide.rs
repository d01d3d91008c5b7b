//! What comes next in a turn: a function of what is written. The same journal always gives the same next step, and
//! that is what makes a turn resumable.

use super::assent::says_yes;
use crate::{
    About, Act, ArtifactKind, ArtifactName, Conversation, Effect, Limit, MaterialId, Question,
    QuestionReason, ReplyOutcome, StopReason, ToolExecutor, ToolRegistry, ToolSpec, TurnEnd,
    citation::named,
    conversation::{OpenTurn, Step},
};

/// The next step of a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    /// Ask the model.
    Ask {
        /// A limit was reached: this answer is the last, and comes without tools.
        last_time: Option<Limit>,
    },
    /// Run the calls that may run.
    RunTools,
    /// Answer the calls without running them.
    DropCalls,
    /// Answer the calls beyond those that one answer may have run.
    RefuseRest,
    /// A person must decide.
    Wait(Vec<Question>),
    /// The turn is over.
    Finish(TurnEnd),
}

/// What of the world, beside the journal, the next step depends on.
pub(super) struct Circumstances<'a> {
    pub(super) executor: &'a ToolExecutor,
    /// Tools that a person approved beforehand.
    pub(super) approved: &'a [String],
    pub(super) cancelled: bool,
    /// The limit that is reached.
    pub(super) limit: Option<Limit>,
    /// The limit for which the last answer was asked.
    pub(super) last_answer: Option<Limit>,
}

pub(super) fn next(conversation: &Conversation, open: &OpenTurn, now: &Circumstances<'_>) -> Next {
    if open.unfinished().next().is_some() {
        return with_calls(conversation, open, now);
    }
    match open.last {
        Some((ReplyOutcome::Cancelled, _)) => Next::Finish(TurnEnd::Cancelled),
        // The failure itself is known only where it happened; the ask step finishes such a turn by itself.
        Some((ReplyOutcome::Failed, _)) => Next::Finish(TurnEnd::Failed {
            error: "interrupted".to_owned(),
            message: "The answer was interrupted.".to_owned(),
        }),
        Some((ReplyOutcome::Incomplete, reason)) => {
            Next::Finish(TurnEnd::Incomplete { reason: reason.unwrap_or(StopReason::Other) })
        }
        Some((ReplyOutcome::Complete, Some(StopReason::Refusal))) => Next::Finish(TurnEnd::Refused),
        Some((ReplyOutcome::Complete, Some(StopReason::ContentFilter))) => {
            Next::Finish(TurnEnd::Incomplete { reason: StopReason::ContentFilter })
        }
        Some((ReplyOutcome::Complete, _)) => {
            let end = if open.is_mute { TurnEnd::Empty } else { TurnEnd::Answered };
            Next::Finish(now.last_answer.map_or(end, |limit| TurnEnd::Limit { limit }))
        }
        // After results, or when the provider wants to go on.
        None | Some((ReplyOutcome::Paused, _)) => match (now.cancelled, now.last_answer, now.limit) {
            (true, ..) => Next::Finish(TurnEnd::Cancelled),
            // The last answer was calls again: there is nothing more to say.
            (false, Some(limit), _) => Next::Finish(TurnEnd::Limit { limit }),
            (false, None, last_time) => Next::Ask { last_time },
        },
    }
}

fn with_calls(conversation: &Conversation, open: &OpenTurn, now: &Circumstances<'_>) -> Next {
    let out_of_time = now.limit == Some(Limit::Time);
    if now.cancelled || out_of_time || now.last_answer.is_some() || !open.calls_may_run() {
        return Next::DropCalls;
    }
    if !ready(conversation, open, now, &[]).is_empty() {
        return Next::RunTools;
    }
    let questions: Vec<_> = open.may_run().filter_map(|step| question(conversation, step, now)).collect();
    if questions.is_empty() { Next::RefuseRest } else { Next::Wait(questions) }
}

/// Whether a call may go on.
#[derive(Debug)]
pub(super) enum Standing {
    /// Yes.
    Free,
    /// Yes: a person decided it, by a call of their own or by the message of this turn.
    Decided(About, Option<MaterialId>),
    /// Not before a person has decided.
    Asks(Box<Question>),
    /// It decides about something that nobody has seen yet.
    NotShown(ArtifactKind),
}

/// Whether a call may go on, by what is written.
pub(super) fn standing(conversation: &Conversation, step: &Step, now: &Circumstances<'_>) -> Standing {
    if step.decision.is_some() {
        return Standing::Free;
    }
    let asks = |reason, about: Option<About>| {
        Standing::Asks(Box::new(Question {
            call_id: step.call.call_id.clone(),
            tool: step.call.name.clone(),
            arguments: step.call.arguments.clone(),
            reason,
            seal: conversation.seal(&step.call, about.as_ref()),
            about,
            words: String::new(),
        }))
    };
    if step.started == Some(Effect::Outward) {
        return asks(QuestionReason::Uncertain, None);
    }
    let Some(tool) = now.executor.registry().get(&step.call.name) else { return Standing::Free };
    let spec = tool.spec();
    if !spec.decides && !spec.needs_approval && spec.effect != Effect::Outward {
        return Standing::Free;
    }
    // Nobody is asked about a call that could not run anyway.
    let Ok(ready) = now.executor.check(&step.call, conversation.artifacts()) else { return Standing::Free };
    if let Some(act) = tool.decides(&ready.arguments, conversation.artifacts()) {
        return deciding(conversation, step, act, now.executor.registry(), asks);
    }
    if spec.effect == Effect::Outward && conversation.is_uncertain(&step.call) {
        return asks(QuestionReason::Uncertain, None);
    }
    if spec.needs_approval && !now.approved.contains(&spec.name) {
        return asks(QuestionReason::Approval, None);
    }
    Standing::Free
}

/// The rule about decisions. A person decides about a version they have seen: by a call of their own, or by a message
/// that says yes and nothing else. A yes answers one question, so it counts when the program asked exactly this, last of
/// all: where a model wrote what was asked, by the sealed question below its answer; where the program writes every word
/// itself, right after it showed the version. Whatever is less is asked about.
fn deciding(
    conversation: &Conversation,
    step: &Step,
    act: Act,
    tools: &ToolRegistry,
    asks: impl FnOnce(QuestionReason, Option<About>) -> Standing,
) -> Standing {
    let documents = conversation.artifacts();
    let (version, stored) = (documents.version(&act.document), documents.turn(&act.document));
    if version.is_none() && act.settles {
        // There is nothing to settle; the tool says so.
        return Standing::Free;
    }
    let Act { document, words, plain, settles } = act;
    let (version, words) = (version.unwrap_or_default(), named(&words, conversation.citations()));
    let kind = document.kind.clone();
    let about = About { document, version, words, settles };
    if conversation.open().is_some_and(|open| open.by_person) {
        return Standing::Decided(about, None);
    }
    if settles && stored == Some(conversation.last_turn()) {
        return Standing::NotShown(kind);
    }
    let asked = if program_writes(conversation) {
        plain && shown_last(conversation, &about.document, tools)
    } else {
        conversation
            .answered_question()
            .is_some_and(|asked| asked.tool == step.call.name && asked.about.as_ref() == Some(&about))
    };
    match yes(conversation) {
        Some(message) if asked => Standing::Decided(about, Some(message)),
        _ => asks(QuestionReason::Decision, Some(about)),
    }
}

/// The message of this turn, if it says yes and nothing else.
pub(super) fn yes(conversation: &Conversation) -> Option<MaterialId> {
    let mut said = conversation.materials().of_turn(conversation.last_turn());
    match (said.next(), said.next()) {
        (Some(message), None) if says_yes(message.text()) => Some(message.id()),
        _ => None,
    }
}

/// Whether the program wrote every word of this turn and of the one before it: what was asked there, and the call that
/// takes the answer for a yes. A model of a provider in either of them is enough to spoil that.
fn program_writes(conversation: &Conversation) -> bool {
    let now = conversation.open().is_some_and(|open| open.by_program);
    let turns = [conversation.current_turn(), conversation.turn_before()];
    now && turns.iter().all(|turn| turn.is_some_and(|turn| !turn.foreign))
}

/// Whether the turn before showed the newest version of this document, and of no other about which people decide: a yes
/// to two documents at once would be a yes to neither.
fn shown_last(conversation: &Conversation, document: &ArtifactName, tools: &ToolRegistry) -> bool {
    let documents = conversation.artifacts();
    let stored = documents.turn(document);
    let alone = documents.names().all(|other| {
        other == document || documents.turn(other) != stored || !tools.decides_about(&other.kind)
    });
    alone && stored.is_some() && stored == conversation.turn_before().map(|turn| turn.turn)
}

/// What a person must decide before this call can go on.
fn question(conversation: &Conversation, step: &Step, now: &Circumstances<'_>) -> Option<Question> {
    if let Standing::Asks(question) = standing(conversation, step, now) { Some(*question) } else { None }
}

/// The unfinished calls that may run now: not in question, and not in the way of an earlier one. Calls that share nothing
/// run at once; those that read or make the same document run in call order.
pub(super) fn ready<'a>(
    conversation: &Conversation,
    open: &'a OpenTurn,
    now: &Circumstances<'_>,
    running: &[crate::CallId],
) -> Vec<&'a Step> {
    let mut earlier: Vec<&ToolSpec> = Vec::new();
    let mut ready = Vec::new();
    for step in open.may_run() {
        let spec = now.executor.registry().get(&step.call.name).map(|tool| tool.spec());
        let free = spec.is_none_or(|spec| earlier.iter().all(|before| !spec.waits_for(before)));
        if free && !running.contains(&step.call.call_id) && question(conversation, step, now).is_none() {
            ready.push(step);
        }
        earlier.extend(spec);
    }
    ready
}
