//! The tools as a model meets them.

use serde_json::{Value, json};
use tata_core::{Effect, ToolFailure, ToolOutput};
use tata_knowledge::{
    Embedded, Engine, Knowledge, call_read_document, call_search_docs, read_document, search_docs,
};

use crate::world::{document, embedded, handbook, knowledge, manifest};

async fn stocked() -> (tempfile::TempDir, Knowledge) {
    let (folder, engine) = embedded();
    engine.replace(handbook(), &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    (folder, knowledge(engine))
}

fn read(output: &ToolOutput) -> Value {
    let tata_core::ResultPart::Text(text) = &output.content[0] else { panic!("text") };
    serde_json::from_str(text).unwrap()
}

/// B4: the shape, exactly.
#[tokio::test]
async fn search_docs_answers_in_its_shape() {
    let (_folder, knowledge) = stocked().await;
    let found = call_search_docs(&knowledge, json!({ "query": "days of paid holiday" })).await.unwrap();
    let sources: Vec<&str> = found.sources.iter().flatten().map(|source| source.url.as_str()).collect();
    assert!(
        !sources.is_empty() && sources.iter().all(|url| *url == "https://example.com/holiday"),
        "{sources:?}"
    );
    let found = read(&found);
    for key in ["results", "total", "query", "error", "message", "execution_time"] {
        assert!(found.get(key).is_some(), "{key}: {found}");
    }
    assert_eq!((&found["error"], &found["query"]), (&Value::Null, &json!("days of paid holiday")));
    assert_eq!(found["total"], found["results"].as_array().unwrap().len());
    let first = &found["results"][0];
    assert!(first["text"].as_str().unwrap().chars().count() <= 500);
    let score = first["score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score) && (score * 1000.0 - (score * 1000.0).round()).abs() < 1e-9);
    let time = found["execution_time"].as_f64().unwrap();
    assert!((time * 100.0 - (time * 100.0).round()).abs() < 1e-9);
    assert!(found["about_the_texts"].as_str().unwrap().contains("data"));

    let filtered = json!({ "query": "days of paid holiday", "filters": { "department": ["finance"] } });
    let found = call_search_docs(&knowledge, filtered).await.unwrap();
    assert_eq!((read(&found)["total"].clone(), found.sources), (json!(0), Some(Vec::new())));
}

/// B7: an error is in the answer, results are empty, the conversation goes on.
#[tokio::test]
async fn errors_are_inside_the_answer() {
    let (_folder, stocked) = stocked().await;
    let none = knowledge(std::sync::Arc::new(Embedded::new("/nonexistent/tata")));
    let cases = [
        (&none, json!({ "query": "x" }), "no_index"),
        (&stocked, json!({ "query": "" }), "configuration"),
        (&stocked, json!({ "query": "x", "filters": { "a=b": "c" } }), "bad_filter"),
    ];
    for (knowledge, arguments, kind) in cases {
        let found = read(&call_search_docs(knowledge, arguments).await.unwrap());
        assert_eq!((&found["error"]["kind"], &found["total"]), (&json!(kind), &json!(0)), "{found}");
        assert!(found["message"].is_string());
    }
    let wrong = call_search_docs(&stocked, json!({ "question": "x" })).await;
    assert!(matches!(wrong, Err(ToolFailure::Rejected { .. })));
}

#[tokio::test]
async fn a_document_is_read_in_pages_and_by_section() {
    let (_folder, engine) = embedded();
    let long: String = (0..300).map(|at| format!("Rule {at} is told here in full. ")).collect();
    let text = format!("# Rules\n\n{long}\n\n# Exceptions\n\nThere are none.");
    let prepared = document("https://example.com/rules", "Rules", &text);
    let whole: String = prepared.chunks.iter().map(|(chunk, _)| chunk.text.as_str()).collect();
    engine.replace(vec![prepared], &manifest(None)).await.unwrap();
    let knowledge = knowledge(engine);
    let mut text = String::new();
    let mut page = 1;
    loop {
        let arguments = json!({ "url": "https://example.com/rules", "page": page });
        let found = read(&call_read_document(&knowledge, arguments, 4_000).await.unwrap());
        text.push_str(found["text"].as_str().unwrap());
        if found["page"] == found["pages"] {
            break;
        }
        page += 1;
    }
    assert_eq!(text, whole);
    assert!(page > 1);
    let arguments = json!({ "url": "https://example.com/rules", "section": "exceptions" });
    let found = read(&call_read_document(&knowledge, arguments, 4_000).await.unwrap());
    assert!(found["text"].as_str().unwrap().contains("There are none."), "{found}");
    let missing = call_read_document(&knowledge, json!({ "url": "https://example.com/none" }), 4_000).await;
    assert!(matches!(missing, Err(ToolFailure::Rejected { .. })));
}

#[tokio::test]
async fn the_tools_only_read() {
    let (_folder, knowledge) = stocked().await;
    for tool in [search_docs(knowledge.clone()).unwrap(), read_document(knowledge).unwrap()] {
        assert_eq!(tool.spec().effect, Effect::Read);
        assert_eq!(tool.spec().schema["additionalProperties"], json!(false));
    }
}

/// A model learns the name of a file and not where it lies; it may use that address, or an older one, to read on.
#[tokio::test]
async fn models_see_no_folders_of_the_server() {
    let (_folder, engine) = embedded();
    let place = "file:///srv/secret-folder/uploads/travel%20rules.md";
    let rules = document(place, "Travel", "# Travel\n\nTrains come before flights on every journey.");
    engine.replace(vec![rules], &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    let knowledge = knowledge(engine);
    let found = call_search_docs(&knowledge, json!({ "query": "trains before flights" })).await.unwrap();
    let cited = found.sources.clone().unwrap().remove(0).url;
    assert!(cited.starts_with("document:") && cited.ends_with("/travel rules.md"), "{cited}");
    assert!(!format!("{found:?}").contains("secret-folder"), "{found:?}");
    for url in [cited.as_str(), place] {
        let only = json!({ "query": "trains before flights", "filters": { "url": url } });
        assert_eq!(read(&call_search_docs(&knowledge, only).await.unwrap())["total"], 1, "{url}");
        let whole = call_read_document(&knowledge, json!({ "url": url }), 4_000).await.unwrap();
        assert!(read(&whole)["text"].as_str().unwrap().contains("every journey"), "{url}");
        assert!(!format!("{whole:?}").contains("secret-folder"), "{whole:?}");
    }
    let none = crate::world::knowledge(std::sync::Arc::new(Embedded::new("/nonexistent/secret-folder")));
    let failed = call_search_docs(&none, json!({ "query": "x" })).await.unwrap();
    assert!(!format!("{failed:?}").contains("secret-folder"), "{failed:?}");
}
