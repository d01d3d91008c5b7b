//! Notes whose lines a person sorted, as the arguments of a new profile.

use serde_json::{Map, Value, json};
use tata_core::put;
use tata_guided::sort::{Notes, Piece, Place};
use tata_language::identify::identify;

use super::{
    LISTS, List,
    pay::{is_beside, read_pay},
    people,
    reading::statement,
    rivals::is_settled,
};
use crate::{
    Language, Source,
    withheld::{self, Withheld},
};

/// Puts sorted notes into the arguments of a new profile: every line where the person said, word for word.
pub(crate) fn sorted(arguments: &mut Map<String, Value>, notes: &Notes) {
    // What no document may say is left out here, sentence by sentence, and told with the profile: the rest counts.
    let whole = arguments.get("startup_notes").and_then(Value::as_str).unwrap_or_default().to_owned();
    let whole = whole.as_str();
    let withheld = withheld::find(whole, identify(whole).map_or(Language::default(), |found| found.language));
    let mut kept: Vec<(Place, String)> = Vec::new();
    // What was chosen of two values stands in no line: the recruiter said it.
    let mut chosen: Vec<(Place, String)> = Vec::new();
    for line in notes.lines() {
        let Some(place) = line.place else { continue };
        if is_settled(line, whole) && LISTS.iter().any(|list| list.place == place) {
            chosen.push((place, labelled(line, whole)));
            continue;
        }
        let text =
            if touched(line, &withheld) { passing(line, &withheld) } else { Some(statement(line, whole)) };
        kept.extend(text.map(|text| (place, text)));
    }
    let of = |place: Place| kept.iter().filter(move |(known, _)| *known == place).map(|(_, text)| text);
    for List { name, place, .. } in &LISTS {
        let said: Vec<Value> =
            of(*place).map(|text| json!({ "text": text, "source": Source::StartupNotes.name() })).collect();
        put(arguments, name, json!(said));
    }
    for List { place, enriched, .. } in &LISTS {
        let own: Vec<&str> =
            chosen.iter().filter(|(known, _)| known == place).map(|(_, text)| text.as_str()).collect();
        if !own.is_empty() {
            put(arguments, &format!("enrichments.{enriched}"), json!(own));
        }
    }
    let lines: Vec<&Piece> = notes.lines().collect();
    for (path, place) in [
        ("enrichments.business_unit", Place::Company),
        ("enrichments.team.collaboration_style", Place::Team),
        ("enrichments.team.location", Place::Place),
    ] {
        if let Some(text) = together(&lines, place, whole, &withheld) {
            put(arguments, path, json!(text));
        }
    }
    let text = notes.lines().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let language = identify(&text).map_or(Language::default(), |found| found.language);
    let pays = || of(Place::Pay).map(String::as_str);
    if let Some(pay) = pays().find(|text| read_pay(text, language).is_some()) {
        let beside = pays().filter(|text| is_beside(text) && read_pay(text, language).is_none());
        let said: Vec<&str> = std::iter::once(pay).chain(beside).collect();
        put(arguments, "enrichments.pay_range", json!(said.join(", ")));
    }
    if let Some(size) = of(Place::Team).find_map(|text| people(text)) {
        put(arguments, "enrichments.team.size", json!(size));
    }
}

/// The first lines of a place that stand directly one after the other, as they stand there: a statement is a quotation.
fn together(lines: &[&Piece], place: Place, whole: &str, withheld: &[Withheld]) -> Option<String> {
    let first =
        lines.iter().position(|line| line.place == Some(place) && passing(line, withheld).is_some())?;
    let begin = lines.get(first)?;
    let text_of = |start: usize, end: usize| -> String {
        whole.chars().skip(start).take(end.saturating_sub(start)).collect()
    };
    // What was chosen is no quotation, and what stands with it is said in one statement.
    let all = || lines.iter().filter(|line| line.place == Some(place));
    if all().any(|line| is_settled(line, whole)) {
        let texts: Vec<String> = all().filter_map(|line| passing(line, withheld)).collect();
        return Some(texts.join(", "));
    }
    let mut end = begin.content.end;
    for line in lines.get(first + 1..).unwrap_or_default() {
        let between = text_of(end, line.content.start);
        let joins = line.place == Some(place) && between.trim().is_empty() && !between.contains('\n');
        if !joins || touched(line, withheld) || touched(begin, withheld) {
            break;
        }
        end = line.content.end;
    }
    if end == begin.content.end {
        return passing(begin, withheld);
    }
    Some(text_of(begin.content.start, end))
}

/// A chosen text behind the label of its line.
fn labelled(line: &Piece, whole: &str) -> String {
    if line.place != Some(Place::Date) {
        return line.text.clone();
    }
    let length = line.content.start.saturating_sub(line.span.start);
    let label: String = whole.chars().skip(line.span.start).take(length).collect();
    let label = label.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    format!("{label}{}", line.text)
}

fn touched(line: &Piece, withheld: &[Withheld]) -> bool {
    withheld.iter().any(|span| span.start < line.content.end && line.content.start < span.end)
}

/// The longest part of a line that no withheld sentence lies in; none if nothing is left.
pub(crate) fn passing(line: &Piece, withheld: &[Withheld]) -> Option<String> {
    if !touched(line, withheld) {
        return Some(line.text.clone());
    }
    let mut parts = vec![String::new()];
    for (at, letter) in (line.content.start..).zip(line.text.chars()) {
        let inside = withheld.iter().any(|span| (span.start..span.end).contains(&at));
        match parts.last_mut() {
            Some(part) if !inside => part.push(letter),
            Some(part) if !part.is_empty() => parts.push(String::new()),
            _ => {}
        }
    }
    let parts = parts.iter().map(|part| part.trim().trim_matches([',', ';', '-', '–']).trim());
    let longest = parts.max_by_key(|part| part.chars().count())?;
    longest.contains(char::is_alphanumeric).then(|| longest.to_owned())
}
