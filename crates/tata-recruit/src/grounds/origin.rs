//! Which characters of a text that a document was made from lie where in what people brought.
//!
//! Such a text is a message, a part of one, or several messages in a row, and what must not pass is blank in it. So it is
//! followed line by line, each line right behind the one before wherever it goes on there: "Yes." stands in an interview
//! many times, and only one of them is meant.

use tata_core::{Material, MaterialId, Materials};

use super::Place;

/// A text of which so many lines were looked for in vain was put together by code: no use to look for the rest.
const MOST_SEARCHES: usize = 200;

/// Where the characters of one text lie.
pub(super) struct Origin(Vec<Run>);

/// Characters that lie in one piece.
struct Run {
    /// The first of them in the text.
    start: usize,
    /// The one after the last.
    end: usize,
    material: MaterialId,
    /// The first of them in the material.
    first: usize,
}

impl Origin {
    /// Follows a text through what people brought, the newest first.
    pub(super) fn new(text: &str, materials: &Materials) -> Self {
        let whole = materials.iter().rev().find_map(|material| {
            let first = position(material, text)?;
            Some(Run { start: 0, end: text.chars().count(), material: material.id(), first })
        });
        match whole {
            Some(run) => Self(vec![run]),
            None => Self::by_lines(text, materials),
        }
    }

    fn by_lines(text: &str, materials: &Materials) -> Self {
        let brought: Vec<(&Material, Vec<char>)> =
            materials.iter().rev().map(|material| (material, material.text().chars().collect())).collect();
        let mut runs = Vec::new();
        // Where the next line would go on: the place in the list, and the character.
        let mut next: Option<(usize, usize)> = None;
        let (mut start, mut searches) = (0, 0);
        for line in text.split('\n') {
            let letters: Vec<char> = line.chars().collect();
            let goes_on = next.filter(|(at, first)| fits(&brought, *at, *first, &letters));
            let found = match goes_on {
                None if searches < MOST_SEARCHES => {
                    searches += 1;
                    search(&brought, line, &letters)
                }
                found => found,
            };
            let end = start + letters.len();
            if let Some((at, first)) = found
                && let Some((material, _)) = brought.get(at)
            {
                runs.push(Run { start, end, material: material.id(), first });
            }
            next = found.map(|(at, first)| (at, first + letters.len() + 1));
            start = end + 1;
        }
        Self(runs)
    }

    /// Where the characters from one to another lie.
    pub(super) fn place(&self, start: usize, end: usize) -> Option<Place> {
        let last = end.checked_sub(1)?;
        let run = |at: usize| self.0.iter().find(|run| (run.start..run.end).contains(&at));
        let (from, to) = (run(start)?, run(last)?);
        let place = Place {
            material: from.material,
            start: from.first + start - from.start,
            end: to.first + end - to.start,
        };
        (from.material == to.material && place.start < place.end).then_some(place)
    }
}

/// The character at which a text begins in a material.
fn position(material: &Material, text: &str) -> Option<usize> {
    let before = material.text().get(..material.text().find(text)?)?;
    Some(before.chars().count())
}

/// Whether a line stands at a place, with blanks for what must not pass.
fn fits(brought: &[(&Material, Vec<char>)], at: usize, first: usize, line: &[char]) -> bool {
    let there = brought.get(at).and_then(|(_, letters)| letters.get(first..first + line.len()));
    there.is_some_and(|there| there.iter().zip(line).all(|(own, letter)| own == letter || *letter == ' '))
}

/// A place where a line stands, found by the longest piece of it that is not blank.
fn search(brought: &[(&Material, Vec<char>)], line: &str, letters: &[char]) -> Option<(usize, usize)> {
    let piece = line.split("  ").map(str::trim).max_by_key(|piece| piece.len())?;
    if piece.is_empty() {
        return None;
    }
    let before = line.get(..line.find(piece)?)?.chars().count();
    brought.iter().enumerate().find_map(|(at, (material, _))| {
        let text = material.text();
        text.match_indices(piece).find_map(|(byte, _)| {
            let first = text.get(..byte)?.chars().count().checked_sub(before)?;
            fits(brought, at, first, letters).then_some((at, first))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the place of some words of a text says, if they have one.
    fn placed(brought: &[&str], text: &str, words: &str, number: usize) -> Option<String> {
        let materials = Materials::of(brought.iter().copied());
        let (byte, _) = text.match_indices(words).nth(number).unwrap();
        let start = text[..byte].chars().count();
        let place = Origin::new(text, &materials).place(start, start + words.chars().count())?;
        let letters: Vec<char> = materials.get(place.material).unwrap().text().chars().collect();
        Some(format!(
            "{} {}-{}",
            letters[place.start..place.end].iter().collect::<String>(),
            place.start,
            place.end
        ))
    }

    #[test]
    fn a_text_is_found_whole_joined_and_with_blanks() {
        let talk = "Kim: Swedish?\nAnna: Yes.\nKim: A licence?\nAnna: Yes.\nAnna: Keep that quiet. Bye.";
        let check = |brought: &[&str], text: &str, words: &str, number: usize, expected: Option<&str>| {
            assert_eq!(placed(brought, text, words, number).as_deref(), expected, "{words} in {text}");
        };
        check(&[talk, "yes"], talk, "Yes.", 1, Some("Yes. 47-51"));
        let blanked = talk.replace("Keep that quiet.", "                ");
        check(&[talk, "yes"], &blanked, "Yes.", 0, Some("Yes. 20-24"));
        check(&[talk, "yes"], &blanked, "Yes.", 1, Some("Yes. 47-51"));
        check(&[talk, "yes"], &blanked, "Bye.", 0, Some("Bye. 75-79"));
        check(&[talk, "Anna: No."], &format!("{talk}\nAnna: No."), "No.", 0, Some("No. 6-9"));
        check(&["Hi", &format!("Here you are:\n{talk}")], &blanked, "Yes.", 1, Some("Yes. 61-65"));
        check(&["something else"], talk, "Yes.", 0, None);
    }
}
