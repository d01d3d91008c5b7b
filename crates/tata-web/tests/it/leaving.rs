//! What ends when somebody leaves, is disabled or loses a key, and what is kept of secrets and of what was done.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tata_core::{AccessToken, Account, NewAudit, RequestKey, TokenKind};
use tata_web::new_token;

use crate::{
    accounts::{Company, PASSWORD},
    doors::code,
    support::{Stream, read},
};

const BO: &str = "/api/v1/accounts/id-bo@acme.example";
/// What is promised; what happens in this process is looked at at once.
const SOON: Duration = Duration::from_secs(15);

/// A turn of somebody that would run on for long, and the stream that tells of it.
async fn at_work(company: &Company, person: usize) -> (String, Stream) {
    let (_, session) = company.ask(person, "post", "/api/v1/sessions", Some(json!({}))).await;
    let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
    let request = company
        .request(person, "post", &format!("{path}/turns"))
        .header("accept", "text/event-stream")
        .json(&json!({"message": "Stall"}));
    let mut stream = Stream::of(request.send().await.unwrap());
    while stream.next().await.unwrap().event != "text_delta" {}
    (path, stream)
}

async fn ends(stream: &mut Stream) -> bool {
    tokio::time::timeout(SOON, async { while stream.next().await.is_some() {} }).await.is_ok()
}

async fn is_idle(company: &Company) -> bool {
    tokio::time::timeout(SOON, company.world.host.idle()).await.is_ok()
}

/// Who is disabled hears nothing more, and nothing goes on in their name.
#[tokio::test]
async fn whoever_is_disabled_hears_nothing_more() {
    let company = Company::new().await;
    let (_path, mut stream) = at_work(&company, 1).await;
    let (_hers, mut other) = at_work(&company, 2).await;
    assert_eq!(company.world.host.running(), 2);
    let (status, _) = company.ask(0, "patch", BO, Some(json!({"disabled": true}))).await;
    assert_eq!(status, StatusCode::OK);
    assert!(ends(&mut stream).await, "the stream went on");
    tokio::time::timeout(SOON, async {
        while company.world.host.running() > 1 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .expect("the turn went on");
    let hears = tokio::time::timeout(Duration::from_millis(300), other.next()).await;
    assert!(hears.is_err(), "another person's stream ended: {hears:?}");
}

/// The same by another process, or by the command line: this one is told by the store alone.
#[tokio::test]
async fn whoever_is_disabled_elsewhere_is_met_by_the_store() {
    let company = Company::new().await;
    let (_path, mut stream) = at_work(&company, 1).await;
    let store = &company.world.store;
    let bo = store.account("id-bo@acme.example".to_owned()).await.unwrap().unwrap();
    store.save_account(Account { disabled: true, ..bo }).await.unwrap();
    assert!(ends(&mut stream).await, "the stream went on");
    assert!(is_idle(&company).await, "the turn went on");
}

/// A key that is ended takes its streams and its turns along; a password that an admin replaced ends the keys.
#[tokio::test]
async fn a_key_that_is_ended_does_nothing_more() {
    let company = Company::new().await;
    let (_path, mut stream) = at_work(&company, 1).await;
    let (status, keys) = company.ask(0, "get", &format!("{BO}/keys"), None).await;
    assert_eq!((status, keys.as_array().map(Vec::len)), (StatusCode::OK, Some(1)), "{keys}");
    assert!(!keys.to_string().contains("secret"), "{keys}");
    let key = format!("{BO}/keys/{}", keys[0]["id"].as_str().unwrap());
    for (person, expected) in [(1, StatusCode::FORBIDDEN), (2, StatusCode::NOT_FOUND)] {
        for (name, path) in [("get", format!("{BO}/keys")), ("delete", key.clone())] {
            assert_eq!(company.ask(person, name, &path, None).await.0, expected, "{person} {name} {path}");
        }
    }
    assert_eq!(company.ask(0, "delete", &key, None).await.0, StatusCode::NO_CONTENT);
    assert!(ends(&mut stream).await, "the stream went on");
    assert!(is_idle(&company).await, "the turn went on");
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::UNAUTHORIZED);
    let store = &company.world.store;
    let bo = store.account("id-bo@acme.example".to_owned()).await.unwrap().unwrap();
    let (token, secret) = new_token(&bo, TokenKind::ApiKey, "again", Timestamp::now(), None);
    store.save_token(token).await.unwrap();
    let new = json!({"password": "another horse battery"});
    assert_eq!(company.ask(0, "patch", BO, Some(new)).await.0, StatusCode::OK);
    let me = company.world.request(reqwest::Method::GET, "/api/v1/me").bearer_auth(secret);
    assert_eq!(me.send().await.unwrap().status(), StatusCode::UNAUTHORIZED, "a key outlived the password");
}

/// Keys have an end unless that is not wanted, and one's own password ends them if that is wanted.
#[tokio::test]
async fn keys_have_an_end() {
    let company = Company::new().await;
    let day = |answer: &Value| {
        answer["expires_at"].as_str().map(|end| {
            let end: Timestamp = end.parse().unwrap();
            (end.duration_since(Timestamp::now()).as_secs() + 60) / (24 * 3600)
        })
    };
    for (days, expected) in [(None, Some(365)), (Some(30), Some(30)), (Some(0), None)] {
        let body = json!({"label": "script", "days": days});
        let (status, key) = company.ask(1, "post", "/api/v1/keys", Some(body)).await;
        assert_eq!((status, day(&key)), (StatusCode::CREATED, expected), "{key}");
    }
    for days in [-1, 3651] {
        let body = json!({"label": "script", "days": days});
        let (status, answer) = company.ask(1, "post", "/api/v1/keys", Some(body)).await;
        assert_eq!((status, answer["field"].as_str()), (StatusCode::UNPROCESSABLE_ENTITY, Some("days")));
    }
    let change =
        |old: &str, new: &str, end_keys: bool| json!({"old": old, "password": new, "end_keys": end_keys});
    let new = "another horse battery";
    let kept = company.ask(1, "put", "/api/v1/me/password", Some(change(PASSWORD, new, false))).await;
    assert_eq!(kept.0, StatusCode::NO_CONTENT, "{}", kept.1);
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::OK);
    let ended = company.ask(1, "put", "/api/v1/me/password", Some(change(new, PASSWORD, true))).await;
    assert_eq!(ended.0, StatusCode::NO_CONTENT, "{}", ended.1);
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::UNAUTHORIZED);
}

