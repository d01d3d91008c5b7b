//! What a sentence says beside what it wants: as arguments of the tools.

use std::ops::Range;

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::{
    clock::{FoundTime, find_length, find_time},
    dates::{Direction, FoundDate, find_date},
    fields::{Field, fields},
    hearing::Heard,
    intent::{Intent, Signs},
    lexicon::Lexicon,
    needs::{Listed, needs},
    numerals::number_at,
    pasted::{Pasted, PastedKind},
    people::{FoundName, any_name, any_name_with_role, name_after, name_at, role_of},
    titles::{FoundTitle, find_title},
    tokens::Token,
    wishes::{areas, edits, items, places},
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

    /// The arguments of the tool of an intent, as far as the sentence says them.
    pub(super) fn arguments(&self, intent: Intent, message: &str) -> Map<String, Value> {
        let mut arguments = Map::new();
        match intent {
            Intent::RequirementProfile => self.profile(message, &mut arguments),
            Intent::EditProfile => self.edit(message, &mut arguments),
            Intent::ConfirmProfile => put(&mut arguments, "confirm", json!(true)),
            Intent::JobAd => self.ad(message, &mut arguments),
            Intent::TaScreening | Intent::HmScreening => self.screening(&mut arguments),
            Intent::Headhunting => {
                self.spoken(&mut arguments);
                if let Some(pasted) = self.pasted {
                    put(&mut arguments, "candidate_profile", json!(pasted.text));
                }
            }
            Intent::CandidateReport => self.report(&mut arguments),
            Intent::Compare => self.compare(&mut arguments),
            Intent::FunnelReport => self.funnel(&mut arguments),
            Intent::JobAdReview | Intent::DiReview => {
                if let Some(language) = self.language {
                    put(&mut arguments, "language", json!(language.code()));
                }
                let quoted = || {
                    // "Check this ad: …" in one line.
                    let (before, text) = message.split_once(": ")?;
                    let about = Heard::of(before);
                    let long = text.trim().chars().count() >= SHORTEST_AD;
                    (long && (about.has("ad") || about.has("review"))).then(|| text.trim())
                };
                if let Some(text) = self.pasted.map(|pasted| pasted.text).or_else(quoted) {
                    put(&mut arguments, "job_ad_text", json!(text));
                }
            }
            Intent::CalendarInvite => self.invite(&mut arguments),
            Intent::SetLanguage => self.spoken(&mut arguments),
            Intent::SetPosition => {
                if let Some(title) = &self.title {
                    put(&mut arguments, "position_name", json!(title.title));
                }
            }
            Intent::DecideFindings
            | Intent::ConfirmReport
            | Intent::ShowDocument
            | Intent::Restore
            | Intent::Greeting
            | Intent::Menu
            | Intent::Thanks
            | Intent::Yes
            | Intent::No
            | Intent::Cancel
            | Intent::DocumentQuestion
            | Intent::SmallTalk
            | Intent::OffTopic
            | Intent::Unclear => {}
        }
        arguments
    }

    /// Language and form of address.
    fn spoken(&self, arguments: &mut Map<String, Value>) {
        if let Some(language) = self.language {
            put(arguments, "language", json!(language.code()));
        }
        if let Some(tone) = self.tone {
            put(arguments, "german_form", json!(tone));
        }
    }

    fn profile(&self, message: &str, arguments: &mut Map<String, Value>) {
        if let Some(title) = &self.title {
            put(arguments, "position_title", json!(title.title));
        }
        self.spoken(arguments);
        if let Some(pasted) = self.pasted.filter(|pasted| pasted.kind != PastedKind::Transcript) {
            put(arguments, "startup_notes", json!(pasted.text));
            return;
        }
        self.team("enrichments.team", arguments);
        if let Some((items, _)) = &self.good {
            put(arguments, "enrichments.nice_to_haves", json!(items));
        }
        let Some((items, _)) = &self.skills else { return };
        put(arguments, "enrichments.must_haves", json!(items));
        // What the recruiter says is the source of it, and all the notes there are.
        put(arguments, "startup_notes", json!(message.trim()));
        // They are read here; the sentence around them is no list of requirements.
        let quoted: Vec<Value> = items.iter().map(|item| json!({ "text": item })).collect();
        put(arguments, "must_haves", json!(quoted));
        for list in ["responsibilities", "good_to_haves", "soft_skills", "motivations"] {
            put(arguments, list, json!([]));
        }
    }

    fn team(&self, path: &str, arguments: &mut Map<String, Value>) {
        if let Some(place) = self.place() {
            put(arguments, &format!("{path}.location"), json!(place));
        }
        if let Some(size) = self.team_size() {
            put(arguments, &format!("{path}.size"), json!(size));
        }
    }

    /// Place and size beside other changes, where a word says that it is them: "…, location is Köln".
    fn labelled_team(&self, arguments: &mut Map<String, Value>) {
        let (tokens, lexicon) = (&self.heard.tokens, Lexicon::get());
        let city = (0..tokens.len()).find(|at| {
            let near = at.saturating_sub(3)..*at;
            lexicon.is_city(&tokens[*at].text)
                && near.into_iter().any(|near| lexicon.has("label_place", &tokens[near].text))
        });
        if let Some(city) = city {
            put(arguments, "team.location", json!(tokens[city].raw));
        }
        if let Some(size) = self.team_size().filter(|_| self.heard.has("team_word")) {
            put(arguments, "team.size", json!(size));
        }
    }

    fn edit(&self, message: &str, arguments: &mut Map<String, Value>) {
        let heard = self.heard;
        let titled = heard.has("title_word") && !heard.has("remove");
        let paid = heard.has("pay_word") && heard.tokens.iter().any(|token| token.number().is_some());
        let pay = self.pay().filter(|_| paid);
        let changes = edits(heard, self.listed, pay.as_ref());
        if titled && let Some(title) = self.title.as_ref() {
            put(arguments, "position_title", json!(title.title));
        } else {
            arguments.extend(changes);
        }
        if let Some(pay) = pay {
            put(arguments, "pay_range", json!(heard.typed(pay.start, pay.end)));
        }
        let listed = ["must_haves", "good_to_haves"].iter().any(|list| arguments.contains_key(*list));
        if paid || arguments.is_empty() || (!listed && heard.has("team_word")) {
            self.team("team", arguments);
        } else {
            self.labelled_team(arguments);
        }
        if !arguments.is_empty() {
            put(arguments, "recruiter_input", json!(message.trim()));
        }
    }

    fn ad(&self, message: &str, arguments: &mut Map<String, Value>) {
        self.spoken(arguments);
        let heard = self.heard;
        let cued = heard.after_cues("apply_before");
        if let Some(found) = &self.date
            && cued.iter().any(|(after, _)| *after <= found.tokens.start && found.tokens.start - after <= 3)
        {
            put(arguments, "apply_by", json!(found.date.to_string()));
        } else if let Some(found) = &self.date {
            // "with 11 December as the closing date".
            let near = found.tokens.start.saturating_sub(5)..heard.tokens.len().min(found.tokens.end + 5);
            if near.into_iter().any(|at| Lexicon::get().has("deadline", &heard.tokens[at].text)) {
                put(arguments, "apply_by", json!(found.date.to_string()));
            }
        }
        let taken: Vec<Range<usize>> =
            self.title.iter().filter(|title| title.certain).map(|title| title.tokens.clone()).collect();
        let named = name_after(heard, "contact_before", false, &taken).filter(|name| name.tokens.len() > 1);
        let contact = named
            .or_else(|| self.contact_before_cue())
            .or_else(|| name_after(heard, "contact_before", false, &taken))
            .or_else(|| any_name(heard, &taken, 2).filter(|_| email(message).is_some()));
        if let Some(contact) = contact {
            put(arguments, "contact.name", json!(contact.name));
        }
        if let Some(address) = email(message) {
            put(arguments, "contact.email", json!(address));
        }
    }

    /// "… and Annegret Vollmer as the contact": the last name before it.
    fn contact_before_cue(&self) -> Option<FoundName> {
        let heard = self.heard;
        let lexicon = Lexicon::get();
        let stands = |at: &usize| lexicon.phrase_at("contact_after", &heard.tokens, *at).is_some();
        let cue = (1..heard.tokens.len()).find(stands)?;
        let near = cue.saturating_sub(6)..cue;
        near.rev().find_map(|at| {
            name_at(heard, at, false).filter(|name| name.tokens.len() > 1 && name.tokens.end <= cue)
        })
    }

    fn screening(&self, arguments: &mut Map<String, Value>) {
        self.spoken(arguments);
        if self.heard.has("include_good") {
            put(arguments, "include_good_to_haves", json!(true));
        }
        if self.heard.has("role_intro") {
            put(arguments, "include_role_intro", json!(true));
        }
        let told = self.field(Field::Areas).map(|range| items(self.heard, range.start, range.end));
        let areas = told.unwrap_or_else(|| areas(self.heard));
        if !areas.is_empty() {
            put(arguments, "additional_areas", json!(areas));
        }
    }

    fn report(&self, arguments: &mut Map<String, Value>) {
        if let Some(name) = &self.candidate {
            put(arguments, "candidate_name", json!(name.name));
        }
        if let Some(found) = &self.past {
            put(arguments, "interview_date", json!(found.date.to_string()));
        }
        self.spoken(arguments);
        if let Some(pasted) = self.pasted {
            put(arguments, "transcript", json!(pasted.text));
        }
    }

    fn compare(&self, arguments: &mut Map<String, Value>) {
        let keys = self.keys();
        if keys.len() >= 2 {
            put(arguments, "candidate_keys", json!(keys));
        }
        if self.heard.has("transposed") {
            put(arguments, "transposed", json!(true));
        }
        if let Some(language) = self.language {
            put(arguments, "language", json!(language.code()));
        }
    }

    fn funnel(&self, arguments: &mut Map<String, Value>) {
        if let Some(title) = self.title.as_ref().filter(|title| title.certain) {
            put(arguments, "job_title", json!(title.title));
        }
        if let Some(name) = self.manager.as_ref() {
            put(arguments, "hiring_manager_name", json!(name.name));
        }
        if let Some(count) = self.positions() {
            put(arguments, "number_of_positions", json!(count));
        }
        if let Some(pasted) = self.pasted.filter(|pasted| pasted.kind == PastedKind::Table) {
            put(arguments, "pasted_table", json!(pasted.text));
            return;
        }
        for (stage, count) in self.heard.counts() {
            let group = match stage {
                "job_ad_views" | "apply_clicks" | "applications_received" | "qualified_applications" => {
                    "attraction"
                }
                "candidates_sourced" | "contacted" | "replied" | "interested" => "sourcing",
                _ => "process",
            };
            put(arguments, &format!("{group}.{stage}"), json!(count));
        }
        self.spoken(arguments);
    }

    fn invite(&self, arguments: &mut Map<String, Value>) {
        let heard = self.heard;
        let kinds = [
            ("type_case", "case"),
            ("type_team", "team"),
            ("type_screening", "ta_screening"),
            ("type_manager", "hiring_manager"),
        ];
        // "Hiring manager is Anna" names a person, not a sort of interview.
        let interview = |hit: &super::hearing::Hit| {
            heard.all("interview").any(|other| other.start < hit.end && hit.start < other.end + 4)
        };
        let person = |hit: &&super::hearing::Hit| {
            !interview(hit)
                && self
                    .manager
                    .as_ref()
                    .is_some_and(|name| hit.end <= name.tokens.start && name.tokens.start - hit.end <= 2)
        };
        let longest = |name: &str| {
            heard.all(name).filter(|hit| !person(hit)).map(|hit| hit.end - hit.start).max().unwrap_or(0)
        };
        let kind = kinds
            .into_iter()
            .rev()
            .max_by_key(|(name, _)| longest(name))
            .filter(|(name, _)| longest(name) > 0);
        if let Some((_, kind)) = kind {
            put(arguments, "interview_type", json!(kind));
        }
        let city = self.office();
        let teams = heard.has("on_teams");
        if teams {
            put(arguments, "location_type", json!("teams"));
        } else if heard.has("on_site") || city.is_some() {
            put(arguments, "location_type", json!("onsite"));
        }
        if let Some(city) = city.filter(|_| !teams) {
            put(arguments, "city", json!(city));
        }
        if let Some(found) = &self.time {
            put(arguments, "time", json!(found.shown()));
        }
        if let Some(found) = &self.date {
            put(arguments, "date", json!(found.date.to_string()));
            let named = found.weekday.and_then(|at| Lexicon::get().calendar.weekday(&heard.tokens[at].text));
            if let Some(day) = named.and_then(|day| usize::try_from(day).ok()) {
                // As the texts of the invitation call it: "torsdagen" is no name of a day.
                let days = crate::Texts::of(crate::Voice::En).list("invite.weekdays");
                put(arguments, "weekday", json!(days.get(day)));
            }
        }
        let length =
            self.length.as_ref().map(|(minutes, _)| *minutes).or(self.time.and_then(|time| time.length));
        if let Some(minutes) = length {
            put(arguments, "duration", json!(minutes));
        }
        let denied = |hit: &super::hearing::Hit| {
            hit.start > 0 && Lexicon::get().has("denials", &heard.tokens[hit.start - 1].text)
        };
        if heard.all("jobylon").any(|hit| !denied(hit)) && !heard.has("manual") {
            put(arguments, "booking_method", json!("jobylon"));
        } else if self.date.is_some() || self.time.is_some() || heard.has("manual") {
            put(arguments, "booking_method", json!("manual"));
        }
        if let Some(manager) = &self.manager {
            put(arguments, "hiring_manager.name", json!(manager.name));
            if let Some(role) = role_of(heard, manager) {
                put(arguments, "hiring_manager.title", json!(heard.typed(role.start, role.end)));
            }
        }
        if let Some(name) = &self.candidate {
            put(arguments, "candidate_name", json!(name.name));
        }
        if let Some(title) = self.title.as_ref().filter(|title| title.certain) {
            put(arguments, "position_name", json!(title.title));
        }
        self.spoken(arguments);
    }

    /// What answers a question about one field.
    pub(super) fn answer(
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

/// An ad has at least so many characters.
const SHORTEST_AD: usize = 40;

/// Whether words only agree, greet or count.
fn is_talk(heard: &Heard<'_>) -> bool {
    let talk = ["yes", "no", "cancel", "thanks", "hello", "help"];
    (0..heard.tokens.len()).all(|at| {
        heard.covers(&talk, at)
            || heard.tokens[at].number().is_some()
            || Lexicon::get().has_cue("and", &heard.tokens[at].text)
    })
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

/// A mail address.
fn email(text: &str) -> Option<&str> {
    text.split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | '<' | '>' | '(' | ')'))
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
        .find(|word| word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')))
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
