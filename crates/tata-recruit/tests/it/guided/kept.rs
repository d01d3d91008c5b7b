//! What a person says is neither lost nor taken for something else.

use tata_document::{Document, Inks};
use tata_recruit::Language;

use super::talk::{Talk, notes};

/// The notes with three must-haves: one is missing.
fn three(language: Language) -> String {
    notes(language).replace("\n* A driving licence", "")
}

pub(crate) fn wish(language: Language) -> &'static str {
    match language {
        Language::En => "I need a requirement profile",
        Language::Sv => "Jag behöver en kravprofil för en ny tjänst",
        Language::Da => "Jeg vil gerne lave en kravprofil til en stilling, som vi skal besætte",
        Language::No => "Jeg trenger å lage en kravprofil for en stilling vi ikke har besatt",
        Language::De => "Ich brauche ein Anforderungsprofil für eine neue Stelle",
    }
}

pub(crate) fn yes(language: Language) -> &'static str {
    if language == Language::En { "yes" } else { "ja" }
}

/// A confirmed profile in a language.
fn confirmed(language: Language) -> Talk {
    let talk = Talk::with_draft(language);
    talk.say(yes(language));
    assert_eq!(talk.status(), "confirmed");
    talk
}

/// A person answers with the number on the screen, also where the list has gaps.
#[test]
fn the_number_shown_is_the_number_meant() {
    let talk = Talk::new();
    talk.say("I need a requirement profile");
    talk.say("1: HR adviser");
    let asked = talk.say(
        "She wants somebody with three years in HR. They must know employment law. It is also a must to have worked \
         with pay rounds. And one must be able to guide managers. Danish would be fun. The working day is advice to \
         managers. She needs the text of the ad before Friday. Six people are in the team, most at Fornebu.",
    );
    assert!(asked.contains("8. Six people are in the team"), "{asked}");
    let asked = talk.say("1, 3 must; 5 good");
    let screen = Document::from_markdown(&asked).terminal(100, &Inks::none());
    let number = |text: &str| {
        let line =
            screen.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {screen}"));
        line.trim().split('.').next().unwrap().to_owned()
    };
    let (law, advice, team) = (number("employment law"), number("advice to managers"), number("Six people"));
    assert_eq!([law.as_str(), &advice, &team], ["2", "6", "8"], "{screen}");
    let made = talk.say(&format!("{law}, 4 must; {advice} task; {team} team; rest out"));
    assert_eq!(talk.status(), "draft", "{made}");
    let must = talk.list("must_have_skills");
    assert_eq!((must.len(), must[1].as_str()), (4, "They must know employment law."), "{made}");
    assert_eq!(talk.list("primary_responsibilities"), ["The working day is advice to managers."]);
}

#[test]
fn nothing_becomes_a_must_have_by_accident() {
    let said: [(Language, &[&str]); 5] = [
        (
            Language::En,
            &[
                "that is all she gave me",
                "no, remove that, number 2 is not a must-have",
                "I don't know yet",
                "split 10 into four",
            ],
        ),
        (
            Language::Sv,
            &[
                "nej, så här menar jag: ta bort 1 och lägg till LOU/LUF",
                "det vet jag inte än",
                "ta bort den igen",
            ],
        ),
        (Language::Da, &["det har jeg ikke fået at vide endnu", "fjern den igen", "det var alt"]),
        (Language::No, &["det har jeg ikke fått vite ennå", "fjern den igjen", "det var alt"]),
        (Language::De, &["das weiß ich noch nicht", "nimm das wieder raus", "mehr hat sie mir nicht gesagt"]),
    ];
    for (language, sentences) in said {
        let talk = Talk::new();
        talk.say(wish(language));
        let asked = talk.say(&format!("1: Network Engineer\n2: {}", three(language)));
        assert_eq!(talk.status(), "", "{language:?}: {asked}");
        for sentence in sentences {
            let answer = talk.say(sentence);
            assert_eq!(talk.status(), "", "{language:?}: {sentence}: {answer}");
        }
        let shown = talk.say("AutoCAD");
        assert!(shown.contains("AutoCAD"), "{language:?}: {shown}");
        assert_eq!(talk.status(), "", "{language:?}: nothing before the yes: {shown}");
        let made = talk.say(yes(language));
        assert_eq!(talk.list("must_have_skills")[3], "AutoCAD", "{language:?}: {made}");
    }
}

