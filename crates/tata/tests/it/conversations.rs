//! Whole conversations with the recruiter's assistant, through the real binary and over each of the three wires
//! (A3.*, A4.*, A6.2–A6.4).

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::World;

/// A way to a model: its name, and how an answer is written there.
#[derive(Clone, Copy)]
struct Wire {
    model: &'static str,
    write: fn(&Turn) -> String,
}

const WIRES: [Wire; 3] = [
    Wire { model: "gpt-6.1-sol", write: script::responses },
    Wire { model: "claude-sonnet-5-5", write: script::messages },
    Wire { model: "ollama/qwen3:8b", write: script::chat },
];

const NOTES: &str = "Network Engineer\n\nMust have\n* Five years of experience with BGP and MPLS\n* Experience of operating carrier networks\n\
    * Fluent English, spoken and written\n* A driving licence for cars\n\nTasks\n* Operate and develop the backbone\n\
    * Plan and carry out changes at night\n* Find the causes of faults\n\nPersonal qualities: calm, thorough\n\n\
    Why the role is interesting\n* The backbone is being rebuilt and the team decides how\n\n\
    The team has eight people and sits in Stockholm.";

const TRANSCRIPT: &str = "Interview with Robin Lund for the role of Network Engineer, 13 November 2026\n\nAlex Berg: Why this role?\nRobin Lund: I want to help to rebuild a backbone, that is why I \
    applied.\nAlex Berg: What have you done with BGP and MPLS?\nRobin Lund: I planned and led the move of forty routers \
    to a new BGP and MPLS design last year, and we had no outage.\nAlex Berg: When could you start?\nRobin Lund: My \
    notice period is three months.";

/// One conversation: a world, a scripted server, a wire.
struct Talk {
    world: Option<World>,
    upstream: Upstream,
    wire: Wire,
}

impl Talk {
    async fn begin(wire: Wire, answers: &[Turn]) -> Self {
        let upstream = Upstream::start(answers.iter().map(|turn| Exchange::sse((wire.write)(turn)))).await;
        let world = World::new()
            .set("OPENAI_API_KEY", "sk-x")
            .set("ANTHROPIC_API_KEY", "sk-y")
            .set("OPENAI_BASE_URL", &upstream.base_url())
            .set("ANTHROPIC_BASE_URL", &upstream.base_url())
            .set("OLLAMA_BASE_URL", &upstream.base_url())
            .set("TATA_MODEL", wire.model)
            .set("TATA_NOW", "2026-11-15T09:00:00Z");
        Self { world: Some(world), upstream, wire }
    }

    /// Says something; the program runs beside the server.
    async fn say(&mut self, text: &str, first: bool) -> Value {
        let mut arguments = vec!["ask", "--agent", "tata", "--json", "-m", self.wire.model];
        if !first {
            arguments.extend(["--session", "last"]);
        }
        arguments.push(text);
        let said = self.run(&arguments).await;
        assert_eq!(said.1, 0, "{}: {}", self.wire.model, said.0);
        serde_json::from_str(&said.0).unwrap()
    }

    async fn run(&mut self, arguments: &[&str]) -> (String, i32) {
        let world = self.world.take().unwrap();
        let arguments: Vec<String> = arguments.iter().map(|one| (*one).to_owned()).collect();
        let (said, world) = tokio::task::spawn_blocking(move || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            (world.run(&arguments), world)
        })
        .await
        .unwrap();
        self.world = Some(world);
        (said.out, said.code)
    }

    /// The newest version of a document, as it is stored.
    async fn stored(&mut self, kind: &str) -> Value {
        let (shown, code) = self.run(&["artifact", "show", kind, "--format", "json"]).await;
        assert_eq!(code, 0, "{shown}");
        serde_json::from_str::<Value>(&shown).unwrap()["artifact"].clone()
    }

    /// The results the model was last sent, by call id, as JSON.
    fn results(&self) -> Vec<(String, Value)> {
        let sent = self.upstream.requests().last().unwrap().json();
        let mut results = Vec::new();
        gather(&sent, &mut results);
        results
    }
}

