//! Training: multinomial logistic regression with AdaGrad, in a fixed order, one step after the other.
//!
//! Only additions, multiplications, divisions and square roots of floats happen here, which are the same on every
//! machine; so is the file that comes out.

use tata_guided::wish::{BUCKETS, MAGIC, Row, STEPS, Weights, Wish, features, leader, share, softmax};
use tata_language::Language;

use crate::sentences::{Labelled, fingerprint};

/// So often each sentence is seen.
const ROUNDS: usize = 12;
/// The first step.
const RATE: f32 = 0.3;
/// What a weight loses at each touch: keeps rare n-grams from deciding alone.
const DECAY: f32 = 1e-5;
/// Parts for measuring on unseen sentences.
const FOLDS: usize = 5;
/// Of sentences not seen in training, at most so many in a thousand may be acted on wrongly; of those that must not act, too.
const WRONG_PER_MILLE: usize = 4;

/// A sentence ready for training.
struct Example {
    features: Vec<u32>,
    language: usize,
    wish: usize,
}

/// What training gives.
#[derive(Clone, Debug)]
pub(crate) struct Trained {
    /// The file of weights.
    pub(crate) file: Vec<u8>,
    /// How many sentences there were.
    pub(crate) sentences: usize,
    /// How many were put first rightly by weights that had not seen them.
    pub(crate) first: usize,
    /// Of those unseen ones, how many were certain.
    pub(crate) certain: usize,
    /// Of those, how many acted wrongly.
    pub(crate) wrong_acts: usize,
    /// What was read wrongly and would act, the surest first: often the label is what is wrong.
    pub(crate) mistakes: Vec<Mistake>,
}

/// A sentence that would be acted on wrongly by weights that have not seen it.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    /// The sentence and its label.
    pub(crate) sentence: Labelled,
    /// What was read.
    pub(crate) read: Wish,
    /// How far ahead of the second.
    pub(crate) lead: f32,
}

/// Trains, on sentences in order.
pub(crate) fn train(sentences: &[Labelled]) -> Trained {
    let examples: Vec<Example> = sentences
        .iter()
        .map(|sentence| Example {
            features: features(&sentence.text),
            language: sentence.language as usize,
            wish: sentence.wish as usize,
        })
        .collect();
    let unseen = unseen(sentences, &examples);
    let temperature = temperature(&unseen);
    // One language alone has few wrong acts to learn from: all of them together set the floor.
    let floor = margin(&unseen.iter().collect::<Vec<_>>(), temperature);
    let margins = Language::ALL.map(|language| {
        let own = unseen.iter().filter(|one| one.language == language as usize);
        margin(&own.collect::<Vec<_>>(), temperature).max(floor)
    });
    let mut fitted = fit(&examples.iter().collect::<Vec<_>>());
    fitted.fingerprint = fingerprint(sentences);
    fitted.temperature = temperature;
    fitted.margins = margins;
    let read = |one: &Unseen<'_>| {
        let (first, lead) = leader(&softmax(&one.scores.map(|score| score / temperature)));
        let certain = margins.get(one.language).is_some_and(|margin| lead >= *margin);
        let acts = Wish::ALL.get(first).is_some_and(|wish| wish.is_followed() && wish.acts());
        (first == one.wish, certain, certain && acts && first != one.wish)
    };
    let seen: Vec<_> = unseen.iter().map(read).collect();
    Trained {
        file: packed(&fitted),
        sentences: seen.len(),
        first: seen.iter().filter(|(first, _, _)| *first).count(),
        certain: seen.iter().filter(|(_, certain, _)| *certain).count(),
        wrong_acts: seen.iter().filter(|(_, _, wrong)| *wrong).count(),
        mistakes: mistakes(&unseen, temperature),
    }
}

fn mistakes(unseen: &[Unseen<'_>], temperature: f32) -> Vec<Mistake> {
    let mistake = |one: &Unseen<'_>| {
        let (first, lead) = leader(&softmax(&one.scores.map(|score| score / temperature)));
        let read = Wish::ALL
            .get(first)
            .copied()
            .filter(|wish| wish.is_followed() && wish.acts() && first != one.wish)?;
        Some(Mistake { sentence: one.sentence.clone(), read, lead })
    };
    let mut found: Vec<Mistake> = unseen.iter().filter_map(mistake).collect();
    found.sort_by(|a, b| b.lead.total_cmp(&a.lead));
    found
}

/// What was scored without having been trained on.
struct Unseen<'s> {
    sentence: &'s Labelled,
    language: usize,
    wish: usize,
    scores: Row,
}

/// Scores every sentence by weights trained on the other parts.
fn unseen<'s>(sentences: &'s [Labelled], examples: &[Example]) -> Vec<Unseen<'s>> {
    let mut found = Vec::with_capacity(examples.len());
    for fold in 0..FOLDS {
        let (held, rest): (Vec<_>, Vec<_>) =
            examples.iter().zip(sentences).enumerate().partition(|(at, _)| at % FOLDS == fold);
        let rest: Vec<&Example> = rest.into_iter().map(|(_, (example, _))| example).collect();
        let weights = fit(&rest);
        found.extend(held.into_iter().map(|(_, (example, sentence))| Unseen {
            sentence,
            language: example.language,
            wish: example.wish,
            scores: weights.scores(&example.features, sentence.language),
        }));
    }
    found
}

