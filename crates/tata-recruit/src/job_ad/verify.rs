//! Sections that were handed over: each claim must rest on a source, each limit must hold.

use std::collections::BTreeSet;
use tata_language::identify::{Identified, identify};

use super::{
    Section, SectionName, WrittenSection, compose::FEWEST_TASKS, compose::MOST_TASKS, material::Material,
    words,
};
use crate::{
    Evidence, Gate, Key, Notice, Project, Refusal, Texts, Tracer, Unproven,
    clip::clipped,
    prose::{NAME, any_claim},
    tidy,
};

/// The least share of common words between the tasks of an ad and its profile, in percent.
const SHARED_WORDS: usize = 30;

/// What was handed over, and what it is checked against.
pub(super) struct Written<'a> {
    pub(super) material: &'a Material<'a>,
    pub(super) gate: &'a Gate<'a>,
    pub(super) project: &'a Project,
    pub(super) texts: &'a Texts,
    /// What is wrong.
    pub(super) refusal: &'a mut Refusal,
    pub(super) notices: &'a mut Vec<Notice>,
}

/// A field of the input, and the section it is about.
type Place<'a> = (&'a str, SectionName);

impl<'a> Written<'a> {
    /// The sections that were handed over, with their evidence, and what in them is not proven.
    pub(super) fn verify(mut self) -> (Vec<Section>, Vec<Unproven>) {
        let (input, known) = (self.material.input, self.known());
        let mut unproven = Vec::new();
        let tracer = Tracer::new(&self.material.sources);
        let mut sections: Vec<Section> = Vec::new();
        for written in &input.sections {
            let field = format!("sections.{}", written.name.name());
            let place = (field.as_str(), written.name);
            if sections.iter().any(|one| one.name == written.name) {
                self.refuse(place, key!("job_ad.section.twice"), &[]);
                continue;
            }
            let section = self.section(written, place, &tracer);
            section.texts().for_each(|text| self.prove(place, text, &known, &mut unproven));
            sections.push(section);
        }
        for (name, others) in [
            (SectionName::Headline, &input.alternative_headlines),
            (SectionName::Intro, &input.alternative_intros),
        ] {
            for (at, text) in others.iter().enumerate() {
                let (field, text) = (format!("alternative_{}s[{at}]", name.name()), tidy(text));
                let place = (field.as_str(), name);
                if name == SectionName::Headline {
                    self.headline(place, &text);
                } else {
                    self.intro(place, &text);
                }
                self.words(place, &text);
                self.prove(place, &text, &known, &mut unproven);
            }
        }
        (sections, unproven)
    }

    fn section(&mut self, written: &WrittenSection, place: Place<'_>, tracer: &Tracer<'_>) -> Section {
        let (field, name) = place;
        let one_line = matches!(name, SectionName::Headline | SectionName::Intro);
        let text = if one_line { tidy(&written.text) } else { written.text.trim().to_owned() };
        let points = written.points.iter().map(|point| tidy(point)).filter(|point| !point.is_empty());
        let (points, evidence) = (points.collect(), self.evidence(written, place, tracer));
        let sources = vec!["written".to_owned()];
        let mut section = Section { name, text, points, further: Vec::new(), sources, evidence };
        self.limits(&section, place);
        self.words(place, &section.texts().collect::<Vec<_>>().join("\n"));
        if self.material.foreign.is_some() && !section.evidence.is_empty() {
            section.sources.push("translated".to_owned());
            let shown = [("section", name.display(self.texts))];
            self.notices.push(Notice::say(field, self.texts, key!("job_ad.notice.translated"), &shown));
        } else if name == SectionName::Responsibilities {
            let notice = self.shared(&section.points, field);
            self.notices.extend(notice);
        }
        for one in &section.evidence {
            let source = one.source.name();
            if !section.sources.iter().any(|known| known == source) {
                section.sources.push(source.to_owned());
            }
        }
        section
    }

