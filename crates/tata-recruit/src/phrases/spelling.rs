//! What each word of a text may be in a phrase, looked up once.

use super::{
    rows::number,
    tables::{Marks, Meant, NONE, Outlook, Tables, mark},
    words::{Gap, Word},
};

/// What the words of a text may be.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    words: Vec<Spelled>,
    symbols: Vec<u16>,
    joined: Vec<Joined>,
    roots: Vec<Root>,
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
    pub(crate) fn of(tables: &Tables<'_>, words: &[Word<'_>]) -> Self {
        let mut spelling = Self { words: Vec::with_capacity(words.len()), ..Self::default() };
        let (mut seen, mut inside) = (Seen::new(words.len()), Vec::new());
        for (at, word) in words.iter().enumerate() {
            let spelled = match seen.before(words, at, &word.text) {
                Some(known) => spelling.words.get(known).copied().unwrap_or_default(),
                None => spelling.look_up(tables, &word.text, &mut inside),
            };
            spelling.words.push(spelled);
        }
        spelling.look_ahead(words);
        spelling
    }

    fn look_up(&mut self, tables: &Tables<'_>, word: &str, inside: &mut Vec<(usize, usize, u32)>) -> Spelled {
        let [symbols, joined, roots] = [self.symbols.len(), self.joined.len(), self.roots.len()];
        self.beginnings(tables, word);
        self.insides(tables, word, inside);
        let own = self.symbols.get(symbols..).unwrap_or_default().iter().copied();
        let first = self.joined.get(joined..).unwrap_or_default().iter().map(|joined| joined.symbol);
        Spelled {
            marks: own.chain(first).fold(0, |marks, symbol| marks | mark(symbol)),
            near: Near::default(),
            symbols: (number(symbols), number(self.symbols.len())),
            joined: (number(joined), number(self.joined.len())),
            roots: (number(roots), number(self.roots.len())),
        }
    }

    fn look_ahead(&mut self, words: &[Word<'_>]) {
        // The marks of the words that come next, as far as they belong to the same sentence.
        let (mut ahead, mut count) = ([0; 1 + MOST_BETWEEN], 0);
        for (spelled, word) in self.words.iter_mut().zip(words).rev() {
            let [first, second, third] = ahead;
            spelled.near = Near { reach: count, marks: first | second | third };
            if word.gap <= Gap::Blank {
                (ahead, count) = ([spelled.marks, first, second], (count + 1).min(ahead.len()));
            } else {
                spelled.marks = 0;
                (ahead, count) = ([0; 1 + MOST_BETWEEN], 0);
            }
        }
    }

    /// How phrases begin with a word.
    #[inline]
    pub(crate) fn roots(&self, word: usize) -> &[Root] {
        let (from, to) = self.words.get(word).copied().unwrap_or_default().roots;
        self.roots.get(from as usize..to as usize).unwrap_or_default()
    }

    /// Whether phrases may go on from a root with the words that follow. Most do not, and a text has most words more than
    /// once: so each is asked for what may come, and then only whether it does.
    #[inline]
    pub(crate) fn goes_on(&self, word: usize, root: &Root) -> bool {
        root.outlook.open || root.joined.is_some() || root.outlook.marks & self.near(word).marks != 0
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
    pub(crate) fn symbols(&self, word: usize) -> &[u16] {
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
        self.symbols.extend(part.symbol);
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

/// The words of a text that were looked up: most of them come again.
struct Seen {
    /// By their letters: the first place of a word, counted from one.
    slots: Vec<u32>,
}

impl Seen {
    fn new(words: usize) -> Self {
        Self { slots: vec![0; (words * 2).next_power_of_two()] }
    }

    /// Where a word stood before.
    fn before(&mut self, words: &[Word<'_>], at: usize, text: &str) -> Option<usize> {
        let mixed =
            text.bytes().fold(0, |mixed: u32, byte| (mixed ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let last = self.slots.len() - 1;
        let mut slot = (mixed ^ mixed >> 15) as usize & last;
        // Half of the slots stay free, so one is found.
        while let Some(place) = self.slots.get_mut(slot) {
            let Some(known) = (*place as usize).checked_sub(1) else {
                *place = number(at + 1);
                return None;
            };
            if words.get(known).is_some_and(|word| word.text == text) {
                return Some(known);
            }
            slot = (slot + 1) & last;
        }
        None
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
