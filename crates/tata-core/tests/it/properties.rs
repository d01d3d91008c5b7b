//! The correctness properties at the level of the agent. AP1 and AP2 are in `definitions`, AP3 and AP6 in
//! tata-llm, AP5 for the cutting itself in `budget`; the rest here.

use std::{sync::Arc, time::Duration};

use proptest::{
    collection::vec,
    option,
    prelude::{BoxedStrategy, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest},
};
use serde_json::{Value, json};
use tata_core::{
    ArtifactKind, ArtifactName, Batch, Block, Budget, Conversation, Effect, Entry, Limit, Message, Problem,
    Record, ReplyOutcome, Role, ToolCall, ToolError, ToolFailure, ToolOutput, ToolRegistry, ToolResult,
    ToolStatus, TurnEnd, estimate_tokens,
};
use tata_testkit::{
    Answer, CountingTool, PlannedModel, Runs,
    conversation::{json_value, text, tool_name},
};

use crate::support::{PROMPT, Told, World, check_request, error_of, moment, registry, results};

fn in_paused_time<T>(test: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(test)
}

pub(crate) fn kind_name() -> BoxedStrategy<String> {
    "[A-Z][A-Za-z]{0,14}".boxed()
}

/// Runs one call and then an answer; says what the model read of it.
async fn one_call(
    registry: ToolRegistry,
    name: &str,
    arguments: &str,
) -> (World, Told, (String, String, bool)) {
    let plan = [Answer::calls(&[("c", name, arguments)]), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry).await;
    let told = world.say("Go").await;
    assert_eq!((told.content(), told.end()), ("Done.", &TurnEnd::Answered), "the run goes on");
    let result = results(&world.messages().await).remove(0);
    (world, told, result)
}

/// One thing said in a conversation: a question, then rounds of calls, then an answer.
#[derive(Clone, Debug)]
struct Exchange {
    question: String,
    rounds: Vec<(Option<String>, Vec<String>)>,
    answer: String,
}

fn exchanges() -> BoxedStrategy<Vec<Exchange>> {
    let long =
        prop_oneof![3 => text(), 1 => (text(), 1_usize..400).prop_map(|(text, times)| text.repeat(times))];
    let rounds = vec((option::of(text()), vec(long.clone(), 1..4)), 0..4);
    vec(
        (long, rounds, text()).prop_map(|(question, rounds, answer)| Exchange { question, rounds, answer }),
        1..5,
    )
    .boxed()
}

/// The journal of these exchanges, and the messages it must fold to.
fn journal(exchanges: &[Exchange]) -> (Vec<Record>, Vec<Message>) {
    let (mut entries, mut messages) = (Vec::new(), Vec::new());
    for (turn, exchange) in (1..).zip(exchanges) {
        let question = Message::user(&exchange.question);
        messages.push(question.clone());
        entries.push(Entry::UserMessage { turn, message: question, state: None, answers: None });
        let reply = |message: &Message| Entry::ModelReply {
            turn,
            model: "m".into(),
            message: message.clone(),
            outcome: ReplyOutcome::Complete,
            stop: None,
            limit: None,
            tokens: 0,
            cost: None,
            by_person: false,
            by_program: false,
        };
        for (round, (said, outputs)) in exchange.rounds.iter().enumerate() {
            let calls: Vec<ToolCall> = (0..outputs.len())
                .map(|at| ToolCall::function(format!("t{turn}r{round}c{at}"), "look_up", "{}"))
                .collect();
            let mut blocks: Vec<Block> = said.iter().map(Block::text).collect();
            blocks.extend(calls.iter().cloned().map(Block::ToolCall));
            let message = Message { role: Role::Assistant, blocks: blocks.into(), origin: None };
            entries.push(reply(&message));
            messages.push(message);
            let answers: Vec<ToolResult> =
                calls.iter().zip(outputs).map(|(call, output)| ToolResult::text(call, output)).collect();
            // Results arrive in any order; they are stored in call order.
            for result in answers.iter().rev() {
                let (result, status) = (result.clone(), ToolStatus::Succeeded);
                entries.push(Entry::ToolFinished { turn, result, status, millis: 0, sources: None });
            }
            messages.push(Message::tool_results(answers));
        }
        let answer = Message::assistant(&exchange.answer);
        entries.push(reply(&answer));
        messages.push(answer);
        entries.push(Entry::TurnFinished {
            turn,
            end: TurnEnd::Answered,
            millis: 0,
            asks: None,
            checked: None,
        });
    }
    let records =
        (1..).zip(entries).map(|(position, entry)| Record { position, at: moment(), entry }).collect();
    (records, messages)
}

