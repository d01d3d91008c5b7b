//! Texts for people have no machine words: no numbers of materials, no names of fields, no counts of characters.

use std::{fs, path::Path};

use tata_recruit::Language;

use crate::guided::{
    kept::{wish, yes},
    talk::{Talk, notes},
};

/// Only a model reads these: it needs the numbers of the texts there are. A person reads `project.not_found` instead.
const FOR_MODELS: [&str; 3] =
    ["project.grounds.nearest", "project.grounds.way_out", "project.grounds.material"];

/// Questions about somebody's field of knowledge, not about one of a form.
const ORDINARY: [&str; 2] = ["in this field", "changes in the field"];

/// What only a machine, or a form, says in this language.
fn words_of_machines(language: Language) -> &'static [&'static str] {
    match language {
        Language::En => &["json", "schema", "seal", "character", "characters", "field", "fields"],
        Language::Sv => &["json", "tecken", "fält", "fältet", "fälten"],
        Language::Da => &["json", "tegn", "felt", "feltet", "felter", "felterne"],
        Language::No => &["json", "tegn", "felt", "feltet", "felter", "feltene"],
        Language::De => &["json", "zeichen", "feld", "felder", "feldern", "feldes"],
    }
}

/// The first word of a text that only a machine says.
fn machine_word(text: &str, language: Language) -> Option<String> {
    let mut text = text.to_owned();
    for phrase in ORDINARY {
        text = text.replace(phrase, " ");
    }
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.find(|word| is_of_machines(word, language)).map(str::to_owned)
}

fn is_of_machines(word: &str, language: Language) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_small = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_material = word.strip_prefix('m').is_some_and(is_digits);
    let is_name = word.contains('_') && word.split('_').all(is_small);
    let lower = word.to_lowercase();
    is_material || is_name || words_of_machines(language).iter().any(|known| *known == lower)
}

#[test]
fn machine_words_are_recognized() {
    for (text, language, word) in [
        ("Hand over m21 again", Language::En, Some("m21")),
        ("or hand over must_haves as quotations", Language::En, Some("must_haves")),
        ("Texten har bara 80 tecken.", Language::Sv, Some("tecken")),
        ("oder lass das ganze Feld weg", Language::De, Some("Feld")),
        ("Er hat es im Umfeld gelernt, 5 m hoch", Language::De, None),
        ("your training in this field", Language::En, None),
    ] {
        assert_eq!(machine_word(text, language).as_deref(), word, "{text}");
    }
}

struct Line {
    number: usize,
    key: String,
    text: String,
}

/// The texts of a file with their keys, line by line, without comments and placeholders.
fn lines(path: &Path) -> Vec<Line> {
    let area = path.file_stem().unwrap().to_str().unwrap();
    let mut keys: Vec<(usize, String)> = Vec::new();
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(fs::read_to_string(path).unwrap().lines()) {
        let text = line.trim_start();
        if text.starts_with('#') {
            continue;
        }
        let indent = line.len() - text.len();
        let text = match text.split_once(':') {
            Some((key, text)) if is_key(key) => {
                keys.retain(|(before, _)| *before < indent);
                keys.push((indent, key.trim_matches('"').to_owned()));
                text
            }
            Some(_) | None => text,
        };
        let key = keys.iter().fold(area.to_owned(), |path, (_, key)| format!("{path}.{key}"));
        lines.push(Line { number, key, text: without_placeholders(text) });
    }
    lines
}

fn is_key(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '"')
}

fn without_placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(' ');
        text.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
    }
    text
}

