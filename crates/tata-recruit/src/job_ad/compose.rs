//! Composes the sections from the profile's own items: an honest skeleton.
//!
//! Only sentences whose grammar is certain are written: whole sentences of the person, and frames filled with a title, a
//! number, a place name or a date. Everything else is a list under a plain heading, or a marked gap.

use std::collections::BTreeSet;

use super::{AdPoints, Section, SectionName, material::Material, unworded::Line, words};
use crate::{
    Evidence, Group, Item, Key, Refusal, Texts, figures::stable_hash, profile::people, tidy, wording,
};

/// The most responsibilities in an ad.
pub(super) const MOST_TASKS: usize = 5;
/// The fewest.
pub(crate) const FEWEST_TASKS: usize = 3;
/// The most good-to-haves.
pub(super) const MOST_WELCOME: usize = 3;
/// The longest item that an intro takes in.
const INTRO_ITEM: usize = 200;
/// The names of the variants of a frame.
const VARIANTS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// The sections of an ad and what could stand in their place.
pub(super) struct Composed {
    pub(super) sections: Vec<Section>,
    pub(super) headlines: Choice,
    pub(super) intros: Choice,
    /// Items that did not fit in, by their field.
    pub(super) left_out: Vec<(&'static str, Vec<String>)>,
}

/// All headlines or all intros, and which was chosen.
pub(super) struct Choice {
    all: Vec<Opening>,
    at: usize,
}

/// A headline or an intro, and what it tells beside the title.
type Opening = (String, Told);

impl Choice {
    /// Each text once, in order; the number that somebody chose counts from one.
    fn new(
        field: &str,
        mut all: Vec<Opening>,
        wish: Option<usize>,
        own: &Texts,
        refusal: &mut Refusal,
    ) -> Self {
        let mut seen = BTreeSet::new();
        all.retain(|(text, _)| seen.insert(text.clone()));
        let (number, count) = (wish.unwrap_or(1), all.len());
        if wish.is_some() && !(1..=count).contains(&number) {
            let values = [("number", &*number.to_string()), ("count", &*count.to_string())];
            refusal.say(field, own, key!("job_ad.refuse.choice"), &values);
        }
        Self { all, at: number.saturating_sub(1) }
    }

    /// The one that was chosen.
    pub(super) fn chosen(&self) -> &str {
        self.all.get(self.at).map_or("", |(text, _)| text)
    }

    /// What it tells beside the title.
    fn told(&self) -> Told {
        self.all.get(self.at).map_or(Told::Nothing, |(_, told)| *told)
    }

    /// Those that were not, with their numbers from 1.
    pub(super) fn others(&self) -> impl Iterator<Item = (usize, &str)> {
        let all = (1..).zip(&self.all).map(|(number, (text, _))| (number, text.as_str()));
        all.filter(|(number, _)| *number != self.at + 1)
    }
}

/// What an intro tells beside the title, so that no other section tells it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Mission,
    Unit,
}

/// Writes sections.
pub(super) struct Composer<'a> {
    pub(super) texts: &'a Texts,
    pub(super) material: &'a Material<'a>,
    /// Items that did not fit in, by their field.
    pub(super) left_out: Vec<(&'static str, Vec<String>)>,
}

/// A section being written.
impl Section {
    /// One more sentence. The ending says several things, each in a paragraph of its own.
    pub(super) fn say(&mut self, sentence: &str) {
        if !self.text.is_empty() {
            self.text.push(if self.name == SectionName::Ending { '\n' } else { ' ' });
        }
        self.text.push_str(sentence);
    }

    /// Sentences of the person as prose, whatever else as points: only the grammar of whole sentences is certain.
    pub(super) fn tell(&mut self, source: &str, items: &[&Item]) {
        for item in items {
            if words::is_sentence(&item.text) {
                self.say(&item.text);
            } else {
                self.points.push(item.text.clone());
            }
        }
        self.rests_on(source, items.iter().copied());
    }

    /// One more list under a line of its own.
    pub(super) fn list(&mut self, lead: &str, points: Vec<String>) {
        self.further.push(AdPoints { lead: lead.to_owned(), points });
    }

    pub(super) fn rests_on<'i>(&mut self, source: &str, items: impl IntoIterator<Item = &'i Item>) {
        items.into_iter().for_each(|item| self.prove(source, &item.evidence));
    }

    pub(super) fn prove(&mut self, source: &str, evidence: &Evidence) {
        if !self.sources.iter().any(|known| known == source) {
            self.sources.push(source.to_owned());
        }
        self.evidence.push(evidence.clone());
    }
}

