//! The pages, as a browser without scripts gets them.

use std::{sync::Arc, time::Duration};

use jiff::tz::TimeZone;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header::HeaderMap, redirect::Policy};
use serde_json::json;
use tata_core::Store;
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};
use tata_web::{
    AdmitPeer, Choice, ChoiceKind, Finding, Pages, Probe, Sample, Server, ShownDocument, SourceShown,
};
use tokio_util::sync::CancellationToken;

use crate::support::{World, local, services};

/// A model that gives these answers, one a request.
fn answering(answers: Vec<Answer>) -> PlannedModel {
    let model = PlannedModel::new("planned");
    answers.into_iter().zip(1..).fold(model, |model, (answer, number)| model.disturbed(number, answer))
}

pub(crate) fn pages() -> Pages {
    Pages {
        forms: vec!["look_up".to_owned()],
        choice_name: Arc::new(|_, _, _| None),
        document: Arc::new(|artifact, _| ShownDocument {
            name: "Profile".to_owned(),
            title: "Profile <b>".to_owned(),
            language: "en".to_owned(),
            html: Some(format!(
                "<article><p onclick=\"x()\"><span class=\"evidence\" data-sources=\"1\">Calm</span> v{}</p><script>x()</script></article>",
                artifact.version
            )),
            sources: vec![SourceShown { source: "m1".to_owned(), quote: "calm <i>".to_owned() }],
            formats: vec!["md"],
            findings: vec![Finding {
                number: 1,
                text: "young".to_owned(),
                label: "age".to_owned(),
                reason: "It shuts others out.".to_owned(),
                decided: None,
                choices: vec![Choice {
                    kind: ChoiceKind::Ignore,
                    words: String::new(),
                    tool: "look_up",
                    arguments: json!({ "what": "x" }),
                    own_words: None,
                    rating: None,
                }],
            }],
            ..ShownDocument::default()
        }),
        tool_name: Arc::new(|tool, _| tool.replace('_', " ")),
        is_document: Arc::new(|_| true),
        check_model: Arc::new(|name| {
            Box::pin(async move {
                if name == "planned" {
                    return Ok(vec![Probe { what: 0, works: Some(true), detail: "\"ready\"".to_owned() }]);
                }
                Err("There is no such model.".to_owned())
            })
        }),
        sample: Sample {
            title: "Sample".to_owned(),
            steps: Arc::new(|| Ok(vec![("write_profile".to_owned(), json!({ "what": "x" }))])),
            marked: Arc::new(|| None),
            mark: Arc::new(|_| Ok(())),
        },
        collection: None,
        zone: TimeZone::UTC,
    }
}

async fn world(model: PlannedModel) -> World {
    world_of(model, None).await
}

async fn world_of(model: PlannedModel, admit: Option<AdmitPeer>) -> World {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let mut services = services(&store, &Arc::new(model));
    services.pages = Some(Arc::new(pages()));
    services.admit = admit;
    let host = services.host.clone();
    let bound = Server::bind(services, local()).await.unwrap();
    let (address, stop) = (bound.address(), CancellationToken::new());
    let served = tokio::spawn(bound.run(stop.clone()));
    let client = reqwest::ClientBuilder::new().no_proxy().redirect(Policy::none()).build().unwrap();
    World { base: format!("http://{address}"), address, store, host, client, stop, served }
}

async fn page(world: &World, path: &str) -> (StatusCode, HeaderMap, String) {
    read(world.request(Method::GET, path).header("accept", "text/html").send().await.unwrap()).await
}

/// A request with the fields of a form.
fn filled<V: AsRef<str>>(request: RequestBuilder, fields: &[(&str, V)]) -> RequestBuilder {
    let encoded = |text: &str| {
        let mut out = String::new();
        for byte in text.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    };
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", encoded(value.as_ref()))).collect();
    request.header("content-type", "application/x-www-form-urlencoded").body(pairs.join("&"))
}

async fn read(response: Response) -> (StatusCode, HeaderMap, String) {
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, response.text().await.unwrap())
}

