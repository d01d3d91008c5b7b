//! Many patterns as tables, made when the program is built (`build/`) and read where they lie.
//!
//! Phrases that begin alike are followed as one, from state to state, until only a few are left; these are followed
//! alone through the graph, whose nodes have the same rows as the states. So a text pays for the words it has, and not
//! for the phrases that begin with "you".

use crate::{
    rows::{ByteReader, Rows},
    symbol_filter::{self, SymbolFilter},
    transitions::Transitions,
    trie::Trie,
};

/// The tables of many patterns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables<'a> {
    /// Whether the words may have anything between them, even the end of a sentence.
    pub(crate) cues: bool,
    /// Literals by their letters, for words that begin with them.
    pub(crate) beginnings: Trie<'a>,
    /// Literals by their letters, for words that have them anywhere.
    pub(crate) insides: Trie<'a>,
    /// Parts: symbol and flags, and where phrases go on that begin with it.
    parts: Rows<'a, 2>,
    /// Nodes, then states.
    rows: Rows<'a, ROW>,
    /// The symbols that lead on from them.
    transitions: Transitions<'a>,
    /// Where phrases go on after words between, how often two (`~ ~` is four), and the marks of all symbols that lead on
    /// from there. The next row belongs to the same `~` if it is for more words.
    betweens: Rows<'a, BETWEEN_ROW>,
    /// Where a bundle begins; the last row only ends the one before.
    bundles: Rows<'a, 1>,
    /// The few phrases that are followed alone: start and node.
    singles: Rows<'a, 2>,
    /// The starts of the phrases that may end in a state, after how many they are.
    ends: Rows<'a, 1>,
    /// The id and meaning of each start.
    whats: Rows<'a, 1>,
}

/// A node or a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    at: u32,
    /// Where its transitions are.
    base: u32,
    /// How phrases go on after up to two words; [`NONE`] if they do not.
    pub(crate) between: u32,
    /// The marks of all symbols that lead on.
    pub(crate) filter: SymbolFilter,
    /// 0: no phrase may end here. 1: the one may that is followed alone. Else where the starts of those are that may.
    ends: u32,
}

/// How phrases go on after words between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// Where.
    pub(crate) target: u32,
    /// After up to two words, once or more often.
    pub(crate) times: u32,
    /// The marks of all symbols that lead on from there.
    pub(crate) filter: SymbolFilter,
}

/// What may come after some words of phrases.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outlook {
    /// The marks of the words with which they go on at once.
    pub(crate) next: SymbolFilter,
    /// The marks of those with which they go on after up to two words between.
    pub(crate) later: SymbolFilter,
    /// Whether one may end here, or goes on farther away.
    pub(crate) open: bool,
}

/// A part of phrases that a literal stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralPart {
    /// Its number among the words that lead on, if it is one.
    pub(crate) symbol: Option<u16>,
    /// Where phrases go on that begin with it; [`NONE`] if there are none.
    pub(crate) root: u32,
    /// Whether more letters may come after.
    pub(crate) open_end: bool,
    /// Whether it may be written together with what follows.
    pub(crate) joins: bool,
}

/// Nowhere.
pub(crate) const NONE: u32 = u32::MAX;
/// The flag of a target that is a bundle.
pub(crate) const BUNDLE: u32 = 1 << 30;
/// In place of a symbol: a part that only begins phrases.
pub(crate) const NO_SYMBOL: u16 = u16::MAX;
/// The flag of a part: more letters may come after.
pub(crate) const OPEN_END: u32 = 1;
/// The flag of a part that may be written together with what follows.
pub(crate) const JOINS: u32 = 2;

/// As many numbers as a node or a state has, and as a `~` has.
pub(crate) const ROW: usize = 3 + symbol_filter::NUMBERS;
pub(crate) const BETWEEN_ROW: usize = 2 + symbol_filter::NUMBERS;

