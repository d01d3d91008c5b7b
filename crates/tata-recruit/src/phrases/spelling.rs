//! What each word of a text may be in a phrase, looked up once.

use super::{
    rows::number,
    tables::{Marks, Meant, NONE, Outlook, Tables, mark},
    vocabulary::Vocabulary,
    words::{Gap, Word},
};

/// What the words of a text may be.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    words: Vec<Spelled>,
    symbols: Vec<Symbol>,
    joined: Vec<Joined>,
    roots: Vec<Root>,
    /// The symbols of the word that is looked up.
    own: Vec<u16>,
}

/// A word: where its symbols and the others begin and end.
#[derive(Clone, Copy, Debug, Default)]
struct Spelled {
    symbols: (u32, u32),
    joined: (u32, u32),
    roots: (u32, u32),
    /// The marks of all its symbols; none if a sentence begins here, for phrases never reach over the end of one.
    marks: Marks,
    near: Near,
}

/// A part that a word is as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// Its number.
    pub(crate) number: u16,
    /// Its mark: most rows that are asked for the symbols of a word do not have it.
    pub(crate) mark: Marks,
}

/// The words with which a phrase may go on after up to two words between.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    /// How many.
    pub(crate) reach: usize,
    /// The marks of all of them.
    pub(crate) marks: Marks,
}

/// A literal that a word begins with and that other literals follow within the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joined {
    /// The symbol of its part.
    pub(crate) symbol: u16,
    /// Where the rest of the word begins.
    pub(crate) offset: usize,
}

/// A word that phrases begin with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// Where the phrases go on.
    pub(crate) target: u32,
    /// Where in the word they go on, if not with the next one.
    pub(crate) joined: Option<usize>,
    /// What may come after the word.
    outlook: Outlook,
}

/// The most words that `~` stands for.
const MOST_BETWEEN: usize = 2;
/// Words this short are not found written together with the next: "a" begins every tenth word.
const SHORTEST_JOINED: usize = 2;

