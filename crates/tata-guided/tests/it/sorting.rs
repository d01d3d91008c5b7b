//! Notes, cut and sorted.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tata_guided::sort::{BadSorting, Notes, Place, Role, Sorting};
use tata_language::Language;

fn shown(notes: &str, language: Language) -> Vec<(String, Option<Place>)> {
    Notes::cut(notes, language).lines().map(|line| (line.text.clone(), line.place)).collect()
}

fn check(notes: &str, language: Language, expected: &[(&str, Option<Place>)]) {
    let expected: Vec<_> = expected.iter().map(|(text, place)| ((*text).to_owned(), *place)).collect();
    assert_eq!(shown(notes, language), expected);
}

#[test]
fn labels_headings_and_bullets_say_where_lines_belong() {
    use Place::{Good, Must, Pay, Task};
    check(
        "Must have:\n- budget responsibility\n- SQL, Python and Excel. Daily.\n\nNice to have\n* German\n\nPay: 45-52k SEK a month\n\nThe team sits on floor 4. Call Anna.",
        Language::En,
        &[
            ("budget responsibility", Some(Must)),
            ("SQL, Python and Excel. Daily.", Some(Must)),
            ("German", Some(Good)),
            ("45-52k SEK a month", Some(Pay)),
            ("The team sits on floor 4.", None),
            ("Call Anna.", None),
        ],
    );
    check(
        "Krav: Englisch B2, wg. Konzern\nArbetsuppgifter:\n• Köra löner\n  för tre bolag\n• Stötta chefer",
        Language::Sv,
        &[
            ("Englisch B2, wg. Konzern", Some(Must)),
            ("Köra löner\n  för tre bolag", Some(Task)),
            ("Stötta chefer", Some(Task)),
        ],
    );
}

#[test]
fn underlined_headings_and_headings_that_explain_are_read() {
    use Place::{Good, Must};
    check(
        "Grundkrav, utan dessa går vi inte vidare\n-----\n- QGIS\n- SQL\n\nMeriterande (inget måste):\n- FME\n",
        Language::Sv,
        &[("QGIS", Some(Must)), ("SQL", Some(Must)), ("FME", Some(Good))],
    );
    check(
        "Must have\n=====\nThree years of QGIS\nSQL against PostGIS\n\nLunch is at noon",
        Language::En,
        &[
            ("Three years of QGIS", Some(Must)),
            ("SQL against PostGIS", Some(Must)),
            ("Lunch is at noon", None),
        ],
    );
    check(
        "> Must have:\n> * QGIS\n> * SQL\n>\n> Lunch is at noon\n\nMust have:\n- FME\n(Kim was not sure.)",
        Language::En,
        &[
            ("QGIS", Some(Must)),
            ("SQL", Some(Must)),
            ("Lunch is at noon", None),
            ("FME", Some(Must)),
            ("(Kim was not sure.)", None),
        ],
    );
}

/// Two lines under one heading are two, and one that the edge of a page ended goes on.
#[test]
fn lines_under_a_heading_stay_lines() {
    use Place::{Good, Must, Task};
    check(
        "Must have:\nThree years of QGIS\nSQL against PostGIS\nA driving licence",
        Language::En,
        &[
            ("Three years of QGIS", Some(Must)),
            ("SQL against PostGIS", Some(Must)),
            ("A driving licence", Some(Must)),
        ],
    );
    check(
        "Aufgaben:\nFührt die Gespräche mit den Lieferanten in Norddeutschland und\nDänemark\nSchreibt Berichte",
        Language::De,
        &[
            ("Führt die Gespräche mit den Lieferanten in Norddeutschland und\nDänemark", Some(Task)),
            ("Schreibt Berichte", Some(Task)),
        ],
    );
    check(
        "I need someone for the team in\nMalmö. Must have: BGP; Linux. Nice to have: German. Tasks: run the network",
        Language::En,
        &[
            ("I need someone for the team in", None),
            ("Malmö.", None),
            ("BGP", Some(Must)),
            ("Linux", Some(Must)),
            ("German.", Some(Good)),
            ("run the network", Some(Task)),
        ],
    );
}

