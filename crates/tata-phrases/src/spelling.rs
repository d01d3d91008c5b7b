//! What each word of a text may be in a phrase, looked up once.

use crate::{
    rows::number,
    symbol_filter::SymbolFilter,
    tables::{LiteralPart, NONE, Outlook, Tables},
    vocabulary::Vocabulary,
    words::{Gap, Word},
};

/// What the words of a text may be.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    /// The number of each word among the different ones, and whether it goes on with the phrases of the one before.
    places: Vec<(u32, bool)>,
    /// The different words.
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
    /// The marks of all its symbols.
    filter: SymbolFilter,
}

/// A part that a word is as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// Its number.
    pub(crate) number: u16,
    /// Its mark: most rows that are asked for the symbols of a word do not have it.
    pub(crate) mark: u8,
}

/// The words with which a phrase may go on after up to two words between.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    /// How many.
    pub(crate) reach: usize,
    /// The marks of all of them.
    pub(crate) filter: SymbolFilter,
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
    pub(crate) fn of(tables: &Tables<'_>, words: &[Word<'_>]) -> Self {
        let vocabulary = Vocabulary::of(words);
        // Most words are one part or two, and begin one phrase or two.
        let count = vocabulary.words.len();
        let goes_on = |at: usize| tables.cues || goes_on(words, at);
        let places = vocabulary.numbers.iter().enumerate().map(|(at, word)| (*word, goes_on(at)));
        let mut spelling = Self {
            places: places.collect(),
            symbols: Vec::with_capacity(count * 2),
            roots: Vec::with_capacity(count * 2),
            ..Self::default()
        };
        let mut inside = Vec::new();
        let different = vocabulary.words.iter().map(|word| spelling.look_up(tables, word, &mut inside));
        spelling.words = different.collect();
        spelling
    }

    fn look_up(&mut self, tables: &Tables<'_>, word: &str, inside: &mut Vec<(usize, usize, u32)>) -> Spelled {
        let [symbols, joined, roots] = [self.symbols.len(), self.joined.len(), self.roots.len()];
        self.beginnings(tables, word);
        self.insides(tables, word, inside);
        // A word has what stands in it twice only once.
        self.own.sort_unstable();
        self.own.dedup();
        let mut filter = SymbolFilter::default();
        for number in self.own.drain(..) {
            let mark = SymbolFilter::bit(number);
            filter.add(mark);
            self.symbols.push(Symbol { number, mark });
        }
        for joined in self.joined.get(joined..).unwrap_or_default() {
            filter.add(SymbolFilter::bit(joined.symbol));
        }
        Spelled {
            symbols: (number(symbols), number(self.symbols.len())),
            joined: (number(joined), number(self.joined.len())),
            roots: (number(roots), number(self.roots.len())),
            filter,
        }
    }

    /// The word at a place.
    #[inline]
    fn word(&self, at: usize) -> Option<&Spelled> {
        self.places.get(at).and_then(|(word, _)| self.words.get(*word as usize))
    }

    /// What a word has in common with others: if nothing, it is no part of their phrases. There are none if a sentence
    /// begins here, for phrases never reach over the end of one.
    #[inline]
    pub(crate) fn filter(&self, at: usize) -> Option<&SymbolFilter> {
        let (word, goes_on) = self.places.get(at)?;
        goes_on.then(|| self.words.get(*word as usize).map(|word| &word.filter))?
    }

    /// The roots of a word from which phrases may go on with the words that follow. Most do not, and a text has most words
    /// more than once: so each is asked for what may come, and then only whether it does.
    #[inline]
    pub(crate) fn roots_that_go_on(&self, at: usize) -> impl Iterator<Item = &Root> {
        let (from, to) = self.word(at).map_or((0, 0), |word| word.roots);
        let roots = self.roots.get(from as usize..to as usize).unwrap_or_default();
        let (next, mut near) = ((!roots.is_empty()).then(|| self.filter(at + 1)).flatten(), None);
        roots.iter().filter(move |root| {
            let Outlook { next: wanted, later, open } = &root.outlook;
            *open
                || root.joined.is_some()
                || next.is_some_and(|next| wanted.meet(next))
                || *later != SymbolFilter::default()
                    && later.meet(near.get_or_insert_with(|| self.near(at).filter))
        })
    }

    /// With which words a phrase may go on after up to two words between.
    #[inline]
    pub(crate) fn near(&self, at: usize) -> Near {
        let mut near = Near::default();
        for filter in (at + 1..=at + 1 + MOST_BETWEEN).map_while(|at| self.filter(at)) {
            near.reach += 1;
            near.filter.add_all(filter);
        }
        near
    }

    /// The parts that a word is as a whole, by their symbols.
    #[inline]
    pub(crate) fn symbols(&self, at: usize) -> &[Symbol] {
        let (from, to) = self.word(at).map_or((0, 0), |word| word.symbols);
        self.symbols.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The parts that a word begins with, written together with others.
    #[inline]
    pub(crate) fn joined(&self, at: usize) -> &[Joined] {
        let (from, to) = self.word(at).map_or((0, 0), |word| word.joined);
        self.joined.get(from as usize..to as usize).unwrap_or_default()
    }

    /// The same after two more words between.
    pub(crate) fn farther(&self, at: usize, mut near: Near) -> Near {
        // The last of them is the first of the next.
        let Some(more) = near.reach.checked_sub(1).filter(|_| near.reach > MOST_BETWEEN) else { return near };
        let next = self.near(at + more);
        near.filter.add_all(&next.filter);
        Near { reach: more + next.reach, ..near }
    }

    fn beginnings(&mut self, tables: &Tables<'_>, word: &str) {
        tables.beginnings.beginnings(word.as_bytes(), |literal, length| {
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
        tables.insides.anywhere(word.as_bytes(), |literal, from, to| found.push((to, from, literal)));
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

    fn whole(&mut self, tables: &Tables<'_>, part: LiteralPart) {
        self.own.extend(part.symbol);
        self.root(tables, part, None);
    }

    /// A root within a word, if the rest of the word leads on from it.
    fn joined_root(&mut self, tables: &Tables<'_>, part: LiteralPart, (word, offset): (&str, usize)) {
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

    fn root(&mut self, tables: &Tables<'_>, part: LiteralPart, joined: Option<usize>) {
        if part.root != NONE {
            let outlook = tables.outlook(part.root);
            self.roots.push(Root { target: part.root, joined, outlook });
        }
    }
}

/// Whether a word belongs to the phrases of the one before. A label and its value do: "Age: 20 to 30".
fn goes_on(words: &[Word<'_>], at: usize) -> bool {
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
    tables.beginnings.beginnings(rest, |_, _| found = true);
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
    tables.beginnings.beginnings(rest, |literal, length| {
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
