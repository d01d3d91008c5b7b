//! Agent definitions: every value in its range, every mistake with its line (B1, D6).

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use tata_core::{AgentConfig, AgentSettings, MAX_TOKENS, Surroundings, read_agent};

fn refused(change: impl FnOnce(&mut AgentSettings)) -> Vec<String> {
    let mut settings = AgentSettings::default();
    change(&mut settings);
    let problems = AgentConfig::new(settings, None).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    let config = AgentConfig::new(AgentSettings::default(), None).unwrap();
    assert_eq!((config.temperature, config.max_tokens), (0.7, Some(1_000)));
    assert!(!config.system_prompt.is_empty() && !config.verbose);
    assert_eq!((config.limits.rounds, config.limits.budget.max_messages), (16, 50));
}

#[test]
fn each_bad_value_is_refused_by_name_with_its_range() {
    for (problems, expected) in [
        (refused(|s| s.temperature = 2.1), "temperature is 2.1, but must be a number from 0 to 2"),
        (refused(|s| s.temperature = f64::NAN), "temperature is NaN, but must be a number from 0 to 2"),
        (refused(|s| s.max_tokens = Some(4_097)), "max_tokens is 4097, but must be a number from 1 to 4096"),
        (refused(|s| s.system_prompt = " ".to_owned()), "system_prompt is empty, but must be a text"),
    ] {
        assert_eq!(problems, [expected]);
    }
    assert_eq!(refused(|s| (s.temperature, s.max_tokens) = (9.0, Some(0))).len(), 2, "all at once");
    let large = AgentSettings { max_tokens: Some(60_000), ..AgentSettings::default() };
    assert!(AgentConfig::new(large, Some(64_000)).is_ok(), "a model's own limit may be higher");
}

#[test]
fn keys_are_never_printed() {
    let mut settings = AgentSettings::default();
    let server = tata_core::McpServer {
        url: Some("https://mcp.example".to_owned()),
        headers: [("authorization".to_owned(), "Bearer sk-secret".to_owned())].into(),
        ..tata_core::McpServer::default()
    };
    settings.mcp_servers.insert("x".to_owned(), server);
    let shown = format!("{:?}", AgentConfig::new(settings, None).unwrap());
    assert!(!shown.contains("sk-secret") && shown.contains("authorization"), "{shown}");
}

proptest! {
    /// In range and out of range, in memory and as a file: the same verdict, and the line of the value.
    #[test]
    fn a_file_is_judged_like_its_values(
        temperature in -1.0..3.0_f64, max_tokens in 0..9_000_u64, rounds in 0..2_000_u32, blank in any::<bool>(),
    ) {
        let gap = if blank { "\n" } else { "" };
        let text = format!(
            "temperature: {temperature}\n{gap}max_tokens: {max_tokens}\nlimits:\n  rounds: {rounds}\nretrieval: {{ any: thing }}\n"
        );
        let around = Surroundings { model: &|_| Ok(None), tools: &[], prompt: &|_| Err("none".to_owned()) };
        let read = read_agent("a.yaml", "a", &text, &around);
        let mut wrong = Vec::new();
        let shift = u64::from(blank);
        if !(0.0..=2.0).contains(&temperature) { wrong.push(1); }
        if !(1..=MAX_TOKENS).contains(&max_tokens) { wrong.push(2 + shift); }
        if !(1..=1_000).contains(&rounds) { wrong.push(4 + shift); }
        match read {
            Ok(config) => {
                prop_assert!(wrong.is_empty());
                prop_assert_eq!(config.max_tokens, Some(max_tokens));
            }
            Err(problems) => {
                let lines: Vec<u64> = problems.iter().filter_map(|problem| problem.line).collect();
                prop_assert_eq!(lines, wrong);
            }
        }
    }
}
