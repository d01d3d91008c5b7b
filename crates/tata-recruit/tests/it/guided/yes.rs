//! Only a yes confirms (trial 2.1), and nothing is swallowed (trial 2.3).

use tata_recruit::Language;

use super::talk::Talk;

/// What confirmed a profile once, or has kin that may.
const NO_YES: [(Language, &[&str]); 5] = [
    (
        Language::En,
        &[
            "not sure",
            "is that right?",
            "swap 1 and 2",
            "1 and 2 are too strict",
            "yes except number 2",
            "yes, but number 3 is too strict",
            "start date 1 February",
            "1",
            "what do you mean?",
            "I don't know",
            "who are you?",
            "maybe",
            "looks good?",
        ],
    ),
    (
        Language::Sv,
        &[
            "stämmer det?",
            "ja förutom nummer 2",
            "inte säker",
            "ja, men ta bort trean",
            "1 och 2 är för hårda",
            "startdatum 1 februari",
            "vad menar du?",
            "vet inte",
            "1",
        ],
    ),
    (
        Language::Da,
        &[
            "er det rigtigt?",
            "ja undtagen nummer 2",
            "ikke sikker",
            "ja, men nummer 3 er for strengt",
            "det ved jeg ikke",
            "1",
        ],
    ),
    (
        Language::No,
        &[
            "stemmer det?",
            "ja bortsett fra nummer 2",
            "ikke sikker",
            "ja, men nummer 3 er for strengt",
            "vet ikke",
            "1",
        ],
    ),
    (
        Language::De,
        &[
            "bin mir nicht sicher",
            "stimmt das?",
            "ja, außer Nummer 2",
            "ja, aber Nummer 3 ist zu streng",
            "weiß nicht",
            "Beginn 1. Februar",
            "1",
        ],
    ),
];

const YES: [(Language, &[&str]); 5] = [
    (Language::En, &["yes", "Yes, that is right.", "confirmed", "looks good"]),
    (Language::Sv, &["ja", "Ja, det stämmer.", "godkänn"]),
    (Language::Da, &["ja", "Ja, det er rigtigt", "godkendt"]),
    (Language::No, &["ja", "Ja, det stemmer", "Bekreftet!"]),
    (Language::De, &["ja", "Ja, das stimmt.", "passt so"]),
];

#[test]
fn less_than_a_yes_confirms_nothing() {
    for (language, sentences) in NO_YES {
        for sentence in sentences {
            let talk = Talk::with_draft(language);
            let before = talk.document("requirement_profile").unwrap();
            let answer = talk.say(sentence);
            assert!(!answer.is_empty(), "{sentence}");
            assert_eq!(talk.status(), "draft", "{language:?}: {sentence}: {answer}");
            assert_eq!(
                talk.document("requirement_profile").unwrap(),
                before,
                "{language:?}: {sentence}: {answer}"
            );
        }
    }
}

#[test]
fn a_yes_confirms() {
    for (language, sentences) in YES {
        for sentence in sentences {
            let talk = Talk::with_draft(language);
            let answer = talk.say(sentence);
            assert_eq!(talk.status(), "confirmed", "{language:?}: {sentence}: {answer}");
        }
    }
}

/// Sentences of the held-out set that want nothing change nothing, in the situation in which most can go wrong.
#[test]
fn what_wants_nothing_changes_nothing() {
    for language in Language::ALL {
        let path = format!("{}/../tata-guided/training/held-out", env!("CARGO_MANIFEST_DIR"));
        let mut sentences = Vec::new();
        for file in
            [format!("{path}/{}.txt", language.code()), format!("{path}/more/{}.txt", language.code())]
        {
            let text = std::fs::read_to_string(&file).unwrap().replace("\n    ", " ");
            let none = text.lines().filter_map(|line| line.strip_prefix("none\t"));
            sentences.extend(none.map(str::to_owned));
        }
        let (mut changed, mut asked) = (Vec::new(), 0);
        let mut talk = Talk::with_draft(language);
        let before = talk.document("requirement_profile").unwrap();
        for sentence in &sentences {
            let (_, question) = talk.say_or_ask(sentence);
            if talk.document("requirement_profile").unwrap() != before {
                changed.push(sentence.clone());
            }
            // A face asks whether this was a yes; nobody answers.
            if question.is_some() {
                asked += 1;
                talk = Talk::with_draft(language);
            }
        }
        println!(
            "{}: {} sentences that want nothing, {} changed something, {asked} were asked about",
            language.code(),
            sentences.len(),
            changed.len()
        );
        assert!(asked * 20 <= sentences.len(), "{language:?}: too many are taken for a yes");
        assert!(sentences.len() >= 5, "{language:?}");
        assert!(changed.len() * 100 <= sentences.len(), "{language:?}: {changed:?}");
    }
}

