//! What in a text shuts people out: the hits of the word lists that mean what they seem to mean.

use std::{cell::RefCell, collections::BTreeMap, ops::Range};

use super::{
    reading::Reading,
    titles::{self, TitleForm},
};
use tata_phrases::{Case, Gap, Hit, MOST_WORDS, Word};

use crate::{
    Language,
    book::{Category, Flag, Severity, Sign},
    lists::{COMPANY_FORMS, PEOPLE_ADDRESSED},
};

/// A place in a text that shuts somebody out.
#[derive(Clone, Debug)]
pub struct Place {
    /// The category and the rule, the same in every report.
    pub rule: String,
    /// Whom it shuts out.
    pub category: Category,
    /// How bad it is.
    pub severity: Severity,
    /// Why, as a name in the texts.
    pub reason: &'static str,
    /// Better words.
    pub alternatives: Vec<String>,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
}

/// How many words may stand between "no" or "not needed" and what is not needed.
const REACH: usize = 4;
/// A name in quotation marks is this short.
const MOST_NAME_WORDS: usize = 6;

/// What of a text shuts people out: whom, and its bytes, in order.
pub fn flagged(text: &str, language: Language) -> Vec<(Category, Range<usize>)> {
    let reading = Reading::new(text, language);
    let bytes = |place: &Place| reading.byte(place.start)..reading.byte(place.end);
    places(&reading, TitleForm::default()).iter().map(|place| (place.category, bytes(place))).collect()
}

/// The places of a text, in order; of overlapping ones the longest.
pub fn places(reading: &Reading<'_>, form: TitleForm) -> Vec<Place> {
    let welcoming = sentences_with(reading, Sign::Welcoming);
    let known = Sentences::of(reading);
    let is_fine = |flag: &Flag, hit: Hit| {
        welcoming.binary_search(&reading.sentence_of(hit.first)).is_ok()
            || is_waived(reading, flag.category, hit)
            || is_name(reading, hit)
            || is_surname(&known, flag.category, hit)
            || flag.reason == "pronoun" && is_about_somebody(&known, hit)
            || flag.reason == "feminine_title" && titles::is_for_all(reading, hit)
    };
    let meant = reading.found.flags.iter().filter(|(flag, hit)| !is_fine(flag, *hit));
    let mut places: Vec<Place> = meant.map(|(flag, hit)| Place::of(flag, reading, *hit)).collect();
    if reading.language == Language::De {
        places.extend(titles::places(reading, form));
    }
    places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    let mut merged: Vec<Place> = Vec::new();
    for place in places {
        match merged.last_mut() {
            Some(last) if place.start < last.end => {
                if place.end - place.start > last.end - last.start {
                    *last = place;
                }
            }
            Some(_) | None => merged.push(place),
        }
    }
    merged
}

impl Place {
    fn of(flag: &Flag, reading: &Reading<'_>, hit: Hit) -> Self {
        let span = reading.span(hit.first, hit.last);
        Self {
            rule: format!("{}/{}", flag.category.name(), flag.rule),
            category: flag.category,
            severity: flag.severity,
            reason: flag.reason,
            alternatives: flag.alternatives.iter().map(|text| (*text).to_owned()).collect(),
            start: span.start,
            end: span.end,
        }
    }
}

/// The numbers of the sentences with a sign, in order.
fn sentences_with(reading: &Reading<'_>, wanted: Sign) -> Vec<usize> {
    reading.signs(|sign| sign == wanted).map(|hit| reading.sentence_of(hit.first)).collect()
}

/// Whether the text says that something is not asked for. A bare "no" says so only about demands: "no mothers" shuts
/// mothers out.
fn is_waived(reading: &Reading<'_>, category: Category, hit: Hit) -> bool {
    let sentence = reading.sentences.get(reading.sentence_of(hit.first)).cloned().unwrap_or_default();
    // A sentence may be a whole text: only what is near enough to count is looked at.
    let from = hit.first.saturating_sub(MOST_WORDS + REACH).max(sentence.start);
    let signs = reading.signs_in(&(from..sentence.end.min(hit.last + REACH + 1)));
    let demand = matches!(
        category,
        Category::Requirements | Category::Location | Category::Socioeconomic | Category::Nationality
    );
    let near = |wanted: Sign, close: &dyn Fn(Hit) -> bool| {
        let mut places = signs.iter().filter(|(sign, _)| *sign == wanted).map(|(_, place)| *place);
        places.any(|sign| close(sign) && (demand || sign.first < sign.last))
    };
    // "You do not need your own car": the waiver may reach into the finding.
    near(Sign::WaivedBefore, &|sign| sign.first < hit.first && hit.first.saturating_sub(sign.last) <= REACH)
        || near(Sign::WaivedAfter, &|sign| {
            sign.last > hit.last && sign.first.saturating_sub(hit.last) <= REACH
        })
}

/// Whether the words are part of a name: capitals in quotation marks, or before the form of a company.
fn is_name(reading: &Reading<'_>, hit: Hit) -> bool {
    let capital = |at: usize| reading.words.get(at).is_some_and(|word| word.case != Case::Lower);
    if !(hit.first..=hit.last).all(capital) {
        return false;
    }
    let next = (hit.last + 1..).take(3).take_while(|at| capital(*at));
    let company = next
        .into_iter()
        .any(|at| reading.words.get(at).is_some_and(|word| COMPANY_FORMS.contains(&&*word.text)));
    company || is_quoted_name(reading, hit)
}

