//! The arguments of a module, as far as a sentence says them.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{
    super::{
        fields::Field,
        hearing::{Heard, Hit},
        intent::Intent,
        lexicon::Lexicon,
        pasted::PastedKind,
        people::{FoundName, any_name, name_after, name_at, role_of},
        wishes::{areas, edits, items},
    },
    Slots, put,
};

/// An ad has at least so many characters.
const SHORTEST_AD: usize = 40;

impl Slots<'_, '_> {
    /// The arguments of the tool of an intent, as far as the sentence says them.
    pub(crate) fn arguments(&self, intent: Intent, message: &str) -> Map<String, Value> {
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
        let interview = |hit: &Hit| {
            heard.all("interview").any(|other| other.start < hit.end && hit.start < other.end + 4)
        };
        let person = |hit: &&Hit| {
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
        let denied =
            |hit: &Hit| hit.start > 0 && Lexicon::get().has("denials", &heard.tokens[hit.start - 1].text);
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
}

/// A mail address.
fn email(text: &str) -> Option<&str> {
    text.split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';' | '<' | '>' | '(' | ')'))
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
        .find(|word| word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.')))
}