    /// Every quotation must stand in a source, and a section that claims something must have one.
    fn evidence(&mut self, written: &WrittenSection, place: Place<'_>, tracer: &Tracer<'_>) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        for quotation in &written.evidence {
            if let Some(found) = tracer.find(&quotation.quote, quotation.source) {
                evidence.push(found);
            } else {
                let quote = clipped(&tidy(&quotation.quote), 160);
                self.refuse(place, key!("job_ad.section.quote"), &[("text", &quote)]);
            }
        }
        // Greetings and calls to apply claim nothing.
        let claims =
            !matches!(written.name, SectionName::Headline | SectionName::Intro | SectionName::Ending);
        if claims && written.evidence.is_empty() {
            self.refuse(place, key!("job_ad.section.no_quote"), &[]);
        }
        evidence
    }

    fn limits(&mut self, section: &Section, place: Place<'_>) {
        let Section { text, points, evidence, .. } = section;
        if text.is_empty() && points.is_empty() {
            return self.refuse(place, key!("job_ad.section.empty"), &[]);
        }
        match section.name {
            SectionName::Headline | SectionName::Intro if !points.is_empty() => {
                self.refuse(place, key!("job_ad.section.no_points"), &[]);
            }
            SectionName::Headline => self.headline(place, text),
            SectionName::Intro => self.intro(place, text),
            SectionName::Responsibilities => {
                if !(FEWEST_TASKS..=MOST_TASKS).contains(&points.len()) {
                    let count = [("count", &*points.len().to_string())];
                    self.refuse(place, key!("job_ad.section.points"), &count);
                }
                self.quote_each(place, points.len(), evidence.len());
            }
            SectionName::Requirements => self.requirements(section, place),
            SectionName::SoftSkillsParagraph if text.is_empty() => {
                self.refuse(place, key!("job_ad.section.prose"), &[]);
            }
            SectionName::RoleDescription
            | SectionName::TheWhy
            | SectionName::SoftSkillsParagraph
            | SectionName::TeamAndWhyGc
            | SectionName::Process
            | SectionName::Ending => {}
        }
    }

    /// The must-haves word for word; every other point needs a quotation of its own.
    fn requirements(&mut self, section: &Section, place: Place<'_>) {
        let Section { text, points, evidence, .. } = section;
        let skills: Vec<&str> =
            self.material.profile.must_have_skills.iter().map(|item| item.text.as_str()).collect();
        for skill in &skills {
            if !text.contains(skill) && !points.iter().any(|point| point.contains(skill)) {
                self.refuse(place, key!("job_ad.section.must_have"), &[("text", &clipped(skill, 200))]);
            }
        }
        let more = points.iter().filter(|point| !skills.iter().any(|skill| point.contains(skill)));
        let quotes = evidence.iter().filter(|one| !skills.iter().any(|skill| crate::same(skill, &one.quote)));
        self.quote_each(place, more.count(), quotes.count());
    }

    fn quote_each(&mut self, place: Place<'_>, points: usize, quotes: usize) {
        if quotes < points {
            let values = [("count", &*points.to_string()), ("quotes", &*quotes.to_string())];
            self.refuse(place, key!("job_ad.section.quote_each"), &values);
        }
    }

    fn headline(&mut self, place: Place<'_>, text: &str) {
        if !text.contains(&self.material.title.shown) {
            self.refuse(place, key!("job_ad.section.no_title"), &[("title", &self.material.title.shown)]);
        }
    }

    fn intro(&mut self, place: Place<'_>, text: &str) {
        match words::sentences(&text.replace(&self.material.title.shown, "X"), self.gate.voice.language()) {
            0 => self.refuse(place, key!("job_ad.section.empty"), &[]),
            1 | 2 => {}
            count => self.refuse(place, key!("job_ad.section.sentences"), &[("count", &count.to_string())]),
        }
    }

    /// Every sentence must stand in what people brought. What does not is sent back once, and marked after that.
    fn prove(&mut self, place: Place<'_>, text: &str, known: &[(&str, &str)], marked: &mut Vec<Unproven>) {
        // What must be there word for word is proven.
        if self.material.profile.must_have_skills.iter().any(|skill| skill.text == text) {
            return;
        }
        let found =
            self.project.judge.unproven(self.gate.voice.language(), place.1.name(), text, known, any_claim);
        if self.project.tried > 0 {
            marked.extend(found);
            return;
        }
        for one in found {
            let reason = one.why(self.texts);
            let words = clipped(&one.words, 120);
            self.refuse(place, key!("job_ad.section.unproven"), &[("text", &words), ("reason", reason)]);
        }
    }

    /// Language, and the rules of the gate.
    fn words(&mut self, place: Place<'_>, text: &str) {
        // What must be there word for word is fine whatever it contains.
        let mut free = text.replace(&self.material.title.shown, " ");
        for skill in self.material.profile.must_have_skills.iter().filter(|skill| !skill.text.is_empty()) {
            free = free.replace(&skill.text, " ");
        }
        let wanted = self.gate.voice.language();
        let other = |found: &Identified| found.language != wanted && found.confidence >= 0.6;
        if let Some(found) = identify(&free).filter(other) {
            let [found, wanted] = [found.language, wanted].map(|language| self.texts.language_name(language));
            self.refuse(place, key!("job_ad.section.language"), &[("found", found), ("wanted", wanted)]);
        }
        if let Some(problem) = self.problem(text) {
            self.refuse(place, key!("job_ad.section.gate"), &[("problem", &problem)]);
        }
    }

    /// What the gate has against a text, in the recruiter's language.
    pub(super) fn problem(&self, text: &str) -> Option<String> {
        let finding = self.gate.errors(text).next()?;
        let key = group!("project.gate").key(finding.rule.name());
        let problem = self.texts.say(key, &[("excerpt", &finding.excerpt)]);
        let better = |better| self.texts.say(key!("project.gate.better"), &[("suggestion", better)]);
        Some(match finding.suggestion.as_deref().map(better) {
            Some(better) => format!("{problem} {better}"),
            None => problem,
        })
    }

    /// What the sources say, and what the company is called.
    fn known(&self) -> Vec<(&'a str, &'a str)> {
        let sources = self.material.sources.iter().map(|(source, text)| (source.name(), text));
        let titles = [&*self.material.title.shown, &*self.material.title.written, "GlobalConnect"]
            .map(|text| (NAME, text));
        sources.chain(titles).collect()
    }

    /// Says so when the tasks have little in common with the profile.
    fn shared(&self, points: &[String], field: &str) -> Option<Notice> {
        let written = words::long_words(&points.join("\n"), 4);
        let profile: BTreeSet<String> =
            self.material.profile.items().flat_map(|item| words::long_words(&item.text, 4)).collect();
        let common = written.intersection(&profile).count();
        let percent = (common * 100).checked_div(written.len())?;
        let shared = [("percent", &*percent.to_string())];
        (percent < SHARED_WORDS)
            .then(|| Notice::say(field, self.texts, key!("job_ad.notice.vocabulary"), &shared))
    }

    fn refuse(&mut self, (field, name): Place<'_>, key: Key, values: &[(&str, &str)]) {
        let values = [values, &[("section", name.display(self.texts))]].concat();
        self.refusal.say(field, self.texts, key, &values);
    }
}
