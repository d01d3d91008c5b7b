//! Numbers in digits and in words: "45 000", "1,5", "ninety", "tjugotvå", "fünfundzwanzig", "two thousand".

use super::{
    pieces::{Piece, Shape},
    words::{Cursor, Meaning, Sense, Words, value},
};

/// What parts the pieces of a number inside a word or between words.
const JOINTS: [&str; 5] = ["und", "ogs", "og", "och", "and"];

/// No number in words is longer, in bytes.
const LONGEST: usize = 60;

/// Takes a whole number.
pub(crate) fn whole(cursor: &mut Cursor<'_>) -> Option<u64> {
    cursor.attempt(|cursor| {
        let hundredths = decimal(cursor)?;
        (hundredths % 100 == 0).then_some(hundredths / 100)
    })
}

/// Takes a number, in hundredths.
pub(crate) fn decimal(cursor: &mut Cursor<'_>) -> Option<u64> {
    let digits = cursor.peek(0)?.shape == Shape::Digits;
    let mut number = if digits { in_digits(cursor)? } else { in_words(cursor)?.checked_mul(100)? };
    if digits {
        while let Some(scale) = cursor.take(value::<u64>(Sense::Scale)) {
            number = number.checked_mul(scale)?;
        }
    }
    Some(number)
}

/// "45 000", "45.000", "45,000.50", "1,5". A separator before exactly three digits groups them.
fn in_digits(cursor: &mut Cursor<'_>) -> Option<u64> {
    let first = cursor.peek(0)?;
    let mut number = cursor.digits(1..=15)?;
    let three =
        |piece: Option<&Piece>| piece.is_some_and(|piece| piece.text.len() == 3 && piece.number().is_some());
    let mut grouped = first.text.len() <= 3 && number > 0;
    while grouped {
        let blank = three(cursor.peek(0)) && cursor.peek(0).is_some_and(|piece| !piece.glued);
        let marked = cursor.peek(0).is_some_and(|mark| mark.glued && separates(mark))
            && three(cursor.peek(1))
            && cursor.peek(1).is_some_and(|piece| piece.glued);
        if marked {
            cursor.at += 1;
        }
        grouped = blank || marked;
        if grouped {
            number = number.checked_mul(1000)?.checked_add(cursor.digits(3..=3)?)?;
        }
    }
    let mut hundredths = number.checked_mul(100)?;
    let point = cursor.peek(0).is_some_and(|mark| mark.glued && (mark.is('.') || mark.is(',')));
    if let Some(part) = cursor.peek(1).filter(|part| point && part.glued && part.text.len() <= 2)
        && let Some(cents) = part.number()
    {
        hundredths = hundredths.checked_add(if part.text.len() == 1 { cents * 10 } else { cents })?;
        cursor.at += 2;
    }
    Some(hundredths)
}

fn separates(mark: &Piece) -> bool {
    mark.is('.') || mark.is(',') || mark.text == "'"
}

/// "two thousand three hundred and twelve", "twenty-five".
fn in_words(cursor: &mut Cursor<'_>) -> Option<u64> {
    let mut number = one(cursor)?;
    while let Some(grown) = cursor.attempt(|cursor| {
        let joint =
            number >= 100 && cursor.peek(0).is_some_and(|piece| JOINTS.contains(&piece.text.as_str()));
        cursor.at += usize::from(joint);
        cursor.mark('-');
        let more = one(cursor)?;
        match more {
            100 | 1000 if number > 0 && number < more && !joint => number.checked_mul(more),
            1..=9 if (20..=90).contains(&number) && number % 10 == 0 => Some(number + more),
            1..=99 if number >= 100 && number % 100 == 0 => Some(number + more),
            100..=999 if number >= 1000 && number % 1000 == 0 => Some(number + more),
            _ => None,
        }
    }) {
        number = grown;
    }
    Some(number)
}

/// The number of the words here.
fn one(cursor: &mut Cursor<'_>) -> Option<u64> {
    let known = cursor.take(Meaning::number);
    known.or_else(|| {
        let piece = cursor.peek(0).filter(|piece| piece.shape == Shape::Word)?;
        let number = in_one_word(cursor.words, &piece.text)?;
        cursor.at += 1;
        Some(number)
    })
}

/// The number a word names, also one put together from others.
pub(crate) fn in_one_word(words: &Words, word: &str) -> Option<u64> {
    if let Some(number) = words.number(word) {
        return Some(number);
    }
    // Nothing shorter is put together: "ett" and "hundra" are nine letters.
    if !(6..=LONGEST).contains(&word.len()) {
        return None;
    }
    let parts = || word.char_indices().skip(1).filter_map(|(at, _)| word.split_at_checked(at));
    for scale in [1000, 100] {
        for (left, rest) in parts().chain([("", word)]) {
            for (name, right) in
                rest.char_indices().filter_map(|(at, _)| rest.split_at_checked(at)).chain([(rest, "")])
            {
                if words.number(name) != Some(scale) {
                    continue;
                }
                let times = if left.is_empty() { Some(1) } else { in_one_word(words, left) };
                let times = times.filter(|times| *times < scale);
                let more = if right.is_empty() { Some(0) } else { in_one_word(words, without_joint(right)) };
                if let (Some(times), Some(more)) = (times, more.filter(|more| *more < scale)) {
                    return Some(times * scale + more);
                }
            }
        }
    }
    parts().find_map(|(left, right)| {
        let fits =
            |(tens, unit): &(u64, u64)| (20..=90).contains(tens) && tens % 10 == 0 && (1..=9).contains(unit);
        // "fünfundzwanzig", "femogtyve"
        let unit_first = || {
            let tens = JOINTS.iter().find_map(|joint| right.strip_prefix(joint))?;
            Some((words.number(tens)?, words.number(left)?)).filter(fits)
        };
        let tens_first = || Some((words.number(left)?, words.number(right)?)).filter(fits);
        unit_first().or_else(tens_first).map(|(tens, unit)| tens + unit)
    })
}

fn without_joint(word: &str) -> &str {
    JOINTS.iter().find_map(|joint| word.strip_prefix(joint)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use tata_language::Language;

    use super::*;
    use crate::answer::pieces::pieces;

    #[test]
    fn numbers_are_read_in_digits_and_words() {
        let cases = [
            (Language::En, "ninety", 90),
            (Language::En, "two thousand", 2000),
            (Language::En, "three hundred and twelve", 312),
            (Language::En, "twenty-five", 25),
            (Language::En, "a dozen", 12),
            (Language::Sv, "sjuttioåtta", 78),
            (Language::Sv, "tvåhundrafyrtio", 240),
            (Language::Da, "femogtyve", 25),
            (Language::Da, "tolv hundrede", 1200),
            (Language::No, "tjuefem", 25),
            (Language::De, "hundertzwanzig", 120),
            (Language::De, "zweihundertfünfundzwanzig", 225),
            (Language::En, "45 000", 45_000),
            (Language::De, "1.250.000", 1_250_000),
            (Language::En, "45k", 45_000),
            (Language::En, "12 hundred", 1200),
        ];
        for (language, text, expected) in cases {
            let pieces = pieces(text);
            let mut cursor = Cursor::new(language, &pieces);
            assert_eq!((whole(&mut cursor), cursor.done()), (Some(expected), true), "{text}");
        }
        for text in ["1,5", "hundreds", "jahrhundert", ""] {
            let pieces = pieces(text);
            assert_eq!(whole(&mut Cursor::new(Language::De, &pieces)), None, "{text}");
        }
    }
}