#[test]
fn several_answers_in_one_line_stay_several() {
    let talk = Talk::new();
    talk.say(wish(Language::En));
    talk.say("1: Network Engineer\n2: Must have:\n* BGP\n\nTasks:\n* Operate the backbone\n* Plan changes\n* Find faults");
    let shown = talk.say("Juniper MX, Linux and a driving licence");
    assert!(shown.matches("Comes (must)").count() == 3, "{shown}");
    let made = talk.say("yes");
    assert_eq!(talk.list("must_have_skills"), ["BGP", "Juniper MX", "Linux", "a driving licence"], "{made}");
}

#[test]
fn a_doubt_is_no_title() {
    let said: [(Language, &[&str]); 5] = [
        (
            Language::En,
            &[
                "I don't know yet",
                "not decided yet",
                "hmm, I'm not sure",
                "to be confirmed",
                "I'll tell you later",
            ],
        ),
        (Language::Sv, &["jag vet inte än", "inte bestämt ännu", "jag återkommer", "det vet jag inte än"]),
        (Language::Da, &["det ved jeg ikke endnu", "ikke besluttet endnu", "jeg vender tilbage"]),
        (Language::No, &["det vet jeg ikke ennå", "ikke bestemt ennå", "jeg kommer tilbake til det"]),
        (Language::De, &["weiß ich noch nicht", "steht noch nicht fest", "das muss ich noch klären"]),
    ];
    for (language, doubts) in said {
        for doubt in doubts {
            let talk = Talk::new();
            talk.say(wish(language));
            talk.say(&format!("2: {}", notes(language)));
            let answer = talk.say(doubt);
            assert_eq!(talk.status(), "", "{language:?}: {doubt}: {answer}");
            talk.say("Network Engineer");
            assert_eq!(talk.status(), "draft", "{language:?}: {doubt}: {answer}");
        }
    }
}

/// The title stands at the head of notes, in whatever words; nothing else of them is lost.
#[test]
fn pasted_notes_name_the_position_and_lose_nothing() {
    for (language, label) in [
        (Language::En, "Position: Network Engineer"),
        (Language::En, "Title: Network Engineer"),
        (Language::En, "Job title: Network Engineer"),
        (Language::En, "Role: Network Engineer"),
        (Language::En, "Recruiting: Network Engineer"),
        (Language::En, "# Network Engineer"),
        (Language::Sv, "Tjänst: Network Engineer"),
        (Language::Sv, "Titel: Network Engineer"),
        (Language::Da, "Stilling: Network Engineer"),
        (Language::No, "Stilling: Network Engineer"),
        (Language::De, "Stelle: Network Engineer"),
        (Language::De, "Position: Network Engineer"),
    ] {
        for gap in ["\n", "\n\n"] {
            let talk = Talk::new();
            let made = talk.say(&format!("{label}{gap}{}", notes(language)));
            let (_, profile) =
                talk.document("requirement_profile").unwrap_or_else(|| panic!("{label}: {made}"));
            assert_eq!(profile["position_title"], "Network Engineer", "{label}: {made}");
            assert_eq!(talk.list("must_have_skills").len(), 4, "{label}: {made}");
            assert!(!made.contains(label), "{label}: {made}");
        }
    }
}

