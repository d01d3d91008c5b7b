//! The interview in turns and sentences, and the candidate's words in one piece, from which every quotation is cut.

use std::{collections::BTreeSet, ops::Range};

use tata_document::{Talk, Utterance, unescaped};
use tata_phrases::Word;

use super::{
    artifact::Quote,
    lexicon::{ANY, CueSet, Spoken, cues, cues_of, languages, lists, words},
};
use crate::{Evidence, Source, Tracer, clip::start, cues::List, tidy};

/// Between two turns: no quotation reaches over it.
const SEPARATOR: char = '\u{F8FF}';
/// A longer sentence is cut: transcripts may lack full stops.
const LONGEST_SENTENCE: usize = 420;
/// So many words of a sentence tell whether it takes something back.
const OPENING: usize = 3;
/// So many words at its end tell whether it takes itself back.
const ENDING: usize = 2;

/// What was said, from the candidate's side.
pub(super) struct Speech {
    /// The turns in order.
    pub(super) turns: Vec<Turn>,
    /// The candidate's sentences in order.
    pub(super) sentences: Vec<Sentence>,
    /// The languages of the interview.
    pub(super) spoken: Spoken,
    /// The candidate's words as a text to search.
    said: String,
    utterances: Utterances,
}

/// Everything one side says until the other side speaks.
pub(super) enum Turn {
    /// The candidate: a range of sentences.
    Candidate(Range<usize>),
    /// Anybody else: the words, never evidence.
    Other(String),
}

/// A sentence of the candidate.
pub(super) struct Sentence {
    /// Where it stands in the candidate's words.
    pub(super) span: (usize, usize),
    /// Its words.
    pub(super) words: Vec<Word<'static>>,
    /// What they tell.
    pub(super) cues: CueSet,
    /// It has a digit or a number word.
    pub(super) number: bool,
    /// It asks something.
    pub(super) question: bool,
}

impl Sentence {
    /// Its numbers and times, by which two values are told apart.
    pub(super) fn values(&self) -> Vec<&str> {
        let is_value = |word: &&Word<'_>| {
            let cues = cues_of(word, ANY);
            let digit = word.text.chars().any(|letter| letter.is_ascii_digit());
            digit || cues.has(lists::NUMBER) || cues.has(lists::PERIOD)
        };
        // "Three months" and "three months' notice" are the same.
        self.words.iter().filter(is_value).map(|word| word.text.trim_end_matches(['\'', '’', 's'])).collect()
    }
}

/// The candidate's words in one piece, and where each character comes from.
struct Utterances {
    letters: Vec<char>,
    /// First character and the one after the last in the transcript; nothing for what joins two utterances.
    origins: Vec<Option<(usize, usize)>>,
    /// Where an utterance begins here, and when it was said.
    times: Vec<(usize, Option<u64>)>,
    transcript: Vec<char>,
}

impl Speech {
    /// The speech of the candidate, who speaks as these speakers.
    pub(super) fn new(text: &str, transcript: &Talk, candidate: &[usize]) -> Self {
        let mut utterances = Utterances {
            letters: Vec::new(),
            origins: Vec::new(),
            times: Vec::new(),
            transcript: text.chars().collect(),
        };
        // The candidate's turns by their characters at first.
        let mut turns = Vec::new();
        for utterance in &transcript.utterances {
            let own = utterance.speaker.is_some_and(|speaker| candidate.contains(&speaker));
            let said = utterances.transcript.get(utterance.start..utterance.end).unwrap_or_default();
            match (turns.last_mut(), own) {
                (Some(Turn::Candidate(letters)), true) => {
                    utterances.join(' ');
                    utterances.take(utterance);
                    letters.end = utterances.letters.len();
                }
                (Some(Turn::Other(words)), false) => {
                    words.push(' ');
                    words.extend(said);
                }
                (_, true) => {
                    utterances.join(SEPARATOR);
                    let first = utterances.letters.len();
                    utterances.take(utterance);
                    turns.push(Turn::Candidate(first..utterances.letters.len()));
                }
                (_, false) => turns.push(Turn::Other(said.iter().collect())),
            }
        }
        let said = utterances.letters.iter().collect();
        let spoken = languages(&words(start(text, 100_000)));
        let mut sentences = Vec::new();
        for turn in &mut turns {
            if let Turn::Candidate(range) = turn {
                let first = sentences.len();
                let spans = utterances.sentences(range.clone()).into_iter();
                sentences.extend(spans.map(|span| utterances.sentence(span, spoken)));
                *range = first..sentences.len();
            }
        }
        Self { turns, sentences, spoken, said, utterances }
    }

