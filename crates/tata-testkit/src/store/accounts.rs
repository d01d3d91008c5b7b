//! Who may sign in, and by what they are known then.

use tata_core::{AccessToken, Account, AccountRole, StoreError, TokenKind, hash_secret};

use super::{ODD, Shared, at};

/// An account of a company.
pub fn account(tenant: &str, name: &str) -> Account {
    Account {
        id: format!("id of {name}"),
        tenant: tenant.to_owned(),
        name: name.to_owned(),
        role: AccountRole::Recruiter,
        password: Some("$argon2id$…".to_owned()),
        disabled: false,
        created_at: at(1),
    }
}

/// A token of an account.
pub fn token(account: &Account, secret: &str, made: i64) -> AccessToken {
    AccessToken {
        hash: hash_secret(secret),
        account: account.id.clone(),
        kind: TokenKind::ApiKey,
        label: ODD.to_owned(),
        created_at: at(made),
        expires_at: None,
    }
}

/// An account is found by its id, its name and its company, and a change replaces it.
pub async fn accounts_are_found(store: Shared) {
    let (anna, bo, odd) =
        (account("acme", "anna@acme.example"), account("acme", "bo"), account("other", ODD));
    for one in [&bo, &anna, &odd] {
        store.save_account(one.clone()).await.unwrap();
    }
    assert_eq!(store.account(anna.id.clone()).await.unwrap(), Some(anna.clone()));
    assert_eq!(store.account("nobody".to_owned()).await.unwrap(), None);
    assert_eq!(store.account_named(ODD.to_owned()).await.unwrap(), Some(odd.clone()));
    assert_eq!(store.account_named("ANNA@acme.example".to_owned()).await.unwrap(), None);
    assert_eq!(store.accounts(Some("acme".to_owned())).await.unwrap(), [anna.clone(), bo.clone()]);
    assert_eq!(store.accounts(None).await.unwrap().len(), 3);
    let changed = Account { disabled: true, role: AccountRole::Admin, ..anna };
    store.save_account(changed.clone()).await.unwrap();
    assert_eq!(store.account(changed.id.clone()).await.unwrap(), Some(changed));
}

/// Two accounts with one name could not be told apart at the door.
pub async fn a_name_is_one_account(store: Shared) {
    store.save_account(account("acme", "anna")).await.unwrap();
    let second = Account { id: "another id".to_owned(), ..account("other", "anna") };
    let refused = store.save_account(second).await;
    assert!(matches!(refused, Err(StoreError::Exists { .. })), "{refused:?}");
    assert_eq!(store.accounts(None).await.unwrap().len(), 1);
}

/// A token leads to its account until it is ended; nobody has one without an account.
pub async fn tokens_lead_to_accounts(store: Shared) {
    let (anna, bo) = (account("acme", "anna"), account("acme", "bo"));
    let refused = store.save_token(token(&anna, "too early", 1)).await;
    assert!(matches!(refused, Err(StoreError::NotFound { .. })), "{refused:?}");
    store.save_account(anna.clone()).await.unwrap();
    store.save_account(bo.clone()).await.unwrap();
    let (first, second) = (token(&anna, "one", 2), token(&anna, "two", 3));
    store.save_token(second.clone()).await.unwrap();
    store.save_token(first.clone()).await.unwrap();
    assert_eq!(store.token(hash_secret("one")).await.unwrap(), Some((first.clone(), anna.clone())));
    assert_eq!(store.token(hash_secret("three")).await.unwrap(), None);
    assert_eq!(store.tokens(anna.id.clone()).await.unwrap(), [first.clone(), second.clone()]);
    assert_eq!(store.tokens(bo.id).await.unwrap(), []);
    assert!(store.delete_token(first.hash.clone()).await.unwrap());
    assert_eq!(store.token(first.hash).await.unwrap(), None);
    assert_eq!(store.tokens(anna.id).await.unwrap(), [second]);
}