impl Spelling {
    /// For the words of a text.
    pub(crate) fn of(tables: &Tables<'_>, words: &[Word<'_>], vocabulary: &Vocabulary) -> Self {
        // Most words are one part or two, and begin one phrase or two.
        let count = vocabulary.words(words).count();
        let mut spelling = Self {
            symbols: Vec::with_capacity(count * 2),
            roots: Vec::with_capacity(count * 2),
            ..Self::default()
        };
        let mut inside = Vec::new();
        let different = vocabulary.words(words).map(|word| spelling.look_up(tables, word, &mut inside));
        let different: Vec<Spelled> = different.collect();
        let all = vocabulary.numbers().map(|number| different.get(number).copied().unwrap_or_default());
        spelling.words = all.collect();
        spelling.look_ahead(words);
        spelling
    }

    fn look_up(&mut self, tables: &Tables<'_>, word: &str, inside: &mut Vec<(usize, usize, u32)>) -> Spelled {
        let [symbols, joined, roots] = [self.symbols.len(), self.joined.len(), self.roots.len()];
        self.beginnings(tables, word);
        self.insides(tables, word, inside);
        // A word has what stands in it twice only once.
        self.own.sort_unstable();
        self.own.dedup();
        self.symbols.extend(self.own.drain(..).map(|number| Symbol { number, mark: mark(number) }));
        let own = self.symbols.get(symbols..).unwrap_or_default().iter().map(|symbol| symbol.mark);
        let first = self.joined.get(joined..).unwrap_or_default().iter().map(|joined| mark(joined.symbol));
        Spelled {
            marks: own.chain(first).fold(0, |marks, mark| marks | mark),
            near: Near::default(),
            symbols: (number(symbols), number(self.symbols.len())),
            joined: (number(joined), number(self.joined.len())),
            roots: (number(roots), number(self.roots.len())),
        }
    }

    fn look_ahead(&mut self, words: &[Word<'_>]) {
        // The marks of the words that come next, as far as they belong to the same sentence.
        let (mut ahead, mut count) = ([0; 1 + MOST_BETWEEN], 0);
        for (at, spelled) in self.words.iter_mut().enumerate().rev() {
            let [first, second, third] = ahead;
            spelled.near = Near { reach: count, marks: first | second | third };
            if goes_on_with(words, at) {
                (ahead, count) = ([spelled.marks, first, second], (count + 1).min(ahead.len()));
            } else {
                spelled.marks = 0;
                (ahead, count) = ([0; 1 + MOST_BETWEEN], 0);
            }
        }
    }

    /// How phrases begin with a word.
    #[inline]
    fn roots(&self, word: usize) -> &[Root] {
        let (from, to) = self.words.get(word).copied().unwrap_or_default().roots;
        self.roots.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The roots of a word from which phrases may go on with the words that follow. Most do not, and a text has most words
    /// more than once: so each is asked for what may come, and then only whether it does.
    #[inline]
    pub(crate) fn roots_that_go_on(&self, word: usize) -> impl Iterator<Item = &Root> {
        let (next, near) = (self.marks(word + 1), self.near(word).marks);
        self.roots(word).iter().filter(move |root| {
            let Outlook { next: wanted, later, open } = root.outlook;
            open || wanted & next != 0 || later & near != 0 || root.joined.is_some()
        })
    }

    /// With which words a phrase may go on after up to two words between.
    #[inline]
    pub(crate) fn near(&self, word: usize) -> Near {
        self.words.get(word).map_or(Near::default(), |word| word.near)
    }

    /// What a word has in common with others: if nothing, it is no part of their phrases.
    #[inline]
    pub(crate) fn marks(&self, word: usize) -> Marks {
        self.words.get(word).map_or(0, |word| word.marks)
    }

    /// The parts that a word is as a whole, by their symbols.
    #[inline]
    pub(crate) fn symbols(&self, word: usize) -> &[Symbol] {
        let (from, to) = self.words.get(word).copied().unwrap_or_default().symbols;
        self.symbols.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The parts that a word begins with, written together with others.
    #[inline]
    pub(crate) fn joined(&self, word: usize) -> &[Joined] {
        let (from, to) = self.words.get(word).copied().unwrap_or_default().joined;
        self.joined.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The same after two more words between.
    pub(crate) fn farther(&self, word: usize, near: Near) -> Near {
        // The last of them is the first of the next.
        let Some(more) = near.reach.checked_sub(1).filter(|_| near.reach > MOST_BETWEEN) else { return near };
        let next = self.near(word + more);
        Near { reach: more + next.reach, marks: near.marks | next.marks }
    }

    fn beginnings(&mut self, tables: &Tables<'_>, word: &str) {
        tables.beginnings.beginnings(word.bytes(), |literal, length| {
            let whole = length == word.len();
            for part in tables.parts(literal) {
                if whole || part.open_end {
                    self.whole(tables, part);
                } else if part.joins && may_go_on(tables, word, length) {
                    self.joined.extend(part.symbol.map(|symbol| Joined { symbol, offset: length }));
                    self.joined_root(tables, part, (word, length));
                }
            }
        });
    }

    fn insides(&mut self, tables: &Tables<'_>, word: &str, found: &mut Vec<(usize, usize, u32)>) {
        found.clear();
        let next = word.bytes().skip(1).chain([0]);
        for (offset, (first, second)) in word.bytes().zip(next).enumerate() {
            if !tables.may_begin(first, second) {
                continue;
            }
            let letters = word.as_bytes().get(offset..).unwrap_or_default();
            tables.insides.beginnings(letters.iter().copied(), |literal, length| {
                found.push((offset + length, offset, literal));
            });
        }
        found.sort_unstable();
        for (end, _, literal) in found {
            let whole = *end == word.len();
            for part in tables.parts(*literal) {
                if whole || part.open_end {
                    self.whole(tables, part);
                } else if part.joins && part.root != NONE && may_go_on(tables, word, *end) {
                    self.joined_root(tables, part, (word, *end));
                }
            }
        }
    }

    fn whole(&mut self, tables: &Tables<'_>, part: Meant) {
        self.own.extend(part.symbol);
        self.root(tables, part, None);
    }

    /// A root within a word, if the rest of the word leads on from it.
    fn joined_root(&mut self, tables: &Tables<'_>, part: Meant, (word, offset): (&str, usize)) {
        let leads_on = |row: u32| {
            let (row, mut found) = (tables.row(row), false);
            within(tables, word, offset, |symbol, _| {
                found |= row.as_ref().is_some_and(|row| tables.target(row, symbol).is_some());
            });
            found
        };
        let found = match tables.bundle(part.root) {
            _ if part.root == NONE => false,
            Some(mut singles) => singles.any(|[_, node]| leads_on(node)),
            None => leads_on(part.root),
        };
        if found {
            self.root(tables, part, Some(offset));
        }
    }

    fn root(&mut self, tables: &Tables<'_>, part: Meant, joined: Option<usize>) {
        if part.root != NONE {
            let outlook = tables.outlook(part.root);
            self.roots.push(Root { target: part.root, joined, outlook });
        }
    }
}

/// Whether a word belongs to the phrases of the one before. A label and its value do: "Age: 20 to 30".
fn goes_on_with(words: &[Word<'_>], at: usize) -> bool {
    let gap = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|word| word.gap);
    match gap(Some(at)) {
        Some(Gap::Hyphen | Gap::Blank) => true,
        Some(Gap::Colon) => gap(at.checked_sub(1)).is_some_and(|before| before >= Gap::Colon),
        Some(Gap::Sentence | Gap::Paragraph) | None => false,
    }
}

/// Whether literals may follow within a word: most words that begin with one are simply others.
fn may_go_on(tables: &Tables<'_>, word: &str, length: usize) -> bool {
    let Some(rest) = word.as_bytes().get(length..).filter(|_| length >= SHORTEST_JOINED) else {
        return false;
    };
    let mut found = false;
    tables.beginnings.beginnings(rest.iter().copied(), |_, _| found = true);
    found
}

/// The parts that the rest of a word begins with: the symbol of each, and where the rest of the word begins after it, if
/// the part is not all of it.
pub(crate) fn within(
    tables: &Tables<'_>,
    word: &str,
    offset: usize,
    mut take: impl FnMut(u16, Option<usize>),
) {
    let rest = word.as_bytes().get(offset..).unwrap_or_default();
    tables.beginnings.beginnings(rest.iter().copied(), |literal, length| {
        let whole = length == rest.len();
        for part in tables.parts(literal) {
            let Some(symbol) = part.symbol else { continue };
            if whole || part.open_end {
                take(symbol, None);
            } else if part.joins && length >= SHORTEST_JOINED {
                take(symbol, Some(offset + length));
            }
        }
    });
}
