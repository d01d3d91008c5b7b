//! What a sentence says beside what it wants.

mod answer;
mod arguments;

use std::ops::Range;

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{
    clock::{FoundTime, find_length, find_time},
    dates::{Direction, FoundDate, find_date},
    fields::{Field, fields},
    hearing::Heard,
    intent::Signs,
    lexicon::Lexicon,
    needs::{Listed, needs},
    pasted::Pasted,
    people::{FoundName, any_name, any_name_with_role, name_after, name_at, role_of},
    titles::{FoundTitle, find_title},
    tokens::Token,
    wishes::items,
};
use crate::Language;

/// Everything found in a sentence.
pub(super) struct Slots<'h, 'a> {
    pub(super) heard: &'h Heard<'a>,
    pub(super) pasted: Option<&'h Pasted<'a>>,
    pub(super) title: Option<FoundTitle>,
    pub(super) skills: Option<Listed>,
    good: Option<Listed>,
    /// How many must-haves the profile has.
    listed: u32,
    pub(super) fields: Vec<(Field, Range<usize>)>,
    date: Option<FoundDate>,
    past: Option<FoundDate>,
    time: Option<FoundTime>,
    length: Option<(u32, Range<usize>)>,
    manager: Option<FoundName>,
    candidate: Option<FoundName>,
    language: Option<Language>,
    tone: Option<&'static str>,
}

impl<'h, 'a> Slots<'h, 'a> {
    /// Looks for everything.
    pub(super) fn find(
        heard: &'h Heard<'a>,
        pasted: Option<&'h Pasted<'a>>,
        today: Date,
        listed: u32,
    ) -> Self {
        let count = listed;
        let length = find_length(&heard.tokens);
        let date = find_date(&heard.tokens, today, Direction::Ahead);
        let past = find_date(&heard.tokens, today, Direction::Behind);
        let mut taken: Vec<Range<usize>> = Vec::new();
        taken.extend(date.as_ref().map(|found| found.tokens.clone()));
        taken.extend(length.as_ref().map(|(_, tokens)| tokens.clone()));
        let time = find_time(&heard.tokens, date.as_ref().map(|found| &found.tokens))
            .filter(|found| length.as_ref().is_none_or(|(_, range)| !range.contains(&found.start)));
        taken.extend(time.as_ref().map(|found| found.start..found.end));
        let fields = fields(heard);
        let field =
            |wanted: Field| fields.iter().find(|(field, _)| *field == wanted).map(|(_, range)| range.clone());
        let list = |range: Range<usize>| (items(heard, range.start, range.end), range);
        let needs = needs(heard);
        let skills = field(Field::Must).map(list).or(needs.must);
        let good = field(Field::Good).map(list).or(needs.good);
        let listed = skills.as_ref().filter(|(items, _)| items.len() >= 2).map(|(_, range)| range.clone());
        let named = |wanted: Field| field(wanted).and_then(|range| name_at(heard, range.start, false));
        let told = any_name_with_role(heard);
        let mut manager = named(Field::Manager).or_else(|| {
            name_after(heard, "manager_before", false, &taken).filter(|found| {
                // "with Anna" is a manager only if somebody says so.
                heard
                    .all("manager")
                    .any(|hit| hit.end <= found.tokens.start && found.tokens.start - hit.end <= 3)
            })
        });
        // "Karin Ek, Team Lead Field Services": what somebody leads is nobody's name.
        let inside = |found: &FoundName| {
            told.as_ref()
                .is_some_and(|(_, role)| role.contains(&found.tokens.start) || found.tokens.len() == 1)
        };
        if manager.as_ref().is_some_and(inside) {
            manager = told.map(|(name, _)| name);
        }
        taken.extend(manager.as_ref().map(|found| found.tokens.clone()));
        taken.extend(manager.as_ref().and_then(|found| role_of(heard, found)));
        let title_taken: Vec<Range<usize>> =
            taken.iter().cloned().chain(listed.clone().filter(|range| range.start > 1)).collect();
        let title = match field(Field::Title) {
            Some(range) => Some(FoundTitle {
                title: heard.typed(range.start, range.end).to_owned(),
                tokens: range,
                certain: true,
            }),
            None => find_title(heard, &title_taken),
        };
        taken.extend(title.as_ref().filter(|found| found.certain).map(|found| found.tokens.clone()));
        let mut candidate = named(Field::Candidate)
            .or_else(|| {
                name_after(heard, "candidate_before", false, &taken).filter(|found| found.tokens.len() > 1)
            })
            .or_else(|| any_name(heard, &taken, 2))
            .or_else(|| name_after(heard, "candidate_before", false, &taken))
            .or_else(|| any_name(heard, &taken, 1).filter(|found| found.tokens.start == 0));
        if manager.is_none()
            && let Some(found) = candidate.take_if(|found| role_of(heard, found).is_some())
        {
            taken.push(found.tokens.clone());
            manager = Some(found);
            candidate = any_name(heard, &taken, 2);
        }
        // Whoever is named with a role is not the candidate.
        if manager.is_none()
            && let Some(first) = &candidate
        {
            let others: Vec<Range<usize>> = taken.iter().cloned().chain([first.tokens.clone()]).collect();
            manager = any_name(heard, &others, 2).filter(|found| role_of(heard, found).is_some());
        }
        let spoken = field(Field::Language).and_then(|range| {
            range.into_iter().find_map(|at| Lexicon::get().language(&heard.tokens[at].text))
        });
        let needed = skills.as_ref().map(|(_, range)| range);
        let language = spoken.or_else(|| language(heard, needed));
        // What the manager does is not the position.
        let role = manager.as_ref().and_then(|found| role_of(heard, found));
        let shared = |title: &FoundTitle| {
            role.as_ref().is_some_and(|role| title.tokens.start < role.end && role.start < title.tokens.end)
        };
        let title = if title.as_ref().is_some_and(shared) {
            let title_taken: Vec<Range<usize>> = title_taken.into_iter().chain(role).collect();
            find_title(heard, &title_taken)
        } else {
            title
        };
        Self {
            heard,
            pasted,
            title,
            skills,
            good,
            listed: count,
            fields,
            date,
            past,
            time,
            length,
            manager,
            candidate,
            language,
            tone: tone(heard),
        }
    }

