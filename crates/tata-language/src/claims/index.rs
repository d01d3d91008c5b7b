//! The sources, read once: which unit stands in which sentence.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{
    Evidence,
    pick::Fact,
    reading::{Reading, Strength, Unit, What},
    vocabulary::{Vocabulary, WordId},
};
use crate::{
    language::Language,
    lists::{Cue, CueSet},
    spans::Span,
    tokens::{Kind, Token},
    values::Amount,
};

/// A unit of a source; its place in the list of all is its name.
pub(super) type Post = u32;

/// Places and words that are looked at for one word or number: enough for any source that a person reads.
pub(super) const MOST: usize = 1_000;
/// Letters that words of one family share.
const ALIKE: usize = 5;

/// A sentence of a source.
#[derive(Debug)]
pub(super) struct SourceSentence {
    pub(super) place: Evidence,
    pub(super) units: Range<usize>,
    pub(super) cues: CueSet,
    pub(super) words: usize,
}

/// The sentences of all sources in one language.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) words: Vocabulary,
    pub(super) sentences: Vec<SourceSentence>,
    pub(super) units: Vec<Unit>,
    /// Of each unit what choosing looks at.
    facts: Vec<Fact>,
    /// The words of all sources, in their normalised form, for quotations.
    pub(super) spoken: String,
    by_word: FxHashMap<WordId, Vec<Post>>,
    by_key: FxHashMap<u32, Vec<WordId>>,
    by_number: FxHashMap<u64, Vec<Post>>,
    by_month: FxHashMap<u8, Vec<Post>>,
    /// Where a word is counted: the numbers before it, by its stem.
    counted: FxHashMap<u32, Vec<Post>>,
    /// Stems forwards and backwards, to find the parts of compounds.
    stems: Vec<(Box<str>, WordId)>,
    mirrored: Vec<(String, WordId)>,
    reading: Reading,
    /// What a heading says of the lines below it, and where they began.
    heading: Strength,
    last: Option<(usize, usize)>,
}

impl Index {
    pub(super) fn new(language: Language) -> Self {
        Self {
            words: Vocabulary::new(language),
            sentences: Vec::new(),
            units: Vec::new(),
            facts: Vec::new(),
            spoken: String::from(" "),
            by_word: FxHashMap::default(),
            by_key: FxHashMap::default(),
            by_number: FxHashMap::default(),
            by_month: FxHashMap::default(),
            counted: FxHashMap::default(),
            stems: Vec::new(),
            mirrored: Vec::new(),
            reading: Reading::default(),
            heading: Strength::None,
            last: None,
        }
    }

