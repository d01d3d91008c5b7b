//! Lists and changes in a sentence: skills, further areas, what goes and what comes.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{
    hearing::Heard,
    lexicon::Lexicon,
    swaps::{corrected, in_place, made_of, made_of_it, raised, replaced_before, replacement},
};
use crate::gate::is_frequent;

/// The longest item of a list, in words.
const LONGEST_ITEM: usize = 8;

/// Whether words may be a skill: not a question, not about a document, not mostly small words.
pub(super) fn is_item(heard: &Heard<'_>, start: usize, end: usize) -> bool {
    let about = [
        "profile",
        "ad",
        "screening",
        "manager",
        "candidate",
        "report",
        "invite",
        "interview",
        "notes",
        "funnel",
        "outreach",
    ];
    let small = |at: &usize| {
        let token = &heard.tokens[*at];
        let word = token.text.split('\'').next().unwrap_or_default();
        // "5 years of BGP".
        let counted = *at > start && heard.tokens[*at - 1].number().is_some();
        !counted && !token.is_capital() && word.chars().count() <= 5 && is_frequent(word)
    };
    let count = end.saturating_sub(start);
    let smalls = (start..end).filter(small).count();
    let opens = heard.tokens.get(start).is_some_and(|token| {
        !token.is_capital() && heard.covers(&["make", "show", "help", "yes", "no"], start)
    });
    count > 0
        && count <= LONGEST_ITEM
        && smalls * if count > 3 { 3 } else { 2 } <= count
        && !opens
        && !(start..end).any(|at| heard.covers(&about, at))
}

/// Where a list ends: at the end of its sentence, or before a word that begins something else.
pub(super) fn list_end(heard: &Heard<'_>, start: usize, stops: &str) -> usize {
    let mut end = start;
    while let Some(token) = heard.tokens.get(end) {
        // "felsökning i fält" goes on; "felsökning i Luleå" does not.
        let inner = heard.cue_at(stops, end) == Some(1)
            && Lexicon::get().has("inner_links", &token.text)
            && heard.tokens.get(end + 1).is_some_and(|next| {
                // "Kenntnisse im Tiefbau": no place follows an article.
                next.before == " "
                    && (!next.is_capital() || Lexicon::get().has("noun_links", &token.text))
                    && !is_frequent(&next.text)
                    && !heard.is_known(end + 1)
                    && !Lexicon::get().is_city(&next.text)
            });
        let ends = end > start
            && (token.before.contains(['.', '!', '?', '\n', ';'])
                && !token.before.starts_with(|c: char| c.is_alphanumeric())
                || heard.cue_at(stops, end).is_some() && !token.is_capital() && !inner);
        if ends {
            break;
        }
        end += 1;
    }
    end
}