#[test]
fn an_unknown_heading_ends_a_section() {
    check(
        "Aufgaben:\n- Löhne abrechnen\nSonstiges:\n- Kaffee kochen",
        Language::De,
        &[("Löhne abrechnen", Some(Place::Task)), ("Sonstiges:", None), ("Kaffee kochen", None)],
    );
}

#[test]
fn the_person_sorts_in_five_languages() {
    use Place::{Must, Out, Reason, Task};
    let said = [
        (Language::En, "1,4 must; 2-3 task; 7 reason; rest out"),
        (Language::Sv, "1,4 krav; 2-3 uppgift; 7 skäl; resten bort"),
        (Language::Da, "1 og 4 krav; 2-3 opgave; 7 grund; resten ud"),
        (Language::No, "1 og 4 krav; 2 til 3 oppgave; 7 grunn; resten ut"),
        (Language::De, "1 und 4 Muss; 2 bis 3 Aufgabe; 7 Grund; Rest raus"),
        (Language::En, "must: 1 and 4\ntask: 2-3\nreason: 7\nrest: out"),
        (Language::En, "1, 4 must have, 2-3 tasks, 7 reason, the rest out."),
    ];
    let placed = BTreeMap::from([(1, Must), (2, Task), (3, Task), (4, Must), (7, Reason)]);
    for (language, said) in said {
        let expected = Sorting { placed: placed.clone(), rest: Some(Out) };
        assert_eq!(Sorting::read(said, 8, language), Ok(expected), "{said}");
    }
}

#[test]
fn a_sorting_that_cannot_be_followed_says_why() {
    let read = |said: &str| Sorting::read(said, 5, Language::En).unwrap_err();
    assert_eq!(read("1,9 must"), BadSorting::NoSuchLine { number: 9, count: 5 });
    assert_eq!(read("1 must; 1 task"), BadSorting::Twice { number: 1 });
    assert_eq!(read("1,2"), BadSorting::NoPlace { number: 1 });
    assert_eq!(read("must"), BadSorting::NoLines);
    assert_eq!(read("1 maybe"), BadSorting::UnknownWord { word: "maybe".to_owned() });
    assert_eq!(read("4-2 must"), BadSorting::Backwards { from: 4, to: 2 });
    assert_eq!(read(" ; "), BadSorting::Empty);
    assert_eq!(read("rest out; rest must"), BadSorting::Twice { number: 0 });
}

#[test]
fn sorting_keeps_what_labels_said_and_the_form_shows_it() {
    let mut notes = Notes::cut("Must: SQL\nNice team.\nCoffee.", Language::En);
    notes.sort(&Sorting::read("2 reason; rest out", 3, Language::En).unwrap());
    let places: Vec<_> = notes.lines().map(|line| line.place).collect();
    assert_eq!(places, [Some(Place::Must), Some(Place::Reason), Some(Place::Out)]);
    assert_eq!(notes.unsorted(), 0);
    let form = notes.form().needs_input();
    let first = &form["form"]["fields"][0];
    assert_eq!(
        (&first["id"], &first["proposed"], &first["span"]),
        (&"line_1".into(), &"must".into(), &serde_json::json!([6, 9]))
    );
}

#[test]
fn many_lines_take_no_time_to_speak_of() {
    let mut notes = Notes::cut(&"The team is nice. It is.\n".repeat(20_000), Language::En);
    let count = notes.lines().count();
    assert_eq!(count, 40_000);
    notes.sort(&Sorting::read("1-39999 task; rest out", count, Language::En).unwrap());
    assert_eq!(notes.unsorted(), 0);
}

