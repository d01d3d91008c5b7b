//! Composes the sections from the profile's own items: an honest skeleton.
//!
//! Only sentences whose grammar is certain are written: whole sentences of the person, and frames filled with a title, a
//! number, a place name or a date. Everything else is a list under a plain heading, or a marked gap.

use super::{AdPoints, JobAdInput, Section, SectionName, material::Material, title::Title, words};
use crate::{Evidence, Group, Item, Key, Refusal, Texts, figures::stable_hash, tidy, wording};

/// The most responsibilities in an ad.
pub(super) const MOST_TASKS: usize = 5;
/// The fewest.
pub(super) const FEWEST_TASKS: usize = 3;
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
    all: Vec<String>,
    at: usize,
}

impl Choice {
    /// The one that was chosen.
    pub(super) fn chosen(&self) -> &str {
        self.all.get(self.at).map_or("", String::as_str)
    }

    /// Those that were not, with their numbers from 1.
    pub(super) fn others(&self) -> impl Iterator<Item = (usize, &String)> {
        (1..).zip(&self.all).filter(|(number, _)| *number != self.at + 1)
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
    pub(super) title: &'a Title,
    pub(super) material: &'a Material<'a>,
    pub(super) input: &'a JobAdInput,
    /// The profile is in another language than the ad: its free text stays out.
    pub(super) foreign: bool,
    /// Items that did not fit in, by their field.
    pub(super) left_out: Vec<(&'static str, Vec<String>)>,
}

/// A section being written.
impl Section {
    /// One more sentence. The ending says several things, each in a paragraph of its own.
    fn say(&mut self, sentence: &str) {
        if !self.text.is_empty() {
            self.text.push(if self.name == SectionName::Ending { '\n' } else { ' ' });
        }
        self.text.push_str(sentence);
    }

    /// Sentences of the person as prose, whatever else as points: only the grammar of whole sentences is certain.
    fn tell(&mut self, source: &str, items: &[&Item]) {
        for item in items {
            if words::is_sentence(&item.text) {
                self.say(&item.text);
            } else {
                self.points.push(item.text.clone());
            }
        }
        self.rests_on(source, items.iter().copied());
    }

    fn rests_on<'i>(&mut self, source: &str, items: impl IntoIterator<Item = &'i Item>) {
        items.into_iter().for_each(|item| self.prove(source, &item.evidence));
    }

    fn prove(&mut self, source: &str, evidence: &Evidence) {
        if !self.sources.iter().any(|known| known == source) {
            self.sources.push(source.to_owned());
        }
        self.evidence.push(evidence.clone());
    }
}

impl Composer<'_> {
    /// All ten sections. Those that were handed over and verified stand as they are.
    pub(super) fn compose(mut self, written: &[Section], own: &Texts) -> Result<Composed, Refusal> {
        let input = self.input;
        let handed = |name: SectionName| written.iter().find(|section| section.name == name);
        let text = |name: SectionName| handed(name).map(|section| section.text.clone()).into_iter();
        let plain = |text: String| (text, Told::Nothing);
        let more = input.alternative_headlines.iter().map(|text| tidy(text));
        let mut headlines: Vec<String> =
            text(SectionName::Headline).chain(self.headlines()).chain(more).collect();
        let more = input.alternative_intros.iter().map(|text| tidy(text));
        let mut intros: Vec<(String, Told)> =
            text(SectionName::Intro).map(plain).chain(self.intros()).chain(more.map(plain)).collect();
        unique(&mut headlines, |text| text);
        unique(&mut intros, |(text, _)| text);

        let mut refusal = Refusal::default();
        let headline = choose("choose_headline", input.choose_headline, headlines.len(), own, &mut refusal);
        let intro = choose("choose_intro", input.choose_intro, intros.len(), own, &mut refusal);
        refusal.or_ok()?;

        let told = intros.get(intro).map_or(Told::Nothing, |(_, told)| *told);
        let headlines = Choice { all: headlines, at: headline };
        let intros = Choice { all: intros.into_iter().map(|(text, _)| text).collect(), at: intro };
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
    fn variants(&self, frame: Group, values: &[(&str, &str)]) -> Vec<String> {
        let mut variants: Vec<String> = VARIANTS
            .iter()
            .filter_map(|variant| frame.find(variant))
            .map(|key| mended(self.texts.say(key, values)))
            .collect();
        let count = u64::try_from(variants.len()).unwrap_or(1).max(1);
        // Always the same for a position, but not the same for all.
        let position =
            [&*self.title.written, frame.name()].into_iter().flat_map(|part| part.bytes().chain([0]));
        let first = stable_hash(position) % count;
        variants.rotate_left(usize::try_from(first).unwrap_or_default());
        variants
    }

    fn frame(&self, frame: Group, values: &[(&str, &str)]) -> String {
        self.variants(frame, values).into_iter().next().unwrap_or_default()
    }

    /// A name fits into a sentence; whatever else is said about a place is a point of a list.
    fn place_frame(&self, place: &str) -> Option<Group> {
        let place = words::unstopped(place);
        wording::place_name(place).filter(|name| name == place)?;
        let on = self.texts.list(key!("job_ad.on_places"));
        Some(if on.iter().any(|known| known == place) {
            group!("job_ad.frames.team_on")
        } else {
            group!("job_ad.frames.team_in")
        })
    }

    /// The plain heading of a list.
    fn lead(&self, key: Key) -> String {
        self.texts.get(key).to_owned()
    }

    /// What the recruiter still has to write, marked so that nobody overlooks it.
    fn gap(&self, key: Key, section: &mut Section) {
        section.say(self.texts.get(key));
        section.sources.push("gap".to_owned());
    }

    fn headlines(&self) -> Vec<String> {
        let title = ("title", self.title.shown.as_str());
        let place = self.material.place.as_ref().or(self.location());
        let place = place
            .map(|item| item.text.as_str())
            .filter(|text| text.chars().count() <= 30 && !text.contains([',', '.', ';', ':', '/', '(']));
        let mut headlines = self.variants(group!("job_ad.frames.headline"), &[title]);
        headlines.extend(
            place.map(|place| self.frame(group!("job_ad.frames.headline_place"), &[title, ("place", place)])),
        );
        headlines
    }

    /// Intros with a sentence of the person come first; the plain ones are always there.
    fn intros(&self) -> Vec<(String, Told)> {
        let profile = self.material.profile;
        let title = ("title", self.title.in_sentence.as_str());
        let fits = |item: &&Item| {
            let one =
                words::sentences(&item.text, self.texts.language()) == 1 && words::is_sentence(&item.text);
            item.text.chars().count() <= INTRO_ITEM && one && !self.foreign
        };
        let mut intros = Vec::new();
        // The why must not be left empty by telling it here.
        let mission = profile.contribution_to_mission.as_ref().filter(|_| !profile.motivations.is_empty());
        let told = [(mission, Told::Mission), (profile.bu_description.as_ref(), Told::Unit)];
        for (item, told) in told {
            if let Some(item) = item.filter(fits) {
                intros.push((
                    self.frame(group!("job_ad.frames.intro_unit"), &[title, ("text", &item.text)]),
                    told,
                ));
            }
        }
        intros.extend(
            self.variants(group!("job_ad.frames.intro"), &[title])
                .into_iter()
                .map(|text| (text, Told::Nothing)),
        );
        // Only now: the title itself must not count as more than a part of a sentence.
        let language = self.texts.language();
        intros
            .retain(|(text, _)| words::sentences(&text.replace(&self.title.in_sentence, "X"), language) <= 2);
        intros
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
        } else if let Some(place) = self.material.place.as_ref().or(self.location())
            && text.contains(&place.text)
        {
            let source = if self.material.place.is_some() { "work_place" } else { "team_info.location" };
            section.rests_on(source, [place]);
        }
        section.say(text);
        section
    }

