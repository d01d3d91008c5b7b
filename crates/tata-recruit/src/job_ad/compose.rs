//! Composes the sections from the profile's own items: an honest skeleton.
//!
//! Only sentences whose grammar is certain are written: whole sentences of the person, and frames filled with a title, a
//! number, a place name or a date. Everything else is a list under a plain heading, or a marked gap.

use super::{
    AdPoints, JobAdInput, Section, SectionName, material::Material, stable_hash, title::Title, words,
};
use crate::{Evidence, Item, Refusal, Texts, wording};

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
    pub(super) choices: Choices,
    /// Items that did not fit in, by their field.
    pub(super) left_out: Vec<(&'static str, Vec<String>)>,
}

/// All headlines and intros, and which were chosen.
pub(super) struct Choices {
    pub(super) headlines: Vec<String>,
    pub(super) headline: usize,
    pub(super) intros: Vec<String>,
    pub(super) intro: usize,
}

impl Choices {
    /// The headlines that were not chosen.
    pub(super) fn other_headlines(&self) -> Vec<String> {
        without(&self.headlines, self.headline)
    }

    /// The intros that were not chosen.
    pub(super) fn other_intros(&self) -> Vec<String> {
        without(&self.intros, self.intro)
    }
}

impl Composed {
    /// One section.
    pub(super) fn section(&self, name: SectionName) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
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
    texts: &'a Texts,
    title: &'a Title,
    material: &'a Material<'a>,
    input: &'a JobAdInput,
    /// The profile is in another language than the ad: its free text stays out.
    foreign: bool,
    /// The section on team and company was handed over.
    team_written: bool,
}

/// A section being written.
#[derive(Default)]
struct Draft {
    sentences: Vec<String>,
    points: Vec<String>,
    further: Vec<AdPoints>,
    sources: Vec<&'static str>,
    evidence: Vec<Evidence>,
}

impl Draft {
    fn say(&mut self, sentence: String) {
        self.sentences.push(sentence);
    }

    /// Sentences of the person as prose, whatever else as points: only the grammar of whole sentences is certain.
    fn tell(&mut self, items: &[&Item]) {
        for item in items {
            if words::is_sentence(&item.text) {
                self.say(item.text.clone());
            } else {
                self.points.push(item.text.clone());
            }
        }
    }

    fn from<'i>(&mut self, source: &'static str, items: impl IntoIterator<Item = &'i Item>) {
        let before = self.evidence.len();
        self.evidence.extend(items.into_iter().map(|item| item.evidence.clone()));
        if self.evidence.len() > before && !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    fn section(self, name: SectionName) -> Section {
        let mut sources: Vec<String> = self.sources.into_iter().map(str::to_owned).collect();
        if sources.is_empty() {
            sources.push("standard_text".to_owned());
        }
        Section {
            name,
            // The ending says several things, each in a paragraph of its own.
            text: self.sentences.join(if name == SectionName::Ending { "\n" } else { " " }),
            points: self.points,
            further: self.further,
            sources,
            evidence: self.evidence,
        }
    }
}

impl<'a> Composer<'a> {
    pub(super) fn new(
        texts: &'a Texts,
        title: &'a Title,
        material: &'a Material<'a>,
        input: &'a JobAdInput,
        foreign: bool,
    ) -> Self {
        Self { texts, title, material, input, foreign, team_written: false }
    }

    /// All ten sections. Those that were handed over and verified stand as they are.
    pub(super) fn compose(mut self, written: &[Section], own: &Texts) -> Result<Composed, Refusal> {
        self.team_written = written.iter().any(|section| section.name == SectionName::TeamAndWhyGc);
        let handed = |name: SectionName| written.iter().find(|section| section.name == name);
        let mut headlines: Vec<String> =
            handed(SectionName::Headline).map(|section| section.text.clone()).into_iter().collect();
        headlines.extend(self.headlines());
        headlines.extend(self.input.alternative_headlines.iter().map(|text| crate::tidy(text)));
        let mut intros: Vec<(String, Told)> = handed(SectionName::Intro)
            .map(|section| (section.text.clone(), Told::Nothing))
            .into_iter()
            .collect();
        intros.extend(self.intros());
        let more = self.input.alternative_intros.iter().map(|text| (crate::tidy(text), Told::Nothing));
        intros.extend(more);
        unique(&mut headlines, |text| text);
        unique(&mut intros, |(text, _)| text);

        let mut refusal = Refusal::default();
        let headline =
            choose("choose_headline", self.input.choose_headline, headlines.len(), own, &mut refusal);
        let intro = choose("choose_intro", self.input.choose_intro, intros.len(), own, &mut refusal);
        refusal.or_ok()?;

        let told = intros.get(intro).map_or(Told::Nothing, |(_, told)| *told);
        let intros: Vec<String> = intros.into_iter().map(|(text, _)| text).collect();
        let mut left_out = Vec::new();
        let sections = SectionName::ALL
            .into_iter()
            .map(|name| {
                let headline = headlines.get(headline).filter(|_| name == SectionName::Headline);
                let intro = intros.get(intro).filter(|_| name == SectionName::Intro);
                match (handed(name), headline.or(intro)) {
                    (Some(section), None) => section.clone(),
                    (Some(section), Some(text)) if section.text == *text => section.clone(),
                    (_, Some(text)) => self.opening(name, text, told),
                    (None, None) => self.section(name, told, &mut left_out),
                }
            })
            .collect();
        Ok(Composed { sections, choices: Choices { headlines, headline, intros, intro }, left_out })
    }