/// Which characters are layout: the marks before a line of a quoted mail, and lines of nothing but strokes.
fn layout(text: &str) -> Vec<bool> {
    let ends = ['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}', '\u{85}'];
    let mut found = Vec::new();
    for line in text.split_inclusive(ends) {
        let letters: Vec<char> = line.chars().collect();
        let before = letters.iter().take_while(|letter| matches!(letter, '>' | ' ' | '\t')).count();
        let rest: String = letters[before..].iter().collect();
        let rest = rest.trim();
        let mark = rest.chars().next().filter(|mark| "-=_~".contains(*mark));
        let strokes = rest.len() >= 3 && mark.is_some_and(|mark| rest.chars().all(|letter| letter == mark));
        found.extend((0..letters.len()).map(|at| at < before || strokes));
    }
    found
}

fn covered(text: &str, language: Language) {
    let notes = Notes::cut(text, language);
    let letters: Vec<char> = text.chars().collect();
    let mut times = vec![0_u8; letters.len()];
    for piece in &notes.pieces {
        for count in &mut times[piece.span.start..piece.span.end] {
            *count += 1;
        }
        let content: String = letters[piece.content.start..piece.content.end].iter().collect();
        assert_eq!(content, piece.text);
        assert!(piece.span.start <= piece.content.start && piece.content.end <= piece.span.end);
        assert!(piece.role == Role::Heading || piece.span.start < piece.span.end);
    }
    let layout = layout(text);
    for (at, letter) in letters.iter().enumerate() {
        let blank = letter.is_whitespace() || layout[at];
        assert!(
            times[at] == 1 || (blank && times[at] <= 1),
            "{letter:?} at {at} is in {} pieces of {text:?}",
            times[at]
        );
    }
}

proptest! {
    #[test]
    fn no_character_is_lost_or_doubled(text in "(?s).{0,200}", language in prop::sample::select(Language::ALL.to_vec())) {
        covered(&text, language);
    }

    #[test]
    fn no_character_of_notes_is_lost_or_doubled(
        parts in prop::collection::vec(prop::sample::select(vec![
            "Must have:", "Krav", "Pay: 45k", "- SQL", "-", "* ", "1. Excel", "12) x", "The team is nice. It is Dr. Berg.",
            "ca. 3 år", "**Aufgaben**", "# Must", "   indented on", "\n", "\n\n", "\r\n", " ", "?", "!", "...", "\u{a0}", "•x", "o y",
            "\t", "Must:", ":", "\u{2028}", "a: b: c", "http://x.se/a", "å",
        ]), 0..25),
        language in prop::sample::select(Language::ALL.to_vec()),
    ) {
        covered(&parts.concat(), language);
    }

    #[test]
    fn no_sorting_panics(said in ".{0,60}", count in 0_usize..20, language in prop::sample::select(Language::ALL.to_vec())) {
        if let Ok(sorting) = Sorting::read(&said, count, language) {
            prop_assert!(sorting.placed.keys().all(|number| (1..=count).contains(number)));
        }
    }
}

/// A label took every sentence behind it: "We are eight in the team" stood among the personal qualities.
#[test]
fn a_label_holds_until_the_subject_changes() {
    use Place::{Date, Must, Pay, Process, Trait};
    check(
        "Soft: calm, structured. We are eight in the team.",
        Language::En,
        &[("calm, structured.", Some(Trait)), ("We are eight in the team.", None)],
    );
    check(
        "Egenskaper: nyfiken, rak och tålmodig. Vi är åtta i teamet.",
        Language::Sv,
        &[("nyfiken, rak och tålmodig.", Some(Trait)), ("Vi är åtta i teamet.", None)],
    );
    check(
        "Person: omhyggelig og diskret. Vi er otte i teamet.",
        Language::Da,
        &[("omhyggelig og diskret.", Some(Trait)), ("Vi er otte i teamet.", None)],
    );
    check(
        "Egensk.: ryddig og ærlig. Vi er åtte på avdelingen.",
        Language::No,
        &[("ryddig og ærlig.", Some(Trait)), ("Vi er åtte på avdelingen.", None)],
    );
    check(
        "Eigensch.: gründlich, verbindlich. Wir sind zu acht.",
        Language::De,
        &[("gründlich, verbindlich.", Some(Trait)), ("Wir sind zu acht.", None)],
    );
    check(
        "Must have: three years of SQL. Fluent Swedish. And they need to own a budget.\nPay: 48–53 000 SEK a month. For the right one I could go to 60 000.",
        Language::En,
        &[
            ("three years of SQL.", Some(Must)),
            ("Fluent Swedish.", Some(Must)),
            ("And they need to own a budget.", Some(Must)),
            ("48–53 000 SEK a month.", Some(Pay)),
            ("For the right one I could go to 60 000.", None),
        ],
    );
    check(
        "Ablauf: erst Sie, dann ich. Bewerbungsschluss ist der 20. Dezember 2026.",
        Language::De,
        &[
            ("erst Sie, dann ich.", Some(Process)),
            ("Bewerbungsschluss ist der 20. Dezember 2026.", Some(Date)),
        ],
    );
}

