//! Changes are shown before and after, and only a yes makes them (trial 2.2).

use tata_recruit::Language;

use super::talk::Talk;

#[test]
fn a_part_changes_and_the_rest_stays() {
    for (language, change, yes) in [
        (Language::En, "change 5 years to 3 years", "yes"),
        (Language::Sv, "ändra 5 years till 3 years", "ja"),
        (Language::Da, "ret 5 years til 3 years", "ja"),
        (Language::No, "endre 5 years til 3 years", "ja"),
        (Language::De, "ändere 5 years auf 3 years", "ja"),
    ] {
        let talk = Talk::with_draft(language);
        let before = talk.list("must_have_skills");
        let asked = talk.say(change);
        assert!(asked.contains("At least 5 years with BGP and MPLS"), "{language:?}: {asked}");
        assert!(asked.contains("At least 3 years with BGP and MPLS"), "{language:?}: {asked}");
        assert_eq!(talk.list("must_have_skills"), before, "nothing before the yes");
        let made = talk.say(yes);
        let after = talk.list("must_have_skills");
        assert_eq!(after[0], "At least 3 years with BGP and MPLS", "{language:?}: {made}");
        assert_eq!(after[1..], before[1..], "{language:?}: {made}");
        assert_eq!(talk.status(), "draft");
    }
}

#[test]
fn a_doubt_or_a_no_leaves_everything() {
    let talk = Talk::with_draft(Language::En);
    let before = talk.document("requirement_profile").unwrap();
    talk.say("replace number 2 with CCNP");
    let doubt = talk.say("hmm");
    assert!(doubt.contains("Nothing has been changed"), "{doubt}");
    let no = talk.say("no");
    assert!(no.contains("Nothing was changed"), "{no}");
    assert_eq!(talk.document("requirement_profile").unwrap(), before);
}

#[test]
fn a_fifth_must_have_asks_which_four() {
    let talk = Talk::with_draft(Language::En);
    let before = talk.document("requirement_profile").unwrap();
    let asked = talk.say("add a fifth must-have: CCNP");
    assert!(asked.contains("5. CCNP") && asked.contains("Which four"), "{asked}");
    let asked = talk.say("1, 2 and 3");
    assert!(asked.contains("four different numbers"), "{asked}");
    let asked = talk.say("1, 2, 4 and 5");
    assert!(
        asked.contains("Goes (must): Swedish and English") && asked.contains("Comes (must): CCNP"),
        "{asked}"
    );
    assert_eq!(talk.document("requirement_profile").unwrap(), before, "nothing before the yes");
    talk.say("yes");
    assert_eq!(
        talk.list("must_have_skills"),
        ["At least 5 years with BGP and MPLS", "Juniper MX", "A driving licence", "CCNP"]
    );
    assert_eq!(talk.list("good_to_haves"), ["Swedish and English"]);
}

#[test]
fn what_is_removed_from_four_needs_another() {
    let talk = Talk::with_draft(Language::En);
    let asked = talk.say("remove number 2");
    assert!(asked.contains("What takes the place of “Juniper MX”?"), "{asked}");
    let question = talk.say("what do you mean?");
    assert_eq!(talk.list("must_have_skills")[1], "Juniper MX", "{question}");
    let asked = talk.say("Nokia routers");
    assert!(asked.contains("Before: Juniper MX") && asked.contains("After: Nokia routers"), "{asked}");
    talk.say("yes");
    assert_eq!(talk.list("must_have_skills")[1], "Nokia routers");
}

#[test]
fn undo_brings_the_version_before_back() {
    let talk = Talk::with_draft(Language::En);
    let before = talk.list("must_have_skills");
    talk.say("replace Juniper MX with CCNP");
    talk.say("yes");
    assert_eq!(talk.list("must_have_skills")[1], "CCNP");
    let undone = talk.say("undo");
    assert_eq!(talk.list("must_have_skills"), before, "{undone}");
}

/// What destroyed something once: a phone number, a rating, words that stand in several items or in none.
#[test]
fn what_names_nothing_changes_nothing() {
    let talk = Talk::with_draft(Language::En);
    let before = talk.document("requirement_profile").unwrap();
    for sentence in [
        "+46 70 123 45 67",
        "change Cisco to 4: MX960 and PTX since 2017",
        "change the network to something else",
        "Ta bort det om yngre kille",
        "the team sits on floor 4",
    ] {
        let answer = talk.say(sentence);
        talk.say("no");
        assert_eq!(talk.document("requirement_profile").unwrap(), before, "{sentence}: {answer}");
    }
}

/// The question in which country the job is takes a town or a country, alone and in any language.
#[test]
fn a_country_alone_says_where_the_job_is() {
    for (said, path, stored) in [
        ("Denmark", "/country", "denmark"),
        ("Tyskland", "/country", "germany"),
        ("Bergen", "/team_info/location/text", "Bergen"),
    ] {
        let talk = Talk::with_draft(Language::En);
        let asked = talk.say(said);
        assert!(asked.contains(said), "{asked}");
        let made = talk.say("yes");
        let (_, profile) = talk.document("requirement_profile").unwrap();
        assert_eq!(profile.pointer(path).and_then(|value| value.as_str()), Some(stored), "{made}");
    }
}
