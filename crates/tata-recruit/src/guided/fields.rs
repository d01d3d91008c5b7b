//! Lines of a ticket: "Role: Electrician | Location: Gävle | HC: 2".

use std::ops::Range;

use super::{hearing::Heard, lexicon::Lexicon};

/// What a label in front of a colon announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Place,
    TeamSize,
    Positions,
    Must,
    Good,
    Manager,
    Candidate,
    Areas,
    Language,
    Task,
}

/// The lists of labels.
const LABELS: [(&str, Field); 11] = [
    ("label_title", Field::Title),
    ("label_place", Field::Place),
    ("label_team", Field::TeamSize),
    ("label_positions", Field::Positions),
    ("label_must", Field::Must),
    ("label_good", Field::Good),
    ("label_manager", Field::Manager),
    ("label_candidate", Field::Candidate),
    ("label_areas", Field::Areas),
    ("label_language", Field::Language),
    ("label_task", Field::Task),
];

/// The fields of a message, each with the tokens of its value. One label alone is a colon in a sentence.
pub(super) fn fields(heard: &Heard<'_>) -> Vec<(Field, Range<usize>)> {
    let labels = labels(heard);
    if labels.len() < 2 {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (order, (field, _, start)) in labels.iter().enumerate() {
        let next = labels.get(order + 1).map_or(heard.tokens.len(), |(_, label, _)| *label);
        // A value ends with its line, its cell or its sentence, at the latest where the next label begins.
        let ends = |at: &usize| {
            let token = &heard.tokens[*at];
            *at > *start && (token.before.contains(['|', '\n', ';']) || token.is_after_sentence())
        };
        let end = (*start..next).find(ends).unwrap_or(next);
        if let Some(field) = field.filter(|_| end > *start) {
            found.push((field, *start..end));
        }
    }
    found
}

/// Every label: what it announces, its first token, and the first token after its colon.
fn labels(heard: &Heard<'_>) -> Vec<(Option<Field>, usize, usize)> {
    let lexicon = Lexicon::get();
    let mut labels = Vec::new();
    for after in 1..heard.tokens.len() {
        if !heard.tokens[after].before.starts_with(':') || heard.tokens[after].before == ":" {
            continue;
        }
        // The longest known label that ends here; any other word in front of a colon ends the value before it.
        let known = (1..=3).rev().filter_map(|words| after.checked_sub(words)).find_map(|start| {
            let text: Vec<&str> =
                heard.tokens[start..after].iter().map(|token| token.text.as_str()).collect();
            let text = text.join(" ");
            let field = LABELS.iter().find(|(list, _)| lexicon.has(list, &text)).map(|(_, field)| *field)?;
            Some((Some(field), start, after))
        });
        labels.push(known.unwrap_or((None, after - 1, after)));
    }
    labels
}
