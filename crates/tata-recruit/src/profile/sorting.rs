//! Notes whose lines a person sorted, as the arguments of a new profile.

use serde_json::{Map, Value, json};
use tata_core::{ToolFailure, put};
use tata_guided::sort::{Notes, Place, Role};
use tata_language::identify::identify;

use super::{LISTS, List, cut, pay_within, people};
use crate::{Language, Source, form};

/// Puts the lines of the notes where a program says, each by its number.
pub(super) fn sort_lines(
    arguments: &mut Map<String, Value>,
    answers: &[(&String, &Value)],
) -> Result<(), ToolFailure> {
    let Some(text) = arguments.get("startup_notes").and_then(Value::as_str).map(str::to_owned) else {
        return Err(form::no_notes());
    };
    let mut notes = cut(&text, Language::default());
    let count = notes.lines().count();
    for (id, value) in answers {
        let number: Option<usize> = id.trim_start_matches("line_").parse().ok();
        let place = value.as_str().and_then(Place::find);
        let (Some(number), Some(place)) = (number.filter(|number| (1..=count).contains(number)), place)
        else {
            let places: Vec<&str> = Place::ALL.into_iter().map(Place::name).collect();
            let message =
                format!("there are {count} lines, and a line goes to one of: {}", places.join(", "));
            return Err(ToolFailure::rejected(id.as_str(), message));
        };
        if let Some(line) = notes.pieces.iter_mut().filter(|piece| piece.role == Role::Line).nth(number - 1) {
            line.place = Some(place);
        }
    }
    sorted(arguments, &notes);
    Ok(())
}

/// Puts sorted notes into the arguments of a new profile: every line where the person said, word for word.
pub(crate) fn sorted(arguments: &mut Map<String, Value>, notes: &Notes) {
    let of = |place: Place| notes.lines().filter(move |line| line.place == Some(place));
    for List { name, place, .. } in &LISTS {
        let said: Vec<Value> = of(*place)
            .map(|line| json!({ "text": line.text, "source": Source::StartupNotes.name() }))
            .collect();
        put(arguments, name, json!(said));
    }
    let first = |place: Place| of(place).next().map(|line| line.text.clone());
    for (path, place) in [
        ("enrichments.business_unit", Place::Company),
        ("enrichments.team.collaboration_style", Place::Team),
        ("enrichments.team.location", Place::Place),
    ] {
        if let Some(text) = first(place) {
            put(arguments, path, json!(text));
        }
    }
    let text = notes.lines().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let language = identify(&text).map_or(Language::default(), |found| found.language);
    if let Some((pay, _)) = first(Place::Pay).and_then(|text| pay_within(&text, language)) {
        put(arguments, "enrichments.pay_range", json!(pay));
    }
    let size = of(Place::Team).find_map(|line| people(&line.text));
    if let Some(size) = size {
        put(arguments, "enrichments.team.size", json!(size));
    }
}
