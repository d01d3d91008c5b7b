//! Forms, as people and programs fill them.

use jiff::civil::Date;
use serde_json::json;
use tata_core::{Field, FieldKind as Kind, Form};
use tata_guided::{
    answer::{Answer, Context, Problem},
    form::{Command, Entry, Filled, Outcome, fill},
};
use tata_language::Language;

fn setting(language: Language) -> Context<'static> {
    Context::new(language, Date::constant(2026, 11, 16))
}

fn invitation() -> Filled {
    Filled::new(Form::new(vec![
        Field::new("candidate", Kind::Name, "Who is invited?"),
        Field::new("city", Kind::Choice, "Which office?").choices(["Malmö", "Oslo", "Hamburg"]),
        Field::new("date", Kind::Date, "Which day?").why("It stands in the invitation."),
        Field::new("time", Kind::Time, "What time?"),
        Field::new("note", Kind::Text, "Anything else?").optional(),
    ]))
}

fn answered(outcome: &Outcome) -> Vec<usize> {
    let Outcome::Read { answered, .. } = outcome else { panic!("not read: {outcome:?}") };
    answered.clone()
}

#[test]
fn several_answers_come_in_any_order_by_number() {
    let mut filled = invitation();
    let outcome = fill(&mut filled, "4) 14:30\n2: Malmö\n1 = Anna Berg", setting(Language::En));
    assert_eq!(answered(&outcome), [3, 1, 0]);
    assert_eq!(filled.waiting(), [2, 4]);
    assert_eq!(answered(&fill(&mut filled, "24 November", setting(Language::En))), [2]);
    assert!(filled.is_complete());
    assert_eq!(
        ["candidate", "city", "date", "time"].map(|id| filled.answer(id).unwrap().to_json()),
        ["Anna Berg", "Malmö", "2026-11-24", "14:30"]
    );
}

/// The form says "answer one or several", and Enter sends the line.
#[test]
fn several_answers_come_in_one_line() {
    for said in [
        "1: Anna Berg; 2: Malmö; 4: 14:30",
        "1: Anna Berg, 2: Malmö, 4: 14:30",
        "2 = Malmö; 4) 14:30; 1: Anna Berg.",
    ] {
        let mut filled = invitation();
        fill(&mut filled, said, setting(Language::En));
        assert_eq!(filled.waiting(), [2, 4], "{said}");
        assert_eq!(
            ["candidate", "city", "time"].map(|id| filled.answer(id).unwrap().to_json()),
            ["Anna Berg", "Malmö", "14:30"],
            "{said}"
        );
    }
    // Marks of its own part no answer.
    let mut filled = invitation();
    fill(&mut filled, "5: Bring 2: passports; and 14:30, not later", setting(Language::En));
    assert_eq!(filled.waiting(), [0, 1, 2, 3]);
}

#[test]
fn lines_in_turn_belong_to_the_fields_in_turn() {
    let mut filled = invitation();
    let outcome = fill(&mut filled, "Anna Berg\n2\nden 24:e\nkl 14.30", setting(Language::Sv));
    assert_eq!(answered(&outcome), [0, 1, 2, 3]);
    assert_eq!(filled.answer("city"), Some(&Answer::Choice("Oslo".to_owned())));
}

#[test]
fn a_time_or_a_date_is_no_number_of_a_field() {
    let mut filled = invitation();
    fill(&mut filled, "1) Anna Berg\n2) Oslo", setting(Language::De));
    assert_eq!(answered(&fill(&mut filled, "2.12.2026", setting(Language::De))), [2]);
    assert_eq!(answered(&fill(&mut filled, "4:30 pm", setting(Language::En))), [3]);
}

#[test]
fn a_numbered_list_is_an_answer_to_a_list() {
    let mut filled = Filled::new(Form::new(vec![
        Field::new("must_haves", Kind::List, "What is required?"),
        Field::new("office", Kind::Text, "Where?"),
        Field::new("team", Kind::Count, "How many?"),
    ]));
    assert_eq!(
        answered(&fill(&mut filled, "1. SQL\n2. Python, Rust\n3. Excel\n4. English", setting(Language::En))),
        [0]
    );
    fill(&mut filled, "back", setting(Language::En));
    assert_eq!(answered(&fill(&mut filled, "- SQL\n- Python\n- Excel", setting(Language::En))), [0]);
    fill(&mut filled, "1: 1. SQL\n2. Python, Rust\n3. Excel\n4. English", setting(Language::En));
    let items = ["SQL", "Python, Rust", "Excel", "English"].map(str::to_owned).to_vec();
    assert_eq!(filled.answer("must_haves"), Some(&Answer::List(items)));
}

#[test]
fn uncertain_answers_are_chosen_by_number() {
    let mut filled = invitation();
    let outcome = fill(&mut filled, "3: Monday", setting(Language::En));
    assert!(matches!(&outcome, Outcome::Read { unsure, .. } if unsure == &[2]), "{outcome:?}");
    assert!(!filled.is_complete());
    assert_eq!(answered(&fill(&mut filled, "2", setting(Language::En))), [2]);
    assert_eq!(filled.answer("date"), Some(&Answer::Date(Date::constant(2026, 11, 23))));
}

