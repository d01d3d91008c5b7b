//! Connections that misbehave, and the end of a server.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::json;
use tata_testkit::{Answer, PlannedModel};
use tata_web::{NotServed, Server, ServerOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::support::{Stream, World, local, services};

fn model() -> PlannedModel {
    PlannedModel::new("planned").on("Slow", [Answer::text("Late.").after(Duration::from_millis(400))])
}

/// R7: a connection that says nothing, or says it drop by drop, is ended; others are served meanwhile.
#[tokio::test]
async fn slow_heads_and_idle_sockets_are_ended() {
    let options = ServerOptions { head_time: Duration::from_millis(500), ..local() };
    let world = World::with(model(), options).await;
    let mut silent = TcpStream::connect(world.address).await.unwrap();
    let mut half = TcpStream::connect(world.address).await.unwrap();
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: loc").await.unwrap();
    let mut kept = TcpStream::connect(world.address).await.unwrap();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let begun = Instant::now();
    assert_eq!(world.get("/healthz").await.0, StatusCode::OK);
    for socket in [&mut silent, &mut half, &mut kept] {
        let mut all = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(5), socket.read_to_end(&mut all)).await;
        assert!(ended.is_ok(), "still open");
    }
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

/// Somebody who asks and asks and never reads is left.
#[tokio::test]
async fn a_client_that_does_not_read_is_ended() {
    let options = ServerOptions { write_time: Duration::from_millis(300), burst: 10_000, ..local() };
    let world = World::with(model(), options).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut socket = socket.connect(world.address).await.unwrap();
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    let _until_it_is_full =
        tokio::time::timeout(Duration::from_secs(2), socket.write_all(asked.as_bytes())).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let mut read = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(10), socket.read_to_end(&mut read)).await;
    assert!(ended.is_ok(), "still open after {} bytes", read.len());
    let answers = String::from_utf8_lossy(&read).matches("HTTP/1.1 200").count();
    assert!(answers < 1000, "{answers} answers were written although nobody read");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let world = World::with(model(), ServerOptions { largest_head: 8192, ..local() }).await;
    let mut socket = TcpStream::connect(world.address).await.unwrap();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "x".repeat(20_000));
    // The server may have closed before all is written.
    let _early = socket.write_all(head.as_bytes()).await;
    let mut answer = vec![0; 12];
    socket.read_exact(&mut answer).await.unwrap();
    assert_eq!(String::from_utf8(answer).unwrap(), "HTTP/1.1 431");
}

/// More idle sockets than connections may be open: they are ended, and the next caller is served.
#[tokio::test]
async fn many_idle_sockets_do_not_stop_the_server() {
    let options = ServerOptions { head_time: Duration::from_millis(500), connections: 50, ..local() };
    let world = World::with(model(), options).await;
    let mut sockets = Vec::new();
    for _ in 0..120 {
        sockets.push(TcpStream::connect(world.address).await.unwrap());
    }
    let answered = tokio::time::timeout(Duration::from_secs(10), world.get("/healthz")).await;
    assert_eq!(answered.unwrap().0, StatusCode::OK);
}

#[tokio::test]
async fn without_accounts_only_this_machine_is_served() {
    let store: std::sync::Arc<dyn tata_core::Store> = std::sync::Arc::new(tata_store::MemoryStore::new());
    let services = services(&store, &std::sync::Arc::new(model()));
    let open = ServerOptions::local("0.0.0.0:0".parse().unwrap());
    assert!(matches!(Server::bind(services.clone(), open).await, Err(NotServed::Open(_))));
    let first = Server::bind(services.clone(), local()).await.unwrap();
    let taken = ServerOptions::local(first.address());
    assert!(matches!(Server::bind(services, taken).await, Err(NotServed::Taken { .. })));
}

/// R11: a turn that runs when the server stops comes to its end, its listener is told to come back, and then all is over.
#[tokio::test]
async fn a_server_that_stops_lets_turns_end() {
    let world = World::new(model()).await;
    let session = world.session().await;
    let request =
        world.request(Method::POST, &format!("{session}/turns")).header("accept", "text/event-stream");
    let mut stream = Stream::of(request.json(&json!({"message": "Slow"})).send().await.unwrap());
    assert_eq!(stream.next().await.unwrap().event, "turn_started");
    world.stop.cancel();
    while let Some(_sent) = stream.next().await {}
    tokio::time::timeout(Duration::from_secs(10), world.served).await.unwrap().unwrap();
    let row = world.store.session(crate::support::id_of(&session)).await.unwrap().unwrap();
    assert!(!row.open_turn, "it came to its end");
    assert!(TcpStream::connect(world.address).await.is_err(), "nobody listens any more");
}
