//! Messages written like a letter: what stands between the greeting and the regards.

use super::{
    hearing::{Heard, beginning},
    lexicon::Lexicon,
};

/// A greeting has at most so many words, and so has a line of regards.
const SHORT: usize = 6;

/// Regards inside a line stand at the end of a message that is not longer than this.
const LONGEST_LINE: usize = 600;

/// A letter that is passed on begins with lines like these.
const HEADERS: [&str; 10] =
    ["from:", "to:", "subject:", "von:", "an:", "betreff:", "från:", "fra:", "ämne:", "emne:"];

/// No header has more bytes.
const LONGEST_HEADER: usize = 40;

/// The body of a message: without the line that greets and the lines that say goodbye.
pub(super) fn body(message: &str) -> &str {
    let message = message.trim();
    let passed_on = |line: &str| {
        let start = beginning(line.trim_start(), LONGEST_HEADER).to_lowercase();
        HEADERS.iter().any(|header| start.starts_with(header))
    };
    if message.lines().any(passed_on) {
        return message;
    }
    let body = without_greeting(without_regards(message));
    if body.is_empty() { message } else { body }
}

fn without_greeting(message: &str) -> &str {
    let Some((first, rest)) = message.split_once('\n') else { return message };
    let heard = Heard::of(first);
    // "Hello!" greets; "Hello, write the ad" asks for something.
    let greets = heard.tokens.len() <= SHORT
        && (heard.has("hello")
            || heard.tokens.first().is_some_and(|word| Lexicon::get().has("dear", &word.text)))
        && !heard.has("make")
        && !first.trim_end().ends_with([':', '?']);
    if greets && !rest.trim().is_empty() { rest.trim() } else { message }
}

fn without_regards(message: &str) -> &str {
    let lexicon = Lexicon::get();
    // The regards, then at most a name and a line below it.
    let mut end = message.len();
    for (count, line) in message.lines().rev().enumerate() {
        let start = end - line.len();
        if count > 3 {
            break;
        }
        let heard = Heard::of(line);
        let says = (0..heard.tokens.len().min(3))
            .any(|at| lexicon.phrase_at("regards", &heard.tokens, at).is_some());
        if says && heard.tokens.len() <= SHORT && start > 0 {
            return message.get(..start).unwrap_or(message).trim_end();
        }
        if heard.tokens.len() > 3 {
            break;
        }
        end = message.get(..start).unwrap_or_default().trim_end_matches(['\n', '\r']).len();
    }
    in_line(message)
}

/// Regards at the end of the last line: "… Vh Dorte", "… /Dorte".
fn in_line(message: &str) -> &str {
    // A long text has its regards on lines of their own, and is not listened to twice.
    if message.len() > LONGEST_LINE {
        return message;
    }
    let lexicon = Lexicon::get();
    let heard = Heard::of(message);
    let count = heard.tokens.len();
    let signed = (count.saturating_sub(4)..count).filter(|at| *at > 0).find(|at| {
        let token = &heard.tokens[*at];
        let slash =
            token.before.ends_with('/') && token.before.len() > 1 && token.is_capital() && at + 2 >= count;
        let regards = token.is_after_sentence()
            && lexicon.phrase_at("regards", &heard.tokens, *at).is_some_and(|words| at + words + 2 >= count);
        slash || regards
    });
    match signed.and_then(|at| heard.tokens.get(at.checked_sub(1)?)) {
        Some(last) => {
            let rest = message.get(last.end..).unwrap_or_default();
            let signs = rest
                .chars()
                .take_while(|sign| matches!(sign, '.' | '!' | '?' | ')'))
                .map(char::len_utf8)
                .sum::<usize>();
            message.get(..last.end + signs).unwrap_or(message)
        }
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_what_stands_between() {
        for (letter, expected) in [
            ("Hi Tata,\n\nplease write the ad.\n\nBest regards,\nSofie\n", "please write the ad."),
            ("Hej,\nkan du skriva annonsen?\nMvh Ulrika", "kan du skriva annonsen?"),
            ("Hallo Tata,\nvielen Dank!\nSchönen Feierabend\nClaudia\n", "vielen Dank!"),
            (
                "Hej. Vi besætter en stilling som tilbudschef. Vh Dorte",
                "Hej. Vi besætter en stilling som tilbudschef.",
            ),
            ("Arbejdsstedet bliver Kolding. /Dorte", "Arbejdsstedet bliver Kolding."),
            ("Write the ad", "Write the ad"),
            ("Hello!", "Hello!"),
            ("", ""),
        ] {
            assert_eq!(body(letter), expected, "{letter}");
        }
    }
}