/// Clear confirmations and clean changes by writers who had not seen the program (`tests/said`), a conversation each.
///
/// All six sets were worked on and are no measure any more. What they gave when they were new: `unseen` 65 to 85 of 100;
/// `third`, which names items by other words for them, by translations and reasons, 80 to 92 confirmations and 16 to 52
/// changes; `fourth`, clean wordings, 84 to 96 and 76 to 92; `fifth` 80 to 93 and 57 to 87; `sixth`, the first after what is
/// wanted was learned from sentences with slots, 90 to 97 and 83 to 93. The floors are what was reached, so that it does
/// not get worse.
/// `cargo nextest run --workspace -E 'test(clear_words_are_followed)' --no-capture` prints the figures.
#[test]
fn clear_words_are_followed() {
    let mut low = Vec::new();
    let sets = Language::ALL.into_iter().flat_map(|language| {
        ["", "unseen/", "third/", "fourth/", "fifth/", "sixth/"].map(|set| (language, set))
    });
    for (language, set) in sets {
        let path = format!("{}/tests/said/{set}{}.txt", env!("CARGO_MANIFEST_DIR"), language.code());
        let text = std::fs::read_to_string(&path).unwrap();
        let (mut yes, mut edits, mut wrong, mut once_more) = ((0, 0), (0, 0), 0, 0);
        for line in text.lines().filter(|line| !line.is_empty()) {
            let fields: Vec<&str> = line.split('\t').collect();
            let talk = Talk::with_draft(language);
            let (answer, asked) = talk.say_or_ask(fields[1]);
            let done = if fields[0] == "yes" {
                yes.1 += 1;
                // What is no plain yes is asked about once more, with exactly what is decided.
                let done = talk.status() == "confirmed" || asked.is_some();
                once_more += usize::from(asked.is_some());
                yes.0 += usize::from(done);
                done
            } else {
                edits.1 += 1;
                let before = talk.list("must_have_skills");
                // Four must-haves count: when one goes, the program asks what takes its place.
                if fields[2] == "must_have_skills" && fields[4].is_empty() && answer.contains(fields[3]) {
                    talk.say_or_ask("Cisco IOS");
                }
                talk.say_or_ask(agreement(language));
                let list = talk.list(fields[2]);
                let has = |text: &str| list.iter().any(|item| item == text);
                let done =
                    (fields[3].is_empty() || !has(fields[3])) && (fields[4].is_empty() || has(fields[4]));
                edits.0 += usize::from(done);
                // A change that was made must be the one that was asked for.
                wrong += usize::from(!done && talk.list("must_have_skills") != before);
                done
            };
            if !done {
                println!(
                    "  {}: {:?}: {}",
                    language.code(),
                    fields[1],
                    answer.lines().next().unwrap_or_default()
                );
            }
        }
        let code = language.code();
        println!(
            "{code} {set}: confirmed {} of {} ({once_more} asked about once more), changed {} of {}, wrongly {wrong}",
            yes.0, yes.1, edits.0, edits.1
        );
        let (least_yes, least_edits, most_wrong) = match set {
            "" => (96, 92, 0),
            "unseen/" => (100, 95, 1),
            "third/" => (80, 60, 2),
            "fifth/" => (93, 100, 0),
            "sixth/" => (90, 86, 1),
            _ => (84, 92, 0),
        };
        if wrong > most_wrong || yes.0 * 100 < yes.1 * least_yes || edits.0 * 100 < edits.1 * least_edits {
            low.push(format!("{code} {set}"));
        }
    }
    assert!(low.is_empty(), "fewer done than were, or one done wrongly: {low:?}");
}

fn agreement(language: Language) -> &'static str {
    if language == Language::En { "yes" } else { "ja" }
}

/// A yes and the next wish in one breath were answered by a menu.
#[test]
fn a_yes_with_the_next_wish_is_asked_about_once_and_does_both() {
    for (language, said) in [
        (Language::En, "yes please, write the ad"),
        (Language::Sv, "ja tack, skriv annonsen"),
        (Language::Da, "ja tak, skriv annoncen"),
        (Language::No, "ja takk, skriv annonsen"),
        (Language::De, "ja bitte, schreib die Anzeige"),
    ] {
        let talk = Talk::with_draft(language);
        let answer = talk.say_and_let_run(said);
        assert_eq!(talk.status(), "confirmed", "{language:?}: {answer}");
        assert!(talk.document("job_ad").is_some(), "{language:?}: {answer}");
    }
}

#[test]
fn a_yes_with_a_reservation_confirms_nothing() {
    let talk = Talk::with_draft(Language::En);
    for said in ["yes, but change number 2", "yes, and write the ad without number 3?"] {
        let (answer, _) = talk.say_or_ask(said);
        assert_eq!(talk.status(), "draft", "{said}: {answer}");
    }
}