/// Fits weights to examples.
fn fit(examples: &[&Example]) -> Weights {
    let buckets = BUCKETS as usize;
    let mut table = vec![[0.0_f32; Wish::COUNT]; buckets];
    let mut squares = vec![[1e-3_f32; Wish::COUNT]; buckets];
    let mut biases = [[0.0_f32; Wish::COUNT]; Language::ALL.len()];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..ROUNDS {
        shuffle(&mut order, &mut random);
        for example in order.iter().filter_map(|at| examples.get(*at)) {
            let Some(bias) = biases.get_mut(example.language) else { continue };
            let share = share(example.features.len());
            let mut scores = *bias;
            for row in example.features.iter().filter_map(|bucket| table.get(*bucket as usize)) {
                for (score, weight) in scores.iter_mut().zip(row) {
                    *score += weight * share;
                }
            }
            let mut errors = softmax(&scores);
            if let Some(right) = errors.get_mut(example.wish) {
                *right -= 1.0;
            }
            for (bias, error) in bias.iter_mut().zip(errors) {
                *bias -= 0.02 * error;
            }
            for bucket in &example.features {
                let at = *bucket as usize;
                let (Some(row), Some(square)) = (table.get_mut(at), squares.get_mut(at)) else { continue };
                for ((weight, square), error) in row.iter_mut().zip(square).zip(errors) {
                    let slope = error * share + DECAY * *weight;
                    *square += slope * slope;
                    *weight -= RATE * slope / square.sqrt();
                }
            }
        }
    }
    let scales = scales(&table);
    let steps =
        table.iter().flat_map(|row| row.iter().zip(scales).map(|(weight, scale)| step(*weight, scale)));
    Weights { scales, biases, temperature: 1.0, steps: steps.collect(), ..Weights::default() }
}

/// Fisher and Yates, by a small generator of our own.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let other = usize::try_from((*random >> 16) % (last as u64 + 1)).unwrap_or(0);
        order.swap(last, other);
    }
}

/// The temperature at which unseen sentences surprise least.
fn temperature(unseen: &[Unseen<'_>]) -> f32 {
    let loss = |temperature: f32| {
        let surprise = |one: &Unseen<'_>| {
            let probability = softmax(&one.scores.map(|score| score / temperature));
            // The Brier score: no logarithm, so the same on every machine.
            let errors = probability.iter().enumerate().map(|(at, probability)| {
                let error = probability - if at == one.wish { 1.0 } else { 0.0 };
                error * error
            });
            f64::from(errors.sum::<f32>())
        };
        unseen.iter().map(surprise).sum::<f64>()
    };
    let tried = (2..=60_u8).map(|step| f32::from(step) / 20.0);
    let scored = tried.map(|temperature| (temperature, loss(temperature)));
    scored.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(1.0, |(temperature, _)| temperature)
}

/// The smallest margin with few enough wrong acts, among all sentences and among those that must not act.
fn margin(unseen: &[&Unseen<'_>], temperature: f32) -> f32 {
    let idle = |one: &&Unseen<'_>| !Wish::ALL.get(one.wish).is_some_and(|wish| wish.acts());
    let quiet: Vec<&Unseen<'_>> = unseen.iter().copied().filter(idle).collect();
    above_wrong_acts(unseen, temperature).max(above_wrong_acts(&quiet, temperature))
}

/// The margin just above the lead of the first wrong act that is one too many.
fn above_wrong_acts(unseen: &[&Unseen<'_>], temperature: f32) -> f32 {
    let allowed = unseen.len() * WRONG_PER_MILLE / 1000;
    let mut wrong: Vec<f32> = unseen
        .iter()
        .filter_map(|one| {
            let (first, lead) = leader(&softmax(&one.scores.map(|score| score / temperature)));
            let acts = Wish::ALL.get(first).is_some_and(|wish| wish.is_followed() && wish.acts());
            (first != one.wish && acts).then_some(lead)
        })
        .collect();
    wrong.sort_by(|a, b| b.total_cmp(a));
    wrong.get(allowed).map_or(0.2, |lead| (lead + 0.001).clamp(0.2, 0.99))
}

/// A step of each wish, so large that few weights are cut off: seven steps reach five of its mean squares.
fn scales(table: &[Row]) -> Row {
    let mut squares = [0.0_f64; Wish::COUNT];
    for row in table {
        for (square, weight) in squares.iter_mut().zip(row) {
            *square += f64::from(*weight) * f64::from(*weight);
        }
    }
    let count = f64::from(BUCKETS);
    #[expect(clippy::cast_possible_truncation, reason = "a float of half the width is stored")]
    squares.map(|square| ((square / count).sqrt() * REACH / 7.0).max(1e-9) as f32)
}

/// How many mean squares seven steps reach.
const REACH: f64 = 5.0;

/// The nearest of fifteen steps.
fn step(weight: f32, scale: f32) -> i8 {
    let steps = (weight / scale).clamp(-7.0, 7.0);
    let far = |step: i8| (f32::from(step) - steps).abs();
    (-7..=7).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(0)
}

/// The file of weights, as `wish/weights.rs` describes it.
fn packed(weights: &Weights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(weights.fingerprint.to_le_bytes());
    let numbers = weights.scales.iter().chain(weights.biases.iter().flatten());
    let numbers = numbers.chain([&weights.temperature]).chain(&weights.margins);
    bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    let ones = |step: &i8| STEPS.iter().position(|known| known == step).unwrap_or(0);
    let bits = weights.steps.iter().flat_map(|step| std::iter::repeat_n(true, ones(step)).chain([false]));
    for (at, one) in bits.enumerate() {
        if at % 8 == 0 {
            bytes.push(0);
        }
        if let Some(last) = bytes.last_mut() {
            *last |= u8::from(one) << (at % 8);
        }
    }
    bytes
}
