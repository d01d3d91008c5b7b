//! The upstream: answers every request with canned bytes in one burst, at once or after it has thought; or stops in the
//! middle of the answer.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// How long a model thinks before each answer. Real ones think a hundred times longer.
pub(crate) const THINKS: Duration = Duration::from_millis(2);

/// How an upstream answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Burst,
    Thinking,
    Held,
}

impl Kind {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "burst" => Self::Burst,
            "thinking" => Self::Thinking,
            "held" => Self::Held,
            other => panic!("there is no upstream {other}"),
        }
    }
}

/// Serves for ever; prints its address first.
pub(crate) async fn serve(kind: Kind) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}/v1", listener.local_addr().unwrap());
    let answers = Answers::new(kind);
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        tokio::spawn(answer(socket, answers.clone()));
    }
}

#[derive(Clone)]
struct Answers {
    call: Arc<Vec<u8>>,
    words: Arc<Vec<u8>>,
    kind: Kind,
}

impl Answers {
    fn new(kind: Kind) -> Self {
        let held = kind == Kind::Held;
        let event = |value: serde_json::Value| {
            format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
        };
        let usage = json!({"input_tokens": 120, "output_tokens": 50, "total_tokens": 170});
        let item = |status: &str, arguments: &str| {
            json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look_up",
                "arguments": arguments, "status": status})
        };
        let arguments = r#"{"city":"Oslo"}"#;
        let mut call = event(json!({"type": "response.created", "response": {"id": "r1", "model": "m"}}));
        call += &event(
            json!({"type": "response.output_item.added", "output_index": 0, "item": item("in_progress", "")}),
        );
        call += &event(
            json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 0, "delta": arguments}),
        );
        call += &event(
            json!({"type": "response.function_call_arguments.done", "item_id": "fc_1", "output_index": 0, "arguments": arguments}),
        );
        call += &event(
            json!({"type": "response.output_item.done", "output_index": 0, "item": item("completed", arguments)}),
        );
        call += &event(
            json!({"type": "response.completed", "response": {"id": "r1", "model": "m", "status": "completed",
            "output": [item("completed", arguments)], "usage": usage}}),
        );

        let message = |text: &str| {
            json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]})
        };
        let pieces: Vec<String> = (0..50).map(|at| format!("word{at} ")).collect();
        let mut words = event(json!({"type": "response.created", "response": {"id": "r2", "model": "m"}}));
        words += &event(json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "message", "id": "msg_1", "role": "assistant", "content": []}}));
        for piece in pieces.iter().take(if held { 10 } else { 50 }) {
            words +=
                &event(json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
                "content_index": 0, "delta": piece}));
        }
        if !held {
            let text = pieces.concat();
            words += &event(
                json!({"type": "response.output_item.done", "output_index": 0, "item": message(&text)}),
            );
            words += &event(json!({"type": "response.completed", "response": {"id": "r2", "model": "m",
                "status": "completed", "output": [message(&text)], "usage": usage}}));
        }
        let framed = |body: String| {
            let start =
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
            let end = if held { "" } else { "0\r\n\r\n" };
            Arc::new(format!("{start}{:x}\r\n{body}\r\n{end}", body.len()).into_bytes())
        };
        Self { call: framed(call), words: framed(words), kind }
    }
}

/// Answers the requests of one connection.
async fn answer(mut socket: TcpStream, answers: Answers) {
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let Some(end) = read_request(&mut socket, &mut buffer).await else { return };
        let body = String::from_utf8_lossy(&buffer[..end]);
        // The held upstream answers at once with words; the other calls a tool first.
        let done = answers.kind == Kind::Held || body.contains("function_call_output");
        let bytes = if done { &answers.words } else { &answers.call };
        if answers.kind == Kind::Thinking {
            // Not by the runtime's clock, which knows whole milliseconds only. Nobody else waits for this thread.
            std::thread::sleep(THINKS);
        }
        if socket.write_all(bytes).await.is_err() {
            return;
        }
        buffer.drain(..end);
    }
}

/// Reads until one whole request is in the buffer, and says where it ends.
pub(crate) async fn read_request(socket: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<usize> {
    loop {
        if let Some(head) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&buffer[..head]).to_lowercase();
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            let end = head + 4 + length.unwrap_or(0);
            if buffer.len() >= end {
                return Some(end);
            }
        }
        if socket.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}
