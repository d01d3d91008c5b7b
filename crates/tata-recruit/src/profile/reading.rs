//! What the sources say under their labels and headings: notes before the hiring manager before an earlier ad, nothing
//! twice. What stands under none is not guessed at: it is shown for the recruiter to sort.

use std::collections::BTreeMap;
use tata_language::identify::identify;

use tata_guided::sort::{Notes, Piece, Place};

use super::{
    Profile, letter,
    lists::named,
    pay::{is_beside, read_pay},
};
use crate::{
    Evidence, Item, Language, MUST_HAVES, PayRange, Size, Source, Sources,
    lists::{PEOPLE, PEOPLE_MORE, PEOPLE_NOT},
    tidy,
};

/// The most tasks taken from one source.
const TASKS_PER_SOURCE: usize = 5;
/// The most statements of one kind that are looked at; more are no notes.
const MOST_STATEMENTS: usize = 300;
/// An earlier ad adds tasks only where the other sources name fewer.
const ENOUGH_TASKS: usize = 3;
/// So many lines about pay are read of one source.
pub(super) const MOST_PAYS: usize = 10;
/// A larger team is another number.
const LARGEST_TEAM: u32 = 2_000;

/// What can be read in sources without a model; every statement is a quotation.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// The statements under their labels; at most five tasks per source.
    pub profile: Profile,
    /// What an earlier ad asks for in addition, although the other sources suffice.
    pub offered: Vec<Item>,
    /// Tasks beyond the limit of their source, or of an earlier ad that was not needed.
    pub further_tasks: Vec<Item>,
    /// What stands under no label or heading: where it belongs is for the recruiter to say.
    pub unsorted: Vec<Item>,
    /// Pairs of statements that cannot both be true.
    pub contradictions: Vec<(Item, Item)>,
    /// A pay whose currency, period or ends are not all said.
    pub(crate) unclear_pay: Option<Item>,
}

/// The notes of one source, in pieces.
struct Sheet<'t> {
    source: Source,
    text: &'t str,
    notes: Notes,
    language: Language,
}

impl Sheet<'_> {
    fn items(&self, place: Option<Place>) -> impl Iterator<Item = Item> {
        // Of a line that must not pass nothing is left but its mark, and a mark says nothing.
        let says = |line: &&Piece| line.text.chars().any(char::is_alphanumeric);
        let lines = self.notes.lines().filter(move |line| line.place == place).filter(says);
        lines.map(|line| item_of(line, self.source, self.text))
    }
}

/// A piece of notes as a statement.
fn item_of(piece: &Piece, source: Source, text: &str) -> Item {
    let quote = statement(piece, text);
    let start = piece.content.end - quote.chars().count();
    Item { text: tidy(&quote), evidence: Evidence { source, start, end: piece.content.end, quote } }
}

/// What a piece of a text says. A date says nothing without the label before it: "Start: 1 March".
pub(super) fn statement(piece: &Piece, text: &str) -> String {
    if piece.place != Some(Place::Date) || piece.span.start == piece.content.start {
        return piece.text.clone();
    }
    let length = piece.content.end.saturating_sub(piece.span.start);
    let whole: String = text.chars().skip(piece.span.start).take(length).collect();
    let bare = whole.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    if bare.ends_with(&piece.text) { bare.to_owned() } else { piece.text.clone() }
}

/// The notes of a text in pieces, in the language it is written in.
pub(crate) fn cut(text: &str, otherwise: Language) -> Notes {
    let language = identify(text).map_or(otherwise, |identified| identified.language);
    let mut notes = Notes::cut(text, language);
    letter::leave_out(text, &mut notes);
    notes
}

/// The most lines that somebody sorts by hand: a form with more is read by nobody, and is many times as large as its notes.
pub(crate) const MOST_SORTED: usize = 400;
/// Notes with more bytes have more lines than that, or none.
const MOST_SORTED_BYTES: usize = 256 * 1024;

