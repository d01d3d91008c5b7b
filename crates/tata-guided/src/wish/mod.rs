//! What is wanted: a linear model over character n-grams, trained from labelled sentences, that says how sure it is.
//!
//! `cargo run -p tata-guided --example train-wishes` writes the weights anew from the sentences in `training/`.
//!
//! ```
//! use tata_guided::wish::{self, Wish};
//! use tata_language::Language;
//!
//! let reading = wish::read("Please write the job ad", Language::En);
//! assert_eq!(reading.certain, Some(Wish::JobAd));
//! // Not certain: these are offered, numbered.
//! let guesses: Vec<Wish> = reading.offers().collect();
//! assert_eq!(guesses.len(), 3);
//! ```

mod features;
mod label;
mod softmax;
mod weights;

use tata_language::Language;

use crate::answer::words::{Sense, Words};

pub use self::{
    features::features,
    label::Wish,
    softmax::{Row, leader, softmax},
    weights::{BUCKETS, MAGIC, STEPS, Weights, share},
};

/// How many guesses are offered when none is certain.
pub const OFFERED: usize = 3;

/// A wish that changes nothing needs no more lead than this: a menu shown in vain costs nobody anything.
const HARMLESS_LEAD: f32 = 0.4;

/// What is less likely a yes is not asked about.
const WORTH_ASKING: f32 = 0.4;

/// Nobody confirms in more characters.
const LONGEST_YES: usize = 160;

/// What a message wants, as far as can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Every wish with its probability, the likeliest first.
    pub ranked: Vec<(Wish, f32)>,
    /// The wish to follow without asking, if the first is far enough ahead. [`Wish::None`] means: certainly nothing to do.
    pub certain: Option<Wish>,
}

impl Reading {
    /// Whether it may be meant as a yes to a draft: worth asking, with what is decided; never a decision.
    pub fn may_agree(&self, text: &str, language: Language) -> bool {
        let first = self
            .ranked
            .first()
            .is_some_and(|(wish, likely)| *wish == Wish::ConfirmProfile && *likely >= WORTH_ASKING);
        first && may_be_yes(text, language)
    }

    /// How far the first is ahead of the second.
    pub fn lead(&self) -> f32 {
        let [(_, first), (_, second), ..] = self.ranked.as_slice() else { return 0.0 };
        first - second
    }

    /// The guesses to offer, numbered, when nothing is certain.
    pub fn offers(&self) -> impl Iterator<Item = Wish> + '_ {
        let wishes = self.ranked.iter().map(|(wish, _)| *wish);
        wishes.filter(|wish| *wish != Wish::None).take(OFFERED)
    }
}

/// What a message wants.
pub fn read(text: &str, language: Language) -> Reading {
    let weights = Weights::trained();
    let probabilities = softmax(&weights.scores(&features(text), language));
    let mut ranked: Vec<_> = Wish::ALL.into_iter().zip(probabilities).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (first, lead) = leader(&probabilities);
    let margin = weights.margins[language as usize];
    let needed = |wish: &Wish| if is_answered_in_words(*wish) { margin.min(HARMLESS_LEAD) } else { margin };
    let first = Wish::ALL.get(first).copied().filter(|wish| lead >= needed(wish));
    // A yes is a whole message from a closed list; what the model takes for one is asked about, never followed.
    Reading { ranked, certain: first.filter(|wish| wish.is_followed()) }
}

/// Whether words alone answer it. Reading nothing where something was wanted is not harmless: it offers no choices.
fn is_answered_in_words(wish: Wish) -> bool {
    !wish.acts() && wish != Wish::None
}

/// A question, a number, a doubt, a "but" or an essay is no yes, however sure the model is.
fn may_be_yes(text: &str, language: Language) -> bool {
    let never = |letter: char| letter == '?' || letter.is_numeric();
    !(text.contains(never)
        || text.chars().count() > LONGEST_YES
        || Words::of(language).is_inside(text, Sense::Except)
        || Words::of(language).is_whole(text, Sense::Doubt))
}