    /// A sentence as a quotation.
    pub(super) fn quote(&self, sentence: &Sentence) -> Quote {
        self.utterances.quote(sentence.span.0, sentence.span.1)
    }

    /// Two sentences of a turn with all between them as one quotation.
    pub(super) fn quote_between(&self, first: &Sentence, last: &Sentence) -> Quote {
        self.utterances.quote(first.span.0, last.span.1)
    }

    /// The sentences after one that the candidate says before anybody else speaks.
    pub(super) fn rest_of_turn(&self, at: usize) -> &[Sentence] {
        self.turn_around(at).and_then(|turn| self.sentences.get(at + 1..turn.end)).unwrap_or_default()
    }

    /// All sentences that the candidate says around one before anybody else speaks.
    pub(super) fn turn_of(&self, at: usize) -> &[Sentence] {
        self.turn_around(at).and_then(|turn| self.sentences.get(turn)).unwrap_or_default()
    }

    fn turn_around(&self, at: usize) -> Option<Range<usize>> {
        self.turns.iter().find_map(|turn| match turn {
            Turn::Candidate(range) if range.contains(&at) => Some(range.clone()),
            Turn::Candidate(_) | Turn::Other(_) => None,
        })
    }

    /// The sentence in which a quotation begins, by its place.
    pub(super) fn sentence_of(&self, quote: &Quote) -> Option<usize> {
        let first = quote.spans.first()?.start;
        self.sentences.iter().position(|sentence| {
            let spans = self.quote(sentence).spans;
            spans.iter().any(|span| (span.start..span.end).contains(&first))
        })
    }

    /// Whether the first word of a sentence is in a list.
    pub(super) fn opens_with(&self, sentence: &Sentence, list: List) -> bool {
        let opening = sentence.words.get(..1).unwrap_or_default();
        cues(opening, self.spoken).has(list)
    }

    /// Whether a sentence begins by taking back what was said before it.
    pub(super) fn corrects(&self, sentence: &Sentence) -> bool {
        let opening = sentence.words.get(..sentence.words.len().min(OPENING)).unwrap_or_default();
        cues(opening, self.spoken).has(lists::CORRECTION)
    }

    /// Whether a sentence ends by taking back what it says: "It's two months now, no wait."
    pub(super) fn takes_itself_back(&self, sentence: &Sentence) -> bool {
        let from = sentence.words.len().saturating_sub(ENDING);
        let is_back = |word: &Word<'_>| {
            let cues = cues_of(word, self.spoken);
            cues.has(lists::CORRECTION) && !cues.has(lists::CONJUNCTION)
        };
        sentence.words.len() > OPENING && sentence.words.get(from..).unwrap_or_default().iter().all(is_back)
    }

    /// The clauses of a sentence, each as a sentence of its own.
    pub(super) fn clauses(&self, sentence: &Sentence) -> Vec<Sentence> {
        let (from, to) = sentence.span;
        let said = self.utterances.letters.get(from..to).unwrap_or_default();
        let stops = said
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| matches!(pair, [',' | ';' | '–' | ':', blank] if blank.is_whitespace()));
        let next = sentence.words.iter().skip(1).map(Some).chain([None]);
        let joints = sentence.words.iter().zip(next).filter(|(word, next)| {
            // "Between 52 000 and 55 000" is one thing.
            let range =
                next.is_some_and(|next| next.text.starts_with(|letter: char| letter.is_ascii_digit()));
            cues_of(word, self.spoken).has(lists::CONJUNCTION) && !range
        });
        // The joining word belongs to neither side.
        let joints = joints.flat_map(|(word, _)| [from + word.start, from + word.end]);
        let stops = stops.map(|(at, _)| from + at + 1);
        let cuts: BTreeSet<usize> = [from, to].into_iter().chain(stops).chain(joints).collect();
        let pairs = cuts.iter().zip(cuts.iter().skip(1));
        let clauses = pairs.filter_map(|(from, to)| self.utterances.trimmed(*from, *to));
        clauses.map(|span| self.utterances.sentence(span, self.spoken)).collect()
    }

    /// Finds quotations in the candidate's words.
    pub(super) fn tracer(&self) -> Tracer<'_, ()> {
        Tracer::over([((), self.said.as_str())])
    }

    /// A quotation, if the candidate said it in one turn. The tracer is the one over these words.
    pub(super) fn find(&self, tracer: &Tracer<'_, ()>, quote: &str) -> Option<Quote> {
        if quote.contains(SEPARATOR) {
            return None;
        }
        let ((), start, end) = tracer.place(quote, None)?;
        let (from, to) = self.utterances.trimmed(start, end)?;
        Some(self.utterances.quote(from, to))
    }
}

