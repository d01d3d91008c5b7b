//! The title as an ad shows it. In German it must not be read as meant for men only.

use tata_phrases::runs;

use crate::{
    Language, Notice, Texts,
    lists::{GERMAN_ALL_GENDERS, GERMAN_FUNCTIONS, GERMAN_GENDER_ENDINGS},
    tidy,
};

/// A position's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Title {
    written: String,
    shown: String,
    in_sentence: String,
    change: Change,
}

/// What was done to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// (m/w/d) was added.
    Added,
    /// (m/w) leaves people out and became (m/w/d).
    Completed,
}

impl Title {
    /// The title in an ad of this language.
    pub(super) fn of(title: &str, language: Language) -> Self {
        let written = tidy(title);
        let (shown, change) = match language {
            Language::De => neutral(&written),
            Language::En | Language::Sv | Language::Da | Language::No => (written.clone(), Change::Nothing),
        };
        let in_sentence = crate::wording::title_in_sentence(&shown, language);
        Self { written, shown, in_sentence, change }
    }

    /// As the profile has it.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// As the ad shows it.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// As it stands inside a sentence.
    pub(super) fn in_sentence(&self) -> &str {
        &self.in_sentence
    }

    /// Whether a text names the position.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(&self.shown)
    }

    /// What the recruiter should know about it.
    pub(super) fn notice(&self, texts: &Texts) -> Option<Notice> {
        let key = match self.change {
            Change::Nothing => return None,
            Change::Added => "job_ad.notice.title_marked",
            Change::Completed => "job_ad.notice.title_completed",
        };
        Some(Notice::say("position_title", texts, key, &[("title", &self.shown)]))
    }
}

/// A German title that speaks to everybody.
fn neutral(title: &str) -> (String, Change) {
    if title.is_empty() {
        return (String::new(), Change::Nothing);
    }
    if let Some((start, end, letters)) = brackets(title) {
        if letters.contains(&'d') || letters.contains(&'x') {
            return (title.to_owned(), Change::Nothing);
        }
        let (before, after) = (title.get(..start).unwrap_or_default(), title.get(end..).unwrap_or_default());
        return (format!("{before}(m/w/d){after}"), Change::Completed);
    }
    if is_neutral(title) {
        return (title.to_owned(), Change::Nothing);
    }
    (format!("{title} (m/w/d)"), Change::Added)
}

/// The first pair of brackets that holds nothing but m, w, f, d, x and signs between them, in bytes, and its letters.
fn brackets(title: &str) -> Option<(usize, usize, Vec<char>)> {
    let mut from = 0;
    while let Some(open) = title.get(from..)?.find(['(', '[']).map(|at| from + at) {
        let close = title.get(open..)?.find([')', ']']).map(|at| open + at)?;
        let inside = title.get(open + 1..close)?.to_lowercase();
        let parts: Vec<&str> =
            inside.split(['/', '|', ',', '*', ' ']).filter(|part| !part.is_empty()).collect();
        let marks = |part: &&str| matches!(*part, "m" | "w" | "f" | "d" | "x" | "i" | "gn" | "div");
        if parts.len() > 1 && parts.iter().all(marks) {
            return Some((open, close + 1, parts.concat().chars().collect()));
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
            let before = lower.get(..at).and_then(|text| text.chars().next_back());
            let after = lower.get(at + ending.len()..).and_then(|text| text.chars().next());
            before.is_some_and(char::is_alphabetic) && !after.is_some_and(char::is_alphanumeric)
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
            assert_eq!(Title::of(title, Language::De).shown(), shown, "{title:?}");
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
        assert_eq!(Title::of("Tekniker", Language::Sv).shown(), "Tekniker");
    }
}