#[test]
fn everything_in_one_message_is_a_profile() {
    let talk = Talk::new();
    let asked = talk.say(
        "I need a requirement profile for a network engineer. Must have: BGP; Linux; Python; English. Tasks: operate \
         the backbone; plan changes; find faults.",
    );
    assert!(asked.contains("network engineer") && !asked.contains("network engineer Must"), "{asked}");
    let made = talk.say("yes");
    assert_eq!(talk.status(), "draft", "{made}");
    assert_eq!(talk.list("must_have_skills"), ["BGP", "Linux", "Python", "English"], "{made}");
    assert_eq!(talk.document("requirement_profile").unwrap().1["position_title"], "network engineer");
}

const AD: &str = "Nu söker vi en driven säljare till vårt unga team!\n\nVi kräver\n- Svenska som modersmål\n- Körkort och egen bil\n\
                  - Du har inga småbarn som hindrar dig från att resa\n\nSista dag är den 10 januari.";

#[test]
fn a_wish_and_its_ad_belong_together() {
    for lead in ["Granska den här annonsen: ", "Granska den här annonsen:\n\n", "Är den här annonsen okej?\n"]
    {
        let talk = Talk::new();
        let answer = talk.say(&format!("{lead}{AD}"));
        if talk.document("job_ad_review").or(talk.document("di_review")).is_none() {
            talk.say("1");
        }
        assert_eq!(talk.document("requirement_profile"), None, "{lead}: {answer}");
        let (_, review) = talk
            .document("job_ad_review")
            .or(talk.document("di_review"))
            .unwrap_or_else(|| panic!("{lead}: {answer}"));
        let text = review["original_text"]
            .as_str()
            .or(review["job_ad_text"].as_str())
            .unwrap_or_else(|| panic!("{review}"));
        assert_eq!(text, AD, "{lead}");
    }
    let talk = Talk::new();
    let asked = talk.say(&format!("check how inclusive this is\n\n{AD}"));
    assert!(talk.document("di_review").is_some(), "{asked}");
}

/// An open choice is no reason to lose a text: what it is is asked.
#[test]
fn a_text_is_asked_about_while_a_choice_is_open() {
    let letter = "Hej Kim,\n\nTack för senast. Vi behöver snart någon till gruppen.\n\nDet är bråttom, säger chefen.\n\nHälsningar\nSam";
    let talk = Talk::new();
    let asked = talk.say("hej, kan du svenska?");
    let kept = talk.say(letter);
    assert!(kept.contains("Vad är det här för text?"), "{asked} -> {kept}");
    talk.say("1");
    let named = talk.say("Säljare");
    assert!(named.contains("Vi behöver snart någon till gruppen."), "{named}");
}

#[test]
fn what_is_shown_is_never_made_anew() {
    for (language, wish, kind, shows) in [
        (
            Language::En,
            "Write the screening template for my interview",
            "ta_screening_template",
            ["show the screening template", "show me the requirement profile"],
        ),
        (
            Language::Sv,
            "Skriv intervjumallen för min intervju",
            "ta_screening_template",
            ["visa intervjumallen", "kan du visa kravprofilen"],
        ),
        (
            Language::De,
            "Schreib die Fragen für mein Interview",
            "ta_screening_template",
            ["zeig die Interviewvorlage", "zeig mir das Anforderungsprofil"],
        ),
    ] {
        let talk = confirmed(language);
        talk.say(wish);
        let made = talk.document(kind);
        let profile = talk.document("requirement_profile");
        for show in shows {
            talk.say(show);
            assert_eq!(
                (talk.document(kind), talk.document("requirement_profile")),
                (made.clone(), profile.clone()),
                "{language:?}: {show}"
            );
        }
    }
}

