//! When a model fails: the next one, one more try, or a plain sentence (pains 13, 14; A6.1, D8, D9).

use std::{sync::Arc, time::Duration};

use tata_core::{Event, Message, ModelChoice, ModelErrorKind, Phase, TurnEnd, estimate_tokens};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::support::{Told, World, check_requests, choice, registry, tools};

const ANSWER: &str = "One two three four";

fn second() -> Arc<PlannedModel> {
    Arc::new(PlannedModel::new("second").otherwise(Answer::text(ANSWER)))
}

async fn world(models: &[&Arc<PlannedModel>], runs: &Runs) -> World {
    World::new(models[0], registry(tools(runs)))
        .await
        .but(|parts| parts.models = models.iter().map(|model| choice(model)).collect())
}

/// The next model completes the turn; the listener is told to begin anew; every request has its row.
fn check_second(told: &Told, first: &PlannedModel, second: &PlannedModel) {
    assert_eq!((told.content(), told.end()), (ANSWER, &TurnEnd::Answered));
    assert_eq!((told.heard().as_str(), told.resets()), (ANSWER, 1));
    assert_eq!((first.requests().len(), second.requests().len()), (1, 1));
    assert_eq!(told.report().model.as_deref(), Some("second"));
    let rows: Vec<(&str, &str)> =
        told.report().requests.iter().map(|row| (row.model.as_str(), row.outcome.as_str())).collect();
    assert_eq!(rows.len(), 2, "the failed attempt has its own row");
    assert_eq!((rows[0].0, rows[1]), ("first", ("second", "complete")));
    assert_ne!(rows[0].1, "complete");
}

/// Before the first byte, whatever another model may do better.
#[tokio::test(start_paused = true)]
async fn a_model_that_fails_at_once_is_replaced() {
    use ModelErrorKind as Kind;
    for kind in [
        Kind::Server,
        Kind::Overloaded,
        Kind::RateLimited,
        Kind::QuotaExhausted,
        Kind::Unreachable,
        Kind::Unauthorized,
        Kind::Forbidden,
        Kind::ModelNotFound,
        Kind::NotConfigured,
        Kind::TimedOut(Phase::FirstByte),
        Kind::UnreadableResponse,
    ] {
        let first = Arc::new(PlannedModel::new("first").otherwise(Answer::fails(kind)));
        let second = second();
        let world = world(&[&first, &second], &Runs::default()).await;
        let told = world.say("Go").await;
        check_second(&told, &first, &second);
        assert_eq!(world.usage().await.len(), 2, "{kind:?}");
    }
}