/// A world that already holds a journal.
async fn world_with(records: Vec<Record>, model: &Arc<PlannedModel>) -> World {
    let world =
        World::new(model, registry([CountingTool::new("look_up", Effect::Read, &Runs::default())])).await;
    let begun = world.store.begin(world.session, Duration::from_secs(30)).await.unwrap();
    world.store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await.unwrap();
    world
}

/// Whether `part` is `whole` with some left out; long texts may be shortened.
fn in_order(part: &[Message], whole: &[Message]) -> bool {
    let key = |message: &Message| {
        let ids: Vec<String> = message
            .call_ids()
            .chain(message.results().map(|result| &result.call_id))
            .map(ToString::to_string)
            .collect();
        let start: String = message.joined_text().chars().take(40).collect();
        (message.role, ids, start)
    };
    let mut whole = whole.iter();
    part.iter().all(|message| whole.any(|other| key(other) == key(message)))
}

fn budgets() -> BoxedStrategy<Budget> {
    let tokens = option::of(prop_oneof![20_u64..300, 100_u64..20_000]);
    (0_usize..30, tokens).prop_map(|(max_messages, max_tokens)| Budget { max_messages, max_tokens }).boxed()
}

/// Says something after these exchanges and checks the request that follows.
fn check_next_request(exchanges: &[Exchange], budget: Budget, at_limit: bool) {
    let (records, mut said) = journal(exchanges);
    let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("Yes.").uncounted()));
    let told = in_paused_time(async {
        let world = world_with(records, &model).await.but(|parts| {
            parts.limits.budget = budget;
            parts.limits.rounds = if at_limit { 0 } else { 16 };
        });
        world.say("And now?").await
    });
    said.insert(0, Message::system(PROMPT));
    said.push(Message::user("And now?"));
    for request in model.requests() {
        check_request(&request);
        let mut sent = request.messages.clone();
        if at_limit {
            assert_eq!(told.end(), &TurnEnd::Limit { limit: Limit::Rounds });
            assert_eq!(sent.pop().map(|note| note.role), Some(Role::User));
        }
        assert!(in_order(&sent, &said), "{sent:#?}");
        assert_eq!(sent.last().map(Message::joined_text), Some("And now?".to_owned()), "the task stays");
        let size: u64 = request.messages.iter().map(estimate_tokens).sum();
        assert!(budget.max_tokens.is_none_or(|most| size <= most), "{size} tokens in {budget:?}");
    }
    let unfit = matches!(told.end(), TurnEnd::Failed { error, .. } if error == "context_length");
    assert_eq!(model.requests().len(), usize::from(!unfit));
}

