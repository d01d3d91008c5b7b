//! Answers: one parser for each kind of field, and nothing but the field.
//!
//! A parser reads the whole answer or says why it cannot. What has two readings comes back as both, to choose from.

mod choice;
mod date;
mod duration;
mod find;
pub(crate) mod json;
mod money;
mod numbers;
pub(crate) mod pieces;
mod problem;
mod sense;
mod text;
mod time;
pub(crate) mod words;

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};
use tata_core::{Field, FieldKind as Kind};
use tata_language::Language;

use self::words::{Sense, Words};
pub use self::{
    choice::{by_number, yes_or_no},
    duration::Duration,
    find::{dates_in, lengths_in, times_in, unmistakable},
    money::{Bound, Currency, Money, Period},
    problem::Problem,
    text::enumeration,
};

/// Where a day without a year lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// An appointment.
    #[default]
    Ahead,
    /// Something that has happened.
    Behind,
}

/// What an answer is read against.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The language of the conversation.
    pub language: Language,
    /// Today, where the person is.
    pub today: Date,
    /// Where a day without a year lies.
    pub direction: Direction,
    /// The choices of the field.
    pub choices: &'c [String],
}

impl Context<'_> {
    /// A context without choices, for what lies ahead.
    pub fn new(language: Language, today: Date) -> Self {
        Self { language, today, direction: Direction::Ahead, choices: &[] }
    }

    /// The same for the answers to a field.
    pub fn of<'f>(&self, field: &'f Field) -> Context<'f> {
        let direction = if field.behind { Direction::Behind } else { Direction::Ahead };
        Context { direction, choices: &field.choices, ..Context::new(self.language, self.today) }
    }
}

/// A value that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A day.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A length of time.
    Duration(Duration),
    /// A sum.
    Money(Money),
    /// A whole number.
    Count(u64),
    /// The label of a choice.
    Choice(String),
    /// Yes or no.
    YesNo(bool),
    /// The name of a person.
    Name(String),
    /// Several short texts.
    List(Vec<String>),
    /// An e-mail address.
    Email(String),
    /// Anything.
    Text(String),
    /// A text that somebody brought.
    Material(String),
}

/// A reading that is certain, or several to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read<T> {
    /// There is one reading.
    Certain(T),
    /// There are several, or one that must be confirmed; the likeliest first. Never empty.
    Choose(Vec<T>),
}

impl<T> Read<T> {
    /// One is certain, several are to choose from; none if there is none.
    fn of(mut readings: Vec<T>) -> Option<Self> {
        match readings.len() {
            0 => None,
            1 => readings.pop().map(Self::Certain),
            _ => Some(Self::Choose(readings)),
        }
    }

    /// The readings.
    pub fn readings(&self) -> &[T] {
        match self {
            Self::Certain(one) => std::slice::from_ref(one),
            Self::Choose(several) => several,
        }
    }

    fn map<U>(self, to: impl Fn(T) -> U) -> Read<U> {
        match self {
            Self::Certain(one) => Read::Certain(to(one)),
            Self::Choose(several) => Read::Choose(several.into_iter().map(to).collect()),
        }
    }
}

/// The only one there is.
pub(crate) fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    found.next().filter(|_| found.next().is_none())
}

