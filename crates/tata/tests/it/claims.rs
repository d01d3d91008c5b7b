//! `tata claims` and `tata eval claims`, through the real binary.

use serde_json::Value;

use crate::program::World;

const NOTES: &str =
    "Vi söker två svetsare till Sandviken. Licens är meriterande.\nLönen är 31 000 kr. Inga nätter.\n";

fn world() -> World {
    World::new()
        .file("notes.txt", NOTES)
        .file("good.txt", "Två svetsare söks till Sandviken.")
        .file("ad.txt", "Å, två svetsare söks till Sandviken. Licens är ett krav, och du får bonus.")
}

#[test]
fn what_is_proven_and_what_is_not_is_said_in_characters() {
    let said =
        world().run(&["claims", "--lang", "sv", "--text", "ad.txt", "--source", "notes=notes.txt", "--json"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let sentences = found["sentences"].as_array().unwrap();
    assert_eq!(sentences.len(), 2);
    assert_eq!(sentences[0]["status"], "supported");
    assert_eq!(sentences[0]["evidence"][0]["source"], "notes");
    assert_eq!(sentences[1]["status"], "unproven");
    let ad: Vec<char> =
        "Å, två svetsare söks till Sandviken. Licens är ett krav, och du får bonus.".chars().collect();
    let notes: Vec<char> = NOTES.chars().collect();
    let piece = |text: &[char], part: &Value| {
        let place = |key: &str| usize::try_from(part[key].as_u64().unwrap()).unwrap();
        text[place("start")..place("end")].iter().collect::<String>()
    };
    let unproven: Vec<String> =
        sentences[1]["unproven"].as_array().unwrap().iter().map(|part| piece(&ad, part)).collect();
    assert_eq!(unproven, ["Licens", "bonus"]);
    assert_eq!(sentences[1]["unproven"][1]["text"], "bonus");
    assert_eq!(piece(&notes, &sentences[0]["evidence"][0]), "Vi söker två svetsare till Sandviken.");
}

#[test]
fn people_read_what_is_missing_and_the_exit_code_says_whether_anything_is() {
    let world = world();
    let said = world.run(&["claims", "-l", "sv", "-t", "ad.txt", "-s", "notes=notes.txt"]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("bonus: no source speaks of this benefit"), "{}", said.out);
    assert!(said.out.contains("1 of 2 sentences are proven"), "{}", said.out);
    let said = world.run(&["claims", "-l", "sv", "-t", "good.txt", "-s", "notes=notes.txt"]);
    assert_eq!(said.code, 0, "{}", said.out);
    let said =
        world.run_with_input(&["claims", "-l", "sv", "-t", "-", "-s", "notes=notes.txt"], "Du får bonus.");
    assert_eq!(said.code, 1);
}

#[test]
fn wrong_usage_is_named() {
    let said = world().run(&["claims", "-l", "sv", "-t", "ad.txt", "-s", "notes.txt"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("NAME=FILE"), "{}", said.err);
    let said = world().run(&["claims", "-l", "fi", "-t", "ad.txt", "-s", "notes=notes.txt"]);
    assert!(said.code == 2 && said.err.contains("en, sv, da, no and de"), "{}", said.err);
}

#[test]
fn labelled_sentences_are_measured() {
    let labelled = format!(
        "== case\n@ notes\n{NOTES}ok: order | Två svetsare söks.\nbad: benefit | Du får bonus.\nbad: honest | Lönen är 31 000 kr.\n"
    );
    let world = world().file("sv.txt", &labelled).file("broken-sv.txt", "ok: no source\n");
    let said = world.run(&["eval", "claims", "sv.txt", "--mistakes"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("caught 1/2 0.500, left alone 1/1 1.000"), "{}", said.out);
    assert!(said.out.contains("not caught line 7, honest"), "{}", said.out);
    assert_eq!(world.run(&["eval", "claims", "sv.txt", "--fail-under", "0.9"]).code, 1);
    let measured: Value =
        serde_json::from_str(&world.run(&["eval", "claims", "sv.txt", "--json"]).out).unwrap();
    assert_eq!(measured[0]["caught"], 1);
    let said = world.run(&["eval", "claims", "-l", "sv", "broken-sv.txt"]);
    assert!(said.code == 2 && said.err.contains("line 1"), "{}", said.err);
}
