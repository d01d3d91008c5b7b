//! Who may sign in, and by what they are known then.

use tata_core::{AccessToken, Account, AccountRole, DirectoryPerson, StoreError, TokenKind, hash_secret};

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
        person: None,
        role_by_directory: false,
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
        used_at: None,
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
    for alike in ["ANNA@acme.example", "\u{430}nna@acme.example", "anna@\u{ff41}cme.example"] {
        assert_eq!(store.account_named(alike.to_owned()).await.unwrap(), Some(anna.clone()), "{alike}");
    }
    assert_eq!(store.account_named("anne@acme.example".to_owned()).await.unwrap(), None);
    assert_eq!(store.accounts(Some("acme".to_owned())).await.unwrap(), [anna.clone(), bo.clone()]);
    assert_eq!(store.accounts(None).await.unwrap().len(), 3);
    let changed = Account { disabled: true, role: AccountRole::Admin, ..anna };
    store.save_account(changed.clone()).await.unwrap();
    assert_eq!(store.account(changed.id.clone()).await.unwrap(), Some(changed));
}

/// Two accounts with one name could not be told apart at the door, and two that look alike not by people.
pub async fn a_name_is_one_account(store: Shared) {
    store.save_account(account("acme", "anna")).await.unwrap();
    for name in ["anna", "Anna", "ANNA", "\u{430}nna", "a\u{ff4e}na"] {
        let second = Account { id: "another id".to_owned(), ..account("other", name) };
        let refused = store.save_account(second).await;
        assert!(matches!(refused, Err(StoreError::Exists { .. })), "{name}: {refused:?}");
    }
    assert_eq!(store.accounts(None).await.unwrap().len(), 1);
}

/// An account belongs to one person of a directory, whatever they are called, and a person has one account.
pub async fn a_person_of_a_directory_has_one_account(store: Shared) {
    let person = |subject: &str| DirectoryPerson {
        issuer: "https://login.example".to_owned(),
        subject: subject.to_owned(),
    };
    let anna = Account { person: Some(person("u1")), ..account("acme", "anna") };
    store.save_account(anna.clone()).await.unwrap();
    store.save_account(account("acme", "bo")).await.unwrap();
    assert_eq!(store.account_of_person(person("u1")).await.unwrap(), Some(anna.clone()));
    assert_eq!(store.account_of_person(person("U1")).await.unwrap(), None, "ids are told letter by letter");
    let elsewhere = DirectoryPerson { issuer: "https://evil.example".to_owned(), ..person("u1") };
    assert_eq!(store.account_of_person(elsewhere).await.unwrap(), None, "another directory's u1");
    let second = Account { person: Some(person("u1")), ..account("acme", "carl") };
    let refused = store.save_account(second).await;
    assert!(matches!(refused, Err(StoreError::Exists { .. })), "{refused:?}");
    let disabled = Account { disabled: true, ..anna };
    store.save_account(disabled.clone()).await.unwrap();
    assert_eq!(store.account_of_person(person("u1")).await.unwrap(), Some(disabled));
}

/// A token can be changed as long as it is there; one that was ended does not come back by that.
pub async fn an_ended_token_stays_ended(store: Shared) {
    let anna = account("acme", "anna");
    store.save_account(anna.clone()).await.unwrap();
    let first = token(&anna, "one", 2);
    store.save_token(first.clone()).await.unwrap();
    let used = AccessToken { used_at: Some(at(5)), ..first };
    store.renew_token(used.clone()).await.unwrap();
    assert_eq!(store.tokens(anna.id.clone()).await.unwrap(), std::slice::from_ref(&used));
    store.delete_token(used.hash.clone()).await.unwrap();
    store.renew_token(used).await.unwrap();
    assert_eq!(store.tokens(anna.id).await.unwrap(), []);
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