/// The notes of a text in pieces, if a person can sort them: what is too much is not cut at all.
pub(crate) fn cut_to_sort(text: &str, otherwise: Language) -> Option<Notes> {
    if text.len() > MOST_SORTED_BYTES {
        return None;
    }
    let written = text.lines().filter(|line| !line.trim().is_empty()).take(4 * MOST_SORTED).count();
    if written == 4 * MOST_SORTED {
        return None;
    }
    Some(cut(text, otherwise)).filter(|notes| notes.lines().count() <= MOST_SORTED)
}

/// Reads the notes, the hiring manager's words and an earlier ad: what their labels and headings say. The language is
/// that of the project, for a text whose own cannot be told.
pub fn read_requirements(sources: &Sources, language: Language) -> Requirements {
    let order = [Source::StartupNotes, Source::HiringManagerInput, Source::OldJobAd];
    let sheet = |source: &Source| {
        let text = sources.get(*source)?;
        let language = identify(text).map_or(language, |identified| identified.language);
        Some(Sheet { source: *source, text, notes: cut(text, language), language })
    };
    let all: Vec<Sheet<'_>> = order.iter().filter_map(sheet).collect();
    let mut found = Requirements::default();
    let good = gather(&all, Place::Good, &[], &mut found.contradictions);
    let mut must = gather(&all, Place::Must, &good, &mut found.contradictions);
    // What is welcome in one source and required in a less trusted one stays welcome.
    let profile = &mut found.profile;
    profile.good_to_haves =
        good.into_iter().filter(|item| !must.iter().any(|must| is_same(must, item))).collect();
    if let Some(at) = must.iter().position(|item| item.evidence.source == Source::OldJobAd)
        && at >= MUST_HAVES
    {
        found.offered = must.split_off(at);
    }
    profile.must_have_skills = must;
    let today = all.partition_point(|sheet| sheet.source != Source::OldJobAd);
    for (list, items) in named(profile.lists_mut()).skip(3) {
        // The days, steps and terms of an earlier ad were those of another recruitment.
        let passed = [Place::Date, Place::Process, Place::Employment].contains(&list.place);
        let sheets = if passed { all.get(..today).unwrap_or_default() } else { all.as_slice() };
        *items = gather(sheets, list.place, &[], &mut Vec::new());
    }
    let first = |place: Place| all.iter().find_map(|sheet| sheet.items(Some(place)).next());
    profile.team_info.location = first(Place::Place);
    profile.team_info.collaboration_style = first(Place::Team);
    profile.bu_description = first(Place::Company);
    tasks(&all, &mut found);
    facts(&all, &mut found);
    let today = all.iter().filter(|sheet| sheet.source != Source::OldJobAd);
    found.unsorted = today.flat_map(|sheet| sheet.items(None)).take(MOST_STATEMENTS).collect();
    found
}

/// Size and pay, each from a line that a label or its own first word names; where two sources differ, both are shown.
fn facts(all: &[Sheet<'_>], found: &mut Requirements) {
    let size =
        |sheet: &Sheet<'_>| sheet.items(Some(Place::Team)).find_map(|item| Some((people(&item.text)?, item)));
    let place = |sheet: &Sheet<'_>| {
        let item = sheet.items(Some(Place::Place)).next()?;
        Some((gist(&item.text).0, item))
    };
    let sizes: Vec<(u32, Item)> = all.iter().filter_map(size).collect();
    let places: Vec<(Vec<String>, Item)> = all.iter().filter_map(place).collect();
    if let Some((people, item)) = sizes.first() {
        found.profile.team_info.size = Some(Size { people: *people, evidence: item.evidence.clone() });
    }
    let of_sheet = |sheet: &Sheet<'_>| -> Vec<(Item, Language)> {
        let items = sheet.items(Some(Place::Pay)).take(MOST_PAYS);
        items.map(|item| (item, sheet.language)).collect()
    };
    let lines: Vec<(Item, Language)> = all.iter().flat_map(of_sheet).collect();
    let pays: Vec<(PayRange, Item)> = lines
        .iter()
        .filter_map(|(item, language)| {
            let range = read_pay(&item.text, *language)?.range;
            Some((PayRange { evidence: item.evidence.clone(), ..range }, item.clone()))
        })
        .collect();
    found.profile.pay_range = pays.first().map(|(pay, _)| pay.clone());
    // "Bonus 8 %" on a line of its own comes with the pay of the same source.
    if let Some(pay) = &mut found.profile.pay_range {
        let source = pay.evidence.source;
        let others = lines.iter().map(|(item, _)| item).filter(|item| {
            let is_pay = pays.iter().any(|(_, pay)| pay == *item);
            item.evidence.source == source && is_beside(&item.text) && !is_pay
        });
        pay.beside.extend(others.map(|item| item.text.clone()));
    } else {
        found.unclear_pay = lines.first().map(|(item, _)| item.clone());
    }
    let ends = |pay: &PayRange| (pay.min, pay.max);
    found.contradictions.extend(differing(&sizes, |one, other| one != other));
    found.contradictions.extend(differing(&places, |one, other| !is_related(other, one)));
    found.contradictions.extend(differing(&pays, |one, other| ends(one) != ends(other)));
}

