//! What answers a question about one field.

use serde_json::{Map, Value, json};

use super::{
    super::{
        hearing::Heard,
        lexicon::Lexicon,
        numerals::number_at,
        people::{FoundName, any_name, name_after, name_at, role_of},
        wishes::{items, places},
    },
    Slots, put,
};

impl Slots<'_, '_> {
    /// What answers a question about one field.
    pub(crate) fn answer(
        &self,
        field: &str,
        message: &str,
        pending: &Map<String, Value>,
    ) -> Map<String, Value> {
        let mut answer = Map::new();
        let message = message.trim();
        let heard = self.heard;
        let brief = heard.tokens.len() <= 8;
        let field = field.trim_start_matches('/').split('/').next().unwrap_or_default();
        let numbers = || -> Option<u32> {
            (0..heard.tokens.len()).find_map(|at| number_at(&heard.tokens, at)).map(|(number, _)| number)
        };
        match field {
            "position_name" | "position_title" | "job_title" => {
                let talk = ["yes", "no", "cancel", "thanks", "hello", "help", "remove", "interview"];
                let named = brief && !talk.iter().any(|name| heard.has(name));
                let title = self.position().map(str::to_owned).or_else(|| named.then(|| plain(message)));
                if let Some(title) = title {
                    put(&mut answer, field, json!(title));
                }
            }
            "hiring_manager" | "hiring_manager_name" | "candidate_name" => {
                // "What is DKK 500 in euros?" names nobody.
                let sure = |name: &FoundName| {
                    name.tokens.len() > 1
                        || !message.ends_with('?') && name.name.chars().any(char::is_lowercase)
                };
                let name = self
                    .manager
                    .clone()
                    .or_else(|| self.candidate.clone())
                    .or_else(|| any_name(heard, &[], 1))
                    .or_else(|| name_after(heard, "manager_before", true, &[]))
                    .or_else(|| name_at(heard, 0, true));
                if let Some(name) = name.filter(sure) {
                    let role = role_of(heard, &name);
                    let path = if field == "hiring_manager" { "hiring_manager.name" } else { field };
                    put(&mut answer, path, json!(name.name));
                    if let Some(role) = role.filter(|_| field == "hiring_manager") {
                        put(&mut answer, "hiring_manager.title", json!(heard.typed(role.start, role.end)));
                    }
                }
            }
            "duration" => {
                let spoken = self.length.as_ref().map(|(minutes, _)| *minutes);
                let bare = numbers().map(|count| if count <= 4 { count * 60 } else { count });
                if let Some(minutes) = spoken.or(bare.filter(|_| brief)) {
                    put(&mut answer, field, json!(minutes));
                }
            }
            "number_of_positions" => {
                let stages = !heard.counts().is_empty();
                if let Some(count) = self.positions().or_else(|| numbers().filter(|_| !stages)) {
                    put(&mut answer, field, json!(count));
                }
            }
            "interview_date" => {
                if let Some(found) = &self.past {
                    put(&mut answer, field, json!(found.date.to_string()));
                }
            }
            "startup_notes" | "transcript" | "job_ad_text" => {
                let text = self.pasted.map_or(message, |pasted| pasted.text);
                put(&mut answer, field, json!(text));
            }
            "chosen_must_haves" => {
                let chosen = places(heard, 0..heard.tokens.len(), 99);
                if !chosen.is_empty() {
                    let chosen: Vec<String> = chosen.iter().map(u32::to_string).collect();
                    put(&mut answer, field, json!(chosen));
                }
            }
            // "Yes" and "1, 2, 3" name no requirement.
            "must_haves" | "enrichments" if is_talk(heard) => {}
            "must_haves" | "enrichments" => {
                let items = self
                    .skills
                    .clone()
                    .map_or_else(|| items(heard, 0, heard.tokens.len()), |(items, _)| items);
                let known = pending.get("enrichments").and_then(|value| value.get("must_haves")).cloned();
                let mut all: Vec<Value> =
                    known.and_then(|value| value.as_array().cloned()).unwrap_or_default();
                all.extend(items.into_iter().map(|item| json!(item)));
                put(&mut answer, "enrichments.must_haves", json!(all));
            }
            "candidate_speaker" => {
                put(&mut answer, field, json!(plain(message)));
            }
            "time" if self.time.is_none() => {
                let hour = numbers().filter(|hour| brief && (0..24).contains(hour));
                let hour = hour.map(|hour| if (1..7).contains(&hour) { hour + 12 } else { hour });
                if let Some(hour) = hour {
                    put(&mut answer, field, json!(format!("{hour:02}:00")));
                }
            }
            _ => {}
        }
        answer
    }
}

/// Whether words only agree, greet or count.
fn is_talk(heard: &Heard<'_>) -> bool {
    let talk = ["yes", "no", "cancel", "thanks", "hello", "help"];
    (0..heard.tokens.len()).all(|at| {
        heard.covers(&talk, at)
            || heard.tokens[at].number().is_some()
            || Lexicon::get().has_cue("and", &heard.tokens[at].text)
    })
}

/// An answer without politeness and punctuation around it.
fn plain(message: &str) -> String {
    let heard = Heard::of(message);
    let lexicon = Lexicon::get();
    let mut start = 0;
    while heard.tokens.get(start).is_some_and(|token| {
        lexicon.has_cue("title_skip", &token.text)
            || heard.covers(&["hello"], start)
            || heard.cue_at("title_before", start).is_some()
    }) {
        start += 1;
    }
    let text = heard.typed(start, heard.tokens.len());
    if text.is_empty() { message.trim().to_owned() } else { text.to_owned() }
}
