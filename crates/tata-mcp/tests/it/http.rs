//! Servers behind an address: gone, back again, and gone in the middle of a call.

use std::{
    convert::Infallible,
    io::{self, BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use ::http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tata_core::ToolStatus;
use tata_mcp::{McpClient, Reach, ServerConfig};
use tokio::net::TcpListener;

use crate::{
    fixture::{example, options},
    turns::call,
};

fn client(url: &str) -> McpClient {
    let reach =
        Reach::Address { url: url.to_owned(), headers: [("x-key".to_owned(), "canary".into())].into() };
    McpClient::new(ServerConfig { name: "far".to_owned(), reach }, options())
}

fn serve(port: &str) -> (Child, String) {
    let mut child =
        Command::new(example("sample")).args(["athlete", port]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
async fn a_server_that_went_away_is_said_and_one_that_is_back_is_used() {
    let (child, url) = serve("0");
    let client = client(&url);
    client.connect().await.unwrap();
    assert!(call(&client, "far__get-athlete-profile", "{}").await.unwrap().contains("Kim Lind"));
    end(child);
    let gone = call(&client, "far__get-athlete-profile", "{}").await.unwrap_err();
    assert_eq!(gone, ToolStatus::Failed, "it surely did not arrive");
    let port = url.rsplit(':').next().unwrap().split('/').next().unwrap().to_owned();
    let (child, _) = serve(&port);
    assert!(call(&client, "far__get-athlete-profile", "{}").await.unwrap().contains("Kim Lind"));
    // Another server at the same place does not know the session of the one before.
    end(child);
    let (child, _) = serve(&port);
    assert!(call(&client, "far__get-activities", r#"{"days": 3}"#).await.unwrap().contains("\"days\":3"));
    client.close().await;
    end(child);
}

#[tokio::test]
async fn a_connection_that_breaks_during_a_call_leaves_doubt_and_no_second_call() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let calls = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&calls);
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let seen = Arc::clone(&seen);
            let answer = service_fn(move |request| answer(request, Arc::clone(&seen)));
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), answer),
            );
        }
    });
    let client = client(&url);
    client.connect().await.unwrap();
    assert_eq!(call(&client, "far__pay", "{}").await.unwrap_err(), ToolStatus::Uncertain);
    assert_eq!(*calls.lock().unwrap(), ["pay"], "it must not be sent again");
    client.close().await;
}

/// A server that hangs up when a tool is called.
async fn answer(
    request: Request<Incoming>,
    seen: Arc<Mutex<Vec<String>>>,
) -> Result<Response<Full<bytes::Bytes>>, io::Error> {
    let plain = |status: StatusCode| Response::builder().status(status).body(Full::default()).unwrap();
    if request.method() != "POST" {
        return Ok(plain(StatusCode::METHOD_NOT_ALLOWED));
    }
    assert_eq!(request.headers()["x-key"], "canary");
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let message: Value = serde_json::from_slice(&body).unwrap();
    let result = match message["method"].as_str().unwrap() {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "far", "version": "1"},
        }),
        "tools/list" => json!({"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]}),
        "tools/call" => {
            seen.lock().unwrap().push("pay".to_owned());
            return Err(io::Error::other("the line is cut"));
        }
        _ => return Ok(plain(StatusCode::ACCEPTED)),
    };
    let text = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    Ok(Response::builder().header("content-type", "application/json").body(Full::new(text.into())).unwrap())
}

#[tokio::test]
async fn an_address_that_sends_elsewhere_does_not_get_the_headers_there() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let there = format!("http://{}/mcp", elsewhere.local_addr().unwrap());
    let visited = Arc::new(Mutex::new(0));
    let count = Arc::clone(&visited);
    tokio::spawn(async move {
        while elsewhere.accept().await.is_ok() {
            *count.lock().unwrap() += 1;
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let there = there.clone();
            let send_on = service_fn(move |_: Request<Incoming>| {
                let answer = Response::builder().status(307).header("location", there.as_str());
                std::future::ready(Ok::<_, Infallible>(answer.body(Full::<bytes::Bytes>::default()).unwrap()))
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), send_on),
            );
        }
    });
    let error = client(&url).connect().await.unwrap_err();
    assert_eq!(error.code(), "unreachable", "{error}");
    assert!(error.to_string().contains("another host"), "{error}");
    assert_eq!(*visited.lock().unwrap(), 0);
}