    fn section(
        &self,
        name: SectionName,
        told: Told,
        left_out: &mut Vec<(&'static str, Vec<String>)>,
    ) -> Section {
        match name {
            // Both were chosen from their alternatives before.
            SectionName::Headline | SectionName::Intro => Draft::default().section(name),
            SectionName::RoleDescription => self.role(told, left_out),
            SectionName::TheWhy => self.why(told),
            SectionName::Responsibilities => self.responsibilities(left_out),
            SectionName::Requirements => self.requirements(left_out),
            SectionName::SoftSkillsParagraph => self.person(),
            SectionName::TeamAndWhyGc => self.team(left_out),
            SectionName::Process => self.process(),
            SectionName::Ending => self.ending(),
        }
    }

    /// Every variant of a frame, the one for this position first.
    fn variants(&self, key: &str, values: &[(&str, &str)]) -> Vec<String> {
        let mut variants: Vec<String> = VARIANTS
            .iter()
            .map(|variant| format!("job_ad.frames.{key}.{variant}"))
            .filter(|path| self.texts.has(path))
            .map(|path| mended(self.texts.say(&path, values)))
            .collect();
        let count = u64::try_from(variants.len()).unwrap_or(1).max(1);
        let first = stable_hash(&[self.title.written(), key]) % count;
        variants.rotate_left(usize::try_from(first).unwrap_or_default());
        variants
    }

    fn frame(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.variants(key, values).into_iter().next().unwrap_or_default()
    }

    /// A name fits into a sentence; whatever else is said about a place is a point of a list.
    fn place_frame(&self, place: &str) -> Option<&'static str> {
        let place = words::unstopped(place);
        wording::place_name(place).filter(|name| name == place)?;
        let on = self.texts.list("job_ad.on_places");
        Some(if on.iter().any(|known| known == place) { "team_on" } else { "team_in" })
    }

    /// The plain heading of a list.
    fn lead(&self, key: &str) -> String {
        self.texts.get(&format!("job_ad.leads.{key}")).to_owned()
    }

    /// What the recruiter still has to write, marked so that nobody overlooks it.
    fn gap(&self, key: &str, draft: &mut Draft) {
        draft.say(self.texts.get(&format!("job_ad.gaps.{key}")).to_owned());
        draft.sources.push("gap");
    }

    fn headlines(&self) -> Vec<String> {
        let title = ("title", self.title.shown());
        let place = self.material.place.as_ref().or(self.location());
        let place = place
            .map(|item| item.text.as_str())
            .filter(|text| text.chars().count() <= 30 && !text.contains([',', '.', ';', ':', '/', '(']));
        let mut headlines = self.variants("headline", &[title]);
        headlines.extend(place.map(|place| self.frame("headline_place", &[title, ("place", place)])));
        headlines
    }

    /// Intros with a sentence of the person come first; the plain ones are always there.
    fn intros(&self) -> Vec<(String, Told)> {
        let profile = self.material.profile;
        let title = ("title", self.title.in_sentence());
        let fits = |item: &&Item| {
            let one = words::sentences(&item.text) == 1 && words::is_sentence(&item.text);
            item.text.chars().count() <= INTRO_ITEM && one && !self.foreign
        };
        let mut intros = Vec::new();
        // The why must not be left empty by telling it here.
        let mission = profile.contribution_to_mission.as_ref().filter(|_| !profile.motivations.is_empty());
        let told = [(mission, Told::Mission), (profile.bu_description.as_ref(), Told::Unit)];
        for (item, told) in told {
            if let Some(item) = item.filter(fits) {
                intros.push((self.frame("intro_unit", &[title, ("text", &item.text)]), told));
            }
        }
        intros.extend(self.variants("intro", &[title]).into_iter().map(|text| (text, Told::Nothing)));
        // Only now: the title itself must not count as more than a part of a sentence.
        let title = self.title.in_sentence();
        intros.retain(|(text, _)| words::sentences(&text.replace(title, "X")) <= 2);
        intros
    }

