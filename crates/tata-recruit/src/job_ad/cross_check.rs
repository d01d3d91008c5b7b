//! Compares the ad with what the start-up notes and the hiring manager say.

use std::collections::{BTreeMap, BTreeSet};

use tata_phrases::whole_words;

use super::{
    Section, SectionName,
    material::{Material, statements},
    words,
};
use crate::{GermanForm, Key, Language, Notice, Source, Texts, Voice, clip::clipped, same, tidy};

/// The most remarks of one kind.
const MOST: usize = 5;
/// How far into the notes a title is looked for, in lines.
const TITLE_LINES: usize = 40;
/// The longest line that is read as a requirement or a heading.
const LONGEST_LINE: usize = 300;

/// What the authors of the notes have to do themselves.
const OWN_DUTIES: [&str; 8] = [
    " we must ",
    " müssen wir ",
    " wir müssen ",
    " måste vi ",
    " vi måste ",
    " må vi ",
    " vi må ",
    " skal vi ",
];

/// Numbers, each with the words around it.
type Numbers = BTreeMap<String, String>;
/// For each unit its numbers.
type Counts = BTreeMap<String, Numbers>;

/// What differs between the ad and its sources.
pub(super) fn compare(material: &Material<'_>, sections: &[Section], own: &Texts) -> Vec<Notice> {
    let mut notices = other_title(material, own);
    notices.extend(missing_skills(material, sections, own));
    notices.extend(other_numbers(material, own));
    notices
}

/// A list of the texts in all languages: notes come in any.
pub(super) fn cues(key: Key) -> Vec<String> {
    let lists = Language::ALL.map(|language| Texts::of(Voice::new(language, GermanForm::Sie)).list(key));
    let mut cues: Vec<String> = lists.into_iter().flatten().map(|cue| cue.to_lowercase()).collect();
    cues.sort_unstable();
    cues.dedup();
    cues
}

/// The notes name the position otherwise than the profile.
fn other_title(material: &Material<'_>, own: &Texts) -> Vec<Notice> {
    let (title, labels) = (&material.title, cues(key!("job_ad.cues.title")));
    let mut notices = Vec::new();
    for source in [Source::StartupNotes, Source::HiringManagerInput] {
        let lines = material.sources.get(source).unwrap_or_default().lines().take(TITLE_LINES);
        let named = lines.filter_map(|line| line.split_once(':')).find(|(label, name)| {
            let label = label.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
            labels.contains(&label) && !name.trim().is_empty() && name.chars().count() <= LONGEST_LINE
        });
        let Some((_, name)) = named else { continue };
        let name = tidy(name);
        if !same(&name, &title.written) && !same(&name, &title.shown) {
            let values = [("source", source.display(own)), ("found", &*name), ("title", &title.shown)];
            notices.push(Notice::say("position_title", own, key!("job_ad.notice.title_differs"), &values));
        }
    }
    notices
}

