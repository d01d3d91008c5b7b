//! The same files at a server: it goes on answering others, and nothing is left of its readers.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    ANSWERED, BUSY_MACHINE, MEMORY, WAITED,
    files::{self, Hostile},
    readers::{Watch, readers_below},
};
use crate::{program::World, serve::Serving};

/// Brings a file to a conversation: the status and the body of the answer.
fn bring(address: &str, session: &str, file: &Hostile) -> (u16, String) {
    bring_as(address, session, file, "")
}

/// The same as somebody, by the header that names them.
fn bring_as(address: &str, session: &str, file: &Hostile, who: &str) -> (u16, String) {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    write!(
        socket,
        "POST /api/v1/sessions/{session}/files?name={} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{who}\
         Content-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
        file.name,
        file.bytes.len()
    )
    .unwrap();
    socket.write_all(&file.bytes).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn session(serving: &Serving) -> String {
    let (status, session) = serving.ask("POST", "/api/v1/sessions", Some(&json!({"agent": "docs"})));
    assert_eq!(status, 201, "{session}");
    session["session_id"].as_str().unwrap().to_owned()
}

/// Those of every format that ended the server, took its memory or did not come back.
fn worst() -> Vec<Hostile> {
    let names = [
        "form-in-itself.pdf",
        "parents-in-a-ring.pdf",
        "forms-doubled.pdf",
        "one-letter-a-book.pdf",
        "lzw-packed.pdf",
        "packed-cr.pdf",
        "one-tag.docx",
        "attributes.docx",
        "claim.xlsx",
        "one-text.xlsx",
        "breaks.html",
        "quotes.md",
    ];
    let all = [files::pdfs(), files::words(), files::workbooks(), files::pages(), files::markdowns()];
    all.into_iter().flatten().filter(|file| names.contains(&file.name)).collect()
}

#[test]
fn four_hostile_files_at_once_leave_the_server_to_others() {
    let world = World::new();
    let serving = Serving::start(&world);
    let (address, session) = (serving.address.clone(), session(&serving));
    let watch = Watch::start(std::process::id());
    for four in worst().chunks(4) {
        let slowest = thread::scope(|scope| {
            for file in four {
                let (address, session) = (&address, &session);
                scope.spawn(move || {
                    let begun = Instant::now();
                    let (status, body) = bring(address, session, file);
                    let took = begun.elapsed();
                    println!("{}: {status} after {took:.1?}: {body:.200}", file.name);
                    assert!([422, 201, 503].contains(&status), "{}: {status} {body}", file.name);
                    assert!(body.len() < 10_000, "{}: {} bytes", file.name, body.len());
                    // One person has one reader: the last of the four waits for those before it.
                    assert!(took < WAITED + ANSWERED + BUSY_MACHINE, "{} took {took:?}", file.name);
                });
            }
            // Somebody else meanwhile.
            let asked = (0..20).map(|_| {
                let begun = Instant::now();
                assert_eq!(serving.ask("GET", "/healthz", None).0, 200);
                thread::sleep(Duration::from_millis(100));
                begun.elapsed()
            });
            asked.max().unwrap()
        });
        println!("others were answered within {slowest:?}");
        assert!(slowest < Duration::from_secs(3), "others waited {slowest:?}");
    }
    let peak = watch.peak();
    println!("all readers together: {peak} bytes");
    assert!((1..=MEMORY).contains(&peak), "{peak} bytes");
    // An honest file right after them.
    let honest = Hostile { name: "notes.txt", bytes: b"We need an engineer.".to_vec() };
    let (status, body) = bring(&address, &session, &honest);
    assert!(status == 201 && body.contains("engineer"), "{status} {body}");
    assert_eq!(serving.stop().0, 0);
    assert_eq!(readers_below(std::process::id()), Vec::<u32>::new(), "readers are left");
}

/// Nobody's files keep those of another company waiting: at most one reader works for a company, and whoever was stopped
/// waits behind others.
#[test]
fn hostile_files_of_one_company_do_not_keep_another_waiting() {
    let world = World::new();
    let key = |name: &str, company: &str| {
        let add = ["account", "add", name, "--tenant", company];
        assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
        format!("Authorization: Bearer {}\r\n", world.run(&["account", "key", name]).out.trim())
    };
    let (alice, bob) = (key("alice", "acme"), key("bob", "other"));
    let serving = Serving::with(&world, &["--accounts"]);
    let session = |key: &str| {
        let (status, session) =
            serving.ask_with("POST", "/api/v1/sessions", Some(&json!({"agent": "tata"})), key);
        assert_eq!(status, 201, "{session}");
        session["session_id"].as_str().unwrap().to_owned()
    };
    let (hers, his) = (session(&alice), session(&bob));
    let hostile = files::pdfs().into_iter().find(|file| file.name == "forms-doubled.pdf").unwrap();
    let honest = Hostile { name: "notes.txt", bytes: b"We need an engineer.".to_vec() };
    let end = Instant::now() + Duration::from_secs(12);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while Instant::now() < end {
                    let (status, body) = bring_as(&serving.address, &hers, &hostile, &alice);
                    assert!([422, 429, 503].contains(&status), "{status} {body}");
                }
            });
        }
        thread::sleep(Duration::from_secs(1));
        while Instant::now() < end {
            let begun = Instant::now();
            let (status, body) = bring_as(&serving.address, &his, &honest, &bob);
            let took = begun.elapsed();
            assert!(status == 201 && body.contains("engineer"), "{status} after {took:?}: {body}");
            assert!(took < BUSY_MACHINE, "he waited {took:?}");
            thread::sleep(Duration::from_millis(500));
        }
    });
    assert_eq!(serving.stop().0, 0);
}