/// The items between two tokens, parted by commas and "and".
pub(super) fn items(heard: &Heard<'_>, start: usize, end: usize) -> Vec<String> {
    items_between(heard, start, end)
        .into_iter()
        .map(|range| heard.typed(range.start, range.end).trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// The tokens of the items between two tokens.
pub(super) fn items_between(heard: &Heard<'_>, start: usize, end: usize) -> Vec<Range<usize>> {
    let lexicon = Lexicon::get();
    let mut items = Vec::new();
    let mut from = start;
    let push = |from: usize, to: usize, items: &mut Vec<Range<usize>>| {
        let mut from = from;
        while from < to
            && (lexicon.is_article(&heard.tokens[from].text)
                || lexicon.has_cue("and", &heard.tokens[from].text))
        {
            from += 1;
        }
        if from < to && to - from <= LONGEST_ITEM {
            items.push(from..to);
        }
    };
    let slashed = is_slashed(heard, start, end);
    for at in start..end {
        let token = &heard.tokens[at];
        let comma =
            at > start && token.before.contains([',', ';', '\n', '•', '*', '+']) && !is_decimal(heard, at);
        let dash = at > start && (token.before.contains(" - ") || token.before.contains('–'));
        // "Excel / Visma / GAAP", "resor/jour"; but "CI/CD" is one.
        let slash = at > start && (token.before.contains(" / ") || token.before == "/" && slashed);
        if comma || dash || slash {
            push(from, at, &mut items);
            from = at;
        }
        if lexicon.has_cue("and", &token.text) && at > start {
            push(from, at, &mut items);
            from = at + 1;
        }
    }
    push(from, end, &mut items);
    items
}

/// Whether a list is parted by slashes alone: words in small letters, nothing else between them.
fn is_slashed(heard: &Heard<'_>, start: usize, end: usize) -> bool {
    let inner = (start + 1..end).map(|at| &heard.tokens[at]);
    let small = |at: usize| {
        heard.tokens[at].raw.chars().skip(1).all(char::is_lowercase) && heard.tokens[at].raw.len() > 3
    };
    end > start + 1 && inner.clone().all(|token| token.before == "/") && (start..end).all(small)
}

fn is_decimal(heard: &Heard<'_>, at: usize) -> bool {
    heard.tokens[at].before == "," && heard.tokens[at].number().is_some()
}

/// Further areas to ask about.
pub(super) fn areas(heard: &Heard<'_>) -> Vec<String> {
    let lexicon = Lexicon::get();
    let mut best = Vec::new();
    let mut take = |found: Vec<String>| {
        if found.len() > best.len() {
            best = found;
        }
    };
    let told = |at: usize| lexicon.phrase_at("areas_after", &heard.tokens, at).is_some();
    for (after, words) in heard.after_cues("areas_before") {
        let end = list_end(heard, after, "skills_end");
        let end = (after..end).find(|at| told(*at)).unwrap_or(end);
        if words > 1 || heard.has("screening") {
            take(areas_between(heard, after, end));
        }
    }
    for at in 1..heard.tokens.len() {
        // "…, + shift work + driving licence".
        if heard.tokens[at].before.contains('+') && heard.has("screening") {
            take(areas_between(heard, at, list_end(heard, at, "skills_end")));
        }
        // "with willingness to travel as a topic".
        if told(at) {
            let opens = |index: &usize| {
                let token = &heard.tokens[*index];
                *index == 0 || token.is_after_break() || lexicon.has("area_leads", &token.text)
            };
            let start = (0..at).rev().find(opens).unwrap_or_default();
            let led = usize::from(lexicon.has("area_leads", &heard.tokens[start].text));
            take(areas_between(heard, start + led, at));
        }
    }
    best
}

fn areas_between(heard: &Heard<'_>, start: usize, end: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for item in items(heard, start, end) {
        let own = Heard::of(&item);
        // "… zu Kündigungsfrist fragen", "… auf Distanz enthalten": the verb comes last.
        let last = own.tokens.len().checked_sub(1).filter(|last| {
            *last > 0
                && !own.tokens[*last].is_capital()
                && (own.covers(&["screening"], *last)
                    || Lexicon::get().has("area_verbs", &own.tokens[*last].text))
        });
        let item = last.map_or(item.as_str(), |last| own.typed(0, last)).to_owned();
        let own = Heard::of(&item);
        let other =
            ["good_to_have", "profile", "screening", "ad", "role_intro"].iter().any(|name| own.has(name));
        let verb = own.tokens.first().is_some_and(|token| !token.is_capital() && is_frequent(&token.text))
            && !found.is_empty();
        // "… and one on customer contact", "… and also Danish": small words lead to the next.
        let led = own.tokens.iter().take_while(|token| Lexicon::get().has("area_leads", &token.text)).count();
        if other || (verb && led == 0) {
            break;
        }
        found.extend(trimmed(&own, led.min(own.tokens.len().saturating_sub(1)), own.tokens.len()));
    }
    found
}

/// Numbers and ordinals in a sentence, as they are counted in a list; `length` is how long the list is.
pub(super) fn places(heard: &Heard<'_>, range: Range<usize>, length: u32) -> Vec<u32> {
    let lexicon = Lexicon::get();
    let mut places = Vec::new();
    let mut add = |place: u32| {
        if place >= 1 && place <= length && !places.contains(&place) {
            places.push(place);
        }
    };
    for at in range {
        let Some(token) = heard.tokens.get(at) else { continue };
        let number = token.number().or_else(|| lexicon.ordinal(&token.text));
        let beside =
            |at: usize| heard.tokens.get(at).is_some_and(|token| lexicon.has_cue("and", &token.text));
        // "one" is a place only in a list: "one and four".
        let listed = beside(at + 1) || at.checked_sub(1).is_some_and(beside);
        let spoken = || {
            let value = lexicon.number(&token.text).filter(|_| !token.plain)?;
            (value > 1 || value == 1 && (listed || !lexicon.is_article(&token.text))).then_some(value)
        };
        let many = number.or_else(spoken).filter(|many| (2..=4).contains(many));
        // "the first two", "die ersten beiden".
        let firsts = heard.tokens.get(at + 1).filter(|_| number == Some(1)).and_then(|next| {
            let both = lexicon.has("both_last", &next.text).then_some(2);
            next.number()
                .or_else(|| lexicon.number(&next.text))
                .filter(|many| (2..=4).contains(many))
                .or(both)
        });
        if let Some(many) = firsts {
            (1..=many).for_each(&mut add);
        } else if let Some(many) = many.filter(|_| is_of_last(heard, at)) {
            // "the last two", "de två sista".
            ((length + 1).saturating_sub(many)..=length).for_each(&mut add);
        } else if let Some(place) = number.or_else(spoken) {
            // "1 to 3", "1-3".
            let next = heard.tokens.get(at + 1);
            let dashed = next
                .filter(|next| matches!(next.before.trim(), "-" | "–"))
                .and_then(super::tokens::Token::number);
            // "eins bis drei".
            let worded = next
                .filter(|next| lexicon.has("until_words", &next.text))
                .and_then(|_| super::numerals::number_at(&heard.tokens, at + 2))
                .map(|(value, _)| value);
            let until = dashed.or(worded).filter(|until| *until <= length);
            for place in place..=until.filter(|until| *until > place).unwrap_or(place) {
                add(place);
            }
        } else if lexicon.has("both_last", &token.text) && is_of_last(heard, at) {
            ((length + 1).saturating_sub(2)..=length).for_each(&mut add);
        } else if lexicon.is_last(&token.text) && !counts_last(heard, at) {
            add(length);
        }
    }
    places
}

/// Whether a number counts from the end: "the last two", "de två sista".
fn is_of_last(heard: &Heard<'_>, at: usize) -> bool {
    let last = |at: usize| heard.tokens.get(at).is_some_and(|token| Lexicon::get().is_last(&token.text));
    at.checked_sub(1).is_some_and(last) || last(at + 1)
}

/// Whether "last" has a number beside it.
fn counts_last(heard: &Heard<'_>, at: usize) -> bool {
    let lexicon = Lexicon::get();
    let counts = |at: usize| {
        heard.tokens.get(at).is_some_and(|token| {
            let number = token.number().or_else(|| lexicon.number(&token.text));
            number.is_some_and(|number| (2..=4).contains(&number)) || lexicon.has("both_last", &token.text)
        })
    };
    at.checked_sub(1).is_some_and(counts) || counts(at + 1)
}

/// What should change in a profile, as arguments of the tool.
pub(super) fn edits(heard: &Heard<'_>, count: u32, pay: Option<&Range<usize>>) -> Map<String, Value> {
    let mut edits = Map::new();
    if let Some((place, text)) = after_colon(heard) {
        if let Some(place) = place {
            push(&mut edits, "must_haves", "replace", json!({ "old": place.to_string(), "new": text }));
        } else {
            // "Take out of the tasks: reporting".
            let only = heard.has("remove") && !heard.has("add") && !heard.has("change");
            push(&mut edits, list_of(heard), if only { "remove" } else { "add" }, json!(text));
        }
        return edits;
    }
    if let Some((old, new)) = corrected(heard).or_else(|| made_of_it(heard)) {
        push(&mut edits, list_of(heard), "replace", json!({ "old": old, "new": new }));
        return edits;
    }
    let mut clauses = clauses(heard);
    // What is said of the pay changes no list.
    let of_pay =
        |clause: &Range<usize>| pay.is_some_and(|pay| pay.start < clause.end && clause.start < pay.end);
    clauses.retain(|clause| !clause.is_empty() && !of_pay(clause));
    // "Tasks: reporting out, visits in": the label names the list of both.
    let colon = (1..heard.tokens.len()).find(|at| heard.tokens[*at].before.starts_with(':'));
    let labelled = |name: &str| colon.is_some_and(|colon| heard.all(name).any(|hit| hit.end == colon));
    let lists = [("good_to_have", "good_to_haves"), ("task", "responsibilities"), ("quality", "soft_skills")];
    let default = lists.into_iter().find(|(name, _)| labelled(name)).map_or("must_haves", |(_, list)| list);
    let mut last_removed: Option<String> = None;
    for clause in clauses {
        edit(heard, clause, (count, default), &mut edits, &mut last_removed);
    }
    edits
}

/// "Take the third out and add: five years of BGP": what comes stands after the colon, what goes before it.
fn after_colon(heard: &Heard<'_>) -> Option<(Option<u32>, String)> {
    let at = (1..heard.tokens.len()).find(|at| heard.tokens[*at].before.trim_start().starts_with(':'))?;
    let before = |name: &str| heard.all(name).any(|hit| hit.start < at);
    let new = (0..at).any(|at| Lexicon::get().has("new_words", &heard.tokens[at].text));
    if !(before("add")
        || before("change")
        || before("remove")
        || new && (before("task") || before("good_to_have")))
    {
        return None;
    }
    let text = heard.text.get(heard.tokens[at].start..)?.trim().trim_end_matches(['.', '!']).to_owned();
    // "changes: remove 1; add GDPR": the clauses after it say what happens.
    let verbs = ["add", "change", "remove"].iter().any(|name| heard.all(name).any(|hit| hit.start >= at));
    if verbs && !heard.tokens[at].before.contains('"') {
        return None;
    }
    let placed = (at..heard.tokens.len()).any(|at| Lexicon::get().is_city(&heard.tokens[at].text));
    if placed || heard.has("title_word") {
        return None;
    }
    let place = places(heard, 0..at, 20).first().copied();
    (!text.is_empty()).then_some((place, text))
}

/// The list a sentence names.
fn list_of(heard: &Heard<'_>) -> &'static str {
    let lists = [("good_to_have", "good_to_haves"), ("task", "responsibilities"), ("quality", "soft_skills")];
    lists.into_iter().find(|(name, _)| heard.has(name)).map_or("must_haves", |(_, list)| list)
}

/// The parts of a message that each change something.
fn clauses(heard: &Heard<'_>) -> Vec<Range<usize>> {
    let lexicon = Lexicon::get();
    let verbs = ["remove", "add", "change", "good_to_have"];
    let is_verb = |at: usize| verbs[..3].iter().any(|name| heard.all(name).any(|hit| hit.start == at));
    let mut clauses = Vec::new();
    let mut start = 0;
    for at in 1..heard.tokens.len() {
        let token = &heard.tokens[at];
        let sentence = token.is_after_sentence();
        // "Java out, Kotlin in": both sides say what happens.
        let next = (at + 1..heard.tokens.len()).find(|next| heard.tokens[*next].before.contains(','));
        let both = (start..at).any(is_verb) && (at..next.unwrap_or(heard.tokens.len())).any(is_verb);
        let joined = (token.before.contains(',') && (is_verb(at) || both))
            || (lexicon.has_cue("and", &token.text)
                && (at + 1..next.unwrap_or(heard.tokens.len())).any(is_verb)
                && heard.tokens.get(at + 1).is_some_and(|next| next.number().is_none())
                && (start..at).any(is_verb));
        // "add Python, and to the pluses Ansible": another list.
        let listed = lexicon.has_cue("and", &token.text)
            && (start..at).any(is_verb)
            && heard.all("good_to_have").any(|hit| (at + 1..=at + 3).contains(&hit.start));
        if sentence || joined || listed {
            clauses.push(start..at);
            start = at;
        }
    }
    clauses.push(start..heard.tokens.len());
    clauses
}

fn edit(
    heard: &Heard<'_>,
    clause: Range<usize>,
    (count, default): (u32, &'static str),
    edits: &mut Map<String, Value>,
    last_removed: &mut Option<String>,
) {
    let inside = |name: &str| {
        let hits = heard.all(name).filter(|hit| clause.start <= hit.start && hit.end <= clause.end);
        hits.max_by_key(|hit| hit.end - hit.start).copied()
    };
    // "Take out number 3, that is not a must": a remark after the comma names no list.
    let remark = |hit: &super::hearing::Hit| {
        inside("remove")
            .is_some_and(|verb| (verb.end..=hit.start).any(|at| heard.tokens[at].before.contains(',')))
    };
    let list = if inside("good_to_have").is_some_and(|hit| !remark(&hit)) {
        "good_to_haves"
    } else if inside("task").is_some() {
        "responsibilities"
    } else if inside("quality").is_some() {
        "soft_skills"
    } else {
        default
    };
    if let Some((old, new)) = in_place(heard, &clause).or_else(|| made_of(heard, &clause)) {
        push(edits, list, "replace", json!({ "old": old, "new": new }));
        return;
    }
    if let Some(text) = raised(heard, &clause) {
        if clause.clone().any(|at| Lexicon::get().has("can_words", &heard.tokens[at].text)) {
            push(edits, "good_to_haves", "remove", json!(text));
        }
        push(edits, "must_haves", "add", json!(text));
        return;
    }
    let (removed, added, changed) = (inside("remove"), inside("add"), inside("change"));
    if let Some(change) = changed.filter(|_| inside("title_word").is_none() && removed.is_none())
        && let Some((old, new)) = replaced_before(heard, &clause, change.start)
    {
        push(edits, list, "replace", json!({ "old": old, "new": new }));
        return;
    }
    if let Some(change) = changed.filter(|_| inside("title_word").is_none() && list != "good_to_haves")
        && let Some((old, new)) = replacement(heard, &clause, change.end, last_removed.as_deref())
    {
        push(edits, list, "replace", json!({ "old": old, "new": new }));
        return;
    }
    // "X is only a plus", "move it to good to have": gone from one list, come to the other.
    if list == "good_to_haves" && removed.is_none() {
        let named = added.map(|hit| added_texts(heard, &clause, hit.start, hit.end)).unwrap_or_default();
        let listed = || -> Vec<String> {
            let end = inside("good_to_have").map_or(clause.end, |hit| hit.start);
            let own = items_between(heard, clause.start, end)
                .into_iter()
                .filter(|range| is_item(heard, range.start, range.end));
            let texts: Vec<String> = own.filter_map(|range| trimmed(heard, range.start, range.end)).collect();
            if texts.len() > 1 { texts } else { statement(heard, &clause).into_iter().collect() }
        };
        let named = if named.is_empty() { listed() } else { named };
        let texts = if named.is_empty() { last_removed.clone().into_iter().collect() } else { named };
        for text in texts {
            if changed.is_some() && added.is_none() || is_denied_must(heard, &clause) {
                push(edits, "must_haves", "remove", json!(text));
            }
            push(edits, "good_to_haves", "add", json!(text));
        }
        return;
    }
    if let Some(hit) = removed {
        let mut texts = removed_texts(heard, &clause, count, hit.start..hit.end);
        if texts.is_empty() {
            texts.extend(last_removed.clone());
        }
        for text in texts {
            *last_removed = Some(text.clone());
            push(edits, list, "remove", json!(text));
        }
        return;
    }
    if let Some(hit) = added {
        for text in added_texts(heard, &clause, hit.start, hit.end) {
            push(edits, list, "add", json!(text));
        }
        return;
    }
    *last_removed = statement(heard, &clause).or(last_removed.take());
}

/// "English is no must, rather a plus".
fn is_denied_must(heard: &Heard<'_>, clause: &Range<usize>) -> bool {
    let lexicon = Lexicon::get();
    clause.clone().any(|at| {
        lexicon.has("must_words", &heard.tokens[at].text)
            && (at.saturating_sub(3)..at).any(|near| lexicon.has("denials", &heard.tokens[near].text))
    })
}

fn push(edits: &mut Map<String, Value>, list: &str, what: &str, value: Value) {
    let entry = edits.entry(list).or_insert_with(|| json!({}));
    let Some(known) = entry.as_object_mut() else { return };
    let items = known.entry(what).or_insert_with(|| json!([]));
    if let Some(items) = items.as_array_mut().filter(|items| !items.contains(&value)) {
        items.push(value);
    }
}

pub(super) fn is_polite(word: &str) -> bool {
    Lexicon::get().is_polite(word)
}

/// What names a list or is only said by the way.
const LISTS: [&str; 8] =
    ["good_to_have", "finding", "profile", "thanks", "task", "hello", "quality", "cancel"];

/// What was typed, without articles, list names and politeness around it.
pub(super) fn trimmed(heard: &Heard<'_>, start: usize, end: usize) -> Option<String> {
    let lexicon = Lexicon::get();
    let (mut start, mut end) = (start, end);
    let empty = |at: usize| {
        let token = &heard.tokens[at];
        let small = !token.is_capital();
        lexicon.is_article(&token.text)
            || heard.covers(&LISTS, at)
            || lexicon.has_cue("replaced_by", &token.text)
            || small
                && token.number().is_none()
                && token.text.chars().count() <= 5
                && (lexicon.has_cue("title_end", &token.text) || is_frequent(&token.text))
            || lexicon.has_cue("and", &token.text)
            || is_polite(&token.text)
    };
    let verb =
        |at: usize| !heard.tokens[at].is_capital() && heard.covers(&["make", "add", "change", "remove"], at);
    while start < end && (empty(start) || (end - start > 1 && verb(start))) {
        start += 1;
    }
    // At the end only what cannot end a phrase: "shift work" keeps its noun.
    let trailing = |at: usize| {
        let token = &heard.tokens[at];
        let ends = lexicon.has_cue("title_end", &token.text)
            && !token.is_capital()
            && token.text.chars().count() <= 4;
        let copula = !token.is_capital()
            && (lexicon.has("copulas", &token.text) || lexicon.has("trailing", &token.text));
        copula
            || empty(at)
                && (ends
                    || lexicon.is_article(&token.text)
                    || is_polite(&token.text)
                    || heard.covers(&LISTS, at)
                    || lexicon.has_cue("replaced_by", &token.text))
    };
    // "… als Muss" says where it belongs.
    while end > start + 1 && (trailing(end - 1) || lexicon.has("must_words", &heard.tokens[end - 1].text)) {
        end -= 1;
    }
    while start < end && trailing(end - 1) {
        end -= 1;
    }
    let text = heard.typed(start, end).trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The statement that a clause is about: its longest piece without known words.
pub(super) fn statement(heard: &Heard<'_>, clause: &Range<usize>) -> Option<String> {
    let mut best: Option<Range<usize>> = None;
    let mut start = clause.start;
    for at in clause.clone().chain([clause.end]) {
        // "Betreuung von Großkunden": a small word between two others of the same statement.
        let content = |at: usize| {
            heard.tokens.get(at).is_some_and(|token| {
                clause.contains(&at)
                    && !heard.is_known(at)
                    && !is_polite(&token.text)
                    && (token.is_capital() || !is_frequent(&token.text))
                    && !token.is_after_break()
            })
        };
        let inner = at > start
            && at < clause.end
            && Lexicon::get().has("inner_of", &heard.tokens[at].text)
            && !heard.tokens[at].is_after_break()
            && content(at + 1)
            && (at - 1 == start || content(at - 1));
        if inner {
            continue;
        }
        let stop = at == clause.end || heard.is_known(at) || {
            let token = &heard.tokens[at];
            at > start && token.is_after_break()
                || is_frequent(&token.text) && (!token.is_capital() || at == clause.start)
                || is_polite(&token.text)
        };
        if stop {
            if at > start && best.as_ref().is_none_or(|known| known.len() < at - start) {
                best = Some(start..at);
            }
            let breaks = at < clause.end
                && heard.tokens[at].is_after_break()
                && !heard.is_known(at)
                && !is_frequent(&heard.tokens[at].text);
            start = if breaks { at } else { at + 1 };
        }
    }
    best.and_then(|range| trimmed(heard, range.start, range.end))
}

fn removed_texts(heard: &Heard<'_>, clause: &Range<usize>, count: u32, verb: Range<usize>) -> Vec<String> {
    let Range { start: verb, end: after } = verb;
    let numbers = places(heard, clause.clone(), count.max(8));
    let numbers = if numbers.iter().any(|number| *number > count) {
        places(heard, clause.clone(), count)
    } else {
        numbers
    };
    if !numbers.is_empty() {
        return numbers.iter().map(u32::to_string).collect();
    }
    let end = (after..clause.end).find(|at| heard.tokens[*at].before.contains(',')).unwrap_or(clause.end);
    let behind: Vec<String> = trimmed(heard, after, end).into_iter().collect();
    // German and "X can go" put the verb last.
    let before = || stated(heard, clause.start, verb);
    if behind.is_empty() { before() } else { parted(&behind) }
}

fn added_texts(heard: &Heard<'_>, clause: &Range<usize>, verb: usize, after: usize) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for item in items(heard, after, clause.end) {
        // "Kubernetes, that one is essential": what follows is no further item.
        let said = Heard::of(&item);
        let elsewhere =
            said.has("team_word") || said.tokens.iter().any(|token| Lexicon::get().is_city(&token.text));
        if !texts.is_empty() && (elsewhere || !is_item(&said, 0, said.tokens.len())) {
            break;
        }
        let remark = Heard::of(&item).tokens.first().is_some_and(|token| {
            !token.is_capital()
                && !texts.is_empty()
                && is_frequent(token.text.split('\'').next().unwrap_or_default())
        });
        if remark {
            break;
        }
        texts.extend(cleaned(&item));
    }
    if texts.is_empty() { stated(heard, clause.start, verb) } else { texts }
}

/// What stands before a verb that comes last: several items, or one statement.
fn stated(heard: &Heard<'_>, start: usize, verb: usize) -> Vec<String> {
    let ranges = items_between(heard, start, verb);
    let several = ranges.len() > 1 && ranges.iter().all(|range| is_item(heard, range.start, range.end));
    if several {
        return ranges.into_iter().filter_map(|range| trimmed(heard, range.start, range.end)).collect();
    }
    statement(heard, &(start..verb)).into_iter().collect()
}

fn cleaned(item: &str) -> Option<String> {
    let heard = Heard::of(item);
    let said = (0..heard.tokens.len()).any(|at| {
        !is_frequent(&heard.tokens[at].text) && !heard.is_known(at) || heard.tokens[at].is_capital()
    });
    if said { trimmed(&heard, 0, heard.tokens.len()) } else { None }
}

fn parted(texts: &[String]) -> Vec<String> {
    texts
        .iter()
        .flat_map(|text| {
            let heard = Heard::of(text);
            let items = items(&heard, 0, heard.tokens.len());
            items.iter().filter_map(|item| cleaned(item)).collect::<Vec<_>>()
        })
        .collect()
}
