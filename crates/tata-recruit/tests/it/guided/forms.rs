//! Forms: all that is missing at once, in any order; notes sorted by the person.

use tata_recruit::Language;

use super::talk::{Talk, notes};

#[test]
fn all_that_is_missing_is_asked_at_once_and_answered_in_any_order() {
    let talk = Talk::with_draft(Language::En);
    talk.say("yes");
    let asked = talk.say(
        "Invite Robin Lund to a case interview on site in Stockholm on 24 November at 13:00, 90 minutes",
    );
    assert!(asked.contains("hiring manager’s name"), "{asked}");
    assert!(asked.contains("“yes” takes: Robin Lund"), "{asked}");
    assert!(asked.contains("2026-11-24") && asked.contains("13:00"), "{asked}");
    let why = talk.say("? 1");
    assert!(why.contains("1."), "{why}");
    let refused = talk.say("what do you mean?");
    assert!(talk.document("calendar_invite").is_none(), "{refused}");
    let asked = talk.say("9: Kim Dahl");
    assert!(talk.document("calendar_invite").is_some() || asked.contains("yes"), "{asked}");
    let made = if talk.document("calendar_invite").is_some() { asked } else { talk.say("yes") };
    let (_, invite) = talk.document("calendar_invite").unwrap_or_else(|| panic!("{made}"));
    assert_eq!(invite["candidate_name"], "Robin Lund", "{made}");
}

#[test]
fn cancel_leaves_a_form() {
    let talk = Talk::new();
    talk.say("Please write an invitation to an interview");
    let left = talk.say("cancel");
    assert!(left.contains("Nothing has been changed"), "{left}");
}

/// Trial 2.6: no line is lost, none is cut at a comma, chatter goes nowhere.
#[test]
fn prose_is_sorted_by_the_person() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    talk.say("1: HR adviser");
    let prose = "She wants somebody with three years in HR. They must know employment law, especially dismissals. \
                 It is also a must to have worked with pay rounds. And one must be able to guide managers. \
                 Danish would be fun. The working day is advice to managers. \
                 She needs the text of the ad before Friday. The team has six people, most at Fornebu.";
    let asked = talk.say(prose);
    for line in [
        "1. She wants somebody",
        "2. They must know employment law, especially dismissals.",
        "8. [team] The team has six",
    ] {
        assert!(asked.contains(line), "{line}: {asked}");
    }
    let question = talk.say("why do you ask?");
    assert!(talk.document("requirement_profile").is_none(), "{question}");
    let wrong = talk.say("1-9 must");
    assert!(wrong.contains("no line 9"), "{wrong}");
    let made = talk.say("1-4 must; 5 good; 6 task; 8 team; rest out");
    assert_eq!(talk.list("must_have_skills").len(), 4, "{made}");
    assert_eq!(talk.list("must_have_skills")[1], "They must know employment law, especially dismissals.");
    assert_eq!(talk.list("good_to_haves"), ["Danish would be fun."]);
    assert!(
        made.contains("She needs the text of the ad before Friday."),
        "what was left out is listed: {made}"
    );
}

/// What a person sorts under date, process and employment is used, in every language's words for them.
#[test]
fn sorted_days_steps_and_terms_are_used() {
    for (wish, title, prose, sorting) in [
        (
            "I need a requirement profile",
            "HR adviser",
            "They must know Excel well. They must also know SQL. Three years in HR are needed. Danish is needed too. \
             The job begins in March. First there is a call and then a case. The contract is permanent.",
            "1-4 must; 5 date; 6 process; 7 employment; rest out",
        ),
        (
            "Jag behöver en kravprofil för en ny tjänst",
            "HR-specialist",
            "Man måste kunna Excel bra. Man måste också kunna SQL. Tre år inom HR behövs. Danska behövs också. \
             Jobbet börjar i mars. Först blir det ett samtal och sedan ett case. Tjänsten är tillsvidare.",
            "1-4 krav; 5 datum; 6 process; 7 anställning; resten bort",
        ),
        (
            "Jeg vil gerne lave en kravprofil til en stilling, som vi skal besætte",
            "HR-konsulent",
            "Man skal kunne Excel godt. Man skal også kunne SQL. Tre år i HR er nødvendigt. Dansk er også nødvendigt. \
             Jobbet begynder i marts. Først er der en samtale og så en case. Stillingen er fast.",
            "1-4 krav; 5 dato; 6 forløb; 7 ansættelse; resten ud",
        ),
        (
            "Jeg trenger å lage en kravprofil for en stilling vi ikke har besatt",
            "HR-rådgiver",
            "Man må kunne Excel godt. Man må også kunne SQL. Tre år i HR er nødvendig. Norsk er også nødvendig. \
             Jobben begynner i mars. Først blir det en samtale og så en case. Stillingen er fast.",
            "1-4 krav; 5 dato; 6 prosess; 7 ansettelse; resten ut",
        ),
        (
            "Ich brauche ein Anforderungsprofil für eine neue Stelle",
            "HR-Beraterin",
            "Man muss Excel gut können. Man muss auch SQL können. Drei Jahre im Personalwesen sind nötig. Dänisch ist \
             auch nötig. Die Arbeit beginnt im März. Zuerst kommt ein Telefonat und dann eine Fallstudie. Die Stelle ist \
             unbefristet.",
            "1-4 Muss; 5 Datum; 6 Ablauf; 7 Anstellung; Rest raus",
        ),
    ] {
        let talk = Talk::new();
        talk.say(wish);
        talk.say(&format!("1: {title}"));
        let asked = talk.say(prose);
        let made = talk.say(sorting);
        for list in ["dates", "process_steps", "employment"] {
            assert_eq!(talk.list(list).len(), 1, "{list}: {asked}\n{made}");
        }
    }
}

#[test]
fn labelled_notes_need_no_sorting_in_five_languages() {
    for language in Language::ALL {
        let talk = Talk::with_draft(language);
        assert_eq!(talk.list("must_have_skills").len(), 4, "{language:?}");
        assert_eq!(talk.list("primary_responsibilities").len(), 3, "{language:?}");
        assert_eq!(talk.list("soft_skills"), ["calm"], "{language:?}");
        assert_eq!(notes(language).matches('*').count(), 9, "{language:?}");
    }
}

/// What the profile has is not asked for when something else was wrong.
#[test]
fn a_form_that_comes_back_asks_for_no_pay_that_is_known() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let notes = format!("{}\n\nPay: 45000-52000 SEK per month", notes(Language::En));
    talk.say(&format!("1: Network Engineer\n2: {notes}"));
    talk.say("yes");
    let asked = talk.say("Write the job ad");
    assert!(asked.contains("45,000–52,000") && asked.contains("1. The last day to apply"), "{asked}");
    let refused = talk.say("1: 2 January 2020");
    assert!(refused.contains("2020-01-02") && refused.contains("1. The last day to apply"), "{refused}");
    assert!(!refused.to_lowercase().contains("pay"), "{refused}");
}