    /// What is to be known of the role: the unit. Challenges and measures are for the hiring team, not for the public.
    fn role(&mut self, section: &mut Section, told: Told) {
        let profile = self.material.profile;
        let unit = profile.bu_description.as_ref();
        match unit.filter(|item| told != Told::Unit && speaks(item) && !self.foreign) {
            Some(unit) => section.tell("bu_description", &[unit]),
            None => self.gap(key!("job_ad.gaps.role"), section),
        }
        self.leave_out("challenges", &spoken(&profile.challenges));
        self.leave_out("performance_measures", &spoken(&profile.performance_measures));
    }

    fn why(&self, section: &mut Section, told: Told) {
        let profile = self.material.profile;
        let motivations = spoken(&profile.motivations);
        let mission = profile.contribution_to_mission.as_ref();
        let mission =
            mission.filter(|item| (told != Told::Mission || motivations.is_empty()) && speaks(item));
        section.tell("contribution_to_mission", &Vec::from_iter(mission));
        section.tell("motivations", &motivations);
    }

    fn responsibilities(&mut self, section: &mut Section) {
        let tasks = spoken(&self.material.profile.primary_responsibilities);
        let (shown, rest) = tasks.split_at(tasks.len().min(MOST_TASKS));
        section.points = points(shown);
        section.rests_on("primary_responsibilities", shown.iter().copied());
        self.leave_out("primary_responsibilities", rest);
    }