/// How many words of a sentence tell whether it is a heading.
const MOST_LOOKED_AT: usize = 40;
/// The longest word about gender that is also a surname.
const LONGEST_SURNAME: usize = 5;

/// "Christian Young": a capital after a first name, in a sentence that does not write every word so. A comma after it
/// ends the name: "Sam Young, hiring manager".
fn is_surname(known: &Sentences<'_>, category: Category, hit: Hit) -> bool {
    let reading = known.reading;
    let (Some(word), Some(before)) =
        (reading.words.get(hit.first), hit.first.checked_sub(1).and_then(|at| reading.words.get(at)))
    else {
        return false;
    };
    // Of the words about gender only the short ones are surnames: "Kirsten Mand", never a title.
    let short = word.text.chars().count() <= LONGEST_SURNAME;
    let trait_word =
        matches!(category, Category::Age | Category::Ethnicity | Category::Religion | Category::Nationality)
            || category == Category::Gender && short;
    let capital = |word: &Word<'_>| word.case == Case::Capital;
    // A comma and a blank are two characters.
    let ends = |at: usize| {
        reading.words.get(at).is_none_or(|next| next.gap != Gap::Blank || next.start > word.end + 1)
    };
    let named = trait_word
        && reading.language != Language::De
        && (hit.first == hit.last || ends(hit.first + 1))
        && capital(word)
        && capital(before)
        && word.gap == Gap::Blank;
    if !named {
        return false;
    }
    // Headings write every word so; the name itself and the first word say nothing about that.
    let sentence = reading.sentences.get(reading.sentence_of(hit.first)).cloned().unwrap_or_default();
    let rest = sentence.skip(1).filter(|at| *at != hit.first && at + 1 != hit.first).take(MOST_LOOKED_AT);
    let (mut capitals, mut all) = (0_usize, 0_usize);
    for other in rest.filter_map(|at| reading.words.get(at)) {
        capitals += usize::from(capital(other));
        all += 1;
    }
    capitals * 2 < all
}

/// Whether somebody is named in this sentence or the one before: then the pronoun means that person and no applicant.
fn is_about_somebody(known: &Sentences<'_>, hit: Hit) -> bool {
    let at = known.reading.sentence_of(hit.first);
    let names = (at.saturating_sub(1)..=at).filter_map(|sentence| known.first_name(sentence));
    names.into_iter().any(|name| name + 1 < hit.first)
}

/// The word before a name in a sentence; the first, if there are several.
fn first_name(reading: &Reading<'_>, sentence: Range<usize>) -> Option<usize> {
    let first = sentence.start;
    sentence.into_iter().find(|at| {
        let (Some(word), Some(next)) = (reading.words.get(*at), reading.words.get(*at + 1)) else {
            return false;
        };
        let named = next.case == Case::Capital && next.gap == Gap::Blank;
        let addressed = PEOPLE_ADDRESSED.contains(&&*word.text);
        // Titles are written like names: "our Sales Manager".
        let name = |word: &Word<'_>, at: usize| {
            word.case == Case::Capital && !titles::is_title(&word.text) && at > first
        };
        named
            && (addressed
                || reading.language != Language::De && name(word, *at) && !titles::is_title(&next.text))
    })
}

/// What is asked of a sentence for every finding in it, and found out once: a sentence may be a whole text.
struct Sentences<'a> {
    reading: &'a Reading<'a>,
    names: RefCell<BTreeMap<usize, Option<usize>>>,
}

impl<'a> Sentences<'a> {
    fn of(reading: &'a Reading<'a>) -> Self {
        Self { reading, names: RefCell::default() }
    }

    /// The word before the first name in it.
    fn first_name(&self, sentence: usize) -> Option<usize> {
        *self.names.borrow_mut().entry(sentence).or_insert_with(|| {
            first_name(self.reading, self.reading.sentences.get(sentence).cloned().unwrap_or_default())
        })
    }
}

fn is_quoted_name(reading: &Reading<'_>, hit: Hit) -> bool {
    let quote = |text: &str| text.contains(['"', '\u{201C}', '\u{201D}', '\u{201E}', '\u{AB}', '\u{BB}']);
    let between = |left: usize, right: usize| match (reading.words.get(left), reading.words.get(right)) {
        (Some(left), Some(right)) => quote(reading.cut(left.end, right.start)),
        (None, Some(right)) => quote(reading.cut(0, right.start)),
        (Some(left), None) => quote(reading.cut(left.end, left.end + 2)),
        (None, None) => false,
    };
    let capital = |at: usize| reading.words.get(at).is_some_and(|word| word.case != Case::Lower);
    let before =
        (0..MOST_NAME_WORDS).map_while(|back| hit.first.checked_sub(back)).take_while(|at| capital(*at));
    let after = (hit.last..hit.last + MOST_NAME_WORDS).take_while(|at| capital(*at));
    before.into_iter().any(|at| between(at.wrapping_sub(1), at))
        && after.into_iter().any(|at| between(at, at + 1))
}
