//! A server for many: who gets in, and that nobody meets what is another's. The rows are those of the doors.

use std::{sync::Arc, time::Duration};

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tata_core::{Account, AccountRole, Clock, Store, TokenKind};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};
use tata_web::{ServerOptions, Services, hash_password, new_token};

use crate::{
    doors::{ROWS, Takes, code, filled, method},
    pages::pages,
    support::{World, local, read, services},
};

pub(crate) const PASSWORD: &str = "correct horse battery";
/// Routes that nobody need be known for.
const OPEN: [&str; 4] = ["/healthz", "/readyz", "/openapi.json", "/api/v1/sign-in"];

/// A server with three people, and a key of each.
pub(crate) struct Company {
    pub(crate) world: World,
    pub(crate) keys: [String; 3],
}

const PEOPLE: [(&str, &str, AccountRole); 3] = [
    ("acme", "anna@acme.example", AccountRole::Admin),
    ("acme", "bo@acme.example", AccountRole::Recruiter),
    ("other", "carl@other.example", AccountRole::Admin),
];

impl Company {
    pub(crate) async fn new() -> Self {
        Self::with(local()).await
    }

    pub(crate) async fn with(options: ServerOptions) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let hash = hash_password("x", PASSWORD).unwrap();
        let mut keys = Vec::new();
        for (tenant, name, role) in PEOPLE {
            let account = Account {
                id: format!("id-{name}"),
                tenant: tenant.to_owned(),
                name: name.to_owned(),
                role,
                password: Some(hash.clone()),
                disabled: false,
                created_at: Clock::System.now(),
                person: None,
                role_by_directory: false,
            };
            store.save_account(account.clone()).await.unwrap();
            let (token, secret) = new_token(&account, TokenKind::ApiKey, "test", Clock::System.now(), None);
            store.save_token(token).await.unwrap();
            keys.push(secret);
        }
        let slow = Answer::text("Late.").after(Duration::from_mins(1));
        let model = PlannedModel::new("planned").on("Slow", [slow]).on("Stall", [Answer::stalls("Wait ")]);
        let model = Arc::new(model);
        let pages = Some(Arc::new(pages()));
        let services = Services { accounts: true, pages, ..services(&store, &model) };
        Self { world: World::serving(services, options).await, keys: keys.try_into().unwrap() }
    }

    pub(crate) fn request(&self, person: usize, name: &str, path: &str) -> RequestBuilder {
        self.world.request(method(name), path).bearer_auth(&self.keys[person])
    }

    pub(crate) async fn ask(
        &self,
        person: usize,
        name: &str,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let mut request = self.request(person, name, path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request.send().await.unwrap()).await
    }

    /// A session of somebody, with a turn in it.
    pub(crate) async fn session(&self, person: usize) -> String {
        let (status, session) = self.ask(person, "post", "/api/v1/sessions", Some(json!({}))).await;
        assert_eq!(status, StatusCode::CREATED, "{session}");
        let id = session["session_id"].as_str().unwrap().to_owned();
        let body = json!({"message": "a secret of ours", "wait": true});
        let (status, report) =
            self.ask(person, "post", &format!("/api/v1/sessions/{id}/turns"), Some(body)).await;
        assert_eq!(status, StatusCode::OK, "{report}");
        id
    }
}

/// B10: without a sign-in nothing but the open routes answers, whatever route it is.
#[tokio::test]
async fn nobody_gets_in_without_being_known() {
    let company = Company::new().await;
    let id = company.session(0).await;
    for (name, path, takes) in ROWS.iter().filter(|(_, path, _)| !OPEN.contains(path)) {
        for wrong in [None, Some("Bearer tata_wrong"), Some("Bearer "), Some("Basic YTpi")] {
            let mut request = company.world.request(method(name), &filled(path, &id));
            if let Some(wrong) = wrong {
                request = request.header("authorization", wrong);
            }
            if *takes == Takes::Json {
                request = request.json(&json!({}));
            }
            let (status, answer) = read(request.send().await.unwrap()).await;
            assert_eq!(
                (status, code(&answer)),
                (StatusCode::UNAUTHORIZED, "unauthenticated"),
                "{name} {path} {wrong:?}: {answer}"
            );
        }
    }
}

