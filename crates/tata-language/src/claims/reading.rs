//! How a sentence is read: its units, and what negation, doubt and strength do to each.

use super::vocabulary::{Lexeme, Vocabulary, WordId};
use crate::{
    language::Language,
    lists::{Critical, Cue, CueSet, Numeral},
    tokens::{Kind, Token},
    values::{self, Amount, Value},
};

/// What a requirement weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strength {
    #[default]
    None,
    Must,
    Plus,
    /// Less than a plus: excludes a must, no more.
    Wish,
}

/// How a number is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bound {
    #[default]
    Exact,
    AtLeast,
    UpTo,
    About,
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    Word(WordId),
    Name(WordId),
    Value { amount: Amount, range: bool, bound: Bound },
}

/// A word, a name or a value that says something.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a word")]
pub(super) struct Unit {
    /// Its first token in the sentence.
    pub(super) first: usize,
    /// Its last token.
    pub(super) last: usize,
    pub(super) what: What,
    pub(super) critical: Option<Critical>,
    pub(super) clause: usize,
    pub(super) negated: bool,
    pub(super) hedged: bool,
    pub(super) softened: bool,
    pub(super) strength: Strength,
    /// Whether it stands where a verb does.
    pub(super) verb: bool,
    /// The word before it, if any: names in the same place compete.
    pub(super) before: Option<WordId>,
    /// The word after it, whatever it says: what a number counts.
    pub(super) after: Option<WordId>,
    /// Whether "every" stands before it.
    pub(super) every: bool,
    /// Whether it is one of several, joined by "and" or a comma.
    pub(super) listed: bool,
}

/// A sentence, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) units: Vec<Unit>,
    /// What the sentence contains as a whole.
    pub(super) cues: CueSet,
    /// The strength that a heading gives to the lines below.
    pub(super) strength: Strength,
    clauses: Vec<Clause>,
    ids: Vec<Option<WordId>>,
    marks: Vec<CueSet>,
    /// The tokens that belong to a cue of several words.
    phrased: Vec<bool>,
    values: Vec<Value>,
    clause_of: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Clause {
    words: usize,
    content: usize,
    cues: CueSet,
    /// Where a "no" begins to count; 0 for a "not", which counts everywhere.
    negated_from: Option<usize>,
    strength: Strength,
    subject: bool,
    /// "Without a licence we cannot": two that cancel each other.
    affirmed: bool,
    /// "If you know Excel": says nothing of whether you do.
    condition: bool,
}