/// Pay, the start, the last day to apply and what the recruiter has to do were tasks when they stood below the tasks.
#[test]
fn a_line_of_another_kind_is_no_task() {
    use Place::{Date, Employment, Pay, Task};
    check(
        "Tasks:\n- run the network\n- salary 45–52k SEK a month\n- start 1 March 2027\n- last day to apply 10 January\n- permanent, full time\n- Anna on holiday wk 48, needs ad text by Fri",
        Language::En,
        &[
            ("run the network", Some(Task)),
            ("salary 45–52k SEK a month", Some(Pay)),
            ("start 1 March 2027", Some(Date)),
            ("last day to apply 10 January", Some(Date)),
            ("permanent, full time", Some(Employment)),
            ("Anna on holiday wk 48, needs ad text by Fri", None),
        ],
    );
    check(
        "Arbetsuppgifter:\n- köra löner\n- lön 38 000–44 000 kr\n- start 1/3\n- sista ansökningsdag 18 december\n- Petra har semester v. 47",
        Language::Sv,
        &[
            ("köra löner", Some(Task)),
            ("lön 38 000–44 000 kr", Some(Pay)),
            ("start 1/3", Some(Date)),
            ("sista ansökningsdag 18 december", Some(Date)),
            ("Petra har semester v. 47", None),
        ],
    );
    check(
        "Opgaver:\n- køre løn\n- løn 38.000-42.000 kr.\n- start 1/3-27\n- ansøgningsfrist 13. december\n- opslag ude senest fredag",
        Language::Da,
        &[
            ("køre løn", Some(Task)),
            ("løn 38.000-42.000 kr.", Some(Pay)),
            ("start 1/3-27", Some(Date)),
            ("ansøgningsfrist 13. december", Some(Date)),
            ("opslag ude senest fredag", None),
        ],
    );
    check(
        "Oppgaver:\n- vernerunder\n- lønn 620 000–700 000\n- oppstart 1. februar\n- søknadsfrist 3. januar\n- T på ferie uka etter",
        Language::No,
        &[
            ("vernerunder", Some(Task)),
            ("lønn 620 000–700 000", Some(Pay)),
            ("oppstart 1. februar", Some(Date)),
            ("søknadsfrist 3. januar", Some(Date)),
            ("T på ferie uka etter", None),
        ],
    );
    check(
        "Aufgaben:\n- Einsätze planen\n- Gehalt 36.000–41.000 Euro\n- ab 1.2.2027\n- Bewerbungsschluss 20. Dezember\n- Herr Voß ist im Urlaub",
        Language::De,
        &[
            ("Einsätze planen", Some(Task)),
            ("Gehalt 36.000–41.000 Euro", Some(Pay)),
            ("ab 1.2.2027", Some(Date)),
            ("Bewerbungsschluss 20. Dezember", Some(Date)),
            ("Herr Voß ist im Urlaub", None),
        ],
    );
    // A budget is a task, and so is what only begins like a day.
    check(
        "Tasks:\n- budget of 6 000 000 SEK\n- start new sites",
        Language::En,
        &[("budget of 6 000 000 SEK", Some(Task)), ("start new sites", Some(Task))],
    );
}

