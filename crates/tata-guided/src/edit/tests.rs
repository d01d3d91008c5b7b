//! Changes as people word them, in five languages, and what must not be taken for one.

use super::*;

const MUST: [&str; 4] =
    ["At least 5 years with BGP and MPLS", "Juniper", "Swedish and English", "B driving licence"];

fn lists<T>(check: impl FnOnce(&[List<'_>]) -> T) -> T {
    let must = MUST.map(str::to_owned);
    let good = ["Python for automation".to_owned()];
    let tasks = ["Operate the backbone".to_owned(), "Plan changes with the field team".to_owned()];
    check(&[
        List { place: Place::Must, items: &must },
        List { place: Place::Good, items: &good },
        List { place: Place::Task, items: &tasks },
    ])
}

fn edit(message: &str, language: Language) -> Edit {
    match lists(|lists| read(message, language, lists)) {
        Some(Reading::Edit(edit)) => edit,
        other => panic!("{message}: {other:?}"),
    }
}

#[test]
fn a_part_is_replaced_and_the_rest_stays() {
    for (message, language) in [
        ("change 5 years to 3 years", Language::En),
        ("please change 5 years to 3 years", Language::En),
        ("can you change \"5 years\" to \"3 years\"?", Language::En),
        ("3 years instead of 5 years", Language::En),
        ("it should be 3 years instead of 5 years", Language::En),
        ("instead of 5 years we need 3 years", Language::En),
        ("statt 5 years brauchen wir 3 years", Language::De),
        ("ändra 5 years till 3 years", Language::Sv),
        ("3 years i stället för 5 years", Language::Sv),
        ("ret 5 years til 3 years", Language::Da),
        ("endre 5 years til 3 years", Language::No),
        ("ändere 5 years auf 3 years", Language::De),
        ("bitte ersetze 5 years durch 3 years", Language::De),
    ] {
        let expected = Edit::Replace {
            place: Place::Must,
            at: 0,
            part: Some("5 years".to_owned()),
            new: "3 years".to_owned(),
            after: "At least 3 years with BGP and MPLS".to_owned(),
        };
        assert_eq!(edit(message, language), expected, "{message}");
    }
}

#[test]
fn a_whole_item_is_replaced_by_number_or_name() {
    for (message, language) in [
        ("replace the second with CCNP", Language::En),
        ("replace number 2 with CCNP, please", Language::En),
        ("change Juniper to CCNP", Language::En),
        ("byt ut nummer 2 mot CCNP", Language::Sv),
        ("ersätt Juniper med CCNP", Language::Sv),
        ("skift nummer 2 ud med CCNP", Language::Da),
        ("bytt ut nummer 2 med CCNP", Language::No),
        ("ersetze Nummer 2 durch CCNP", Language::De),
        ("CCNP statt Juniper", Language::De),
    ] {
        let Edit::Replace { place: Place::Must, at: 1, part: None, after, .. } = edit(message, language)
        else {
            panic!("{message}")
        };
        assert_eq!(after, "CCNP", "{message}");
    }
}

#[test]
fn items_are_removed_by_number_or_name() {
    for (message, language) in [
        ("remove number 2", Language::En),
        ("take out the second one", Language::En),
        ("take Juniper out", Language::En),
        ("delete Juniper", Language::En),
        ("ta bort nummer 2", Language::Sv),
        ("ta bort kravet på Juniper", Language::Sv),
        ("stryk den andra", Language::Sv),
        ("fjern nummer 2", Language::Da),
        ("fjern Juniper", Language::No),
        ("ta bort nummer 2", Language::No),
        ("streiche Nummer 2", Language::De),
        ("Nummer 2 streichen", Language::De),
        ("nimm Juniper raus", Language::De),
    ] {
        assert_eq!(edit(message, language), Edit::Remove { place: Place::Must, at: 1 }, "{message}");
    }
    assert_eq!(edit("remove task 2", Language::En), Edit::Remove { place: Place::Task, at: 1 });
    assert_eq!(edit("ta bort uppgift 1", Language::Sv), Edit::Remove { place: Place::Task, at: 0 });
}

#[test]
fn what_is_added_names_its_list_or_none() {
    for (message, language, place) in [
        ("add a fifth must-have: CCNP", Language::En, Some(Place::Must)),
        ("add CCNP as a must-have", Language::En, Some(Place::Must)),
        ("add CCNP to the nice to have", Language::En, Some(Place::Good)),
        ("add CCNP", Language::En, None),
        ("lägg till CCNP som meriterande", Language::Sv, Some(Place::Good)),
        ("lägg till ett krav: CCNP", Language::Sv, Some(Place::Must)),
        ("tilføj CCNP som krav", Language::Da, Some(Place::Must)),
        ("legg til CCNP som en fordel", Language::No, Some(Place::Good)),
        ("ergänze CCNP als Anforderung", Language::De, Some(Place::Must)),
    ] {
        assert_eq!(edit(message, language), Edit::Add { place, text: "CCNP".to_owned() }, "{message}");
    }
}

#[test]
fn items_move_between_lists() {
    for (message, language) in [
        ("make number 2 a good-to-have", Language::En),
        ("move Juniper to nice to have", Language::En),
        ("flytta nummer 2 till meriterande", Language::Sv),
        ("flyt Juniper til en fordel", Language::Da),
        ("flytt nummer 2 til ønskelig", Language::No),
        ("verschiebe Nummer 2 zu Kann-Kriterien", Language::De),
    ] {
        let moved = Edit::Move { from: Place::Must, at: 1, to: Place::Good };
        assert_eq!(edit(message, language), moved, "{message}");
    }
}

#[test]
fn title_and_pay_are_set() {
    let title = Edit::Set { place: None, value: "Senior Network Engineer".to_owned() };
    assert_eq!(edit("title: Senior Network Engineer", Language::En), title);
    assert_eq!(edit("change the title to Senior Network Engineer", Language::En), title);
    let pay = Edit::Set { place: Some(Place::Pay), value: "45 000-52 000 SEK per month".to_owned() };
    assert_eq!(edit("Pay: 45 000-52 000 SEK per month", Language::En), pay);
}

/// Trial 2.2: what destroyed something once.
#[test]
fn what_is_not_certain_is_not_an_edit() {
    let reading = |message: &str, language| lists(|lists| read(message, language, lists));
    assert!(matches!(reading("change Cisco to Nokia", Language::En), Some(Reading::NotFound { .. })));
    assert!(matches!(
        reading("remove and", Language::En),
        Some(Reading::NotFound { .. } | Reading::Several { .. })
    ));
    assert_eq!(reading("swap 1 and 2", Language::En), Some(Reading::Unclear));
    assert!(matches!(reading("remove number 7", Language::En), Some(Reading::NotFound { .. })));
    for none in [
        "not sure",
        "1 and 2 are too strict",
        "start date 1 February",
        "+46 70 123 45 67",
        "is that right?",
        "4",
    ] {
        assert_eq!(reading(none, Language::En), None, "{none}");
    }
}

#[test]
fn what_is_wanted_is_learned_from_sentences() {
    let must = ["At least 5 years with BGP".to_owned(), "A driving licence".to_owned()];
    let soft = ["calm".to_owned()];
    let lists = [List { place: Place::Must, items: &must }, List { place: Place::Trait, items: &soft }];
    let gone = Some(Reading::Edit(Edit::Remove { place: Place::Trait, at: 0 }));
    let read = |text, language| read(text, language, &lists);
    assert_eq!(read("I'd like calm removed from the personal qualities.", Language::En), gone);
    assert_eq!(read("Jeg vil gerne have calm fjernet.", Language::Da), gone);
    assert_eq!(read("Jag vill ha bort calm", Language::Sv), gone);
    // The words of these sentences are all in the lists, and nothing is asked for.
    assert_eq!(read("Don't remove calm, please", Language::En), None);
    assert_eq!(read("Why should calm be removed?", Language::En), None);
    let after = |text, language| match read(text, language) {
        Some(Reading::Edit(Edit::Replace { after, .. })) => after,
        other => format!("{other:?}"),
    };
    assert_eq!(after("It should be 7 years with BGP, not 5.", Language::En), "At least 7 years with BGP");
    assert_eq!(after("Ersätt driving licence med \"B-körkort\"", Language::Sv), "B-körkort");
    let added =
        |text: &str| Some(Reading::Edit(Edit::Add { place: Some(Place::Trait), text: text.to_owned() }));
    assert_eq!(read("Under personal qualities, add well organised.", Language::En), added("well organised"));
    assert_eq!(read("That captures the role really well", Language::En), None);
    assert_eq!(
        read("Make calm a must-have", Language::En),
        Some(Reading::Edit(Edit::Move { from: Place::Trait, at: 0, to: Place::Must }))
    );
}
