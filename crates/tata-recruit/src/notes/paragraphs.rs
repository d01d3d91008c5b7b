//! From lines to statements: sections with their points, labels, and prose with markers.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    lines::{Line, Mark},
    mail::Part,
    markers::{announced, heading, label, segments},
    sentences::sentences,
    split::{as_written, is_edge, item, items, without_afterthought, without_connector},
    words::View,
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
}

/// Reads lines.
pub(super) fn found(view: &View<'_>, lines: &[Line], parts: &[Part], cues: &'static Cues) -> Found {
    let wrapped = is_wrapped(lines);
    let (section, open, before) = (None, None, None);
    let mut reader = Reader { view, cues, found: Found::default(), section, open, before, wrapped };
    for (at, (line, part)) in lines.iter().zip(parts).enumerate() {
        match part {
            Part::Blank => reader.blank(),
            Part::Break | Part::Wrapping => {
                reader.flush();
                reader.section = None;
            }
            Part::Content => {
                let next = lines.iter().zip(parts).skip(at + 1).find(|(_, part)| **part != Part::Blank);
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
            let ends = section.inline || (section.bullets == Some(false) && !double_spaced);
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
            let section = Section { category, bullets, ticked: false, inline, airy, lines: 0, block: 0 };
            self.section = known.then_some(section);
            return;
        }
        let mut range = line.range.clone();
        let mut labelled = None;
        if let Some((category, rest)) = label(self.view, &range, self.cues) {
            labelled = Some(category);
            range.start = rest;
            // A label among the points of a list speaks for its point only.
            let in_list = line.bullet && self.section.is_some_and(|section| section.bullets == Some(true));
            if !in_list {
                let (bullets, inline) = (Some(line.bullet), true);
                let ticked = line.mark == Mark::Box;
                self.section =
                    Some(Section { category, bullets, ticked, inline, airy: false, lines: 1, block: 1 });
            }
        } else if let Some(section) = self.section {
            let ended = match section.bullets {
                // After points, a line without a bullet is something else; so is one after a label.
                Some(true) => !line.bullet,
                Some(false) if section.inline => !line.bullet,
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
        let (depth, indent, bullet) = (line.depth, line.indent, line.bullet);
        self.open = Some(Paragraph { range, bullet, depth, indent, category, label: labelled.is_some() });
    }

    /// Whether a line goes on with the paragraph before it: wrapped prose, or a point of several lines.
    fn continues(&self, line: &Line) -> bool {
        let Some(open) = &self.open else { return false };
        if line.bullet || line.heading || line.depth != open.depth {
            return false;
        }
        let last = self.view.slice(&open.range);
        let tail = last.trim_end();
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
            let found = heading(bare, self.cues, 4).or_else(|| announced(words, self.cues));
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
        let found = heading(bare, self.cues, spare);
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
        for (at, sentence) in all.iter().enumerate() {
            let first = at == 0;
            let category = open.category.filter(|category| {
                first
                    || (!open.bullet && !open.label)
                    || (open.label && self.is_fragment(sentence, *category))
            });
            if !first && category.is_some() && self.is_aside(sentence) {
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
        if self.view.slice(sentence).trim_end().ends_with('?')
            || self.cues.undecided.within(self.view.words_in(sentence))
        {
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
                self.take(&segment.range, segment.category, segment.list);
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
            segment.category == category && category.is_requirement() && before.len() <= 4 && within
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
        if category.is_single() || (list && !(open.bullet && category == Category::Task)) {
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

    /// A sentence whose category stands in brackets: "SQL (must)", "[nice] Kotlin".
    fn tagged(&self, sentence: &Range<usize>) -> Option<(Category, Range<usize>)> {
        let range = self.view.trim(sentence.clone(), |letter| {
            letter.is_whitespace() || matches!(letter, '.' | ',' | ';' | '!')
        });
        let text = self.view.slice(&range);
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
