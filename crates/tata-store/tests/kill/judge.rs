//! Reads what is left after the killing, and holds it against the promise.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
};

use tata_core::{
    Conversation, Entry, Message, Record, Role, SessionFilter, ToolResult, ToolStatus, verify_chain,
};

use crate::world::{COMPANIES, Engine, answer, lines, plan, result, store_of};

/// The sessions with an unfinished turn.
pub(crate) fn open_turns(engine: &Engine) -> Vec<String> {
    block_on(async {
        let sessions = engine.open().await.sessions(SessionFilter::default()).await.unwrap().sessions;
        sessions.iter().filter(|session| session.open_turn).map(|session| session.id.to_string()).collect()
    })
}

/// Takes note of how often each finished step has run; one that was seen finished before may not have run since.
pub(crate) fn remember_finished(engine: &Engine, folder: &Path, seen: &mut HashMap<String, u32>) {
    let journals = block_on(journals(engine));
    let runs = counted(&lines(&folder.join("effects")));
    for record in journals.values().flat_map(|journal| &journal.records) {
        let Entry::ToolFinished { result, .. } = &record.entry else { continue };
        let line = format!("{} {}", result.name, result.call_id);
        let times = runs.get(&line).copied().unwrap_or(0);
        assert_eq!(*seen.entry(line.clone()).or_insert(times), times, "{line}: finished, and run again");
    }
}

/// Checks every promise; panics at the first that is broken.
pub(crate) fn judge(engine: &Engine, folder: &Path) -> String {
    let journals = block_on(journals(engine));
    let runs = counted(&lines(&folder.join("effects")));
    let decided: HashSet<String> = lines(&folder.join("decided")).into_iter().collect();
    let (mut turns, mut steps, mut uncertain) = (0, 0, 0);
    let mut sessions_of: BTreeMap<&str, u32> = BTreeMap::new();
    for (session, journal) in &journals {
        check_order(session, &journal.records);
        assert!(!journal.open, "{session}: a turn is stuck");
        let conversation = Conversation::fold("", &journal.records);
        assert_eq!(conversation.open_turn(), None, "{session}: a turn is stuck");
        turns += check_messages(conversation.messages(), &journal.records);
        for record in &journal.records {
            let Entry::ToolFinished { result, status, .. } = &record.entry else { continue };
            steps += 1;
            let line = format!("{} {}", result.name, result.call_id);
            let times = runs.get(&line).copied().unwrap_or(0);
            match status {
                ToolStatus::TakenAsDone => assert_eq!(times, 1, "{line}: taken as done, so it ran once"),
                _ if result.name == "send" => {
                    assert_eq!(times, 1, "{line}: what changes the world ran {times} times");
                }
                _ => assert!(times >= 1, "{line}: finished, but it never ran"),
            }
            uncertain += usize::from(decided.contains(&line));
        }
        *sessions_of.entry(&journal.company).or_default() += 1;
        for company in &journal.companies_in_documents {
            assert_eq!(company, &journal.company, "{session}: a document of another company");
        }
        let notes = journal.records.iter().filter(
            |record| matches!(&record.entry, Entry::ToolFinished { result, .. } if result.name == "note"),
        );
        assert_eq!(
            journal.companies_in_documents.len(),
            notes.count(),
            "{session}: one document for each finished note"
        );
    }
    assert_eq!(sessions_of.len(), COMPANIES.len(), "every company has sessions");
    for line in lines(&folder.join("ran-for")) {
        let (session, company) = line.split_once(' ').unwrap();
        assert_eq!(journals[session].company, company, "{session}: a step ran for another company");
    }
    // Whatever was acknowledged is in a journal, once, in the session it was said in.
    let mut said: HashMap<String, u32> = HashMap::new();
    for (session, journal) in &journals {
        for record in &journal.records {
            if let Entry::UserMessage { message, .. } = &record.entry {
                *said.entry(format!("{session} {}", message.joined_text())).or_default() += 1;
            }
        }
    }
    let acks = lines(&folder.join("acks"));
    for ack in &acks {
        assert_eq!(said.get(ack), Some(&1), "{ack}: acknowledged, and lost or doubled");
    }
    for done in lines(&folder.join("done")) {
        assert_eq!(said.get(&done), Some(&1), "{done}: answered, and not in the journal once");
    }
    assert!(turns > 0 && steps > 0 && !acks.is_empty(), "nothing was tried");
    let audited = block_on(check_acts(engine, folder));
    format!(
        "{} acknowledged, 0 lost; {turns} turns, 0 stuck; {steps} finished steps, 0 repeated; {uncertain} uncertain \
         and decided; {audited}",
        acks.len()
    )
}

