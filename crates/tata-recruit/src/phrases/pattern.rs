//! Patterns as people write them.
//!
//! `*` stands for the rest of a word (`rockstar*`, `*stjärna`), `(a|b)` for one of several, `~` for up to two words
//! between.

use std::collections::BTreeSet;

use super::words::spelled;

/// A piece of a phrase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// A word.
    Word {
        /// Its letters, made comparable.
        literal: String,
        /// More letters may come before.
        open_start: bool,
        /// More letters may come after.
        open_end: bool,
    },
    /// Up to two words.
    Between,
}

/// The most phrases that one pattern may stand for.
const MOST_PHRASES: usize = 4000;

/// The phrases that a pattern stands for.
pub(crate) fn read(pattern: &str) -> Result<BTreeSet<Vec<Part>>, String> {
    let mut phrases = BTreeSet::new();
    for plain in expand(pattern)? {
        let mut parts = Vec::new();
        for piece in plain.split_whitespace() {
            if piece == "~" {
                parts.push(Part::Between);
                continue;
            }
            let (open_start, open_end) = (piece.starts_with('*'), piece.ends_with('*'));
            let words = spelled(piece);
            if words.is_empty() {
                return Err(format!("{piece:?} is no word"));
            }
            let last = words.len() - 1;
            parts.extend(words.into_iter().enumerate().map(|(at, word)| Part::Word {
                literal: word.text,
                open_start: open_start && at == 0,
                open_end: open_end && at == last,
            }));
        }
        match (parts.first(), parts.last()) {
            (None | Some(Part::Between), _) | (_, Some(Part::Between)) => {
                return Err("a phrase begins and ends with a word".to_owned());
            }
            _ => phrases.insert(parts),
        };
    }
    Ok(phrases)
}

/// Writes out `(a|b)`, also within one another.
fn expand(pattern: &str) -> Result<Vec<String>, String> {
    // The open choices: what stood before each, the ways that are complete, and those being written.
    let mut open: Vec<[Vec<String>; 2]> = Vec::new();
    let mut ways = vec![String::new()];
    for letter in pattern.chars() {
        match letter {
            '(' => open.push([std::mem::replace(&mut ways, vec![String::new()]), Vec::new()]),
            '|' => {
                let [_, done] = open.last_mut().ok_or("a choice needs brackets")?;
                done.append(&mut ways);
                ways = vec![String::new()];
            }
            ')' => {
                let [before, mut done] = open.pop().ok_or("a bracket is not opened")?;
                done.append(&mut ways);
                if before.len() * done.len() > MOST_PHRASES {
                    return Err("too many ways to read it".to_owned());
                }
                let join =
                    |start: &String| done.iter().map(|end| format!("{start}{end}")).collect::<Vec<_>>();
                ways = before.iter().flat_map(join).collect();
            }
            other => ways.iter_mut().for_each(|way| way.push(other)),
        }
    }
    if open.is_empty() { Ok(ways) } else { Err("a bracket is not closed".to_owned()) }
}