    /// Reads a sentence of a source.
    pub(super) fn add(&mut self, source: usize, tokens: &[Token<'_>], range: Range<usize>) {
        let piece = tokens.get(range.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else { return };
        for token in piece.iter().filter(|token| matches!(token.kind, Kind::Word | Kind::Number)) {
            self.spoken.push_str(&token.norm);
            self.spoken.push(' ');
        }
        self.reading.read(&mut self.words, piece);
        self.under_heading(source, tokens, &range);
        let start = self.units.len();
        let sentence = u32::try_from(self.sentences.len()).unwrap_or(u32::MAX);
        for at in 0..self.reading.units.len() {
            let Some(mut unit) = self.reading.units.get(at).copied() else { break };
            if unit.strength == Strength::None {
                unit.strength = self.heading;
            }
            let post = Post::try_from(self.units.len()).unwrap_or(Post::MAX);
            match unit.what {
                What::Word(word) | What::Name(word) => self.by_word.entry(word).or_default().push(post),
                What::Value { amount: Amount::Number(number, _), .. } => {
                    self.by_number.entry(number).or_default().push(post);
                    let things = self.things(unit.after).to_vec();
                    for key in things {
                        self.counted.entry(key).or_default().push(post);
                    }
                }
                What::Value { amount: Amount::Date(date), .. } => {
                    self.by_month.entry(date.month).or_default().push(post);
                }
            }
            self.units.push(unit);
            self.facts.push(Fact::of(&unit, sentence));
        }
        self.sentences.push(SourceSentence {
            place: Evidence { source, span: Span::new(first.span.start, last.span.end) },
            units: start..self.units.len(),
            cues: self.reading.cues,
            words: piece.iter().filter(|token| token.kind == Kind::Word).count(),
        });
        if self.reading.strength != Strength::None {
            self.heading = self.reading.strength;
        }
        self.last = Some((source, range.end));
    }

    /// A heading counts for the lines below it, up to an empty line, another heading or another source.
    fn under_heading(&mut self, source: usize, tokens: &[Token<'_>], range: &Range<usize>) {
        let Some((before, end)) = self.last else { return };
        let between = tokens.get(end..range.start).unwrap_or_default();
        let lines = between.iter().filter(|token| token.kind == Kind::Line).count();
        let after_heading = tokens.get(end.saturating_sub(1)).is_some_and(|token| token.is(':'));
        let heading = tokens.get(range.end.saturating_sub(1)).is_some_and(|token| token.is(':'));
        // A sentence on the same line as the one before stands under no heading.
        if before != source || heading || lines == 0 || (lines > 1 && !after_heading) {
            self.heading = Strength::None;
        }
    }

    /// After the last sentence: makes what finds words.
    pub(super) fn finish(&mut self) {
        for id in self.by_word.keys() {
            let Some(word) = self.words.word(*id) else { continue };
            for key in &word.keys {
                self.by_key.entry(*key).or_default().push(*id);
            }
            self.stems.push((word.stem.clone(), *id));
            self.mirrored.push((word.stem.chars().rev().collect(), *id));
        }
        self.stems.sort();
        self.mirrored.sort();
        for words in self.by_key.values_mut() {
            words.sort_unstable();
        }
    }

    pub(super) fn sentence(&self, post: Post) -> u32 {
        self.fact(post).map_or(0, |fact| fact.sentence)
    }

    pub(super) fn fact(&self, post: Post) -> Option<&Fact> {
        self.facts.get(post as usize)
    }

    /// Those in one sentence, of places in order.
    pub(super) fn within<'p>(&self, posts: &'p [Post], sentence: u32) -> &'p [Post] {
        let Some(here) = self.sentences.get(sentence as usize).map(|sentence| &sentence.units) else {
            return &[];
        };
        let start = posts.partition_point(|post| (*post as usize) < here.start);
        let after = posts.get(start..).unwrap_or_default();
        let count = after.iter().take_while(|post| (**post as usize) < here.end).count();
        after.get(..count).unwrap_or_default()
    }

    pub(super) fn unit(&self, post: Post) -> Option<&Unit> {
        self.units.get(post as usize)
    }

    pub(super) fn units_of(&self, sentence: u32) -> &[Unit] {
        let range = self.sentences.get(sentence as usize).map_or(0..0, |sentence| sentence.units.clone());
        self.units.get(range).unwrap_or_default()
    }

    pub(super) fn has(&self, sentence: u32, cue: Cue) -> bool {
        self.sentences.get(sentence as usize).is_some_and(|sentence| sentence.cues.has(cue))
    }

    /// Whether a unit is a word for skill as such.
    pub(super) fn skill(&self, unit: &Unit) -> bool {
        let (What::Word(id) | What::Name(id)) = unit.what else { return false };
        self.words.word(id).is_some_and(|word| word.cues.has(Cue::Skill))
    }

    /// Whether a sentence speaks of requirements.
    pub(super) fn requires(&self, sentence: u32) -> bool {
        let talk =
            [Cue::Must, Cue::Plus, Cue::Wish, Cue::Skill].into_iter().any(|cue| self.has(sentence, cue));
        talk || self.units_of(sentence).iter().any(|unit| unit.strength != Strength::None)
    }

    /// Where this very word stands.
    pub(super) fn posts(&self, word: WordId) -> &[Post] {
        self.by_word.get(&word).map_or(&[], Vec::as_slice)
    }

    /// The words that share a stem or a set of synonyms.
    pub(super) fn kin(&self, key: u32) -> &[WordId] {
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }

    /// What the word after a number is known by, if it is one that can be counted.
    pub(super) fn things(&self, after: Option<WordId>) -> &[u32] {
        let word = after.and_then(|id| self.words.word(id));
        // "And" and "of" count nothing.
        word.filter(|word| !word.cues.any() && word.norm.len() > 3).map_or(&[], |word| &word.keys)
    }

    /// Words of the sources that begin like a stem and end otherwise: "medicines" and "medication".
    pub(super) fn alike<'a>(&'a self, stem: &'a str) -> impl Iterator<Item = WordId> + 'a {
        let end = stem.char_indices().nth(ALIKE).map_or(stem.len(), |(at, _)| at);
        let first = stem.get(..end).unwrap_or_default();
        let near = move |other: &str| {
            let same = stem.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
            let longest = stem.chars().count().max(other.chars().count());
            same >= ALIKE && longest - same <= 4 && same * 5 >= longest * 3
        };
        starting(&self.stems, first).filter_map(move |(other, id)| near(other).then_some(id))
    }

    /// Whether a word says nothing by itself.
    pub(super) fn plain(&self, id: Option<WordId>) -> bool {
        id.and_then(|id| self.words.word(id)).is_some_and(|word| word.ordinary)
    }

    /// Whether a word says something by itself.
    pub(super) fn says(&self, id: Option<WordId>) -> bool {
        id.and_then(|id| self.words.word(id)).is_some_and(|word| !word.ordinary)
    }

    /// The numbers that stand before a word.
    pub(super) fn counted(&self, thing: u32) -> &[Post] {
        self.counted.get(&thing).map_or(&[], Vec::as_slice)
    }

    /// Where an amount stands.
    pub(super) fn amounts(&self, amount: Amount) -> impl Iterator<Item = Post> + '_ {
        let posts = match amount {
            Amount::Number(number, _) => self.by_number.get(&number),
            Amount::Date(date) => self.by_month.get(&date.month),
        };
        let said = move |post: &Post| match self.unit(*post).map(|unit| unit.what) {
            Some(What::Value { amount: source, .. }) => source.proves(amount),
            Some(What::Word(_) | What::Name(_)) | None => false,
        };
        posts.into_iter().flatten().copied().filter(said).take(MOST)
    }

