//! Reads messy notes without a model: lists, prose, headings, mail threads, half-finished lines, in five languages.
//!
//! The structure is the same in every language; the words that show what a line is about are data (`data/cues`). What is
//! read is only ever cut out of the text, never written: every item is a span of it.

mod chat;
mod cues;
mod edges;
mod facts;
mod legend;
mod lines;
mod mail;
mod markers;
mod paragraphs;
mod qualities;
mod sentences;
mod split;
mod tables;
mod words;

use std::ops::Range;

use serde::Deserialize;

use crate::{Evidence, Item, Source, same, tidy};
use cues::Cues;
use words::View;

pub(crate) use facts::{PaySaid, parse_pay};
pub(crate) use qualities::is_quality;

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    /// A requirement nobody is hired without.
    Must,
    /// What the person will do.
    Task,
    /// Welcome, not required.
    Good,
    /// A personal quality.
    Soft,
    /// Why somebody would want the role.
    Motive,
    /// The team.
    Team,
    /// Where the role is.
    Location,
    /// How people work together.
    Style,
    /// The business unit.
    Unit,
    /// What the role adds to the mission.
    Mission,
    /// What is hard.
    Challenge,
    /// How success is measured.
    Measure,
    /// What it pays.
    Pay,
    /// The collective agreement.
    Agreement,
    /// What is expressly not required.
    Not,
    /// Something else; what was read before it is over.
    Other,
}

impl Category {
    /// Whether it says what a candidate must or should bring.
    fn is_requirement(self) -> bool {
        matches!(self, Self::Must | Self::Good)
    }

    /// Whether it says how somebody should be or what somebody should bring.
    fn is_about_candidate(self) -> bool {
        self.is_requirement() || self == Self::Soft
    }

    /// Whether there is one such statement, which is not taken apart.
    fn is_single(self) -> bool {
        matches!(
            self,
            Self::Team
                | Self::Location
                | Self::Style
                | Self::Unit
                | Self::Mission
                | Self::Pay
                | Self::Agreement
                | Self::Not
                | Self::Other
        )
    }
}

/// A shorter sentence that nothing was read in is not worth a question.
const LEAST_UNUSED: usize = 12;
/// The most characters of a label.
const LONGEST_LABEL: usize = 80;

/// What was read in one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    items: Vec<(Category, Item)>,
    /// How many people the team has.
    pub(crate) team_size: Option<(u32, Evidence)>,
    /// What the role pays.
    pub(crate) pay: Option<PaySaid>,
    /// What the text leaves open: questions among the requirements.
    pub(crate) open: Vec<Item>,
    /// Labelled lines and sentences with figures that nothing was read in.
    pub(crate) unused: Vec<Item>,
}

impl Notes {
    /// The statements of a category, in order, each once.
    pub(crate) fn of(&self, category: Category) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |(own, _)| *own == category).map(|(_, item)| item)
    }
}

/// Reads a text. The title tells who is meant by "the controller".
pub(crate) fn read(text: &str, source: Source, title: &str) -> Notes {
    let cues = Cues::get();
    let view = View::new(text).with_title(title);
    let mut lines = lines::lines(text);
    chat::messages(&view, &mut lines, cues);
    let parts = mail::parts(&view, &lines, cues);
    let found = paragraphs::found(&view, &lines, &parts, cues);
    let places = Places::new(text);
    let item = |range: &Range<usize>| places.item(range, source);
    let mut notes = Notes::default();
    for (category, range) in &found.items {
        notes.items.extend(item(range).map(|item| (*category, item)));
    }
    notes.open = found.open.iter().filter_map(item).collect();
    let sentences = &found.sentences;
    let labelled = |wanted: Category| {
        found.items.iter().filter(move |(category, _)| *category == wanted).map(|(_, range)| range)
    };
    let size = facts::team_size(&view, sentences, cues)
        .or_else(|| labelled(Category::Team).find_map(|range| facts::labelled_size(&view, range, cues)));
    let pay = facts::pay(&view, sentences, cues).or_else(|| {
        // With its label, which may say for how long: "Månadslön: 42 000–48 000 kr".
        labelled(Category::Pay)
            .find_map(|range| facts::pay_in(&view, &(label_start(text, range.start)..range.end), cues))
    });
    if notes.of(Category::Location).next().is_none() {
        let place = labelled(Category::Team).find_map(|range| facts::team_place(&view, range, cues));
        notes.items.extend(place.as_ref().and_then(item).map(|item| (Category::Location, item)));
    }
    let numbers =
        [size.as_ref().map(|(_, range)| range.clone()), pay.as_ref().map(|(_, range)| range.clone())];
    notes.unused = unused(&view, &found, &numbers).iter().filter_map(item).collect();
    notes.team_size = size.and_then(|(people, range)| Some((people, places.evidence(&range, source)?)));
    notes.pay = pay.map(|(mut said, range)| {
        said.evidence = places.evidence(&range, source).unwrap_or_default();
        said
    });
    notes
}