#[test]
fn an_answer_that_is_none_changes_nothing_and_says_why() {
    let mut filled = invitation();
    for said in ["what do you mean?", "I don't know", "who are you?"] {
        let outcome = fill(&mut filled, said, setting(Language::En));
        let Outcome::Read { answered, refused, .. } = &outcome else { panic!("{outcome:?}") };
        assert!(answered.is_empty() && matches!(refused[0].2, Problem::Doubt | Problem::Question), "{said}");
    }
    assert!(filled.entries.iter().all(|entry| *entry == Entry::Missing));
}

#[test]
fn the_words_that_always_work_work_in_five_languages() {
    let words = [
        (Language::En, ["skip", "back", "cancel", "show", "explain"]),
        (Language::Sv, ["hoppa över", "tillbaka", "avbryt", "visa", "förklara"]),
        (Language::Da, ["spring over", "tilbage", "annuller", "vis", "forklar"]),
        (Language::No, ["hopp over", "tilbake", "avbryt", "vis", "forklar"]),
        (Language::De, ["überspringen", "zurück", "abbrechen", "zeigen", "erklären"]),
    ];
    for (language, [skip, back, cancel, show, explain]) in words {
        let setting = setting(language);
        let mut filled = invitation();
        assert_eq!(fill(&mut filled, explain, setting), Outcome::Explain(0));
        assert_eq!(fill(&mut filled, "?", setting), Outcome::Explain(0));
        assert_eq!(fill(&mut filled, "3?", setting), Outcome::Explain(2));
        assert_eq!(fill(&mut filled, show, setting), Outcome::Show);
        assert_eq!(fill(&mut filled, &format!("{skip} 1"), setting), Outcome::Required(0));
        assert_eq!(fill(&mut filled, &format!("{skip} 5"), setting), Outcome::Skipped(4));
        fill(&mut filled, "1: Anna Berg", setting);
        assert_eq!(fill(&mut filled, back, setting), Outcome::Back);
        assert_eq!(filled.entries[0], Entry::Missing);
        assert_eq!(filled.entries[4], Entry::Skipped);
        assert_eq!(fill(&mut filled, cancel, setting), Outcome::Cancelled);
        assert_eq!(filled, invitation());
        assert_eq!(fill(&mut filled, back, setting), Outcome::NothingBack);
    }
    // The type is part of the face.
    assert_ne!(Command::Back, Command::Show);
}

#[test]
fn programs_see_the_form_and_answer_by_id() {
    let mut filled = invitation();
    let asked = filled.form.needs_input();
    assert_eq!(asked["status"], "needs_input");
    assert_eq!(
        asked["form"]["fields"][1],
        json!({"id": "city", "kind": "choice", "question": "Which office?", "choices": ["Malmö", "Oslo", "Hamburg"],
               "proposed": null, "required": true})
    );
    let setting = setting(Language::En);
    let answers =
        json!({"candidate": "Anna Berg", "city": 2, "date": "03/04/2027", "time": 14, "note": null});
    let refused = filled.take(&answers, setting).unwrap();
    let said: Vec<_> =
        refused.iter().map(|one| (one.id.as_str(), one.problem.key(), one.readings.clone())).collect();
    assert_eq!(
        said,
        [
            ("date", "answer.ambiguous", vec![json!("2027-04-03"), json!("2027-03-04")]),
            ("time", "answer.wrong_shape", vec![])
        ]
    );
    assert_eq!(filled.waiting(), [2, 3]);
    assert_eq!(filled.take(&json!({"date": "2027-03-04", "time": "14:00"}), setting), Ok(vec![]));
    assert!(filled.is_complete());
    let wrong = filled.take(&json!({"town": "Oslo"}), setting).unwrap_err().to_string();
    assert_eq!(wrong, "\"town\" is no field of this form; it has: candidate, city, date, time, note");
    assert!(filled.take(&json!([1]), setting).is_err());
}

#[test]
fn a_yes_takes_the_proposal_and_a_no_leaves_an_optional_field_out() {
    let day = Answer::Date(Date::constant(2026, 12, 1));
    let mut filled = Filled::new(Form::new(vec![
        Field::new("date", Kind::Date, "Which day?").proposed(day.to_json()),
        Field::new("name", Kind::Name, "Who?"),
        Field::new("note", Kind::Text, "Anything else?").optional(),
    ]));
    assert_eq!(answered(&fill(&mut filled, "ja", setting(Language::De))), [0]);
    assert_eq!(filled.answer("date"), Some(&day));
    let outcome = fill(&mut filled, "Ja", setting(Language::De));
    assert!(
        matches!(&outcome, Outcome::Read { refused, .. } if refused[0].2 == Problem::OnlyYesOrNo),
        "{outcome:?}"
    );
    fill(&mut filled, "2: Anna Berg\n3: nein danke", setting(Language::De));
    assert_eq!(filled.entries[2], Entry::Skipped);
    assert!(filled.is_complete());
}
