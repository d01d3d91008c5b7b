//! Notes whose lines a person sorted, as the arguments of a new profile.

use serde_json::{Map, Value, json};
use tata_core::put;
use tata_guided::sort::{Notes, Place};
use tata_language::identify::identify;

use super::{LISTS, List, pay_within, people};
use crate::{Language, Source};

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
    if let Some(size) = of(Place::Team).find_map(|line| people(&line.text)) {
        put(arguments, "enrichments.team.size", json!(size));
    }
}