fn form(fields: &[(&str, &str)], file: Option<(&str, &str)>) -> (String, String) {
    let mut body = String::new();
    for (name, value) in fields {
        body.push_str(&format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        ));
    }
    if let Some((name, text)) = file {
        body.push_str(&format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n"
        ));
    }
    body.push_str("--edge--\r\n");
    ("multipart/form-data; boundary=edge".to_owned(), body)
}

async fn send(
    world: &World,
    path: &str,
    fields: &[(&str, &str)],
    file: Option<(&str, &str)>,
) -> (StatusCode, HeaderMap, String) {
    let (kind, body) = form(fields, file);
    let request =
        world.request(Method::POST, path).header("accept", "text/html").header("content-type", kind);
    read(request.body(body).send().await.unwrap()).await
}

fn place(headers: &HeaderMap) -> String {
    headers["location"].to_str().unwrap().split('#').next().unwrap().to_owned()
}

/// A project with one document.
async fn project(world: &World) -> String {
    let (status, headers, body) = send(world, "/say", &[("message", "Hello <b>there</b>")], None).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
    place(&headers)
}

/// One answer of quotation marks kept the server busy for minutes at every look, and everybody waited for it.
#[tokio::test]
async fn a_poisoned_answer_is_shown_and_keeps_nobody_waiting() {
    for (answer, shown) in [(">".repeat(60_000), "&gt;&gt;&gt;"), ("&".repeat(90_000), "&amp;&amp;&amp;")] {
        let world = world(answering(vec![Answer::text(&answer)])).await;
        let project = project(&world).await;
        let looks = futures_util::future::join_all((0..4).map(|_| page(&world, &project)));
        let others = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            tokio::time::timeout(Duration::from_secs(5), world.get("/healthz")).await
        };
        let (looked, alive) = tokio::join!(looks, others);
        assert_eq!(alive.unwrap().0, StatusCode::OK, "nobody was served meanwhile");
        for (status, _, body) in looked {
            assert_eq!(status, StatusCode::OK);
            assert!(body.contains(shown) && body.matches("<blockquote>").count() <= 20, "{}", body.len());
        }
    }
}

#[tokio::test]
async fn a_page_has_a_policy_that_lets_nothing_in() {
    let world = world(answering(vec![])).await;
    let (status, headers, body) = page(&world, "/").await;
    assert_eq!(status, StatusCode::OK);
    let policy = headers["content-security-policy"].to_str().unwrap();
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(nonce.len() >= 32 && body.contains(&format!("nonce=\"{nonce}\"")), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for part in
        ["default-src 'none'", "require-trusted-types-for 'script'", "trusted-types tata", "base-uri 'none'"]
    {
        assert!(policy.contains(part), "{part}: {policy}");
    }
    let (_, other, _) = page(&world, "/").await;
    assert_ne!(other["content-security-policy"], headers["content-security-policy"], "a nonce is used once");
    for script in body.split("<script").skip(1) {
        assert!(script.contains("nonce=") && script.contains("src="), "{script}");
    }
    for word in ["onclick=", "style=", "http://", "https://"] {
        assert!(!body.contains(word), "{word}");
    }
    // What the page names is there, for a year.
    let sheet =
        body.split("href=\"").find(|part| part.contains("base.css")).unwrap().split('"').next().unwrap();
    let (status, headers, css) = page(&world, sheet).await;
    assert_eq!(status, StatusCode::OK);
    assert!(headers["cache-control"].to_str().unwrap().contains("immutable") && css.contains(":root"));
    let (status, ..) = page(&world, "/assets/0000000000000000/base.css").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_conversation_needs_no_script() {
    let model = answering(vec![
        Answer::text("**Hi** <script>alert(1)</script>"),
        Answer::text("Read."),
        Answer::text("Other."),
        Answer::text("Changed."),
    ]);
    let world = world(model).await;
    let project = project(&world).await;
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("Hello &#60;b&#62;there") || body.contains("Hello &lt;b&gt;there"), "{body}");
    assert!(body.contains("<strong>Hi</strong>") && !body.contains("<script>alert"), "{body}");
    let (status, headers, body) = send(
        &world,
        &format!("{project}/say"),
        &[("message", "What is in it?")],
        Some(("../notes.txt", "Must have calm")),
    )
    .await;
    assert_eq!((status, place(&headers)), (StatusCode::SEE_OTHER, project.clone()), "{body}");
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("Must have calm") && body.contains("What is in it?"), "{body}");
    // Asked again, and changed: the last turn makes room.
    let (status, ..) = send(&world, &format!("{project}/again"), &[], None).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("Other.") && !body.contains("Read."), "{body}");
    let number = body.split("?edit=").nth(1).unwrap().split('#').next().unwrap().to_owned();
    let (_, _, edit) = page(&world, &format!("{project}?edit={number}")).await;
    assert!(edit.contains("What is in it?</textarea>"), "{edit}");
    let fields = [("message", "And now?"), ("replaces", number.as_str())];
    let (status, _, body) = send(&world, &format!("{project}/say"), &fields, None).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("Changed.") && !body.contains("Other."), "{body}");
    let (status, _, body) = send(&world, &format!("{project}/say"), &fields, None).await;
    assert_eq!(status, StatusCode::CONFLICT, "a question of before: {body}");
}