impl Utterances {
    fn join(&mut self, letter: char) {
        if !self.letters.is_empty() {
            self.letters.push(letter);
            self.origins.push(None);
        }
    }

    /// Takes an utterance over, with `&amp;` and its kin as what they stand for.
    fn take(&mut self, utterance: &Utterance) {
        self.times.push((self.letters.len(), utterance.at_ms));
        let said = self.transcript.get(utterance.start..utterance.end).unwrap_or_default();
        let said: String = said.iter().collect();
        let mut at = utterance.start;
        for (letter, length) in unescaped(&said) {
            self.letters.push(if letter == SEPARATOR { ' ' } else { letter });
            self.origins.push(Some((at, at + length)));
            at += length;
        }
    }

    /// Cuts a turn into sentences.
    fn sentences(&self, turn: Range<usize>) -> Vec<(usize, usize)> {
        let (mut found, mut start, to) = (Vec::new(), turn.start, turn.end);
        let mut blank = None;
        for at in turn {
            let Some(letter) = self.letters.get(at) else { break };
            let next = self.letters.get(at + 1).filter(|_| at + 1 < to);
            if letter.is_whitespace() {
                blank = Some(at);
            }
            let mut cut = None;
            if matches!(letter, '.' | '?' | '!' | '…') && next.is_none_or(|next| next.is_whitespace()) {
                // "ca. 300" and "bl.a. fiber" go on.
                let ahead = self.letters.get(at + 1..to.min(at + 8)).unwrap_or_default();
                let following = ahead.iter().find(|letter| !letter.is_whitespace());
                let small = following.is_some_and(|letter| letter.is_lowercase() || letter.is_ascii_digit());
                let goes_on = *letter == '.' && (small || self.is_day(at, to));
                cut = (!goes_on).then_some(at + 1);
            }
            if cut.is_none() && at + 1 - start >= LONGEST_SENTENCE {
                cut = Some(blank.filter(|blank| *blank > start).map_or(at + 1, |blank| blank + 1));
            }
            if let Some(end) = cut {
                found.extend(self.trimmed(start, end));
                (start, blank) = (end, None);
            }
        }
        found.extend(self.trimmed(start, to));
        found
    }

    /// Whether a stop belongs to a day: "zum 1. März".
    fn is_day(&self, stop: usize, to: usize) -> bool {
        let before = self.letters.get(..stop).unwrap_or_default().iter().rev();
        let digits = before.take_while(|letter| letter.is_ascii_digit()).count();
        let after = self.letters.get(stop + 1..to).unwrap_or_default().iter();
        let after = after.skip_while(|letter| letter.is_whitespace());
        let month: String = after.take_while(|letter| letter.is_alphabetic()).collect();
        (1..=2).contains(&digits) && cues(&words(&month), ANY).has(lists::PERIOD)
    }

    /// Without blanks and dashes around, if anything is left.
    fn trimmed(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let letters = self.letters.get(from..to)?;
        let edge = |letter: &char| {
            letter.is_whitespace() || matches!(letter, '-' | '–' | '—' | ',' | ';') || *letter == SEPARATOR
        };
        let first = letters.iter().position(|letter| !edge(letter))?;
        let last = letters.iter().rposition(|letter| !edge(letter))?;
        Some((from + first, from + last + 1))
    }

    fn sentence(&self, span: (usize, usize), spoken: Spoken) -> Sentence {
        let letters = self.letters.get(span.0..span.1).unwrap_or_default();
        let said: String = letters.iter().collect();
        let words: Vec<Word<'static>> = words(&said).into_iter().map(Word::into_owned).collect();
        let cues = cues(&words, spoken);
        let number = cues.has(lists::NUMBER) || letters.iter().any(char::is_ascii_digit);
        Sentence { span, words, cues, number, question: letters.last() == Some(&'?') }
    }

    fn quote(&self, from: usize, to: usize) -> Quote {
        let origins = self.origins.get(from..to).unwrap_or_default();
        let spans = origins.split(Option::is_none).filter_map(|run| {
            let ((start, _), (_, end)) = ((*run.first()?)?, (*run.last()?)?);
            let quote = self.transcript.get(start..end).unwrap_or_default().iter().collect();
            Some(Evidence { source: Source::Transcript, start, end, quote })
        });
        let said: String = self.letters.get(from..to).unwrap_or_default().iter().collect();
        let text = tidy(&said);
        let utterance = self.times.partition_point(|(start, _)| *start <= from).checked_sub(1);
        let at_ms = utterance.and_then(|at| self.times.get(at)).and_then(|(_, at_ms)| *at_ms);
        let reads_as = super::slips::corrected(&text);
        Quote { text, spans: spans.collect(), at_ms, reads_as, question: None }
    }
}
