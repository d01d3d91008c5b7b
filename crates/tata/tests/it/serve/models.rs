//! Which model answers, as a page says it.

use serde_json::json;

use super::Serving;
use crate::program::World;

/// An agent that names its model is not answered by rules, whatever the server itself would use.
#[test]
fn a_page_names_the_model_that_will_answer() {
    let agent = "description: Helps.\nsystem_prompt: Help.\nmodel: [evil/x]\n";
    let models = "providers: { evil: { label: Evil, wire: chat, base_url: 'http://127.0.0.1:9/v1' } }\n";
    let world =
        World::new().folder_file("home/agents/ev.yaml", agent).folder_file("home/models.yaml", models);
    let serving = Serving::start(&world);
    for (agent, model, by_rules) in [("ev", "evil/x", false), ("tata", "guided", true)] {
        let (status, session) = serving.ask("POST", "/api/v1/sessions", Some(&json!({ "agent": agent })));
        assert_eq!(status, 201, "{session}");
        let page = format!("/p/{}", session["session_id"].as_str().unwrap());
        let (status, _, page) = serving.raw("GET", &page, "Accept: text/html\r\n", "");
        assert_eq!(status, 200, "{page}");
        let named = page.contains(&format!("</span>{model}"));
        assert!(named, "{agent}: {page}");
        assert_eq!(page.contains("Offline mode: rules, no AI."), by_rules, "{agent}: {page}");
    }
    assert_eq!(serving.stop().0, 0);
}
