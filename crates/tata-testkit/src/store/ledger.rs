//! What was used, and what people thought of it.

use std::sync::Arc;

use serde_json::json;
use tata_core::{Batch, Cost, Feedback, NewSession, Rating, Usage, UsageRow, Verbatim};

use super::{LONG, Shared, at, session, unknown_usage};

/// A person's word on a turn.
pub fn word(turn: u32, user: Option<&str>, comment: Option<&str>) -> Feedback {
    let text = |text: &str| text.to_owned();
    Feedback { turn, rating: Rating::Down, comment: comment.map(text), user_id: user.map(text), at: at(4) }
}

/// Rows come back as written, in order: what was not reported is not 0.
pub async fn the_unknown_stays_unknown(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let partly = UsageRow {
        usage: Some(Usage {
            input_tokens: Some(0),
            raw: Some(Verbatim::from(&json!({"z": [1, null], "a": "\0"}))),
            ..Usage::default()
        }),
        cost: Some(Cost::default()),
        served_model: Some("m-1".to_owned()),
        ..unknown_usage(2)
    };
    let partly = Arc::new(partly);
    let rows: Vec<_> = (1..=20).flat_map(|turn| [unknown_usage(turn).into(), Arc::clone(&partly)]).collect();
    for half in rows.chunks(25) {
        store.append(&lease, Batch { usage: half.to_vec(), ..Batch::default() }).await.unwrap();
    }
    assert_eq!(store.usage(id).await.unwrap(), rows);
    let seen = &store.usage(id).await.unwrap()[..2];
    assert_eq!((&seen[0].usage, seen[0].cost, &seen[0].served_model), (&None, None, &None));
    assert_eq!((seen[1].usage.as_ref().unwrap().output_tokens, seen[1].cost), (None, Some(Cost::default())));
}

/// Who used how much, from a moment on, for a company or for all.
pub async fn usage_is_told_by_person(store: Shared) {
    let people = [(Some("acme"), "anna"), (Some("acme"), "bo"), (Some("other"), "carl"), (None, "dora")];
    for (tenant, user) in people {
        let new = NewSession {
            tenant_id: tenant.map(str::to_owned),
            user_id: Some(user.to_owned()),
            ..NewSession::with("tata", at(0))
        };
        let id = store.create_session(new).await.unwrap().id;
        let lease = store.begin(id, LONG).await.unwrap().lease;
        let rows = [1, 5].map(|second| UsageRow { at: at(second), ..unknown_usage(1) });
        store.append(&lease, Batch { usage: rows.map(Arc::new).into(), ..Batch::default() }).await.unwrap();
    }
    let people_of = async |tenant: Option<&str>, since: i64| {
        let rows = store.usage_since(tenant.map(str::to_owned), at(since)).await.unwrap();
        let mut people: Vec<String> = rows.into_iter().filter_map(|(person, _)| person).collect();
        people.sort();
        people.join(" ")
    };
    assert_eq!(people_of(Some("acme"), 0).await, "anna anna bo bo");
    assert_eq!(people_of(Some("acme"), 2).await, "anna bo");
    assert_eq!(people_of(None, 5).await, "anna bo carl dora");
    assert_eq!(people_of(None, 6).await, "");
    assert_eq!(people_of(Some("nobody"), 0).await, "");
}

/// A later word of the same person on the same turn replaces the earlier; nobody in particular is a person, too.
pub async fn a_person_has_one_word_per_turn(store: Shared) {
    let id = session(&store).await;
    let given = [
        word(2, Some("bo"), Some("first")),
        word(2, None, Some("first")),
        word(1, Some("bo"), None),
        word(2, Some("anna"), None),
        word(2, Some("null"), None),
        Feedback { rating: Rating::Up, ..word(2, Some("bo"), Some("second")) },
        word(2, None, None),
    ];
    for feedback in given.clone() {
        store.give_feedback(id, feedback).await.unwrap();
    }
    let expected = [2, 6, 3, 5, 4].map(|index| given[index].clone());
    assert_eq!(store.feedback(id).await.unwrap(), expected, "by turn and then person");
    assert_eq!(store.feedback(session(&store).await).await.unwrap(), []);
}
