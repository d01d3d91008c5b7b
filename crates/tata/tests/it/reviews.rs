//! `tata di`, `tata review` and `tata eval`, through the real binary.

use serde_json::Value;

use crate::program::World;

const AD: &str = "We are a young team in Oslo.\nWe look for a salesman, a native speaker.\nYou get a competitive salary.\n";

fn json(world: &World, arguments: &[&str], text: &str) -> Value {
    let said = world.run_with_input(arguments, text);
    assert_eq!(said.code, 0, "{} {}", said.out, said.err);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn findings_stand_in_their_line_with_reason_and_better_words() {
    let said = World::new().run_with_input(&["di", "-", "--lang", "en"], AD);
    assert_eq!(said.code, 0, "{}", said.err);
    let lines: Vec<&str> = said.out.lines().collect();
    let at = lines.iter().position(|line| line.contains("We are a young team in Oslo.")).unwrap();
    assert_eq!(lines[at + 1].trim_end(), "             ^^^^^^^^^^", "{}", said.out);
    assert!(lines[at - 1].contains("1:10") && lines[at - 1].ends_with("high Age"), "{}", said.out);
    assert!(!said.out.contains("age/young-team"), "people read no rule ids: {}", said.out);
    assert!(
        said.out.contains("salesman") && said.out.contains("Instead:") && said.out.contains("Score:"),
        "{}",
        said.out
    );
    assert!(!said.out.contains('\u{1b}'), "no colors into a pipe");
    let colored = World::new().run_with_input(&["di", "-", "--color", "always"], AD);
    assert!(colored.out.contains('\u{1b}'));
}

/// A recruiter who writes Danish was explained to in English, with the names that programs have for the rules.
#[test]
fn a_review_speaks_the_language_of_the_ad() {
    for (ad, of_inclusion, of_the_ad) in [
        (
            "Vi söker en driven säljare till vårt unga team i Malmö. Skicka din ansökan i dag.",
            "Kön",
            "rubrik",
        ),
        ("Vi søger en sælger til vores unge team i Aarhus. Send din ansøgning i dag.", "Køn", "Point:"),
        ("Vi søker en selger til det unge teamet vårt i Bergen. Send søknaden din i dag.", "Kjønn", "Poeng:"),
        ("Wir suchen einen Verkäufer für unser junges Team in Hamburg.", "Geschlecht", "Punkte:"),
    ] {
        let world = World::new();
        let inclusion = world.run_with_input(&["di", "-"], ad).out;
        assert!(inclusion.contains(of_inclusion) && !inclusion.contains("Score"), "{inclusion}");
        assert!(!inclusion.contains("/young"), "{inclusion}");
        let review = world.run_with_input(&["review", "-"], ad).out;
        assert!(review.contains(of_the_ad) || !review.contains("Score"), "{review}");
        let english = world.run_with_input(&["di", "-", "--explain-in", "en"], ad).out;
        assert!(english.contains("Score"), "{english}");
    }
}

#[test]
fn the_json_has_what_programs_need() {
    let review = json(&World::new(), &["di", "-", "--json"], AD);
    assert!(review["overall_score"].as_u64().unwrap() < 100);
    assert_eq!(review["original_text"], AD);
    assert_eq!(review["category_scores"]["age"], 85);
    assert_eq!(review["category_scores"]["religion"], 100);
    let items = review["flagged_items"].as_array().unwrap();
    assert_eq!(items.len(), 3, "{items:#?}");
    let letters: Vec<char> = AD.chars().collect();
    for item in items {
        let place = |name: &str| usize::try_from(item[name].as_u64().unwrap()).unwrap();
        let found: String = letters[place("start")..place("end")].iter().collect();
        assert_eq!(item["text"], found);
        for name in ["category", "severity", "explanation", "rule"] {
            assert!(item[name].as_str().is_some_and(|text| !text.is_empty()), "{item:#}");
        }
        assert!(!item["alternatives"].as_array().unwrap().is_empty());
    }
}

#[test]
fn sarif_names_rules_places_and_fixes() {
    let log = json(&World::new(), &["di", "-", "--format", "sarif"], AD);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().unwrap();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
    }
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"], &region["endColumn"]),
        (&2.into(), &15.into(), &23.into())
    );
    let fix = &results[1]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(fix["deletedRegion"], *region);
}