#[test]
fn texts_for_people_have_no_machine_words() {
    let mut found = Vec::new();
    let mut for_models = 0;
    for language in Language::ALL {
        let folder = format!("{}/texts/{}", env!("CARGO_MANIFEST_DIR"), language.code());
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            for line in lines(&path) {
                if FOR_MODELS.iter().any(|key| *key == line.key) {
                    for_models += 1;
                } else if let Some(word) = machine_word(&line.text, language) {
                    found.push(format!("{}:{}: {word}", path.display(), line.number));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(for_models, FOR_MODELS.len() * Language::ALL.len());
}

/// Notes without any label: where their lines belong is asked.
fn prose(language: Language) -> &'static str {
    match language {
        Language::En => {
            "She wants somebody with three years in HR. The working day is advice to managers. The team has six people."
        }
        Language::Sv => {
            "Hon vill ha någon med tre års erfarenhet av HR. Arbetsdagen är rådgivning till chefer. Teamet har sex personer."
        }
        Language::Da => {
            "Hun vil have en med tre års erfaring med HR. Arbejdsdagen er rådgivning til ledere. Teamet har seks personer."
        }
        Language::No => {
            "Hun vil ha noen med tre års erfaring med HR. Arbeidsdagen er rådgivning til ledere. Teamet har seks personer."
        }
        Language::De => {
            "Sie möchte jemanden mit drei Jahren Erfahrung im Personalwesen. Der Alltag ist die Beratung von \
             Führungskräften. Das Team hat sechs Personen."
        }
    }
}

/// An ad, a screening template, a candidate report, and what stands above an ad to be reviewed.
fn wishes(language: Language) -> [&'static str; 4] {
    match language {
        Language::En => [
            "Write the job ad",
            "TA screening template please",
            "Write a candidate report from an interview",
            "Review the structure of this job ad:",
        ],
        Language::Sv => [
            "annons tack",
            "TA-screeningmall tack",
            "Skriva en kandidatrapport från en intervju",
            "Granska den här annonsen:",
        ],
        Language::Da => [
            "annonce tak",
            "TA-screeningskabelon tak",
            "Skrive en kandidatrapport ud fra en samtale",
            "Gennemgå denne annonce:",
        ],
        Language::No => [
            "annonse takk",
            "TA-screeningmal takk",
            "Skrive en kandidatrapport fra et intervju",
            "Gå gjennom denne annonsen:",
        ],
        Language::De => [
            "Anzeige bitte",
            "Fragen für das Recruiter-Interview",
            "Einen Interviewbericht schreiben",
            "Prüfe diese Anzeige:",
        ],
    }
}

/// Says something; the answer is in words of people, in the language that is spoken and in English.
fn say(talk: &Talk, language: Language, text: &str) {
    let (answer, asked) = talk.say_or_ask(text);
    assert!(!answer.is_empty() || asked.is_some(), "{language:?}: {text}");
    for language in [language, Language::En] {
        assert_eq!(machine_word(&answer, language), None, "{language:?}: {text}: {answer}");
    }
}

#[test]
fn sorting_is_asked_for_in_words_of_people() {
    for language in Language::ALL {
        let talk = Talk::new();
        say(&talk, language, wish(language));
        say(&talk, language, &format!("1: HR adviser\n2: {}", prose(language)));
        // Neither a place nor a line.
        say(&talk, language, "1-99 xyz");
    }
}

#[test]
fn a_recruitment_is_spoken_about_in_words_of_people() {
    const AD: &str = "We look for a network engineer.\n\nWhat you do\n- run the network\n\nApply today!";
    const TRANSCRIPT: &str = "Interviewer: Have you worked with BGP?\nAnna Lind: Yes.";
    for language in Language::ALL {
        let talk = Talk::new();
        let [ad, template, report, review] = wishes(language);
        // The team would be a field.
        let notes = notes(language).replace("field team", "team");
        say(&talk, language, wish(language));
        say(&talk, language, &format!("1: Network Engineer\n2: {notes}"));
        assert_eq!(talk.status(), "draft", "{language:?}");
        say(&talk, language, yes(language));
        assert_eq!(talk.status(), "confirmed", "{language:?}");
        say(&talk, language, ad);
        say(&talk, language, template);
        // A transcript that is too short, after a form that asks for it.
        say(&talk, language, report);
        say(&talk, language, &format!("1: Anna Lind\n2: 12 November 2026\n3: {TRANSCRIPT}"));
        let other = Talk::new();
        say(&other, language, &format!("{review}\n\n{AD}"));
        if language == Language::En {
            assert!(talk.document("job_ad").is_some() && other.document("job_ad_review").is_some());
        }
    }
}
