//! Decisions about numbered things: which findings count, how skills are rated.

use std::collections::BTreeMap;

use tata_language::{Language, folded};

use crate::{
    answer::{
        by_number,
        words::{Meaning, Sense, Words},
    },
    edit::{List, item_named},
    sort::{BadSorting, Groups, Place},
};

/// Which of so many findings are taken (`true`) and which are left (`false`): "take 1 and 3, leave the rest".
pub fn findings(said: &str, count: usize, language: Language) -> Result<BTreeMap<usize, bool>, BadSorting> {
    if said.contains('?') {
        return Err(BadSorting::Empty);
    }
    let pick = |meaning: Meaning| {
        let taken = matches!(meaning.sense, Sense::Accept | Sense::Yes);
        (taken || matches!(meaning.sense, Sense::Ignore | Sense::No)).then_some(taken)
    };
    let groups = Groups::read_as(said, count, language, pick)?;
    let mut all = groups.placed;
    if let Some(rest) = groups.rest {
        for number in 1..=count {
            all.entry(number).or_insert(rest);
        }
    }
    Ok(all)
}

/// What a person says about one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The place of the skill, from 0.
    pub at: usize,
    /// From 1 to 5.
    pub rating: u8,
    /// Why, in the person's words; it may be missing.
    pub reason: Option<String>,
}

/// Ratings of skills: "2: 4, has run BGP since 2017", "change Juniper to 4: MX960 since 2017", "motivation 4, drawings 3".
/// One to a line, or several in one; none if a line is no rating.
pub fn ratings(said: &str, skills: &[String], language: Language) -> Option<Vec<Rated>> {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() || said.contains('?') {
        return None;
    }
    let lines = lines.into_iter().flat_map(|line| in_one_line(line, skills, language));
    let rated: Vec<Rated> = lines.map(|line| rating(line, skills, language)).collect::<Option<_>>()?;
    let twice =
        rated.iter().enumerate().any(|(at, one)| rated.iter().skip(at + 1).any(|other| other.at == one.at));
    (!twice).then_some(rated)
}

/// The ratings of a line: a mark parts them only where another rating begins behind it; else it belongs to the reason.
fn in_one_line<'l>(line: &'l str, skills: &[String], language: Language) -> Vec<&'l str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, mark) in line.match_indices([',', ';']) {
        let rest = line.get(at + mark.len()..).unwrap_or_default();
        let next = rest.split([',', ';']).next().unwrap_or_default();
        if rating(next, skills, language).is_some() {
            found.extend(line.get(start..at));
            start = at + mark.len();
        }
    }
    found.extend(line.get(start..));
    found
}

fn rating(line: &str, skills: &[String], language: Language) -> Option<Rated> {
    // The rating is a digit from 1 to 5 that stands alone; what is before it names the skill.
    let bytes = line.as_bytes();
    let alone = |at: usize| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        !digit(at.checked_sub(1).and_then(|before| bytes.get(before))) && !digit(bytes.get(at + 1))
    };
    for (at, byte) in bytes.iter().enumerate() {
        if !(b'1'..=b'5').contains(byte) || !alone(at) {
            continue;
        }
        let Some(name) = line.get(..at).filter(|name| name.contains(|letter: char| letter.is_alphanumeric()))
        else {
            continue;
        };
        let Some(skill) = skill(name, skills, language) else { continue };
        let rest = line.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix("/5").unwrap_or(rest);
        let mark = rest.is_empty() || rest.starts_with([':', ',', ';', '.', ' ', '-', '–', '(', '!']);
        let reason = rest.trim_matches(|letter: char| letter.is_whitespace() || ":,;.-–()!".contains(letter));
        let reason = without_because(reason, language);
        return mark.then(|| Rated {
            at: skill,
            rating: byte - b'0',
            reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
        });
    }
    None
}

fn without_because(reason: &str, language: Language) -> &str {
    let words = Words::of(language);
    match reason.split_once(char::is_whitespace) {
        Some((first, rest)) if words.is_whole(first, Sense::Because) => rest.trim_start(),
        _ => reason,
    }
}

/// The skill that stands before a rating.
fn skill(name: &str, skills: &[String], language: Language) -> Option<usize> {
    let words = Words::of(language);
    let mut parts: Vec<&str> = name
        .split_whitespace()
        .map(|word| word.trim_matches([':', '=', ',', '>', '→', '"', '-']))
        .filter(|word| !word.is_empty())
        .collect();
    let small = |word: &str| {
        [Sense::Filler, Sense::With, Sense::Change, Sense::As, Sense::And]
            .into_iter()
            .any(|sense| words.is_whole(word, sense))
            || words.is(&folded(word), Sense::Rating)
    };
    while parts.last().is_some_and(|word| small(word)) {
        parts.pop();
    }
    while parts.first().is_some_and(|word| small(word)) {
        parts.remove(0);
    }
    let name = parts.join(" ");
    if let Some(number) = by_number(&name, language) {
        return number.checked_sub(1).filter(|at| *at < skills.len());
    }
    item_named(&name, language, &[List { place: Place::Must, items: skills }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_ratings_in_one_line_are_several() {
        let skills = ["Reads drawings", "Swedish and English languages", "Motivation"].map(str::to_owned);
        let rated = |said: &str| {
            let rated = ratings(said, &skills, Language::En)?;
            Some(rated.into_iter().map(|one| (one.at, one.rating, one.reason)).collect::<Vec<_>>())
        };
        let because = |reason: &str| Some(reason.to_owned());
        assert_eq!(
            rated("motivation 4, drawings 3, languages 4"),
            Some(vec![(2, 4, None), (0, 3, None), (1, 4, None)])
        );
        assert_eq!(
            rated("motivation 4: wants it, and said why; drawings 3, read two of five"),
            Some(vec![(2, 4, because("wants it, and said why")), (0, 3, because("read two of five"))])
        );
        assert_eq!(rated("1: 4, has run 3 of them"), Some(vec![(0, 4, because("has run 3 of them"))]));
        assert_eq!(rated("1: 4; 1: 3"), None);
    }
}
