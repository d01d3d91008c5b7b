//! Scores of an inclusion review.

use std::collections::BTreeMap;

use tata_language::{
    book::Category,
    review::{Place, Readability},
};

use crate::Language;

/// The scores of a text.
pub(crate) struct Scores {
    pub(crate) overall: u32,
    pub(crate) categories: BTreeMap<Category, u32>,
    pub(crate) issues: BTreeMap<Category, usize>,
}

/// What a finding costs its category.
const COST: usize = 15;

/// A score for every category, and their weighted mean; many findings cost something more.
pub(crate) fn of(places: &[Place], readability: &Readability, missing: usize, language: Language) -> Scores {
    let mut issues: BTreeMap<Category, usize> = Category::ALL.map(|category| (category, 0)).into();
    for place in places {
        *issues.entry(place.category).or_default() += 1;
    }
    issues.insert(Category::Readability, readability.issues());
    issues.insert(Category::MissingElements, missing);
    let score = |category: Category, issues: usize| {
        if category == Category::Readability {
            return readability.score;
        }
        u32::try_from(100usize.saturating_sub(issues * COST)).unwrap_or(0)
    };
    let categories: BTreeMap<Category, u32> =
        issues.iter().map(|(category, issues)| (*category, score(*category, *issues))).collect();
    // No other language has such titles: a category that cannot be wrong would only flatter the score.
    let counts = |category: Category| category != Category::GermanTitle || language == Language::De;
    let counted = categories.iter().filter(|(category, _)| counts(**category));
    let (sum, weights) = counted.fold((0, 0), |(sum, weights), (category, score)| {
        (sum + category.weight() * score, weights + category.weight())
    });
    let many = match places.len() {
        0..=5 => 0,
        6..=10 => 5,
        _ => 10,
    };
    Scores { overall: (sum / weights).saturating_sub(many), categories, issues }
}

/// Findings per hundred words.
#[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
pub(crate) fn density(findings: usize, words: usize) -> f64 {
    (findings as f64 * 1000.0 / words.max(1) as f64).round() / 10.0
}