/// What the most trusted source says, and what another one says that differs from it.
fn differing<T>(said: &[(T, Item)], differ: impl Fn(&T, &T) -> bool) -> Option<(Item, Item)> {
    let ((one, first), rest) = said.split_first()?;
    let (_, other) = rest.iter().find(|(other, _)| differ(one, other))?;
    Some((first.clone(), other.clone()))
}

/// "7 in Copenhagen", "the team has eight people": the number that a line about the team begins with, or the only one
/// that people are counted by. One that stands elsewhere may count anything.
pub(crate) fn people(text: &str) -> Option<u32> {
    let mut counted =
        text.split_whitespace().zip(text.split_whitespace().skip(1)).filter_map(|(count, of)| {
            let of = of.trim_matches(|letter: char| !letter.is_alphabetic()).to_lowercase();
            team_of(count).filter(|_| PEOPLE.contains(&of.as_str()))
        });
    let only = counted.next().filter(|_| counted.next().is_none());
    let mut words = text.split_whitespace();
    let first = words.next().and_then(team_of);
    // "Two days in the office" counts no people.
    let unit =
        words.next().map(|word| word.trim_matches(|letter: char| !letter.is_alphabetic()).to_lowercase());
    let counts_time = unit.is_some_and(|unit| PEOPLE_NOT.contains(&unit.as_str()));
    only.or(first.filter(|_| !counts_time)).filter(|_| !adds_somebody(text))
}

/// "Four and me", "4 + Petra": how many that makes is for people to say.
fn adds_somebody(text: &str) -> bool {
    let text = format!(" {} ", text.to_lowercase());
    text.contains('+') || PEOPLE_MORE.iter().any(|more| text.contains(&format!(" {more} ")))
}

/// A number in digits or in words that can be the size of a team.
fn team_of(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let counted = digits.parse().ok().filter(|_| digits.len() + 1 >= word.len());
    let people: u64 = counted.or_else(|| spoken_number(word))?;
    u32::try_from(people).ok().filter(|people| (2..=LARGEST_TEAM).contains(people))
}

/// A number in words of any language.
fn spoken_number(word: &str) -> Option<u64> {
    Language::ALL.into_iter().find_map(|language| tata_guided::answer::number(word, language))
}

fn tasks(all: &[Sheet<'_>], found: &mut Requirements) {
    let mut tasks = gather(all, Place::Task, &[], &mut Vec::new());
    // An earlier ad is read last.
    let trusted = tasks.partition_point(|item| item.evidence.source != Source::OldJobAd);
    let not_needed = tasks.split_off(if trusted < ENOUGH_TASKS { tasks.len() } else { trusted });
    found.further_tasks = limited(&mut tasks);
    found.further_tasks.extend(not_needed);
    found.profile.primary_responsibilities = tasks;
}

/// Keeps at most five tasks per source; gives back the others.
pub(super) fn limited(tasks: &mut Vec<Item>) -> Vec<Item> {
    let mut kept: BTreeMap<Source, usize> = BTreeMap::new();
    let is_further = |task: &mut Item| {
        let count = kept.entry(task.evidence.source).or_default();
        *count += 1;
        *count > TASKS_PER_SOURCE
    };
    tasks.extract_if(.., is_further).collect()
}

/// The words of a statement that say something, and its numbers.
fn gist(statement: &str) -> (Vec<String>, Vec<u32>) {
    let (mut words, mut numbers) = (Vec::new(), Vec::new());
    for word in
        statement.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '+' | '#' | '\''))
    {
        let word = word.to_lowercase();
        // "two" and "2" are the same; short words are numbers in one language and something else in another.
        let counted = word.parse().ok().or_else(|| {
            let number = spoken_number(&word).filter(|number| *number > 1 && word.chars().count() > 2)?;
            u32::try_from(number).ok()
        });
        if let Some(number) = counted {
            numbers.push(number);
        } else if !word.is_empty() && !tata_language::identify::is_frequent(&word) {
            words.push(word);
        }
    }
    (words, numbers)
}