/// Cut at each piece of text, in either round: the next model completes, no tool runs twice (pain 13).
#[tokio::test(start_paused = true)]
async fn a_model_cut_anywhere_is_replaced_and_no_tool_runs_twice() {
    let pieces: Vec<&str> = ANSWER.split_inclusive(' ').collect();
    for cut in 0..=pieces.len() {
        for round in [1, 2] {
            let runs = Runs::default();
            let calls = Answer::calls(&[("a", "send_invite", r#"{"what":"x"}"#)]);
            let broken = Answer::breaks_off(&pieces[..cut].concat(), ModelErrorKind::StreamTruncated);
            let plan = vec![calls, Answer::text(ANSWER)];
            let first = Arc::new(PlannedModel::new("first").on("Go", plan.clone()).disturbed(round, broken));
            let second = Arc::new(PlannedModel::new("second").on("Go", plan));
            let world = world(&[&first, &second], &runs).await;
            let told = world.say("Go").await;
            assert_eq!((told.content(), told.end()), (ANSWER, &TurnEnd::Answered));
            assert_eq!((told.heard().as_str(), told.resets()), (ANSWER, 1), "cut {cut} in round {round}");
            assert_eq!(runs.of("a"), 1, "cut {cut} in round {round}");
            assert_eq!(world.usage().await.len(), 3);
            check_requests(&first);
            check_requests(&second);
            let texts: Vec<String> =
                world.messages().await.iter().skip(2).map(Message::joined_text).collect();
            assert_eq!(texts.concat(), ANSWER, "the broken words are no part of the conversation");
        }
    }
}

/// What is wrong with the request stays wrong with another model.
#[tokio::test(start_paused = true)]
async fn a_refused_request_is_not_sent_to_another_model() {
    for kind in
        [ModelErrorKind::InvalidRequest, ModelErrorKind::ContentBlocked, ModelErrorKind::PolicyViolation]
    {
        let first = Arc::new(PlannedModel::new("first").otherwise(Answer::fails(kind)));
        let second = second();
        let told = world(&[&first, &second], &Runs::default()).await.say("Go").await;
        assert!(
            matches!(told.end(), TurnEnd::Failed { error, .. } if error == kind.as_str()),
            "{:?}",
            told.end()
        );
        assert_eq!((first.requests().len(), second.requests().len(), told.resets()), (1, 0, 0));
    }
}

/// A model that asked for a pause gets it: the next turn of the same agent begins with the other (pain 14).
#[tokio::test(start_paused = true)]
async fn a_model_that_asked_for_a_pause_rests() {
    let limited = Answer::fails_for(ModelErrorKind::RateLimited, Duration::from_secs(100));
    let first =
        Arc::new(PlannedModel::new("first").otherwise(Answer::text("I am back.")).disturbed(1, limited));
    let second = second();
    let world = world(&[&first, &second], &Runs::default()).await;
    let agent = world.agent();
    let say = async |text: &str| {
        let stream = agent.turn(
            world.session,
            tata_core::Input::say(text),
            tokio_util::sync::CancellationToken::new(),
        );
        crate::support::told(stream).await
    };
    check_second(&say("Go").await, &first, &second);
    tokio::time::sleep(Duration::from_secs(98)).await;
    assert_eq!(say("Still?").await.content(), ANSWER);
    assert_eq!((first.requests().len(), second.requests().len()), (1, 2), "it rests");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(say("Now?").await.content(), "I am back.");
}

/// A pause longer than any clock can count is no reason to fall over.
#[tokio::test(start_paused = true)]
async fn an_absurd_pause_is_survived() {
    for pause in [Duration::MAX, Duration::from_secs(u64::MAX / 2)] {
        let limited = Answer::fails_for(ModelErrorKind::RateLimited, pause);
        let first = Arc::new(PlannedModel::new("first").otherwise(limited));
        let second = second();
        let told = world(&[&first, &second], &Runs::default()).await.say("Go").await;
        check_second(&told, &first, &second);
    }
}

/// Alone and broken off in the middle, a model is asked once more, and only once (pain 14).
#[tokio::test(start_paused = true)]
async fn alone_and_broken_off_a_model_is_asked_once_more() {
    let broken = || Answer::breaks_off("One two ", ModelErrorKind::StreamTruncated);
    let only = Arc::new(PlannedModel::new("only").otherwise(Answer::text(ANSWER)).disturbed(1, broken()));
    let told = world(&[&only], &Runs::default()).await.say("Go").await;
    assert_eq!((told.content(), told.heard().as_str(), told.resets()), (ANSWER, ANSWER, 1));
    let only = Arc::new(PlannedModel::new("only").otherwise(broken()));
    let told = world(&[&only], &Runs::default()).await.say("Go").await;
    assert_eq!((only.requests().len(), told.content()), (2, "One two "), "what had arrived is kept");
    assert!(matches!(told.end(), TurnEnd::Failed { .. }));
}

/// A listener that cannot take back what it showed gets no second attempt, but what had arrived.
#[tokio::test(start_paused = true)]
async fn a_listener_that_cannot_take_back_gets_no_second_attempt() {
    let broken = Answer::breaks_off("One two ", ModelErrorKind::StreamTruncated);
    for answer in [broken, Answer::breaks_off("", ModelErrorKind::StreamTruncated)] {
        let first = Arc::new(PlannedModel::new("first").otherwise(answer));
        let second = second();
        let told = world(&[&first, &second], &Runs::default())
            .await
            .but(|parts| parts.can_reset = false)
            .say("Go")
            .await;
        let shown = told.heard() == "One two ";
        assert_eq!(second.requests().len(), usize::from(!shown), "{}", told.heard());
    }
}

/// A stream that ends without a reply is a failure, and what it had said is not lost.
#[tokio::test(start_paused = true)]
async fn a_stream_that_just_ends_is_broken_off() {
    let only = Arc::new(PlannedModel::new("only").otherwise(Answer::ends_abruptly("One two ")));
    let told = world(&[&only], &Runs::default()).await.say("Go").await;
    assert!(matches!(told.end(), TurnEnd::Failed { .. }));
    assert_eq!(told.content(), "One two ", "what had arrived is kept");
}

/// Used-up credit is never asked again (pain 14).
#[tokio::test(start_paused = true)]
async fn used_up_credit_is_not_asked_again() {
    for answer in [
        Answer::fails(ModelErrorKind::QuotaExhausted),
        Answer::breaks_off("One ", ModelErrorKind::QuotaExhausted),
    ] {
        let only = Arc::new(PlannedModel::new("only").otherwise(answer));
        let told = world(&[&only], &Runs::default()).await.say("Go").await;
        assert_eq!(only.requests().len(), 1);
        assert!(matches!(told.end(), TurnEnd::Failed { error, .. } if error == "quota"));
    }
}

/// All fail: a plain sentence without technical words, the details beside it (A6.1).
#[tokio::test(start_paused = true)]
async fn when_all_fail_the_person_reads_a_plain_sentence() {
    let first = Arc::new(PlannedModel::new("first").otherwise(Answer::fails(ModelErrorKind::Unauthorized)));
    let other = Arc::new(PlannedModel::new("other").otherwise(Answer::fails(ModelErrorKind::Server)));
    let world = world(&[&first, &other], &Runs::default()).await;
    let told = world.say("Go").await;
    let report = told.report();
    assert!(matches!(told.end(), TurnEnd::Failed { error, .. } if error == "server"), "{:?}", told.end());
    let sentence = report.error.clone().unwrap();
    for technical in ["HTTP", "500", "10.0.0.1", "server_error", "stream", "JSON", "{", "_"] {
        assert!(!sentence.contains(technical), "{sentence}");
    }
    assert!(report.failure.as_ref().unwrap().to_string().contains("10.0.0.1"), "the details are there");
    assert_eq!(told.resets(), 1);
    assert!(!world.row().await.open_turn, "the turn is over");
    assert_eq!((world.usage().await.len(), report.cost), (2, None), "unknown cost stays unknown");
}

/// Without a model there is a plain sentence, too.
#[tokio::test(start_paused = true)]
async fn without_a_model_the_turn_ends_in_words() {
    let told = world(&[&second()], &Runs::default()).await.but(|parts| parts.models.clear()).say("Go").await;
    assert!(matches!(told.end(), TurnEnd::Failed { error, .. } if error == "not_configured"));
}

/// A request that the provider finds too long is built smaller and sent again (pain 15).
#[tokio::test(start_paused = true)]
async fn too_long_a_request_is_squeezed() {
    let too_long = || Answer::fails(ModelErrorKind::ContextTooLong);
    let only = Arc::new(PlannedModel::new("only").otherwise(Answer::text(ANSWER).uncounted()));
    let only = Arc::new(Arc::into_inner(only).unwrap().disturbed(21, too_long()).disturbed(22, too_long()));
    let world = world(&[&only], &Runs::default()).await.but(|parts| {
        parts.models = vec![ModelChoice { context_window: Some(40_000), ..choice(&only) }];
    });
    for at in 0..20 {
        world.say(&format!("{at} {}", "word ".repeat(1_000))).await;
    }
    let told = world.say("Last").await;
    assert_eq!((told.content(), told.resets()), (ANSWER, 2));
    let requests = only.requests();
    let sizes: Vec<u64> =
        requests[20..].iter().map(|request| request.messages.iter().map(estimate_tokens).sum()).collect();
    assert!(sizes.len() == 3 && sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
    check_requests(&only);
    assert!(told.count(|event| matches!(event, Event::HistoryCut { .. })) >= 1);
}

/// With no window known, a request that was too long must shrink all the same.
#[tokio::test(start_paused = true)]
async fn too_long_a_request_is_squeezed_without_a_known_window() {
    let too_long = || Answer::fails(ModelErrorKind::ContextTooLong);
    let only = Arc::new(
        PlannedModel::new("only").otherwise(Answer::text(ANSWER).uncounted()).disturbed(11, too_long()),
    );
    let world = world(&[&only], &Runs::default()).await;
    for at in 0..10 {
        world.say(&format!("{at} {}", "word ".repeat(1_000))).await;
    }
    world.say("Last").await;
    let requests = only.requests();
    let sizes: Vec<u64> =
        requests[10..].iter().map(|request| request.messages.iter().map(estimate_tokens).sum()).collect();
    assert!(sizes.len() >= 2 && sizes.windows(2).all(|pair| pair[1] < pair[0]), "{sizes:?}");
}