/// B10, S1: what belongs to a colleague or to another company does not exist, on every route that names a session.
#[tokio::test]
async fn what_is_anothers_is_not_there_on_any_route() {
    let company = Company::new().await;
    let id = company.session(0).await;
    for person in [1, 2] {
        for (name, path, takes) in ROWS.iter().filter(|(_, path, _)| path.contains("{id}")) {
            let body = (*takes == Takes::Json)
                .then(|| json!({"message": "x", "rating": "up", "version": 1, "decisions": []}));
            let (status, answer) = company.ask(person, name, &filled(path, &id), body).await;
            assert_eq!(
                (status, code(&answer)),
                (StatusCode::NOT_FOUND, "session_not_found"),
                "{name} {path}: {answer}"
            );
        }
        let (_, listed) = company.ask(person, "get", "/api/v1/sessions", None).await;
        assert_eq!(listed["sessions"], json!([]), "{listed}");
        let (_, found) = company.ask(person, "get", "/api/v1/search?q=secret", None).await;
        assert!(!found.to_string().contains("secret of ours"), "{found}");
        let body = json!({"model": "tata", "input": "go on", "conversation": id});
        let (status, answer) = company.ask(person, "post", "/v1/responses", Some(body)).await;
        assert!(!status.is_success(), "{answer}");
    }
    let (_, listed) = company.ask(0, "get", "/api/v1/sessions", None).await;
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1, "{listed}");
}