/// Reads an answer by the parser of its kind, and by nothing else.
pub fn read(kind: Kind, said: &str, context: &Context<'_>) -> Result<Read<Answer>, Problem> {
    if said.trim().is_empty() {
        return Err(Problem::Empty);
    }
    let language = context.language;
    Ok(match kind {
        Kind::Date => date::read(said, context)?.map(Answer::Date),
        Kind::Time => time::read(said, language)?.map(Answer::Time),
        Kind::Duration => duration::read(said, language)?.map(Answer::Duration),
        Kind::Money => money::read(said, language)?.map(Answer::Money),
        Kind::Count => Read::Certain(Answer::Count(choice::count(said, language)?)),
        Kind::Choice => {
            let label = |place: usize| context.choices.get(place).cloned().unwrap_or_default();
            choice::read(said, language, context.choices)?.map(|place| Answer::Choice(label(place)))
        }
        Kind::YesNo => Read::Certain(Answer::YesNo(yes_or_no(said, language).ok_or(Problem::NotYesOrNo)?)),
        Kind::Name => text::name(said, language)?.map(Answer::Name),
        Kind::List => text::list(said, language)?.map(Answer::List),
        Kind::Email => Read::Certain(Answer::Email(text::email(said)?)),
        Kind::Text => Read::Certain(Answer::Text(text::text(said, language)?)),
        Kind::Material => Read::Certain(Answer::Material(text::material(said, language)?)),
    })
}

/// The number that a word names: "seven", "sju".
pub fn number(word: &str, language: Language) -> Option<u64> {
    numbers::in_one_word(Words::of(language), &tata_language::folded(word))
}

/// The number of an ordinal: "fourth", "fjärde".
pub fn ordinal(word: &str, language: Language) -> Option<u64> {
    Words::of(language).first_value(word, Sense::Ordinal)
}

/// The month that a word names, from 1.
pub fn month(word: &str, language: Language) -> Option<u64> {
    Words::of(language).first_value(word, Sense::Month)
}

/// Whether a whole message says no more than that somebody does not know, or asks what is meant.
pub fn is_doubt(said: &str, language: Language) -> bool {
    Words::of(language).is_whole(said.trim_end_matches(['?', ' ']), Sense::Doubt)
}

/// Whether a text speaks of the conversation, not of the role: a doubt, a yes or no with more behind it, "that is all she
/// gave me", "remove that". Such a sentence never becomes a title or a requirement.
pub fn is_talk(said: &str, language: Language) -> bool {
    let words = Words::of(language);
    let starts = said.split_once([',', ':', ';', '.', '!']).is_some_and(|(first, rest)| {
        rest.contains(char::is_alphabetic)
            && (yes_or_no(first, language).is_some() || words.is_whole(first, Sense::Doubt))
    });
    starts
        || is_doubt(said, language)
        || yes_or_no(said, language).is_some()
        || words.is_inside(said, Sense::Talk)
}

/// Whether a whole message takes what was offered, in more words than a yes or in fewer: "please do".
pub fn is_agreed(said: &str, language: Language) -> bool {
    let words = Words::of(language);
    yes_or_no(said, language) == Some(true) || words.is_all(said, Sense::Agree)
}

/// Whether a whole message leaves what was offered for another time.
pub fn is_later(said: &str, language: Language) -> bool {
    Words::of(language).is_all(said, Sense::Later)
}

/// What follows a yes at the beginning of a message: "yes please, write the ad".
pub fn after_yes(said: &str, language: Language) -> Option<&str> {
    let words = Words::of(language);
    let cuts = said.char_indices().filter(|(_, letter)| matches!(letter, ' ' | ',' | '.' | '!' | '-' | '–'));
    let cuts: Vec<usize> = cuts.map(|(at, _)| at).take(MOST_WORDS_OF_YES).collect();
    // The longest yes first: "yes please", then "yes".
    cuts.into_iter().rev().find_map(|at| {
        let (first, rest) = said.split_at_checked(at)?;
        let rest = rest.trim_start_matches([' ', ',', '.', '!', '-', '–']);
        let yes = words.is_all(first, Sense::Yes) || words.is_all(first, Sense::Agree);
        (yes && !rest.is_empty()).then_some(rest)
    })
}

/// A yes that more follows has no more words.
const MOST_WORDS_OF_YES: usize = 6;

/// Whether a message asks to see something: "show the ad", "kan du visa annonsen".
pub fn asks_to_show(said: &str, language: Language) -> bool {
    let words = Words::of(language);
    let mut first = said.split_whitespace().take(MOST_BEFORE_SHOW);
    first.any(|word| words.is(&tata_language::folded(word.trim_matches([',', '.', '!'])), Sense::Show))
}

