//! What holds for any text.

use proptest::prelude::*;
use tata_document::{BlockKind, Format, ReadBlock, Reading};
use tata_knowledge::{Embedded, Engine, LONGEST_TEXT, Lang, SearchRequest, TARGET, chunks};

use crate::world::{document, knowledge, manifest};

fn kind() -> impl Strategy<Value = BlockKind> {
    prop_oneof![
        3 => Just(BlockKind::Paragraph),
        1 => (1_u8..7).prop_map(BlockKind::Heading),
        1 => Just(BlockKind::Item),
        1 => Just(BlockKind::Row),
        1 => Just(BlockKind::Code),
    ]
}

fn reading() -> impl Strategy<Value = Reading> {
    let text = prop_oneof![
        "[a-zåäöß ,.!?]{1,80}",
        "([A-Z][a-z]{2,9} [a-z]{2,9} [a-z]{2,9}\\. ){1,120}",
        "[a-zøæ]{1,4000}",
        "(😀 ?){1,700}",
    ];
    let block = (kind(), text, prop::option::of(1_u32..9)).prop_map(|(kind, text, page)| ReadBlock {
        kind,
        text,
        page,
    });
    prop::collection::vec(block, 1..12).prop_map(|blocks| {
        let blocks = blocks.into_iter().filter(|block| !block.text.trim().is_empty()).collect();
        Reading { format: Format::Text, title: None, language: None, blocks, notes: Vec::new() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Chunks tile the text: nothing is lost, nothing is there twice, places are exact.
    #[test]
    fn chunks_tile_the_text(reading in reading()) {
        let chunks = chunks(&reading, Lang::find("en"));
        let whole: String = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        for block in &reading.blocks {
            prop_assert!(whole.contains(&block.text));
        }
        let mut start = 0;
        for (at, chunk) in chunks.iter().enumerate() {
            prop_assert_eq!((chunk.ordinal, chunk.start), (at, start));
            start += chunk.text.chars().count();
            prop_assert!(!chunk.text.is_empty());
            // A run of headings may come before the piece that fills a chunk.
            let headings: usize = reading.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Heading(_))).map(|b| b.text.len() + 2).sum();
            prop_assert!(chunk.text.len() <= TARGET + 4 + headings, "{}", chunk.text.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Any question over any documents: scores in 0..1, in order, above the threshold; texts are exact spans, at most 500
    /// characters.
    #[test]
    fn answers_keep_their_promises(
        texts in prop::collection::vec("([a-zåäö]{2,8} ){3,400}", 1..5),
        pick in any::<prop::sample::Index>(),
        threshold in 0.0_f64..1.0,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let engine = std::sync::Arc::new(Embedded::new(folder.path()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let documents = texts.iter().enumerate().map(|(at, text)| document(&format!("https://example.com/{at}"), "T", text));
            engine.replace(documents.collect(), &manifest(None)).await.unwrap();
            engine.finish().await.unwrap();
            let words: Vec<&str> = pick.get(&texts).split_whitespace().collect();
            let query = words[words.len() / 2..].iter().take(8).copied().collect::<Vec<_>>().join(" ");
            let knowledge = knowledge(engine.clone());
            let found = knowledge.search(&SearchRequest { query, threshold: Some(threshold), ..SearchRequest::default() }).await;
            prop_assert!(found.error.is_none(), "{:?}", found.error);
            prop_assert_eq!(found.total, found.results.len());
            for pair in found.results.windows(2) {
                prop_assert!(pair[0].score >= pair[1].score);
            }
            for result in &found.results {
                prop_assert!((0.0..=1.0).contains(&result.score) && result.score + 0.0006 >= threshold);
                prop_assert!(result.text.chars().count() <= LONGEST_TEXT);
                let whole: String = engine.chunks(&result.url).await.unwrap().into_iter().map(|(chunk, _)| chunk.text).collect();
                let span: String = whole.chars().skip(result.start).take(result.end - result.start).collect();
                prop_assert_eq!(&span, &result.text);
            }
            Ok(())
        })?;
    }
}
