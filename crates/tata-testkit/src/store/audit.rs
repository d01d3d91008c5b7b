//! Who did what.

use std::sync::Arc;

use tata_core::{BrokenChain, NewAudit, verify_chain};

use super::{Shared, at};

fn noted(number: usize) -> NewAudit {
    NewAudit {
        at: at(i64::try_from(number).unwrap()),
        actor: "anna".to_owned(),
        action: "tool.decided".to_owned(),
        subject: number.to_string(),
        detail: "\0".to_owned(),
    }
}

/// Each entry seals the one before, so a change of any of them shows.
pub async fn the_chain_holds(store: Shared) {
    assert_eq!(store.audit_trail().await.unwrap(), []);
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(store.record_audit(noted(number)).await.unwrap());
    }
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((&trail, verify_chain(&trail)), (&made, Ok(())));
    let mut forged = trail.clone();
    forged[2].actor.push('!');
    assert_eq!(verify_chain(&forged), Err(BrokenChain { position: 3 }));
    let mut cut = trail;
    cut.remove(1);
    assert_eq!(verify_chain(&cut), Err(BrokenChain { position: 2 }));
}

/// Writers at the same time lengthen one chain and do not fork it.
pub async fn many_writers_make_one_chain(store: Shared) {
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.record_audit(noted(number)).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), verify_chain(&trail)), (40, Ok(())));
}
