//! The parts of an ad: by their headings, and where there are none, by what the sentences mean.

use std::{collections::BTreeMap, ops::Range};

use tata_language::{
    book::{AdSection, Sign},
    review::Reading,
};

/// What belongs to a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Ranges of words, in order.
    pub(crate) words: Vec<Range<usize>>,
    /// Whether some of it is a list.
    pub(crate) has_bullets: bool,
}

impl Part {
    /// How many words it has.
    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(Range::len).sum()
    }

    /// Whether a word belongs to it.
    pub(crate) fn has(&self, word: usize) -> bool {
        let at = self.words.partition_point(|range| range.end <= word);
        self.words.get(at).is_some_and(|range| range.contains(&word))
    }
}

/// A line with something on it.
struct Line {
    words: Range<usize>,
    is_bullet: bool,
    is_heading: bool,
}

const MOST_HEADLINE_WORDS: usize = 14;
const MOST_HEADING_WORDS: usize = 9;
/// A heading may begin with a word or two before its cue: "Our benefits", "And what we offer".
const HEADING_REACH: usize = 2;
/// Parts that often stand inside others, told by their own sentences.
const INSIDE: [AdSection; 7] = [
    AdSection::Responsibilities,
    AdSection::SoftSkills,
    AdSection::GoodToHaves,
    AdSection::Team,
    AdSection::Benefits,
    AdSection::Process,
    AdSection::CallToAction,
];

/// The parts that an ad has.
pub(crate) fn sections(reading: &Reading<'_>) -> BTreeMap<AdSection, Part> {
    let lines = lines(reading);
    let mut parts: BTreeMap<AdSection, Part> = BTreeMap::new();
    let mut rest = lines.as_slice();
    if let Some((first, after)) = lines.split_first()
        && !first.is_bullet
        && first.words.len() <= MOST_HEADLINE_WORDS
        && (first.is_heading || !ends_like_sentence(reading, first))
    {
        add(&mut parts, AdSection::Headline, first.words.clone(), false);
        rest = after;
    }
    let mut current = None;
    let mut inside: Vec<(AdSection, Range<usize>, bool)> = Vec::new();
    for (at, line) in rest.iter().enumerate() {
        if line.is_heading {
            current = heading(reading, line);
            // A heading with nothing below it is all there is: "Apply now".
            let alone = rest.get(at + 1).is_none_or(|next| next.is_heading);
            if let Some(section) = current.filter(|_| alone) {
                add(&mut parts, section, line.words.clone(), false);
            }
            continue;
        }
        match current {
            // What is listed under "The job" are its tasks.
            Some(AdSection::RoleDescription) if line.is_bullet => {
                add(&mut parts, AdSection::Responsibilities, line.words.clone(), true);
            }
            Some(section) => {
                add(&mut parts, section, line.words.clone(), line.is_bullet);
                for sentence in sentences(reading, &line.words) {
                    let other = meaning(reading, &sentence);
                    let other = other.filter(|found| INSIDE.contains(found) && *found != section);
                    inside.extend(other.map(|found| (found, sentence, line.is_bullet)));
                }
            }
            None if at == 0 => add(&mut parts, AdSection::Intro, line.words.clone(), line.is_bullet),
            None => {
                let mut section = None;
                for sentence in sentences(reading, &line.words) {
                    section = meaning(reading, &sentence).or(section);
                    if let Some(section) = section {
                        add(&mut parts, section, sentence, line.is_bullet);
                    }
                }
            }
        }
    }
    let own: Vec<AdSection> = parts.keys().copied().collect();
    for (section, words, bullet) in inside {
        // Only what has no part of its own: a whole part is the better witness.
        if !own.contains(&section) {
            add(&mut parts, section, words, bullet);
        }
    }
    parts
}

