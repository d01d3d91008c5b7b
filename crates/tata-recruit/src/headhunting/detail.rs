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
            result: if piece.sentence && kind == DetailKind::Sentence && is_measured(quote) {
                Achievement::Measured
            } else {
                Achievement::Other
            },
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

/// A result with its figures says more than a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Achievement {
    Measured,
    Other,
}

/// How good a detail is; the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    result: Achievement,
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
    // "från 9 till 3 procent på två år" is how long something took.
    let took = statement.words().windows(3).any(|three| {
        let [before, _, years] = three else { return false };
        let span = ["år", "year", "jahr"].iter().any(|word| years.text.starts_with(word));
        span && matches!(&*before.text, "in" | "within" | "over" | "på" | "inom" | "innen" | "i" | "binnen")
    });
    year || (statement.has(lists::YEARS) && !statement.has(lists::EXPERIENCE) && !took)
}

/// The longer words of the must-haves: a detail that shares one is more to the point.
fn telling_words(profile: &Profile) -> Vec<String> {
    let skills = profile.must_have_skills.iter().take(8).flat_map(|item| runs(&item.text));
    let telling = |word: &&str| {
        word.chars().count() > 4 || (word.chars().count() > 1 && word.chars().all(char::is_uppercase))
    };
    skills.filter(telling).map(str::to_lowercase).take(100).collect()
}

/// Whether a statement of work has a figure in it that is no year: "from 58 to 17 minutes".
fn is_measured(quote: &str) -> bool {
    let figures = quote.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let mut figures = figures.filter(|digits| digits.len() != 4);
    figures.next().is_some()
}

/// What a piece is about, and whether it names an employer.
fn kind(quote: &str, piece: &Piece) -> Option<(DetailKind, bool)> {
    let said = read(quote);
    let tokens: Vec<&str> = quote.split_whitespace().collect();
    let mut pairs = tokens.iter().zip(tokens.iter().skip(1));
    let employer = pairs
        .any(|(between, name)| lists::EMPLOYERS.contains(between) && name.starts_with(char::is_uppercase))
        || tokens.windows(3).any(|three| {
            let [between, article, name] = three else { return false };
            // "bei der Nordrhein Netzbau GmbH"
            lists::EMPLOYERS.contains(between)
                && matches!(*article, "der" | "dem" | "den" | "the")
                && name.starts_with(char::is_uppercase)
        });
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
    // What stands below a job that ended belongs to it, until the next job or a blank line.
    let mut in_ended_job = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if is_heading(bare, lists::STOPS) {
            break;
        }
        if bare.is_empty() {
            in_skills &= !seen_skill;
            in_ended_job = false;
            continue;
        }
        match Period::of(bare) {
            Some(Period::Ended) => in_ended_job = true,
            Some(Period::Current) => in_ended_job = false,
            None => {}
        }
        if in_ended_job {
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

/// When somebody had a job, by its line in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Current,
    Ended,
}

impl Period {
    /// "2017 – 2020" is over, "2020 – heute" is not. None where a line has no such dates.
    fn of(line: &str) -> Option<Self> {
        let said = read(line);
        let words: Vec<&str> = said.words().iter().map(|word| &*word.text).collect();
        let is_year = |word: &&&str| {
            word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1950..2100).contains(&year))
        };
        let years = words.iter().filter(is_year).count();
        let last = words.last().copied().unwrap_or_default();
        let going_on = lists::PRESENT.contains(&last)
            || words.iter().any(|word| word.chars().count() > 3 && lists::PRESENT.contains(word))
            || line.trim_end().ends_with(['-', '–', '—']);
        let until = words.windows(2).any(|pair| {
            let [before, year] = pair else { return false };
            is_year(&year) && matches!(*before, "until" | "till" | "til" | "bis")
        });
        match years {
            0 => None,
            _ if going_on => Some(Self::Current),
            1 if !until => None,
            _ => Some(Self::Ended),
        }
    }
}