    fn requirements(&mut self, section: &mut Section) {
        let profile = self.material.profile;
        section.points = profile.must_have_skills.iter().map(|item| item.text.clone()).collect();
        section.rests_on("must_have_skills", &profile.must_have_skills);
        let welcome = spoken(&profile.good_to_haves);
        let most = if self.foreign { 0 } else { welcome.len().min(MOST_WELCOME) };
        let (shown, rest) = welcome.split_at(most);
        if !shown.is_empty() {
            section
                .further
                .push(AdPoints { lead: self.lead(key!("job_ad.leads.welcome")), points: points(shown) });
            section.rests_on("good_to_haves", shown.iter().copied());
        }
        self.leave_out("good_to_haves", rest);
    }

    /// Whether words are adjectives nobody can tell for certain, so qualities are a list.
    fn person(&self, section: &mut Section) {
        let skills = spoken(&self.material.profile.soft_skills);
        if skills.iter().all(|item| words::is_sentence(&item.text)) {
            section.tell("soft_skills", &skills);
        } else {
            section.say(&self.lead(key!("job_ad.leads.person")));
            section.points = points(&skills);
            section.rests_on("soft_skills", skills);
        }
    }

    fn team(&mut self, section: &mut Section) {
        let (material, team) = (self.material, &self.material.profile.team_info);
        if let Some(size) = team.size.as_ref().filter(|size| size.people > 1) {
            section.say(
                &self.frame(group!("job_ad.frames.team_size"), &[("count", &self.texts.number(size.people))]),
            );
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
            if self.foreign || told.is_some() {
                self.leave_out(source, &[item]);
                continue;
            }
            match self.place_frame(&item.text).filter(|_| key == key!("job_ad.leads.team_place")) {
                Some(frame) => section.say(&self.frame(frame, &[("text", words::unstopped(&item.text))])),
                None if words::is_sentence(&item.text) => section.say(&item.text),
                None => {
                    let points = vec![item.text.clone()];
                    section.further.push(AdPoints { lead: self.lead(key), points });
                }
            }
            section.rests_on(source, [item]);
        }
        for fact in &material.facts {
            let stop = if fact.text.ends_with(['.', '!', '?']) { "" } else { "." };
            section.say(&format!("{}{stop}", fact.text));
        }
        section.rests_on("approved_company_facts", &material.facts);
        if section.text.is_empty() && section.further.is_empty() {
            self.gap(key!("job_ad.gaps.team"), section);
        }
        self.terms(section);
    }

