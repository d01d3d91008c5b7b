//! Answers: nothing panics, and what is printed is read back equal.

use jiff::civil::{Date, Time};
use proptest::prelude::*;
use tata_core::FieldKind as Kind;
use tata_guided::answer::{
    Answer, Bound, Context, Currency, Duration, Money, Period, Read, after_yes, is_talk, position_named, read,
};
use tata_language::Language;

fn languages() -> impl Strategy<Value = Language> {
    prop::sample::select(Language::ALL.to_vec())
}

fn days() -> impl Strategy<Value = Date> {
    (2000_i16..2100, 1_i8..=12, 1_i8..=28).prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
}

fn money() -> impl Strategy<Value = Money> {
    let currency =
        prop::sample::select(vec![Currency::Eur, Currency::Sek, Currency::Dkk, Currency::Nok, Currency::Gbp]);
    let period = prop::sample::select(vec![Period::Hour, Period::Month, Period::Year]);
    let sum =
        (1_u64..100_000_000, prop::option::of(0_u64..100_000_000), prop::sample::select(&Bound::ALL[..]));
    (sum, currency, period).prop_map(|((from, more, bound), currency, period)| {
        let to = more.map(|more| from + more);
        let bound = if to.is_some() { Bound::Exact } else { bound };
        Money { from, to, bound, currency, period }
    })
}

fn answers() -> impl Strategy<Value = Answer> {
    prop_oneof![
        days().prop_map(Answer::Date),
        (0_i8..24, 0_i8..60).prop_map(|(hour, minute)| Answer::Time(Time::new(hour, minute, 0, 0).unwrap())),
        (0_u32..1000, 0_u32..1000, 0_u32..1000)
            .prop_map(|(months, days, minutes)| Answer::Duration(Duration { months, days, minutes })),
        money().prop_map(Answer::Money),
        (0_u64..1_000_000_000).prop_map(Answer::Count),
        any::<bool>().prop_map(Answer::YesNo),
        "[A-ZÅÄÖ][a-zåäöß]{1,10}( [A-ZÆØ][a-zæø]{1,10}){0,3}".prop_map(Answer::Name),
        "[a-z]{1,8}(\\.[a-z]{1,8})?@[a-z]{2,8}\\.[a-z]{2,4}".prop_map(Answer::Email),
        prop::collection::vec("[A-Z][a-z]{4,10}( [0-9]{1,2},[0-9] [a-z]{4,9})?", 2..6).prop_map(Answer::List),
        "[A-Z][a-z]{3,9}( [a-z]{4,9}){2,6}\\.".prop_map(Answer::Text),
    ]
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back_equal(answer in answers(), language in languages(), today in days()) {
        let shown = answer.shown(language);
        let context = Context::new(language, today);
        prop_assert_eq!(read(kind(&answer), &shown, &context), Ok(Read::Certain(answer)), "{}", shown);
    }

    #[test]
    fn choices_are_read_back(labels in prop::collection::btree_set("[a-zåæ]{2,9}( [a-z]{2,9})?", 1..9), language in languages()) {
        let choices: Vec<String> = labels.into_iter().collect();
        let context = Context { choices: &choices, ..Context::new(language, Date::constant(2026, 11, 16)) };
        for (at, label) in choices.iter().enumerate() {
            let right = Ok(Read::Certain(Answer::Choice(label.clone())));
            prop_assert_eq!(&read(Kind::Choice, label, &context), &right);
            prop_assert_eq!(&read(Kind::Choice, &(at + 1).to_string(), &context), &right);
        }
    }

    #[test]
    fn nothing_panics(text in ".{0,80}", language in languages(), today in days()) {
        check_all(&text, language, today);
    }

    #[test]
    fn nothing_panics_on_what_looks_like_values(
        parts in prop::collection::vec(prop::sample::select(vec![
            "24", "11", "2026", "0", "99999999999999999999", ".", "/", "-", ":", ",", " ", "k", "kr", "€", "per month",
            "halv", "half", "to", "next", "torsdag", "Thursday", "om", "in", "weeks", "november", "den", "e", "th",
            "hundert", "tusen", "hundred", "und", "zwanzig", "h", "min", "pm", "?", "\n", "1.", "and", "og", "(", ")",
        ]), 0..12),
        language in languages(),
        today in days(),
    ) {
        check_all(&parts.concat(), language, today);
        check_all(&parts.join(" "), language, today);
    }
}

fn check_all(text: &str, language: Language, today: Date) {
    let choices = ["one", "two"].map(str::to_owned);
    let context = Context { choices: &choices, ..Context::new(language, today) };
    for kind in Kind::ALL {
        if let Ok(found) = read(kind, text, &context) {
            assert!(!found.readings().is_empty());
            assert!(found.readings().iter().all(|answer| self::kind(answer) == kind));
        }
    }
}

