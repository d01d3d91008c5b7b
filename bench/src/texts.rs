//! What long texts cost, and long conversations: the time for a character must not grow with the text, nor that for a turn
//! with the turns before it.

use std::sync::Arc;

use futures_util::StreamExt;
use jiff::Timestamp;
use tata_core::{
    Agent, AgentParts, Budget, Clock, Event, Input, Limits, ModelChoice, NewSession, SessionId, Store,
    ToolRegistry,
};
use tata_recruit::{
    DiReviewInput, Guided, JobAdReviewInput, Project, create_di_review, create_job_ad_review,
};
use tata_store::{MemoryStore, SqliteStore};
use tokio_util::sync::CancellationToken;

use crate::{
    disk::Folder,
    measure::{cpu_seconds, resident_bytes},
    run,
};

/// Characters.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// An ad as people write it, one without a single full stop, and notes in points.
const TEXTS: [(&str, &str); 4] = [
    ("ad", include_str!("../../crates/tata-recruit/tests/ads/en-1.md")),
    ("German ad", include_str!("../../crates/tata-recruit/tests/ads/de-1.md")),
    (
        "one line",
        "We need a network engineer in Oslo with BGP and Linux, she will lead the young dynamic team and write Python, ",
    ),
    ("notes", "* Five years of BGP and Linux\n* must have: Python, Ansible\nTeam of 8 people in Malmo\n"),
];
/// Turns before the one that is measured.
const TURNS: [usize; 3] = [10, 100, 800];
const FIRST: [&str; 5] = [
    "Profile for a network engineer in Oslo with BGP, Linux, Python and Norwegian, team of 8",
    "Yes, that is right",
    "Add to the tasks: operate the core network",
    "Add to the tasks: plan new fibre routes",
    "Add to the tasks: help customers with incidents",
];
const THEN: [&str; 6] = [
    "Replace Python with Ansible",
    "Write the job ad",
    "Check the ad for inclusive language",
    "Make the TA screening template",
    "thanks",
    "Replace Ansible with Python",
];

/// Measures and prints.
pub(crate) fn report() {
    println!(
        "CPU milliseconds at {SIZES:?} characters, and the time for a character at the last beside the first"
    );
    for (name, text) in TEXTS {
        each(name, "guided turn", text, |text| run(answer(text)));
        each(name, "inclusion review", text, |text| {
            let input = DiReviewInput { job_ad_text: Some(text), ..DiReviewInput::default() };
            create_di_review(input, &Project::default(), Timestamp::UNIX_EPOCH).expect("a review");
        });
        each(name, "job-ad review", text, |text| {
            let input = JobAdReviewInput { job_ad_text: Some(text), ..JobAdReviewInput::default() };
            create_job_ad_review(input, &Project::default(), Timestamp::UNIX_EPOCH).expect("a review");
        });
    }
    println!("the process has {} MB now", resident_bytes().0 / 1_000_000);
    run(conversations());
}

fn each(name: &str, what: &str, text: &str, work: impl Fn(String)) {
    let times = SIZES.map(|size| {
        let text: String = text.chars().cycle().take(size).collect();
        let rounds = (SIZES[2] / size).min(10);
        let times = (0..3).map(|_| {
            let start = cpu_seconds();
            (0..rounds).for_each(|_| work(text.clone()));
            (cpu_seconds() - start) / rounds as f64
        });
        times.fold(f64::INFINITY, f64::min)
    });
    let grows = times[2] / times[0] * SIZES[0] as f64 / SIZES[2] as f64;
    let [least, middle, most] = times.map(|time| time * 1e3);
    println!("  {name:<10} {what:<17} {least:>9.2} {middle:>9.2} {most:>9.2}   {grows:.2}");
}

fn agent(store: Arc<dyn Store>) -> Agent {
    let budget = Budget { max_messages: usize::MAX, max_tokens: None };
    let model = ModelChoice::new(Arc::new(Guided::new(Clock::System)));
    Agent::new(AgentParts {
        tools: ToolRegistry::new(tata_recruit::tools().unwrap()).unwrap(),
        limits: Limits { budget, tool_characters: usize::MAX, ..Limits::default() },
        ..AgentParts::new("tata", vec![model], store)
    })
}

async fn begin(agent: &Agent) -> SessionId {
    agent.store().create_session(NewSession::with("tata", Clock::System.now())).await.unwrap().id
}

async fn say(agent: &Agent, session: SessionId, text: &str) {
    let mut events = agent.turn(session, Input::say(text), CancellationToken::new());
    while let Some(event) = events.next().await {
        if let Event::Finished(report) = event {
            assert!(report.outcome.is_answered(), "{:?}", report.error);
        }
    }
}

/// One message to an agent with all its tools.
async fn answer(text: String) {
    let agent = agent(Arc::new(MemoryStore::default()));
    let session = begin(&agent).await;
    say(&agent, session, &text).await;
}

/// What one more round of turns costs, and the disk.
async fn conversations() {
    println!("guided conversations: CPU milliseconds for a turn after so many, and the size of the database");
    for before in TURNS {
        let folder = Folder::on_disk();
        let path = folder.join("texts.db");
        let agent = agent(Arc::new(SqliteStore::open(&path).await.unwrap()));
        let session = begin(&agent).await;
        let all = FIRST.into_iter().chain(THEN.into_iter().cycle());
        for text in all.clone().take(before) {
            say(&agent, session, text).await;
        }
        let start = cpu_seconds();
        for text in all.skip(before).take(THEN.len()) {
            say(&agent, session, text).await;
        }
        let each = (cpu_seconds() - start) / THEN.len() as f64;
        agent.store().settle().await.unwrap();
        let bytes: u64 = ["texts.db", "texts.db-wal"]
            .iter()
            .filter_map(|name| std::fs::metadata(folder.join(name)).ok())
            .map(|file| file.len())
            .sum();
        println!("  {before:>4} turns: {:.2} ms, {} KB", each * 1e3, bytes / 1024);
    }
}