/// A browser that nobody uses is signed out before its time; using it keeps it signed in.
#[tokio::test]
async fn a_browser_that_is_left_alone_is_signed_out() {
    let company = Company::new().await;
    let store = &company.world.store;
    let anna = store.account("id-anna@acme.example".to_owned()).await.unwrap().unwrap();
    let ago = |minutes: i64| Timestamp::now().checked_sub(SignedDuration::from_mins(minutes)).unwrap();
    for (idle, expected) in [(121, StatusCode::UNAUTHORIZED), (100, StatusCode::OK)] {
        let (token, secret) = new_token(&anna, TokenKind::Browser, "browser", ago(200), None);
        store.save_token(AccessToken { used_at: Some(ago(idle)), ..token.clone() }).await.unwrap();
        let me = company.world.request(reqwest::Method::GET, "/api/v1/me");
        let me = me.header("cookie", format!("__Host-tata={secret}")).send().await.unwrap();
        assert_eq!(me.status(), expected, "left alone for {idle} minutes");
        let (known, _) = store.token(token.hash).await.unwrap().unwrap();
        let used = known.used_at.is_some_and(|at| at > ago(1));
        assert_eq!(used, expected == StatusCode::OK, "its use is noted: {:?}", known.used_at);
    }
}

/// What a browser keeps for one person is not there for the next one.
#[tokio::test]
async fn signing_out_clears_what_the_browser_keeps() {
    let company = Company::new().await;
    let body = json!({"name": "anna@acme.example", "password": PASSWORD});
    let signed_in =
        company.world.request(reqwest::Method::POST, "/api/v1/sign-in").json(&body).send().await.unwrap();
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let out = company
        .world
        .request(reqwest::Method::POST, "/api/v1/sign-out")
        .header("cookie", cookie)
        .header("sec-fetch-site", "same-origin");
    let out = out.send().await.unwrap();
    assert_eq!(out.headers()["clear-site-data"], "\"storage\"");
}

/// What is kept under the key of a request, by its name.
async fn kept_under(company: &Company, path: &str, key: &str) -> RequestKey {
    let key = tata_core::hash_secret(key);
    let name = format!("acme\nid-anna@acme.example\nanna@acme.example\n{path}\n{key}");
    let asked =
        RequestKey { name, digest: "x".to_owned(), session: None, at: Timestamp::now(), answer: None };
    let kept = company.world.store.take_key(asked, Timestamp::MIN, Timestamp::MIN).await.unwrap();
    kept.unwrap()
}

/// A secret that was told once is not in the database, whatever header the request had, and neither is a fast hash of a
/// password.
#[tokio::test]
async fn no_secret_is_kept_under_the_key_of_a_request() {
    let company = Company::new().await;
    let send = async |path: &str, body: &Value| {
        let request = company.request(0, "post", path).header("idempotency-key", "k1").json(body);
        read(request.send().await.unwrap()).await
    };
    let bodies = [
        ("/api/v1/keys", json!({"label": "script"})),
        ("/api/v1/accounts", json!({"name": "dora@acme.example", "password": PASSWORD})),
    ];
    for (path, body) in bodies {
        let (status, made) = send(path, &body).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        let (status, again) = send(path, &body).await;
        assert_eq!((status, code(&again)), (StatusCode::CONFLICT, "already_served"), "{path}: {again}");
        let kept = kept_under(&company, path, "k1").await;
        let answer = kept.answer.unwrap();
        assert_eq!((kept.digest.as_str(), answer.as_str()), ("", "\"secret\""), "{path}");
    }
    // What is no secret is kept as ever.
    let (status, made) = send("/api/v1/sessions", &json!({})).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(send("/api/v1/sessions", &json!({})).await, (status, made));
}