/// Finds tool results in a request of any wire.
fn gather(value: &Value, results: &mut Vec<(String, Value)>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| gather(one, results)),
        Value::Object(object) => {
            let text = |name: &str| object.get(name).and_then(Value::as_str);
            let found = match (text("type"), text("role")) {
                (Some("function_call_output"), _) => text("call_id").zip(object.get("output")),
                (Some("tool_result"), _) => text("tool_use_id").zip(object.get("content")),
                (_, Some("tool")) => text("tool_call_id").zip(object.get("content")),
                _ => None,
            };
            if let Some((id, content)) = found {
                let text = content.as_str().or_else(|| content[0]["text"].as_str()).unwrap_or_default();
                // Wires without a mark for errors carry it before the JSON.
                let json = text.find('{').map_or(text, |at| &text[at..]);
                results.push((id.to_owned(), serde_json::from_str(json).unwrap_or_else(|_| json!(text))));
            } else {
                object.values().for_each(|one| gather(one, results));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn call(id: &str, tool: &str, input: &Value) -> Turn {
    Turn::text(&[]).call(id, tool, &[&input.to_string()])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recruitment_from_notes_to_report() {
    for wire in WIRES {
        let profile = json!({ "position_title": "Network Engineer", "startup_notes": "m1" });
        let several = Turn::text(&["I make all three."])
            .call("c3", "create_job_ad", &["{}"])
            .call("c4", "create_ta_screening_template", &["{}"])
            .call("c5", "create_hm_screening_template", &["{}"]);
        let report = json!({ "candidate_name": "Robin Lund", "interview_date": "2026-11-13", "transcript": "m4 from \"Alex Berg: Why\"" });
        let mut talk = Talk::begin(
            wire,
            &[
                call("c1", "create_requirement_profile", &profile),
                Turn::text(&["Is this the right profile?"]),
                call("c2", "edit_requirement_profile", &json!({ "confirm": true })),
                Turn::text(&["It is confirmed."]),
                several,
                Turn::text(&["Here they are."]),
                call("c6", "create_candidate_report", &report),
                Turn::text(&["Here is the report."]),
            ],
        )
        .await;
        let made = talk.say(NOTES, true).await;
        assert_eq!(made["tool_calls"][0]["status"], "succeeded", "{made:#}");
        assert_eq!(made["content"], "Is this the right profile?");
        let results = talk.results();
        assert_eq!(results[0].0, "c1", "{}", wire.model);
        assert!(
            results[0].1["text"].as_str().is_some_and(|text| text.contains("must-haves")),
            "{}",
            results[0].1
        );
        let profile = talk.stored("requirement_profile").await;
        assert_eq!(profile["must_have_skills"].as_array().map(Vec::len), Some(4));
        talk.say("Yes.", false).await;
        assert_eq!(talk.stored("requirement_profile").await["status"], "confirmed");
        let three = talk.say("Make the ad and both templates.", false).await;
        let statuses: Vec<&Value> =
            three["tool_calls"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
        assert_eq!(statuses, ["succeeded"; 3], "{}: {three:#}", wire.model);
        let ids: Vec<String> = talk.results().into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids[ids.len() - 3..], ["c3", "c4", "c5"], "results come in the order of the calls");
        let report = talk.say(TRANSCRIPT, false).await;
        assert_eq!(report["tool_calls"][0]["status"], "succeeded", "{report:#}");
        let (_, answer) = talk.results().pop().unwrap();
        assert!(!answer.to_string().contains("Robin Lund"), "the model reads no name: {answer:#}");
        let (list, _) = talk.run(&["artifact", "list", "--json"]).await;
        let list: Value = serde_json::from_str(&list).unwrap();
        let mut kinds: Vec<&str> =
            list["documents"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
        kinds.dedup();
        assert_eq!(
            kinds,
            [
                "candidate_reports",
                "hm_screening_template",
                "job_ad",
                "requirement_profile",
                "ta_screening_template"
            ]
        );
        let (sessions, _) = talk.run(&["session", "list", "--json"]).await;
        assert!(sessions.contains("Network Engineer"), "the position is the title: {sessions}");
    }
}

/// A review changes nothing until the recruiter has decided; then only what was accepted.
#[tokio::test(flavor = "multi_thread")]
async fn an_ad_is_reviewed_and_only_what_is_accepted_changes() {
    for wire in WIRES {
        let text = "We are a young team and look for a salesman.";
        let answers = [
            call("c1", "create_di_review", &json!({ "job_ad_text": text, "language": "en" })),
            Turn::text(&["I found two things."]),
            call("c2", "decide_di_findings", &json!({ "accept": [{ "finding": 2 }], "ignore": [1] })),
            Turn::text(&["Done."]),
        ];
        let mut talk = Talk::begin(wire, &answers).await;
        talk.say(text, true).await;
        let review = talk.stored("di_review").await;
        assert_eq!(review["original_text"], text);
        assert_eq!(review["flagged_items"].as_array().map(Vec::len), Some(2), "{review:#}");
        assert_eq!(review["revised_text"], Value::Null);
        // What the model understood is put to the recruiter, who says yes to exactly that.
        let words = "Change the second, leave the first.";
        let (asked, code) = talk.run(&["ask", "--agent", "tata", "--json", "--session", "last", words]).await;
        assert_eq!(code, 8, "a person must decide: {asked}");
        let (shown, _) = talk.run(&["session", "show", "last"]).await;
        assert!(
            shown.contains(
                "Are these your decisions on the D&I review (version 1)? Number 1 stays as it is; suggestion 2 is used with \
                 the words “salesperson”."
            ),
            "{shown}"
        );
        let (said, code) = talk.run(&["session", "resume", "last", "--decide", "c2=run"]).await;
        assert_eq!(code, 0, "{said}");
        let decided = talk.stored("di_review").await;
        let revised = decided["revised_text"].as_str().unwrap();
        assert!(revised.starts_with("We are a young team and") && !revised.contains("salesman"), "{revised}");
        assert_eq!(decided["original_text"], text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_asked_for_too_early_names_what_is_missing() {
    for wire in WIRES {
        let answers = [call("c1", "create_job_ad", &json!({})), Turn::text(&["We need the profile first."])];
        let mut talk = Talk::begin(wire, &answers).await;
        let said = talk.say("Write the job ad.", true).await;
        assert_eq!(said["tool_calls"][0]["status"], "missing_prerequisite");
        let problem = said["tool_calls"][0]["problem"].as_str().unwrap();
        assert!(
            problem.contains("the requirement profile") && !problem.contains("requirement_profile"),
            "{problem}"
        );
        let (_, result) = talk.results().pop().unwrap();
        assert_eq!(result["error"]["missing"][0], "requirement_profile");
        assert!(result["error"]["what_to_do"].as_str().unwrap().contains("Shall we create"), "{result:#}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_is_told_with_field_and_way_out() {
    for wire in WIRES {
        let too_few = json!({ "position_title": "Controller", "startup_notes": "m1" });
        let notes = "Controller. Must have: experience with SAP, fluent German. We sit in Hamburg and the team is small \
            but growing.";
        let invented = json!({ "position_title": "Controller", "startup_notes": "m1",
            "must_haves": [{ "text": "A degree in astrophysics" }] });
        let answers = [
            call("c1", "create_requirement_profile", &too_few),
            Turn::text(&["I found two must-haves."]),
            call("c2", "create_requirement_profile", &invented),
            Turn::text(&["I cannot trace that."]),
            call("c3", "create_requirement_profile", &json!({ "position_title": 7 })),
            Turn::text(&["I was wrong."]),
        ];
        let mut talk = Talk::begin(wire, &answers).await;
        let first = talk.say(notes, true).await;
        assert_eq!(first["tool_calls"][0]["status"], "rejected", "{first:#}");
        let second = talk.say("Add a degree.", false).await;
        let problem = second["tool_calls"][0]["problem"].as_str().unwrap();
        assert!(problem.contains("A degree in astrophysics"), "{problem}");
        let third = talk.say("Again.", false).await;
        assert_eq!(third["tool_calls"][0]["status"], "invalid_arguments");
        let (list, _) = talk.run(&["artifact", "list", "--json"]).await;
        assert_eq!(
            serde_json::from_str::<Value>(&list).unwrap()["documents"],
            json!([]),
            "nothing was stored"
        );
    }
}

/// A long interview is pasted once and handed over by its number: the model neither retypes it nor pays for it twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_transcript_gets_from_paste_to_report_for_few_tokens() {
    let week = |at: usize| {
        format!(
            "Alex Berg: And what happened then, in week {at} of the project?\nRobin Lund: In week {at} we moved another \
             router and I wrote the test plan for it myself."
        )
    };
    let long = (0..310).map(week).collect::<Vec<_>>().join("\n");
    let transcript = format!("{TRANSCRIPT}\n{long}");
    assert!(transcript.chars().count() > 40_000, "{}", transcript.chars().count());
    for wire in WIRES {
        let profile = json!({ "position_title": "Network Engineer", "startup_notes": "m1" });
        let report =
            json!({ "candidate_name": "Robin Lund", "interview_date": "2026-11-13", "transcript": "m2" });
        let answers = [
            call("c1", "create_requirement_profile", &profile).call(
                "c2",
                "create_ta_screening_template",
                &["{}"],
            ),
            Turn::text(&["Here they are."]),
            call("c3", "create_candidate_report", &report),
            Turn::text(&["Here is the report; which ratings do you confirm?"]),
        ];
        let written: usize = [report.to_string().len(), 60].into_iter().sum();
        assert!(written / 4 < 500, "output tokens");
        let mut talk = Talk::begin(wire, &answers).await;
        talk.say(NOTES, true).await;
        let before = talk.upstream.requests().len();
        let made = talk.say(&transcript, false).await;
        assert_eq!(made["tool_calls"][0]["status"], "succeeded", "{}: {made:#}", wire.model);
        let sent: usize = talk.upstream.requests()[before..]
            .iter()
            .map(|request| request.json().to_string().len().div_ceil(4))
            .sum();
        assert!(sent <= 60_000, "{}: about {sent} input tokens", wire.model);
        let (shown, _) = talk.run(&["artifact", "show", "candidate_reports", "--format", "json"]).await;
        assert!(shown.contains("forty routers"), "the report quotes the interview: {shown}");
    }
}
