//! Which findings of a review count: "take 1 and 3, leave the rest".

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{hearing::Heard, lexicon::Lexicon, slots::put, wishes::places};

/// Findings to accept and to leave, of a review with so many.
pub(super) fn decisions(heard: &Heard<'_>, count: u32) -> Map<String, Value> {
    let (mut taken, mut left): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let mut waiting: Vec<u32> = Vec::new();
    for clause in decided_clauses(heard) {
        let inside =
            |name: &str| heard.all(name).any(|hit| clause.start <= hit.start && hit.end <= clause.end);
        let rest = |at: &usize| heard.all("rest").any(|hit| hit.start <= *at && *at < hit.end);
        let mut numbers: Vec<u32> =
            clause.clone().filter(|at| !rest(at)).flat_map(|at| places(heard, at..at + 1, count)).collect();
        let all = inside("all") && !inside("rest") && (numbers.is_empty() || numbers == [count]);
        if all {
            numbers = (1..=count).collect();
        }
        let ignores = inside("ignore") || inside("remove") && !inside("accept") || inside("cancel") || inside("no");
        let accepts = inside("accept") || inside("yes") || inside("change");
        if !ignores && !accepts && !numbers.is_empty() {
            waiting.extend(numbers);
            continue;
        }
        // "The fourth is a bit much, ignore": the verdict comes after the number.
        if numbers.is_empty() && !inside("rest") {
            numbers.append(&mut waiting);
        }
        (if ignores { &mut left } else { &mut taken }).extend(numbers);
    }
    taken.extend(waiting);
    taken.retain(|one| !left.contains(one));
    taken.sort_unstable();
    taken.dedup();
    left.sort_unstable();
    left.dedup();
    let mut arguments = Map::new();
    if !taken.is_empty() {
        let accept: Vec<Value> = taken.iter().map(|finding| json!({ "finding": finding })).collect();
        put(&mut arguments, "accept", json!(accept));
    }
    if !left.is_empty() {
        put(&mut arguments, "ignore", json!(left));
    }
    arguments
}

/// The parts of a message that each decide about something: "1 and 2, but not 3".
fn decided_clauses(heard: &Heard<'_>) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for at in 1..heard.tokens.len() {
        let token = &heard.tokens[at];
        // "1, 2 and 5" is one part: a number after a comma goes on.
        let listed = token.before.contains(',') && token.number().is_some() && {
            let verdict = |name: &str| heard.all(name).any(|hit| hit.start >= start && hit.start < at);
            verdict("accept")
                || verdict("ignore")
                || !(at..at + 6).any(|next| heard.all("ignore").any(|hit| hit.start == next))
        };
        // "accept one and four and skip the third": each verb has its own.
        let verdict = |at: usize| {
            ["accept", "ignore", "change", "remove"].iter().any(|name| heard.all(name).any(|hit| hit.start == at))
        };
        let and = Lexicon::get().has_cue("and", &token.text)
            && verdict(at + 1)
            && (start..at).any(verdict);
        if (token.is_after_break() || Lexicon::get().has("but", &token.text) || and) && !listed {
            clauses.push(start..at);
            start = at;
        }
    }
    clauses.push(start..heard.tokens.len());
    clauses
}
