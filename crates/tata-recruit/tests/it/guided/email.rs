//! An e-mail of a hiring manager: what is no requirement is not asked about, and what stands in one line is offered in parts.

use tata_language::identify::identify;
use tata_recruit::Language;

use super::talk::Talk;

const EMAIL: &str = "\
From: Ines Duarte
Sent: Monday, 9 November 2026 10:02
Subject: Buyer

Hi Tom,

A must for me: two years of buying for a factory, a CIPS diploma, fluent French because we buy in Lyon, and a driving licence.
The job is to compare offers, negotiate prices and follow up deliveries.
To be honest I would rather not have a woman in this team.
Between us, we are losing our largest supplier.

Thanks,
Ines";

fn sorting() -> (Talk, String) {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let asked = talk.say(&format!("1: Buyer\n2: {EMAIL}"));
    (talk, asked)
}

#[test]
fn the_head_and_the_end_of_an_email_are_left_out_of_its_lines() {
    let (_, asked) = sorting();
    for line in ["[out] From: Ines Duarte", "[out] Hi Tom,", "[out] Thanks,", "[out] Ines"] {
        assert!(asked.contains(line), "{line}: {asked}");
    }
    assert!(asked.contains("2 lines have no place yet"), "{asked}");
}

#[test]
fn what_no_document_may_say_is_not_offered_back() {
    let (talk, asked) = sorting();
    assert!(!asked.contains("woman") && !asked.contains("supplier"), "{asked}");
    assert!(asked.contains("no document may contain them: 2 in all"), "{asked}");
    let again = talk.say("hm, what is a reason?");
    assert!(!again.contains("woman") && !again.contains("supplier"), "{again}");
}

#[test]
fn a_line_with_four_must_haves_counts_as_four_after_a_yes() {
    let (talk, _) = sorting();
    let parts = talk.say("5 must; 6 task; rest out");
    assert!(parts.contains("2. a CIPS diploma") && parts.contains("4. a driving licence"), "{parts}");
    let tasks = talk.say("yes");
    assert!(
        tasks.contains("1. The job is to compare offers") && tasks.contains("2. negotiate prices"),
        "{tasks}"
    );
    let corrected = talk.say("compare offers\nnegotiate prices\nfollow up deliveries");
    assert!(corrected.contains("1. compare offers\n"), "{corrected}");
    talk.say("yes");
    assert_eq!(
        talk.list("must_have_skills"),
        [
            "two years of buying for a factory",
            "a CIPS diploma",
            "fluent French because we buy in Lyon",
            "a driving licence"
        ]
    );
    assert_eq!(
        talk.list("primary_responsibilities"),
        ["compare offers", "negotiate prices", "follow up deliveries"]
    );
}

/// What is one of several things in a line was lost when it was added by hand.
#[test]
fn must_haves_that_stand_in_a_longer_line_are_added() {
    let (talk, _) = sorting();
    talk.say("5 must; 6 task; rest out");
    let few = talk.say("no");
    assert!(few.contains("tasks"), "{few}");
    talk.say("no");
    talk.say("a CIPS diploma\nfluent French\na driving licence");
    talk.say("yes");
    assert_eq!(talk.list("must_have_skills").len(), 4);
}

/// A message that shows no language, or notes in another one, were answered in English.
#[test]
fn whoever_reads_the_pages_in_a_language_is_answered_in_it() {
    for language in Language::ALL {
        for first in ["BGP; Linux; Python", EMAIL] {
            let talk = Talk::new();
            let answer = talk.say_on_page(language, first);
            let told = identify(&answer).map(|found| found.language);
            assert_eq!(told, Some(language), "{first:.20}: {answer}");
        }
    }
    // Who writes in another language is answered in that one.
    let talk = Talk::new();
    let form = talk.say_on_page(Language::Sv, "I need a requirement profile for a network engineer in Oslo");
    assert!(form.contains("position"), "{form}");
}

/// One wrong number took back all that was sorted with it.
#[test]
fn a_line_that_is_not_there_takes_nothing_back() {
    let (talk, _) = sorting();
    let again = talk.say("5 must; 60 task; rest out");
    assert!(again.contains("There is no line 60"), "{again}");
    assert!(!again.contains("A must for me") && again.contains("6. The job is"), "{again}");
}

/// A list in lines was taken for a text that somebody pasted.
#[test]
fn must_haves_are_corrected_in_lines() {
    let (talk, _) = sorting();
    talk.say("5 must; 6 task; rest out");
    let shown =
        talk.say("two years of buying for a factory\na CIPS diploma\nfluent French\na driving licence");
    assert!(shown.contains("3. fluent French\n"), "{shown}");
}

/// Two lines of one place were glued into words that nobody said, which no message could mend.
#[test]
fn lines_of_one_place_that_stand_apart_make_a_profile() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let notes = "Must have: SQL; BGP; Linux; Python\nTasks: plan the network / run it / mend it\n- on site 5 days a wk\n\
                 - call with Marcus\n- one day from home is OK";
    talk.say(&format!("1: Network Engineer\n2: {notes}"));
    let asked = talk.say("8,10 place; rest out");
    assert!(
        asked.contains("1. “on site 5 days a wk”") && asked.contains("2. “one day from home is OK”"),
        "{asked}"
    );
    let made = talk.say("1, 2");
    assert_eq!(talk.status(), "draft", "{made}");
    assert!(made.contains("one day from home is OK"), "it is used or told as unused: {made}");
}

