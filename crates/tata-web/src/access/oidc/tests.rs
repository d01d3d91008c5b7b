//! A directory made of a closure: what it signs, and what it must not get away with.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};
use tata_core::Accounts as _;
use tata_store::MemoryStore;

use super::*;

const ISSUER: &str = "https://login.acme.example";
const HOST: &str = "tata.acme.example";
const NOW: i64 = 1_800_000_000;

/// A key and its public half.
#[derive(Clone)]
struct Pair {
    private: EncodingKey,
    public: Value,
}

fn pair(id: &str) -> Pair {
    let der = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let private = EncodingKey::from_ec_der(der.as_ref());
    let mut public =
        serde_json::to_value(Jwk::from_encoding_key(&private, Algorithm::ES256).unwrap()).unwrap();
    public["kid"] = json!(id);
    public["use"] = json!("sig");
    Pair { private, public }
}

/// What the directory answers, by the end of the address, and what it was asked.
struct Fake {
    answers: Arc<Mutex<HashMap<&'static str, Value>>>,
    asked: Arc<Mutex<Vec<FetchRequest>>>,
}

impl Fake {
    fn new(keys: &[&Pair]) -> Self {
        let at = |place: &str| format!("{ISSUER}/{place}");
        let discovery = json!({
            "issuer": ISSUER, "authorization_endpoint": at("authorize"), "token_endpoint": at("token"),
            "userinfo_endpoint": at("me"), "jwks_uri": at("keys"),
        });
        let fake = Self { answers: Arc::default(), asked: Arc::default() };
        fake.says("configuration", discovery);
        fake.says("keys", json!({ "keys": keys.iter().map(|key| &key.public).collect::<Vec<_>>() }));
        fake
    }

    fn says(&self, what: &'static str, answer: Value) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(what, answer);
    }

    fn asked(&self, end: &str) -> Vec<FetchRequest> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().filter(|request| request.address.ends_with(end)).cloned().collect()
    }

    fn oidc(&self) -> Oidc {
        Oidc::new(self.options()).unwrap()
    }

    fn options(&self) -> OidcOptions {
        let (answers, asked) = (Arc::clone(&self.answers), Arc::clone(&self.asked));
        let fetch: Fetch = Arc::new(move |request: FetchRequest| {
            let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            let found = answers.iter().find(|(end, _)| request.address.ends_with(**end));
            let answer = found.map(|(_, answer)| answer.to_string().into_bytes());
            asked.lock().unwrap_or_else(PoisonError::into_inner).push(request);
            Box::pin(async move { answer.ok_or_else(|| "status 404".to_owned()) })
        });
        OidcOptions {
            issuer: ISSUER.to_owned(),
            client_id: "tata".to_owned(),
            client_secret: Some("s3/cret".to_owned()),
            tenant: "acme".to_owned(),
            admins: Vec::new(),
            domains: Vec::new(),
            fetch,
        }
    }
}

fn good(nonce: &str) -> Value {
    json!({
        "iss": ISSUER, "aud": "tata", "sub": "u1", "exp": NOW + 300, "iat": NOW, "nonce": nonce,
        "email": "anna@acme.example", "email_verified": true,
    })
}

fn signed(pair: &Pair, claims: &Value) -> Value {
    let header =
        Header { kid: pair.public["kid"].as_str().map(str::to_owned), ..Header::new(Algorithm::ES256) };
    json!({ "id_token": encode(&header, claims, &pair.private).unwrap(), "access_token": "at" })
}

fn now() -> Timestamp {
    Timestamp::from_second(NOW).unwrap()
}

fn back(departure: &Departure) -> Return {
    let state = departure.address.split("&state=").nth(1).unwrap().split('&').next().unwrap();
    Return { code: Some("c0de".to_owned()), state: Some(state.to_owned()), ..Return::default() }
}

fn nonce(departure: &Departure) -> String {
    departure.address.split("&nonce=").nth(1).unwrap().split('&').next().unwrap().to_owned()
}

