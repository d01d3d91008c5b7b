//! Questions and answers: what users of such systems complain about, one test each.

use std::sync::Arc;

use tata_knowledge::{
    Embedded, Engine, Knowledge, KnowledgeError, RetrievalSettings, SearchRequest, check_answer, citations,
    extractive,
};
use tata_language::Language;

use crate::world::{document, embedded, handbook, knowledge, manifest};

async fn stocked() -> (tempfile::TempDir, Knowledge) {
    let (folder, engine) = embedded();
    engine.replace(handbook(), &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    (folder, knowledge(engine))
}

fn ask(query: &str) -> SearchRequest {
    SearchRequest { query: query.into(), ..SearchRequest::default() }
}

/// ragflow#5675: exact words from a file are not found.
#[tokio::test]
async fn any_eight_words_of_a_document_find_it() {
    let (_folder, knowledge) = stocked().await;
    for document in handbook() {
        let text: String = document.chunks.iter().map(|(chunk, _)| chunk.text.as_str()).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        for span in words.windows(8) {
            let found = knowledge.search(&ask(&span.join(" "))).await;
            let first = found.results.iter().take(3).any(|result| result.url == document.entry.url);
            assert!(first, "{span:?}: {:?}", found.results);
        }
    }
}

/// B4: values outside their range are clamped and noted; three states are distinct.
#[tokio::test]
async fn limits_are_clamped_and_noted() {
    let (_folder, knowledge) = stocked().await;
    let request =
        SearchRequest { top_k: Some(99), threshold: Some(-3.0), ..ask("holiday hotels lunch every day") };
    let found = knowledge.search(&request).await;
    assert!(found.total >= 3 && found.error.is_none());
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
    let found = knowledge.search(&SearchRequest { top_k: Some(0), threshold: Some(0.0), ..request }).await;
    assert_eq!(found.total, 1, "{found:?}");
    let found = knowledge.search(&ask("  ")).await;
    assert_eq!(found.error.as_ref().map(|error| &*error.kind), Some("configuration"));
}

/// B7: no index is an error inside the answer.
#[tokio::test]
async fn a_search_without_an_index_is_answered() {
    let knowledge = knowledge(Arc::new(Embedded::new("/nonexistent/tata/index")));
    let found = knowledge.search(&ask("anything")).await;
    assert_eq!((found.total, found.results.len()), (0, 0));
    assert_eq!(found.error.as_ref().map(|error| &*error.kind), Some("no_index"));
    assert!(found.message.unwrap().contains("tata ingest"));
}

/// The 500 characters are those around the sentence that fits, not the first ones.
#[tokio::test]
async fn the_text_is_the_part_that_answers() {
    let (_folder, engine) = embedded();
    let filler = "Many other things are told here that nobody asked about at all. ".repeat(12);
    let text = format!("{filler}The fire drill takes place every October. {filler}");
    engine.replace(vec![document("https://example.com/a", "Safety", &text)], &manifest(None)).await.unwrap();
    let found = knowledge(engine).search(&ask("When is the fire drill?")).await;
    let shown = &found.results[0].text;
    assert!(shown.contains("fire drill takes place every October."), "{shown}");
    assert!(shown.chars().count() <= 500 && shown.chars().count() > 300, "{}", shown.chars().count());
}

/// Danish and German beside English: each question finds its own.
#[tokio::test]
async fn languages_live_in_one_index() {
    let (_folder, engine) = embedded();
    let documents = vec![
        document(
            "https://example.com/da",
            "Ferie",
            "Alle medarbejdere har ret til fem ugers ferie om året, og ferien skal aftales med lederen.",
        ),
        document(
            "https://example.com/de",
            "Urlaub",
            "Alle Mitarbeiter haben dreißig Urlaubstage im Jahr, und der Urlaub wird mit der Leitung abgestimmt.",
        ),
        document(
            "https://example.com/en",
            "Holiday",
            "All employees have thirty days of holiday a year, and it is agreed with the manager.",
        ),
    ];
    engine.replace(documents, &manifest(None)).await.unwrap();
    let knowledge = knowledge(engine);
    for (query, url) in [
        ("Hvor mange ugers ferie har medarbejderne?", "https://example.com/da"),
        ("Wie viele Urlaubstage hat ein Mitarbeiter?", "https://example.com/de"),
        ("How many days of holiday do employees have?", "https://example.com/en"),
    ] {
        let found = knowledge.search(&ask(query)).await;
        assert_eq!(found.results.first().map(|result| result.url.as_str()), Some(url), "{query}: {found:?}");
    }
}

/// B6: without a model the answer quotes; a citation is an exact span; nothing found names what is near.
#[tokio::test]
async fn the_answer_without_a_model_quotes_its_sources() {
    let (_folder, knowledge) = stocked().await;
    let found = knowledge.search(&ask("How many days of paid holiday does an employee have?")).await;
    let answer = extractive(&found);
    assert!(
        answer.text.contains("“Every employee has thirty days of paid holiday each year.” [1]"),
        "{}",
        answer.text
    );
    for citation in &answer.citations {
        let chunks = knowledge.engine().chunks(&citation.url).await.unwrap();
        let whole: String = chunks.into_iter().map(|(chunk, _)| chunk.text).collect();
        let span: String = whole.chars().skip(citation.start).take(citation.end - citation.start).collect();
        assert_eq!(span, citation.quote);
    }
    let found =
        knowledge.search(&ask("Which famous football club from Brazil trains twice every day?")).await;
    let answer = extractive(&found);
    assert!(answer.citations.is_empty() && answer.text.contains("say nothing about this"), "{}", answer.text);
    assert!(answer.text.contains("Nearest are: "), "{}", answer.text);
}

/// A model's answer: sentences are held against what they cite, invented numbers go.
#[tokio::test]
async fn an_answer_is_checked_against_what_it_cites() {
    let (_folder, knowledge) = stocked().await;
    let found = knowledge.search(&ask("paid holiday of an employee, days")).await;
    let sources = citations(&found.results);
    let text = "Every employee has thirty days of paid holiday each year [1]. Unused days expire in June [1]. See [9].";
    let answer = check_answer(text, &sources, Language::En);
    assert_eq!(answer.removed, [9]);
    let told: Vec<bool> = answer.sentences.iter().take(2).map(|sentence| sentence.supported).collect();
    assert_eq!(told, [true, false], "{:?}", answer.sentences);
}

/// One writer; many readers, also while it writes.
#[tokio::test]
async fn a_second_writer_is_told_to_wait() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Embedded::new(folder.path()), Embedded::new(folder.path()));
    first.replace(handbook(), &manifest(None)).await.unwrap();
    let error = second.replace(handbook(), &manifest(None)).await.unwrap_err();
    assert!(matches!(error, KnowledgeError::Locked(_)) && error.retryable(), "{error}");
    assert_eq!(second.documents().await.unwrap().len(), 3);
    first.finish().await.unwrap();
    second.replace(handbook(), &manifest(None)).await.unwrap();
    second.finish().await.unwrap();
}

#[test]
fn settings_are_refused_by_name_with_their_range() {
    let cases = [
        (
            RetrievalSettings { top_k_retrieval: 21, ..Default::default() },
            "top_k_retrieval: 21, but must be a number from 1 to 20",
        ),
        (RetrievalSettings { top_k_retrieval: 0, ..Default::default() }, "top_k_retrieval"),
        (
            RetrievalSettings { retrieval_score_threshold: 1.5, ..Default::default() },
            "retrieval_score_threshold: 1.5, but must be a number from 0 to 1",
        ),
        (RetrievalSettings { collection_name: "../x".into(), ..Default::default() }, "collection_name"),
    ];
    for (settings, words) in cases {
        assert!(settings.check().unwrap_err().to_string().contains(words), "{words}");
    }
}
