//! The process that is killed.

use std::{path::PathBuf, sync::Arc, time::Duration};

use futures_util::StreamExt;
use nix::{sys::signal, unistd::Pid};
use tata_core::{
    About, Agent, Approval, ArtifactKind, ArtifactName, Batch, Clock, Decision, Entry, Event, Input,
    MaterialId, Message, NewArtifact, NewSession, QuestionReason, RawJson, Record, Session, SessionFilter,
    SessionId, Store, StoreError, TurnEnd, TurnOutcome,
};
use tokio_util::sync::CancellationToken;

use crate::world::{COMPANIES, Engine, LEASE, agent, lines, variable, write_line};

/// What the supervisor wants of a child.
struct Job {
    engine: Engine,
    folder: PathBuf,
    /// Finish what is open and leave.
    only_finish: bool,
    /// Leave after so many turns of each worker.
    turns: Option<u32>,
    /// The fail point at which to die, and at which passing of it.
    dies_at: Option<(String, u32)>,
    pause: Duration,
    lease: Duration,
}

/// Who works for the person of a company.
struct CompanyAgent {
    company: &'static str,
    agent: Agent,
}

/// How many sessions a child talks in at once.
pub(crate) const WORKERS: usize = 2 * COMPANIES.len();

pub(crate) fn live() {
    let Some(engine) = variable("KILL_ENGINE") else { return };
    let job = Job {
        engine: Engine::from_text(&engine),
        folder: variable("KILL_FOLDER").unwrap().into(),
        only_finish: variable("KILL_ONLY_FINISH").is_some(),
        turns: variable("KILL_TURNS").map(|text| text.parse().unwrap()),
        dies_at: variable("KILL_DIES_AT").map(|text| {
            let (point, count) = text.split_once('=').unwrap();
            (point.to_owned(), count.parse().unwrap())
        }),
        pause: Duration::from_millis(variable("KILL_PAUSE").map_or(1, |text| text.parse().unwrap())),
        lease: variable("KILL_LEASE").map_or(LEASE, |text| Duration::from_millis(text.parse().unwrap())),
    };
    // One thread: a process that is stopped is stopped everywhere, and two cores are shared with the supervisor.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(work(job));
}

async fn work(job: Job) {
    let store = job.engine.open().await;
    let effects = job.folder.join("effects");
    let agents = COMPANIES.map(|company| {
        let agent = agent(company, &store, &effects, job.pause, job.lease);
        CompanyAgent { company, agent }
    });
    if let Some((point, mut left)) = job.dies_at.clone() {
        let scenario = fail::FailScenario::setup();
        let countdown = std::sync::Mutex::new(());
        let passed = std::sync::atomic::AtomicU32::new(0);
        left = left.max(1);
        fail::cfg_callback(point, move || {
            let _one = countdown.lock();
            if passed.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1 == left {
                signal::kill(Pid::this(), signal::Signal::SIGKILL).unwrap();
            }
        })
        .unwrap();
        std::mem::forget(scenario);
    }
    finish_what_is_open(&store, &agents, &job).await;
    write_line(&job.folder.join("ready"), "ready");
    if job.only_finish {
        return;
    }
    // For each company a session of its own, and one that every child uses.
    let mut workers = Vec::new();
    for CompanyAgent { agent, .. } in &agents {
        for session in [new_session(agent.store()).await, shared_session(agent.store()).await] {
            workers.push(talk(agent, session, &job));
        }
    }
    let clerks = agents.iter().map(|one| act(one.agent.store().as_ref(), &job));
    tokio::join!(futures_util::future::join_all(workers), futures_util::future::join_all(clerks));
}

