//! From lines to statements: sections with their points, labels, and prose with markers.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    legend::{Legend, cells, column_letter, tag_of},
    lines::{Line, Mark},
    mail::Part,
    markers::{announced, counted, heading, label, segments},
    sentences::sentences,
    split::{as_written, is_edge, item, items, without_afterthought, without_connector},
    words::{View, Word},
};

/// The most markers of a point that are weighed one by one.
const MOST_MARKERS: usize = 20;

/// What the paragraphs of a text say.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) items: Vec<(Category, Range<usize>)>,
    /// Requirements with a question mark.
    pub(super) open: Vec<Range<usize>>,
    /// All sentences, for numbers that stand in no list.
    pub(super) sentences: Vec<Range<usize>>,
}

/// The part of a text under a heading.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a habit of the writer, and they come in any combination"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Section {
    category: Category,
    /// How the lines in it look: unknown before the first.
    bullets: Option<bool>,
    /// Its points are boxes to tick; among other points a box is something to do.
    ticked: bool,
    /// Its label stood on the line of its content; only bullets go on with it.
    inline: bool,
    /// A blank line stood between the heading and the first line.
    airy: bool,
    /// Its heading is written as one, so that blank lines among short lines do not end it.
    firm: bool,
    /// How many lines it has so far, and how many of them since the last blank line.
    lines: usize,
    block: usize,
}

/// Lines that belong together.
#[derive(Clone, Debug)]
struct Paragraph {
    range: Range<usize>,
    bullet: bool,
    depth: usize,
    indent: usize,
    category: Option<Category>,
    /// Its category stands in it as a label; what follows is a list.
    label: bool,
}

struct Reader<'a, 'b> {
    view: &'b View<'a>,
    cues: &'static Cues,
    found: Found,
    section: Option<Section>,
    open: Option<Paragraph>,
    /// What the sentence before was about.
    before: Option<Category>,
    /// Whether the lines were broken to a width; otherwise each line stands for itself.
    wrapped: bool,
    /// What the letters and signs mean that the notes explain: "M = must".
    legend: Legend,
    /// What the columns of the table are about.
    columns: Vec<Option<Category>>,
    /// Whether so many lines have the same label that each is a point of its own.
    points: bool,
}

/// Reads lines.
pub(super) fn found(view: &View<'_>, lines: &[Line], parts: &[Part], cues: &'static Cues) -> Found {
    let wrapped = is_wrapped(lines);
    let (section, open, before) = (None, None, None);
    let legend = Legend::read(view, lines, cues);
    let labels = lines.iter().filter(|line| {
        label(view, &line.range, cues).is_some_and(|(category, _)| category == Category::Must)
    });
    let first = |line: &Line| view.words_in(&line.range).first().map(|word| word.text.clone());
    let labels: Vec<_> = labels.map(first).collect();
    let points = labels.len() >= 3 && labels.windows(2).all(|pair| pair.first() == pair.last());
    let (found, columns) = (Found::default(), Vec::new());
    let mut reader = Reader { view, cues, found, section, open, before, wrapped, legend, columns, points };
    for (at, (line, part)) in lines.iter().zip(parts).enumerate() {
        match part {
            Part::Blank => reader.blank(),
            Part::Under => {}
            Part::Content if line.mark == Mark::Row => {
                let below = lines.get(at + 1).filter(|below| below.mark == Mark::Row);
                let ruled =
                    below.is_some_and(|below| !view.slice(&below.range).chars().any(char::is_alphanumeric));
                reader.row(line, ruled);
            }
            Part::Break | Part::Wrapping => {
                reader.flush();
                reader.section = None;
            }
            Part::Content => {
                let next = following(lines, parts, at);
                reader.columns.clear();
                let listed = next.is_some_and(|(line, part)| *part == Part::Content && line.bullet);
                reader.line(line, listed);
            }
        }
    }
    reader.flush();
    reader.found
}

impl Reader<'_, '_> {
    fn blank(&mut self) {
        self.flush();
        self.before = None;
        if let Some(section) = &mut self.section {
            let double_spaced = section.airy && section.block <= 1;
            let ends = section.inline || (section.bullets == Some(false) && !double_spaced && !section.firm);
            section.airy |= section.lines == 0;
            section.block = 0;
            if ends {
                self.section = None;
            }
        }
    }