    /// Words of the sources that begin with a stem, and more than an ending follows.
    pub(super) fn beginning(&self, stem: &str) -> impl Iterator<Item = WordId> + '_ {
        longer(&self.stems, stem.to_owned())
    }

    /// Words of the sources that end in a stem, with more than a letter or two before it.
    pub(super) fn ending(&self, stem: &str) -> impl Iterator<Item = WordId> + '_ {
        longer(&self.mirrored, stem.chars().rev().collect())
    }
}

/// The words that begin so, of words in order; not all of very many.
fn starting<'a>(
    words: &'a [(impl AsRef<str>, WordId)],
    first: impl AsRef<str> + 'a,
) -> impl Iterator<Item = (&'a str, WordId)> {
    let start = words.partition_point(|(word, _)| word.as_ref() < first.as_ref());
    let after = words.get(start..).unwrap_or_default().iter().take(MOST);
    let after = after.map(|(word, id)| (word.as_ref(), *id));
    after.take_while(move |(word, _)| word.starts_with(first.as_ref()))
}

/// Those of them that go on for three bytes or more.
fn longer(words: &[(impl AsRef<str>, WordId)], first: String) -> impl Iterator<Item = WordId> {
    let least = first.len() + 3;
    starting(words, first).filter_map(move |(word, id)| (word.len() >= least).then_some(id))
}