/// Whether a piece of a line ends with a year: what comes after the dash is the end of a period.
fn ends_with_year(piece: &str) -> bool {
    without_year(piece).len() < piece.trim_end().len()
}

/// A piece without the year at its end, and the month before it.
fn without_year(piece: &str) -> &str {
    let trimmed = piece.trim_end();
    let Some((rest, last)) = trimmed.rsplit_once([' ', ',']) else { return trimmed };
    if last.len() != 4 || !last.bytes().all(|digit| digit.is_ascii_digit()) {
        return trimmed;
    }
    match rest.rsplit_once(',') {
        // "Lead, Skyport Airlines, March 2022": one word between comma and year is its month.
        Some((name, month)) if month.split_whitespace().count() <= 1 => name,
        Some(_) | None => rest.trim_end_matches(','),
    }
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
            // A job goes on after "2020 –": the dates are no part of what it is called.
            let years = dash && self.read.get(from..line.start + at).is_some_and(ends_with_year);
            if years {
                let to = line.start + at;
                let named = self.read.get(from..to).map_or(0, |piece| without_year(piece).len());
                self.take(from, from + named, skill, false);
                return;
            }
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

    /// "Referentin Einkauf, Stadtwerke Neuss, 2017 – 2020" was cut to "2017" and quoted as if it were the job of today.
    #[test]
    fn a_job_that_ended_is_never_quoted() {
        let check = |text: &str, quote: &str| {
            let all = find(text, &Profile::default());
            let quotes: Vec<&str> = all.iter().map(|detail| detail.item.text.as_str()).collect();
            assert_eq!(quotes.first(), Some(&quote), "{text:?}");
            for ended in ["2017", "2016", "2018", "Neuss", "Västsvensk", "Øresund", "Jysk", "Bredbånd"] {
                assert!(!quotes.iter().any(|quote| quote.contains(ended)), "{quotes:?}");
            }
        };
        check(
            "Katharina Brandt\nContract Managerin bei der Nordrhein Netzbau GmbH\n\nBerufserfahrung\nContract \
             Managerin, Nordrhein Netzbau GmbH, 2020 – heute\nNachtragsvolumen um 31 Prozent gesenkt.\nReferentin Einkauf, \
             Stadtwerke Neuss, 2017 – 2020\nVerträge mit 12 Lieferanten neu verhandelt.",
            "Nachtragsvolumen um 31 Prozent gesenkt",
        );
        check(
            "Erik Holmgren\nBusiness controller på Skanbygg AB\n\nErfarenhet\nBusiness controller, Skanbygg AB, 2020 – nu\n\
             Minskade prognosfelet från 9 till 3 procent på två år.\nRedovisningsekonom, Västsvensk Energi, 2016 – 2020",
            "Minskade prognosfelet från 9 till 3 procent på två år",
        );
        check(
            "Freya Lindholm\nMajor Incident Lead at Skyport Airlines\n\nExperience\nMajor Incident Lead, Skyport Airlines, \
             March 2022 – present\nCut the average time to first customer update from 58 to 17 minutes.\nProblem Manager, \
             Øresund Data, 2018 – 2022\nService Desk Team Lead, Øresund Data, 2015-2018",
            "Cut the average time to first customer update from 58 to 17 minutes",
        );
        check(
            "Louise Madsen\nNetplanlægger hos Sydnet\n\nErfaring\nNetplanlægger, Sydnet, 2019 – nu\nHar planlagt 180 km \
             fibernet i Trekantområdet.\nLandmålingstekniker, Jysk Landinspektør, 2014 – 2019",
            "Har planlagt 180 km fibernet i Trekantområdet",
        );
        check(
            "Jonas Aune\nBedriftsselger i Midtkraft\n\nErfaring\nBedriftsselger, Midtkraft, 2021 – nå\nFornyet 94 prosent \
             av avtalene i fjor.\nKundekonsulent, Trøndelag Bredbånd, 2017 til 2021",
            "Fornyet 94 prosent av avtalene i fjor",
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