/// A statement and what it is compared by.
struct Known {
    item: Item,
    text: String,
    words: Vec<String>,
    numbers: Vec<u32>,
}

impl Known {
    fn new(item: &Item) -> Self {
        let (words, numbers) = gist(&item.text);
        Self { item: item.clone(), text: item.text.to_lowercase(), words, numbers }
    }

    /// Whether both say the same: one has all the words of the other, and no other number.
    fn is_same(&self, other: &Self) -> bool {
        let numbers = self.numbers == other.numbers || self.numbers.is_empty() || other.numbers.is_empty();
        self.text == other.text || (numbers && is_related(&self.words, &other.words))
    }

    /// Whether both are about the same but give different numbers.
    fn differs(&self, other: &Self) -> bool {
        if self.numbers.is_empty() || other.numbers.is_empty() || self.numbers == other.numbers {
            return false;
        }
        let long = |words: &[String]| words.iter().filter(|word| word.chars().count() > 3).count();
        let shared = self.words.iter().filter(|word| word.chars().count() > 3 && other.words.contains(word));
        let (shared, least) = (shared.count(), long(&self.words).min(long(&other.words)));
        shared >= 2 && shared * 2 >= least
    }
}

/// The statements of a place, the most trusted first, nothing twice. `others` are statements of another category
/// that these may contradict.
fn gather(
    all: &[Sheet<'_>],
    place: Place,
    others: &[Item],
    contradictions: &mut Vec<(Item, Item)>,
) -> Vec<Item> {
    let others: Vec<Known> = others.iter().map(Known::new).collect();
    let mut items: Vec<Known> = Vec::new();
    for sheet in all {
        let mut own: Vec<Known> = Vec::new();
        for item in sheet.items(Some(place)).take(MOST_STATEMENTS).map(|item| Known::new(&item)) {
            if own.iter().any(|known| known.text == item.text) {
                continue;
            }
            if let Some(other) = items.iter().find(|known| known.differs(&item)) {
                contradictions.push((other.item.clone(), item.item));
                continue;
            }
            if let Some(other) = others.iter().find(|other| other.is_same(&item)) {
                contradictions.push((other.item.clone(), item.item.clone()));
                if other.item.evidence.source < item.item.evidence.source {
                    continue;
                }
            }
            if !items.iter().any(|known| known.is_same(&item)) {
                own.push(item);
            }
        }
        items.extend(own);
    }
    items.into_iter().map(|known| known.item).collect()
}

/// Whether two statements say the same.
pub(super) fn is_same(one: &Item, other: &Item) -> bool {
    Known::new(one).is_same(&Known::new(other))
}

/// Whether one has all the words of the other.
fn is_related(one: &[String], other: &[String]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    !short.is_empty() && short.iter().all(|word| long.contains(word))
}

#[cfg(test)]
mod tests {
    use super::people;

    /// Two days in the office were a team of two.
    #[test]
    fn only_people_are_counted_as_a_team() {
        for (text, expected) in [
            ("a team of six people", Some(6)),
            ("12", Some(12)),
            ("Zwei Tage Büro, drei Tage mobil.", None),
            ("3 dagar på kontoret", None),
            ("4 kommunikatörer + Petra", None),
            ("fem personer och jag", None),
        ] {
            assert_eq!(people(text), expected, "{text}");
        }
    }
}