/// "Shall I write the job ad now?" is answered in many words.
#[test]
fn an_offer_is_taken_in_many_words() {
    let said: [(Language, &[&str]); 5] = [
        (Language::En, &["yes please, write the ad", "please do", "yes, write it", "yes please"]),
        (Language::Sv, &["ja, skriv annonsen", "ja tack, gör det", "gärna"]),
        (Language::Da, &["ja tak, skriv annoncen", "gør det", "gerne"]),
        (Language::No, &["ja takk, skriv annonsen", "gjør det", "gjerne"]),
        (Language::De, &["ja, bitte anzeige", "ja, schreib die Anzeige", "mach das", "gerne"]),
    ];
    for (language, sentences) in said {
        let plain = confirmed(language).say(yes(language));
        for sentence in sentences {
            let talk = confirmed(language);
            let answer = talk.say(sentence);
            assert_eq!(answer, plain, "{language:?}: {sentence}");
        }
    }
    for (language, later) in [
        (Language::En, "later"),
        (Language::Sv, "senare"),
        (Language::Da, "senere"),
        (Language::No, "senere"),
        (Language::De, "später"),
    ] {
        let talk = confirmed(language);
        let answer = talk.say(later);
        assert_eq!(talk.document("job_ad"), None, "{answer}");
        assert!(!answer.contains("1."), "{language:?}: {answer}");
    }
}

#[test]
fn the_team_size_is_the_number_of_people() {
    let talk = Talk::with_draft(Language::En);
    talk.say("change the team size to 9");
    talk.say("yes");
    let (_, profile) = talk.document("requirement_profile").unwrap();
    assert_eq!(profile["team_info"]["size"]["people"], 9, "{}", profile["team_info"]);
    assert!(profile["team_info"]["collaboration_style"].is_null(), "{}", profile["team_info"]);
}

#[test]
fn pay_is_set_by_a_sentence() {
    for (language, said) in [
        (Language::En, "pay is 38 000-43 000 SEK a month"),
        (Language::Sv, "lönen är 52 000 - 60 000 kr i månaden"),
        (Language::Da, "lønnen er 42.000-48.000 kr. om måneden"),
        (Language::No, "lønnen er 52 000 - 60 000 kr i måneden"),
        (Language::De, "Gehalt 3400 bis 3900 Euro im Monat"),
    ] {
        let talk = Talk::with_draft(language);
        let asked = talk.say(said);
        talk.say(yes(language));
        let (_, profile) = talk.document("requirement_profile").unwrap();
        assert!(profile["pay_range"].is_object(), "{language:?}: {asked}");
    }
}

/// A change of a confirmed profile is asked about once, and its yes confirms what it showed.
#[test]
fn one_act_has_one_question() {
    for (language, change) in [
        (Language::En, "change 5 years to 3 years"),
        (Language::Sv, "ändra 5 years till 3 years"),
        (Language::Da, "ret 5 years til 3 years"),
        (Language::No, "endre 5 years til 3 years"),
        (Language::De, "ändere 5 years auf 3 years"),
    ] {
        let talk = confirmed(language);
        talk.say_and_let_run(change);
        assert_eq!(talk.list("must_have_skills")[0], "At least 3 years with BGP and MPLS", "{language:?}");
        assert_eq!(talk.status(), "confirmed", "{language:?}");
    }
}

/// A finding without ready words is neither used nor left: it waits for words.
#[test]
fn what_is_taken_is_never_recorded_as_ignored() {
    let talk = Talk::new();
    talk.say("Review the structure of this job ad:\n\nWe look for a network engineer.\n\nWhat you do\n- run the network\n\nApply today!");
    let (_, review) = talk.document("job_ad_review").unwrap();
    let before = review["decisions"].clone();
    for said in ["take 1 and 3, leave the rest", "accept 2", "take 1"] {
        let (answer, _) = talk.say_or_ask(said);
        let (_, review) = talk.document("job_ad_review").unwrap();
        assert_eq!(review["decisions"], before, "{said}: {answer}");
        assert!(!answer.to_lowercase().contains("ignore"), "{said}: {answer}");
    }
}

#[test]
fn a_document_is_made_in_the_language_that_was_named() {
    let talk = confirmed(Language::En);
    let before = talk.document("job_ad");
    let answer = talk.say_or_ask("Write the ad in German");
    assert!(
        talk.document("job_ad")
            .is_none_or(|(_, ad)| ad["voice"].as_str().is_some_and(|voice| voice.starts_with("de"))),
        "{before:?}: {answer:?}"
    );
}
