//! Sentences in no section, which only their markers explain.

use std::ops::Range;

use super::Reader;
use crate::notes::{
    Category,
    chat::said_by,
    markers::{Segment, announced, label, segments},
    qualities::{begins, is_fragment, sought},
    split::{is_edge, item, without_connector},
    words::Word,
};

impl Reader<'_, '_> {
    /// A sentence in no section: only its markers say what it is about, or the sentence before if it goes on with it.
    pub(super) fn prose(&mut self, sentence: &Range<usize>) {
        let mentioned = self.mentioned.take();
        if let Some(rest) = self.tallied(sentence)
            && let Some(category) = announced(self.view.words_in(&(sentence.start..rest.start)), self.cues)
                .or(mentioned)
                .filter(|category| category.is_about_candidate())
        {
            self.before = Some(category);
            self.take(&rest, category, true);
            return;
        }
        if let Some((category, rest)) = label(self.view, sentence, self.cues) {
            self.before = Some(category);
            self.take(&(rest..sentence.end), category, true);
            return;
        }
        if let Some((category, range)) = self.tagged(sentence) {
            let whole = item(self.view, range, category, true, self.cues);
            self.found.items.extend(whole.map(|range| (category, range)));
            return;
        }
        let question = self.view.slice(sentence).trim_end().ends_with('?') || self.is_undecided(sentence);
        let marked = segments(self.view, sentence, self.cues);
        if question {
            let asked = marked.iter().filter(|segment| segment.category.is_requirement());
            let asked: Vec<_> = asked.map(|_| self.view.trim(sentence.clone(), is_edge)).take(1).collect();
            self.found.open.extend(asked);
            return;
        }
        let law = self.cues.says.at(self.view.words_in(sentence)).is_some()
            && marked.first().is_some_and(|segment| segment.category == Category::Other);
        if law {
            return;
        }
        // "Ada: calm and kind"
        if let Some(spoken) =
            said_by(self.view, sentence).filter(|spoken| is_fragment(self.view, spoken, self.cues))
        {
            self.take(&spoken, Category::Soft, false);
            return;
        }
        if marked.is_empty() && is_fragment(self.view, sentence, self.cues) {
            self.before = Some(Category::Soft);
            self.take(sentence, Category::Soft, false);
            return;
        }
        let personal = sought(self.view, sentence, self.cues);
        // "I want somebody who is calm" demands nothing else; a number would.
        let whole = |segment: &Segment, start: usize| {
            let words = self.view.words_in(&segment.range);
            let plain = !self.view.slice(&segment.range).contains(|letter: char| letter.is_ascii_digit());
            segment.category == Category::Must
                && segment.range.contains(&start)
                && plain
                && begins(words, self.cues)
        };
        let hard = |segment: &Segment, start: usize| {
            matches!(segment.category, Category::Must | Category::Not | Category::Task)
                && !whole(segment, start)
        };
        let soft = |range: &Range<usize>| !marked.iter().any(|segment| hard(segment, range.start));
        if let Some(range) = personal.filter(soft) {
            for segment in marked.iter().filter(|segment| segment.range.end <= range.start) {
                self.take(&segment.range, segment.category, segment.list);
            }
            self.before = Some(Category::Soft);
            self.take(&range, Category::Soft, false);
            return;
        }
        if let Some(range) = self.done(sentence).filter(|_| marked.is_empty()) {
            self.before = Some(Category::Task);
            self.take(&range, Category::Task, false);
            return;
        }
        if marked.is_empty() {
            self.mentioned = announced(self.view.words_in(sentence), self.cues);
            let rest = without_connector(self.view, sentence, self.cues);
            let goes_on = rest.start > self.view.trim(sentence.clone(), char::is_whitespace).start;
            let words = self.view.words_in(&rest);
            // "But Ada decides" goes on with nothing.
            let other = words.first().is_some_and(|word| {
                self.view.slice(&(word.start..word.end)).chars().next().is_some_and(char::is_uppercase)
            }) && words.get(1).is_some_and(|word| self.is_verb(word));
            let short = self.view.words_in(sentence).len() <= 14 && !other;
            match self.before.filter(|category| goes_on && short && *category != Category::Other) {
                Some(category) => self.take(&rest, category, false),
                None => self.before = None,
            }
            return;
        }
        for segment in marked {
            self.before = Some(segment.category).filter(|category| *category != Category::Not);
            let first = self.found.items.len();
            self.take(&segment.range, segment.category, segment.list);
            // "must be patient" is a quality, whatever the verb.
            for (category, range) in self.found.items.iter_mut().skip(first) {
                let words = self.view.words_in(range);
                if category.is_requirement() && words.len() <= 5 && begins(words, self.cues) {
                    *category = Category::Soft;
                }
            }
        }
    }

