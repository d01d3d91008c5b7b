//! Finds one true statement about work in a pasted public profile.
//!
//! It is quoted, never retold. Nothing private, no contact data, and nothing from the part of a page that shows other
//! people.

use std::ops::Range;

use tata_phrases::runs;

use super::{
    artifact::{DetailKind, PersonalDetail},
    cues::{is_heading, is_private, lists, read},
};
use crate::{Evidence, Item, Key, Profile, Source, cues::Cued, tidy};

/// The fewest and the most characters of a detail.
pub(super) const LEAST: usize = 10;
pub(super) const MOST: usize = 100;
/// How many are tried before the texts are too long for any.
const TRIED: usize = 12;

/// What could be taken up, the best first.
pub(super) fn find(text: &str, profile: &Profile) -> Vec<PersonalDetail> {
    let wanted = telling_words(profile);
    let first_line =
        text.len() - text.trim_start().len() + text.trim_start().lines().next().map_or(0, str::len);
    let mut found: Vec<(Rank, &str)> = Vec::new();
    for piece in pieces(text) {
        let quote = text.get(piece.start..piece.end).unwrap_or_default();
        // Most of a long text is no candidate at all; invisible signs may make a quotation somewhat longer.
        if quote.len() < LEAST || quote.len() > 8 * MOST {
            continue;
        }
        let Some((kind, employer)) = kind(quote, &piece) else { continue };
        if fits(&tidy(quote)).is_err() {
            continue;
        }
        let said = read(quote);
        let relevant = employer || said.words().iter().any(|word| wanted.iter().any(|one| *one == word.text));
        let rank = Rank {
            kind,
            past: said.has(lists::PAST),
            beside: !relevant,
            // A name may look like a role: "Peter Leder".
            perhaps_a_name: !employer && piece.end <= first_line,
            start: piece.start,
        };
        found.push((rank, quote));
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.truncate(TRIED);
    let detail = |(rank, quote): (Rank, &str)| {
        let start = text.get(..rank.start).unwrap_or_default().chars().count();
        let end = start + quote.chars().count();
        let evidence = Evidence { source: Source::CandidateProfile, start, end, quote: quote.to_owned() };
        PersonalDetail { kind: rank.kind, item: Item { text: tidy(quote), evidence } }
    };
    found.into_iter().map(detail).collect()
}

/// How good a detail is; the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    kind: DetailKind,
    past: bool,
    beside: bool,
    perhaps_a_name: bool,
    start: usize,
}

/// What a statement that somebody else chose is about.
pub(super) fn classify(quote: &str) -> DetailKind {
    let piece = Piece { start: 0, end: quote.len(), skill: false, sentence: true };
    kind(quote, &piece).map_or(DetailKind::Sentence, |(kind, _)| kind)
}

/// Whether a statement may stand in a message, or the text that says why not. It is tidy already.
pub(super) fn fits(statement: &str) -> Result<(), Key> {
    let length = statement.chars().count();
    if !(LEAST..=MOST).contains(&length) {
        return Err(key!("headhunting.refusal.detail.length"));
    }
    let digits = statement.chars().filter(char::is_ascii_digit).count();
    let linked = statement.split(' ').any(|word| {
        let inner = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        (word.contains('@') && word != "@") || inner.contains("://") || dotted(inner)
    });
    if digits >= 7 || linked || statement.to_lowercase().contains("www") {
        return Err(key!("headhunting.refusal.detail.contact"));
    }
    let said = read(statement);
    if is_private(&said) || tells_age(&said) {
        return Err(key!("headhunting.refusal.detail.protected"));
    }
    let plain = |letter: char| {
        (letter.is_alphanumeric() && (letter < '\u{250}' || ('\u{1E00}'..'\u{1F00}').contains(&letter)))
            || " .,:-–'’&/+#()%@".contains(letter)
    };
    let letters = statement.chars().filter(|letter| letter.is_alphabetic()).count();
    let addresses = said.has(lists::DU) || said.has(lists::SIE);
    let suitable = statement.chars().all(plain)
        && statement.starts_with(char::is_alphanumeric)
        && letters * 10 >= length * 6
        && !addresses
        && !said.has(lists::UNSUITABLE);
    if suitable { Ok(()) } else { Err(key!("headhunting.refusal.detail.unsuitable")) }
}

/// A dot between letters or digits: a link, mostly.
fn dotted(word: &str) -> bool {
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or_default();
    !first.is_empty() && parts.any(|part| part.starts_with(char::is_alphanumeric))
}