    fn line(&mut self, line: &Line, listed: bool) {
        if self.continues(line) {
            if let Some(open) = &mut self.open {
                open.range.end = line.range.end;
            }
            return;
        }
        self.flush();
        if let Some((category, known)) = self.heading(line, listed) {
            let (bullets, inline, airy) = (None, false, false);
            let firm = line.heading;
            let section =
                Section { category, bullets, ticked: false, inline, airy, firm, lines: 0, block: 0 };
            self.section = known.then_some(section);
            return;
        }
        let mut range = line.range.clone();
        let mut labelled = None;
        if self.legend.explains(&range) {
            return;
        }
        if let Some(category) = marked(line.mark) {
            let (depth, indent) = (line.depth, line.indent);
            let label = category == Category::Good;
            self.section = None;
            self.open =
                Some(Paragraph { range, bullet: true, depth, indent, category: Some(category), label });
            return;
        }
        if let Some((category, rest)) = label(self.view, &range, self.cues) {
            labelled = Some(category);
            range.start = rest;
            // A label among the points of a list speaks for its point only.
            let in_list = line.bullet && self.section.is_some_and(|section| section.bullets == Some(true));
            if !in_list {
                let (bullets, inline) = (Some(line.bullet), true);
                let ticked = line.mark == Mark::Box;
                self.section = Some(Section {
                    category,
                    bullets,
                    ticked,
                    inline,
                    airy: false,
                    firm: false,
                    lines: 1,
                    block: 1,
                });
            }
        } else if let Some(section) = self.section {
            let ended = match section.bullets {
                // After points, a line without a bullet is something else; so is one after a label.
                Some(true) => !line.bullet,
                Some(false) if section.inline => !line.bullet,
                Some(false) if section.firm && section.block == 0 => !self.is_entry(&line.range),
                Some(false) | None => false,
            };
            if ended {
                self.section = None;
            }
        }
        if let Some(section) = &mut self.section {
            if section.lines == 0 {
                section.ticked = line.mark == Mark::Box;
            } else if line.mark == Mark::Box && !section.ticked {
                return;
            }
            section.bullets.get_or_insert(line.bullet);
            section.bullets = section.bullets.map(|bullets| bullets || line.bullet);
            section.lines += 1;
            section.block += 1;
        }
        let category = labelled.or(self.section.map(|section| section.category));
        let (depth, indent) = (line.depth, line.indent);
        // "mh: …" on every line: each line is one point.
        let point = self.points && labelled == Some(Category::Must);
        let entry = labelled.is_none()
            && self.section.is_some_and(|section| section.firm)
            && self.is_entry(&line.range)
            && !self.view.slice(&line.range).contains(';');
        let (bullet, label) = (line.bullet || point || entry, labelled.is_some() && !point);
        self.open = Some(Paragraph { range, bullet, depth, indent, category, label });
    }

    /// A short line without the stop of a sentence.
    fn is_entry(&self, range: &Range<usize>) -> bool {
        let text = self.view.slice(range);
        !text.ends_with(['.', '!', '?']) && self.view.words_in(range).len() <= 14
    }

    /// A row of a table: a cell may name the category of the others, and so may the head of a column.
    fn row(&mut self, line: &Line, head: bool) {
        self.flush();
        let cells = cells(self.view, &line.range);
        let said = |range: &Range<usize>| self.view.slice(range).chars().any(char::is_alphanumeric);
        if !cells.iter().any(said) {
            return;
        }
        let meaning = |range: &Range<usize>| {
            let words = self.view.words_in(range);
            let letter =
                self.legend.of(self.view.slice(range)).or_else(|| column_letter(self.view.slice(range)));
            letter.or_else(|| tag_of(words, self.cues)).or_else(|| heading(words, self.cues, 0))
        };
        let names: Vec<Option<Category>> = cells.iter().map(meaning).collect();
        let full = cells.iter().filter(|cell| said(cell)).count();
        let all_named = names.iter().flatten().count() == full && full > 1;
        let found: Vec<(Category, Range<usize>)> = if head || all_named {
            self.columns = names;
            return;
        } else if let Some(category) = names.iter().flatten().next() {
            let rest = cells.iter().zip(&names).filter(|(cell, name)| name.is_none() && said(cell));
            rest.take(1).map(|(cell, _)| (*category, cell.clone())).collect()
        } else if self.columns.iter().any(Option::is_some) {
            let columns = cells.iter().zip(&self.columns).filter(|(cell, _)| said(cell));
            columns.filter_map(|(cell, name)| Some(((*name)?, cell.clone()))).collect()
        } else {
            let category = self.section.map(|section| section.category).filter(|_| full == 1);
            let first = cells.iter().find(|cell| said(cell));
            category.zip(first.cloned()).into_iter().collect()
        };
        for (category, range) in found {
            self.found.sentences.push(range.clone());
            let (depth, indent) = (line.depth, line.indent);
            let whole = range.clone();
            let open =
                Paragraph { range, bullet: true, depth, indent, category: Some(category), label: false };
            if category != Category::Other {
                self.point(&whole, category, &open, true);
            }
        }
    }

