//! When the store fails, or somebody else is at work (pain 17, ADR 6).

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use tata_core::{Decision, Entry, Event, Input, Record, Role, TurnEnd};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::{
    shaky::{ShakyStore, Trouble},
    support::{World, check_requests, choice, registry, told, tools},
};

const X: &str = r#"{"what":"x"}"#;

fn model() -> Arc<PlannedModel> {
    let calls = [("a", "look_up", X), ("b", "write_profile", X), ("c", "send_invite", X)];
    Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]))
}

/// Whichever write fails, and however: the turn says so in plain words, what was acknowledged is there, nobody is
/// locked out, and the turn can be resumed to the same end.
#[tokio::test(start_paused = true)]
async fn any_failing_write_breaks_the_turn_and_loses_nothing() {
    for trouble in
        [Trouble::Unavailable, Trouble::LeaseLost, Trouble::NotWritable, Trouble::DoneButUnavailable]
    {
        let mut at = 0;
        loop {
            at += 1;
            let (runs, model) = (Runs::default(), model());
            let store = ShakyStore::failing(at, trouble);
            let world = World::with(store.clone(), vec![choice(&model)], registry(tools(&runs))).await;
            let told = world.say("Go").await;
            if told.broken().is_none() {
                assert!(at > 5, "the turn has several writes");
                break;
            }
            assert_eq!(told.broken(), Some(trouble.name()), "write {at}");
            let sentence = told.report().error.clone().unwrap();
            assert!(!sentence.contains("10.0.0.1") && !sentence.contains("cable"), "{sentence}");
            let acknowledged = told.count(|event| matches!(event, Event::TurnStarted { .. })) > 0;
            let records = world.records().await;
            let heard = told.count(|event| matches!(event, Event::TextDelta { .. }));
            assert!(heard == 0 || acknowledged, "nothing is said to somebody who was not heard");
            assert!(!acknowledged || !records.is_empty(), "an acknowledged message is never lost");
            for event in &told.0 {
                if let Event::ToolFinished(end) = event {
                    let call_id = &end.call_id;
                    let stored = records.iter().any(|record| matches!(&record.entry, Entry::ToolFinished { result, .. } if result.call_id == *call_id));
                    assert!(stored, "{call_id} was told as finished");
                }
            }
            if records.is_empty() {
                continue;
            }
            // Where the lease is lost its new owner ends by itself; here it only has to run out.
            tokio::time::sleep(Duration::from_secs(31)).await;
            let mut told = world.run(Input::Resume).await;
            if told.waits() {
                let decision = if runs.of("c") > 0 { Decision::Done } else { Decision::Run };
                told = world.decide(vec![("c".into(), decision)]).await;
            }
            assert_eq!(
                (told.content(), told.end()),
                ("Done.", &TurnEnd::Answered),
                "{trouble:?} at write {at}"
            );
            assert_eq!((runs.of("c"), world.artifact_count().await), (1, 1), "{trouble:?} at write {at}");
            check_requests(&model);
        }
    }
}

/// After a failed write the session is free at once: nobody waits for a lease to run out.
#[tokio::test(start_paused = true)]
async fn a_broken_turn_frees_the_session() {
    let model = model();
    let world = World::with(
        ShakyStore::failing(2, Trouble::Unavailable),
        vec![choice(&model)],
        registry(tools(&Runs::default())),
    )
    .await;
    assert!(world.say("Go").await.broken().is_some());
    let world = world.but(|parts| parts.limits.patience = Duration::ZERO);
    assert_eq!(world.run(Input::Resume).await.broken(), None);
}

/// A lease that is lost while a tool runs or a model thinks stops the turn; a database that is away for a moment does
/// not, but one that is away for longer than the lease lasts does: another process may have taken over.
#[tokio::test(start_paused = true)]
async fn a_lost_lease_stops_the_turn_and_a_moment_without_database_does_not() {
    for (trouble, seconds, broken) in [
        (Trouble::LeaseLost, 50, Some("lease_lost")),
        (Trouble::Unavailable, 25, None),
        (Trouble::Unavailable, 50, Some("store_unavailable")),
    ] {
        let slow = |answer: Answer| answer.after(Duration::from_secs(seconds));
        let plan = [slow(Answer::calls(&[("a", "look_up", X)])), slow(Answer::text("Done."))];
        let model = Arc::new(PlannedModel::new("m").on("Go", plan));
        let world = World::with(
            ShakyStore::failing_renewals(trouble),
            vec![choice(&model)],
            registry(tools(&Runs::default())),
        )
        .await;
        assert_eq!(world.say("Go").await.broken(), broken);
    }
}