/// "NOT SAP (old ad had it, drop it)" and "– no wait, scrap" were proposed as requirements.
#[test]
fn what_notes_take_back_has_no_place() {
    use Place::{Must, Trait};
    check(
        "Must have:\n- SQL\n- SAP (old ad had it, drop it)\nSoft: practical, not afraid of heights – no wait, that was the tech role, scrap",
        Language::En,
        &[
            ("SQL", Some(Must)),
            ("SAP (old ad had it, drop it)", None),
            ("practical", Some(Trait)),
            ("not afraid of heights – no wait, that was the tech role, scrap", None),
        ],
    );
    check(
        "Krav: SQL; körkort – nej vänta, stryk det",
        Language::Sv,
        &[("SQL", Some(Must)), ("körkort – nej vänta, stryk det", None)],
    );
    check(
        "Krav: SQL; kørekort (drop det)",
        Language::Da,
        &[("SQL", Some(Must)), ("kørekort (drop det)", None)],
    );
    check(
        "Krav: SQL; førerkort – stryk det",
        Language::No,
        &[("SQL", Some(Must)), ("førerkort – stryk det", None)],
    );
    check(
        "Muss: SQL; Führerschein – nein, Moment, streichen",
        Language::De,
        &[("SQL", Some(Must)), ("Führerschein – nein, Moment, streichen", None)],
    );
}

/// Lines among points were glued together, and labelled ones were cut at abbreviations.
#[test]
fn each_line_among_points_is_one_and_abbreviations_end_nothing() {
    use Place::{Good, Must, Team};
    check(
        "KRAV: 3 års erf. m. løn / kender DanLøn el. Visma\nOBS pension: 10 % eller 12 % -> tjek\nstillingen er forresten 37 t, ikke 32\nopslag ude senest fredag",
        Language::Da,
        &[
            ("3 års erf. m. løn", Some(Must)),
            ("kender DanLøn el. Visma", Some(Must)),
            ("OBS pension: 10 % eller 12 % -> tjek", None),
            ("stillingen er forresten 37 t, ikke 32", None),
            ("opslag ude senest fredag", None),
        ],
    );
    check(
        "MUSS: kfm. od. techn. Ausbildung / sicher am PC\nTeam 8 Leute, Chef ist T. Hinrichs\nruft Kunden an\nWE doch nur jedes 5. (Voß korrigiert)",
        Language::De,
        &[
            ("kfm. od. techn. Ausbildung", Some(Must)),
            ("sicher am PC", Some(Must)),
            ("Team 8 Leute, Chef ist T. Hinrichs", Some(Team)),
            ("ruft Kunden an", None),
            ("WE doch nur jedes 5. (Voß korrigiert)", None),
        ],
    );
    for (label, language) in [
        ("good if", Language::En),
        ("bonus", Language::Sv),
        ("FINT", Language::No),
        ("godt hvis", Language::Da),
        ("gut wenn", Language::De),
    ] {
        check(&format!("{label}: PMP"), language, &[("PMP", Some(Good))]);
    }
}

/// "Det vore fint med finska" behind the must-haves was proposed as one of them.
#[test]
fn what_is_only_welcome_is_no_requirement() {
    use Place::{Good, Must};
    for (language, must, wish) in [
        (Language::En, "Must have: three years of SQL.", "Finnish would be nice."),
        (Language::Sv, "Krav: tre års erfarenhet av SQL.", "Det vore fint med finska."),
        (Language::Da, "Krav: tre års erfaring med SQL.", "Finsk ville være rart."),
        (Language::No, "Krav: tre års erfaring med SQL.", "Finsk hadde vært fint."),
        (Language::De, "Muss: drei Jahre Erfahrung mit SQL.", "Schön wäre Finnisch."),
    ] {
        let (_, content) = must.split_once(": ").unwrap();
        check(&format!("{must} {wish}"), language, &[(content, Some(Must)), (wish, Some(Good))]);
    }
}