/// A document of the collection that cannot be read is told as such, its file is not kept, and the server goes on.
#[test]
fn a_hostile_document_of_the_collection_costs_a_message() {
    let world = World::new();
    let serving = Serving::start(&world);
    let file = files::pdfs().into_iter().find(|file| file.name == "form-in-itself.pdf").unwrap();
    let bytes = String::from_utf8(file.bytes).unwrap();
    let head = "Content-Type: application/octet-stream\r\n";
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=cv.pdf", head, &bytes).0, 202);
    let begun = Instant::now();
    let taken = loop {
        let (_, list) = serving.ask("GET", "/api/v1/documents", None);
        if list["taking"][0]["status"] != "running" {
            break list["taking"][0].clone();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{list}");
        thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(taken["status"], "failed", "{taken}");
    let problem = taken["problem"].as_str().unwrap();
    assert!(problem.contains("save it anew") && !problem.contains("uploads"), "{problem}");
    assert_eq!(fs::read_dir(world.folder.join("home/uploads")).unwrap().count(), 0, "its file stays");
    assert_eq!(serving.stop().0, 0);
}

/// A reader in the middle of a file ends with the program that asked it, however that ends.
#[test]
fn no_reader_outlives_the_program_that_was_killed() {
    let world = World::new();
    let file = files::pdfs().into_iter().find(|file| file.name == "forms-doubled.pdf").unwrap();
    fs::write(world.folder.join(file.name), file.bytes).unwrap();
    for signal in ["KILL", "TERM", "INT"] {
        let mut child = world
            .command(&["import", file.name])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let readers = loop {
            let readers = readers_below(child.id());
            if !readers.is_empty() {
                break readers;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "no reader was started");
            thread::sleep(Duration::from_millis(5));
        };
        let number = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
        let signal: nix::sys::signal::Signal = format!("SIG{signal}").parse().unwrap();
        nix::sys::signal::kill(number, signal).unwrap();
        child.wait().unwrap();
        let ended = Instant::now();
        for reader in readers {
            while fs::exists(format!("/proc/{reader}/exe")).unwrap_or(false) {
                assert!(ended.elapsed() < Duration::from_secs(2), "{signal}: a reader is left behind");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// What a parser that was taken over could reach: no file, no connection, no key.
#[test]
fn a_reader_has_no_files_and_no_environment() {
    let world = World::new();
    let file = files::pdfs().into_iter().find(|file| file.name == "forms-doubled.pdf").unwrap();
    fs::write(world.folder.join(file.name), file.bytes).unwrap();
    let mut child = world
        .command(&["import", file.name])
        .env("OPENAI_API_KEY", "sk-canary")
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The limits come one after the other; that of the time is the last, and comes with the file.
    let begun = Instant::now();
    let (limits, environment) = loop {
        if let Some(reader) = readers_below(child.id()).first() {
            let of = |name: &str| fs::read_to_string(format!("/proc/{reader}/{name}")).unwrap_or_default();
            let limits = of("limits");
            if !limit(&limits, "Max cpu time").is_null() {
                break (limits, of("environ"));
            }
        }
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "no reader was started, or it has no limit of time"
        );
        thread::sleep(Duration::from_millis(5));
    };
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(environment, "", "it was told something of the environment");
    let value = |name: &str| limit(&limits, name);
    assert_eq!(value("Max open files"), 3);
    assert_eq!(value("Max file size"), 0);
    assert_eq!(value("Max core file size"), 0);
    assert!(value("Max data size").as_u64().is_some_and(|size| size < 150_000_000), "{limits}");
    assert!(value("Max cpu time").as_u64().is_some_and(|seconds| seconds <= 10), "{limits}");
}

/// A soft limit of a process, as its file in /proc tells it; nothing where there is none.
fn limit(limits: &str, name: &str) -> Value {
    let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().unwrap_or_default().parse::<u64>().map_or(Value::Null, Value::from)
}
