//! The log tells every call by its call_id (C1.4, C2.4, C3.1–C3.4), and never what was said.

use std::path::Path;

use tata_core::{IdOrigin, Origin, Reply};
use tata_llm::{ReplyReader, Wire};

use crate::support::Log;

/// Reads a case and returns its reply with the log of that reading.
fn read(case: &str) -> (Reply, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(case);
    let bytes = std::fs::read(path).unwrap();
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    let reply = tracing::subscriber::with_default(subscriber, || {
        let origin = Origin::new("test", "responses");
        let mut reader = ReplyReader::new(Wire::Responses, origin, None, ReplyReader::EVENT_LIMIT);
        reader.push(&bytes).unwrap();
        reader.finish(None).1
    });
    (reply, log.text())
}

#[test]
fn a_finished_reply_is_summarised_with_all_call_ids() {
    let (reply, log) = read("wire/openai-responses/tools_parallel_interleaved.sse");
    let summary = log.lines().find(|line| line.contains("reply finished")).unwrap();
    assert!(summary.contains(r#"call_ids=["call_p1", "call_p2", "call_p3"]"#), "{summary}");
    assert!(summary.contains("INFO") && summary.contains("extracted=3 fallbacks=0"), "{summary}");
    for id in ["call_p1", "call_p2", "call_p3"] {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("tool call received")).collect();
        assert!(lines.iter().any(|line| line.contains(&format!("call_id={id}"))), "{lines:?}");
    }
    assert_eq!((reply.call_ids.extracted, reply.call_ids.failed), (3, 0));
    assert!(!log.contains("a.rs"), "arguments are content");
}

#[test]
fn a_missing_call_id_is_warned_about_with_the_structure_and_counted() {
    for case in ["call_id_missing", "call_id_empty"] {
        let (reply, log) = read(&format!("wire/openai-responses/{case}.sse"));
        let warning =
            log.lines().find(|line| line.contains("WARN") && line.contains("missing_call_id")).unwrap();
        let stand_in = reply.message.tool_calls().next().unwrap();
        assert!(
            warning.contains(stand_in.call_id.as_str()) && warning.contains("type: \"function_call\""),
            "{warning}"
        );
        assert_eq!(stand_in.id_origin, IdOrigin::ItemId);
        assert_eq!((reply.call_ids.extracted, reply.call_ids.failed, reply.call_ids.fallbacks), (1, 1, 1));
        assert_eq!(reply.runnable_calls().count(), 2, "the other call is unaffected");
    }
}

#[test]
fn a_malformed_event_is_logged_and_the_others_go_on() {
    let (reply, log) = read("wire/openai-responses/malformed_event_middle.sse");
    assert!(
        log.lines().any(|line| line.contains("WARN")
            && line.contains("malformed_event")
            && line.contains("not JSON")),
        "{log}"
    );
    assert_eq!(reply.runnable_calls().count(), 2);
}