fn add(parts: &mut BTreeMap<AdSection, Part>, section: AdSection, words: Range<usize>, bullet: bool) {
    if words.is_empty() {
        return;
    }
    let part = parts.entry(section).or_default();
    part.has_bullets |= bullet;
    match part.words.last_mut() {
        Some(last) if last.end == words.start => last.end = words.end,
        Some(_) | None => part.words.push(words),
    }
}

/// The part a heading announces.
fn heading(reading: &Reading<'_>, line: &Line) -> Option<AdSection> {
    let hits = reading.signs_in(&line.words).iter().filter_map(|(sign, hit)| {
        let Sign::Heading(section) = sign else { return None };
        Some((*section, hit))
    });
    let near =
        hits.filter(|(_, hit)| hit.first <= line.words.start + HEADING_REACH && hit.last < line.words.end);
    // The longest, and of equal ones the first.
    let best = near.max_by_key(|(_, hit)| (hit.last - hit.first, std::cmp::Reverse(hit.first)));
    best.map(|(section, _)| section).or_else(|| meaning(reading, &line.words))
}

/// What most cues of a range of words say.
fn meaning(reading: &Reading<'_>, words: &Range<usize>) -> Option<AdSection> {
    let mut counts: BTreeMap<AdSection, usize> = BTreeMap::new();
    for (sign, hit) in reading.signs_in(words) {
        if let Sign::Cue(section) = sign
            && hit.last < words.end
        {
            *counts.entry(*section).or_default() += hit.last + 1 - hit.first;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(section, count)| (*count, std::cmp::Reverse(*section)))
        .map(|(section, _)| section)
}

/// The sentences within a range of words.
fn sentences(reading: &Reading<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let from = reading.sentence_of(words.start);
    let near = reading.sentences.iter().skip(from).take_while(|sentence| sentence.start < words.end);
    near.map(|sentence| sentence.start.max(words.start)..sentence.end.min(words.end)).collect()
}

fn ends_like_sentence(reading: &Reading<'_>, line: &Line) -> bool {
    let span = reading.span(line.words.start, line.words.end.saturating_sub(1));
    reading.cut(span.end, span.end + 1) == "."
}

/// The lines with words on them.
fn lines(reading: &Reading<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut at, mut word, mut after_blank) = (0, 0, true);
    for raw in reading.text.split('\n') {
        let end = at + raw.chars().count();
        let first = word;
        while reading.words.get(word).is_some_and(|found| found.start < end) {
            word += 1;
        }
        at = end + 1;
        if word == first {
            after_blank = true;
            continue;
        }
        let text = raw.trim();
        let is_bullet = bullet(text);
        let short = word - first <= MOST_HEADING_WORDS && !text.ends_with(['.', ',', ';']);
        let marked =
            text.starts_with('#') || (text.starts_with("**") && text.ends_with("**")) || text.ends_with(':');
        let is_heading =
            !is_bullet && short && (marked || after_blank || is_known_heading(reading, first..word));
        lines.push(Line { words: first..word, is_bullet, is_heading });
        after_blank = false;
    }
    lines
}

fn is_known_heading(reading: &Reading<'_>, words: Range<usize>) -> bool {
    let hits = reading.signs_in(&words).iter();
    hits.filter(|(sign, _)| matches!(sign, Sign::Heading(_))).any(|(_, hit)| {
        hit.first == words.start && hit.last < words.end && words.len() <= hit.last - hit.first + 2
    })
}

/// Whether a line is a point of a list.
fn bullet(line: &str) -> bool {
    let mut letters = line.chars();
    match letters.next() {
        Some('*' | '•' | '·' | '▪' | '◦' | '‣' | '-' | '–' | '—' | '+') => {
            letters.next().is_some_and(char::is_whitespace)
        }
        Some(digit) if digit.is_ascii_digit() => {
            let rest = letters.as_str().trim_start_matches(|letter: char| letter.is_ascii_digit());
            rest.starts_with(". ") || rest.starts_with(") ")
        }
        Some(_) | None => false,
    }
}
