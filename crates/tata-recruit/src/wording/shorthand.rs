//! Shorthand of notes: what has one reading is written out, what has several is asked about.

use crate::{
    Language,
    capitals::capitalized_like,
    lists::{SHORTHAND_CERTAIN, SHORTHAND_UNCLEAR, SHORTHAND_USUAL, TORN_AUTHOR},
};

/// Signs that stand for words; which words, only the one who wrote them knows.
const SIGNS: [char; 9] = ['→', '⇒', '←', '=', '~', '<', '>', '≥', '≤'];
/// The longest word before a stop that is looked at as an abbreviation.
const LONGEST: usize = 12;

/// A piece of shorthand in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Short {
    /// As it stands there.
    pub(crate) written: String,
    /// What it means, if it can mean one thing only.
    pub(crate) reading: Option<String>,
    start: usize,
    end: usize,
}

/// The shorthand of a statement, in order.
pub(crate) fn find(text: &str, language: Language) -> Vec<Short> {
    let words = words(text);
    let mut found = Vec::new();
    let mut rest = words.as_slice();
    while let [first, others @ ..] = rest {
        // "30 min 24/7": after a number these are minutes.
        let before = words.len().checked_sub(rest.len() + 1).and_then(|at| words.get(at));
        let number = before.is_some_and(|word| word.text.ends_with(|last: char| last.is_ascii_digit()));
        let usual = SHORTHAND_USUAL[language as usize].iter().filter_map(|key| length(key, rest)).max();
        let certain = SHORTHAND_CERTAIN[language as usize].iter();
        let certain = certain.filter_map(|(key, reading)| Some((length(key, rest)?, *reading)));
        let read = if number && matches!(first.text, "min" | "min.") {
            1
        } else if let Some(count) = usual {
            count
        } else if let Some((count, reading)) = certain.max_by_key(|(count, _)| *count) {
            let end = rest.get(count - 1).map_or(text.len(), |word| word.start + word.text.len());
            found.push(short(text, first.start, end, Some(reading)));
            count
        } else {
            if SHORTHAND_UNCLEAR[language as usize].iter().any(|key| length(key, rest).is_some())
                || is_sign(first.text)
                || is_cut(first.text, others, language)
            {
                found.push(short(text, first.start, first.start + first.text.len(), None));
            }
            1
        };
        rest = rest.get(read..).unwrap_or_default();
    }
    found
}

/// A statement with everything written out that has one reading.
pub(crate) fn written_out(text: &str, language: Language) -> String {
    let mut out = text.to_owned();
    for short in find(text, language).into_iter().rev() {
        if let Some(reading) = &short.reading {
            out.replace_range(short.start..short.end, reading);
        }
    }
    out
}

fn short(text: &str, start: usize, end: usize, reading: Option<&str>) -> Short {
    let written = text.get(start..end).unwrap_or_default().to_owned();
    let reading = reading.map(|reading| capitalized_like(&written, reading.to_owned()));
    Short { written, reading, start, end }
}

/// A word without brackets and commas around it, and its first byte.
struct Piece<'a> {
    start: usize,
    text: &'a str,
}

fn words(text: &str) -> Vec<Piece<'_>> {
    let mut words = Vec::new();
    let mut from = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let open = piece.trim_start_matches(['(', '[', '"', '“', '„', '”', '«', '‘']);
        let start = from + piece.len() - open.len();
        from += piece.len();
        let text = open.trim_end().trim_end_matches([',', ';', ':', ')', ']', '"', '“', '”', '»', '!', '?']);
        if !text.is_empty() {
            words.push(Piece { start, text });
        }
    }
    words
}