async fn arrival(oidc: &Oidc, departure: &Departure) -> Result<Claims, OidcError> {
    oidc.identify(HOST, Some(&departure.secret), back(departure), now()).await
}

#[tokio::test]
async fn whoever_the_directory_signs_for_is_known() {
    let key = pair("k1");
    let fake = Fake::new(&[&key]);
    let oidc = fake.oidc();
    let departure = oidc.depart(HOST).await.unwrap();
    assert!(departure.address.starts_with(&format!("{ISSUER}/authorize?response_type=code&client_id=tata&")));
    assert!(!departure.address.contains(&departure.secret), "the secret stays in the browser");
    fake.says("token", signed(&key, &good(&nonce(&departure))));
    let claims = arrival(&oidc, &departure).await.unwrap();
    assert_eq!((claims.sub.as_str(), claims.verified()), ("u1", Some("anna@acme.example")));
    let [redeemed] = &fake.asked("/token")[..] else { panic!("the code is redeemed once") };
    let field =
        |name: &str| redeemed.form.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    assert_eq!(field("code"), Some("c0de"));
    assert_eq!(field("code_verifier"), Some(departure.secret.as_str()));
    assert_eq!(field("redirect_uri"), Some("https://tata.acme.example/sign-in/company/back"));
    assert_eq!(field("client_secret"), None);
    let basic = format!("Basic {}", STANDARD.encode("tata:s3%2Fcret"));
    assert_eq!(redeemed.authorization.as_deref(), Some(basic.as_str()));
    assert_eq!(fake.asked("configuration").len(), 1, "what is known is not asked again");
}

/// What an attacker can bring back to us.
#[tokio::test]
async fn nobody_comes_back_who_did_not_leave() {
    let key = pair("k1");
    let fake = Fake::new(&[&key]);
    let oidc = fake.oidc();
    let (own, other) = (oidc.depart(HOST).await.unwrap(), oidc.depart(HOST).await.unwrap());
    fake.says("token", signed(&key, &good(&nonce(&own))));
    let no_cookie = oidc.identify(HOST, None, back(&own), now()).await;
    assert!(matches!(no_cookie, Err(OidcError::Stray(_))), "{no_cookie:?}");
    let anothers = oidc.identify(HOST, Some(&own.secret), back(&other), now()).await;
    assert!(matches!(anothers, Err(OidcError::Stray(_))), "{anothers:?}");
    let elsewhere = Return { iss: Some("https://evil.example".to_owned()), ..back(&own) };
    let mixed_up = oidc.identify(HOST, Some(&own.secret), elsewhere, now()).await;
    assert!(matches!(mixed_up, Err(OidcError::Stray(_))), "{mixed_up:?}");
    let no_code = oidc.identify(HOST, Some(&own.secret), Return { code: None, ..back(&own) }, now()).await;
    assert!(matches!(no_code, Err(OidcError::Stray(_))), "{no_code:?}");
    let refused = Return { error: Some("access_denied".to_owned()), ..back(&own) };
    let refused = oidc.identify(HOST, Some(&own.secret), refused, now()).await;
    assert!(matches!(refused, Err(OidcError::Directory(_))), "{refused:?}");
    assert!(fake.asked("/token").is_empty(), "nothing was redeemed for them");
}