    /// What they say for the table of intents.
    pub(super) fn signs(&self) -> Signs {
        let lexicon = Lexicon::get();
        let positions = self.positions().is_some();
        Signs {
            title: self.title.as_ref().is_some_and(|title| title.certain),
            team_size: self.title.as_ref().is_some_and(|title| title.certain) && self.team_size().is_some(),
            hiring: self.heard.after_cues("title_before").iter().any(|(_, words)| *words >= 1),
            skills: self.skills.as_ref().is_some_and(|(items, _)| items.len() >= 2)
                && self.title.as_ref().is_some_and(|title| title.certain),
            name: self.candidate.is_some(),
            date: self.date.is_some(),
            past: self.is_past(lexicon),
            time: self.time.is_some(),
            length: self.length.is_some(),
            counts: self.heard.counts().len() >= 2,
            positions,
            keys: self.keys().len() >= 2,
            language: self.language.is_some(),
            tone: self.tone.is_some(),
            made: false,
        }
    }

    /// Where it lists what a position needs.
    pub(super) fn lists(&self) -> Vec<Range<usize>> {
        let signs = self.signs();
        let lists = [&self.skills, &self.good].into_iter().flatten().map(|(_, range)| range.clone());
        if signs.skills { lists.collect() } else { Vec::new() }
    }

    fn is_past(&self, lexicon: &Lexicon) -> bool {
        use super::calendar::Sense;
        [Sense::Day(-1), Sense::Day(-2), Sense::Last]
            .into_iter()
            .any(|sense| lexicon.calendar.anywhere(sense, &self.heard.tokens).is_some())
    }

    /// The language somebody names.
    pub(super) fn named_language(&self) -> Option<Language> {
        self.language
    }

    /// The position somebody names.
    pub(super) fn position(&self) -> Option<&str> {
        self.title.as_ref().map(|title| title.title.as_str())
    }

    /// Initials that name candidates.
    fn keys(&self) -> Vec<String> {
        let is_key = |raw: &str| {
            let letters = raw.trim_end_matches(|sign: char| sign.is_ascii_digit());
            (2..=3).contains(&letters.chars().count()) && letters.chars().all(char::is_uppercase)
        };
        let initial = |token: &Token<'_>| token.raw.chars().count() == 1 && token.is_capital();
        let tokens = &self.heard.tokens;
        let mut keys = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            // "A.L." are initials too.
            let dotted = |next: &&Token<'_>| next.before == "." && initial(next);
            if let Some(next) = tokens.get(at + 1).filter(|_| initial(token)).filter(dotted) {
                keys.push(format!("{}{}", token.raw, next.raw));
            } else if is_key(token.raw) && !Lexicon::get().has("no_keys", &token.text) {
                keys.push(token.raw.to_owned());
            }
        }
        keys
    }
}

/// Puts a value at a dotted path.
pub(super) fn put(map: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            map.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = map.entry(first).or_insert_with(|| json!({}));
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}

/// Lays arguments over others, field by field.
pub(super) fn lay(under: &mut Map<String, Value>, over: Map<String, Value>) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => lay(known, more),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// The language somebody names, outside of what the candidate must know.
fn language(heard: &Heard<'_>, skills: Option<&Range<usize>>) -> Option<Language> {
    let lexicon = Lexicon::get();
    (0..heard.tokens.len()).rev().find_map(|at| {
        let token = &heard.tokens[at];
        let language = lexicon.language(&token.text)?;
        let listed = skills.is_some_and(|range| range.contains(&at) && range.start > 0);
        let place = heard.tokens.get(at + 1).is_some_and(|next| lexicon.has("no_language_after", &next.text));
        let before = at.checked_sub(1).map_or("", |before| heard.tokens[before].text.as_str());
        let led = lexicon.has("language_leads", before);
        // "my Swedish", "he does not speak Norwegian".
        let near = at.saturating_sub(2)..at;
        let other = lexicon.has("possessives", before)
            || near.into_iter().any(|near| lexicon.has("denials", &heard.tokens[near].text));
        ((!listed || led) && !place && !other).then_some(language)
    })
}

/// du or Sie.
fn tone(heard: &Heard<'_>) -> Option<&'static str> {
    let bare = |word: &str| heard.tokens.iter().any(|token| token.text == word);
    let english = heard.language(Language::En, false) == Language::En;
    // A German word with a capital in another language.
    let foreign = heard.spoken().is_some_and(|language| language != Language::De)
        && heard.tokens.iter().any(|token| token.raw == "Sie");
    if heard.has("tone_sie") || foreign || (english && bare("sie")) {
        Some("sie")
    } else if heard.has("tone_du") || (english && bare("du")) {
        Some("du")
    } else {
        None
    }
}