    fn process(&self, section: &mut Section) {
        if self.material.steps.is_empty() {
            self.gap(key!("job_ad.gaps.process"), section);
        }
        section.points = self.material.steps.iter().map(|step| step.text.clone()).collect();
        section.rests_on("process_steps", &self.material.steps);
    }

    fn ending(&self, section: &mut Section) {
        let (material, texts) = (self.material, self.texts);
        match &material.apply_by {
            Some((date, evidence)) => {
                section.say(&self.frame(group!("job_ad.frames.call_by"), &[("date", &texts.date(*date))]));
                section.prove("apply_by", evidence);
            }
            None => section.say(&self.frame(group!("job_ad.frames.call"), &[])),
        }
        if let Some(contact) = &material.contact {
            section.say(&self.frame(group!("job_ad.frames.contact"), &[("contact", &contact.text)]));
            section.rests_on("contact", [contact]);
        }
        if self.input.accommodation_line.unwrap_or(true) {
            section.say(&self.frame(group!("job_ad.frames.accommodation"), &[]));
        }
        if self.input.equal_opportunity_line {
            section.say(&self.frame(group!("job_ad.frames.equal_opportunity"), &[]));
        }
        // The terms stand beside the team; where somebody wrote that section, they must not be lost.
        if self.input.written(SectionName::TeamAndWhyGc) {
            self.terms(section);
        }
    }

    /// Place, contract, agreement and pay.
    fn terms(&self, section: &mut Section) {
        let mut points = Vec::new();
        let agreement =
            self.material.profile.collective_agreement.as_ref().filter(|item| speaks(item) && !self.foreign);
        let facts = [
            ("work_place", key!("job_ad.facts.place"), self.material.place.as_ref()),
            ("contract_type", key!("job_ad.facts.contract"), self.material.contract.as_ref()),
            ("collective_agreement", key!("job_ad.facts.agreement"), agreement),
        ];
        for (source, key, item) in facts {
            let Some(item) = item else { continue };
            points.push(self.texts.say(key, &[("text", &item.text)]));
            section.rests_on(source, [item]);
        }
        if let Some(pay) = &self.material.pay {
            let text = crate::profile::written_pay(pay, self.texts, self.texts.language());
            points.push(self.texts.say(key!("job_ad.facts.pay"), &[("text", &text)]));
            section.prove("pay_range", &pay.evidence);
        }
        if !points.is_empty() {
            section
                .further
                .push(AdPoints { lead: self.texts.get(key!("job_ad.facts.lead")).to_owned(), points });
        }
    }

    fn location(&self) -> Option<&Item> {
        self.material.profile.team_info.location.as_ref().filter(|item| speaks(item) && !self.foreign)
    }

    fn leave_out(&mut self, field: &'static str, items: &[&Item]) {
        if !items.is_empty() {
            self.left_out.push((field, points(items)));
        }
    }
}

/// The items that say something, each once.
pub(super) fn spoken(items: &[Item]) -> Vec<&Item> {
    let mut seen = std::collections::BTreeSet::new();
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

/// Each text once, in order.
fn unique<T>(list: &mut Vec<T>, text: impl Fn(&T) -> &String) {
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|one| seen.insert(text(one).clone()));
}

/// The place in the list of the number somebody chose, which counts from one.
fn choose(field: &str, wish: Option<usize>, count: usize, own: &Texts, refusal: &mut Refusal) -> usize {
    let Some(number) = wish else { return 0 };
    if number == 0 || number > count {
        let values = [("number", &*number.to_string()), ("count", &*count.to_string())];
        refusal.say(field, own, key!("job_ad.refuse.choice"), &values);
        return 0;
    }
    number - 1
}
