//! Why an answer could not be read, named by what the person should do next.

use jiff::civil::{Date, Weekday};
use thiserror::Error;

/// Why an answer could not be read. [`Problem::key`] is the key of the text that says so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing was said.
    #[error("nothing was said")]
    Empty,
    /// A question back, not an answer.
    #[error("that is a question, not an answer")]
    Question,
    /// "I don't know": not an answer either.
    #[error("that says that it is not known")]
    Doubt,
    /// "Yes" or "no" where words are asked for.
    #[error("yes or no says too little here")]
    OnlyYesOrNo,
    /// More than fits.
    #[error("more than {limit} characters")]
    TooLong {
        /// How many fit.
        limit: usize,
    },
    /// No date, or more than a date.
    #[error("no date, or more than a date")]
    NotADate,
    /// 30 February.
    #[error("there is no such day")]
    NoSuchDay,
    /// "Thursday 20 November" when that is a Friday.
    #[error("{date} is not on that day of the week")]
    WeekdayDiffers {
        /// The date that was said.
        date: Date,
        /// The day that was said with it.
        said: Weekday,
    },
    /// No time of day, or more than that.
    #[error("no time of day, or more than that")]
    NotATime,
    /// No length of time, or more than that.
    #[error("no length of time, or more than that")]
    NotADuration,
    /// No sum of money, or more than that.
    #[error("no sum of money, or more than that")]
    NotMoney,
    /// A sum without its currency.
    #[error("no currency")]
    NoCurrency,
    /// "52-45".
    #[error("the range ends before it begins")]
    Backwards,
    /// No whole number, or more than that.
    #[error("no whole number, or more than that")]
    NotACount,
    /// Larger than can be meant.
    #[error("larger than {limit}")]
    TooLarge {
        /// The largest.
        limit: u64,
    },
    /// None of the choices.
    #[error("none of the {count} choices")]
    NoSuchChoice {
        /// How many there are.
        count: usize,
    },
    /// Neither yes nor no, or more than that.
    #[error("neither yes nor no")]
    NotYesOrNo,
    /// Not the name of a person.
    #[error("not the name of a person")]
    NotAName,
    /// Too many items.
    #[error("more than {limit} items")]
    TooMany {
        /// How many fit.
        limit: usize,
    },
    /// No e-mail address.
    #[error("no e-mail address")]
    NotAnEmail,
    /// A remark where a whole text is asked for.
    #[error("no text that was pasted")]
    NoMaterial,
    /// Several readings, handed over by a program that cannot be asked.
    #[error("it has several readings")]
    Ambiguous,
    /// JSON of another shape than the field takes.
    #[error("JSON of the wrong shape: this field takes {takes}")]
    WrongShape {
        /// What it takes.
        takes: &'static str,
    },
}

impl Problem {
    /// The key of the text that tells a person.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Empty => "answer.empty",
            Self::Question => "answer.question",
            Self::Doubt => "answer.doubt",
            Self::OnlyYesOrNo => "answer.only_yes_or_no",
            Self::TooLong { .. } => "answer.too_long",
            Self::NotADate => "answer.not_a_date",
            Self::NoSuchDay => "answer.no_such_day",
            Self::WeekdayDiffers { .. } => "answer.weekday_differs",
            Self::NotATime => "answer.not_a_time",
            Self::NotADuration => "answer.not_a_duration",
            Self::NotMoney => "answer.not_money",
            Self::NoCurrency => "answer.no_currency",
            Self::Backwards => "answer.backwards",
            Self::NotACount => "answer.not_a_count",
            Self::TooLarge { .. } => "answer.too_large",
            Self::NoSuchChoice { .. } => "answer.no_such_choice",
            Self::NotYesOrNo => "answer.not_yes_or_no",
            Self::NotAName => "answer.not_a_name",
            Self::TooMany { .. } => "answer.too_many",
            Self::NotAnEmail => "answer.not_an_email",
            Self::NoMaterial => "answer.no_material",
            Self::Ambiguous => "answer.ambiguous",
            Self::WrongShape { .. } => "answer.wrong_shape",
        }
    }
}