/// Every approval, deletion and decision has its audit entry, once, and every entry its act.
async fn check_acts(engine: &Engine, folder: &Path) -> String {
    let store = engine.open().await;
    let trail = store.audit_trail().await.unwrap();
    assert_eq!(verify_chain(&trail), Ok(()), "the chain holds");
    let told = |action: &str, subject: &str| {
        trail.iter().filter(|entry| entry.action == action && entry.subject == subject).count()
    };
    let sessions = store.sessions(SessionFilter::default()).await.unwrap().sessions;
    let alive: HashSet<String> = sessions.iter().map(|session| session.id.to_string()).collect();
    let (mut decisions, mut approvals, mut deletions) = (0, 0, 0);
    for session in &sessions {
        let id = session.id.to_string();
        let records = store.records(session.id, 0).await.unwrap();
        let decided = records.iter().filter(|record| matches!(record.entry, Entry::Decided { .. })).count();
        assert_eq!(told("tool.decided", &id), decided, "{id}: decisions and their entries");
        let artifacts = store.artifacts(session.id).await.unwrap();
        let approved = artifacts.iter().filter(|one| one.approval.is_some()).count();
        assert_eq!(told("artifact.approved", &id), approved, "{id}: approvals and their entries");
        assert_eq!(told("session.deleted", &id), 0, "{id}: said to be deleted, and still there");
        (decisions, approvals) = (decisions + decided, approvals + approved);
    }
    for id in lines(&folder.join("clerks")).iter().filter(|id| !alive.contains(*id)) {
        assert_eq!(told("session.deleted", id), 1, "{id}: deleted, and told once");
        // It was decided about and approved before, and that stays known.
        assert_eq!((told("tool.decided", id), told("artifact.approved", id)), (1, 1), "{id}");
        (decisions, approvals, deletions) = (decisions + 1, approvals + 1, deletions + 1);
    }
    for act in lines(&folder.join("acts")) {
        let (action, id) = act.split_once(' ').unwrap();
        assert_eq!(told(action, id), 1, "{act}: acknowledged, and its entry is lost or doubled");
        assert!(action != "session.deleted" || !alive.contains(id), "{act}: it is still there");
    }
    assert_eq!(store.verify().await.unwrap().damages, [], "the database is whole");
    assert!(
        decisions > 0 && approvals > 0 && deletions > 0,
        "{decisions} decisions, {approvals} approvals, {deletions} deletions: too little was tried"
    );
    format!("{decisions} decisions, {approvals} approvals, {deletions} deletions, 0 audit entries missing")
}

struct Story {
    records: Vec<Record>,
    open: bool,
    /// Whose session it is.
    company: String,
    /// For whom each of its documents was made.
    companies_in_documents: Vec<String>,
}

async fn journals(engine: &Engine) -> BTreeMap<String, Story> {
    let store = engine.open().await;
    let mut journals = BTreeMap::new();
    // What clerks leave is judged by the audit trail.
    let sessions = store.sessions(SessionFilter::default()).await.unwrap().sessions;
    for session in sessions.into_iter().filter(|session| session.agent != "clerk") {
        let records = store.records(session.id, 0).await.unwrap();
        assert_eq!(session.last_position, records.len() as u64);
        let company = session.tenant_id.clone().unwrap();
        let documents = store_of(&company, &store).artifacts(session.id).await.unwrap();
        let made_for = documents.iter().map(|document| {
            let read: serde_json::Value = serde_json::from_str(document.json.as_str()).unwrap();
            read["company"].as_str().unwrap().to_owned()
        });
        let companies_in_documents = made_for.collect();
        let kept = Story { records, open: session.open_turn, company, companies_in_documents };
        journals.insert(session.id.to_string(), kept);
    }
    journals
}

/// Positions have no gaps, turns do not mix, a call starts before it finishes and finishes once.
fn check_order(session: &str, records: &[Record]) {
    let (mut turn, mut open, mut finished) = (0, false, HashSet::new());
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record.position, at as u64 + 1, "{session}: a gap");
        match &record.entry {
            Entry::UserMessage { turn: number, .. } => {
                assert!(!open, "{session}: turn {number} began inside another");
                assert_eq!(*number, turn + 1, "{session}: a turn is missing");
                (turn, open) = (*number, true);
            }
            Entry::TurnFinished { .. } => {
                assert!(open, "{session}: a turn ended twice");
                open = false;
            }
            Entry::ToolFinished { result, .. } => {
                assert!(
                    finished.insert(result.call_id.clone()),
                    "{session}: {} finished twice",
                    result.call_id
                );
            }
            Entry::ModelReply { .. }
            | Entry::ToolStarted { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. }
            | Entry::Waiting { .. }
            | Entry::Decided { .. }
            | Entry::TurnUndone { .. } => {}
        }
        assert_eq!(record.entry.turn(), turn, "{session}: an entry of another turn");
    }
}

/// The conversation is the one that an undisturbed run gives, apart from what a person took as done.
fn check_messages(messages: &[Message], records: &[Record]) -> usize {
    let taken: HashSet<_> = records
        .iter()
        .filter_map(|record| match &record.entry {
            Entry::ToolFinished { result, status: ToolStatus::TakenAsDone, .. } => {
                Some(result.call_id.clone())
            }
            _ => None,
        })
        .collect();
    let mut turns = 0;
    let mut rest = messages.iter();
    while let Some(message) = rest.next() {
        assert_eq!(message.role, Role::User);
        let text = message.joined_text();
        turns += 1;
        for round in 0.. {
            let calls = plan(&text, round);
            let reply = rest.next().unwrap();
            if calls.is_empty() {
                assert_eq!(reply.joined_text(), answer(&text));
                break;
            }
            assert_eq!(reply.tool_calls().cloned().collect::<Vec<_>>(), calls);
            let results: Vec<&ToolResult> = rest.next().unwrap().results().collect();
            assert_eq!(results.len(), calls.len(), "every call has its result");
            for (call, found) in calls.iter().zip(results) {
                let what = call.parse_arguments().unwrap()["what"].as_str().unwrap().to_owned();
                assert_eq!(found.call_id, call.call_id, "results stand in call order");
                if !taken.contains(&call.call_id) && call.name != "note" {
                    assert_eq!(found.joined_text(), result(&call.name, &what));
                }
            }
        }
    }
    turns
}

fn counted(lines: &[String]) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for line in lines {
        *counts.entry(line.clone()).or_default() += 1;
    }
    counts
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
