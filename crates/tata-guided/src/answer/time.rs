//! Times of day: "14:30", "2 pm", "kl 14.30", "halv tre". The whole answer must be one.

use jiff::civil::Time;
use tata_language::Language;

use super::{
    Problem, Read,
    numbers::whole,
    pieces::pieces,
    words::{Cursor, Sense, among},
};

const DAY: i64 = 24 * 60;
const HALF_DAY: i64 = 12 * 60;

/// An hour before this one, said without morning or afternoon, may be either; later ones are office hours.
const OFFICE: i64 = 7 * 60;

/// Reads a time of day.
pub(super) fn read(text: &str, language: Language) -> Result<Read<Time>, Problem> {
    let pieces = pieces(text);
    let mut cursor = Cursor::new(language, &pieces);
    while cursor.eat(Sense::At) || cursor.eat(Sense::Filler) || cursor.mark('.') || cursor.mark('@') {}
    let found = minutes(&mut cursor);
    cursor.fillers();
    let found = found.filter(|_| cursor.done()).ok_or(Problem::NotATime)?;
    let times = found.into_iter().filter_map(time).collect();
    Read::of(times).ok_or(Problem::NotATime)
}

fn time(minutes: i64) -> Option<Time> {
    Time::new(i8::try_from(minutes / 60).ok()?, i8::try_from(minutes % 60).ok()?, 0, 0).ok()
}

/// The readings, in minutes since midnight.
fn minutes(cursor: &mut Cursor<'_>) -> Option<Vec<i64>> {
    if cursor.eat(Sense::Noon) {
        return Some(vec![HALF_DAY]);
    }
    let shift = cursor.take(among([
        (Sense::HalfPast, 30),
        (Sense::HalfTo, -30),
        (Sense::QuarterPast, 15),
        (Sense::QuarterTo, -15),
    ]));
    if let Some(shift) = shift {
        let hour = hour(cursor).filter(|hour| (1..=24).contains(hour))?;
        return Some(half_day(cursor, (hour * 60 + shift) % DAY, false));
    }
    // "1430", "0930".
    if let Some(clock) = cursor.attempt(|cursor| cursor.digits(4..=4)) {
        let clock = i64::try_from(clock).ok().filter(|clock| clock / 100 < 24 && clock % 100 < 60)?;
        return Some(half_day(cursor, clock / 100 * 60 + clock % 100, true));
    }
    let padded = cursor.peek(0)?.text.starts_with('0');
    let hour = hour(cursor).filter(|hour| (0..=24).contains(hour))?;
    // "9 Uhr 30", "16h30", "14:30".
    let parted = cursor.mark(':') || cursor.mark('.') || {
        cursor.peek(1).is_some_and(|next| next.number().is_some())
            && (cursor.eat(Sense::OClock)
                || cursor.peek(0).is_some_and(|piece| piece.text == "h") && cursor.eat(Sense::Hours))
    };
    // "14." at the end has no minutes.
    let minute = if parted && !cursor.done() {
        i64::try_from(cursor.digits(2..=2)?).ok().filter(|minute| *minute < 60)?
    } else {
        0
    };
    Some(half_day(cursor, (hour * 60 + minute) % DAY, padded || hour == 0 || hour == 24))
}

fn hour(cursor: &mut Cursor<'_>) -> Option<i64> {
    let number = match cursor.peek(0)?.number() {
        Some(_) => cursor.digits(1..=2)?,
        None => whole(cursor)?,
    };
    i64::try_from(number).ok()
}

/// Morning or afternoon, as far as it is said.
fn half_day(cursor: &mut Cursor<'_>, minutes: i64, certain: bool) -> Vec<i64> {
    cursor.eat(Sense::OClock);
    cursor.mark(',');
    let said = cursor.take(among([(Sense::Am, false), (Sense::Pm, true)]));
    // "p.m."
    cursor.mark('.');
    match said {
        Some(_) if minutes >= 13 * 60 => vec![minutes],
        Some(true) => vec![minutes % HALF_DAY + HALF_DAY],
        Some(false) => vec![minutes % HALF_DAY],
        None if certain || !(60..OFFICE).contains(&minutes) => vec![minutes],
        None => vec![minutes + HALF_DAY, minutes],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_type_them() {
        use Language::{Da, De, En, No, Sv};
        let cases: &[(Language, &str, &[&str])] = &[
            (En, "14:30", &["14:30"]),
            (En, "at 2pm", &["14:00"]),
            (En, "2.30 p.m.", &["14:30"]),
            (En, "11am", &["11:00"]),
            (En, "12 am", &["00:00"]),
            (En, "noon", &["12:00"]),
            (En, "half past two", &["14:30", "02:30"]),
            (En, "quarter past ten", &["10:15"]),
            (En, "at 10", &["10:00"]),
            (En, "at 2", &["14:00", "02:00"]),
            (Sv, "kl 14.30", &["14:30"]),
            (Sv, "halv tre", &["14:30", "02:30"]),
            (Sv, "kvart i elva", &["10:45"]),
            (Da, "kl. 9", &["09:00"]),
            (No, "klokka ti", &["10:00"]),
            (De, "14 Uhr", &["14:00"]),
            (De, "9 Uhr 30", &["09:30"]),
            (De, "um halb zehn", &["09:30"]),
            (De, "0930", &["09:30"]),
            (En, "25:00", &["answer.not_a_time"]),
            (En, "14:75", &["answer.not_a_time"]),
            (En, "Thursday", &["answer.not_a_time"]),
            (En, "2 or 3", &["answer.not_a_time"]),
            (En, "60 minutes", &["answer.not_a_time"]),
        ];
        for (language, text, expected) in cases {
            let shown: Vec<String> = match read(text, *language) {
                Ok(read) => read.readings().iter().map(|time| time.strftime("%H:%M").to_string()).collect(),
                Err(problem) => vec![problem.key().to_owned()],
            };
            assert_eq!(shown, *expected, "{} {text:?}", language.code());
        }
    }
}