/// An admin is told what was done in the company, by column: a name that others use, or one that begins alike, shows
/// nothing more.
#[tokio::test]
async fn an_admin_is_told_of_the_own_company_alone() {
    let company = Company::new().await;
    let store = &company.world.store;
    for (tenant, actor) in
        [(Some("acme holding"), "x"), (Some("other"), "command line"), (None, "command line")]
    {
        let entry = NewAudit {
            at: Timestamp::now(),
            actor: actor.to_owned(),
            account: None,
            tenant: tenant.map(str::to_owned),
            action: "account.changed".to_owned(),
            subject: "somebody".to_owned(),
            detail: "tenant acme holding".to_owned(),
        };
        store.record_audit(entry).await.unwrap();
    }
    // Nobody gets the name under which the program itself acts.
    let new = |name: &str| Some(json!({"name": name, "password": PASSWORD}));
    for (name, expected) in [
        ("Command Line", StatusCode::UNPROCESSABLE_ENTITY),
        ("server", StatusCode::UNPROCESSABLE_ENTITY),
        ("dora", StatusCode::CREATED),
    ] {
        assert_eq!(company.ask(0, "post", "/api/v1/accounts", new(name)).await.0, expected, "{name}");
    }
    let id = company.session(1).await;
    let (status, _) = company.ask(1, "delete", &format!("/api/v1/sessions/{id}"), None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (_, trail) = company.ask(0, "get", "/api/v1/audit", None).await;
    let told = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        (text("action"), text("tenant"), text("account"))
    };
    let told: Vec<_> = trail["entries"].as_array().unwrap().iter().map(told).collect();
    let expected = [("session.deleted", "id-bo@acme.example"), ("account.made", "id-anna@acme.example")]
        .map(|(action, account)| (action.to_owned(), "acme".to_owned(), account.to_owned()));
    assert_eq!(told, expected, "{trail}");
}

async fn page(
    company: &Company,
    person: usize,
    name: &str,
    path: &str,
    form: &[(&str, &str)],
) -> (StatusCode, String) {
    let request = company.request(person, name, path).header("accept", "text/html");
    let request = if name == "post" { request.form(form) } else { request };
    let response = request.send().await.unwrap();
    (response.status(), response.text().await.unwrap())
}

/// Trying a model costs what the model costs: that is for admins, where people sign in.
#[tokio::test]
async fn a_recruiter_does_not_try_models() {
    let company = Company::new().await;
    for (person, expected, offered) in [(1, StatusCode::FORBIDDEN, false), (0, StatusCode::OK, true)] {
        let form = [("model", "planned")];
        let (status, text) = page(&company, person, "post", "/models/check", &form).await;
        assert_eq!(status, expected, "{text}");
        let (_, shown) = page(&company, person, "get", "/models", &[]).await;
        assert_eq!(shown.contains("/models/check"), offered, "person {person}: {shown}");
    }
}

/// The pages of keys: an admin sees and ends those of a colleague and of nobody else, and whose page it is stands in it, so
/// that drafts of one person are not shown to the next.
#[tokio::test]
async fn pages_of_keys_are_for_the_own_company() {
    let company = Company::new().await;
    let path = "/admin/people/keys?account=id-bo@acme.example";
    let (status, shown) = page(&company, 0, "get", path, &[]).await;
    assert_eq!(status, StatusCode::OK, "{shown}");
    assert!(
        shown.contains("bo@acme.example") && shown.contains("data-person=\"id-anna@acme.example\""),
        "{shown}"
    );
    let (_, keys) = company.ask(1, "get", "/api/v1/keys", None).await;
    let key = keys[0]["id"].as_str().unwrap();
    assert!(shown.contains(key), "{shown}");
    let form = [("account", "id-bo@acme.example"), ("key", key)];
    for (person, expected) in [(1, StatusCode::FORBIDDEN), (2, StatusCode::NOT_FOUND)] {
        assert_eq!(page(&company, person, "get", path, &[]).await.0, expected);
        assert_eq!(page(&company, person, "post", "/admin/people/keys/end", &form).await.0, expected);
    }
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::OK);
    let (status, _) = page(&company, 0, "post", "/admin/people/keys/end", &form).await;
    assert!(status.is_success() || status.is_redirection(), "{status}");
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::UNAUTHORIZED);
}

/// The page that shows a new key keeps nothing of it either, whatever header comes along.
#[tokio::test]
async fn no_page_with_a_secret_is_told_again() {
    let company = Company::new().await;
    let mut told = Vec::new();
    for _ in 0..2 {
        let request = company.request(1, "post", "/account/keys").header("idempotency-key", "k1");
        let form = [("label", "script"), ("days", "30")];
        let text = request.form(&form).send().await.unwrap().text().await.unwrap();
        let from = text.find("tata_").expect("the secret is told once");
        told.push(text[from..from + 40].to_owned());
    }
    assert_ne!(told[0], told[1]);
}
