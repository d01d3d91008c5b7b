//! Notes as people write them: what stands under a label or a heading is read, all else is shown to be sorted.

use tata_recruit::{Item, Language, Source, Sources, read_requirements};

fn read(notes: &str, language: Language) -> tata_recruit::Requirements {
    read_requirements(&Sources::default().with(Source::StartupNotes, Some(notes)), language)
}

fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

#[test]
fn every_statement_is_where_it_says() {
    let notes = "Network Engineer\n\nMust have:\n- budget responsibility\n- SQL, Python and Excel. Daily.\n- Englisch B2, wg. Konzern\n\
                 - B licence\n\nTasks\n* Run the network\n\nThe team sits on floor 4.";
    let sources = Sources::default().with(Source::StartupNotes, Some(notes));
    let found = read_requirements(&sources, Language::En);
    assert_eq!(
        texts(&found.profile.must_have_skills),
        ["budget responsibility", "SQL, Python and Excel. Daily.", "Englisch B2, wg. Konzern", "B licence"]
    );
    assert_eq!(texts(&found.profile.primary_responsibilities), ["Run the network"]);
    assert_eq!(texts(&found.unsorted), ["Network Engineer", "The team sits on floor 4."]);
    let all = [&found.profile.must_have_skills, &found.profile.primary_responsibilities, &found.unsorted];
    assert!(all.into_iter().flatten().all(|item| item.holds(&sources)));
}

/// Trial 2.6: what was read out of prose once, and wrongly.
#[test]
fn prose_is_never_guessed_at() {
    for (language, notes) in [
        (Language::No, "Ingvild ønsker oppstart 1. mars, og hun må ha beskjed om annonsetekst før fredag."),
        (Language::En, "And fluent English, the team is spread over four countries. Swedish is a must."),
        (
            Language::Sv,
            "Micke vill helst ha en yngre kille som orkar klättra i stolpar, men det kan vi väl inte skriva..",
        ),
        (Language::De, "Deutsch muss so gut sein, dass er mit Kunden reden kann."),
        (Language::Da, "Det er et krav at man har haft budgetansvar, for det er cirka 40 millioner om året."),
    ] {
        let found = read(notes, language);
        assert!(
            found.profile.must_have_skills.is_empty() && found.profile.good_to_haves.is_empty(),
            "{notes}: {found:?}"
        );
        let shown = texts(&found.unsorted).join(" ");
        let letters = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(letters(&shown), letters(notes), "no line is lost");
    }
}

#[test]
fn sources_that_differ_are_both_shown() {
    let sources = Sources::default()
        .with(Source::StartupNotes, Some("Must have:\n- 5 years of network operations\nTeam: 7 people"))
        .with(
            Source::HiringManagerInput,
            Some("Must have:\n- 3 years of network operations\nTeam: 9 people"),
        );
    let found = read_requirements(&sources, Language::En);
    let pairs: Vec<(&str, &str)> =
        found.contradictions.iter().map(|(one, other)| (one.text.as_str(), other.text.as_str())).collect();
    assert!(pairs.contains(&("5 years of network operations", "3 years of network operations")), "{pairs:?}");
    assert!(pairs.contains(&("7 people", "9 people")), "{pairs:?}");
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Case {
    startup_notes: String,
    expected: Expected,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Expected {
    must_haves: Vec<Wanted>,
    good_to_haves: Vec<String>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Wanted {
    text: String,
}

/// The share of must-haves under labels and headings that a person would call must-haves, in notes by three groups of
/// writers. Prose counts neither way: it is sorted by the person.
/// `cargo nextest run -p tata-recruit -E 'test(what_labels_say_is_right)' --no-capture` prints the figures.
#[test]
fn what_labels_say_is_right() {
    let words = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    for language in Language::ALL {
        let (mut found, mut right, mut lines, mut wrong) = (0, 0, 0, Vec::new());
        for group in ["notes", "notes-others", "notes-third"] {
            let folder = format!("{}/tests/{group}/{}", env!("CARGO_MANIFEST_DIR"), language.code());
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let text = std::fs::read_to_string(&path).unwrap();
                let case: Case = tata_core::from_yaml(&path.display().to_string(), &text).unwrap();
                let read = read(&case.startup_notes, language);
                lines += read.unsorted.len();
                for item in &read.profile.must_have_skills {
                    found += 1;
                    let said = words(&item.text);
                    let fits = |wanted: &String| {
                        let wanted = words(wanted);
                        said.contains(&wanted) || wanted.contains(&said)
                    };
                    if case.expected.must_haves.iter().any(|wanted| fits(&wanted.text)) {
                        right += 1;
                    } else if !case.expected.good_to_haves.iter().any(fits) {
                        wrong.push(item.text.clone());
                    }
                }
            }
        }
        println!(
            "{}: {right} of {found} right, {lines} lines to sort; not wanted: {wrong:?}",
            language.code()
        );
        assert!(found >= 10 && right * 100 >= found * 85, "{language:?}: {right} of {found}: {wrong:?}");
    }
}