/// A year in which somebody may have been born or finished school, or a number of years that is not experience.
fn tells_age(statement: &Cued<'_>) -> bool {
    let year = statement.words().iter().any(|word| {
        word.text.len() == 4 && word.text.parse::<u32>().is_ok_and(|number| (1900..2010).contains(&number))
    });
    year || (statement.has(lists::YEARS) && !statement.has(lists::EXPERIENCE))
}

/// The longer words of the must-haves: a detail that shares one is more to the point.
fn telling_words(profile: &Profile) -> Vec<String> {
    let skills = profile.must_have_skills.iter().take(8).flat_map(|item| runs(&item.text));
    let telling = |word: &&str| {
        word.chars().count() > 4 || (word.chars().count() > 1 && word.chars().all(char::is_uppercase))
    };
    skills.filter(telling).map(str::to_lowercase).take(100).collect()
}

/// What a piece is about, and whether it names an employer.
fn kind(quote: &str, piece: &Piece) -> Option<(DetailKind, bool)> {
    let said = read(quote);
    let tokens: Vec<&str> = quote.split_whitespace().collect();
    let mut pairs = tokens.iter().zip(tokens.iter().skip(1));
    let employer = pairs
        .any(|(between, name)| lists::EMPLOYERS.contains(between) && name.starts_with(char::is_uppercase));
    let short = tokens.len() <= 6 && quote.starts_with(char::is_uppercase) && !piece.sentence;
    if said.has(lists::ROLES) && (employer || short) {
        return Some((DetailKind::Role, employer));
    }
    if said.has(lists::YEARS) && said.has(lists::EXPERIENCE) {
        return Some((DetailKind::Years, false));
    }
    if piece.skill || said.has(lists::SKILLS) {
        return Some((DetailKind::Skill, false));
    }
    // Names have capitals; a sentence has small words.
    let small = tokens.iter().filter(|token| token.starts_with(char::is_lowercase)).count();
    (piece.sentence && tokens.len() >= 4 && small >= 2).then_some((DetailKind::Sentence, false))
}

/// A part of a text, by bytes.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    end: usize,
    /// It stands under a heading for skills.
    skill: bool,
    /// It ended with a full stop.
    sentence: bool,
}

/// The parts of a profile that could be quoted, until other people begin.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Pieces { read: "", all: Vec::new() };
    let (mut at, mut in_skills, mut seen_skill) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if is_heading(bare, lists::STOPS) {
            break;
        }
        if bare.is_empty() {
            in_skills &= !seen_skill;
            continue;
        }
        if is_heading(bare, lists::SKILL_HEADINGS) {
            (in_skills, seen_skill) = (true, false);
            continue;
        }
        seen_skill |= in_skills;
        pieces.read = text.get(..at).unwrap_or_default();
        pieces.split(start..at, in_skills);
    }
    pieces.all
}

/// The parts that were found in a text.
struct Pieces<'a> {
    /// The text up to the end of the line that is read.
    read: &'a str,
    all: Vec<Piece>,
}

