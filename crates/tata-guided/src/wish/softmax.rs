//! Scores to probabilities, with the same bits on every machine.

use super::label::Wish;

/// One number for each wish.
pub type Row = [f32; Wish::COUNT];

/// The probabilities of scores.
pub fn softmax(scores: &Row) -> Row {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let powers = scores.map(|score| exp(score - most));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// The likeliest, and how far it is ahead of the second.
pub fn leader(probabilities: &Row) -> (usize, f32) {
    let (mut first, mut most, mut second) = (0, f32::MIN, f32::MIN);
    for (at, probability) in probabilities.iter().copied().enumerate() {
        if probability > most {
            (first, second, most) = (at, most, probability);
        } else if probability > second {
            second = probability;
        }
    }
    (first, most - second)
}

/// e to the power of a number that is not above nought. The library's own differs between platforms in the last bit; additions
/// and multiplications do not.
fn exp(x: f32) -> f32 {
    if x < -60.0 {
        return 0.0;
    }
    // (1 + x/1024 + …)^1024: the series is short because the argument is small.
    let small = x / 1024.0;
    let mut power = 1.0 + small * (1.0 + small * (0.5 + small / 6.0));
    for _ in 0..10 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_power_is_the_power() {
        for step in 0..345_u16 {
            let x = -f32::from(step) / 10.0;
            let true_power = x.exp();
            assert!((exp(x) - true_power).abs() <= 1e-4 * true_power + 1e-9, "{x}");
        }
    }
}
