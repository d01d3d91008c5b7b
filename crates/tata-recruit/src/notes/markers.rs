//! Marker phrases in a sentence, and which words each of them governs.

use std::ops::Range;

use super::{
    Category,
    cues::{Cues, Roles},
    words::{View, Word},
};

/// On which side of a marker stands what it marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// "must have X"
    After,
    /// "X is a must"
    Before,
}

/// A marker that was found.
#[derive(Clone, Debug)]
struct Hit {
    start: usize,
    end: usize,
    side: Side,
    category: Category,
    /// It ends with a colon: what follows is a list.
    list: bool,
}

/// What a marker governs.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    pub(super) category: Category,
    /// An explicit list.
    pub(super) list: bool,
}

/// The label at the beginning of a range: "Krav: …", "Nice to have – …". Gives its category and where the rest begins.
pub(super) fn label(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Option<(Category, usize)> {
    let text = view.slice(range);
    let colon = text.char_indices().take(120).find_map(|(at, letter)| match letter {
        ':' | '\u{FF1A}' | '\t' => Some((at, at + letter.len_utf8(), true)),
        '-' | '\u{2013}' | '\u{2014}' | '=' | '|' => {
            let blank_before = text.get(..at)?.ends_with(char::is_whitespace);
            let blank_after = text.get(at + letter.len_utf8()..)?.starts_with(['>', ' ', '\u{A0}', '=']);
            (blank_before && blank_after).then_some((at, at + letter.len_utf8(), false))
        }
        _ => None,
    });
    let (at, end, strict) = colon?;
    // A time of day has a colon too.
    if text.get(end..)?.starts_with(|letter: char| letter.is_ascii_digit())
        && text.get(..at)?.ends_with(|letter: char| letter.is_ascii_digit())
    {
        return None;
    }
    let words = view.words_in(&(range.start..range.start + at));
    let category = heading(words, cues, if strict { 3 } else { 0 })
        .or_else(|| (strict && words.len() <= 10).then(|| announced(words, cues)).flatten())?;
    Some((category, range.start + end))
}

/// The category of a heading, if these words are one: its phrase and at most `spare` words more.
pub(super) fn heading(words: &[Word], cues: &Cues, spare: usize) -> Option<Category> {
    if words.len() > 12 {
        return None;
    }
    let mut best: Option<(usize, Category)> = None;
    let mut at = 0;
    let mut extra = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let found = cues.roles.at(rest).and_then(|(length, roles)| Some((length, roles.heading?)));
        if let Some((length, category)) = found {
            // The most specific phrase counts: "required" says more than "profile".
            let rank = |category: Category| usize::from(category.is_requirement());
            let better = best.is_none_or(|(known, other)| (rank(category), length) > (rank(other), known));
            if better {
                best = Some((length, category));
            }
            at += length;
        } else {
            let filler = cues.fillers.at(rest).map(|(length, ())| length);
            extra += usize::from(filler.is_none());
            at += filler.unwrap_or(1);
        }
    }
    best.filter(|_| extra <= spare).map(|(_, category)| category)
}

/// The category that a line before a colon announces by a marker: "What we can't do without:".
pub(super) fn announced(words: &[Word], cues: &Cues) -> Option<Category> {
    (0..words.len()).find_map(|at| {
        let (_, roles) = cues.roles.at(words.get(at..)?)?;
        roles.heading.filter(|category| category.is_requirement()).or(roles.before).or(roles.after)
    })
}

/// What the markers of a sentence govern; nothing when it has none.
pub(super) fn segments(view: &View<'_>, sentence: &Range<usize>, cues: &Cues) -> Vec<Segment> {
    let hits = hits(view, sentence, cues);
    let mut segments = Vec::with_capacity(hits.len());
    // Where the words begin that no marker has taken yet.
    let mut free = sentence.start;
    for (at, hit) in hits.iter().enumerate() {
        match hit.side {
            Side::Before => {
                let range = free..hit.start;
                segments.push(Segment { range, category: hit.category, list: false });
                free = hit.end;
            }
            Side::After => {
                let next = hits.get(at + 1);
                let end = match next {
                    None => sentence.end,
                    Some(next) => {
                        let between = hit.end..next.start;
                        match next.side {
                            Side::After => last_cut(view, &between, cues, false).unwrap_or(next.start),
                            Side::Before if next.category == hit.category => next.start,
                            Side::Before => last_cut(view, &between, cues, true).unwrap_or(hit.end),
                        }
                    }
                };
                let list = hit.list;
                segments.push(Segment { range: hit.end..end, category: hit.category, list });
                free = end;
            }
        }
    }
    segments
}

/// Where a clause ends for good: at a semicolon, a dash or a "but"; else at the last comma (`commas`), else after what
/// only introduces the next marker.
fn last_cut(view: &View<'_>, range: &Range<usize>, cues: &Cues, commas: bool) -> Option<usize> {
    let text = view.slice(range);
    let mut strong = None;
    let mut comma = None;
    for (at, letter) in text.char_indices() {
        let spaced = text.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace));
        match letter {
            ';' => strong = Some(at),
            '\u{2013}' | '\u{2014}' | '-' if spaced => strong = Some(at),
            ',' if text.get(at + 1..).is_some_and(|after| after.starts_with(char::is_whitespace)) => {
                comma = Some(at)
            }
            _ => {}
        }
    }
    let words = view.words_in(range);
    for at in 0..words.len() {
        if cues.but.at(words.get(at..).unwrap_or_default()).is_some() {
            let start = words.get(at).map_or(0, |word| word.start - range.start);
            strong = strong.max(Some(start));
        }
    }
    let cut = if commas { strong.or(comma) } else { strong };
    cut.map(|at| range.start + at)
}

/// The markers of a sentence, in order, none over another.
fn hits(view: &View<'_>, sentence: &Range<usize>, cues: &Cues) -> Vec<Hit> {
    let words = view.words_in(sentence);
    let mut hits: Vec<Hit> = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((length, roles)) = cues.roles.at(rest) else {
            at += 1;
            continue;
        };
        let (Some(first), Some(last)) = (rest.first(), rest.get(length - 1)) else { break };
        let after = view.slice(&(last.end..sentence.end)).trim_start_matches(['*', '_', '"', ' ', '\u{A0}']);
        let colon = after.starts_with([':', '\u{FF1A}']);
        let closed = after.is_empty()
            || after.starts_with([',', ';', '.', '!', ')', ']', '\u{2013}', '\u{2014}', '-']);
        let opened = view.slice(&(sentence.start..first.start)).trim_end().is_empty();
        let hit = |side, category, list| Hit { start: first.start, end: last.end, side, category, list };
        let found = match *roles {
            Roles { heading: Some(category), .. } if colon => Some(hit(Side::After, category, true)),
            Roles { tag: Some(category), .. } if closed && !opened => {
                Some(hit(Side::Before, category, false))
            }
            Roles { before: Some(category), after, .. } if after.is_none() || !closed => {
                Some(hit(Side::After, category, colon))
            }
            Roles { after: Some(category), .. } => Some(hit(Side::Before, category, false)),
            Roles { .. } => None,
        };
        at += if found.is_some() { length } else { 1 };
        hits.extend(found);
    }
    hits
}