/// Whether a message begins with a wish to make something: "write …", "skriv …".
pub fn asks_to_make(said: &str, language: Language) -> bool {
    let first = said.split_whitespace().next().unwrap_or_default();
    Words::of(language).is(&tata_language::folded(first), Sense::Make)
}

/// "Can you please show" has no more words before what is shown.
const MOST_BEFORE_SHOW: usize = 4;

/// Whether words speak of a job ad, in any language: the ad itself may be in another one.
pub fn names_ad(said: &str) -> bool {
    Language::ALL.into_iter().any(|language| Words::of(language).is_inside(said, Sense::Ad))
}

/// Whether words speak of a job ad of an earlier time: "here is our old ad".
pub fn names_old_ad(said: &str) -> bool {
    let both = |language: Language| {
        let words = Words::of(language);
        words.is_inside(said, Sense::Ad) && words.is_inside(said, Sense::Old)
    };
    Language::ALL.into_iter().any(both)
}

/// The name of a position in a line at the head of notes: "Position: Payroll Specialist", "# Payroll Specialist". Labels are
/// read in every language, for notes have them in one and people speak another.
pub fn position_named(line: &str) -> Option<&str> {
    let line = line.trim();
    let bare = line.trim_start_matches(['#', '*', '_', '>', '-', '•', ' ', '\t']);
    let (label, name) = bare.split_once([':', '=']).unwrap_or(("", ""));
    let label = label.trim_matches(['*', '_', ' ']);
    let labelled =
        Language::ALL.into_iter().any(|language| Words::of(language).is_whole(label, Sense::Position));
    let marked = line.starts_with("# ") && !bare.contains(':');
    let name = if labelled { name } else { Some(bare).filter(|_| marked)? };
    let name = name.trim_matches(['*', '_', ' ', '\t', '#']);
    let words = name.split_whitespace().count();
    let fits = (1..=MOST_OF_POSITION).contains(&words) && name.contains(char::is_alphabetic);
    // "# Requirements" is a heading.
    let heading = Language::ALL.into_iter().any(|language| {
        let pieces = pieces::pieces(name);
        let found = Words::of(language).at(&pieces, 0, words::Meaning::place);
        found.is_some_and(|(_, length)| length == pieces.len())
    });
    (fits && !heading && !name.ends_with(['?', ':'])).then_some(name)
}

/// The name of a position has no more words.
const MOST_OF_POSITION: usize = 12;

/// Whether a whole message takes the last change back.
pub fn is_undo(said: &str, language: Language) -> bool {
    Words::of(language).is_whole(said, Sense::Undo)
}

/// Whether a word joins the last of several: "and".
pub fn is_and(word: &str, language: Language) -> bool {
    Words::of(language).is_whole(word, Sense::And)
}

impl Answer {
    /// In a form that the parser of its kind reads back as the same value.
    pub fn shown(&self, language: Language) -> String {
        match self {
            Self::Date(date) => date.to_string(),
            Self::Time(time) => time.strftime("%H:%M").to_string(),
            Self::Duration(duration) => duration.to_string(),
            Self::Money(money) => money.to_string(),
            Self::Count(count) => count.to_string(),
            Self::YesNo(yes) => shown_yes(*yes, language).to_owned(),
            Self::List(items) => items.join("\n"),
            Self::Choice(text)
            | Self::Name(text)
            | Self::Email(text)
            | Self::Text(text)
            | Self::Material(text) => text.clone(),
        }
    }
}

fn shown_yes(yes: bool, language: Language) -> &'static str {
    match (language, yes) {
        (Language::En, true) => "yes",
        (Language::En, false) => "no",
        (Language::Sv | Language::Da | Language::No | Language::De, true) => "ja",
        (Language::Sv | Language::Da, false) => "nej",
        (Language::No, false) => "nei",
        (Language::De, false) => "nein",
    }
}
