//! Measured on labelled sentences (`tests/withheld`), and what is withheld around them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    text: String,
    #[serde(default)]
    grounds: Vec<String>,
}

#[derive(Default)]
struct Count {
    right: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Count {
    fn of(sentences: &[Labelled], language: Language) -> Self {
        let mut count = Self::default();
        for sentence in sentences {
            let found = names(&find(&sentence.text, language));
            let right = sentence.grounds.iter().any(|ground| found.contains(ground));
            match (sentence.grounds.is_empty(), found.is_empty()) {
                (true, true) => {}
                (true, false) => count.wrong.push(format!("{} {found:?}", sentence.text)),
                (false, _) if right => count.right += 1,
                (false, _) => count.missed.push(format!("{} {found:?}", sentence.text)),
            }
        }
        count
    }

    fn recall(&self) -> f64 {
        share(self.right, self.missed.len())
    }

    fn precision(&self) -> f64 {
        share(self.right, self.wrong.len())
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
fn share(part: usize, rest: usize) -> f64 {
    part as f64 / (part + rest) as f64
}

fn names(found: &[Withheld]) -> Vec<String> {
    let grounds = found.iter().flat_map(|one| &one.grounds);
    grounds
        .map(|ground| match ground {
            Ground::Confidence => "confidence".to_owned(),
            Ground::Protected(category) => category.name().to_owned(),
        })
        .collect()
}

/// Specification 12.14: remarks in confidence and unlawful wishes are found, look-alikes are left alone.
#[test]
fn labelled_sentences_are_told_apart() {
    let files = [
        (Language::En, include_str!("../../tests/withheld/en.yaml")),
        (Language::Sv, include_str!("../../tests/withheld/sv.yaml")),
        (Language::Da, include_str!("../../tests/withheld/da.yaml")),
        (Language::No, include_str!("../../tests/withheld/no.yaml")),
        (Language::De, include_str!("../../tests/withheld/de.yaml")),
    ];
    let mut low = Vec::new();
    for (language, file) in files {
        let sentences: Vec<Labelled> = serde_saphyr::from_str(file).unwrap();
        let harmless = sentences.iter().filter(|sentence| sentence.grounds.is_empty()).count();
        assert!(sentences.len() >= 25 && harmless * 3 >= sentences.len(), "{language:?}");
        let count = Count::of(&sentences, language);
        let (recall, precision) = (count.recall(), count.precision());
        eprintln!(
            "{language:?}: {} sentences, recall {recall:.2}, precision {precision:.2}",
            sentences.len()
        );
        for text in &count.missed {
            eprintln!("  missed {text}");
        }
        for text in &count.wrong {
            eprintln!("  wrong {text}");
        }
        if recall < 0.9 || precision < 0.9 {
            low.push(language);
        }
    }
    assert!(low.is_empty(), "{low:?}");
}

/// The sentences that were written before the lists: measured and printed, all languages together.
#[test]
fn held_out_sentences_are_told_apart() {
    let file = include_str!("../../tests/withheld/held_out.yaml");
    let all: BTreeMap<String, Vec<Labelled>> = serde_saphyr::from_str(file).unwrap();
    let mut whole = Count::default();
    for (code, sentences) in &all {
        let count = Count::of(sentences, Language::wished(code).unwrap());
        eprintln!("{code}: recall {:.2}, precision {:.2}", count.recall(), count.precision());
        whole.right += count.right;
        whole.missed.extend(count.missed);
        whole.wrong.extend(count.wrong);
    }
    let (recall, precision) = (whole.recall(), whole.precision());
    eprintln!("held out: recall {recall:.2}, precision {precision:.2}");
    assert!(recall >= 0.7 && precision >= 0.9, "recall {recall:.2}, precision {precision:.2}");
}

#[test]
fn a_remark_withholds_what_it_points_to() {
    let check = |language: Language, text: &str, withheld: &[&str]| {
        let found: Vec<String> = find(text, language).into_iter().map(|one| one.text).collect();
        assert_eq!(found, withheld, "{text:?}");
    };
    check(
        Language::En,
        "> 4. Salary?\nBetween 58 000 and 66 000 SEK per month, depending. Don't put that I said 66, put up to 65.\n\n\
         > 5. Where?\nStockholm or Oslo.",
        &["Between 58 000 and 66 000 SEK per month, depending", "Don't put that I said 66, put up to 65"],
    );
    check(
        Language::Sv,
        "B-körkort är ett måste. Micke vill helst ha en yngre kille som orkar klättra i stolpar, men det kan vi väl inte \
         skriva. Svenska behövs.",
        &["Micke vill helst ha en yngre kille som orkar klättra i stolpar, men det kan vi väl inte skriva"],
    );
    check(
        Language::Da,
        "opgaver -> skrive i CRM\nløn: 29.500 + bonus (snit 3.000) ... Signe vil ikke ha det i annoncen\nopstart 4/1 el. 1/2",
        &["løn: 29.500 + bonus (snit 3.000", "Signe vil ikke ha det i annoncen"],
    );
    check(
        Language::De,
        "Jana muss noch die Beschreibung schicken\nletzte Stelleninhaberin ist nach Elternzeit nicht zurück – NICHT erwähnen",
        &["letzte Stelleninhaberin ist nach Elternzeit nicht zurück – NICHT erwähnen"],
    );
    check(
        Language::En,
        "Internal, not for the ad:\n- Anna was let go\n- the budget is tight\n\nMust have:\n- Java",
        &["Internal, not for the ad", "Anna was let go", "the budget is tight"],
    );
    check(
        Language::En,
        "Salary is 60k to 70k.\nStart in May.\nPlease do not put the salary in the ad.",
        &["Salary is 60k to 70k", "Please do not put the salary in the ad"],
    );
    check(
        Language::En,
        "We need somebody who can start in February. Between us: the last\none left after four weeks because of the boss.",
        &["Between us: the last\none left after four weeks because of the boss"],
    );
    check(
        Language::Da,
        "Lønnen er 45.000. Det skal ikke stå i annoncen. Vi er ni i teamet.",
        &["Lønnen er 45.000", "Det skal ikke stå i annoncen"],
    );
    check(Language::De, "-- \nDiese E-Mail kann vertrauliche Informationen enthalten.", &[]);
    check(Language::En, "", &[]);
}

/// In points of notes a mark takes its whole line, and what stands in the other lines stays.
#[test]
fn a_mark_takes_its_whole_line() {
    let check = |language: Language, line: &str| {
        let text = format!("- Excel\n{line}\n- SQL");
        let left = blanked(&text, &find(&text, language));
        let left: Vec<&str> = left.lines().collect();
        let gone = |text: &str| !text.contains(char::is_alphanumeric);
        assert!(matches!(left.as_slice(), ["- Excel", line, "- SQL"] if gone(line)), "{line}: {left:?}");
    };
    check(Language::En, "- one of the three is leaving, she doesn't know yet -> not a word to anyone");
    check(Language::En, "we lost a bank in August! It is not announced. DO NOT SHARE");
    check(Language::En, "- the office closes in May. This is confidential");
    check(Language::Sv, "omorg. i mars, 30 tjänster i Malmö bort – FÅR INTE UT");
    check(Language::Sv, "- Göran slutar till sommaren. Inte ett ord till någon");
    check(Language::Da, "D: en af de 5 har fået en skriftlig advarsel – SKAL IKKE VIDERE");
    check(Language::Da, "* kontoret lukker! Det bliver mellem os");
    check(Language::No, "- ulykken i Drammen er under etterforskning, IKKE ta den med");
    check(Language::No, "avdelingen flyttes. Ingen vet det -> skal ikke videre");
    check(
        Language::De,
        "Standort Flensburg wird 2027 geschlossen, die Leute wissen es noch nicht!!! NICHT weitergeben",
    );
    check(Language::De, "- zwei Kündigungen im Team. Kein Wort an irgendwen");
    check(Language::Da, "D vil helst ikke have en der lige er blevet gift, \"så er de på barsel om et år\"");
    check(Language::Sv, "- helst ingen nygift");
    check(Language::No, "- helst ikke en som nettopp har giftet seg");
    check(Language::De, "- lieber niemand, der gerade geheiratet hat");
    check(Language::En, "- rather not somebody newly married");
    check(Language::Sv, "!! EJ UT !! kvällspasset läggs på extern leverantör Q1 -27. varken annons el kand");
    check(Language::Da, "- kontoret lukker i maj, IKKE UD");
    check(Language::No, "- kontoret stenger i mai -> IKKE UT");
    check(Language::De, "- zwei gehen im Sommer. NICHT RAUS");
}

/// A sentence that says so before the remark itself.
#[test]
fn a_remark_may_begin_with_its_secrecy() {
    for (language, text) in [
        (Language::Sv, "En grej som absolut inte får gå vidare: vi byter ut Närkes Schakt, de vet inget."),
        (Language::Da, "En ting, som absolut ikke må gå videre: vi lukker kontoret i Odense."),
        (Language::No, "En ting som absolutt ikke må gå videre: vi legger ned kontoret i Bergen."),
        (Language::De, "Was auf keinen Fall weitergegeben werden darf: Wir schließen das Büro in Kiel."),
        (Language::En, "This must under no circumstances get out: we close the office in Cork."),
    ] {
        let left = blanked(text, &find(text, language));
        assert!(!left.contains(char::is_alphanumeric), "{left}");
    }
}

#[test]
fn a_quotation_keeps_its_closing_mark() {
    for (language, line) in [
        (Language::En, "M: \"would suit a woman, they prefer a woman only\""),
        (Language::Sv, "Petra: ”helst en yngre kille”"),
        (Language::De, "Voß: „bitte keinen mit Akzent, keine Ausländer“"),
    ] {
        let found = find(line, language);
        assert_eq!(found.first().map(|one| &*one.text), Some(line), "{found:?}");
    }
}

/// What only looks like a mark is left alone.
#[test]
fn other_lines_in_capitals_are_no_marks() {
    for (language, line) in [
        (Language::En, "- NOT SAP (old ad had it, drop it)"),
        (Language::Sv, "OBS! gamla annonsen krävde körkort – det behövs INTE"),
        (Language::Sv, "Man får inte ut kablarna utan tillstånd och behöver därför tålamod."),
        (Language::Da, "stillingen er forresten 37 t, ikke 32 (Dorthe har lige skrevet)"),
        (Language::No, "- kjører mye -> førerkort B er et krav (T glemte det først)"),
        (Language::De, "Homeoffice: geht nicht"),
        (Language::De, "Gehalt 36–41 T€ + Schichtzulage – kommt in die Anzeige"),
    ] {
        assert_eq!(find(line, language), [], "{line}");
    }
}

/// "Don't put that in the ad" after a pay is about that pay, and about no other sum.
#[test]
fn a_remark_after_a_pay_concerns_that_pay_alone() {
    for (language, pay, other) in [
        (
            Language::En,
            "- salary 48-55k SEK a month, please don't put that in the ad",
            "- own a budget, we're talking 20-30 MSEK",
        ),
        (Language::Sv, "- lön 48-55 000 kr/mån, skriv inte det i annonsen", "- äga en budget på 20-30 MSEK"),
        (
            Language::Da,
            "- løn 48-55.000 kr., det skal ikke stå i annoncen",
            "- eje et budget på 20-30 mio. kr.",
        ),
        (
            Language::No,
            "- lønn 48-55 000 kr, det skal ikke stå i annonsen",
            "- eie et budsjett på 20-30 millioner kroner",
        ),
        (
            Language::De,
            "- Gehalt 48.000-55.000 Euro, das soll nicht in die Anzeige",
            "- ein Budget von 20-30 Mio. Euro verantworten",
        ),
    ] {
        let text = format!("{pay}\n{other}");
        let left = blanked(&text, &find(&text, language));
        assert!(!left.contains("48") && left.contains(other), "{left}");
    }
}

#[test]
fn what_is_left_keeps_its_place() {
    let text = "Åsa söker en tekniker. Helst en yngre kille.\n- B-körkort";
    let found = find(text, Language::Sv);
    let left = blanked(text, &found);
    assert_eq!(left, format!("Åsa söker en tekniker. {}\n- B-körkort", " ".repeat(21)));
    assert_eq!(left.chars().count(), text.chars().count());
    assert!(find(&left, Language::Sv).is_empty());
}

proptest::proptest! {
    /// No text makes it fail, and blanking always keeps lines and lengths.
    #[test]
    fn any_text_is_read(text in "(?s)([a-zåäöü]{0,8}[ .:\n-]{1,3}|between us|yngre kille|under 35|don't write that){0,30}") {
        let found = find(&text, Language::En);
        let left = blanked(&text, &found);
        proptest::prop_assert_eq!(left.chars().count(), text.chars().count());
        proptest::prop_assert_eq!(left.lines().count(), text.lines().count());
        for one in &found {
            proptest::prop_assert!(one.start < one.end && !one.grounds.is_empty());
        }
    }
}

/// "Det skriver vi selvfølgelig ikke" and "Please keep that inside the building" were offered back without their remark.
#[test]
fn a_sentence_that_only_asks_for_silence_goes_with_the_one_before() {
    for (language, kept, remark, tail) in [
        (Language::En, "We are six.", "We lost a bank in August.", "Please keep that inside the building."),
        (Language::Sv, "Vi är sex.", "Vi tappade en bank i augusti.", "Det skriver vi förstås inte."),
        (Language::Da, "Vi er seks.", "Vi har tabt udbuddet i Esbjerg.", "Det skriver vi selvfølgelig ikke."),
        (Language::No, "Vi er seks.", "Vi mistet en bank i august.", "Det skriver vi selvfølgelig ikke."),
        (Language::De, "Wir sind sechs.", "Wir haben im August eine Bank verloren.", "Das bleibt im Haus."),
    ] {
        let text = format!("{kept} {remark} {tail}");
        let found: Vec<String> = find(&text, language).into_iter().map(|found| found.text).collect();
        let bare = |text: &str| text.trim_end_matches('.').to_owned();
        assert_eq!(found, [bare(remark), bare(tail)], "{text}");
    }
}

/// "This stays between us: …" took the pay before it out of the notes.
#[test]
fn a_remark_that_announces_what_follows_leaves_the_pay_before_it() {
    for (language, pay, remark) in [
        (
            Language::En,
            "Pay from 41,000 a month, write no upper end.",
            "This stays between us: two people are leaving.",
        ),
        (
            Language::Sv,
            "Lön från 41 000 i månaden, skriv inget tak.",
            "Detta stannar mellan oss: två slutar i vår.",
        ),
        (
            Language::Da,
            "Løn fra 41.000 om måneden, skriv intet loft.",
            "Det bliver mellem os: to holder op til foråret.",
        ),
        (
            Language::No,
            "Lønn fra 41 000 i måneden, skriv ikke noe tak.",
            "Det blir mellom oss: to slutter til våren.",
        ),
        (
            Language::De,
            "Gehalt ab 4.100 im Monat, keine Obergrenze.",
            "Das bleibt unter uns: zwei gehen im Frühjahr.",
        ),
    ] {
        for bullet in ["", "- "] {
            let text = format!("{bullet}{pay} {remark}");
            let found = find(&text, language);
            assert!(found.iter().all(|found| !found.text.contains('4')), "{text}: {found:?}");
            assert!(!found.is_empty(), "{text}");
        }
    }
}