#[tokio::test]
async fn what_goes_wrong_is_a_page_for_people_and_a_document_for_scripts() {
    let world = world(answering(vec![])).await;
    let (status, headers, body) = page(&world, "/p/00000000-0000-4000-8000-000000000000").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(headers["content-type"].to_str().unwrap().starts_with("text/html"), "{headers:?}");
    assert!(body.contains("Something went wrong") && body.contains("There is no conversation"), "{body}");
    for (fields, file, status) in [
        (vec![("message", "  ")], None, StatusCode::UNPROCESSABLE_ENTITY),
        (vec![("message", "x")], Some(("a.bad", "x")), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (found, _, body) = send(&world, "/say", &fields, file).await;
        assert_eq!(found, status, "{body}");
    }
    let large = "x".repeat(1001);
    let (status, _, body) = send(&world, "/say", &[], Some(("a.txt", &large))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{body}");
    assert!(body.contains("1001 bytes"), "{body}");
    let (kind, body) = form(&[], Some(("a.bad", "x")));
    let request = world.request(Method::POST, "/files/read").header("content-type", kind).body(body);
    let (status, _, body) = read(request.header("accept", "application/json").send().await.unwrap()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(body.contains("a.bad: it is damaged"), "{body}");
    let (status, headers, _) = page(&world, "/api/v1/nothing").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(headers["content-type"], "application/problem+json");
}

#[tokio::test]
async fn a_document_is_read_compared_approved_and_taken() {
    let calls = |id: &str| Answer::calls(&[(id, "write_profile", r#"{"what":""}"#)]);
    let model = answering(vec![calls("a"), Answer::text("Done."), calls("b"), Answer::text("Again.")]);
    let world = world(model).await;
    let project = project(&world).await;
    send(&world, &format!("{project}/say"), &[("message", "more")], None).await;
    let (_, _, body) = page(&world, &project).await;
    let address = body.split("class=\"made\" href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let (status, _, body) = page(&world, &address).await;
    assert_eq!(status, StatusCode::OK);
    assert!(body.contains("tabindex=\"0\" role=\"note\"") && body.contains("id=\"source-1\""), "{body}");
    assert!(!body.contains("onclick") && !body.contains("<script>"), "{body}");
    assert!(body.contains("It shuts others out."), "{body}");
    let approve = world.request(Method::POST, &format!("{}/approve", address.split('?').next().unwrap()));
    let approved = filled(approve, &[("key", ""), ("version", "2")]).send().await.unwrap();
    assert_eq!(approved.status(), StatusCode::SEE_OTHER, "{}", approved.text().await.unwrap());
    let (_, _, body) = page(&world, &address).await;
    assert!(body.contains("Approved by local"), "{body}");
    let (_, _, compared) = page(&world, &format!("{address}?version=2&with=1")).await;
    assert!(compared.contains("class=\"compared\""), "{compared}");
    let (status, headers, file) = page(&world, &format!("{address}/file?format=md&version=1")).await;
    assert_eq!((status, file.as_str()), (StatusCode::OK, "# v1 true"));
    assert!(headers["content-disposition"].to_str().unwrap().contains("Profile b v1.md"), "{headers:?}");
    let (status, ..) = page(&world, &format!("{address}/file?format=exe")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // A decision is about the version that was shown.
    let choose = format!("{address}/choose");
    for (version, status) in [("1", StatusCode::CONFLICT), ("2", StatusCode::SEE_OTHER)] {
        let fields = [("key", ""), ("version", version), ("finding", "1"), ("choice", "0")];
        let chosen = filled(world.request(Method::POST, &choose), &fields).send().await.unwrap();
        assert_eq!(chosen.status(), status, "{}", chosen.text().await.unwrap());
    }
}

#[tokio::test]
async fn a_call_that_needs_a_yes_waits_for_it() {
    let model = answering(vec![
        Answer::calls(&[("a", "send_invite", r#"{"what":"Robin <b>"}"#)]),
        Answer::text("Sent."),
    ]);
    let world = world(model).await;
    let project = project(&world).await;
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("May I do this?") && body.contains("Robin"), "{body}");
    let value = |name: &str| {
        let part = body.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
        part.split('"').next().unwrap().to_owned()
    };
    let fields = [("call_id", value("call_id")), ("seal", value("seal")), ("decision", "run".to_owned())];
    let decided =
        filled(world.request(Method::POST, &format!("{project}/decide")), &fields).send().await.unwrap();
    assert_eq!(decided.status(), StatusCode::SEE_OTHER, "{}", decided.text().await.unwrap());
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("Sent.") && !body.contains("May I do this?"), "{body}");
    let again =
        filled(world.request(Method::POST, &format!("{project}/decide")), &fields).send().await.unwrap();
    assert_eq!(again.status(), StatusCode::CONFLICT);
}

/// What is approved is what is read: a character that hides or turns words around is shown by its number, wherever it
/// stands.
#[tokio::test]
async fn nothing_is_hidden_in_what_a_person_approves() {
    let arguments = "{\"what\":\"pay \u{202e}001\u{200b} to\u{e0041} \u{3164}Robin\"}";
    let model = answering(vec![Answer::calls(&[("a", "send_invite", arguments)])]);
    let world = world(model).await;
    let project = project(&world).await;
    let title = [("title", "CV \u{202e}fdp.exe")];
    let renamed = filled(world.request(Method::POST, &format!("{project}/rename")), &title);
    assert_eq!(renamed.send().await.unwrap().status(), StatusCode::SEE_OTHER);
    let (_, _, body) = page(&world, &project).await;
    assert!(body.contains("pay [U+202E]001[U+200B] to[U+E0041] [U+3164]Robin"), "{body}");
    assert!(body.contains("CV [U+202E]fdp.exe"), "{body}");
    let (_, _, body) = page(&world, "/projects").await;
    assert!(body.contains("CV [U+202E]fdp.exe"), "{body}");
}

#[tokio::test]
async fn projects_are_found_renamed_pinned_deleted_and_taken_back() {
    let world = world(answering(vec![Answer::text("Hi")])).await;
    let project = project(&world).await;
    let post = |path: String, fields: Vec<(&'static str, &'static str)>| {
        let request = filled(world.request(Method::POST, &path).header("accept", "text/html"), &fields);
        async move { read(request.send().await.unwrap()).await }
    };
    let (status, ..) = post(format!("{project}/rename"), vec![("title", "Köln & <i>")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (_, _, body) = page(&world, "/projects?q=k%C3%B6ln").await;
    assert!(body.contains("Köln &#38; &#60;i&#62;") || body.contains("Köln &amp; &lt;i&gt;"), "{body}");
    let (_, headers, _) = post(format!("{project}/pin"), vec![]).await;
    let cookie = headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let request = world.request(Method::GET, "/projects").header("cookie", cookie);
    assert!(read(request.send().await.unwrap()).await.2.contains("Pinned"));
    let (_, headers, _) = post(format!("{project}/delete"), vec![]).await;
    let (_, _, body) = page(&world, &place(&headers)).await;
    assert!(body.contains("The project was deleted.") && !body.contains("Köln"), "{body}");
    assert_eq!(page(&world, &project).await.0, StatusCode::NOT_FOUND, "it is not there while it waits");
    let id = project.trim_start_matches("/p/");
    let (status, _, body) = page(&world, &format!("/api/v1/sessions/{id}")).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "a program still reads it: {body}");
    for path in ["/api/v1/sessions", "/api/v1/search?q=hello", "/projects?q=hello"] {
        let (status, _, body) = page(&world, path).await;
        assert!(status == StatusCode::OK && !body.contains("there"), "{path} still shows it: {body}");
    }
    let (status, ..) = post(format!("{project}/undelete"), vec![]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(page(&world, &project).await.0, StatusCode::OK);
    let (status, ..) = post(format!("{project}/undelete"), vec![]).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_page_speaks_five_languages_and_keeps_what_is_liked() {
    let world = world(answering(vec![])).await;
    for (tag, word) in [
        ("en", "Settings"),
        ("de-AT", "Einstellungen"),
        ("sv", "Inställningar"),
        ("da", "Indstillinger"),
        ("nn", "Innstillinger"),
    ] {
        for path in ["/", "/projects", "/documents", "/models", "/settings"] {
            let request = world.request(Method::GET, path).header("accept-language", tag);
            let (status, _, body) = read(request.send().await.unwrap()).await;
            assert!(status == StatusCode::OK && body.contains(word), "{tag} {path}: {body}");
        }
    }
    let liked = [("language", "no"), ("theme", "dark")];
    let saved = filled(world.request(Method::POST, "/settings"), &liked).send().await.unwrap();
    let cookies: Vec<String> = saved
        .headers()
        .get_all("set-cookie")
        .iter()
        .map(|one| one.to_str().unwrap().split(';').next().unwrap().to_owned())
        .collect();
    let request = world.request(Method::GET, "/settings").header("cookie", cookies.join("; "));
    let (_, _, body) = read(request.send().await.unwrap()).await;
    assert!(body.contains("lang=\"no\" data-theme=\"dark\""), "{body}");
    let wrong = filled(world.request(Method::POST, "/settings"), &[("language", "xx"), ("theme", "dark")]);
    assert_eq!(wrong.send().await.unwrap().status(), StatusCode::UNPROCESSABLE_ENTITY);
    let checked =
        filled(world.request(Method::POST, "/models/check"), &[("model", "planned")]).send().await.unwrap();
    assert!(checked.text().await.unwrap().contains("works"));
}

#[tokio::test]
async fn a_strangers_page_can_press_nothing() {
    let world = world(answering(vec![Answer::text("Hi")])).await;
    let project = project(&world).await;
    for path in ["stop", "again", "delete", "pin", "rename"] {
        let request = world
            .request(Method::POST, &format!("{project}/{path}"))
            .header("origin", "https://evil.example");
        let (status, ..) = read(filled(request, &[("title", "x")]).send().await.unwrap()).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
    }
}

/// Who may not connect gets one sentence on every route, and no page: a page shows what is here.
#[tokio::test]
async fn a_connection_that_is_not_admitted_gets_a_sentence_and_nothing_else() {
    let admit: AdmitPeer = Arc::new(|peer, here| {
        assert!(peer.ip().is_loopback() && peer.port() != here.port());
        Err("This server is somebody else's.".to_owned())
    });
    let world = world_of(answering(vec![Answer::text("Hi")]), Some(admit)).await;
    let paths = ["/", "/projects", "/api/v1/sessions", "/v1/models", "/healthz", "/assets/x/y", "/nowhere"];
    for method in [Method::GET, Method::POST, Method::DELETE] {
        for path in paths {
            let request = world.request(method.clone(), path).header("accept", "text/html");
            let (status, headers, body) = read(request.send().await.unwrap()).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{method} {path}: {body}");
            assert!(body.contains("somebody else"), "{method} {path}: {body}");
            assert!(
                headers["content-type"].to_str().unwrap().contains("json"),
                "{method} {path}: {headers:?}"
            );
        }
    }
}