impl Composer<'_> {
    /// All ten sections. Those that were handed over and verified stand as they are.
    pub(super) fn compose(mut self, written: &[Section], own: &Texts) -> Result<Composed, Refusal> {
        let input = self.material.input;
        let (days, starts) = (self.material.other_days.iter(), self.material.starts.iter());
        let foreign = starts.filter(|_| self.material.foreign.is_some());
        self.leave_out("dates", &days.chain(foreign).collect::<Vec<_>>());
        let handed = |name: SectionName| written.iter().find(|section| section.name == name);
        let openings = |name: SectionName, composed: Vec<Opening>, more: &[String]| {
            let handed = handed(name).map(|section| section.text.clone());
            let more = more.iter().map(|text| tidy(text));
            let plain = |text: String| (text, Told::Nothing);
            handed.map(plain).into_iter().chain(composed).chain(more.map(plain)).collect()
        };
        let mut refusal = Refusal::default();
        let headlines = openings(SectionName::Headline, self.headlines(), &input.alternative_headlines);
        let headlines = Choice::new("choose_headline", headlines, input.choose_headline, own, &mut refusal);
        let intros = openings(SectionName::Intro, self.intros(), &input.alternative_intros);
        let intros = Choice::new("choose_intro", intros, input.choose_intro, own, &mut refusal);
        refusal.or_ok()?;

        let told = intros.told();
        let mut sections = Vec::new();
        for name in SectionName::ALL {
            let openings = [(SectionName::Headline, &headlines), (SectionName::Intro, &intros)];
            let opening = openings.into_iter().find(|(of, _)| *of == name).map(|(_, choice)| choice.chosen());
            let stands = |section: &&Section| opening.is_none_or(|text| section.text == text);
            let mut section = match (handed(name).filter(stands), opening) {
                (Some(section), _) => section.clone(),
                (None, Some(text)) => self.opening(name, text, told),
                (None, None) => self.section(name, told),
            };
            self.add_facts(&mut section, written);
            if section.sources.is_empty() {
                section.sources.push("standard_text".to_owned());
            }
            sections.push(section);
        }
        Ok(Composed { sections, headlines, intros, left_out: self.left_out })
    }

    fn section(&mut self, name: SectionName, told: Told) -> Section {
        let mut section = Section { name, ..Section::default() };
        match name {
            // Both were chosen from their alternatives before.
            SectionName::Headline | SectionName::Intro => {}
            SectionName::RoleDescription => self.role(&mut section, told),
            SectionName::TheWhy => self.why(&mut section, told),
            SectionName::Responsibilities => self.responsibilities(&mut section),
            SectionName::Requirements => self.requirements(&mut section),
            SectionName::SoftSkillsParagraph => self.person(&mut section),
            SectionName::TeamAndWhyGc => self.team(&mut section),
            SectionName::Process => self.process(&mut section),
            SectionName::Ending => self.ending(&mut section),
        }
        section
    }

    /// Every variant of a frame, the one for this position first.
    pub(super) fn variants(&self, frame: Group, values: &[(&str, &str)]) -> Vec<String> {
        let keys = VARIANTS.iter().filter_map(|variant| frame.find(variant));
        let mut variants: Vec<String> = keys.map(|key| mended(self.texts.say(key, values))).collect();
        let count = u64::try_from(variants.len()).unwrap_or(1).max(1);
        // Always the same for a position, but not the same for all.
        let names = [self.material.title.written.as_str(), frame.name()];
        let first = stable_hash(names.into_iter().flat_map(|name| name.bytes().chain([0]))) % count;
        variants.rotate_left(usize::try_from(first).unwrap_or_default());
        variants
    }

    pub(super) fn frame(&self, frame: Group, values: &[(&str, &str)]) -> String {
        self.variants(frame, values).into_iter().next().unwrap_or_default()
    }

    /// A name fits into a sentence; whatever else is said about a place is a point of a list.
    fn place_frame(&self, place: &str) -> Option<Group> {
        let place = words::unstopped(place);
        if !wording::is_known_place(place) {
            return None;
        }
        let on = self.texts.list(key!("job_ad.on_places"));
        let frames = [group!("job_ad.frames.team_in"), group!("job_ad.frames.team_on")];
        Some(frames[usize::from(on.iter().any(|known| known == place))])
    }

    /// What the recruiter still has to write, marked so that nobody overlooks it.
    fn gap(&self, key: Key, section: &mut Section) {
        section.say(self.texts.get(key));
        section.sources.push("gap".to_owned());
    }

    fn headlines(&self) -> Vec<Opening> {
        let title = ("title", self.material.title.shown.as_str());
        let place = self.place().map(|(_, place)| place.text.as_str());
        let short =
            |text: &&str| text.chars().count() <= 30 && wording::place_name(text).as_deref() == Some(*text);
        let frame =
            |place: &str| self.frame(group!("job_ad.frames.headline_place"), &[title, ("place", place)]);
        let plain = self.variants(group!("job_ad.frames.headline"), &[title]);
        plain.into_iter().chain(place.filter(short).map(frame)).map(|text| (text, Told::Nothing)).collect()
    }

    /// Intros with a sentence of the person come first; the plain ones are always there.
    fn intros(&self) -> Vec<Opening> {
        let (profile, language) = (self.material.profile, self.texts.language());
        let title = ("title", self.material.title.in_sentence.as_str());
        let fits = |item: &&Item| {
            let one = words::sentences(&item.text, language) == 1 && words::is_sentence(&item.text);
            let short = item.text.chars().count() <= INTRO_ITEM;
            short && one && self.material.foreign.is_none() && !self.is_unworded(item, Line::Offer)
        };
        // The why must not be left empty by telling it here.
        let mission = profile.contribution_to_mission.as_ref().filter(|_| !profile.motivations.is_empty());
        let told = [(mission, Told::Mission), (profile.bu_description.as_ref(), Told::Unit)];
        let told = told.into_iter().filter_map(|(item, told)| {
            let text = ("text", item.filter(fits)?.text.as_str());
            Some((self.frame(group!("job_ad.frames.intro_unit"), &[title, text]), told))
        });
        let plain = self.variants(group!("job_ad.frames.intro"), &[title]);
        let all = told.chain(plain.into_iter().map(|text| (text, Told::Nothing)));
        // Only now: the title itself must not count as more than a part of a sentence.
        let bare = |text: &str| text.replace(&self.material.title.in_sentence, "X");
        all.filter(|(text, _)| words::sentences(&bare(text), language) <= 2).collect()
    }

    fn opening(&self, name: SectionName, text: &str, told: Told) -> Section {
        let profile = self.material.profile;
        let sources = vec!["position_title".to_owned()];
        let mut section = Section { name, sources, ..Section::default() };
        if name == SectionName::Intro {
            match told {
                Told::Mission => {
                    section.rests_on("contribution_to_mission", &profile.contribution_to_mission);
                }
                Told::Unit => section.rests_on("bu_description", &profile.bu_description),
                Told::Nothing => {}
            }
        } else if let Some((source, place)) = self.place().filter(|(_, place)| text.contains(&place.text)) {
            section.rests_on(source, [place]);
        }
        section.say(text);
        section
    }

    /// What is to be known of the role: the unit. Challenges and measures are for the hiring team, not for the public.
    fn role(&mut self, section: &mut Section, told: Told) {
        let profile = self.material.profile;
        match self.usable(profile.bu_description.as_ref()).filter(|_| told != Told::Unit) {
            Some(unit) => self.tell(section, "bu_description", Line::Offer, &[unit]),
            None => self.gap(key!("job_ad.gaps.role"), section),
        }
        self.leave_out("challenges", &spoken(&profile.challenges));
        self.leave_out("performance_measures", &spoken(&profile.performance_measures));
    }

    fn why(&self, section: &mut Section, told: Told) {
        let profile = self.material.profile;
        let motivations = spoken(&profile.motivations);
        let mission = profile.contribution_to_mission.as_ref();
        let untold = told != Told::Mission || motivations.is_empty();
        let mission = Vec::from_iter(mission.filter(|item| untold && speaks(item)));
        self.tell(section, "contribution_to_mission", Line::Offer, &mission);
        self.tell(section, "motivations", Line::Person, &motivations);
    }

    fn responsibilities(&mut self, section: &mut Section) {
        let tasks = spoken(&self.material.profile.primary_responsibilities);
        let (shown, rest) = tasks.split_at(tasks.len().min(MOST_TASKS));
        section.points = shown.iter().map(|item| self.worded(item, Line::Offer, section)).collect();
        section.rests_on("primary_responsibilities", shown.iter().copied());
        self.leave_out("primary_responsibilities", rest);
    }

    fn requirements(&mut self, section: &mut Section) {
        let profile = self.material.profile;
        section.points = profile.must_have_skills.iter().map(|item| item.text.clone()).collect();
        section.rests_on("must_have_skills", &profile.must_have_skills);
        let welcome = spoken(&profile.good_to_haves);
        let most = if self.material.foreign.is_some() { 0 } else { welcome.len().min(MOST_WELCOME) };
        let (shown, rest) = welcome.split_at(most);
        if !shown.is_empty() {
            let welcome = shown.iter().map(|item| self.worded(item, Line::Person, section)).collect();
            section.list(self.texts.get(key!("job_ad.leads.welcome")), welcome);
            section.rests_on("good_to_haves", shown.iter().copied());
        }
        self.leave_out("good_to_haves", rest);
    }

    /// Whether words are adjectives nobody can tell for certain, so qualities are a list.
    fn person(&self, section: &mut Section) {
        let skills = spoken(&self.material.profile.soft_skills);
        let told = |item: &&Item| words::is_sentence(&item.text) && !self.is_unworded(item, Line::Person);
        if skills.iter().all(told) {
            section.tell("soft_skills", &skills);
        } else {
            section.say(self.texts.get(key!("job_ad.leads.person")));
            section.points = skills.iter().map(|item| self.worded(item, Line::Person, section)).collect();
            section.rests_on("soft_skills", skills);
        }
    }

    fn team(&mut self, section: &mut Section) {
        let (material, team) = (self.material, &self.material.profile.team_info);
        if let Some(size) = team.size.as_ref().filter(|size| size.people > 1) {
            // "The team has eight people and sits in Stockholm." says it already.
            let style = team.collaboration_style.as_ref().filter(|item| words::is_sentence(&item.text));
            let style =
                style.filter(|item| material.foreign.is_none() && !self.is_unworded(item, Line::Offer));
            if style.is_none_or(|item| people(&item.text) != Some(size.people)) {
                let count = [("count", &*self.texts.number(size.people))];
                section.say(&self.frame(group!("job_ad.frames.team_size"), &count));
            }
            section.prove("team_info.size", &size.evidence);
        }
        for (source, key, item) in [
            ("team_info.location", key!("job_ad.leads.team_place"), &team.location),
            ("team_info.collaboration_style", key!("job_ad.leads.team_style"), &team.collaboration_style),
        ] {
            let Some(item) = item.as_ref().filter(|item| speaks(item)) else { continue };
            // What the recruiter says about the place of work stands at the end; two places would contradict.
            let told = material.place.as_ref().filter(|_| key == key!("job_ad.leads.team_place"));
            if told.is_some_and(|place| place.text.to_lowercase().contains(&item.text.to_lowercase())) {
                continue;
            }
            if self.material.foreign.is_some() || told.is_some() {
                self.leave_out(source, &[item]);
                continue;
            }
            if self.is_unworded(item, Line::Offer) {
                self.tell_sentences(section, source, item);
                continue;
            }
            match self.place_frame(&item.text).filter(|_| key == key!("job_ad.leads.team_place")) {
                Some(frame) => section.say(&self.frame(frame, &[("text", words::unstopped(&item.text))])),
                None if words::is_sentence(&item.text) => section.say(&item.text),
                None => section.list(self.texts.get(key), points(&[item])),
            }
            section.rests_on(source, [item]);
        }
        for fact in &material.facts {
            let stop = if fact.text.ends_with(['.', '!', '?']) { "" } else { "." };
            section.say(&format!("{}{stop}", fact.text));
        }
        section.rests_on("approved_company_facts", &material.facts);
        if section.text.is_empty() && section.further.is_empty() && section.points.is_empty() {
            self.gap(key!("job_ad.gaps.team"), section);
        }
    }

    fn process(&self, section: &mut Section) {
        if self.material.steps.is_empty() {
            self.gap(key!("job_ad.gaps.process"), section);
        }
    }

    fn ending(&self, section: &mut Section) {
        match &self.material.apply_by {
            Some((date, evidence)) => {
                let date = self.texts.date(*date);
                section.say(&self.frame(group!("job_ad.frames.call_by"), &[("date", &date)]));
                section.prove("apply_by", evidence);
            }
            None => section.say(&self.frame(group!("job_ad.frames.call"), &[])),
        }
    }

    /// A statement of the profile, if the ad can have it.
    pub(super) fn usable<'i>(&self, item: Option<&'i Item>) -> Option<&'i Item> {
        item.filter(|item| speaks(item) && self.material.foreign.is_none())
    }

    fn leave_out(&mut self, field: &'static str, items: &[&Item]) {
        if !items.is_empty() {
            self.left_out.push((field, points(items)));
        }
    }
}

/// The items that say something, each once.
pub(super) fn spoken(items: &[Item]) -> Vec<&Item> {
    let mut seen = BTreeSet::new();
    items.iter().filter(|item| speaks(item) && seen.insert(item.text.to_lowercase())).collect()
}

/// Items as points of a list.
fn points(items: &[&Item]) -> Vec<String> {
    items.iter().map(|item| item.text.clone()).collect()
}

fn speaks(item: &Item) -> bool {
    item.text.chars().any(char::is_alphanumeric)
}

/// A frame's stop after a value that brought its own.
fn mended(text: String) -> String {
    match text.strip_suffix('.') {
        Some(shorter) if shorter.ends_with(['?', '!', '…']) => shorter.to_owned(),
        Some(_) | None => text,
    }
}
