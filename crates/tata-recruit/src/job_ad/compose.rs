//! Composes the sections from the profile's own items, inside frames that fit any phrase.

use super::{
    AdPoints, JobAdInput, Section, SectionName, material::Material, stable_hash, title::Title, words,
};
use crate::{
    Evidence, Item, Refusal, Texts,
    document::{listed, lowered},
    headhunting,
};

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
                let chosen = match name {
                    SectionName::Headline => headlines.get(headline),
                    SectionName::Intro => intros.get(intro),
                    SectionName::RoleDescription
                    | SectionName::TheWhy
                    | SectionName::Responsibilities
                    | SectionName::Requirements
                    | SectionName::SoftSkillsParagraph
                    | SectionName::TeamAndWhyGc
                    | SectionName::Process
                    | SectionName::Ending => None,
                };
                match (handed(name), chosen) {
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
            SectionName::RoleDescription => self.role(told),
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

    /// A name fits into a sentence; whatever else is said about a place stands after a colon.
    fn place_frame(&self, place: &str) -> &'static str {
        let place = words::unstopped(place);
        let is_name = headhunting::place_name(place).is_some_and(|name| name == place);
        let on = self.texts.list("job_ad.on_places");
        match is_name {
            true if on.iter().any(|known| known == place) => "team_on",
            true => "team_in",
            false => "team_place",
        }
    }

    /// A sentence of its own as it is, a phrase inside its frame.
    fn statement(&self, key: &str, text: &str) -> String {
        if words::is_sentence(text) {
            text.to_owned()
        } else {
            self.frame(key, &[("text", words::unstopped(text))])
        }
    }

    /// What leads to points: a frame that ends with its value, without it.
    fn lead(&self, key: &str) -> String {
        self.frame(key, &[("text", "")]).trim_end_matches(['.', ' ']).to_owned()
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

    /// Intros that tell something of the role come first; the plain ones are always there.
    fn intros(&self) -> Vec<(String, Told)> {
        let profile = self.material.profile;
        let title = ("title", self.title.in_sentence());
        let fits = |item: &&Item| {
            item.text.chars().count() <= INTRO_ITEM && words::sentences(&item.text) == 1 && !self.foreign
        };
        let mut intros = Vec::new();
        let mission = profile.contribution_to_mission.as_ref().filter(fits);
        // The why must not be left empty by telling it here.
        if let Some(mission) =
            mission.filter(|item| !profile.motivations.is_empty() && !words::is_sentence(&item.text))
        {
            let text = ("text", words::unstopped(&mission.text));
            intros.push((self.frame("intro_mission", &[title, text]), Told::Mission));
        }
        let unit = profile.bu_description.as_ref().filter(fits);
        if let Some(unit) = unit.filter(|item| words::is_sentence(&item.text)) {
            intros.push((self.frame("intro_unit", &[title, ("text", &unit.text)]), Told::Unit));
        }
        if stable_hash(&[self.title.written(), "intro"]).is_multiple_of(2) {
            intros.reverse();
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

    /// A statement as it stands inside a sentence.
    fn lowered(&self, text: &str) -> String {
        lowered(words::unstopped(text), self.language())
    }

    /// Items as the phrases of one sentence, if they can be. Several that begin with a capital letter are points of a
    /// list by nature.
    fn in_a_sentence(&self, items: &[&Item]) -> Option<Vec<String>> {
        let capital = items.iter().any(|item| item.text.starts_with(char::is_uppercase));
        (items.len() == 1 || !capital).then(|| items.iter().map(|item| self.lowered(&item.text)).collect())
    }

    fn role(&self, told: Told) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft { sources: vec!["position_title"], ..Draft::default() };
        let title = ("title", self.title.in_sentence());
        let unit = profile.bu_description.as_ref().filter(|_| told != Told::Unit);
        let more = !profile.challenges.is_empty() || !profile.performance_measures.is_empty();
        // A unit says enough about the role; the tasks stand in their own section.
        let tasks = if unit.is_some() { Vec::new() } else { tasks(profile) };
        match tasks.as_slice() {
            [first, second, ..] if !more && self.in_a_sentence(&[first, second]).is_some() => {
                let (one, two) = (self.lowered(&first.text), self.lowered(&second.text));
                let values = [title, ("first", &*one), ("second", &*two)];
                draft.say(self.frame("role_tasks", &values));
                draft.from("primary_responsibilities", [*first, *second]);
            }
            [first, ..] => {
                draft.say(self.frame("role_task", &[title, ("text", &self.lowered(&first.text))]));
                draft.from("primary_responsibilities", [*first]);
            }
            [] => {}
        }
        if let Some(unit) = unit {
            draft.say(self.statement("role_unit", &unit.text));
            draft.from("bu_description", [unit]);
        }
        for (source, key, items) in [
            ("challenges", "role_challenge", &profile.challenges),
            ("performance_measures", "role_measure", &profile.performance_measures),
        ] {
            let items: Vec<&Item> = spoken(items);
            if !items.is_empty() {
                // These are clauses more often than words.
                match self.in_a_sentence(&items) {
                    Some(clauses) => draft.say(self.frame(key, &[("text", &clauses.join("; "))])),
                    None => draft.further.push(AdPoints { lead: self.lead(key), points: points(&items) }),
                }
                draft.from(source, items);
            }
        }
        draft.section(SectionName::RoleDescription)
    }

    fn why(&self, told: Told) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft::default();
        let motivations = spoken(&profile.motivations);
        if let Some(mission) = &profile.contribution_to_mission
            && (told != Told::Mission || motivations.is_empty())
            && speaks(mission)
        {
            draft.say(self.statement("why_mission", &mission.text));
            draft.from("contribution_to_mission", [mission]);
        }
        match motivations.as_slice() {
            [] => {}
            [only] => draft.say(self.statement("why_one", &only.text)),
            several => {
                let points = points(several);
                let lead = self.frame("why_many", &[]);
                if draft.sentences.is_empty() {
                    draft.say(lead);
                    draft.points = points;
                } else {
                    draft.further.push(AdPoints { lead, points });
                }
            }
        }
        draft.from("motivations", motivations);
        draft.section(SectionName::TheWhy)
    }

    fn responsibilities(&self, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let mut draft = Draft::default();
        let tasks = tasks(self.material.profile);
        let (shown, rest) = tasks.split_at(tasks.len().min(MOST_TASKS));
        draft.say(self.frame("tasks", &[("title", self.title.in_sentence())]));
        draft.points = points(shown);
        draft.from("primary_responsibilities", shown.iter().copied());
        leave_out(left_out, "primary_responsibilities", rest);
        draft.section(SectionName::Responsibilities)
    }

    fn requirements(&self, left_out: &mut Vec<(&'static str, Vec<String>)>) -> Section {
        let profile = self.material.profile;
        let mut draft = Draft::default();
        draft.say(self.frame("requirements", &[]));
        draft.points = profile.must_have_skills.iter().map(|item| item.text.clone()).collect();
        draft.from("must_have_skills", &profile.must_have_skills);
        let welcome = spoken(&profile.good_to_haves);
        let most = if self.foreign { 0 } else { welcome.len().min(MOST_WELCOME) };
        let (shown, rest) = welcome.split_at(most);
        if !shown.is_empty() {
            draft.further.push(AdPoints { lead: self.frame("welcome", &[]), points: points(shown) });
            draft.from("good_to_haves", shown.iter().copied());
        }
        leave_out(left_out, "good_to_haves", rest);
        draft.section(SectionName::Requirements)
    }

    fn person(&self) -> Section {
        let mut draft = Draft::default();
        let skills = spoken(&self.material.profile.soft_skills);
        if let Some(phrases) = self.in_a_sentence(&skills) {
            let phrases: Vec<&str> = phrases.iter().map(String::as_str).collect();
            draft.say(self.frame("person", &[("text", &listed(&phrases, self.texts))]));
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
            if told && self.material.place.as_ref().is_some_and(|place| crate::same(&place.text, &item.text))
            {
                continue;
            }
            if self.foreign || told {
                leave_out(left_out, source, &[item]);
            } else {
                let key = if key == "team_place" { self.place_frame(&item.text) } else { key };
                draft.say(self.statement(key, &item.text));
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
        if draft.sentences.is_empty() {
            draft.say(self.frame("team_unknown", &[]));
        }
        self.terms(&mut draft);
        draft.section(SectionName::TeamAndWhyGc)
    }

    fn process(&self) -> Section {
        let mut draft = Draft::default();
        if self.material.steps.is_empty() {
            draft.say(self.frame("process_unknown", &[]));
        } else {
            draft.say(self.frame("process", &[]));
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
            let text = crate::profile::written_pay(pay, self.texts, self.language());
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

    fn language(&self) -> crate::Language {
        crate::Language::find(self.texts.get("job_ad.language")).unwrap_or_default()
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
        left_out.push((field, items.iter().map(|item| item.text.clone()).collect()));
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
        let (number, count) = (number.to_string(), count.to_string());
        let values = [("number", number.as_str()), ("count", count.as_str())];
        let way_out = own.say("job_ad.refuse.choice_way_out", &values);
        refusal.add(field, own.say("job_ad.refuse.choice", &values), way_out);
        return 0;
    }
    number - 1
}
