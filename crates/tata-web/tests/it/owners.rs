//! Work that runs without a request belongs to the person whose session it is.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tata_core::{
    Account, AccountRole, AgentParts, Batch, Clock, Entry, Message, ModelChoice, NewSession, Record,
    SessionChange, SessionId, Store, ToolRegistry,
};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};
use tata_web::{AgentFuture, AgentMaker, CompanyServices, ServerOptions, Services};

use crate::support::{World, local, services};

/// Each company's agent has a model of its own, so that it shows who was asked.
type Models = Arc<BTreeMap<&'static str, Arc<PlannedModel>>>;

/// What the server itself would ask: nobody's, where people sign in.
const OF_NO_COMPANY: &str = "of no company";

fn models() -> Models {
    let model = |name: &'static str| {
        (
            name,
            Arc::new(PlannedModel::new("planned").otherwise(Answer::text(&format!("I answer for {name}")))),
        )
    };
    Arc::new([model("acme"), model("acme holding"), model(OF_NO_COMPANY)].into())
}

fn maker(models: &Models, company: &str, store: &Arc<dyn Store>) -> AgentMaker {
    let (model, store) = (Arc::clone(&models[company]), Arc::clone(store));
    Arc::new(move |name, _| -> AgentFuture {
        let parts =
            AgentParts::new(name, vec![ModelChoice::new(Arc::clone(&model) as _)], Arc::clone(&store));
        Box::pin(async move { Ok(parts) })
    })
}

fn server_of_companies(models: &Models, store: &Arc<dyn Store>) -> Services {
    let plain = services(store, &models[OF_NO_COMPANY]);
    let (models, agents_store) = (Arc::clone(models), Arc::clone(store));
    Services {
        accounts: true,
        company: Some(Arc::new(move |company: &str| {
            let parts = maker(&models, company, &agents_store);
            Ok(CompanyServices { tools: ToolRegistry::default(), parts, collection: None })
        })),
        ..plain
    }
}

async fn account(store: &Arc<dyn Store>, company: &str, disabled: bool) -> Account {
    let account = Account {
        disabled,
        ..Account::new(
            company.to_owned(),
            format!("{company} {disabled}"),
            AccountRole::Recruiter,
            "-".to_owned(),
            Clock::System.now(),
        )
    };
    store.save_account(account.clone()).await.unwrap();
    account
}

/// A session of somebody whose process died after they had asked something.
async fn interrupted(store: &Arc<dyn Store>, tenant: Option<&str>, user: Option<&str>) -> SessionId {
    let now = Clock::System.now();
    let new = NewSession {
        tenant_id: tenant.map(str::to_owned),
        user_id: user.map(str::to_owned),
        ..NewSession::with("docs", now)
    };
    let session = store.create_session(new).await.unwrap();
    let begun = store.begin(session.id, Duration::from_millis(1)).await.unwrap();
    let entry = Entry::UserMessage {
        turn: 1,
        message: Message::user("What does the director earn?"),
        state: None,
        answers: None,
    };
    let records = vec![Record { position: 1, at: now, entry }];
    store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await.unwrap();
    session.id
}

fn looks_often() -> ServerOptions {
    ServerOptions { recover_every: Duration::from_millis(20), ..local() }
}

async fn is_open(store: &Arc<dyn Store>, id: SessionId) -> bool {
    store.session(id).await.unwrap().unwrap().open_turn
}

async fn ended(store: &Arc<dyn Store>, id: SessionId) {
    for _ in 0..500 {
        if !is_open(store, id).await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the turn was not taken over");
}

/// After a restart the turn of a company was answered with the agent of no company, over the documents of another one.
#[tokio::test]
async fn a_turn_that_is_taken_over_is_answered_by_the_agent_of_its_company() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let models = models();
    let mut sessions = Vec::new();
    for company in ["acme", "acme holding"] {
        let account = account(&store, company, false).await;
        sessions.push((company, interrupted(&store, Some(company), Some(&account.id)).await));
    }
    let _world = World::serving(server_of_companies(&models, &store), looks_often()).await;
    for (company, session) in sessions {
        ended(&store, session).await;
        let records = store.records(session, 0).await.unwrap();
        let written = format!("{records:?}");
        assert!(written.contains(&format!("I answer for {company}\"")), "{company}: {written}");
        assert_eq!(models[company].requests().len(), 1, "{company}");
    }
    assert!(models[OF_NO_COMPANY].requests().is_empty(), "an agent without a scope answered");
}

