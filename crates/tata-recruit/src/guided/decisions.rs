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
        // "the five points" counts them all.
        let counted = |at: &usize| {
            heard.tokens[*at].number().is_none()
                && heard.covers(&["finding"], at + 1)
                && !heard.covers(&["finding"], *at)
                && Lexicon::get().ordinal(&heard.tokens[*at].text).is_none()
        };
        let mut numbers: Vec<u32> = clause
            .clone()
            .filter(|at| !rest(at) && !counted(at))
            .flat_map(|at| places(heard, at..at + 1, count))
            .collect();
        // "all except the fourth".
        let except = clause.clone().any(|at| Lexicon::get().has("except", &heard.tokens[at].text));
        if inside("all") && except && !numbers.is_empty() {
            taken.extend((1..=count).filter(|one| !numbers.contains(one)));
            left.extend(numbers);
            continue;
        }
        let all = inside("all") && !inside("rest") && (numbers.is_empty() || numbers == [count]);
        if all {
            numbers = (1..=count).collect();
        }
        let ignores =
            inside("ignore") || inside("remove") && !inside("accept") || inside("cancel") || inside("no");
        let denied = clause.clone().any(|at| Lexicon::get().has("denials", &heard.tokens[at].text));
        let ignores = ignores || denied && !numbers.is_empty() && !inside("accept");
        let accepts = inside("accept") || inside("yes") || inside("change");
        if !ignores && !accepts && !numbers.is_empty() {
            waiting.extend(numbers);
            continue;
        }
        // "Leave the second, do all the others".
        if inside("rest") && numbers.is_empty() && accepts && !ignores && !left.is_empty() {
            taken.extend((1..=count).filter(|one| !left.contains(one)));
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
        let slashed =
            token.before.contains('/') && token.number().is_some() && heard.tokens[at - 1].number().is_some();
        let parted = token.before.contains([',', ';']) && token.number().is_some();
        let judged = |name: &str| heard.all(name).any(|hit| hit.start >= start && hit.start < at);
        let listed = slashed
            || parted && !judged("yes") && !judged("no") && {
                let verdict = |name: &str| heard.all(name).any(|hit| hit.start >= start && hit.start < at);
                verdict("accept")
                    || verdict("ignore")
                    || !(at..at + 6).any(|next| heard.all("ignore").any(|hit| hit.start == next))
            };
        // "accept one and four and skip the third": each verb has its own.
        let verdict = |at: usize| {
            ["accept", "ignore", "change", "remove"]
                .iter()
                .any(|name| heard.all(name).any(|hit| hit.start == at))
        };
        let and = Lexicon::get().has_cue("and", &token.text) && verdict(at + 1) && (start..at).any(verdict);
        // "ok: 1/2": what stands after a colon belongs to the verdict before it.
        if token.before.starts_with(':') && (start..at).any(verdict_or_yes(heard)) {
            continue;
        }
        // "… 4. Rest nein": the dot is no ordinal's.
        let others = heard.all("rest").any(|hit| hit.start == at) && token.before.contains('.');
        if (others || token.is_after_break() || Lexicon::get().has("but", &token.text) || and) && !listed {
            clauses.push(start..at);
            start = at;
        }
    }
    clauses.push(start..heard.tokens.len());
    clauses
}

/// Whether a verdict begins at a token.
fn verdict_or_yes<'h>(heard: &'h Heard<'_>) -> impl Fn(usize) -> bool + 'h {
    |at| {
        let names = ["accept", "ignore", "change", "remove", "yes", "no", "cancel"];
        names.iter().any(|name| heard.all(name).any(|hit| hit.start == at))
    }
}