    fn opening(&self, name: SectionName, text: &str, told: Told) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft { sources: vec!["position_title"], ..Draft::default() };
        if name == SectionName::Intro {
            match told {
                Told::Mission => draft.from("contribution_to_mission", &profile.contribution_to_mission),
                Told::Unit => draft.from("bu_description", &profile.bu_description),
                Told::Nothing => {}
            }
        } else if let Some(place) = self.material.place.as_ref().or(self.location())
            && text.contains(&place.text)
        {
            let source = if self.material.place.is_some() { "work_place" } else { "team_info.location" };
            draft.from(source, [place]);
        }
        draft.say(text.to_owned());
        draft.section(name)
    }

    /// What is to be known of the role: the unit. Challenges and measures are for the hiring team, not for the public.
    fn role(&self, told: Told, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft::default();
        let unit = profile.bu_description.as_ref().filter(|item| told != Told::Unit && speaks(item));
        if let Some(unit) = unit.filter(|_| !self.foreign) {
            draft.tell(&[unit]);
            draft.from("bu_description", [unit]);
        } else {
            self.gap("role", &mut draft);
        }
        for (field, items) in
            [("challenges", &profile.challenges), ("performance_measures", &profile.performance_measures)]
        {
            leave_out(left_out, field, &spoken(items));
        }
        draft.section(SectionName::RoleDescription)
    }

    fn why(&self, told: Told) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft::default();
        let motivations = spoken(&profile.motivations);
        let mission = profile.contribution_to_mission.as_ref();
        let mission =
            mission.filter(|item| (told != Told::Mission || motivations.is_empty()) && speaks(item));
        if let Some(mission) = mission {
            draft.tell(&[mission]);
            draft.from("contribution_to_mission", [mission]);
        }
        draft.tell(&motivations);
        draft.from("motivations", motivations);
        draft.section(SectionName::TheWhy)
    }

    fn responsibilities(&self, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let mut draft = Draft::default();
        let tasks = tasks(self.material.profile);
        let (shown, rest) = tasks.split_at(tasks.len().min(MOST_TASKS));
        draft.points = points(shown);
        draft.from("primary_responsibilities", shown.iter().copied());
        leave_out(left_out, "primary_responsibilities", rest);
        draft.section(SectionName::Responsibilities)
    }

    fn requirements(&self, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let profile = self.material.profile;
        let must_haves = profile.must_have_skills.iter().map(|item| item.text.clone()).collect();
        let mut draft = Draft { points: must_haves, ..Draft::default() };
        draft.from("must_have_skills", &profile.must_have_skills);
        let welcome = spoken(&profile.good_to_haves);
        let most = if self.foreign { 0 } else { welcome.len().min(MOST_WELCOME) };
        let (shown, rest) = welcome.split_at(most);
        if !shown.is_empty() {
            draft.further.push(AdPoints { lead: self.lead("welcome"), points: points(shown) });
            draft.from("good_to_haves", shown.iter().copied());
        }
        leave_out(left_out, "good_to_haves", rest);
        draft.section(SectionName::Requirements)
    }

    /// Whether words are adjectives nobody can tell for certain, so qualities are a list.
    fn person(&self) -> Section {
        let mut draft = Draft::default();
        let skills = spoken(&self.material.profile.soft_skills);
        if skills.iter().all(|item| words::is_sentence(&item.text)) {
            draft.tell(&skills);
        } else {
            draft.say(self.lead("person"));
            draft.points = points(&skills);
        }
        draft.from("soft_skills", skills);
        draft.section(SectionName::SoftSkillsParagraph)
    }

    fn team(&self, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let team = &self.material.profile.team_info;
        let mut draft = Draft::default();
        if let Some(size) = team.size.as_ref().filter(|size| size.people > 1) {
            draft.say(self.frame("team_size", &[("count", &self.texts.number(size.people))]));
            draft.sources.push("team_info.size");
            draft.evidence.push(size.evidence.clone());
        }
        for (source, key, item) in [
            ("team_info.location", "team_place", &team.location),
            ("team_info.collaboration_style", "team_style", &team.collaboration_style),
        ] {
            let Some(item) = item.as_ref().filter(|item| speaks(item)) else { continue };
            // What the recruiter says about the place of work stands at the end; two places would contradict.
            let told = source == "team_info.location" && self.material.place.is_some();
            let within = |place: &Item| place.text.to_lowercase().contains(&item.text.to_lowercase());
            if told && self.material.place.as_ref().is_some_and(within) {
                continue;
            }
            if self.foreign || told {
                leave_out(left_out, source, &[item]);
            } else {
                match self.place_frame(&item.text).filter(|_| key == "team_place") {
                    Some(frame) => draft.say(self.frame(frame, &[("text", words::unstopped(&item.text))])),
                    None if words::is_sentence(&item.text) => draft.say(item.text.clone()),
                    None => {
                        let points = vec![item.text.clone()];
                        draft.further.push(AdPoints { lead: self.lead(key), points });
                    }
                }
                draft.from(source, [item]);
            }
        }
        for fact in &self.material.facts {
            draft.say(if fact.text.ends_with(['.', '!', '?']) {
                fact.text.clone()
            } else {
                format!("{}.", fact.text)
            });
        }
        draft.from("approved_company_facts", &self.material.facts);
        if draft.sentences.is_empty() && draft.further.is_empty() {
            self.gap("team", &mut draft);
        }
        self.terms(&mut draft);
        draft.section(SectionName::TeamAndWhyGc)
    }

    fn process(&self) -> Section {
        let mut draft = Draft::default();
        if self.material.steps.is_empty() {
            self.gap("process", &mut draft);
        } else {
            draft.points = self.material.steps.iter().map(|step| step.text.clone()).collect();
            draft.from("process_steps", &self.material.steps);
        }
        draft.section(SectionName::Process)
    }

    fn ending(&self) -> Section {
        let (material, texts) = (self.material, self.texts);
        let mut draft = Draft::default();
        match &material.apply_by {
            Some((date, evidence)) => {
                draft.say(self.frame("call_by", &[("date", &texts.date(*date))]));
                draft.sources.push("apply_by");
                draft.evidence.push(evidence.clone());
            }
            None => draft.say(self.frame("call", &[])),
        }
        if let Some(contact) = &material.contact {
            draft.say(self.frame("contact", &[("contact", &contact.text)]));
            draft.from("contact", [contact]);
        }
        if self.input.accommodation_line.unwrap_or(true) {
            draft.say(self.frame("accommodation", &[]));
        }
        if self.input.equal_opportunity_line {
            draft.say(self.frame("equal_opportunity", &[]));
        }
        // The terms stand beside the team; where somebody wrote that section, they must not be lost.
        if self.team_written {
            self.terms(&mut draft);
        }
        draft.section(SectionName::Ending)
    }

    /// Place, contract, agreement and pay.
    fn terms(&self, draft: &mut Draft) {
        let mut points = Vec::new();
        let agreement =
            self.material.profile.collective_agreement.as_ref().filter(|item| speaks(item) && !self.foreign);
        let facts = [
            ("work_place", "place", self.material.place.as_ref()),
            ("contract_type", "contract", self.material.contract.as_ref()),
            ("collective_agreement", "agreement", agreement),
        ];
        for (source, key, item) in facts {
            let Some(item) = item else { continue };
            points.push(self.texts.say(&format!("job_ad.facts.{key}"), &[("text", &item.text)]));
            draft.from(source, [item]);
        }
        if let Some(pay) = &self.material.pay {
            let text = crate::profile::written_pay(pay, self.texts, self.texts.language());
            points.push(self.texts.say("job_ad.facts.pay", &[("text", &text)]));
            draft.sources.push("pay_range");
            draft.evidence.push(pay.evidence.clone());
        }
        if !points.is_empty() {
            draft.further.push(AdPoints { lead: self.texts.get("job_ad.facts.lead").to_owned(), points });
        }
    }

    fn location(&self) -> Option<&Item> {
        self.material.profile.team_info.location.as_ref().filter(|item| speaks(item) && !self.foreign)
    }
}

/// The responsibilities, each once.
pub(super) fn tasks(profile: &crate::Profile) -> Vec<&Item> {
    spoken(&profile.primary_responsibilities)
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

fn leave_out(left_out: &mut Vec<(&'static str, Vec<String>)>, field: &'static str, items: &[&Item]) {
    if !items.is_empty() {
        left_out.push((field, points(items)));
    }
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

fn without(list: &[String], at: usize) -> Vec<String> {
    list.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, text)| text.clone()).collect()
}

/// The place in the list of the number somebody chose, which counts from one.
fn choose(field: &str, wish: Option<usize>, count: usize, own: &Texts, refusal: &mut Refusal) -> usize {
    let Some(number) = wish else { return 0 };
    if number == 0 || number > count {
        let values = [("number", &*number.to_string()), ("count", &*count.to_string())];
        refusal.say(field, own, "job_ad.refuse.choice", &values);
        return 0;
    }
    number - 1
}
