//! Sentences in a section or after a label.

use std::ops::Range;

use super::{Paragraph, Reader};
use crate::notes::{
    Category,
    markers::segments,
    qualities::begins,
    split::{as_written, is_edge, is_enumerated, item, without_afterthought},
};

/// The most markers of a point that are weighed one by one.
const MOST_MARKERS: usize = 20;

impl Reader<'_, '_> {
    /// A few words without a verb or a marker after a label: one more item of its list.
    pub(super) fn is_fragment(&self, sentence: &Range<usize>, category: Category) -> bool {
        let words = self.view.words_in(sentence);
        category.is_requirement()
            && words.len() <= 8
            && !self.cues.finite.within(words)
            && segments(self.view, sentence, self.cues).is_empty()
    }

    /// Whether a sentence leaves something open. "Not up for discussion" does not.
    pub(super) fn is_undecided(&self, sentence: &Range<usize>) -> bool {
        let words = self.view.words_in(sentence);
        (0..words.len()).any(|at| {
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let denied = before.is_some_and(|word| self.cues.negations.is(std::slice::from_ref(word)));
            !denied && self.cues.undecided.at(words.get(at..).unwrap_or_default()).is_some()
        })
    }

    /// A sentence that only comments on the one before.
    pub(super) fn is_aside(&self, sentence: &Range<usize>) -> bool {
        let words = self.view.words_in(sentence);
        self.cues.negations.at(words).is_some() || self.cues.remarks.at(words).is_some()
    }

    pub(super) fn is_struck(&self, sentence: &Range<usize>) -> bool {
        let words = self.view.words_in(sentence);
        self.view.slice(sentence).trim_start().starts_with("~~") || self.cues.strikes.within(words)
    }

    /// A sentence in a section, or after a label.
    pub(super) fn point(
        &mut self,
        sentence: &Range<usize>,
        category: Category,
        open: &Paragraph,
        only: bool,
    ) {
        let (category, sentence) = self.tagged(sentence).unwrap_or((category, sentence.clone()));
        let sentence = &sentence;
        let undecided = category != Category::Task && self.is_undecided(sentence);
        if self.view.slice(sentence).trim_end().ends_with('?') || undecided {
            if category.is_requirement() {
                self.found.open.push(self.view.trim(sentence.clone(), is_edge));
            }
            return;
        }
        self.before = Some(category);
        let marked = segments(self.view, sentence, self.cues);
        // Inside a point, "preferably" and a remark in brackets say more about the same requirement.
        // (A point with more markers than this is none, and looking back from each would take too long.)
        let few = marked.len() <= MOST_MARKERS;
        let counts = |range: &Range<usize>| !open.bullet || !few || self.stands_free(sentence, range);
        let marked: Vec<_> = marked.into_iter().filter(|segment| counts(&segment.range)).collect();
        if marked.first().is_some_and(|segment| {
            let lead = self.view.words_in(&(sentence.start..segment.range.start));
            segment.category == Category::Other && lead.len() <= 3
        }) {
            return;
        }
        // "You are careful" among the requirements of an ad is a quality.
        if let Some(own) =
            marked.first().filter(|own| category.is_requirement() && own.category == Category::Soft)
        {
            let lead = self.view.words_in(&(sentence.start..own.range.start));
            if lead.len() <= 3 && begins(self.view.words_in(&own.range), self.cues) {
                self.take(&own.range, Category::Soft, false);
                return;
            }
        }
        let other = |own: Category| own != category && (own.is_requirement() || own == Category::Not);
        if category.is_requirement() && marked.iter().any(|segment| other(segment.category)) {
            // "Java, gärna Kotlin" under a heading of must-haves: what stands before the marker is a must-have.
            let first = marked.first().map_or(sentence.start, |segment| segment.range.start);
            let lead = self.lead(sentence, first);
            self.take(&lead, category, true);
            for segment in marked {
                // "Somebody who has X" among what is welcome demands nothing.
                let weak = category == Category::Good && segment.category == Category::Must;
                let weak = weak && segment.range.start > sentence.start;
                let own = if weak { category } else { segment.category };
                self.take(&segment.range, own, segment.list);
            }
            return;
        }
        let sentence = &if open.bullet {
            without_afterthought(self.view, sentence, self.cues)
        } else {
            sentence.clone()
        };
        // The marker itself is no part of the point: "must have Java" under "Requirements".
        let opened = marked.first().filter(|segment| {
            let before = self.view.words_in(&(sentence.start..segment.marker));
            let within = segment.range.start > sentence.start && segment.range.start < sentence.end;
            segment.category == category && category.is_requirement() && before.len() <= 2 && within
        });
        let opened_at = opened.is_some();
        let range = opened.map_or(sentence.clone(), |segment| segment.range.start..sentence.end);
        let whole = marked.iter().rev().find(|segment| {
            segment.category == category && category.is_requirement() && segment.range.start == sentence.start
        });
        let range = whole.map_or(range, |segment| segment.range.clone());
        let list = open.label
            || (!open.bullet && only && (category.is_requirement() || category == Category::Task))
            || is_enumerated(self.view, &range)
            || self.is_plain_list(&range);
        let told = !open.bullet && (category.is_requirement() || category == Category::Task);
        if category.is_single()
            || told
            || (list && (open.label || !(open.bullet && category == Category::Task)))
        {
            self.take(&range, category, list);
        } else {
            let found = if opened_at {
                item(self.view, range, category, true, self.cues)
            } else {
                as_written(self.view, range, category, true, self.cues)
            };
            self.found.items.extend(found.map(|range| (category, range)));
        }
    }

    /// Whether what a marker governs is more than an aside: no bracket, no "preferably" before it.
    fn stands_free(&self, sentence: &Range<usize>, range: &Range<usize>) -> bool {
        let before = self.view.slice(&(sentence.start..range.start));
        let inside = before.matches('(').count() > before.matches(')').count();
        let marker = self.view.words_in(&(sentence.start..range.start));
        let adverb = marker.last().is_some_and(|_| {
            (1..=3.min(marker.len())).any(|count| {
                self.cues.adverbs.at(marker.get(marker.len() - count..).unwrap_or_default()).is_some()
            })
        });
        !inside && !adverb
    }

    /// What stands before the first marker of a sentence, without the marker.
    fn lead(&self, sentence: &Range<usize>, until: usize) -> Range<usize> {
        let words = self.view.words_in(&(sentence.start..until));
        let cut = (0..words.len()).find(|at| {
            let roles = self.cues.roles.at(words.get(*at..).unwrap_or_default());
            roles.is_some_and(|(_, roles)| {
                roles.before.is_some() || roles.after.is_some() || roles.tag.is_some()
            })
        });
        let end = cut.and_then(|at| words.get(at)).map_or(until, |word| word.start);
        sentence.start..end
    }

    /// A point that is nothing but short names: "Java, Spring, SQL".
    fn is_plain_list(&self, range: &Range<usize>) -> bool {
        let text = self.view.slice(range);
        let first = text.split(',').next().unwrap_or_default();
        let short = |part: &str| part.split_whitespace().count() <= 3;
        text.split(',').nth(2).is_some()
            && first.split_whitespace().count() <= 2
            && text.split(',').all(short)
    }
}