/// A turn longer than its lease keeps the session: nobody gets in between.
#[tokio::test(start_paused = true)]
async fn a_long_turn_keeps_its_lease() {
    let model =
        Arc::new(PlannedModel::new("m").on("Go", [Answer::text("Done.").after(Duration::from_mins(5))]));
    let world = World::new(&model, registry([])).await;
    let intruder = async {
        for _ in 0..25 {
            tokio::time::sleep(Duration::from_secs(10)).await;
            assert!(
                world.store.begin(world.session, Duration::from_secs(30)).await.is_err(),
                "somebody got in"
            );
        }
    };
    let (told, ()) = tokio::join!(told(world.turn(Input::say("Go"))), intruder);
    assert_eq!(told.content(), "Done.");
}

/// Turns at the same time on one session wait for each other: none is lost, none interleaves (pain 17).
#[tokio::test(start_paused = true)]
async fn turns_at_the_same_time_take_turns() {
    const TURNS: usize = 12;
    let mut planned = PlannedModel::new("m");
    for at in 0..TURNS {
        let (id, arguments) = (format!("c{at}"), format!(r#"{{"what":"{at}"}}"#));
        let plan = [
            Answer::calls(&[(id.as_str(), "look_up", arguments.as_str())]).after(Duration::from_secs(1)),
            Answer::text(&format!("Answer {at}")),
        ];
        planned = planned.on(&format!("Question {at}"), plan);
    }
    let model = Arc::new(planned);
    for store in [Arc::new(MemoryStore::new()) as Arc<dyn tata_core::Store>, ShakyStore::new()] {
        let world = World::with(store, vec![choice(&model)], registry(tools(&Runs::default()))).await;
        let all = (0..TURNS).map(|at| {
            let world = world.clone();
            async move { (at, world.say(&format!("Question {at}")).await) }
        });
        let all = futures_util::future::join_all(all).await;
        let numbers: BTreeSet<u32> = all.iter().map(|(_, told)| told.report().turn_number).collect();
        assert_eq!(numbers, (1..=u32::try_from(TURNS).unwrap()).collect());
        for (at, told) in &all {
            assert_eq!(told.content(), format!("Answer {at}"));
        }
        let turns: Vec<u32> = world.records().await.iter().map(|record| record.entry.turn()).collect();
        assert!(turns.is_sorted(), "no turn in another: {turns:?}");
        let asked = world.messages().await.iter().filter(|message| message.role == Role::User).count();
        assert_eq!((asked, world.row().await.turn_count), (TURNS, u32::try_from(TURNS).unwrap()));
    }
}

/// Patience has an end, and it is told in words; the message was not taken.
#[tokio::test(start_paused = true)]
async fn a_busy_session_is_told_in_words() {
    let model = model();
    let world =
        World::new(&model, registry([])).await.but(|parts| parts.limits.patience = Duration::from_secs(5));
    world.store.begin(world.session, Duration::from_mins(10)).await.unwrap();
    let told = world.say("Go").await;
    assert_eq!(told.broken(), Some("busy"));
    assert!(told.report().error.is_some() && !told.report().accepted, "{told:?}");
    let waits = told.count(|event| matches!(event, Event::Warning { code: "busy", .. }));
    assert_eq!((waits, told.0.len()), (1, 2), "told once that it waits, and then the end");
    assert!(world.records().await.is_empty());
}

/// A result and the documents it tells of are one write (A3.6).
#[tokio::test(start_paused = true)]
async fn a_document_and_its_result_are_one_write() {
    let (store, model) = (ShakyStore::new(), model());
    let world = World::with(store.clone(), vec![choice(&model)], registry(tools(&Runs::default()))).await;
    world.say("Go").await;
    let batches = store.batches();
    let with: Vec<_> = batches.iter().filter(|batch| !batch.artifacts.is_empty()).collect();
    assert_eq!(with.len(), 1);
    let finished = |record: &Record, call: &str| matches!(&record.entry, Entry::ToolFinished { result, .. } if result.call_id.as_str() == call);
    assert!(with[0].records.iter().any(|record| finished(record, "b")), "{with:#?}");
}
