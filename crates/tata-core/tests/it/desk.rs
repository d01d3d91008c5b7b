//! What a person may do with sessions: their own, and nobody else's.

use std::sync::Arc;

use tata_core::{
    ArtifactKind, ArtifactName, Clock, Decision, Desk, DeskError, Input, NewSession, Person, Rating, Session,
    SessionFilter, Store, verify_chain,
};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::support::{World, moment, registry, tools};

fn desk<'a>(store: &'a Arc<dyn Store>, user: Option<&str>) -> Desk<'a> {
    let person = Person { user_id: user.map(str::to_owned), name: user.unwrap_or("terminal").to_owned() };
    Desk::new(store.as_ref(), person, Clock::Fixed(moment()))
}

async fn session(store: &Arc<dyn Store>, user: &str) -> Session {
    let new = NewSession { user_id: Some(user.to_owned()), ..NewSession::with("tata", moment()) };
    store.create_session(new).await.unwrap()
}

async fn world() -> World {
    let call = Answer::calls(&[("c1", "write_profile", r#"{"what":"x"}"#)]);
    let model = Arc::new(PlannedModel::new("m").on("go", [call, Answer::text("Done.")]));
    World::new(&model, registry(tools(&Runs::default()))).await
}

/// S1: what is somebody else's does not exist, for every act.
#[tokio::test]
async fn nobody_reaches_what_is_not_theirs() {
    let store = world().await.store;
    let (anna, bo) = (session(&store, "anna").await, session(&store, "bo").await);
    let desk = desk(&store, Some("anna"));
    let listed =
        desk.list(SessionFilter { user_id: Some("bo".into()), ..SessionFilter::default() }).await.unwrap();
    assert_eq!(listed.sessions.iter().map(|session| session.id).collect::<Vec<_>>(), [anna.id]);
    assert_eq!(desk.find("last").await.unwrap().id, anna.id);
    let (id, name) = (bo.id, ArtifactName { kind: ArtifactKind::new("Profile"), key: String::new() });
    let gone = |error: DeskError| assert!(matches!(error, DeskError::NoSession(_)), "{error:?}");
    gone(desk.session(id).await.unwrap_err());
    gone(desk.find(&id.to_string()).await.unwrap_err());
    gone(desk.find(&id.to_string()[..8]).await.unwrap_err());
    gone(desk.rename(id, "mine now").await.unwrap_err());
    gone(desk.delete(id).await.unwrap_err());
    gone(desk.artifact(id, &name, 1).await.unwrap_err());
    gone(desk.approve(id, &name, 1, &|_| None).await.unwrap_err());
    gone(desk.give_feedback(id, None, Rating::Up, None).await.unwrap_err());
    gone(desk.decide(id, &[]).await.unwrap_err());
    assert_eq!(store.session(id).await.unwrap().unwrap(), bo);
}

#[tokio::test]
async fn an_approval_and_a_deletion_are_one_write_with_their_audit_entry() {
    let world = world().await;
    world.say("go").await;
    let desk = desk(&world.store, None);
    let document = world.store.artifacts(world.session).await.unwrap().remove(0);
    let refused = desk.approve(world.session, &document.name, 1, &|_| Some("Not yet.".to_owned())).await;
    assert!(matches!(refused, Err(DeskError::NotReady(why)) if why == "Not yet."));
    let missing = desk.approve(world.session, &document.name, 2, &|_| None).await;
    assert!(matches!(missing, Err(DeskError::NoDocument { version: 2, .. })));
    let approved = desk.approve(world.session, &document.name, 1, &|_| None).await.unwrap();
    assert_eq!(approved.approval.unwrap().by, "terminal");
    desk.delete(world.session).await.unwrap();
    let trail = world.store.audit_trail().await.unwrap();
    verify_chain(&trail).unwrap();
    let actions: Vec<_> = trail.iter().map(|entry| (entry.actor.as_str(), entry.action.as_str())).collect();
    assert_eq!(actions, [("terminal", "artifact.approved"), ("terminal", "session.deleted")]);
}

#[tokio::test]
async fn names_feedback_and_decisions_are_checked() {
    let world = world().await;
    let (desk, id) = (desk(&world.store, None), world.session);
    assert_eq!(desk.rename(id, " A  new\n name ").await.unwrap().title.as_deref(), Some("A new name"));
    for (title, length) in [(" \n".to_owned(), 0), ("x".repeat(201), 201)] {
        assert!(matches!(desk.rename(id, &title).await, Err(DeskError::Title(found)) if found == length));
    }
    assert!(matches!(desk.give_feedback(id, None, Rating::Up, None).await, Err(DeskError::NoTurn { .. })));
    world.say("go").await;
    let long = desk.give_feedback(id, Some(1), Rating::Down, Some("x".repeat(20_000))).await;
    assert!(matches!(long, Err(DeskError::Comment(20_000))));
    assert_eq!(desk.give_feedback(id, None, Rating::Up, None).await.unwrap().turn, 1);
    let nothing = desk.decide(id, &[("c1".into(), None, Decision::Run)]).await;
    assert!(matches!(nothing, Err(DeskError::NothingAsked(call)) if call == "c1"));
    assert!(matches!(desk.decide(id, &[]).await, Ok(Input::Decide { by, .. }) if by == "terminal"));
    assert!(matches!(desk.find("abc").await, Err(DeskError::TooShort(_))));
    assert!(matches!(desk.find("ffffffff").await, Err(DeskError::NoSession(_))));
}