impl Reading {
    /// Reads a sentence anew, keeping the room of the last one.
    pub(super) fn read(&mut self, words: &mut Vocabulary, tokens: &[Token<'_>]) {
        self.units.clear();
        self.ids.clear();
        self.cues = CueSet::default();
        self.ids.extend(tokens.iter().map(|token| (token.kind == Kind::Word).then(|| words.id(&token.norm))));
        self.mark(words, tokens);
        self.cut(words, tokens);
        self.weigh(tokens);
        let ids = &self.ids;
        let numeral = |at: usize| ids.get(at).copied().flatten().and_then(|id| words.word(id)?.numeral);
        values::find(words.lists, tokens, numeral, &mut self.values);
        self.collect(words, tokens);
    }

    /// Finds the cues, those of several words first: "not only" holds no "not".
    fn mark(&mut self, words: &Vocabulary, tokens: &[Token<'_>]) {
        self.marks.clear();
        self.phrased.clear();
        self.phrased.resize(tokens.len(), false);
        let of = |id: &Option<WordId>| id.and_then(|id| words.word(id));
        self.marks.extend(self.ids.iter().map(|id| of(id).map_or(CueSet::default(), |word| word.cues)));
        // "1 May" is certain.
        for (at, token) in tokens.iter().enumerate().skip(1) {
            let month = |word: &Lexeme| matches!(word.numeral, Some(Numeral::Month(_)));
            if token.capital() && self.ids.get(at).and_then(of).is_some_and(month) {
                self.marks.get_mut(at..=at).unwrap_or_default().fill(CueSet::default());
            }
        }
        for at in 0..tokens.len() {
            for (rest, cues) in self.ids.get(at).and_then(of).map_or(&[][..], |word| word.phrases) {
                let Some(end) = phrase_end(tokens, at, rest) else { continue };
                if cues.has(Cue::Neutral) {
                    self.marks.get_mut(at..=end).unwrap_or_default().fill(CueSet::default());
                    break;
                }
                if let Some(mark) = self.marks.get_mut(at) {
                    mark.add(*cues);
                }
                self.phrased.get_mut(at..=end).unwrap_or_default().fill(true);
            }
        }
        // "A plus" is one; "pay plus bonus" joins.
        for at in 0..tokens.len() {
            if !self.marks.get(at).is_some_and(|mark| mark.has(Cue::And) && mark.has(Cue::Plus)) {
                continue;
            }
            let next = tokens.get(at + 1).is_some_and(|next| match next.kind {
                Kind::Number => true,
                Kind::Word => !self.ids.get(at + 1).and_then(of).is_some_and(|word| word.ordinary),
                Kind::Mark(c) => matches!(c, '£' | '€' | '$'),
                Kind::Line => false,
            });
            if let Some(mark) = self.marks.get_mut(at) {
                mark.remove(if next { Cue::Plus } else { Cue::And });
            }
        }
        for mark in &self.marks {
            self.cues.add(*mark);
        }
    }

    /// The cues of a token.
    fn cues_at(&self, at: usize) -> CueSet {
        self.marks.get(at).copied().unwrap_or_default()
    }

    /// Cuts the sentence into clauses.
    fn cut(&mut self, words: &Vocabulary, tokens: &[Token<'_>]) {
        self.clauses.clear();
        self.clause_of.clear();
        let mut clause = Clause::default();
        let mut end = 0;
        for (at, token) in tokens.iter().enumerate() {
            let cues = self.cues_at(at);
            // "…, but": one boundary, not two.
            let boundary = (clause.words > 0 || token.kind != Kind::Word)
                && match token.kind {
                    Kind::Mark(',' | ';' | '(' | ')') => true,
                    Kind::Mark('-') => !token.joined,
                    Kind::Word => {
                        cues.has(Cue::But)
                            || (cues.has(Cue::And) && self.splits(tokens, at, &clause, &mut end))
                    }
                    Kind::Mark(_) | Kind::Number | Kind::Line => false,
                };
            if boundary {
                self.clauses.push(clause);
                clause = Clause::default();
            }
            self.clause_of.push(self.clauses.len());
            clause.affirmed |= cues.has(Cue::Negation) && clause.cues.has(Cue::No);
            clause.condition |= cues.has(Cue::If) || (at == 0 && self.asks(words, token));
            clause.cues.add(cues);
            if cues.has(Cue::Negation) {
                clause.negated_from = Some(0);
            } else if cues.has(Cue::No) && clause.negated_from.is_none() {
                clause.negated_from = Some(at);
            }
            if token.kind == Kind::Word {
                clause.words += 1;
                clause.subject |= cues.has(Cue::Subject);
            }
            let says = |id: WordId| words.word(id).is_some_and(|word| !word.ordinary);
            if token.kind == Kind::Number || self.ids.get(at).copied().flatten().is_some_and(says) {
                clause.content += 1;
            }
        }
        self.clauses.push(clause);
    }

    /// Whether a sentence begins with its verb: "Har du körkort, …" is a condition or a question.
    fn asks(&self, words: &Vocabulary, first: &Token<'_>) -> bool {
        words.lists.language != Language::En && first.kind == Kind::Word && self.cues_at(1).has(Cue::Subject)
    }

    /// Whether an "and" begins a clause: when it has its own subject, its own "no" or its own strength.
    /// `end` remembers how far was looked, so that a long list is read once.
    fn splits(&self, tokens: &[Token<'_>], at: usize, clause: &Clause, end: &mut usize) -> bool {
        let next = self.cues_at(at + 1);
        if next.has(Cue::Subject) || next.has(Cue::Negation) || next.has(Cue::No) {
            return true;
        }
        let weighs = |cues: CueSet| cues.has(Cue::Must) || cues.has(Cue::Plus);
        if !weighs(clause.cues) || at < *end {
            return false;
        }
        for (later, token) in tokens.iter().enumerate().skip(at + 1) {
            *end = later;
            if matches!(token.kind, Kind::Mark(',' | ';' | '(' | ')')) {
                break;
            }
            if weighs(self.cues_at(later)) {
                return true;
            }
        }
        false
    }

    /// Gives each clause its strength and its negation, and hands both on to the rest of a list.
    fn weigh(&mut self, tokens: &[Token<'_>]) {
        let mut before = Clause::default();
        for (at, clause) in self.clauses.iter_mut().enumerate() {
            clause.negated_from = clause.negated_from.filter(|_| !clause.affirmed);
            let cues = clause.cues;
            // "We need a cook" asks for a cook, not for a skill.
            let must = cues.has(Cue::Must) && !(cues.has(Cue::Seek) && cues.has(Cue::We));
            clause.strength = if cues.has(Cue::Plus) || (must && clause.negated_from.is_some()) {
                Strength::Plus
            } else if must {
                Strength::Must
            } else if cues.has(Cue::Wish) {
                Strength::Wish
            } else {
                Strength::None
            };
            let listed = at > 0 && !clause.subject && !cues.has(Cue::But);
            if listed && clause.strength == Strength::None {
                clause.strength = before.strength;
            }
            if listed && clause.words <= 2 && clause.negated_from.is_none() {
                clause.negated_from = before.negated_from.map(|_| 0);
            }
            before = *clause;
            if clause.condition && clause.strength == Strength::None {
                clause.strength = Strength::Wish;
            }
        }
        // "…, but not a requirement" weighs the clause before it, "It is a plus if …" the one after.
        for at in 0..self.clauses.len() {
            let Some(clause) = self.clauses.get(at).copied() else { break };
            if clause.content > 0 || clause.strength == Strength::None {
                continue;
            }
            let next = (clause.subject || at == 0) && at + 1 < self.clauses.len();
            let neighbour = if next { at + 1 } else { at.saturating_sub(1) };
            if let Some(other) = self.clauses.get_mut(neighbour)
                && matches!(other.strength, Strength::None | Strength::Wish)
            {
                other.strength = clause.strength;
            }
        }
        let one = self.clauses.iter().map(|clause| clause.strength).find(|s| *s != Strength::None);
        let short = tokens.iter().filter(|token| token.kind == Kind::Word).count() <= 4;
        let heading = tokens.last().is_some_and(|token| token.is(':'))
            || (short && tokens.last().is_some_and(|token| token.kind == Kind::Word));
        self.strength = one.filter(|_| heading).unwrap_or_default();
    }

    fn collect(&mut self, words: &Vocabulary, tokens: &[Token<'_>]) {
        let hedge = self.marks.iter().position(|mark| mark.has(Cue::Hedge));
        let soft = self.marks.iter().position(|mark| mark.has(Cue::Soft));
        let from = |at: usize, cue: Option<usize>, clause_of: &[usize]| {
            cue.is_some_and(|cue| at >= cue || clause_of.get(at) == clause_of.get(cue))
        };
        let mut names = Names { language: words.lists.language, start: true, before: false };
        let mut verb_before = false;
        let mut value = 0;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let id = self.ids.get(at).copied().flatten();
            let word = id.and_then(|id| words.word(id));
            let mut last = at;
            let found = self.values.get(value).filter(|found| found.first == at);
            let ordinary = word.is_some_and(|word| word.ordinary);
            let name = names.next(token, tokens.get(at + 1), ordinary);
            let verb = id.is_some() && self.verb_at(words, tokens, at, verb_before);
            let what = if let Some(found) = found {
                last = found.last;
                value += 1;
                let bound = if found.range { Bound::Exact } else { self.bound(at) };
                Some(What::Value { amount: found.amount, range: found.range, bound })
            } else {
                match (id, word) {
                    (Some(id), Some(word)) if self.says(word, tokens, at, name) => {
                        Some(if name && word.critical.is_none() { What::Name(id) } else { What::Word(id) })
                    }
                    _ => None,
                }
            };
            if let Some(what) = what {
                let clause_at = self.clause_of.get(at).copied().unwrap_or_default();
                let clause = self.clauses.get(clause_at).copied().unwrap_or_default();
                self.units.push(Unit {
                    first: at,
                    last,
                    what,
                    critical: word.and_then(|word| word.critical),
                    clause: clause_at,
                    negated: clause.negated_from.is_some_and(|from| at >= from),
                    hedged: from(at, hedge, &self.clause_of),
                    softened: from(at, soft, &self.clause_of),
                    strength: clause.strength,
                    verb: verb && matches!(what, What::Word(_)),
                    before: at.checked_sub(1).and_then(|before| self.ids.get(before).copied().flatten()),
                    after: self.ids.get(last + 1).copied().flatten(),
                    every: at.checked_sub(1).is_some_and(|before| self.cues_at(before).has(Cue::Every)),
                    listed: self.joins(tokens, at.checked_sub(1))
                        || self.joins(tokens, at.checked_sub(2))
                        || self.joins(tokens, Some(last + 1)),
                });
            }
            if token.kind == Kind::Word && !self.cues_at(at).has(Cue::And) {
                verb_before = verb;
            }
            at = last + 1;
        }
    }

    /// Whether a word says something by itself. A single letter does in "C-kort".
    fn says(&self, word: &Lexeme, tokens: &[Token<'_>], at: usize, name: bool) -> bool {
        let letter = |token: &Token<'_>| token.text.chars().count() == 1;
        let hyphen = tokens.get(at + 1).is_some_and(|next| next.is('-') && next.joined);
        // "30 h" has a set of synonyms.
        let lone = tokens.get(at).is_some_and(letter) && !name && !hyphen && word.keys.len() == 1;
        !word.ordinary && !lone && !self.phrased.get(at).copied().unwrap_or_default()
    }

    /// Whether a word stands where a verb does: after a pronoun or "to", before a pronoun, or after "and" and a verb.
    fn verb_at(&self, words: &Vocabulary, tokens: &[Token<'_>], at: usize, verb_before: bool) -> bool {
        let language = words.lists.language;
        let Some(token) = tokens.get(at) else { return false };
        if language == Language::De && token.capital() && at > 0 {
            return false;
        }
        let next = tokens.get(at + 1);
        let before = at.checked_sub(1).map(|before| self.cues_at(before)).unwrap_or_default();
        let inverted = language != Language::En && self.cues_at(at + 1).has(Cue::Subject);
        // A small German word with no noun after it is a verb or an adverb.
        let closes = language == Language::De
            && at > 0
            && !next.is_some_and(|next| next.kind == Kind::Word && next.capital());
        let manner = language == Language::En && token.norm.ends_with("ly");
        // "… och skickar påminnelser": a present tense with its object.
        let north = matches!(language, Language::Sv | Language::Da | Language::No);
        let object = next.is_some_and(|next| matches!(next.kind, Kind::Word | Kind::Number))
            && !self.cues_at(at + 1).has(Cue::And);
        let present = north && before.has(Cue::And) && token.norm.ends_with('r') && object;
        before.has(Cue::Subject)
            || present
            || before.has(Cue::Modal)
            || (before.has(Cue::And) && verb_before)
            || (verb_before && tokens.get(at.saturating_sub(1)).is_some_and(|token| token.is(',')))
            || inverted
            || manner
            || closes
    }

    /// Whether a token joins the parts of a list.
    fn joins(&self, tokens: &[Token<'_>], at: Option<usize>) -> bool {
        let Some(at) = at else { return false };
        // A comma without any "and" parts clauses.
        tokens.get(at).is_some_and(|token| (token.is(',') && self.cues.has(Cue::And)) || token.is('/'))
            || self.cues_at(at).has(Cue::And)
    }

    /// How a value is limited, by what stands up to three words before it.
    fn bound(&self, at: usize) -> Bound {
        let clause = self.clause_of.get(at);
        for before in (at.saturating_sub(3)..at).rev() {
            if self.clause_of.get(before) != clause {
                break;
            }
            // "From" and "to" inside a range say nothing more.
            let bounds =
                [(Cue::AtLeast, Bound::AtLeast), (Cue::UpTo, Bound::UpTo), (Cue::About, Bound::About)];
            let said = bounds.into_iter().find(|(cue, _)| self.cues_at(before).has(*cue));
            if let Some((_, bound)) = said {
                return bound;
            }
        }
        Bound::Exact
    }
}

/// Where a phrase ends that begins at a token; hyphens may stand between its words.
fn phrase_end(tokens: &[Token<'_>], at: usize, rest: &[&str]) -> Option<usize> {
    let mut at = at;
    for word in rest {
        at += 1;
        while tokens.get(at).is_some_and(|token| token.is('-')) {
            at += 1;
        }
        tokens.get(at).filter(|token| token.norm == *word)?;
    }
    Some(at)
}

/// Tells names from other words by their letters.
struct Names {
    language: Language,
    /// Whether a capital means nothing here.
    start: bool,
    /// Whether the token before was a capitalised word that says something.
    before: bool,
}

impl Names {
    fn next(&mut self, token: &Token<'_>, next: Option<&Token<'_>>, ordinary: bool) -> bool {
        if token.kind != Kind::Word {
            let opens = matches!(token.kind, Kind::Mark('"' | ':' | '•'));
            self.start |= opens;
            self.before &= token.is('-');
            return false;
        }
        let capital = token.capital();
        let special = |c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '+' | '#');
        let marked = match token.text.as_bytes() {
            [_, rest @ ..] if token.text.is_ascii() => rest.iter().any(|byte| special(char::from(*byte))),
            _ => token.text.chars().skip(1).any(special),
        };
        let name = if marked {
            true
        } else if self.language == Language::De {
            // Every noun has a capital; two in a row are a name.
            capital && self.before && !ordinary
        } else if self.start {
            let follows = next.is_some_and(|next| next.kind == Kind::Word && next.capital() && !ordinary);
            capital && follows
        } else {
            capital
        };
        self.start = false;
        self.before = capital && !ordinary;
        name && !ordinary
    }
}