/// S3: a browser is known by a cookie that scripts and other sites do not get, and only for what our own pages ask.
#[tokio::test]
async fn a_browser_signs_in_and_out() {
    let company = Company::new().await;
    let sign_in = |password: &str| {
        let body = json!({"name": "anna@acme.example", "password": password});
        company.world.request(Method::POST, "/api/v1/sign-in").json(&body)
    };
    let (status, answer) = read(sign_in("wrong horse battery").send().await.unwrap()).await;
    assert_eq!((status, code(&answer)), (StatusCode::UNAUTHORIZED, "wrong_sign_in"));
    let signed_in = sign_in(PASSWORD).send().await.unwrap();
    assert_eq!(signed_in.status(), StatusCode::OK);
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("__Host-tata=") && cookie.contains("HttpOnly"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let with = |name: &str, path: &str| company.world.request(method(name), path).header("cookie", &cookie);
    let (status, me) = read(with("get", "/api/v1/me").send().await.unwrap()).await;
    assert_eq!((status, me["name"].as_str()), (StatusCode::OK, Some("anna@acme.example")));
    assert!(!me.to_string().contains("argon2"), "{me}");
    // A cookie alone proves nothing about the page.
    let (status, answer) =
        read(with("post", "/api/v1/sessions").json(&json!({})).send().await.unwrap()).await;
    assert_eq!((status, code(&answer)), (StatusCode::FORBIDDEN, "cross_site"));
    let own = with("post", "/api/v1/sessions").header("sec-fetch-site", "same-origin").json(&json!({}));
    assert_eq!(own.send().await.unwrap().status(), StatusCode::CREATED);
    let out = with("post", "/api/v1/sign-out").header("sec-fetch-site", "same-origin").send().await.unwrap();
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    let (status, _) = read(with("get", "/api/v1/me").send().await.unwrap()).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// Guessing is slow, for names that exist and for names that do not.
#[tokio::test]
async fn guessing_a_password_ends_in_a_pause() {
    let company = Company::new().await;
    for name in ["anna@acme.example", "nobody@acme.example"] {
        let body = json!({"name": name, "password": "guess number one"});
        let mut last = StatusCode::OK;
        for _ in 0..12 {
            let request = company.world.request(Method::POST, "/api/v1/sign-in").json(&body);
            let (status, answer) = read(request.send().await.unwrap()).await;
            last = status;
            if status == StatusCode::TOO_MANY_REQUESTS {
                assert_eq!(code(&answer), "too_many_sign_ins");
                break;
            }
            assert_eq!(code(&answer), "wrong_sign_in");
        }
        assert_eq!(last, StatusCode::TOO_MANY_REQUESTS, "{name}");
    }
}

/// One person's requests are limited, and so are those of a company's people together; other companies do not feel it.
#[tokio::test]
async fn a_company_has_a_limit_of_its_own() {
    let options = ServerOptions { requests_per_second: 1, burst: 6, company_share: 2, ..local() };
    let company = Company::with(options).await;
    let mut taken = [0, 0, 0];
    for (person, count) in taken.iter_mut().enumerate() {
        for _ in 0..20 {
            let (status, answer) = company.ask(person, "get", "/api/v1/me", None).await;
            match status {
                StatusCode::OK => *count += 1,
                _ => {
                    assert_eq!((status, code(&answer)), (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"));
                }
            }
        }
    }
    // A bucket fills while the test runs.
    assert!((6..10).contains(&taken[0]) && (6..10).contains(&taken[2]), "{taken:?}");
    let options = ServerOptions { requests_per_second: 1, burst: 6, company_share: 1, ..local() };
    let company = Company::with(options).await;
    let mut together = 0;
    for at in 0..40 {
        let (status, _) = company.ask(at % 2, "get", "/api/v1/me", None).await;
        together += usize::from(status == StatusCode::OK);
    }
    assert!((6..10).contains(&together), "two people of a company share its limit: {together}");
    assert_eq!(company.ask(2, "get", "/api/v1/me", None).await.0, StatusCode::OK, "another company");
}

/// Keys are told once, work until they are ended, and are one's own.
#[tokio::test]
async fn keys_are_made_used_and_ended() {
    let company = Company::new().await;
    let (status, key) = company.ask(1, "post", "/api/v1/keys", Some(json!({"label": "script"}))).await;
    assert_eq!(status, StatusCode::CREATED, "{key}");
    let (secret, id) = (key["secret"].as_str().unwrap(), key["id"].as_str().unwrap());
    let me = || company.world.request(Method::GET, "/api/v1/me").bearer_auth(secret);
    assert_eq!(me().send().await.unwrap().status(), StatusCode::OK);
    let (_, listed) = company.ask(1, "get", "/api/v1/keys", None).await;
    assert!(listed.to_string().contains(id) && !listed.to_string().contains(secret), "{listed}");
    let (status, _) = company.ask(0, "delete", &format!("/api/v1/keys/{id}"), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "a colleague ended it");
    let (status, _) = company.ask(1, "delete", &format!("/api/v1/keys/{id}"), None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(me().send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let (status, answer) = company.ask(1, "post", "/api/v1/keys", Some(json!({"label": ""}))).await;
    assert_eq!((status, answer["field"].as_str()), (StatusCode::UNPROCESSABLE_ENTITY, Some("label")));
}

/// Admins look after their own company and nobody else does; who is disabled is out at once.
#[tokio::test]
async fn admins_look_after_their_own_company() {
    let company = Company::new().await;
    for (name, path, takes) in ROWS.iter().filter(|(_, path, _)| path.starts_with("/api/v1/accounts")) {
        let body = (*takes == Takes::Json).then(|| json!({"name": "dora", "password": PASSWORD}));
        let body = if *name == "patch" { Some(json!({"disabled": true})) } else { body };
        let (status, answer) = company.ask(1, name, &filled(path, "x"), body).await;
        assert_eq!((status, code(&answer)), (StatusCode::FORBIDDEN, "not_an_admin"), "{name} {path}");
    }
    let new = json!({"name": "dora@acme.example", "password": PASSWORD});
    let (status, dora) = company.ask(0, "post", "/api/v1/accounts", Some(new.clone())).await;
    assert_eq!(
        (status, dora["tenant"].as_str(), dora["role"].as_str()),
        (StatusCode::CREATED, Some("acme"), Some("recruiter"))
    );
    let mixed = json!({"name": "d\u{43e}ra@acme.example", "password": PASSWORD});
    let (status, answer) = company.ask(0, "post", "/api/v1/accounts", Some(mixed)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    let (status, weak) =
        company.ask(0, "post", "/api/v1/accounts", Some(json!({"name": "e", "password": "short"}))).await;
    assert_eq!((status, weak["field"].as_str()), (StatusCode::UNPROCESSABLE_ENTITY, Some("password")));
    let (_, of_acme) = company.ask(0, "get", "/api/v1/accounts", None).await;
    assert_eq!(of_acme.as_array().unwrap().len(), 3, "{of_acme}");
    let path = "/api/v1/accounts/id-bo@acme.example";
    let (status, _) = company.ask(2, "patch", path, Some(json!({"disabled": true}))).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "another company's admin changed it");
    let (status, _) = company.ask(0, "patch", path, Some(json!({"disabled": true}))).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = company.ask(1, "get", "/api/v1/me", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let own = "/api/v1/accounts/id-anna@acme.example";
    let (status, answer) = company.ask(0, "patch", own, Some(json!({"role": "recruiter"}))).await;
    assert_eq!((status, code(&answer)), (StatusCode::CONFLICT, "own_account"));
    let (_, trail) = company.ask(0, "get", "/api/v1/audit", None).await;
    let actions: Vec<&str> =
        trail["entries"].as_array().unwrap().iter().filter_map(|entry| entry["action"].as_str()).collect();
    assert_eq!(actions, ["account.changed", "account.made"]);
    let (_, others) = company.ask(2, "get", "/api/v1/audit", None).await;
    assert_eq!(others["entries"], json!([]), "{others}");
    let (status, _) = company.ask(1, "get", "/metrics", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// That a name exists, in one's own company or in another, spelled so or only alike, is not to be read from the answer.
#[tokio::test]
async fn a_refused_name_does_not_tell_whose_it_is() {
    let company = Company::new().await;
    let mut told = Vec::new();
    // Anna is of the first one's company and of another than the last one's.
    for (person, name) in [
        (0, "anna@acme.example"),
        (0, "ANNA@acme.example"),
        (2, "anna@acme.example"),
        (2, "Anna@Acme.example"),
        (2, "\u{ff41}nna@acme.example"),
    ] {
        let body = json!({"name": name, "password": PASSWORD});
        let (status, mut answer) = company.ask(person, "post", "/api/v1/accounts", Some(body)).await;
        answer.as_object_mut().unwrap().remove("request_id");
        told.push((status, answer));
    }
    assert_eq!(told[0].0, StatusCode::UNPROCESSABLE_ENTITY, "{told:?}");
    assert_eq!(told[0].1["field"], "name");
    assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    assert!(!told[0].1.to_string().contains("anna"), "{told:?}");
}

/// Whoever tries passwords fills no audit: that it happened is told, and how often.
#[tokio::test]
async fn wrong_tries_do_not_fill_the_audit() {
    let company = Company::new().await;
    let mut refused = 0;
    for _ in 0..8 {
        let body = json!({"name": "bo@acme.example", "password": "guess number one"});
        let request = company.world.request(Method::POST, "/api/v1/sign-in").json(&body);
        refused += usize::from(read(request.send().await.unwrap()).await.0 == StatusCode::UNAUTHORIZED);
    }
    assert!(refused > 5, "{refused}");
    let (_, trail) = company.ask(0, "get", "/api/v1/audit", None).await;
    let entries = trail["entries"].as_array().unwrap();
    let told = entries.iter().filter(|entry| entry["action"] == "account.refused").count();
    assert_eq!(told, 1, "{trail}");
}
