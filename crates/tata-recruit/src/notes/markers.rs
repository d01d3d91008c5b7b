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
    /// Where the marker begins.
    pub(super) marker: usize,
    /// An explicit list.
    pub(super) list: bool,
}

/// The label at the beginning of a range: "Krav: …", "Nice to have – …". Gives its category and where the rest begins.
pub(super) fn label(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Option<(Category, usize)> {
    let text = view.slice(range);
    let colon = text.char_indices().take(120).find_map(|(at, letter)| match letter {
        ':' | '\u{FF1A}' | '\t' => Some((at, at + letter.len_utf8(), true)),
        '-' | '\u{2013}' | '\u{2014}' | '=' | '|' | '\u{2192}' => {
            let blank_before = text.get(..at)?.ends_with(char::is_whitespace);
            let blank_after = text.get(at + letter.len_utf8()..)?.starts_with(['>', ' ', '\u{A0}', '=']);
            (blank_before && blank_after).then_some((at, at + letter.len_utf8(), false))
        }
        _ => None,
    });
    let (at, end, strict) = colon?;
    // A time of day has a colon too, and so has "the 25:e".
    if text.get(end..)?.starts_with(char::is_alphanumeric)
        && text.get(..at)?.ends_with(|letter: char| letter.is_ascii_digit())
    {
        return None;
    }
    let words = view.words_in(&(range.start..range.start + at));
    // "The role is new: …" is a sentence, not a label.
    let said = words.get(1..).is_some_and(|rest| cues.finite.within(rest));
    // A phrase that is a heading as a whole may have a verb: "Why the job is interesting: …".
    let whole = cues.roles.at(words).filter(|(length, _)| strict && *length == words.len());
    let category = heading(words, cues, if strict { 3 } else { 0 })
        .filter(|_| !said || whole.is_some_and(|(_, roles)| roles.heading.is_some()))
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
        // A verb of necessity says nothing among other words: "hva skal de gjøre".
        let bare = |length: usize| {
            length < words.len() && length == 1 && cues.musts.is(rest.get(..1).unwrap_or_default())
        };
        let found = cues.roles.at(rest).and_then(|(length, roles)| Some((length, roles.heading?)));
        let found = found.filter(|(length, _)| !bare(*length));
        if let Some((length, category)) = found {
            // The most specific phrase counts: "required" says more than "profile".
            let rank = |category: Category| usize::from(category.is_requirement());
            // A much longer phrase is more specific still: "why should you apply" against "should".
            let better = best.is_none_or(|(known, other)| {
                (rank(category), length) > (rank(other), known) && known < length + 2 || length >= known + 2
            });
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

/// The category of a line that counts what follows: "three musts, she said, and then one more".
pub(super) fn counted(words: &[Word], cues: &Cues) -> Option<Category> {
    if words.len() > 16 {
        return None;
    }
    (1..words.len()).find_map(|at| {
        let before = words.get(at - 1)?;
        let number = before.text.chars().all(|letter| letter.is_ascii_digit())
            || cues.numbers.is(std::slice::from_ref(before));
        let (_, roles) = cues.roles.at(words.get(at..)?)?;
        roles.heading.filter(|category| number && category.is_requirement())
    })
}

/// What the markers of a sentence govern; nothing when it has none.
pub(super) fn segments(view: &View<'_>, sentence: &Range<usize>, cues: &Cues) -> Vec<Segment> {
    let hits = hits(view, sentence, cues);
    let mut segments: Vec<Segment> = Vec::with_capacity(hits.len() + 1);
    // Where the words begin that no marker has taken yet.
    let mut free = sentence.start;
    for (at, hit) in hits.iter().enumerate() {
        match hit.side {
            Side::Before => {
                let start = clause_start(view, &(free..hit.start), cues);
                let (category, marker) = (hit.category, hit.start);
                segments.push(Segment { range: start..hit.start, category, marker, list: false });
                free = hit.end;
            }
            Side::After => {
                let next = hits.get(at + 1);
                let end = match next {
                    None => sentence.end,
                    Some(next) => {
                        let between = hit.end..next.start;
                        match next.side {
                            Side::After => last_cut(view, &between, cues, true).unwrap_or(next.start),
                            Side::Before if next.category == hit.category => {
                                clause(view, &between, cues).unwrap_or(next.start)
                            }
                            Side::Before => last_cut(view, &between, cues, true).unwrap_or(hit.end),
                        }
                    }
                };
                let list = hit.list;
                let (category, marker) = (hit.category, hit.start);
                segments.push(Segment { range: hit.end..end, category, marker, list });
                free = end;
            }
        }
    }
    // "X is a must, likewise Y": the end goes on with the last marker.
    if let Some(last) = hits.last().filter(|last| last.side == Side::Before) {
        let rest = view.trim(last.end..sentence.end, |letter| letter.is_whitespace() || letter == ',');
        if cues.and.at(view.words_in(&rest)).is_some() && rest.start > last.end {
            let (category, marker) = (last.category, last.start);
            segments.push(Segment { range: rest, category, marker, list: false });
        }
    }
    segments
}

/// Where the last clause of a range begins, if it has a verb of its own: "…, and he was clear that X".
fn clause(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Option<usize> {
    let comma = range.start + view.slice(range).rfind(", ")?;
    let words = view.words_in(&(comma..range.end));
    let joined = cues.and.at(words).is_some();
    (joined && words.get(1..).is_some_and(|rest| cues.says.within(rest) || cues.finite.within(rest)))
        .then_some(comma)
}

/// Where the clause before a marker begins: after a colon, a semicolon, a dash or a "but".
fn clause_start(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> usize {
    let colon = view.slice(range).rfind(": ").map(|at| range.start + at + 1);
    let cut = last_cut(view, range, cues, false);
    let start = colon.max(cut).max(that(view, range, cues)).unwrap_or(range.start);
    // "The customer is foreign, so English is a must": the clause before the comma is about something else.
    let comma = view.slice(&(start..range.end)).rfind(", ").map(|at| start + at + 1);
    comma
        .filter(|comma| {
            let words = view.words_in(&(start..*comma));
            let rest = words.get(1..).unwrap_or_default();
            let follows = !view.words_in(&(*comma..range.end)).is_empty();
            follows && (cues.finite.within(rest) || cues.says.within(rest))
        })
        .unwrap_or(start)
}

/// Where what somebody says begins: after "he was clear that".
fn that(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Option<usize> {
    let words = view.words_in(range);
    let at = words.iter().rposition(|word| THAT.contains(&word.text.as_str()))?;
    let said = words.get(..at).is_some_and(|before| cues.says.within(before));
    words.get(at + 1).filter(|_| said).map(|word| word.start)
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
                comma = Some(at);
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
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let phrase = cues.roles.at(rest).map_or(0, |(length, _)| length);
        let found = match cues.modals.at(rest) {
            Some((length, category)) if length >= phrase => {
                let going = hits.last().is_some_and(|hit| hit.category == Category::Must);
                modal(view, words, at, length, (*category, going), cues)
                    .or_else(|| role(view, sentence, rest, cues))
            }
            Some(_) | None => role(view, sentence, rest, cues),
        };
        match found {
            Some((hit, length)) => {
                hits.push(hit);
                at += length.max(1);
            }
            None => at += 1,
        }
    }
    hits
}

/// A marker phrase at the beginning of these words.
fn role(view: &View<'_>, sentence: &Range<usize>, rest: &[Word], cues: &Cues) -> Option<(Hit, usize)> {
    let (length, roles) = cues.roles.at(rest)?;
    let (first, last) = (rest.first()?, rest.get(length - 1)?);
    let after = view.slice(&(last.end..sentence.end)).trim_start_matches(['*', '_', '"', ' ', '\u{A0}']);
    let colon = after.starts_with([':', '\u{FF1A}']);
    let closed = after.is_empty()
        || after
            .starts_with([',', ';', '.', '!', ')', ']', '\u{2013}', '\u{2014}', '-', '\u{201C}', '\u{201D}']);
    let opened = view.slice(&(sentence.start..first.start)).trim_end().is_empty();
    // "It is a must that they …": what is marked follows after all.
    let that = rest.get(length).is_some_and(|word| word.glued && THAT.contains(&word.text.as_str()));
    let hit = |side, category, list| Hit { start: first.start, end: last.end, side, category, list };
    // "so you can pass it on" is no requirement; "You can …" may be one.
    let lead = view.words_in(&(sentence.start..first.start)).last();
    let spoken = matches!(first.text.as_str(), "you" | "du" | "sie")
        && first.glued
        && lead.is_some_and(|word| !opens(word, cues));
    // "Six demands are too many" speaks of the list.
    let number = lead.is_some_and(|word| first.glued && cues.numbers.is(std::slice::from_ref(word)));
    if (spoken || (number && !colon)) && roles.before.is_some() {
        return None;
    }
    // "what is a must": the sentence asks for it.
    let asked = || {
        let lead = view.words_in(&(sentence.start..first.start));
        let verb = lead.last().is_some_and(|word| cues.finite.is(std::slice::from_ref(word)));
        let lead = lead.get(..lead.len() - usize::from(verb)).unwrap_or_default();
        (1..=2.min(lead.len())).any(|count| cues.what.is(lead.get(lead.len() - count..).unwrap_or_default()))
    };
    let negated = || {
        let lead = view.words_in(&(sentence.start..first.start));
        lead.iter().rev().take(2).any(|word| cues.negations.is(std::slice::from_ref(word)))
    };
    let found = match *roles {
        Roles { heading: Some(category), .. } if colon => hit(Side::After, category, true),
        Roles { after: Some(category), .. } if that || colon => hit(Side::After, category, colon),
        Roles { tag: Some(category), .. } if closed && !opened => hit(Side::Before, category, false),
        Roles { before: Some(category), after, .. } if after.is_none() || !closed => {
            let start = ability(rest.get(..length).unwrap_or_default(), cues);
            let end = start.map_or(last.end, |word| word.start);
            // "You get to build the team": a reason keeps whom it is for.
            let kept =
                category == Category::Motive && matches!(first.text.as_str(), "you" | "du" | "man") && !colon;
            Hit { end: if kept { first.start } else { end }, ..hit(Side::After, category, colon) }
        }
        Roles { after: Some(category), .. } => {
            // "Derimot må vedkommende kunne X": nothing stands before it that could be meant.
            let lead = view.words_in(&(sentence.start..first.start));
            let nothing = !closed && is_opening(lead, cues);
            let start = ability(rest.get(..length).unwrap_or_default(), cues).filter(|_| nothing);
            let side = if nothing { Side::After } else { Side::Before };
            Hit { end: start.map_or(last.end, |word| word.start), ..hit(side, category, false) }
        }
        Roles { .. } => return None,
    };
    if found.side == Side::Before && asked() {
        return None;
    }
    // "preferably before the summer" is a date, and "he would rather write" a habit.
    let adverb = found.category == Category::Good && cues.adverbs.at(rest).is_some();
    let date = rest.get(length..).is_some_and(|after| cues.times.at(after).is_some());
    let habit = lead.is_some_and(|word| matches!(word.text.as_str(), "ville" | "wollte"));
    if adverb && found.side == Side::After && (date || habit) {
        return None;
    }
    // "fine but no must"
    let denied = found.category == Category::Must && found.side == Side::Before && negated();
    let category = if denied { Category::Not } else { found.category };
    Some((Hit { category, ..found }, length))
}

/// Words that only open a sentence: "I tillegg", "Däremot".
fn is_opening(words: &[Word], cues: &Cues) -> bool {
    let mut rest = words;
    while let Some((length, ())) = cues.and.at(rest).or_else(|| cues.but.at(rest)) {
        rest = rest.get(length..).unwrap_or_default();
    }
    rest.is_empty() || (rest.len() < words.len() && cues.then.is(rest))
}

/// Words that open what is demanded.
const THAT: [&str; 4] = ["att", "at", "dass", "that"];

/// "must have", "ska kunna", "muss": they speak of the candidate only if the candidate is their subject. Requirements may
/// leave the subject out.
fn modal(
    view: &View<'_>,
    words: &[Word],
    at: usize,
    length: usize,
    (category, going): (Option<Category>, bool),
    cues: &Cues,
) -> Option<(Hit, usize)> {
    let category = category?;
    // "det må man like": the modal has its object before it.
    let object = at.checked_sub(1).and_then(|at| words.get(at));
    if object.is_some_and(|word| matches!(word.text.as_str(), "det" | "das" | "dette" | "detta"))
        && words.get(at)?.glued
    {
        return None;
    }
    let (first, last) = (words.get(at)?, words.get(at + length - 1)?);
    let before = (1..=4).filter_map(|step| Some((step, words.get(at.checked_sub(step)?..at)?))).any(
        |(step, words)| {
            let named = words.first().is_some_and(|word| view.is_name(word)) && step <= 2;
            named || cues.candidates.at(words).is_some_and(|(length, ())| length + 1 >= step)
        },
    );
    let inverted = cues.candidates.at(words.get(at + length..)?).map(|(length, ())| length);
    let joined = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| {
        // "must know X and must have Y", "a car is not needed but must be able to travel"
        (going && opens(word, cues)) || cues.but.is(std::slice::from_ref(word))
    });
    let opened = at == 1 && words.first().is_some_and(|word| opens(word, cues));
    let initial = at == 0 || !first.glued || opened || joined;
    let meant = before || inverted.is_some() || (initial && category.is_requirement());
    if !meant {
        return None;
    }
    // "The adviser skal ha pressevakt, skrive …": what somebody with this title does.
    let named = (1..=2)
        .any(|step| at.checked_sub(step).and_then(|at| words.get(at)).is_some_and(|word| view.is_name(word)));
    let has = words.get(at + 1).is_some_and(|word| matches!(word.text.as_str(), "ha" | "have"));
    if named && has && first.text.starts_with("ska") && cues.heads.at(words.get(at + 2..)?).is_none() {
        let hit = Hit {
            start: first.start,
            end: first.end,
            side: Side::After,
            category: Category::Task,
            list: false,
        };
        return Some((hit, 1));
    }
    let subject = inverted.filter(|_| !before).unwrap_or(0);
    let end = match words.get(at + length + subject - 1) {
        Some(word) if subject > 0 => word.end,
        Some(_) | None => ability(words.get(at..at + length)?, cues).map_or(last.end, |word| word.start),
    };
    let hit = Hit { start: first.start, end, side: Side::After, category, list: false };
    Some((hit, length + subject))
}

fn opens(word: &Word, cues: &Cues) -> bool {
    let word = std::slice::from_ref(word);
    cues.and.is(word) || cues.but.is(word)
}

/// The word of a marker that belongs to what it marks: "able to" in "must be able to".
fn ability<'a>(marker: &'a [Word], cues: &Cues) -> Option<&'a Word> {
    (1..marker.len())
        .find(|at| cues.abilities.is(marker.get(*at..).unwrap_or_default()))
        .and_then(|at| marker.get(at))
}