    /// Whether a line goes on with the paragraph before it: wrapped prose, or a point of several lines.
    fn continues(&self, line: &Line) -> bool {
        let Some(open) = &self.open else { return false };
        let last = self.view.slice(&open.range);
        let tail = last.trim_end();
        // "… are (a) X,", "(b) Y" goes on although it looks like a point.
        let head = last.char_indices().nth(200).map_or(last, |(end, _)| last.get(..end).unwrap_or(last));
        let lettered = !open.bullet
            && ["(a)", "(1)", "(i)"].iter().any(|first| head.contains(first))
            && (tail.ends_with([',', ';']) || !tail.ends_with(['.', '!', '?', ':']));
        if (line.bullet && !lettered) || line.heading || line.depth != open.depth {
            return false;
        }
        if line.bullet {
            return true;
        }
        if self.legend.at_end(tail).is_some() {
            return false;
        }
        let line_length = tail.rsplit(['\n', '\r']).next().unwrap_or_default().chars().count();
        let words = self.view.words_in(&open.range);
        let dangling = tail.ends_with([',', '(', '/', '&'])
            || words.last().is_some_and(|word| {
                let word = std::slice::from_ref(word);
                self.cues.and.is(word) || self.cues.prepositions.is(word)
            });
        if dangling {
            return true;
        }
        if tail.ends_with(['.', '!', '?', ':', ';']) {
            return open.bullet && line.indent > open.indent;
        }
        let small = self.view.slice(&line.range).chars().next().is_some_and(char::is_lowercase);
        if label(self.view, &line.range, self.cues).is_some() {
            return false;
        }
        let entry = self.section.is_some_and(|section| section.firm) && self.is_entry(&open.range);
        if entry && !small && !open.label {
            return false;
        }
        let broken = self.wrapped && (line_length >= 60 || (small && line_length >= 50));
        broken || (open.bullet && line.indent > open.indent)
    }