#[test]
fn a_score_under_the_limit_fails() {
    let world = World::new();
    assert_eq!(world.run_with_input(&["di", "-", "--fail-under", "100"], AD).code, 1);
    assert_eq!(world.run_with_input(&["di", "-", "--fail-under", "10"], AD).code, 0);
    assert_eq!(world.run_with_input(&["review", "-", "--fail-under", "100"], AD).code, 1);
    assert_eq!(world.run_with_input(&["di", "-", "--fail-under", "101"], AD).code, 2);
}

#[test]
fn only_what_is_accepted_is_replaced() {
    let world = World::new();
    let said = world.run_with_input(
        &["di", "-", "--lang", "en", "--accept", "1", "--accept", "2=colleague in sales"],
        AD,
    );
    assert_eq!(
        said.out,
        "We are a team in Oslo.\nWe look for a colleague in sales, a native speaker.\nYou get a competitive salary.\n",
        "{}",
        said.err
    );
    let wrong = world.run_with_input(&["di", "-", "--accept", "9"], AD);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains('9') && wrong.err.contains('3'), "{}", wrong.err);
}

#[test]
fn an_ad_is_reviewed_part_by_part() {
    let world = World::new();
    let review = json(&world, &["review", "-", "--json"], AD);
    assert_eq!(review["sections"].as_array().unwrap().len(), 12);
    for name in ["overall_score", "structure_score", "content_score", "compliance_score"] {
        assert!(review[name].as_u64().is_some_and(|score| score <= 100), "{name}");
    }
    let shown = world.run_with_input(&["review", "-", "--explain-in", "sv"], AD);
    assert!(shown.out.contains("rubrik"), "{}", shown.out);
}

#[test]
fn the_profile_of_a_conversation_is_compared() {
    let world = World::new();
    let notes = "Must have\\n* Five years with BGP\\n* Experience of carrier networks\\n* Fluent English\\n* A driving \
                 licence for lorries\\n\\nTasks\\n* Plan the backbone\\n* Mend the backbone\\n* Document the backbone";
    let input = format!("{{\"position_title\": \"Network Engineer\", \"startup_notes\": \"{notes}\"}}");
    let made = world.run_with_input(&["run", "create_requirement_profile", "--input", "-"], &input);
    assert_eq!(made.code, 0, "{}", made.err);
    let review = json(&world, &["review", "-", "--profile", "last", "--json"], AD);
    let missing =
        review["issues"].as_array().unwrap().iter().filter(|issue| issue["rule"] == "must_have_missing");
    assert_eq!(missing.count(), 4);
    assert_eq!(world.run_with_input(&["review", "-", "--profile", "nobody"], AD).code, 5);
}

#[test]
fn what_cannot_be_reviewed_is_said() {
    let world = World::new();
    let empty = world.run_with_input(&["di", "-"], " \n");
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("no job ad to review"), "{}", empty.err);
    let lost = world.run(&["di", "nowhere.md"]);
    assert!(lost.code != 0 && lost.err.contains("nowhere.md"), "{}", lost.err);
    let language = world.run_with_input(&["di", "-", "--lang", "fi"], AD);
    assert_eq!(language.code, 2);
    assert!(language.err.contains("en, sv, da, no and de"), "{}", language.err);
}

#[test]
fn labelled_sentences_are_measured() {
    let world = World::new();
    let labelled = concat!(env!("CARGO_MANIFEST_DIR"), "/../tata-recruit/tests/inclusion/sv.yaml");
    let said = world.run(&["eval", "di", labelled]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out.contains("precision") && said.out.contains("nationality") && said.out.contains("all"),
        "{}",
        said.out
    );
    let measured: Value = serde_json::from_str(&world.run(&["eval", "di", labelled, "--json"]).out).unwrap();
    assert!(measured[0]["all"]["recall"].as_f64().is_some());
    assert_eq!(
        world.run(&["eval", "di", labelled, "--fail-under", "1.0"]).code,
        i32::from(
            measured[0]["all"]["recall"].as_f64() < Some(1.0)
                || measured[0]["all"]["precision"].as_f64() < Some(1.0)
        )
    );
}