impl<'a> Tables<'a> {
    /// From the bytes that the build made; nothing if they are none.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut reader = ByteReader::of(bytes);
        Some(Self {
            cues: reader.bytes()? == [1],
            beginnings: Trie::read(&mut reader)?,
            insides: Trie::read(&mut reader)?,
            parts: reader.rows()?,
            rows: reader.rows()?,
            transitions: Transitions::read(&mut reader)?,
            betweens: reader.rows()?,
            bundles: reader.rows()?,
            singles: reader.rows()?,
            ends: reader.rows()?,
            whats: reader.rows()?,
        })
    }

    /// The parts that a literal stands for, by its number in a trie.
    #[inline]
    pub(crate) fn parts(&self, literal: u32) -> impl Iterator<Item = LiteralPart> + use<'a> {
        let first = literal >> 1;
        self.parts.range(first, first + 1 + (literal & 1)).map(|[code, root]| {
            let symbol = u16::try_from(code >> 2).ok().filter(|symbol| *symbol != NO_SYMBOL);
            LiteralPart { symbol, root, open_end: code & OPEN_END != 0, joins: code & JOINS != 0 }
        })
    }

    /// The phrases of a bundle, start and node; nothing if the target is none.
    #[inline]
    pub(crate) fn bundle(&self, target: u32) -> Option<impl Iterator<Item = [u32; 2]> + use<'a>> {
        let at = (target & BUNDLE != 0).then_some(target & !BUNDLE)?;
        let bound = |at: u32| self.bundles.get(at).map_or(0, |[first]| first);
        Some(self.singles.range(bound(at), bound(at + 1)))
    }

    /// A node or a state.
    #[inline]
    pub(crate) fn row(&self, at: u32) -> Option<Row> {
        let [base, between, ends, filter @ ..] = self.rows.lying(at)?;
        let [base, between, ends] = [base, between, ends].map(|number| u32::from_le_bytes(*number));
        Some(Row { at, base, between, filter: SymbolFilter::read(filter), ends })
    }

    /// Where phrases go on after words between.
    #[inline]
    pub(crate) fn between(&self, at: u32) -> Option<Between> {
        let [target, times, filter @ ..] = self.betweens.lying(at)?;
        let [target, times] = [target, times].map(|number| u32::from_le_bytes(*number));
        Some(Between { target, times, filter: SymbolFilter::read(filter) })
    }

    /// How phrases go on after a target.
    pub(crate) fn outlook(&self, target: u32) -> Outlook {
        let mut outlook = Outlook::default();
        match self.bundle(target) {
            Some(singles) => singles.for_each(|[_, node]| self.look_on(node, &mut outlook)),
            None => self.look_on(target, &mut outlook),
        }
        outlook
    }

    fn look_on(&self, row: u32, outlook: &mut Outlook) {
        let Some(row) = self.row(row) else { return };
        outlook.next.add_all(&row.filter);
        outlook.open |= row.ends != 0;
        if row.between != NONE {
            if let Some(between) = self.between(row.between) {
                outlook.later.add_all(&between.filter);
            }
            outlook.open |= self.between(row.between + 1).is_some_and(|farther| farther.times > 1);
        }
    }

    /// Where a symbol leads.
    #[inline]
    pub(crate) fn target(&self, row: &Row, symbol: u16) -> Option<u32> {
        self.transitions.target(row.at, row.base, symbol)
    }

    /// Takes the starts of the phrases that may end in a row; a phrase that is followed alone is `start`.
    #[inline]
    pub(crate) fn ends(&self, row: &Row, start: u32, mut take: impl FnMut(u32)) {
        match row.ends {
            0 => {}
            1 => take(start),
            first => {
                let [count] = self.ends.get(first - 2).unwrap_or_default();
                self.ends.range(first - 1, first - 1 + count).for_each(|[start]| take(start));
            }
        }
    }

    /// The id of a start, and whether its words are fine.
    pub(crate) fn what(&self, start: u32) -> (usize, bool) {
        self.whats.get(start).map_or((0, true), |[what]| ((what >> 1) as usize, what & 1 != 0))
    }
}