/// One of each kind of failure, with names of our choosing.
fn failures(tool: &str, kinds: &[String], message: &str) -> Vec<(ToolError, Vec<String>)> {
    let (name, owned) = (tool.to_owned(), || tool.into());
    let problems = vec![Problem { field: "/f".into(), message: message.to_owned(), hint: None }];
    let missing = kinds.iter().map(|kind| ArtifactKind::new(kind)).collect();
    let bad = ToolCall::function("c", tool, "{").parse_arguments().unwrap_err();
    vec![
        (ToolError::NotFound { tool: owned(), near: vec![], known: vec![] }, vec![name.clone()]),
        (ToolError::Unreadable { tool: owned(), source: bad }, vec![name.clone()]),
        (
            ToolError::Invalid { tool: owned(), problems: problems.clone() },
            vec![name.clone(), message.to_owned()],
        ),
        (
            ToolError::Dependency { tool: owned(), missing, words: None },
            kinds.iter().cloned().chain([name.clone()]).collect(),
        ),
        (
            ToolError::Execution { tool: owned(), failure: ToolFailure::Rejected { problems } },
            vec![name.clone(), message.to_owned()],
        ),
        (
            ToolError::Execution { tool: owned(), failure: ToolFailure::failed(message) },
            vec![name.clone(), message.to_owned()],
        ),
        (
            ToolError::TimedOut { tool: owned(), after: Duration::from_secs(5) },
            vec![name.clone(), "5 s".to_owned()],
        ),
        (ToolError::Cancelled { tool: owned() }, vec![name.clone()]),
        (ToolError::NotApproved { tool: owned() }, vec![name.clone()]),
        (ToolError::CutOff { tool: owned() }, vec![name.clone()]),
        (ToolError::NotAllowed { tool: owned() }, vec![name]),
    ]
}