    /// What a sentence lists after saying how much it is: "It comes down to four things: a, b, c and d".
    fn tallied(&self, sentence: &Range<usize>) -> Option<Range<usize>> {
        let colon = self.view.slice(sentence).find(": ").map(|at| sentence.start + at)?;
        let words = self.view.words_in(&(sentence.start..colon));
        let counted = words.get(words.len().checked_sub(2)?..)?;
        self.cues.things.is(counted).then_some(colon + 1..sentence.end)
    }

    /// What the person does whom a sentence begins with: "The controller plans …", "Man prüft …".
    fn done(&self, sentence: &Range<usize>) -> Option<Range<usize>> {
        let words = self.view.words_in(sentence);
        // "Außerdem prüft man …" goes on with what the person does.
        let inverted = (1..=5).find(|at| {
            let verb = words.get(*at).is_some_and(|word| self.is_verb(word));
            let subject = words
                .get(at + 1)
                .is_some_and(|word| word.glued && (word.text == "man" || self.view.is_name(word)));
            verb && subject
        });
        if let Some(verb) =
            inverted.and_then(|at| words.get(at)).filter(|_| self.before == Some(Category::Task))
        {
            return Some(verb.start..sentence.end);
        }
        // "It is the coordinator who makes sure that all goes well: ordering, booking, …"
        let colon = self.view.slice(sentence).find(": ").map(|at| sentence.start + at);
        if let Some(colon) = colon
            && self.view.words_in(&(sentence.start..colon)).len() >= 5
            && self.view.words_in(&(sentence.start..colon)).iter().any(|word| self.view.is_name(word))
            && self.view.slice(&(colon..sentence.end)).contains(", ")
        {
            return Some(colon + 1..sentence.end);
        }
        // "Day to day the engineer plans …"
        let daily = self.cues.roles.at(words).filter(|(_, roles)| roles.heading == Some(Category::Task));
        let words = words.get(daily.map_or(0, |(length, _)| length)..).unwrap_or_default();
        let subject = (0..=2).find_map(|lead| {
            let rest = words.get(lead..)?;
            let title = rest.iter().take_while(|word| self.view.is_name(word)).count();
            let title = Some(title).filter(|count| *count > 0);
            let length = self.cues.candidates.at(rest).map(|(length, ())| length).or(title)?;
            Some(lead + length)
        })?;
        let rest = words.get(subject..)?;
        let verb = rest.first().filter(|word| word.glued)?;
        let known = self.cues.finite.at(rest).is_some()
            || self.cues.states.at(rest).is_some()
            || self.cues.modals.at(rest).is_some()
            || self.cues.prepositions.at(rest).is_some()
            || self.cues.says.at(rest).is_some();
        let object = rest.get(1).is_some_and(|word| word.glued);
        (self.is_verb(verb) && !known && object).then_some(verb.start..sentence.end)
    }

    /// Whether a word looks like a verb in the present: "plans", "planlægger", "prüft".
    fn is_verb(&self, word: &Word) -> bool {
        let small = self.view.slice(&(word.start..word.end)).chars().all(char::is_lowercase);
        let ending = word.text.ends_with(['r', 's', 't']) && word.text.chars().count() >= 4;
        small && ending && !self.view.is_name(word) && !self.cues.states.is(std::slice::from_ref(word))
    }

    /// A sentence whose category stands in brackets: "SQL (must)", "[nice] Kotlin".
    pub(super) fn tagged(&self, sentence: &Range<usize>) -> Option<(Category, Range<usize>)> {
        let range = self
            .view
            .trim(sentence.clone(), |letter| letter.is_whitespace() || matches!(letter, '.' | ',' | ';'));
        let text = self.view.slice(&range);
        if let Some((category, length)) = self.legend.at_end(text) {
            return Some((category, range.start..range.start + length));
        }
        let tag = |inner: Range<usize>| {
            let words = self.view.words_in(&inner);
            let (length, roles) = self.cues.roles.at(words)?;
            (length == words.len()).then_some(roles.tag.or(roles.heading).or(roles.after)).flatten()
        };
        let sign = text
            .rfind(['=', '\u{2192}', '\u{2013}', '\u{2014}'])
            .or_else(|| text.rfind("->"))
            .filter(|at| *at > 0);
        // "X? -> nice, not needed"
        let first = |from: usize| {
            let comma = text.get(from..).and_then(|rest| rest.find(", "));
            range.start + comma.map_or(text.len(), |comma| from + comma)
        };
        if let Some(sign) = sign
            && let Some(category) = tag(range.start + sign..first(sign))
        {
            let own = range.start..range.start + sign;
            return Some((category, self.view.trim(own, |letter| letter.is_whitespace() || letter == '?')));
        }
        if text.ends_with([')', ']']) {
            let open = text.rfind(['(', '['])?;
            let category = tag(range.start + open..range.end)?;
            return Some((category, range.start..range.start + open));
        }
        if text.starts_with(['(', '[']) {
            let close = text.find([')', ']'])?;
            let category = tag(range.start..range.start + close)?;
            return Some((category, range.start + close + 1..range.end));
        }
        None
    }
}