/// Lines that sound like a requirement and have nothing to do with what the ad says.
fn missing_skills(material: &Material<'_>, sections: &[Section], own: &Texts) -> Vec<Notice> {
    let markers = cues(key!("job_ad.cues.must"));
    let parts = [SectionName::Requirements, SectionName::SoftSkillsParagraph, SectionName::Responsibilities];
    let shown = sections.iter().filter(|section| parts.contains(&section.name)).flat_map(Section::texts);
    let shown: Vec<BTreeSet<String>> = shown.map(|text| words::long_words(text, 3)).collect();
    let all: BTreeSet<String> = shown.iter().flatten().cloned().collect();
    let mut notices = Vec::new();
    for source in [Source::StartupNotes, Source::HiringManagerInput] {
        let mut listed = false;
        let lines = material.sources.get(source).unwrap_or_default().lines();
        // A paragraph of a mail says several things; only the sentence with the word in it may be a requirement.
        let pieces = lines.flat_map(|line| {
            let pieces = statements(line);
            if pieces.len() > 1 { pieces } else { vec![line.to_owned()] }
        });
        for line in pieces {
            let point = line.trim_start().starts_with(['*', '•', '-', '–', '—', '·']);
            let text = line.trim_matches(|letter: char| !letter.is_alphanumeric());
            if text.chars().count() > LONGEST_LINE {
                continue;
            }
            let lower = format!(" {} ", text.to_lowercase());
            let marked = markers.iter().any(|marker| whole_words(&lower, marker).next().is_some());
            // "Das müssen wir noch klären": what the authors have to do themselves is required of nobody else.
            let duty = OWN_DUTIES.iter().any(|duty| lower.contains(duty));
            let marked = marked && !duty;
            if marked && line.trim_end().ends_with(':') {
                listed = true;
                continue;
            }
            listed = listed && point;
            // The marker itself is not what is required.
            let is_own = |word: &String| !markers.iter().any(|marker| marker.contains(word.as_str()));
            let words: BTreeSet<String> = words::long_words(text, 3).into_iter().filter(is_own).collect();
            let covered = |known: &BTreeSet<String>| words.intersection(known).count() * 2 >= words.len();
            // One line may name all of them: "must: A / B / C".
            let together = words.intersection(&all).count() * 10 >= words.len() * 8;
            let required = (marked || listed) && !words.is_empty();
            if required && !together && !shown.iter().any(covered) && notices.len() < MOST {
                let values = [("source", source.display(own)), ("text", &*clipped(&tidy(text), 160))];
                notices.push(Notice::say("requirements", own, key!("job_ad.notice.skill_missing"), &values));
            }
        }
    }
    notices
}

/// Numbers that count the same thing and differ between two sources.
fn other_numbers(material: &Material<'_>, own: &Texts) -> Vec<Notice> {
    let units = cues(key!("job_ad.cues.units"));
    let sources = [Source::StartupNotes, Source::HiringManagerInput, Source::OldJobAd];
    let counted = |source| Some((source, counts(material.sources.get(source)?, &units)));
    let counted: Vec<(Source, Counts)> = sources.into_iter().filter_map(counted).collect();
    let mut notices = Vec::new();
    for (at, (one, first)) in counted.iter().enumerate() {
        for (other, second) in counted.iter().skip(at + 1) {
            let both = first.iter().filter_map(|(unit, numbers)| Some((numbers, second.get(unit)?)));
            let differ =
                |(one, other): &(&Numbers, &Numbers)| !one.keys().any(|number| other.contains_key(number));
            for (here, there) in both.filter(differ) {
                let (Some(here), Some(there)) = (here.values().next(), there.values().next()) else {
                    continue;
                };
                let values = [
                    ("source", one.display(own)),
                    ("text", here.as_str()),
                    ("other_source", other.display(own)),
                    ("other_text", there.as_str()),
                ];
                notices.push(Notice::say("sources", own, key!("job_ad.notice.numbers_differ"), &values));
            }
        }
    }
    notices.truncate(MOST);
    notices
}

/// For each unit the numbers before it, each with the words around it.
fn counts(text: &str, units: &[String]) -> Counts {
    let mut counts = Counts::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, pair) in words.windows(2).enumerate() {
            let [number, unit] = pair else { continue };
            let unit = unit.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
            if number.starts_with(|sign: char| sign.is_ascii_digit()) && units.contains(&unit) {
                let digits: String = number.chars().filter(char::is_ascii_digit).collect();
                let around = words.get(at.saturating_sub(4)..at + 2).unwrap_or_default().join(" ");
                counts.entry(unit).or_default().entry(digits).or_insert_with(|| clipped(&around, 120));
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_with_their_unit() {
        let units = ["years".to_owned()];
        let counts = counts("We want at least 5 years of Go, or 3+ years of Rust.\n7 cats", &units);
        let years = &counts["years"];
        assert_eq!(years.keys().collect::<Vec<_>>(), ["3", "5"]);
        assert_eq!(years["5"], "We want at least 5 years");
        assert_eq!(counts.len(), 1);
    }
}
