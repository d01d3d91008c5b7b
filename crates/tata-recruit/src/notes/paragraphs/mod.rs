//! From lines to statements: sections with their points, labels, and prose with markers.

mod headings;
mod points;
mod prose;

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    legend::Legend,
    lines::{Line, Mark},
    mail::Part,
    markers::{label, segments},
    sentences::sentences,
    split::items,
    tables::{Table, tables},
    words::View,
};

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
    /// How far in its heading stands, if that is a point whose own points stand further in.
    level: Option<usize>,
    /// Who asked for it in a chat.
    asker: Option<usize>,
    /// How often its lines were quoted.
    depth: usize,
}

impl Section {
    /// Whether a line stands between its quoted points and says something about them.
    fn is_answered_by(&self, line: &Line) -> bool {
        self.bullets == Some(true) && self.depth > line.depth
    }

    /// A section before its first line.
    fn new(category: Category) -> Self {
        Self {
            category,
            bullets: None,
            ticked: false,
            inline: false,
            airy: false,
            firm: false,
            lines: 0,
            block: 0,
            level: None,
            asker: None,
            depth: 0,
        }
    }
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
    /// What the sentence before only mentioned: "You asked what is a must."
    mentioned: Option<Category>,
    /// How many items there were before the last paragraph, and whether that was a quoted point.
    last: usize,
    quoted: bool,
    /// Whether the lines were broken to a width; otherwise each line stands for itself.
    wrapped: bool,
    /// What the letters and signs mean that the notes explain: "M = must".
    legend: Legend,
    /// Whether so many lines have the same label that each is a point of its own.
    points: bool,
}

/// Reads lines.
pub(super) fn found(view: &View<'_>, lines: &[Line], parts: &[Part], cues: &'static Cues) -> Found {
    let wrapped = is_wrapped(lines);
    let (section, open, before, mentioned) = (None, None, None, None);
    let legend = Legend::read(view, lines, cues);
    let labels = lines.iter().filter(|line| {
        label(view, &line.range, cues).is_some_and(|(category, _)| category == Category::Must)
    });
    let first = |line: &Line| view.words_in(&line.range).first().map(|word| word.text.clone());
    let labels: Vec<_> = labels.map(first).collect();
    let points = labels.len() >= 3 && labels.windows(2).all(|pair| pair.first() == pair.last());
    let mut tables = tables(view, lines, parts, &legend, cues).into_iter().peekable();
    let found = Found::default();
    let (last, quoted) = (0, false);
    let mut reader =
        Reader { view, cues, found, section, open, before, mentioned, last, quoted, wrapped, legend, points };
    for (at, (line, part)) in lines.iter().zip(parts).enumerate() {
        if let Some(table) = tables.peek().filter(|table| table.lines.contains(&at)) {
            if table.lines.start == at {
                reader.table(table);
            }
            if table.lines.end == at + 1 {
                tables.next();
            }
            continue;
        }
        match part {
            Part::Blank => reader.blank(),
            Part::Under => {}
            Part::Break | Part::Wrapping => {
                reader.flush();
                reader.section = None;
            }
            Part::Content if reader.section.is_some_and(|section| section.is_answered_by(line)) => {
                reader.reply(line);
            }
            Part::Content => {
                let next = following(lines, parts, at);
                let listed = next.filter(|(line, part)| **part == Part::Content && line.bullet);
                reader.line(line, listed.map(|(line, _)| line.indent));
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

    /// Reads a line. `below` is how far in the point begins that follows, if one does.
    fn line(&mut self, line: &Line, below: Option<usize>) {
        if self.continues(line) {
            if let Some(open) = &mut self.open {
                open.range.end = line.range.end;
            }
            return;
        }
        self.flush();
        let nested = below.is_some_and(|indent| line.bullet && indent > line.indent);
        if self.section.is_some_and(|section| section.level.is_some_and(|level| line.indent <= level)) {
            // A point as far out as the heading has left its list.
            self.section = None;
        }
        if let Some((category, known)) = self.heading(line, below.is_some(), nested) {
            let level = Some(line.indent).filter(|_| nested);
            let section = Section {
                firm: line.heading,
                level,
                asker: line.speaker,
                depth: line.depth,
                ..Section::new(category)
            };
            self.section = known.then_some(section);
            // What a role is for is one statement; a list of it is what the person does.
            if let Some(section) = &mut self.section
                && section.category == Category::Mission
                && below.is_some()
            {
                section.category = Category::Task;
            }
            return;
        }
        if line.speaker.is_some() && self.changes_subject(line) {
            self.section = None;
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
            range.start = rest;
            // "Uppdraget: do this; do that" names tasks; what the role is for is one statement.
            let several = category == Category::Mission && self.view.slice(&range).contains("; ");
            let category = if several { Category::Task } else { category };
            labelled = Some(category);
            // A label among the points of a list speaks for its point only.
            let in_list = line.bullet && self.section.is_some_and(|section| section.bullets == Some(true));
            if line.bullet && !in_list && !nested {
                self.section = None;
            } else if !in_list {
                self.section = Some(Section {
                    bullets: Some(line.bullet),
                    ticked: line.mark == Mark::Box,
                    inline: true,
                    depth: line.depth,
                    lines: 1,
                    block: 1,
                    level: Some(line.indent).filter(|_| nested),
                    ..Section::new(category)
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

    /// Whether a message asks for something else than what was spoken of.
    fn changes_subject(&self, line: &Line) -> bool {
        let question = self.view.slice(&line.range).ends_with('?');
        let more = self.cues.more.within(self.view.words_in(&line.range));
        // Who asked and speaks again has heard the answer.
        let again = self.section.is_some_and(|section| section.asker == line.speaker);
        if question { !more } else { again }
    }

    /// A short line without the stop of a sentence.
    fn is_entry(&self, range: &Range<usize>) -> bool {
        let text = self.view.slice(range);
        !text.ends_with(['.', '!', '?']) && self.view.words_in(range).len() <= 14
    }

    /// A line between the points of a quoted list: what is said of the point above. The list may go on after it.
    fn reply(&mut self, line: &Line) {
        self.flush();
        let words = self.view.words_in(&line.range);
        let refused = self.cues.refusals.at(words).is_some() || self.cues.strikes.within(words);
        if refused && self.quoted {
            self.found.items.truncate(self.last);
        }
        let section = self.section.take();
        self.line(line, None);
        self.section = self.section.or(section);
    }

    /// What the cells of a table say.
    fn table(&mut self, table: &Table) {
        self.flush();
        let section = self.section.map(|section| section.category);
        for (category, range) in table.read(self.view, section, &self.legend, self.cues) {
            self.found.sentences.push(range.clone());
            let open = Paragraph {
                range: range.clone(),
                bullet: true,
                depth: 0,
                indent: 0,
                category: Some(category),
                label: false,
            };
            if category != Category::Other {
                self.point(&range, category, &open, true);
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
        if (line.bullet && !lettered) || line.heading || line.speaker.is_some() || line.depth != open.depth {
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

    /// Reads the paragraph that is complete now.
    fn flush(&mut self) {
        let Some(open) = self.open.take() else { return };
        (self.last, self.quoted) = (self.found.items.len(), open.bullet && open.depth > 0);
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
                asked = self
                    .asked(self.view.words_in(sentence))
                    .filter(|category| category.is_about_candidate() || *category == Category::Task);
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
