//! The coach's server: one invented athlete, their profile and what they did of late.

use serde_json::{Map, Value, json};
use tata_core::{Effect, ToolSpec};
use tata_mcp::{About, Call, Caller, Given, Offer, OfferedTool, Offering, Part};

pub(crate) struct Athlete;

impl Offer for Athlete {
    fn about(&self) -> About {
        About {
            name: "athlete".to_owned(),
            version: "1.0.0".to_owned(),
            instructions: "Training data of one invented athlete.".to_owned(),
        }
    }

    fn tools(&self) -> Vec<OfferedTool> {
        let tool = |name: &str, description: &str, properties: Value| {
            let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
            let mut spec = ToolSpec::new(name, description, schema).unwrap();
            spec.effect = Effect::Read;
            OfferedTool::new(spec)
        };
        let days =
            json!({"days": {"type": "integer", "minimum": 1, "maximum": 90, "description": "How far back."}});
        vec![
            tool("get-athlete-profile", "The athlete's profile: sport, zones, goals.", json!({})),
            tool("get-activities", "The athlete's activities of the last days.", days),
        ]
    }

    fn call<'a>(&'a self, call: Call, _: &'a Caller) -> Offering<'a, Given> {
        Box::pin(async move {
            match call.tool.as_str() {
                "get-athlete-profile" => as_json(&json!({
                    "name": "Kim Lind", "sport": "running", "threshold_pace": "4:05/km", "resting_heart_rate": 47,
                    "goal": {"event": "half marathon", "date": "2026-05-16", "time": "1:28:00"},
                })),
                _ => as_json(&json!({"days": days(&call.arguments), "activities": [
                    {"date": "2026-03-01", "kind": "long run", "km": 21.4, "pace": "5:02/km"},
                    {"date": "2026-02-26", "kind": "intervals", "km": 9.8, "pace": "3:58/km"},
                ]})),
            }
        })
    }
}

fn days(arguments: &Map<String, Value>) -> u64 {
    arguments.get("days").and_then(Value::as_u64).unwrap_or(14)
}

fn as_json(value: &Value) -> Given {
    Given { parts: vec![Part::Text(value.to_string())], structured: Some(value.clone()), failed: false }
}
