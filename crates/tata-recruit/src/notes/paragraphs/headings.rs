//! Lines that say what the lines under them are about.

use std::ops::Range;

use super::Reader;
use crate::notes::{
    Category,
    lines::{Line, Mark},
    markers::{announced, counted, heading},
    words::{Phrases, View, Word},
};

impl Reader<'_, '_> {
    /// The category of a line that is a heading, and whether a cue knows it. What follows an unknown one is prose.
    pub(super) fn heading(&self, line: &Line, listed: bool, nested: bool) -> Option<(Category, bool)> {
        let text = self.view.slice(&line.range);
        let words = self.view.words_in(&line.range);
        let bare = without_brackets(self.view, &line.range);
        let bare = self.view.words_in(&bare);
        // "Sorry for the mess. What I need:" announces with its last sentence.
        let inner = text.trim_end_matches(['?', ':', '*', ' ']);
        let last = [". ", "! ", "? "].iter().filter_map(|stop| inner.rfind(stop)).max();
        let last = self.view.words_in(&(last.map_or(0, |at| at + 1) + line.range.start..line.range.end));
        let known = |category| (category, true);
        let unknown = (Category::Other, false);
        if text.ends_with(':') || text.ends_with(":**") {
            // A sentence may announce a list with any words around the one that counts.
            let longer = || {
                heading(last, self.cues, 8).filter(|category| {
                    listed
                        && (category.is_about_candidate()
                            || matches!(category, Category::Task | Category::Mission))
                })
            };
            let found = heading(bare, self.cues, 4)
                .or_else(|| heading(last, self.cues, 4))
                .or_else(longer)
                .or_else(|| announced(last, self.cues));
            let in_list = line.bullet && self.section.is_some();
            return found.map(known).or((!in_list).then_some(unknown));
        }
        if text.ends_with('?') {
            // Somebody answers below a question; a requirement with a question mark is short and in a list.
            let in_list =
                line.bullet && self.section.is_some_and(|section| section.category.is_requirement());
            // "Got a minute for the controller role?" asks for no tasks.
            let brief = line.speaker.is_none() || last.len() <= 6;
            let sure = |category: &Category| category.is_about_candidate() || brief;
            let found = self.asked(bare).or_else(|| self.asked(last)).filter(sure);
            let other = |category: &Category| line.speaker.is_none() || *category != Category::Other;
            return found.filter(|_| !in_list || nested).filter(other).map(known);
        }
        if text.ends_with(['.', ',', ';', '!']) || words.is_empty() {
            return None;
        }
        let shouted = text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_lowercase);
        let spare = match () {
            () if line.heading => 4,
            () if (listed && !line.bullet) || (shouted && words.len() > 1) => 2,
            () => 0,
        };
        let found = heading(bare, self.cues, spare)
            .or_else(|| (listed && !line.bullet).then(|| counted(words, self.cues)).flatten())
            .or_else(|| (listed && !line.bullet).then(|| self.demanded(bare)).flatten());
        // A point of a list is a heading only when it is nothing else.
        let alone = || {
            (self.section.is_none() || listed || line.mark == Mark::Number)
                && heading(bare, self.cues, 0).is_some()
        };
        let found = found.filter(|_| !line.bullet || alone());
        found.map(known).or((line.heading && words.len() <= 8).then_some(unknown))
    }

    /// Whether a short line above a list demands what stands in it: "Without this, nothing", "What has to be there".
    fn demanded(&self, words: &[Word]) -> Option<Category> {
        let single = |list: &Phrases<()>, word: &Word| list.is(std::slice::from_ref(word));
        let edge = [words.first(), words.last()].into_iter().flatten();
        let without = edge.into_iter().any(|word| single(&self.cues.without, word));
        let must = self.cues.musts.within(words);
        let negated = words.iter().any(|word| single(&self.cues.negations, word));
        let said = announced(words, self.cues).filter(|_| words.len() <= 7);
        said.or((words.len() <= 7 && !negated && (without || must)).then_some(Category::Must))
    }

    /// What a question asks for. "Must we advertise?" asks for a decision.
    pub(super) fn asked(&self, words: &[Word]) -> Option<Category> {
        let decision = words.len() > 3 && self.cues.asks.at(words).is_some();
        // "What must they know?"
        let must = words.len() <= 6 && self.cues.what.at(words).is_some() && self.cues.musts.within(words);
        heading(words, self.cues, 9).or(must.then_some(Category::Must)).filter(|_| !decision)
    }
}

/// A range without its brackets at the end: "Must have (non-negotiable)".
fn without_brackets(view: &View<'_>, range: &Range<usize>) -> Range<usize> {
    let text = view.slice(range).trim_end_matches([':', ' ', '*']);
    let open = text.ends_with(')').then(|| text.rfind('(')).flatten().filter(|open| *open > 0);
    range.start..open.map_or(range.end, |open| range.start + open)
}