    /// The category of a line that is a heading, and whether a cue knows it. What follows an unknown one is prose.
    fn heading(&self, line: &Line, listed: bool) -> Option<(Category, bool)> {
        let text = self.view.slice(&line.range);
        let words = self.view.words_in(&line.range);
        let bare = without_brackets(self.view, &line.range);
        let bare = self.view.words_in(&bare);
        let known = |category| (category, true);
        let unknown = (Category::Other, false);
        if text.ends_with(':') || text.ends_with(":**") {
            // "Sorry for the mess. What I need:" announces with its last sentence.
            let last = text.rfind(". ").map_or(line.range.start, |at| line.range.start + at + 1);
            let last = self.view.words_in(&(last..line.range.end));
            let found = heading(bare, self.cues, 4)
                .or_else(|| heading(last, self.cues, 4))
                .or_else(|| announced(last, self.cues));
            let in_list = line.bullet && self.section.is_some();
            return found.map(known).or((!in_list).then_some(unknown));
        }
        if text.ends_with('?') {
            // Somebody answers below a question; a requirement with a question mark is short and in a list.
            let in_list =
                line.bullet && self.section.is_some_and(|section| section.category.is_requirement());
            return heading(bare, self.cues, 9).filter(|_| !in_list).map(known);
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
            .or_else(|| (listed && !line.bullet).then(|| counted(words, self.cues)).flatten());
        // A point of a list is a heading only when it is nothing else.
        let alone = || {
            (self.section.is_none() || listed || line.mark == Mark::Number)
                && heading(bare, self.cues, 0).is_some()
        };
        let found = found.filter(|_| !line.bullet || alone());
        found.map(known).or((line.heading && words.len() <= 8).then_some(unknown))
    }

    /// Reads the paragraph that is complete now.
    fn flush(&mut self) {
        let Some(open) = self.open.take() else { return };
        let all = sentences(self.view, &open.range, self.cues);
        self.found.sentences.extend(all.iter().cloned());
        // What a question asked for; the sentence after it answers.
        let mut asked: Option<Category> = None;
        for (at, sentence) in all.iter().enumerate() {
            let first = at == 0;
            let answered = asked.take();
            if open.category.is_none()
                && self.view.slice(sentence).trim_end().ends_with('?')
                && at + 1 < all.len()
            {
                asked = heading(self.view.words_in(sentence), self.cues, 9)
                    .filter(|category| category.is_requirement() || *category == Category::Task);
                if asked.is_some() {
                    continue;
                }
            }
            if let Some(category) = answered
                && !self.is_aside(sentence)
            {
                self.before = Some(category);
                self.take(sentence, category, true);
                continue;
            }
            let category = open.category.filter(|category| {
                first
                    || (!open.bullet && !open.label)
                    || (open.label && self.is_fragment(sentence, *category))
            });
            let aside = self.is_aside(sentence) && segments(self.view, sentence, self.cues).is_empty();
            if !first && category.is_some() && aside {
                continue;
            }
            match category {
                Some(Category::Other) => {}
                Some(_) if self.is_struck(sentence) => {}
                Some(category) => self.point(sentence, category, &open, all.len() == 1),
                None => self.prose(sentence),
            }
        }
    }

    /// A few words without a verb or a marker after a label: one more item of its list.
    fn is_fragment(&self, sentence: &Range<usize>, category: Category) -> bool {
        let words = self.view.words_in(sentence);
        category.is_requirement()
            && words.len() <= 6
            && !self.cues.finite.within(words)
            && segments(self.view, sentence, self.cues).is_empty()
    }

    /// A sentence that only comments on the one before.
    fn is_aside(&self, sentence: &Range<usize>) -> bool {
        let words = self.view.words_in(sentence);
        self.cues.negations.at(words).is_some() || self.cues.remarks.at(words).is_some()
    }

    fn is_struck(&self, sentence: &Range<usize>) -> bool {
        let words = self.view.words_in(sentence);
        self.view.slice(sentence).trim_start().starts_with("~~") || self.cues.strikes.within(words)
    }

    /// A sentence in a section, or after a label.
    fn point(&mut self, sentence: &Range<usize>, category: Category, open: &Paragraph, only: bool) {
        let (category, sentence) = self.tagged(sentence).unwrap_or((category, sentence.clone()));
        let sentence = &sentence;
        let undecided =
            category != Category::Task && self.cues.undecided.within(self.view.words_in(sentence));
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
            let before = self.view.words_in(&(sentence.start..segment.range.start));
            let within = segment.range.start > sentence.start && segment.range.start < sentence.end;
            segment.category == category && category.is_requirement() && before.len() <= 7 && within
        });
        let opened_at = opened.is_some();
        let range = opened.map_or(sentence.clone(), |segment| segment.range.start..sentence.end);
        let whole = marked.iter().rev().find(|segment| {
            segment.category == category && category.is_requirement() && segment.range.start == sentence.start
        });
        let range = whole.map_or(range, |segment| segment.range.clone());
        let list = open.label
            || (!open.bullet && only && (category.is_requirement() || category == Category::Task))
            || self.is_plain_list(&range);
        let told = !open.bullet && (category.is_requirement() || category == Category::Task);
        if category.is_single() || told || (list && !(open.bullet && category == Category::Task)) {
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

    /// A sentence in no section: only its markers say what it is about, or the sentence before if it goes on with it.
    fn prose(&mut self, sentence: &Range<usize>) {
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
        let question = self.view.slice(sentence).trim_end().ends_with('?')
            || self.cues.undecided.within(self.view.words_in(sentence));
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
        if let Some(range) = self.done(sentence).filter(|_| marked.is_empty()) {
            self.before = Some(Category::Task);
            self.take(&range, Category::Task, false);
            return;
        }
        if marked.is_empty() {
            let rest = without_connector(self.view, sentence, self.cues);
            let goes_on = rest.start > self.view.trim(sentence.clone(), char::is_whitespace).start;
            let short = self.view.words_in(sentence).len() <= 14;
            match self.before.filter(|category| goes_on && short && *category != Category::Other) {
                Some(category) => self.take(&rest, category, false),
                None => self.before = None,
            }
            return;
        }
        for segment in marked {
            self.before = Some(segment.category).filter(|category| *category != Category::Not);
            self.take(&segment.range, segment.category, segment.list);
        }
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
        let subject = (0..=2).find_map(|lead| {
            let rest = words.get(lead..)?;
            let named = rest.first().is_some_and(|word| self.view.is_name(word));
            let length = self.cues.candidates.at(rest).map(|(length, ())| length).or(named.then_some(1))?;
            Some(lead + length)
        })?;
        let rest = words.get(subject..)?;
        let verb = rest.first().filter(|word| word.glued)?;
        let known = self.cues.finite.at(rest).is_some()
            || self.cues.states.at(rest).is_some()
            || self.cues.modals.at(rest).is_some()
            || self.cues.prepositions.at(rest).is_some()
            || self.cues.says.at(rest).is_some();
        (self.is_verb(verb) && !known && rest.len() >= 2).then_some(verb.start..sentence.end)
    }

    /// Whether a word looks like a verb in the present: "plans", "planlægger", "prüft".
    fn is_verb(&self, word: &Word) -> bool {
        let small = self.view.slice(&(word.start..word.end)).chars().all(char::is_lowercase);
        let ending = word.text.ends_with(['r', 's', 't']) && word.text.chars().count() >= 4;
        small && ending && !self.view.is_name(word) && !self.cues.states.is(std::slice::from_ref(word))
    }

    /// A sentence whose category stands in brackets: "SQL (must)", "[nice] Kotlin".
    fn tagged(&self, sentence: &Range<usize>) -> Option<(Category, Range<usize>)> {
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
        if let Some(sign) = sign
            && let Some(category) = tag(range.start + sign..range.end)
        {
            return Some((category, range.start..range.start + sign));
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

    /// A point that is nothing but short names: "Java, Spring, SQL".
    fn is_plain_list(&self, range: &Range<usize>) -> bool {
        let text = self.view.slice(range);
        let first = text.split(',').next().unwrap_or_default();
        let short = |part: &str| part.split_whitespace().count() <= 3;
        text.split(',').nth(2).is_some()
            && first.split_whitespace().count() <= 2
            && text.split(',').all(short)
    }

    fn take(&mut self, range: &Range<usize>, category: Category, list: bool) {
        let found = items(self.view, range, category, list, self.cues);
        self.found.items.extend(found.into_iter().map(|range| (category, range)));
    }
}

/// Whether the lines were broken to a width: none is long, and several are nearly as long as the longest.
fn is_wrapped(lines: &[Line]) -> bool {
    let longest = lines.iter().map(|line| line.range.len()).max().unwrap_or(0);
    let full = lines.iter().filter(|line| line.range.len() * 5 >= longest * 4).count();
    longest <= 110 && full >= 3
}

/// A range without its brackets at the end: "Must have (non-negotiable)".
fn without_brackets(view: &View<'_>, range: &Range<usize>) -> Range<usize> {
    let text = view.slice(range).trim_end_matches([':', ' ', '*']);
    let open = text.ends_with(')').then(|| text.rfind('(')).flatten().filter(|open| *open > 0);
    range.start..open.map_or(range.end, |open| range.start + open)
}

/// The category of a bullet that says one.
fn marked(mark: Mark) -> Option<Category> {
    match mark {
        Mark::Must => Some(Category::Must),
        Mark::Good => Some(Category::Good),
        Mark::Plain | Mark::Number | Mark::Box | Mark::Row => None,
    }
}

/// The next line that is not blank, and what it is.
fn following<'a>(lines: &'a [Line], parts: &'a [Part], at: usize) -> Option<(&'a Line, &'a Part)> {
    // Slices, not iterators that skip: skipping from the beginning for every line would take too long.
    let rest = lines.get(at + 1..)?.iter().zip(parts.get(at + 1..)?);
    rest.into_iter().find(|(_, part)| !matches!(part, Part::Blank | Part::Under))
}