#[tokio::test]
async fn a_token_that_does_not_hold_lets_nobody_in() {
    let (key, foreign) = (pair("k1"), pair("k1"));
    let fake = Fake::new(&[&key]);
    let oidc = fake.oidc();
    let departure = oidc.depart(HOST).await.unwrap();
    let with = |field: &str, value: Value| {
        let mut claims = good(&nonce(&departure));
        claims[field] = value;
        claims
    };
    let wrong = [
        ("another sign-in's", with("nonce", json!("other"))),
        ("no nonce", with("nonce", Value::Null)),
        ("another client's", with("aud", json!("other"))),
        ("for many, by another", with("aud", json!(["tata", "other"]))),
        ("another party's", with("azp", json!("other"))),
        ("another directory's", with("iss", json!("https://evil.example"))),
        ("old", with("exp", json!(NOW - 61))),
        ("without an end", with("exp", Value::Null)),
        ("not good yet", with("nbf", json!(NOW + 61))),
        ("made in the future", with("iat", json!(NOW + 3600))),
        ("with a beginning that is no time", with("nbf", json!("tomorrow"))),
        ("nobody's", with("sub", json!(""))),
    ];
    for (what, claims) in wrong {
        fake.says("token", signed(&key, &claims));
        let read = arrival(&oidc, &departure).await;
        assert!(matches!(read, Err(OidcError::Token(_))), "{what}: {read:?}");
    }
    let claims = good(&nonce(&departure));
    // The public key as a shared secret: whoever reads it could sign.
    let secret = EncodingKey::from_secret(key.public.to_string().as_bytes());
    let header = Header { kid: Some("k1".to_owned()), ..Header::new(Algorithm::HS256) };
    let confused = encode(&header, &claims, &secret).unwrap();
    let unsigned =
        [json!({"alg": "none"}), claims.clone()].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
    let cut = signed(&key, &claims)["id_token"].as_str().unwrap().rsplit_once('.').unwrap().0.to_owned();
    let tokens = [confused, format!("{}.", unsigned.join(".")), format!("{cut}."), cut, String::new()];
    for token in tokens {
        fake.says("token", json!({ "id_token": token }));
        let read = arrival(&oidc, &departure).await;
        assert!(matches!(read, Err(OidcError::Token(_))), "{token}: {read:?}");
    }
    let header = |name: &str, value: Value| {
        let mut header = json!({"alg": "ES256", "kid": "k1"});
        header[name] = value;
        let signed = [&header, &claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature =
            jsonwebtoken::crypto::sign(signed.as_bytes(), &key.private, Algorithm::ES256).unwrap();
        json!({ "id_token": format!("{signed}.{signature}") })
    };
    fake.says("token", header("typ", json!("JWT")));
    assert!(arrival(&oidc, &departure).await.is_ok(), "a header made by hand is one");
    fake.says("token", header("crit", json!(["urn:example:must-be-understood"])));
    assert!(matches!(arrival(&oidc, &departure).await, Err(OidcError::Token(_))), "an unknown extension");
    fake.says("token", signed(&foreign, &claims));
    assert!(matches!(arrival(&oidc, &departure).await, Err(OidcError::Token(_))), "a key of the same name");
    fake.says("token", signed(&key, &with("exp", json!(NOW - 59))));
    assert!(arrival(&oidc, &departure).await.is_ok(), "clocks may be a minute apart");
}

/// A key that is meant for one way to sign is not used for another.
#[tokio::test]
async fn a_key_is_used_only_for_what_it_is_meant_for() {
    for (meant, holds) in
        [("ES256", true), ("ES384", false), ("RS256", false), ("RSA-OAEP", false), ("odd", false)]
    {
        let mut key = pair("k1");
        key.public["alg"] = json!(meant);
        let fake = Fake::new(&[&key]);
        let oidc = fake.oidc();
        let departure = oidc.depart(HOST).await.unwrap();
        fake.says("token", signed(&key, &good(&nonce(&departure))));
        assert_eq!(arrival(&oidc, &departure).await.is_ok(), holds, "{meant}");
    }
}

/// Keys change; the directory is asked for them again, but not by everybody who sends nonsense.
#[tokio::test(start_paused = true)]
async fn new_keys_are_learned() {
    let (old, new) = (pair("k1"), pair("k2"));
    let fake = Fake::new(&[&old]);
    let oidc = fake.oidc();
    let departure = oidc.depart(HOST).await.unwrap();
    fake.says("keys", json!({ "keys": [old.public, new.public, { "kty": "XX", "kid": "odd" }] }));
    fake.says("token", signed(&new, &good(&nonce(&departure))));
    assert!(arrival(&oidc, &departure).await.is_err());
    assert_eq!(fake.asked("/keys").len(), 1, "asked a moment ago");
    tokio::time::advance(Duration::from_secs(31)).await;
    assert_eq!(arrival(&oidc, &departure).await.unwrap().sub, "u1");
    assert_eq!(fake.asked("/keys").len(), 2);
}

/// Many directories tell the address on demand only.
#[tokio::test]
async fn what_the_token_leaves_out_is_asked_for() {
    let key = pair("k1");
    let fake = Fake::new(&[&key]);
    let oidc = fake.oidc();
    let departure = oidc.depart(HOST).await.unwrap();
    let mut claims = good(&nonce(&departure));
    claims["email"] = Value::Null;
    fake.says("token", signed(&key, &claims));
    fake.says("/me", json!({ "sub": "u1", "email": "anna@acme.example", "email_verified": true }));
    assert_eq!(arrival(&oidc, &departure).await.unwrap().verified(), Some("anna@acme.example"));
    assert_eq!(fake.asked("/me")[0].authorization.as_deref(), Some("Bearer at"));
    fake.says("/me", json!({ "sub": "u2", "email": "boss@acme.example", "email_verified": true }));
    assert!(matches!(arrival(&oidc, &departure).await, Err(OidcError::Token(_))), "that is somebody else");
}

#[tokio::test]
async fn a_directory_must_be_the_one_that_was_named() {
    let fake = Fake::new(&[]);
    let said = |issuer: &str, token: &str| {
        json!({
            "issuer": issuer, "authorization_endpoint": format!("{ISSUER}/a"), "token_endpoint": token,
            "jwks_uri": format!("{ISSUER}/keys"),
        })
    };
    let wrong = [
        said("https://evil.example", "https://login.acme.example/t"),
        said(ISSUER, "http://login.acme.example/t"),
        json!({}),
    ];
    for discovery in wrong {
        fake.says("configuration", discovery.clone());
        let left = fake.oidc().depart(HOST).await.map(|departure| departure.address);
        assert!(matches!(left, Err(OidcError::Directory(_))), "{discovery}: {left:?}");
    }
    let unsafe_one = OidcOptions { issuer: "http://login.acme.example".to_owned(), ..fake.options() };
    assert!(matches!(Oidc::new(unsafe_one), Err(OidcError::Setup(_))));
}

#[test]
fn an_address_is_safe_by_tls_or_by_staying_here() {
    for safe in ["https://login.example", "http://localhost:9/x", "http://127.0.0.1:80"] {
        assert!(is_safe(safe), "{safe}");
    }
    let others = [
        "http://login.example",
        "http://localhost.evil.example",
        "https://",
        "ftp://localhost",
        "localhost",
        "",
    ];
    for address in others {
        assert!(!is_safe(address), "{address}");
    }
    assert_eq!(back_address("localhost:7878"), "http://localhost:7878/sign-in/company/back");
}

#[test]
fn an_address_counts_only_when_the_directory_vouches_for_it() {
    let claims = |verified: Value| Claims {
        sub: "s".to_owned(),
        email: Some("a@b.example".to_owned()),
        email_verified: verified,
        ..Claims::default()
    };
    assert_eq!(claims(Value::Bool(true)).verified(), Some("a@b.example"));
    assert_eq!(claims(Value::from("true")).verified(), Some("a@b.example"));
    for not in [Value::Null, Value::Bool(false), Value::from("yes"), Value::from(1)] {
        assert_eq!(claims(not).verified(), None);
    }
}

fn somebody(sub: &str, address: &str, verified: bool) -> Claims {
    Claims {
        sub: sub.to_owned(),
        email: Some(address.to_owned()),
        email_verified: Value::Bool(verified),
        ..Claims::default()
    }
}

/// Whoever gets in, and what was done to their account.
async fn enter(oidc: &Oidc, store: &MemoryStore, claims: &Claims) -> (Account, Vec<&'static str>) {
    let Arrival { account, changes } = oidc.account(store, claims, now()).await.unwrap().unwrap();
    (account, changes)
}

fn prepared(tenant: &str, name: &str, role: AccountRole) -> Account {
    Account { password: None, ..with_password(tenant, name, role) }
}

fn with_password(tenant: &str, name: &str, role: AccountRole) -> Account {
    Account::new(tenant.to_owned(), name.to_owned(), role, "h".to_owned(), now())
}

fn with_admins(admins: &[&str]) -> Oidc {
    let admins = admins.iter().map(|one| (*one).to_owned()).collect();
    Oidc::new(OidcOptions { admins, ..Fake::new(&[]).options() }).unwrap()
}

/// Accounts are made on the first sign-in, found on the next, and whoever an admin awaited is let into the account made for
/// them.
#[tokio::test]
async fn accounts_are_made_found_and_awaited() {
    let store = MemoryStore::new();
    let oidc = with_admins(&["Boss@acme.example"]);
    let (made, changes) = enter(&oidc, &store, &somebody("u1", "anna@acme.example", true)).await;
    assert_eq!((made.name.as_str(), made.tenant.as_str()), ("anna@acme.example", "acme"));
    assert_eq!((made.role, made.password.as_deref()), (AccountRole::Recruiter, None));
    assert_eq!(changes, ["account.made"]);
    let person = DirectoryPerson { issuer: ISSUER.to_owned(), subject: "u1".to_owned() };
    assert_eq!(made.person, Some(person));
    let (found, changes) = enter(&oidc, &store, &somebody("u1", "anna.berg@acme.example", true)).await;
    assert_eq!((found.id, changes), (made.id, vec![]), "the same person under another address");
    let awaited = prepared("acme", "Boss@Acme.example", AccountRole::Recruiter);
    store.save_account(awaited.clone()).await.unwrap();
    let (boss, changes) = enter(&oidc, &store, &somebody("u2", "boss@acme.example", true)).await;
    assert_eq!((boss.id.as_str(), boss.role), (awaited.id.as_str(), AccountRole::Admin));
    assert_eq!(changes, ["account.linked", "account.changed"]);
    let (again, changes) = enter(&oidc, &store, &somebody("u2", "other@acme.example", true)).await;
    assert_eq!((again.id, again.role), (awaited.id, AccountRole::Recruiter), "theirs, whatever the address");
    assert_eq!(changes, ["account.changed"]);
}

/// Somebody who calls herself by the boss's address, or looks like it, does not get the boss into her account.
#[tokio::test]
async fn nobody_waits_for_another_in_an_account_of_their_own() {
    let store = MemoryStore::new();
    let oidc = with_admins(&["boss@acme.example"]);
    let chosen: Claims = serde_json::from_value(json!({
        "sub": "mallory", "preferred_username": "boss@acme.example", "name": "boss@acme.example",
        "email": "boss@acme.example", "email_verified": false,
    }))
    .unwrap();
    let subject = somebody("boss@acme.example", "boss@acme.example", false);
    let mut taken = Vec::new();
    for claims in [chosen, subject, somebody("looks", "b\u{43e}ss@acme.example", true)] {
        let (mallory, _) = enter(&oidc, &store, &claims).await;
        assert!(mallory.name.starts_with("directory "), "{}", mallory.name);
        assert_eq!(mallory.role, AccountRole::Recruiter);
        taken.push(mallory.id);
    }
    let (boss, _) = enter(&oidc, &store, &somebody("real-boss", "boss@acme.example", true)).await;
    assert!(!taken.contains(&boss.id), "the boss was put into another's account");
    assert_eq!((boss.name.as_str(), boss.role), ("boss@acme.example", AccountRole::Admin));
    let stored = store.account(taken[0].clone()).await.unwrap().unwrap();
    assert_eq!(stored.role, AccountRole::Recruiter);
}

/// An address that was somebody else's before opens nothing of theirs, and its new owner can work.
#[tokio::test]
async fn a_recycled_address_does_not_open_the_former_persons_account() {
    let store = MemoryStore::new();
    let options = OidcOptions { domains: vec!["acme.example".to_owned()], ..Fake::new(&[]).options() };
    let oidc = Oidc::new(options).unwrap();
    let awaited = prepared("acme", "carl@acme.example", AccountRole::Admin);
    store.save_account(awaited.clone()).await.unwrap();
    for address in ["anna@acme.example", "carl@acme.example"] {
        let (old, _) = enter(&oidc, &store, &somebody(&format!("old {address}"), address, true)).await;
        store.save_account(Account { disabled: true, ..old.clone() }).await.unwrap();
        let newcomer = somebody(&format!("new {address}"), address, true);
        let (new, changes) = enter(&oidc, &store, &newcomer).await;
        assert_ne!(new.id, old.id, "{address} opened the former person's account");
        assert_eq!((new.name, new.role), (format!("{address} (2)"), AccountRole::Recruiter));
        assert_eq!(changes, ["account.made"]);
        let (again, changes) = enter(&oidc, &store, &newcomer).await;
        assert_eq!((again.id, changes), (new.id, vec![]));
        let former = somebody(&format!("old {address}"), "elsewhere@acme.example", true);
        let former = oidc.account(&store, &former, now()).await.unwrap();
        assert!(matches!(former, Err(OidcError::NotAllowed(_))), "{former:?}");
    }
}

/// Whoever works in an account by password shares it with nobody of the directory.
#[tokio::test]
async fn an_account_with_a_password_is_nobodys_of_the_directory() {
    let store = MemoryStore::new();
    let oidc = with_admins(&[]);
    let used = with_password("acme", "anna@acme.example", AccountRole::Recruiter);
    store.save_account(used.clone()).await.unwrap();
    let anna = somebody("u1", "anna@acme.example", true);
    let entered = oidc.account(&store, &anna, now()).await.unwrap();
    assert!(matches!(entered, Err(OidcError::NotAllowed(_))), "{entered:?}");
    assert_eq!(store.account(used.id.clone()).await.unwrap(), Some(used.clone()), "untouched");
    // Handed over by an admin, it is hers with all that is in it.
    store.save_account(Account { password: None, ..used.clone() }).await.unwrap();
    let (linked, changes) = enter(&oidc, &store, &anna).await;
    assert_eq!((linked.id, changes), (used.id, vec!["account.linked"]));
}

/// The list counts from the start of a server: nobody whom it no longer names is an admin until they sign in again.
#[tokio::test]
async fn whoever_is_taken_off_the_list_is_no_admin_from_the_next_start() {
    let store = MemoryStore::new();
    let now = Timestamp::from_second(NOW).unwrap();
    let account = |name: &str, by_directory: bool, person: bool| {
        let made = Account::new("acme".to_owned(), name.to_owned(), AccountRole::Admin, String::new(), now);
        let person = person.then(|| DirectoryPerson { issuer: ISSUER.to_owned(), subject: name.to_owned() });
        Account { tenant: with_admins(&[]).options.tenant, person, role_by_directory: by_directory, ..made }
    };
    let [anna, bo, carl] = [
        account("anna@acme.example", true, true),
        account("bo@acme.example", true, true),
        account("carl@acme.example", false, true),
    ];
    for account in [&anna, &bo, &carl] {
        store.save_account(account.clone()).await.unwrap();
    }
    let taken = with_admins(&["BO@acme.example"]).take_off_list(&store).await.unwrap();
    assert_eq!(taken.iter().map(|account| account.name.as_str()).collect::<Vec<_>>(), ["anna@acme.example"]);
    for (account, role) in
        [(anna, AccountRole::Recruiter), (bo, AccountRole::Admin), (carl, AccountRole::Admin)]
    {
        assert_eq!(store.account(account.id).await.unwrap().unwrap().role, role, "{}", account.name);
    }
}

/// Who is no longer listed is no admin any more; who was made one by an admin stays one.
#[tokio::test]
async fn roles_follow_the_list_of_admins() {
    let store = MemoryStore::new();
    let (anna, bo) = (somebody("u1", "anna@acme.example", true), somebody("u2", "bo@acme.example", true));
    let listed = with_admins(&[" ANNA@acme.example"]);
    assert_eq!(enter(&listed, &store, &anna).await.0.role, AccountRole::Admin);
    let (made, _) = enter(&listed, &store, &bo).await;
    store.save_account(Account { role: AccountRole::Admin, ..made }).await.unwrap();
    let emptied = with_admins(&[]);
    let (anna, changes) = enter(&emptied, &store, &anna).await;
    assert_eq!((anna.role, changes), (AccountRole::Recruiter, vec!["account.changed"]));
    let (bo, changes) = enter(&emptied, &store, &bo).await;
    assert_eq!((bo.role, changes), (AccountRole::Admin, vec![]), "an admin made him one");
}

/// A disabled account is met however its address is written.
#[tokio::test]
async fn a_disabled_account_is_met_whatever_the_case() {
    let store = MemoryStore::new();
    let oidc = with_admins(&[]);
    let awaited = prepared("acme", "Anna@Acme.example", AccountRole::Recruiter);
    store.save_account(Account { disabled: true, ..awaited }).await.unwrap();
    for address in ["anna@acme.example", "ANNA@ACME.EXAMPLE", "Anna@Acme.example"] {
        let entered = oidc.account(&store, &somebody("u1", address, true), now()).await.unwrap();
        assert!(matches!(entered, Err(OidcError::NotAllowed(_))), "{address}: {entered:?}");
    }
    assert_eq!(store.accounts(None).await.unwrap().len(), 1);
}

/// Nobody gets into an account by an address that nobody vouches for, nor into another company's, nor into a closed one.
#[tokio::test]
async fn an_address_alone_opens_no_account() {
    let store = MemoryStore::new();
    let oidc = with_admins(&["boss@acme.example"]);
    let [boss, carl] = [("acme", "boss@acme.example"), ("other", "carl@other.example")]
        .map(|(tenant, name)| prepared(tenant, name, AccountRole::Admin));
    for account in [&boss, &carl] {
        store.save_account(account.clone()).await.unwrap();
    }
    for (sub, address, verified) in [("e1", "boss@acme.example", false), ("e2", "carl@other.example", true)] {
        let (evil, _) = enter(&oidc, &store, &somebody(sub, address, verified)).await;
        assert!(evil.id != boss.id && evil.id != carl.id, "{address}");
        assert_eq!((evil.tenant.as_str(), evil.role), ("acme", AccountRole::Recruiter));
        assert!(evil.name != address, "{address}");
        store.save_account(Account { disabled: true, ..evil }).await.unwrap();
        let entered = oidc.account(&store, &somebody(sub, address, verified), now()).await.unwrap();
        assert!(matches!(entered, Err(OidcError::NotAllowed(_))), "{entered:?}");
    }
    for account in [boss, carl] {
        assert_eq!(store.account(account.id.clone()).await.unwrap(), Some(account), "untouched");
    }
}

#[tokio::test]
async fn only_people_of_the_domains_get_in() {
    let store = MemoryStore::new();
    let options = OidcOptions { domains: vec!["acme.example".to_owned()], ..Fake::new(&[]).options() };
    let oidc = Oidc::new(options).unwrap();
    let outside = [
        somebody("a", "x@evil.example", true),
        somebody("b", "x@acme.example", false),
        somebody("c", "x@acme.example.evil.example", true),
        Claims { sub: "d".to_owned(), ..Claims::default() },
    ];
    for claims in outside {
        let entered = oidc.account(&store, &claims, now()).await.unwrap();
        assert!(matches!(entered, Err(OidcError::NotAllowed(_))), "{claims:?}");
    }
    assert!(oidc.account(&store, &somebody("e", "x@ACME.example", true), now()).await.unwrap().is_ok());
    assert_eq!(store.accounts(None).await.unwrap().len(), 1);
}