/// How many words a key covers, if it stands here. `#` is a number that follows and is not covered.
fn length(key: &str, words: &[Piece<'_>]) -> Option<usize> {
    let parts: Vec<&str> = key.split(' ').collect();
    let fits = |(part, word): (&&str, &Piece<'_>)| {
        if *part == "#" {
            return word.text.starts_with(|letter: char| letter.is_ascii_digit());
        }
        let wanted =
            if part.contains(char::is_uppercase) { word.text.to_owned() } else { word.text.to_lowercase() };
        *part == wanted || !part.ends_with('.') && *part == wanted.trim_end_matches('.')
    };
    let here = parts.len() <= words.len() && parts.iter().zip(words).all(fits);
    here.then(|| parts.iter().filter(|part| **part != "#").count())
}

/// Whether a word is a sign for words: "→", "Build + own", "1st+2nd". Neither "C++" nor "3+" is one.
fn is_sign(word: &str) -> bool {
    let arrow = word.contains("->") || word.contains(SIGNS);
    let is_word = |part: &&str| part.chars().any(char::is_alphabetic);
    let parts: Vec<&str> = word.split('+').collect();
    arrow || word == "+" || parts.windows(2).any(|two| two.iter().all(is_word))
}

/// Whether a word was cut short: a stop inside the statement, or a single letter.
fn is_cut(word: &str, others: &[Piece<'_>], language: Language) -> bool {
    let letter = word.chars().count() == 1 && word.chars().all(char::is_lowercase);
    let Some(body) = word.strip_suffix('.') else { return letter };
    // "fünf Leuten und mir.": the end of a sentence.
    if TORN_AUTHOR[language as usize].contains(&body.to_lowercase().as_str()) {
        return false;
    }
    let count = body.chars().count();
    let plain = count > 0 && count <= LONGEST && body.chars().all(char::is_alphabetic);
    let Some(next) = others.first() else { return plain && count == 1 };
    let small = next.text.starts_with(|first: char| first.is_lowercase() || first.is_ascii_digit());
    // German nouns are written with a capital, so the next word does not tell; a short small word does.
    let german = language == Language::De && count <= 3 && body.starts_with(char::is_lowercase);
    plain && (small || german)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Da, De, En, No, Sv};

    #[test]
    fn every_reading_is_certain() {
        for language in Language::ALL {
            let at = language as usize;
            for (key, reading) in SHORTHAND_CERTAIN[at] {
                let twice = SHORTHAND_UNCLEAR[at].contains(key) || SHORTHAND_USUAL[at].contains(key);
                assert!(!twice, "{language:?}: {key} stands twice");
                assert_eq!(find(reading, language), [], "{language:?}: {key} is read as shorthand");
            }
        }
    }

    #[test]
    fn one_reading_is_written_out() {
        let check = |language: Language, text: &str, wanted: &str| {
            assert_eq!(written_out(text, language), wanted, "{text:?}");
        };
        check(En, "min 3 yrs exp", "at least 3 years' experience");
        check(En, "Min 3 yrs' exp., mgmt", "At least 3 yrs' experience, management");
        check(En, "Bridge calls w/ carriers", "Bridge calls with carriers");
        check(En, "shift work (incl xmas)", "shift work (including Christmas)");
        check(Sv, "min 3 år inkl. jour", "minst 3 år inklusive jour");
        check(Sv, "SOC el. liknande", "SOC eller liknande");
        check(Sv, "Läsa o skriva", "Läsa och skriva");
        check(Sv, "min erfarenhet", "min erfarenhet");
        check(Da, "CCNP el. tilsv. erfaring", "CCNP eller tilsvarende erfaring");
        check(Da, "inkl. vagt, evt. weekend", "inklusive vagt, eventuelt weekend");
        check(No, "på plass innen 30 min 24/7", "på plass innen 30 min 24/7");
        check(No, "min. 3 års erf. inkl. vakt", "minst 3 års erfaring inkludert vakt");
        check(
            De,
            "Wartung inkl. Prüfung, ggf. nachts",
            "Wartung einschließlich Prüfung, gegebenenfalls nachts",
        );
        check(De, "Ausb. Elektroniker o.ä.", "Ausbildung Elektroniker o.ä.");
        check(De, "mind. 3 Jahre u. Eignung", "mindestens 3 Jahre und Eignung");
        check(De, "Netzbetrieb u. a. in Kiel", "Netzbetrieb u. a. in Kiel");
    }

    #[test]
    fn several_readings_are_asked_about() {
        let check = |language: Language, text: &str, wanted: &[&str]| {
            let found: Vec<String> = find(text, language)
                .into_iter()
                .filter(|short| short.reading.is_none())
                .map(|short| short.written)
                .collect();
            assert_eq!(found, wanted, "{text:?}");
        };
        check(En, "cust. contact, resp. f. the budget", &["cust.", "resp.", "f."]);
        check(En, "Build + own pipelines", &["+"]);
        check(En, "22 → under 5", &["→"]);
        check(En, "3+ years of C++ and C#, TCP/IP, 24/7", &[]);
        check(En, "tools, e.g. Go, i.e. a language", &[]);
        check(En, "We build networks. They last.", &[]);
        check(En, "a degree", &[]);
        check(Sv, "säljare m. kundansv.", &["m.", "kundansv."]);
        check(Sv, "Support t utvecklarna", &["t"]);
        check(Sv, "nix på det = nix på jobbet", &["="]);
        check(Sv, "Projektledarcertifiering, t.ex. IPMA, m.m.", &[]);
        check(Sv, "i drift", &[]);
        check(De, "Das Team besteht aus fünf Leuten und mir. Zwei Tage Büro", &[]);
        check(Da, "Fejlsøge sammen m. NOC, 3. level", &["m."]);
        check(Da, "mpls + bgp", &["+"]);
        check(No, "resp. f. drift", &["resp.", "f."]);
        check(De, "Engl. f. Kunden", &["Engl.", "f."]);
        check(De, "Tickets 1st+2nd", &["1st+2nd"]);
        check(De, "z. B. Splunk, ca. 5 Jahre bzw. mehr", &[]);
        check(De, "Das Team. Wir", &[]);
    }
}