/// Decides, approves and deletes, session after session. What is acknowledged stands in a file.
async fn act(store: &dyn Store, job: &Job) {
    let mut left = job.turns;
    while left != Some(0) {
        left = left.map(|left| left - 1);
        match act_once(store, job).await {
            // It slept past its lease.
            Ok(()) | Err(StoreError::LeaseLost { .. } | StoreError::Busy { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
        tokio::time::sleep(job.pause).await;
    }
}

async fn act_once(store: &dyn Store, job: &Job) -> Result<(), StoreError> {
    let (name, at) =
        (ArtifactName { kind: ArtifactKind::new("Paper"), key: String::new() }, Clock::System.now());
    let id = store.create_session(NewSession::with("clerk", at)).await?.id;
    write_line(&job.folder.join("clerks"), &id.to_string());
    let lease = store.begin(id, job.lease).await?.lease;
    let record = |position, entry| Record { position, at, entry };
    let json = RawJson::new(format!("{{\"of\":\"{id}\"}}")).unwrap();
    let first = Batch {
        records: vec![
            record(
                1,
                Entry::UserMessage { turn: 1, message: Message::user("Please."), state: None, answers: None },
            ),
            record(2, Entry::ArtifactStored { turn: 1, name: name.clone(), version: 1 }),
        ],
        artifacts: vec![NewArtifact { name: name.clone(), version: 1, json, created_at: at }],
        ..Batch::default()
    };
    store.append(&lease, first).await?;
    let decided = Entry::Decided {
        turn: 1,
        call_id: "c1".into(),
        seal: "seal".to_owned(),
        decision: Decision::Run,
        by: "clerk".to_owned(),
        tool: "send".into(),
        about: Some(About {
            document: name.clone(),
            version: 1,
            words: "Confirm the paper.".to_owned(),
            settles: true,
        }),
        message: Some(MaterialId::new(1)),
    };
    let end = Entry::TurnFinished { turn: 1, end: TurnEnd::Answered, millis: 1, asks: None, checked: None };
    let last = Batch { records: vec![record(3, decided), record(4, end)], release: true, ..Batch::default() };
    store.append(&lease, last).await?;
    let acknowledged = |act: &str| write_line(&job.folder.join("acts"), &format!("{act} {id}"));
    acknowledged("tool.decided");
    let approval = Approval { by: "clerk".to_owned(), at: Clock::System.now(), account: None };
    store.approve_artifact(id, name, 1, approval).await?;
    acknowledged("artifact.approved");
    if fastrand::bool() {
        store.delete_session(id, "clerk".into(), Clock::System.now()).await?;
        acknowledged("session.deleted");
    }
    Ok(())
}

async fn new_session(store: &Arc<dyn Store>) -> SessionId {
    store.create_session(NewSession::with("walker", Clock::System.now())).await.unwrap().id
}

/// The session titled "shared"; the first child makes it.
async fn shared_session(store: &Arc<dyn Store>) -> SessionId {
    let filter = SessionFilter { title_contains: Some("shared".to_owned()), ..SessionFilter::default() };
    if let Some(session) = store.sessions(filter).await.unwrap().sessions.last() {
        return session.id;
    }
    let new =
        NewSession { title: Some("shared".to_owned()), ..NewSession::with("walker", Clock::System.now()) };
    store.create_session(new).await.unwrap().id
}

async fn talk(agent: &Agent, session: SessionId, job: &Job) {
    let mut turns = 0;
    while job.turns.is_none_or(|most| turns < most) {
        turns += 1;
        let text = format!("m{:016x}", fastrand::u64(..));
        turn(agent, session, Input::say(text.clone()), Some(&text), job).await;
    }
}

/// Runs a turn; the person decides rightly about what is uncertain, and says again what was not taken.
async fn turn(agent: &Agent, session: SessionId, input: Input, text: Option<&str>, job: &Job) {
    let mut input = input;
    let mut taken = text.is_none();
    loop {
        let mut events = agent.turn(session, input, CancellationToken::new());
        let (mut questions, mut waits) = (Vec::new(), false);
        while let Some(event) = events.next().await {
            match event {
                Event::TurnStarted { resumed: false, .. } => {
                    if let Some(text) = text {
                        write_line(&job.folder.join("acks"), &format!("{session} {text}"));
                    }
                }
                Event::Waiting { questions: asked } => questions = asked,
                Event::Finished(report) => {
                    waits = matches!(report.outcome, TurnOutcome::Waiting);
                    taken |= report.accepted;
                    if let TurnOutcome::Broken { error } = report.outcome {
                        write_line(&job.folder.join("broken"), &format!("{session} {error}"));
                        return;
                    }
                }
                _ => {}
            }
        }
        match (waits, text) {
            (true, _) => {}
            (false, Some(text)) if !taken => {
                input = Input::say(text);
                continue;
            }
            (false, text) => {
                if let Some(text) = text {
                    write_line(&job.folder.join("done"), &format!("{session} {text}"));
                }
                return;
            }
        }
        let happened = lines(&job.folder.join("effects"));
        let decisions = questions.into_iter().map(|question| {
            assert_eq!(question.reason, QuestionReason::Uncertain);
            let line = format!("{} {}", question.tool, question.call_id);
            write_line(&job.folder.join("decided"), &line);
            question.decide(if happened.contains(&line) { Decision::Done } else { Decision::Run })
        });
        input = Input::Decide { decisions: decisions.collect(), by: "a person".to_owned() };
    }
}

/// A clerk's turn that was killed in the middle ends here; nothing was asked of a model in it.
async fn finish_clerk(store: &dyn Store, session: &Session, job: &Job) {
    // Another process may be faster, or the clerk may have deleted it.
    let Ok(begun) = store.begin(session.id, job.lease).await else { return };
    let entry =
        Entry::TurnFinished { turn: 1, end: TurnEnd::Cancelled, millis: 1, asks: None, checked: None };
    let records = if begun.session.open_turn {
        vec![Record { position: begun.session.last_position + 1, at: Clock::System.now(), entry }]
    } else {
        Vec::new()
    };
    drop(store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await);
}

/// What any process does at its start: interrupted turns are finished. Those whose lease still runs come later.
async fn finish_what_is_open(store: &Arc<dyn Store>, agents: &[CompanyAgent], job: &Job) {
    loop {
        for session in store.interrupted().await.unwrap() {
            let owner = agents.iter().find(|one| session.tenant_id.as_deref() == Some(one.company));
            let agent = &owner.expect("every session has an owner").agent;
            if session.agent == "clerk" {
                finish_clerk(agent.store().as_ref(), &session, job).await;
                continue;
            }
            turn(agent, session.id, Input::Resume, None, job).await;
        }
        let open = store.sessions(SessionFilter::default()).await.unwrap().sessions;
        if !job.only_finish || !open.iter().any(|session| session.open_turn) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