impl Pieces<'_> {
    /// Splits a line at the signs that people put between statements.
    fn split(&mut self, line: Range<usize>, skill: bool) {
        let mut from = line.start;
        let mut letters = self.read.get(line.clone()).unwrap_or_default().char_indices().peekable();
        let mut before = ' ';
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map_or(' ', |(_, next)| *next);
            let stop = matches!(letter, '.' | '!' | '?') && next.is_whitespace();
            let dash = matches!(letter, '-' | '–' | '—') && before.is_whitespace() && next.is_whitespace();
            if stop || dash || matches!(letter, '|' | '•' | '·' | '●' | '▪' | ';' | '\t') {
                let to = line.start + at;
                self.take(from, to, skill, stop && letter == '.');
                from = to + letter.len_utf8();
            }
            before = letter;
        }
        self.take(from, line.end, skill, false);
    }

    /// Adds a piece without the blanks and signs around it; a label goes, and a long one is taken clause by clause.
    fn take(&mut self, from: usize, to: usize, mut skill: bool, sentence: bool) {
        let Some((mut from, to)) = trimmed(self.read, from, to) else { return };
        let Some(mut piece) = self.read.get(from..to) else { return };
        // Nothing is picked out of a statement that has something private in it.
        if is_private(&read(piece)) {
            return;
        }
        if let Some((label, rest)) = piece.split_once(": ").filter(|(label, _)| label.split(' ').count() <= 3)
        {
            skill |= is_heading(label, lists::SKILL_HEADINGS);
            let Some((begin, _)) = trimmed(self.read, from + label.len() + 2, to) else { return };
            (from, piece) = (begin, rest.trim_start());
        }
        let whole = |start: usize, end: usize| Piece { start, end, skill, sentence };
        // "Anna Svensson, Network Engineer at Telia": the name stays out.
        if let Some((name, rest)) = piece.split_once(", ")
            && !read(name).has(lists::ROLES)
            && read(rest).all(lists::ROLES).any(|role| role.first < 20)
        {
            let role = trimmed(self.read, from + name.len() + 2, to);
            self.all.extend(role.map(|(from, to)| whole(from, to)));
        } else if skill && piece.contains(',') {
            // Short skills are quoted together: "BGP, MPLS, Juniper".
            let enough = piece.match_indices(',').map(|(at, _)| at).find(|at| *at >= LEAST);
            self.all.push(whole(from, from + enough.unwrap_or(piece.len())));
        } else if piece.chars().nth(MOST).is_none() {
            self.all.push(whole(from, to));
        } else {
            for clause in piece.split([',', ':']) {
                let bounds = trimmed(self.read, from, from + clause.len());
                self.all.extend(bounds.map(|(from, to)| Piece { sentence: false, ..whole(from, to) }));
                from += clause.len() + 1;
            }
        }
    }
}

/// The bounds without blanks, bullets and stops at the ends.
fn trimmed(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let piece = text.get(from..to)?;
    let front =
        piece.trim_start_matches(|letter: char| letter.is_whitespace() || "*-–>\"“”„»«,".contains(letter));
    let from = to - front.len();
    let back =
        front.trim_end_matches(|letter: char| letter.is_whitespace() || ".,;:\"“”„»«".contains(letter));
    (!back.is_empty()).then_some((from, from + back.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(text: &str) -> Option<(DetailKind, String)> {
        let found = find(text, &Profile::default());
        found.into_iter().next().map(|detail| (detail.kind, detail.item.text))
    }

    #[test]
    fn the_best_statement_comes_first() {
        let check = |text: &str, kind: DetailKind, quote: &str| {
            assert_eq!(best(text), Some((kind, quote.to_owned())), "{text:?}");
        };
        check(
            "Anna Svensson\nNetwork Engineer at Telia | Fibre",
            DetailKind::Role,
            "Network Engineer at Telia",
        );
        check("Kari Nordmann – Prosjektleder hos Telenor", DetailKind::Role, "Prosjektleder hos Telenor");
        check("Max Muster, Projektleiter bei Vodafone", DetailKind::Role, "Projektleiter bei Vodafone");
        check("Current position: Fibre Planner @ TDC", DetailKind::Role, "Fibre Planner @ TDC");
        check(
            "Peter Leder\nEarlier Technician at Telia\nFibre Planner at TDC",
            DetailKind::Role,
            "Fibre Planner at TDC",
        );
        check("Peter Leder\nSenior Fibre Planner", DetailKind::Role, "Senior Fibre Planner");
        check("Om mig\n15 års erfarenhet av fibernät.", DetailKind::Years, "15 års erfarenhet av fibernät");
        check("Skills: BGP, MPLS, Juniper, Python", DetailKind::Skill, "BGP, MPLS, Juniper");
        check("Kompetencer\n\nFibersplejsning\nOTDR", DetailKind::Skill, "Fibersplejsning");
        check(
            "Ich baue gern Netze auf dem Land. Und mehr.",
            DetailKind::Sentence,
            "Ich baue gern Netze auf dem Land",
        );
        check(
            "I am a father of two. I plan fibre routes in the countryside. ",
            DetailKind::Sentence,
            "I plan fibre routes in the countryside",
        );
    }

    #[test]
    fn nothing_private_and_nobody_else() {
        for text in [
            "Anna Maria Svensson",
            "45 år, gift, två barn",
            "born 1979 in Kiel",
            "anna@example.com\n+46 70 123 45 67\nwww.example.com/anna",
            "Network Engineer, anna@example.com",
            "People also viewed\nOle Olsen\nNetwork Engineer at Telia",
            "Open to work as network engineer",
            "Shop steward and technician at Telenor",
            "🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀",
            "",
        ] {
            assert_eq!(best(text), None, "{text:?}");
        }
    }
}