/// What the notes had said was asked for again beside the ad.
#[test]
fn an_ad_does_not_ask_for_what_the_profile_says() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let notes = "Must have: SQL; BGP; Linux; Python\nTasks: plan the network / run it / mend it\nWhy: new routers\n\
                 Personal qualities: calm\nLast day to apply: 10 January 2027\nEmployment: permanent, full time";
    talk.say(&format!("1: Network Engineer\n2: {notes}"));
    talk.say("yes");
    let ad = talk.say("Write the job ad");
    assert!(ad.contains("10 January 2027"), "{ad}");
    assert!(
        !ad.contains("The last day to apply (optional)") && !ad.contains("The form of employment"),
        "{ad}"
    );
    assert!(ad.contains("Where the work is done"), "{ad}");
}

/// "Every fourth weekend", and below it "no wait, every fifth": the first was printed, and the second only told.
#[test]
fn a_correction_in_the_notes_is_shown_and_applied() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let notes = "Must have: SQL; BGP; Linux; Python\nTasks: plan the network / run it / mend it\n\
                 Employment: every fourth weekend\nNo wait, every fifth weekend.";
    talk.say(&format!("1: Network Engineer\n2: {notes}"));
    let asked = talk.say("yes");
    assert!(asked.contains("1. “every fourth weekend”"), "{asked}");
    assert!(asked.contains("the profile says: “every fifth weekend”"), "{asked}");
    assert_eq!(talk.status(), "", "nothing is settled before the answer: {asked}");
    let again = talk.say("that is all she gave me");
    assert!(again.contains("2. “No wait, every fifth weekend.”"), "{again}");
    let made = talk.say("yes");
    assert_eq!(talk.list("employment"), ["every fifth weekend"], "{made}");
    assert!(!made.contains("fourth") && !made.contains("seem to correct"), "{made}");
}

/// The same in the other languages, with the values that recruiters wrote.
#[test]
fn corrections_are_applied_in_every_language() {
    let (sv, da, no, de) = (Language::Sv, Language::Da, Language::No, Language::De);
    for (language, opening, title, notes, list, before, after) in [
        (
            sv,
            "Jag behöver en kravprofil",
            "Nätverkstekniker",
            "Krav: SQL; BGP; Linux; Python\nUppgifter: planera nätet / driva nätet / laga nätet\nAnställning: heltid 40 timmar\n\
             Arbetstid: nej, det är 38 timmar, inte 40 (Petra har rättat)",
            "employment",
            "heltid 40 timmar",
            "heltid 38 timmar",
        ),
        (
            da,
            "Jeg har brug for en kravprofil",
            "Netværkstekniker",
            "Krav: SQL; BGP; Linux; Python\nOpgaver: planlægge nettet / drive nettet / reparere nettet\n\
             Ansættelse: fast, 37 t (el. 32 hvis det er den rigtige)\nstillingen er forresten 37 t, ikke 32",
            "employment",
            "el. 32",
            "fast, 37 t",
        ),
        (
            no,
            "Jeg trenger en kravprofil",
            "Nettverkstekniker",
            "Krav: SQL; BGP; Linux; Python\nOppgaver: planlegge nettet / drive nettet / reparere nettet\n\
             Ansettelse: fast, 2 dager hjemme\nhjemme: nei, det er 1 dag, ikke 2 (Terje rettet)",
            "employment",
            "2 dager",
            "fast, 1 dager hjemme",
        ),
        (
            de,
            "Ich brauche ein Anforderungsprofil",
            "Netzwerktechniker",
            "Muss: SQL; BGP; Linux; Python\nAufgaben: das Netz planen / das Netz betreiben / das Netz reparieren\n\
             Anstellung: Schicht 6–14, jedes 4. WE\nWE doch nur jedes 5. (Voß korrigiert)",
            "employment",
            "jedes 4.",
            "Schicht 6–14, jedes 5. WE",
        ),
    ] {
        let talk = Talk::new();
        talk.say(opening);
        let mut said = talk.say(&format!("1: {title}\n2: {notes}"));
        for _ in 0..2 {
            if talk.status() != "draft" {
                said.push_str(&talk.say(super::kept::yes(language)));
            }
        }
        assert!(said.contains(before) && said.contains(after), "{said}");
        let made = said;
        assert_eq!(talk.list(list), [after], "{made}");
    }
}

/// What was placed as team or place stood as the recruiter's own words, and was told as unused beside that.
#[test]
fn placed_lines_are_words_of_the_notes() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    let notes = "Must have: SQL; BGP; Linux; Python\nTasks: plan the network / run it / mend it\n\
                 There are six of them in shifts. They sit in Malmö three days a week.";
    talk.say(&format!("1: Network Engineer\n2: {notes}"));
    let made = talk.say("8,9 team; rest out");
    assert!(made.contains("three days a week. (start-up notes)"), "{made}");
    assert!(!made.contains("Nothing was taken"), "{made}");
}
