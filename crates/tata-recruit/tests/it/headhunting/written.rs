//! What a model brings: the detail that is taken up, and whole texts.

use tata_recruit::{DetailQuote, GivenMessage, HeadhuntingInput, Profile, Version, Voice};

use super::{about, create, problems, profile, promises::check_structure, read};

#[test]
fn a_chosen_detail_must_stand_in_the_profile_and_be_about_work() {
    let profile = profile();
    let candidate = "Anna Svensson\nNetwork Engineer at Telia\nFixing routers is my craft.\nMother of three boys\n\
                     Mail: anna@example.com\nBGP";
    let check = |quote: &str, refused: Option<&str>| {
        let detail = Some(DetailQuote { quote: quote.to_owned() });
        let made = create(&profile, HeadhuntingInput { personalization_detail: detail, ..about(candidate) });
        match (made, refused) {
            (Ok(made), None) => {
                let messages = read(&made);
                check_structure(&messages).unwrap();
                assert!(messages.personalization_detail.unwrap().item.holds(&messages.sources));
            }
            (Err(refusal), Some(part)) => {
                let message = &refusal.problems[0].message;
                assert!(message.contains(part), "{quote:?}: {message}");
            }
            (made, _) => panic!("{quote:?}: {:?}", made.map(|made| made.json)),
        }
    };
    check("fixing routers is my craft", None);
    check("Network Engineer at Ericsson", Some("word for word"));
    check("Mother of three boys", Some("private"));
    check("Mail: anna@example.com", Some("contact"));
    check("BGP", Some("too short or too long"));
    let detail = Some(DetailQuote { quote: "Network Engineer at Telia".to_owned() });
    let made = create(&profile, HeadhuntingInput { personalization_detail: detail, ..Default::default() });
    assert!(problems(made)[0].1.contains("no candidate profile"));
}

/// A text that keeps every rule, for the position of a profile.
fn written(profile: &Profile) -> GivenMessage {
    let hook = format!("At GlobalConnect we need somebody for this role: {}.", profile.position_title);
    let value = "What speaks for it is a short way to the people who decide.".to_owned();
    let call = "Could we talk for 15 minutes on Thursday?".to_owned();
    GivenMessage {
        version: Version::ShortDirect,
        voice: Voice::En,
        text: format!("Hello,\n\n{hook} {value} {call}\n\nKind regards"),
        hook,
        value_proposition: value,
        based_on: profile.motivations[0].text.clone(),
        call_to_action: call,
    }
}

#[test]
fn a_written_text_is_taken_or_refused_with_the_rule() {
    let profile = profile();
    let good = written(&profile);
    let made =
        create(&profile, HeadhuntingInput { messages: vec![good.clone()], ..Default::default() }).unwrap();
    let messages = read(&made);
    assert_eq!(messages.versions.short_direct.en.text, good.text);
    assert!(messages.versions.short_direct.en.given && !messages.versions.short_direct.sv.given);

    let check = |change: &dyn Fn(&mut GivenMessage), part: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let all = problems(create(&profile, HeadhuntingInput { messages: vec![bad], ..Default::default() }));
        assert!(all.iter().any(|(_, message)| message.contains(part)), "{part}: {all:?}");
        assert!(all.iter().all(|(field, _)| field == "messages.short_direct.en"), "{all:?}");
    };
    let add = |text: &'static str| move |bad: &mut GivenMessage| bad.text = bad.text.replace("Kind", text);
    check(&|bad| bad.text = bad.text.replace("Kind", &"word ".repeat(90)), "words");
    check(&|bad| bad.text = bad.text.replace("Kind", &"word ".repeat(90)), "letters");
    check(
        &|bad| bad.hook = "At GlobalConnect we need somebody for this role".to_owned(),
        "name the position",
    );
    check(&|bad| bad.call_to_action = "Call me.".to_owned(), "exactly once");
    check(&|bad| bad.value_proposition = bad.hook.clone(), "exactly once");
    check(&|bad| bad.based_on = "free lunch".to_owned(), "free lunch");
    check(&add("I was impressed by your experience. Kind"), "your experience");
    check(&add("Are you there? Kind"), "more than one question");
    check(&add("We are 4711 people. Kind"), "4711");
    let twice = HeadhuntingInput { messages: vec![good.clone(), good.clone()], ..Default::default() };
    assert!(problems(create(&profile, twice))[0].1.contains("twice"));
}

#[test]
fn a_written_text_takes_up_the_one_detail_and_no_other() {
    let profile = profile();
    let candidate = "Network Engineer at Telia\nRuns the core network of a large hospital in Uppsala";
    let input = |sentence: &str| {
        let mut one = written(&profile);
        one.text = one.text.replace("Hello,\n\n", &format!("Hello,\n\n{sentence} "));
        HeadhuntingInput { messages: vec![one], ..about(candidate) }
    };
    let good = create(&profile, input("In your profile I read: “Network Engineer at Telia”.")).unwrap();
    check_structure(&read(&good)).unwrap();
    assert_eq!(read(&good).personalization_detail.unwrap().item.text, "Network Engineer at Telia");
    assert!(problems(create(&profile, input("Nice to meet you.")))[0].1.contains("exactly once"));
    let both =
        "In your profile I read: “Network Engineer at Telia”, and the core network of a large hospital.";
    assert!(problems(create(&profile, input(both)))[0].1.contains("more than one detail"));
}