/// Where the label of what begins at `at` begins; there, if it has none. A label is short and stands on the same line.
fn label_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let near = before.char_indices().rev().nth(LONGEST_LABEL).map_or(0, |(start, _)| start);
    let start = before.get(near..).and_then(|near| near.rfind('\n')).map(|newline| near + newline + 1);
    let start = start.or_else(|| (near == 0).then_some(0)).unwrap_or(at);
    let label = before.get(start..).unwrap_or_default().trim_end();
    if label.ends_with(':') && label.split_whitespace().count() <= 5 { start } else { at }
}

/// Sentences that a reader would miss: they have a label or a figure, and nothing of them was read.
fn unused(view: &View<'_>, found: &paragraphs::Found, numbers: &[Option<Range<usize>>]) -> Vec<Range<usize>> {
    // The team and what is not required are read for their numbers and for what they take back.
    let read =
        found.items.iter().filter(|(category, _)| !matches!(category, Category::Team | Category::Other));
    let mut read: Vec<&Range<usize>> = read.map(|(_, range)| range).chain(&found.open).collect();
    read.extend(numbers.iter().flatten());
    read.sort_unstable_by_key(|range| range.start);
    let touched = |sentence: &Range<usize>| {
        let before = read.partition_point(|range| range.start < sentence.end);
        // Statements are short: none that begins long before reaches into the sentence.
        read.get(before.saturating_sub(8)..before)
            .unwrap_or_default()
            .iter()
            .any(|range| range.end > sentence.start)
    };
    let telling = |sentence: &Range<usize>| {
        let text = view.slice(sentence);
        let labelled = text.split_once(": ").is_some_and(|(label, _)| label.split_whitespace().count() <= 5);
        let said = text.trim().len() >= LEAST_UNUSED && !text.trim_end().ends_with('?');
        said && (labelled || text.contains(|letter: char| letter.is_ascii_digit()))
    };
    // With the label that says what it is: "Start: 1 March".
    let labelled =
        |sentence: &Range<usize>| label_start(view.slice(&(0..sentence.start)), sentence.start)..sentence.end;
    found.sentences.iter().filter(|sentence| !touched(sentence)).map(labelled).filter(telling).collect()
}

/// The text with every character of headers, signatures and footers made unfindable; characters keep their places.
pub(crate) fn without_wrapping(text: &str) -> String {
    let cues = Cues::get();
    let view = View::new(text);
    let lines = lines::lines(text);
    let parts = mail::parts(&view, &lines, cues);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (line, part) in lines.iter().zip(parts) {
        let hidden = matches!(part, mail::Part::Wrapping) && !line.is_blank();
        if hidden {
            kept.push_str(text.get(from..line.range.start).unwrap_or_default());
            // No text that somebody types contains this character.
            kept.extend(view.slice(&line.range).chars().map(|_| '\u{FFFE}'));
            from = line.range.end;
        }
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

/// From bytes to characters, which is how evidence counts.
struct Places<'a> {
    text: &'a str,
    /// The number of characters before every 256th byte or so.
    marks: Vec<(usize, usize)>,
}

impl<'a> Places<'a> {
    fn new(text: &'a str) -> Self {
        let marks =
            text.char_indices().enumerate().step_by(256).map(|(count, (at, _))| (at, count)).collect();
        Self { text, marks }
    }

    fn character(&self, byte: usize) -> usize {
        let next = self.marks.partition_point(|(at, _)| *at <= byte);
        let (at, count) =
            next.checked_sub(1).and_then(|index| self.marks.get(index)).copied().unwrap_or((0, 0));
        count + self.text.get(at..byte).map_or(0, |between| between.chars().count())
    }

    fn evidence(&self, range: &Range<usize>, source: Source) -> Option<Evidence> {
        let quote = self.text.get(range.clone()).filter(|quote| !quote.trim().is_empty())?.to_owned();
        let start = self.character(range.start);
        let end = start + quote.chars().count();
        Some(Evidence { source, start, end, quote })
    }

    fn item(&self, range: &Range<usize>, source: Source) -> Option<Item> {
        let evidence = self.evidence(range, source)?;
        let text = on_one_line(&evidence.quote);
        // By construction it holds; what does not for a reason nobody thought of is no statement.
        same(&text, &evidence.quote).then_some(Item { text, evidence }).filter(|item| !item.text.is_empty())
    }
}

/// A quotation on one line, without the marks of quoted mail.
fn on_one_line(quote: &str) -> String {
    let mut lines = quote.split(['\n', '\r']);
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let line = line.trim_start_matches(['>', '|', ' ', '\t']);
        let broken = text.ends_with('-') && text.chars().rev().nth(1).is_some_and(char::is_alphanumeric);
        if !broken && !line.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    tidy(&text)
}

/// The words of a statement that carry meaning, and the numbers in it: what two sources can be compared by.
pub(crate) fn gist(statement: &str) -> (Vec<String>, Vec<u32>) {
    let cues = Cues::get();
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for word in words::words(statement) {
        let one = std::slice::from_ref(&word);
        if let Ok(number) = word.text.parse() {
            numbers.push(number);
        } else if let Some((_, Some(number))) = cues.numbers.at(one) {
            numbers.push(*number);
        } else if !(cues.fillers.is(one) || cues.prepositions.is(one) || cues.and.is(one)) {
            words.push(word.text);
        }
    }
    (words, numbers)
}