proptest! {
    /// AP4: whatever is said comes back in order, after the system prompt (A2.3, A2.4).
    #[test]
    fn ap4_what_was_said_comes_back_in_order(exchanges in exchanges()) {
        let (records, messages) = journal(&exchanges);
        let conversation = Conversation::fold(PROMPT, &records);
        prop_assert_eq!(&conversation.messages()[0], &Message::system(PROMPT));
        prop_assert_eq!(&conversation.messages()[1..], &messages[..]);
        // The fold is a fold: one entry at a time, through JSON, it gives the same.
        let mut stepwise = Conversation::new(PROMPT);
        for record in &records {
            let json = serde_json::to_string(record).unwrap();
            stepwise.apply(&serde_json::from_str(&json).unwrap());
        }
        prop_assert_eq!(stepwise.messages(), conversation.messages());
    }

    /// AP5 for requests: system prompt first and byte for byte, pairs complete, order kept, inside the budget, for
    /// every history and budget (A2.6, pain 2).
    #[test]
    fn ap5_every_request_keeps_the_prompt_and_the_pairs(exchanges in exchanges(), budget in budgets()) {
        check_next_request(&exchanges, budget, false);
    }

    /// AP5 for the last request of a turn, which has a note more than the conversation (A2.6, pain 2).
    #[test]
    fn ap5_the_last_request_at_a_limit_is_inside_the_budget_too(exchanges in exchanges(), budget in budgets()) {
        check_next_request(&exchanges, budget, true);
    }

    /// AP7: a tool that is not registered is refused by name, and the run goes on (A3.2).
    #[test]
    fn ap7_an_unknown_tool_is_refused_by_name(name in prop_oneof![tool_name(), text()]) {
        let runs = Runs::default();
        let known = CountingTool::new("zz_known_tool", Effect::Outward, &runs);
        let (_, told, (_, result, is_error)) = in_paused_time(one_call(registry([known]), &name, r#"{"what":"x"}"#));
        prop_assert!(is_error);
        let error = error_of(&result);
        prop_assert_eq!(&error["tool"], &json!(name));
        prop_assert_eq!(&error["kind"], &json!("unknown_tool"));
        if tata_core::check_tool_name(&name).is_ok() {
            prop_assert!(error["message"].as_str().unwrap().contains(&name), "{}", error);
        }
        prop_assert_eq!((told.statuses(), runs.total()), (vec![("c".to_owned(), "unknown_tool")], 0));
    }

    /// AP8: without its prerequisites a tool does not run, and what is missing is listed (A3.3, A3.4, A6.2).
    #[test]
    fn ap8_missing_prerequisites_are_listed(names in vec(kind_name(), 1..5), there in any::<u8>()) {
        let runs = Runs::default();
        let mut kinds = names;
        kinds.sort();
        kinds.dedup();
        let exists = |at: usize| there & (1 << at) != 0;
        let needs = kinds.iter().map(|kind| ArtifactKind::new(kind)).collect();
        let tool = CountingTool::new("build", Effect::Own, &runs).with(|spec| spec.requires = needs);
        let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "build", r#"{"what":"x"}"#)])]));
        let (told, messages) = in_paused_time(async {
            let world = World::new(&model, registry([tool])).await;
            let stored = kinds.iter().enumerate().filter(|(at, _)| exists(*at)).map(|(_, kind)| {
                let name = ArtifactName { kind: ArtifactKind::new(kind), key: String::new() };
                Entry::ArtifactStored { turn: 0, name, version: 1 }
            });
            let records = (1..).zip(stored).map(|(position, entry)| Record { position, at: moment(), entry }).collect();
            let begun = world.store.begin(world.session, Duration::from_secs(30)).await.unwrap();
            world.store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await.unwrap();
            (world.say("Go").await, world.messages().await)
        });
        let missing: Vec<&String> = kinds.iter().enumerate().filter(|(at, _)| !exists(*at)).map(|(_, kind)| kind).collect();
        prop_assert_eq!(runs.total(), u32::from(missing.is_empty()));
        if !missing.is_empty() {
            prop_assert_eq!(told.statuses(), vec![("c".to_owned(), "missing_prerequisite")]);
            let (_, text, is_error) = results(&messages).remove(0);
            let error = error_of(&text);
            prop_assert!(is_error);
            prop_assert_eq!(&error["missing"], &json!(missing));
            for kind in missing {
                prop_assert!(error["message"].as_str().unwrap().contains(kind.as_str()), "{}", error);
            }
        }
    }

    /// AP9: success stores the document and returns JSON that can be parsed back (A3.5, A3.6, A3.7).
    #[test]
    fn ap9_success_stores_the_document(value in json_value(), key in text()) {
        let document = json!({"value": value});
        let (made, own_key) = (document.clone(), key.clone());
        let kind = ArtifactKind::new("Report");
        let tool = CountingTool::new("write", Effect::Own, &Runs::default())
            .doing(move |_, _| Ok(ToolOutput::artifact(ArtifactKind::new("Report"), own_key.clone(), &made)));
        let (stored, has, result) = in_paused_time(async {
            let (world, _, result) = one_call(registry([tool]), "write", r#"{"what":"x"}"#).await;
            let name = ArtifactName { kind: kind.clone(), key };
            (world.store.artifact(world.session, name, None).await.unwrap(), world.conversation().await.artifacts().has(&kind), result)
        });
        let stored = stored.unwrap();
        prop_assert!(has && !result.2);
        prop_assert_eq!((stored.version, stored.json.to_value()), (1, document.clone()));
        prop_assert_eq!(serde_json::from_str::<Value>(&result.1).unwrap(), document);
    }

    /// AP10: a text answer reaches the person byte for byte, at once and piece by piece (A4.2).
    #[test]
    fn ap10_text_passes_unchanged(parts in vec(text(), 1..4)) {
        let blocks: Vec<Block> = parts.iter().map(Block::text).collect();
        let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::say(blocks.clone())]));
        let (told, messages) = in_paused_time(async {
            let world = World::new(&model, registry([])).await;
            (world.say("Go").await, world.messages().await)
        });
        prop_assert_eq!(told.content(), parts.concat());
        prop_assert_eq!(told.heard(), parts.concat());
        prop_assert_eq!(&**messages.last().unwrap().blocks, &*blocks);
    }

    /// AP11: every failure says which tool, which prerequisite or which field (A6.2, A6.3, A6.4, AE).
    #[test]
    fn ap11_failures_are_descriptive(tool in tool_name(), kinds in vec(kind_name(), 1..3), message in "[a-z]{3,20}") {
        for (error, told) in failures(&tool, &kinds, &message) {
            let result = error.to_result(&ToolCall::function("c", tool.as_str(), "{}"), 20_000);
            let json = error_of(&result.joined_text());
            prop_assert!(result.is_error);
            for part in told {
                prop_assert!(json["message"].as_str().unwrap().contains(&part), "{:?} in {}", part, json);
            }
            prop_assert_eq!(&json["kind"], &json!(error.status().as_str()));
            prop_assert_eq!(&json["tool"], &json!(tool));
            prop_assert!(!json["what_to_do"].as_str().unwrap().is_empty());
        }
    }
}
