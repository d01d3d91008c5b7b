//! A text below a question that is not clear, and decisions about the findings of a review.

use super::talk::Talk;

const QUESTION: &str = "Kan du granska hur inkluderande den här annonsen är?";
const AD: &str = "Vi söker en driven säljare till vårt unga team!\n\nVi kräver\n- Svenska som modersmål\n- Körkort och egen bil\n\
                  - Du har inga småbarn som hindrar dig från att resa\n\nSista dag är den 10 januari.";

/// An ad reads like notes, so what the question above it may mean is asked first; the question is no part of the ad.
#[test]
fn a_text_below_an_unclear_question_is_asked_about() {
    let below = |said: &[&str]| {
        let talk = Talk::new();
        for message in said {
            let asked = talk.say(message);
            assert!(asked.contains("1. Kontrollera hur inkluderande en annons är"), "{asked}");
        }
        talk.say("1");
        assert_eq!(talk.document("requirement_profile"), None);
        let (_, review) = talk.document("di_review").unwrap();
        assert_eq!(review["original_text"], AD);
    };
    below(&[&format!("{QUESTION}\n\n{AD}")]);
    below(&[QUESTION, AD]);
}

/// Which words stand in the text is chosen with their numbers, or written.
#[test]
fn findings_are_accepted_with_an_alternative_or_own_words() {
    let talk = Talk::new();
    talk.say(&format!("{QUESTION}\n\n{AD}"));
    talk.say("1");
    let (_, review) = talk.document("di_review").unwrap();
    let number = |text: &str| {
        let items = review["flagged_items"].as_array().unwrap();
        items.iter().position(|item| item["text"] == text).unwrap() + 1
    };
    let (team, children) = (number("unga team"), number("inga småbarn"));
    let shown = talk.say_and_let_run(&format!("ta {team} och {children}"));
    assert!(shown.contains(&format!("{children}=2: Du har person oavsett livssituation som")), "{shown}");
    let revised = || talk.document("di_review").unwrap().1["revised_text"].as_str().unwrap().to_owned();
    assert_eq!(revised(), AD.replace("unga team", "team"));
    talk.say_and_let_run(&format!("{children}=Föräldraskap är fint, {team}=2"));
    assert!(revised().contains("team med varierande erfarenhet!"), "{}", revised());
    assert!(revised().contains("- Du har Föräldraskap är fint som hindrar"), "{}", revised());
}