/// The kind of field that an answer belongs to.
fn kind(answer: &Answer) -> Kind {
    match answer {
        Answer::Date(_) => Kind::Date,
        Answer::Time(_) => Kind::Time,
        Answer::Duration(_) => Kind::Duration,
        Answer::Money(_) => Kind::Money,
        Answer::Count(_) => Kind::Count,
        Answer::Choice(_) => Kind::Choice,
        Answer::YesNo(_) => Kind::YesNo,
        Answer::Name(_) => Kind::Name,
        Answer::List(_) => Kind::List,
        Answer::Email(_) => Kind::Email,
        Answer::Text(_) => Kind::Text,
        Answer::Material(_) => Kind::Material,
    }
}

/// What was stored as a title or as a requirement once, and has kin that may.
#[test]
fn what_speaks_of_the_conversation_is_no_content() {
    let talk = [
        (
            Language::En,
            &[
                "I don't know yet",
                "not decided yet",
                "that is all she gave me",
                "no, remove that, number 2 is not a must-have",
                "hmm, I'm not sure about Hogia",
                "I'll tell you later",
                "to be confirmed",
            ][..],
        ),
        (
            Language::Sv,
            &[
                "jag vet inte än",
                "nej, så här menar jag: ta bort 1 och lägg till LOU/LUF",
                "det är inte bestämt ännu",
                "det var allt hon sa",
                "vet ej ännu",
            ],
        ),
        (
            Language::Da,
            &[
                "det har jeg ikke fået at vide endnu",
                "fjern den igen",
                "ved det ikke, må spørge",
                "ikke besluttet endnu",
            ],
        ),
        (
            Language::No,
            &[
                "det har jeg ikke fått vite ennå",
                "fjern den igjen",
                "ikke bestemt ennå",
                "det var alt hun ga meg",
            ],
        ),
        (
            Language::De,
            &[
                "weiß ich noch nicht",
                "das steht noch nicht fest",
                "das sind doch vier: Führerschein B, Spleißen, OTDR und Deutsch",
                "nein, nimm das raus",
                "mehr hat sie mir nicht gesagt",
            ],
        ),
    ];
    for (language, sentences) in talk {
        for sentence in sentences {
            assert!(is_talk(sentence, language), "{language:?}: {sentence}");
        }
    }
    let content = [
        (
            Language::En,
            &[
                "Network Engineer",
                "At least five years of buying",
                "You have run BGP",
                "ITIL 4",
                "No-code tools",
            ][..],
        ),
        (Language::Sv, &["Strategisk inköpare", "Van vid LOU/LUF", "B-körkort", "Vi söker dig som kan SQL"]),
        (Language::Da, &["Netværksingeniør", "Erfaring med QGIS", "Du kan SQL"]),
        (Language::No, &["Nettverksingeniør", "Erfaring med QGIS", "Du kan SQL"]),
        (Language::De, &["Netzwerktechniker", "Führerschein B", "Sie kennen BGP", "Deutsch"]),
    ];
    for (language, sentences) in content {
        for sentence in sentences {
            assert!(!is_talk(sentence, language), "{language:?}: {sentence}");
        }
    }
}

#[test]
fn the_head_of_notes_names_the_position() {
    for line in [
        "Position: Payroll Specialist",
        "Job title: Payroll Specialist",
        "Role = Payroll Specialist",
        "Recruiting: Payroll Specialist",
        "Tjänst: Payroll Specialist",
        "Titel: Payroll Specialist",
        "Stilling: Payroll Specialist",
        "**Stelle:** Payroll Specialist",
        "Tittel: Payroll Specialist",
        "# Payroll Specialist",
    ] {
        assert_eq!(position_named(line), Some("Payroll Specialist"), "{line}");
    }
    for line in [
        "# Requirements",
        "Must have: SQL",
        "Position:",
        "Team: 5",
        "Payroll Specialist",
        "Position: which one?",
    ] {
        assert_eq!(position_named(line), None, "{line}");
    }
}

#[test]
fn a_yes_may_go_on() {
    for (language, said, rest) in [
        (Language::En, "yes please, write the ad", Some("write the ad")),
        (Language::De, "ja, bitte anzeige", Some("anzeige")),
        (Language::Sv, "ja, skriv intervjumallen", Some("skriv intervjumallen")),
        (Language::En, "write the ad", None),
        (Language::En, "yes", None),
    ] {
        assert_eq!(after_yes(said, language), rest, "{said}");
    }
}
