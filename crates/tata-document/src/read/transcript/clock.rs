//! Times as transcripts write them.

/// The time of a cue in milliseconds: `00:00:06.090`, `00:06.090`, or unpadded `0:0:6.90`.
pub(super) fn stamp(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let padded = whole.split(':').all(|part| part.len() >= 2);
    let digits = number(fraction)?;
    let milliseconds = match (fraction.len(), padded) {
        // Unpadded times have whole milliseconds after the point: 6.90 is 6 seconds and 90 milliseconds.
        (1..=3, false) | (3, true) => digits,
        (2, true) => digits * 10,
        (1, true) => digits * 100,
        _ => return None,
    };
    Some(seconds(whole)? * 1000 + milliseconds)
}

/// The time above a block in milliseconds: `m:ss` or `h:mm:ss`.
pub(super) fn clock(text: &str) -> Option<u64> {
    let two_digits = text.split(':').skip(1).all(|part| part.len() == 2);
    if two_digits { seconds(text).map(|seconds| seconds * 1000) } else { None }
}

/// A time as players show it, and as it stands above a block.
pub fn clock_text(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

fn seconds(text: &str) -> Option<u64> {
    let parts: Vec<u64> = text.split(':').take(4).map(number).collect::<Option<_>>()?;
    match *parts.as_slice() {
        [minutes, seconds] if seconds < 60 => Some(minutes * 60 + seconds),
        [hours, minutes, seconds] if minutes < 60 && seconds < 60 => {
            Some((hours * 60 + minutes) * 60 + seconds)
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_milliseconds_when_nothing_is_padded() {
        let check = |text: &str, time: Option<u64>| assert_eq!(stamp(text), time, "{text:?}");
        check("00:00:06.090", Some(6_090));
        check("0:0:6.90", Some(6_090));
        check("0:0:6.500", Some(6_500));
        check("0:0:0.0", Some(0));
        check("0:1:5.7", Some(65_007));
        check("1:2:3.4", Some(3_723_004));
        check("00:00:06.9", Some(6_900));
        check("02:03,250", Some(123_250));
        check("00:00:61.000", None);
        check("0:0:6.9000", None);
        check("6.90", None);
        check("a:b:c", None);
        check("99999999999999999999:00:00.000", None);
        check("", None);
    }

    #[test]
    fn clocks_have_two_digits_after_the_first_colon() {
        let check = |text: &str, time: Option<u64>| assert_eq!(clock(text), time, "{text:?}");
        check("0:03", Some(3_000));
        check("12:41", Some(761_000));
        check("75:10", Some(4_510_000));
        check("1:02:41", Some(3_761_000));
        check("1:2", None);
        check("3:60", None);
        check("1:60:00", None);
        check("12", None);
        check("1:02:03:04", None);
        check("٣:٠٣", None);
        assert_eq!((clock_text(761_999), clock_text(3_761_000)), ("12:41".to_owned(), "1:02:41".to_owned()));
    }
}
