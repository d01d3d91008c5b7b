//! Earlier versions: what a person decided in them applies again only by another decision.

use serde_json::{Value, json};
use tata_testkit::{dishonest::NOTES, script::Turn};

use crate::decisions::{WIRES, confirmed, made, program};

/// What a person had decided and taken back does not apply again because a model restores it.
#[tokio::test(flavor = "multi_thread")]
async fn a_decided_version_comes_back_only_by_a_decision() {
    for wire in WIRES {
        let rename = json!({ "must_haves": { "replace": [
            { "old": "Fluent English, spoken and written", "new": "Fluent Swedish" },
        ] } });
        let restore = json!({ "kind": "requirement_profile", "version": 2 });
        let turns = [
            made("d1"),
            Turn::text(&["Here it is."]),
            confirmed("d2"),
            Turn::text(&["It is confirmed."]),
            Turn::text(&[]).call("d3", "edit_requirement_profile", &[&rename.to_string()]),
            Turn::text(&["It is changed."]),
            Turn::text(&[]).call("d4", "restore_document", &[&restore.to_string()]),
            Turn::text(&["It is late."]),
        ];
        let (world, _upstream) = program(wire, &turns).await;
        tokio::task::spawn_blocking(move || {
            let say = |said: &str| world.run(&["ask", "--json", "--session", "last", said]);
            assert_eq!(world.run(&["ask", "--agent", "tata", NOTES]).code, 0);
            assert_eq!(say("yes").code, 0);
            assert_eq!(say("Not English: Fluent Swedish").code, 8);
            let changed = say("yes");
            assert_eq!(changed.code, 0, "{}{}", changed.out, changed.err);
            let asked = say("What time is it?");
            assert_eq!(asked.code, 8, "{}{}", asked.out, asked.err);
            let waiting: Value = serde_json::from_str(&asked.out).unwrap();
            let question = waiting["question"].as_str().unwrap();
            let expected = "Should version 2 replace the requirement profile as it stands now (version 3)? What you decided \
                            in version 2 would apply again: ";
            assert!(question.starts_with(expected), "{question}");
            assert!(question.contains("Fluent English, spoken and written"), "{question}");
            let still = world.run(&["artifact", "show", "requirement_profile", "--format", "json"]);
            assert!(still.out.contains("Fluent Swedish"), "{}", still.out);
            assert_eq!(say("yes").code, 0);
            let back = world.run(&["artifact", "show", "requirement_profile", "--format", "json"]);
            assert!(back.out.contains("\"confirmed\""), "{}", back.out);
        })
        .await
        .unwrap();
    }
}
