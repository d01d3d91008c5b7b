//! Text of others on its way to a page: cleaned away from the threads that serve requests, by few at a time, and kept, so
//! that a page that is looked at again costs nothing.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use sha2::{Digest, Sha256};
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::clean;
use crate::Problem;

/// Texts that are cleaned at once; others wait for their turn, and the processor is left for those who ask for something else.
const AT_ONCE: usize = 2;
/// The most bytes of cleaned texts that are kept.
const MOST_KEPT: usize = 16 * 1024 * 1024;

/// The room for those that are cleaned; it is never closed.
static ROOM: Semaphore = Semaphore::const_new(AT_ONCE);
static KEPT: LazyLock<Mutex<RenderedTexts>> = LazyLock::new(Mutex::default);

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Markdown of an answer.
    Answer,
    /// HTML of a document.
    Document,
}

/// Cleans a text, or brings what came of it before.
pub(super) async fn cleaned(kind: Kind, text: String) -> Result<String, Problem> {
    let name = name(kind, &text);
    if let Some(html) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).get(&name) {
        return Ok(html.as_ref().to_owned());
    }
    let place = ROOM.acquire().await.ok();
    let cleaned = spawn_blocking(move || match kind {
        Kind::Answer => clean::answer(&text),
        Kind::Document => clean::document(&text),
    });
    let html = cleaned.await.map_err(|error| Problem::internal(&error))?;
    drop(place);
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).put(name, html.as_str().into());
    Ok(html)
}

/// A name of what a text becomes: who has the same text sees the same.
fn name(kind: Kind, text: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update([u8::from(kind == Kind::Answer)]);
    digest.update(text);
    digest.finalize().into()
}

/// Texts that were cleaned, the oldest first.
#[derive(Default)]
struct RenderedTexts {
    texts: HashMap<[u8; 32], Arc<str>>,
    order: VecDeque<[u8; 32]>,
    bytes: usize,
}

impl RenderedTexts {
    fn get(&self, name: &[u8; 32]) -> Option<Arc<str>> {
        self.texts.get(name).cloned()
    }

    fn put(&mut self, name: [u8; 32], html: Arc<str>) {
        // One text must not take the place of all others.
        if html.len() > MOST_KEPT / 4 || self.texts.contains_key(&name) {
            return;
        }
        self.bytes += html.len();
        self.texts.insert(name, html);
        self.order.push_back(name);
        while self.bytes > MOST_KEPT {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.texts.remove(&oldest).map_or(0, |html| html.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_a_limit_and_the_oldest_goes_first() {
        let mut kept = RenderedTexts::default();
        let text: Arc<str> = "x".repeat(MOST_KEPT / 4).into();
        for number in 0..9_u8 {
            kept.put([number; 32], Arc::clone(&text));
        }
        assert!(kept.bytes <= MOST_KEPT && kept.texts.len() == 4, "{} of {}", kept.texts.len(), kept.bytes);
        assert!(kept.get(&[0; 32]).is_none() && kept.get(&[8; 32]).is_some());
        kept.put([99; 32], "x".repeat(MOST_KEPT / 4 + 1).into());
        assert!(kept.get(&[99; 32]).is_none());
    }

    #[tokio::test]
    async fn an_answer_is_no_document() {
        let answer = cleaned(Kind::Answer, "<b>x</b>".to_owned()).await.unwrap();
        let document = cleaned(Kind::Document, "<b>x</b>".to_owned()).await.unwrap();
        assert_eq!((answer.trim(), document.as_str()), ("<p>&lt;b&gt;x&lt;/b&gt;</p>", "x"));
        assert_eq!(cleaned(Kind::Answer, "<b>x</b>".to_owned()).await.unwrap(), answer);
    }
}
