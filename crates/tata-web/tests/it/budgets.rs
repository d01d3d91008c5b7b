//! What strangers and single people may use, over real sockets: nobody takes what others need, and memory has a limit
//! before anybody has said who they are.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_web::ServerOptions;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    accounts::{Company, PASSWORD},
    doors::code,
    support::{World, local, read},
};

/// Everything that a connection answers to these bytes, until it ends; one that does not end says nothing for a while.
async fn answers(world: &World, sent: &[u8]) -> String {
    let mut socket = TcpStream::connect(world.address).await.unwrap();
    // The server may close before all is written.
    let _early = socket.write_all(sent).await;
    let mut all = Vec::new();
    let mut piece = vec![0; 16 * 1024];
    while let Ok(Ok(count @ 1..)) =
        tokio::time::timeout(Duration::from_secs(5), socket.read(&mut piece)).await
    {
        all.extend_from_slice(&piece[..count]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

fn sign_in(company: &Company, from: &str, name: &str, password: &str) -> reqwest::RequestBuilder {
    let body = json!({"name": name, "password": password});
    company.world.request(Method::POST, "/api/v1/sign-in").header("x-forwarded-for", from).json(&body)
}

/// A server that was told of the proxy before it, so that a test comes from where it says.
fn proxied() -> ServerOptions {
    ServerOptions { proxies: vec!["127.0.0.1".parse().unwrap()], ..local() }
}

/// Each made-up method had a row of its own in the counters for good, and stood twice on each line of the log.
#[tokio::test]
async fn made_up_methods_take_no_memory() {
    let options = ServerOptions { metrics_key: Some("of the operator".to_owned()), ..local() };
    let company = Company::with(options).await;
    let counters = || async {
        let request = company.world.request(Method::GET, "/metrics").bearer_auth("of the operator");
        read(request.send().await.unwrap()).await
    };
    let (status, before) = counters().await;
    assert_eq!(status, StatusCode::OK);
    for number in 0..50 {
        let method = format!("M{number}{}", "X".repeat(3_000));
        let request = format!("{method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let told = answers(&company.world, request.as_bytes()).await;
        assert!(told.starts_with("HTTP/1.1 4"), "{number}");
    }
    let (_, after) = counters().await;
    let (before, after) = (before.as_str().unwrap(), after.as_str().unwrap());
    assert!(after.len() < before.len() + 10_000, "{} bytes became {}", before.len(), after.len());
    assert!(after.contains("method=\"(other)\""), "{after}");
}

/// A sign-in of megabytes was read, and its name kept.
#[tokio::test]
async fn a_sign_in_is_small_or_refused_before_it_is_read() {
    let company = Company::new().await;
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 4000000\r\n\r\n{\"name\":\"";
    let told = answers(&company.world, head.as_bytes()).await;
    assert!(told.starts_with("HTTP/1.1 413") && told.contains("body_too_large"), "{told}");
    // One that does not say how long it is ends at the limit.
    let piece = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    let head = "POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    let told = answers(&company.world, format!("{head}{}", piece.repeat(3)).as_bytes()).await;
    assert!(told.starts_with("HTTP/1.1 413") && told.contains("4096"), "{told}");
}

/// Nothing of a body is read of whoever is not known, on whatever route, and with whatever key.
#[tokio::test]
async fn a_body_of_a_stranger_is_not_read() {
    let company = Company::new().await;
    for (path, header) in [
        ("/api/v1/sessions", ""),
        ("/api/v1/sessions", "Idempotency-Key: one\r\n"),
        ("/nothing/here", "Idempotency-Key: one\r\n"),
        ("/v1/chat/completions", "Authorization: Bearer tata_wrong\r\n"),
    ] {
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{header}Content-Length: 4000000\r\n\r\n{{");
        let told = answers(&company.world, head.as_bytes()).await;
        assert!(told.starts_with("HTTP/1.1 401"), "{path} {header}: it waited for the body: {told}");
    }
}

/// What is half sent is held for all and for each up to a limit, and given back.
#[tokio::test]
async fn bodies_on_their_way_have_a_limit_together() {
    let options = ServerOptions { body_bytes_of_one: 300_000, body_bytes: 500_000, ..local() };
    let company = Company::with(options).await;
    let half = |person: usize| {
        let head = format!(
            "POST /api/chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nContent-Length: 900000\r\n\r\n",
            company.keys[person]
        );
        let address = company.world.address;
        async move {
            let mut socket = TcpStream::connect(address).await.unwrap();
            socket.write_all(head.as_bytes()).await.unwrap();
            socket.write_all(&vec![b' '; 200_000]).await.unwrap();
            tokio::time::sleep(Duration::from_millis(300)).await;
            socket
        }
    };
    let first = half(0).await;
    let mut second = half(0).await;
    let mut told = [0; 12];
    second.read_exact(&mut told).await.unwrap();
    assert_eq!(&told, b"HTTP/1.1 429", "one person");
    let _of_another = half(1).await;
    let mut third = half(2).await;
    third.read_exact(&mut told).await.unwrap();
    assert_eq!(&told, b"HTTP/1.1 429", "all together");
    drop((first, second));
    tokio::time::sleep(Duration::from_millis(300)).await;
    let long = json!({"message": "x".repeat(200_000)});
    let (status, answer) = company.ask(0, "post", "/api/chat", Some(long)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
}

/// One stranger who asks and asks kept everybody from signing in, and made the server look ill.
#[tokio::test]
async fn a_stranger_who_asks_too_often_is_in_nobodys_way() {
    let company = Company::with(ServerOptions { requests_per_second: 1, burst: 5, ..proxied() }).await;
    let from = |place: &str, path: &str| {
        company.world.request(Method::GET, path).header("x-forwarded-for", place).send()
    };
    let mut refused = 0;
    for _ in 0..30 {
        let status = from("198.51.100.1", "/openapi.json").await.unwrap().status();
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(from("198.51.100.1", "/healthz").await.unwrap().status(), StatusCode::OK);
        assert_eq!(from("198.51.100.1", "/readyz").await.unwrap().status(), StatusCode::OK);
    }
    assert!(refused >= 20, "{refused}");
    assert_eq!(from("203.0.113.9", "/openapi.json").await.unwrap().status(), StatusCode::OK);
    // Also from there: signing in is counted by itself.
    let entered = sign_in(&company, "198.51.100.1", "bo@acme.example", PASSWORD).send().await.unwrap();
    assert_eq!(entered.status(), StatusCode::OK);
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::OK);
}

/// What a caller says of where they come from counts only if it comes through a proxy that the server knows.
#[tokio::test]
async fn nobody_is_another_place_by_saying_so() {
    let company = Company::with(ServerOptions { requests_per_second: 1, burst: 5, ..local() }).await;
    let mut refused = 0;
    for number in 0..30 {
        let place = format!("198.51.100.{number}");
        let request =
            company.world.request(Method::GET, "/openapi.json").header("x-forwarded-for", place).send();
        refused += usize::from(request.await.unwrap().status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 20, "{refused}");
}

/// Thousands of guessed keys were answered without a pause.
#[tokio::test]
async fn keys_that_are_not_known_are_counted() {
    let company = Company::with(ServerOptions { requests_per_second: 1, burst: 5, ..local() }).await;
    let mut statuses = Vec::new();
    for number in 0..30 {
        let request = company.world.request(Method::GET, "/api/v1/me").bearer_auth(format!("tata_{number}"));
        statuses.push(request.send().await.unwrap().status());
    }
    let refused = statuses.iter().filter(|status| **status == StatusCode::TOO_MANY_REQUESTS).count();
    assert!(refused >= 20 && statuses[0] == StatusCode::UNAUTHORIZED, "{statuses:?}");
    assert_eq!(
        company.ask(1, "get", "/api/v1/me", None).await.0,
        StatusCode::OK,
        "who is known is not concerned"
    );
}

/// Twelve wrong tries of somebody kept the right person out, and kept them from changing their own password.
#[tokio::test]
async fn wrong_tries_of_others_keep_nobody_out() {
    let company = Company::with(proxied()).await;
    let name = "bo@acme.example";
    let home = "203.0.113.9";
    assert_eq!(sign_in(&company, home, name, PASSWORD).send().await.unwrap().status(), StatusCode::OK);
    let mut last = StatusCode::OK;
    for _ in 0..12 {
        last = sign_in(&company, "198.51.100.1", name, "guess number one").send().await.unwrap().status();
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    let (status, told) = read(sign_in(&company, "198.51.100.1", name, PASSWORD).send().await.unwrap()).await;
    assert_eq!((status, code(&told)), (StatusCode::TOO_MANY_REQUESTS, "too_many_sign_ins"), "from there");
    assert_eq!(sign_in(&company, home, name, PASSWORD).send().await.unwrap().status(), StatusCode::OK);
    // Many places together are slowed down, and who signed in before is not.
    let mut slowed = 0;
    for place in 0..20 {
        for _ in 0..5 {
            let from = format!("198.51.101.{place}");
            let told = sign_in(&company, &from, name, "guess number one").send().await.unwrap();
            slowed += usize::from(told.status() == StatusCode::TOO_MANY_REQUESTS);
        }
    }
    assert!(slowed >= 20, "{slowed} of 100 guesses from twenty places were slowed down");
    assert_eq!(sign_in(&company, home, name, PASSWORD).send().await.unwrap().status(), StatusCode::OK);
    let change = json!({"old": PASSWORD, "password": "another horse battery"});
    let (status, told) = company.ask(1, "put", "/api/v1/me/password", Some(change)).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{told}");
}

/// Each way of writing a name had eight tries of its own, and all of them signed in to the same account.
#[tokio::test]
async fn a_name_has_one_limit_of_tries_however_it_is_typed() {
    let company = Company::with(proxied()).await;
    let from = "198.51.100.7";
    let mut last = StatusCode::OK;
    for typed in [
        "bo@acme.example",
        "BO@acme.example",
        "Bo@Acme.Example",
        "b\u{43e}@acme.example",
        " bo@acme.example ",
    ] {
        for _ in 0..2 {
            last = sign_in(&company, from, typed, "guess number one").send().await.unwrap().status();
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

/// A turn of somebody that runs for a while: where its events are.
async fn running(company: &Company, person: usize) -> String {
    let session = company.session(person).await;
    let said = Some(json!({"message": "Slow"}));
    let (status, begun) =
        company.ask(person, "post", &format!("/api/v1/sessions/{session}/turns"), said).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{begun}");
    format!("/api/v1/sessions/{session}/events")
}

/// One person's thousands of event streams shut everybody out.
#[tokio::test]
async fn one_person_follows_so_many_streams_and_no_more() {
    let company = Company::with(ServerOptions { streams_per_person: 3, ..local() }).await;
    let path = running(&company, 1).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let stream = company.request(1, "get", &path).send().await.unwrap();
        assert_eq!(stream.status(), StatusCode::OK);
        open.push(stream);
    }
    let (status, told) = company.ask(1, "get", &path, None).await;
    assert_eq!((status, code(&told)), (StatusCode::TOO_MANY_REQUESTS, "too_many_streams"));
    assert!(told["detail"].as_str().unwrap().contains("Close one"), "{told}");
    let other = running(&company, 0).await;
    assert_eq!(
        company.request(0, "get", &other).send().await.unwrap().status(),
        StatusCode::OK,
        "a colleague"
    );
    assert_eq!(company.ask(1, "get", "/api/v1/me", None).await.0, StatusCode::OK, "short requests");
    open.pop();
    let mut again = StatusCode::TOO_MANY_REQUESTS;
    for _ in 0..50 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        again = company.request(1, "get", &path).send().await.unwrap().status();
        if again == StatusCode::OK {
            break;
        }
    }
    assert_eq!(again, StatusCode::OK, "one that was closed makes room");
}

/// One address took all connections.
#[tokio::test]
async fn one_address_takes_its_share_of_connections() {
    let company = Company::with(ServerOptions { connections_per_address: 4, ..local() }).await;
    let path = running(&company, 1).await;
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
        company.keys[1]
    );
    let mut busy = Vec::new();
    for _ in 0..4 {
        let mut socket = TcpStream::connect(company.world.address).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut told = [0; 12];
        socket.read_exact(&mut told).await.unwrap();
        assert_eq!(&told, b"HTTP/1.1 200");
        busy.push(socket);
    }
    let told = answers(&company.world, b"").await;
    assert!(told.starts_with("HTTP/1.1 429") && told.contains("too_many_connections"), "{told}");
    drop(busy);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let told =
        answers(&company.world, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .await;
    assert!(told.starts_with("HTTP/1.1 200"), "{told}");
}

/// Requests that two readers could take for two things are refused.
#[tokio::test]
async fn a_request_that_names_two_hosts_is_refused() {
    let world = World::new(tata_testkit::PlannedModel::new("planned")).await;
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost", "400"),
        ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost", "400"),
        ("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost", "200"),
        ("GET /healthz HTTP/1.1\r\nHost: localhost", "200"),
    ] {
        let told = answers(&world, format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).await;
        assert!(told.starts_with(&format!("HTTP/1.1 {status}")), "{head}: {told}");
    }
    // A body with a length and in pieces is read in pieces, and nothing is read after it on this connection.
    let both = "POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n\
                GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let told = answers(&world, both.as_bytes()).await;
    assert_eq!(told.matches("HTTP/1.1 ").count(), 1, "{told}");
}

/// A page of another site made requests in the background that were counted as one's own.
#[tokio::test]
async fn a_foreign_page_loads_nothing_and_uses_up_nothing() {
    let options = ServerOptions { requests_per_second: 1, burst: 5, ..local() };
    let world = World::with(tata_testkit::PlannedModel::new("planned"), options).await;
    let with = |headers: &[(&str, &str)]| {
        let request = world.request(Method::GET, "/api/v1/agents");
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send()
    };
    let cross = ("sec-fetch-site", "cross-site");
    for headers in [
        &[cross, ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")][..],
        &[cross, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
        &[cross],
    ] {
        for _ in 0..10 {
            let (status, told) = read(with(headers).await.unwrap()).await;
            assert_eq!((status, code(&told)), (StatusCode::FORBIDDEN, "cross_site"), "{headers:?}");
        }
    }
    let link = [cross, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_eq!(with(&link).await.unwrap().status(), StatusCode::OK, "a link leads here");
    assert_eq!(with(&[]).await.unwrap().status(), StatusCode::OK);
}

/// Any company's admin read what all companies use.
#[tokio::test]
async fn the_counters_are_the_operators_alone() {
    let company = Company::new().await;
    for person in [0, 1] {
        assert_eq!(company.ask(person, "get", "/metrics", None).await.0, StatusCode::UNAUTHORIZED);
    }
    let options = ServerOptions { metrics_key: Some("of the operator".to_owned()), ..local() };
    let company = Company::with(options).await;
    assert_eq!(company.ask(0, "get", "/metrics", None).await.0, StatusCode::UNAUTHORIZED, "an admin");
    let with = |key: &str| company.world.request(Method::GET, "/metrics").bearer_auth(key).send();
    assert_eq!(with("of the operato").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let (status, counters) = read(with("of the operator").await.unwrap()).await;
    assert!(
        status == StatusCode::OK && counters.as_str().unwrap().contains("tata_turns_running"),
        "{counters}"
    );
}

/// Files had no limit but that of each.
#[tokio::test]
async fn one_person_brings_so_many_files_a_day() {
    let company = Company::with(ServerOptions { upload_bytes_a_day: 2_500, ..local() }).await;
    let session = company.session(1).await;
    let bring = |name: &str| {
        let path = format!("/api/v1/sessions/{session}/files?name={name}");
        let request = company.request(1, "post", &path).header("content-type", "application/octet-stream");
        request.body("x".repeat(900)).send()
    };
    for name in ["a.txt", "b.txt"] {
        assert_eq!(bring(name).await.unwrap().status(), StatusCode::CREATED);
    }
    let third = bring("c.txt").await.unwrap();
    assert!(third.headers().contains_key("retry-after"));
    let (status, told): (_, Value) = read(third).await;
    assert_eq!((status, code(&told)), (StatusCode::TOO_MANY_REQUESTS, "too_many_uploads"));
    assert!(told["detail"].as_str().unwrap().contains("a day"), "{told}");
}