/// Nobody may be answered who may not ask: not an account that was disabled, moved or removed, and not a session without
/// an owner.
#[tokio::test]
async fn a_turn_of_somebody_who_may_not_sign_in_is_left() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let models = models();
    let (good, disabled) = (account(&store, "acme", false).await, account(&store, "acme", true).await);
    let left = [
        interrupted(&store, Some("acme"), Some(&disabled.id)).await,
        interrupted(&store, Some("acme holding"), Some(&good.id)).await,
        interrupted(&store, Some("acme"), Some("nobody")).await,
        interrupted(&store, None, Some(&good.id)).await,
        interrupted(&store, None, None).await,
    ];
    let taken = interrupted(&store, Some("acme"), Some(&good.id)).await;
    let _world = World::serving(server_of_companies(&models, &store), looks_often()).await;
    ended(&store, taken).await;
    for session in left {
        assert!(is_open(&store, session).await);
    }
    assert_eq!(models["acme"].requests().len(), 1);
    assert!(models[OF_NO_COMPANY].requests().is_empty() && models["acme holding"].requests().is_empty());
}

/// Where nobody signs in there is one person, and every turn is theirs.
#[tokio::test]
async fn without_accounts_every_interrupted_turn_is_taken_over() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let models = models();
    let sessions =
        [interrupted(&store, None, None).await, interrupted(&store, Some("acme"), Some("anna")).await];
    let services = Services { accounts: false, ..server_of_companies(&models, &store) };
    let _world = World::serving(services, looks_often()).await;
    for session in sessions {
        ended(&store, session).await;
        let records = store.records(session, 0).await.unwrap();
        assert!(format!("{records:?}").contains(&format!("I answer for {OF_NO_COMPANY}\"")), "{records:?}");
    }
}

/// A deletion is carried out by whichever process looks next, in the name of whose session it is, and no turn of such a
/// session is gone on with.
#[tokio::test]
async fn deletions_that_are_due_are_carried_out_for_their_owners() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let models = models();
    let (anna, gone) = (account(&store, "acme", false).await, account(&store, "acme holding", true).await);
    let wished = [
        (interrupted(&store, Some("acme"), Some(&anna.id)).await, Some(&anna)),
        (interrupted(&store, Some("acme holding"), Some(&gone.id)).await, Some(&gone)),
        (interrupted(&store, None, None).await, None),
    ];
    let later = interrupted(&store, Some("acme"), Some(&anna.id)).await;
    let now = Clock::System.now();
    let wish = |minutes: i64| SessionChange {
        delete_at: Some(Some(now + jiff::SignedDuration::from_mins(minutes))),
        ..SessionChange::default()
    };
    for (session, _) in &wished {
        store.change_session(*session, wish(-1)).await.unwrap();
    }
    store.change_session(later, wish(5)).await.unwrap();
    let _world = World::serving(server_of_companies(&models, &store), looks_often()).await;
    let mut waited = 0;
    while !store.due_deletions(now).await.unwrap().is_empty() {
        assert!(waited < 500, "they were not carried out");
        waited += 1;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let trail = store.audit_trail().await.unwrap();
    assert_eq!(trail.len(), wished.len(), "{trail:?}");
    for (session, owner) in wished {
        assert!(store.session(session).await.unwrap().is_none());
        let entry = trail.iter().find(|entry| entry.subject == session.to_string()).unwrap();
        assert_eq!(entry.action, "session.deleted");
        assert_eq!(entry.account.as_ref(), owner.map(|owner| &owner.id));
        assert_eq!(entry.tenant.as_ref(), owner.map(|owner| &owner.tenant));
        assert_eq!(entry.actor, owner.map_or("local", |owner| &owner.name));
    }
    assert!(is_open(&store, later).await, "it was carried out too early, or its turn was gone on with");
}
