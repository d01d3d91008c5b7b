//! The title as an ad shows it. In German it must not be read as meant for men only.

use std::ops::Range;

use tata_phrases::runs;

use crate::{
    Key, Language, Notice, Texts,
    lists::{GERMAN_ALL_GENDERS, GERMAN_FUNCTIONS, GERMAN_GENDER_ENDINGS},
    tidy,
};

/// A position's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Title {
    /// As the profile has it.
    pub(super) written: String,
    /// As the ad shows it.
    pub(super) shown: String,
    /// As it stands inside a sentence.
    pub(super) in_sentence: String,
    /// The text that says what was done to it.
    change: Option<Key>,
}

impl Title {
    /// The title in an ad of this language.
    pub(super) fn of(title: &str, language: Language) -> Self {
        let written = tidy(title);
        let (shown, change) =
            if language == Language::De { neutral(&written) } else { (written.clone(), None) };
        let in_sentence = crate::wording::title_in_sentence(&shown, language);
        Self { written, shown, in_sentence, change }
    }

    /// What the recruiter should know about it.
    pub(super) fn notice(&self, texts: &Texts) -> Option<Notice> {
        self.change.map(|key| Notice::say("position_title", texts, key, &[("title", &self.shown)]))
    }
}

/// A German title that speaks to everybody, and the text that says what was done to it.
fn neutral(title: &str) -> (String, Option<Key>) {
    match brackets(title) {
        // (m/w) leaves people out.
        Some((place, letters)) if !letters.contains(['d', 'x']) => {
            let mut completed = title.to_owned();
            completed.replace_range(place, "(m/w/d)");
            (completed, Some(key!("job_ad.notice.title_completed")))
        }
        None if !title.is_empty() && !is_neutral(title) => {
            (format!("{title} (m/w/d)"), Some(key!("job_ad.notice.title_marked")))
        }
        Some(_) | None => (title.to_owned(), None),
    }
}

/// The first pair of brackets that holds nothing but m, w, f, d, x and signs between them, in bytes, and its letters.
fn brackets(title: &str) -> Option<(Range<usize>, String)> {
    let mut from = 0;
    while let Some(open) = title.get(from..)?.find(['(', '[']).map(|at| from + at) {
        let close = title.get(open..)?.find([')', ']']).map(|at| open + at)?;
        let inside = title.get(open + 1..close)?.to_lowercase();
        let parts: Vec<&str> =
            inside.split(['/', '|', ',', '*', ' ']).filter(|part| !part.is_empty()).collect();
        let marks = |part: &&str| matches!(*part, "m" | "w" | "f" | "d" | "x" | "i" | "gn" | "div");
        if parts.len() > 1 && parts.iter().all(marks) {
            return Some((open..close + 1, parts.concat()));
        }
        from = close + 1;
    }
    None
}

/// Whether a German title is meant for everybody without a mark.
fn is_neutral(title: &str) -> bool {
    let lower = title.to_lowercase();
    let words: Vec<&str> = runs(&lower).collect();
    let marked = GERMAN_ALL_GENDERS
        .iter()
        .any(|mark| if mark.contains(' ') { lower.contains(mark) } else { words.contains(mark) });
    let ended = GERMAN_GENDER_ENDINGS.iter().any(|ending| {
        lower.match_indices(ending).any(|(at, _)| {
            let (before, after) = (lower.get(..at), lower.get(at + ending.len()..));
            before.is_some_and(|before| before.ends_with(char::is_alphabetic))
                && !after.is_some_and(|after| after.starts_with(char::is_alphanumeric))
        })
    });
    // Both are named: "Technikerin oder Techniker", "Techniker/Technikerin".
    let both = words.iter().any(|word| {
        word.strip_suffix("in").is_some_and(|male| male.chars().count() > 3 && words.contains(&male))
    });
    let person = words
        .iter()
        .filter(|word| word.len() > 2)
        .any(|word| GERMAN_FUNCTIONS.iter().any(|end| word.ends_with(end)));
    marked || ended || both || person
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_titles_speak_to_everybody() {
        let check = |title: &str, shown: &str| {
            assert_eq!(Title::of(title, Language::De).shown, shown, "{title:?}");
        };
        check("Netzwerktechniker", "Netzwerktechniker (m/w/d)");
        check("Network Engineer", "Network Engineer (m/w/d)");
        check("Netzwerktechniker (m/w)", "Netzwerktechniker (m/w/d)");
        check("Netzwerktechniker (w/m) Nord", "Netzwerktechniker (m/w/d) Nord");
        for fine in [
            "Techniker (m/w/d)",
            "Techniker (w/m/d)",
            "Techniker (d/m/w) SOC",
            "Techniker (m/f/x)",
            "Techniker (all genders)",
            "Techniker:in Netz",
            "Techniker*in",
            "Techniker_in",
            "Techniker/-in",
            "Technikerin/Techniker",
            "Fachkraft für Netzwerktechnik",
            "Teamleitung Kundenservice",
            "Ansprechperson Vertrieb",
        ] {
            check(fine, fine);
        }
        check("Analyst (SOC)", "Analyst (SOC) (m/w/d)");
        check("Berater/Innendienst", "Berater/Innendienst (m/w/d)");
        check("(", "( (m/w/d)");
        check("", "");
        assert_eq!(Title::of("Tekniker", Language::Sv).shown, "Tekniker");
    }
}
