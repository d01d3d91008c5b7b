//! Sections that were handed over: each claim must rest on a source, each limit must hold.

use std::collections::BTreeSet;

use super::{
    JobAdInput, Section, SectionName, WrittenSection, compose::FEWEST_TASKS, compose::MOST_TASKS,
    material::Material, title::Title, words,
};
use crate::{
    Evidence, Finding, Gate, Language, Level, Notice, Refusal, Rule, Texts, Tracer, Unproven,
    clip::clipped,
    identify,
    prose::{Judge, NAME, any_claim},
    tidy,
};

/// The least share of common words between the tasks of an ad and its profile, in percent.
const SHARED_WORDS: usize = 30;

/// What was handed over, and what it is checked against.
pub(super) struct Written<'a> {
    pub(super) input: &'a JobAdInput,
    pub(super) material: &'a Material<'a>,
    pub(super) title: &'a Title,
    pub(super) gate: &'a Gate<'a>,
    /// The language of the profile, where it is not that of the ad.
    pub(super) foreign: Option<Language>,
    /// How often these texts were sent back in this turn: what is not proven is sent back once, then it is marked.
    pub(super) tried: usize,
    pub(super) judge: &'a Judge,
    pub(super) texts: &'a Texts,
}

impl Written<'_> {
    /// The sections that were handed over, with their evidence. What is wrong goes into the refusal, by section.
    pub(super) fn verify(
        &self,
        refusal: &mut Refusal,
        notices: &mut Vec<Notice>,
    ) -> (Vec<Section>, Vec<Unproven>) {
        let input = self.input;
        if input.sections.is_empty()
            && input.alternative_headlines.is_empty()
            && input.alternative_intros.is_empty()
        {
            return (Vec::new(), Vec::new());
        }
        let known = self.known();
        let mut unproven = Vec::new();
        let tracer = Tracer::new(&self.material.sources);
        let mut sections: Vec<Section> = Vec::new();
        for section in &input.sections {
            let field = format!("sections.{}", section.name.name());
            if sections.iter().any(|one| one.name == section.name) {
                self.refuse(refusal, &field, "twice", &[]);
                continue;
            }
            let section = self.section(section, &field, &tracer, refusal, notices);
            let name = section.name.name();
            for text in section.texts() {
                self.proven(&field, name, text, &known, refusal, &mut unproven);
            }
            sections.push(section);
        }
        for (name, others) in
            [("headline", &input.alternative_headlines), ("intro", &input.alternative_intros)]
        {
            for (at, text) in others.iter().enumerate() {
                let (field, text) = (format!("alternative_{name}s[{at}]"), tidy(text));
                if name == "headline" {
                    self.headline(&field, &text, refusal);
                } else {
                    self.intro(&field, &text, refusal);
                }
                self.words(&field, &text, refusal);
                self.proven(&field, name, &text, &known, refusal, &mut unproven);
            }
        }
        (sections, unproven)
    }

    fn section(
        &self,
        written: &WrittenSection,
        field: &str,
        tracer: &Tracer<'_>,
        refusal: &mut Refusal,
        notices: &mut Vec<Notice>,
    ) -> Section {
        let one_line = matches!(written.name, SectionName::Headline | SectionName::Intro);
        let text = if one_line { tidy(&written.text) } else { written.text.trim().to_owned() };
        let points: Vec<String> =
            written.points.iter().map(|point| tidy(point)).filter(|point| !point.is_empty()).collect();
        let evidence = self.evidence(written, field, tracer, refusal);
        self.limits(written.name, &text, &points, &evidence, field, refusal);
        let whole = std::iter::once(&text).chain(&points).map(String::as_str).collect::<Vec<_>>().join("\n");
        self.words(field, &whole, refusal);

        let name = written.name.display(self.texts);
        let mut sources = vec!["written".to_owned()];
        if self.foreign.is_some() && !evidence.is_empty() {
            sources.push("translated".to_owned());
            notices.push(Notice::say(field, self.texts, "job_ad.notice.translated", &[("section", name)]));
        } else if written.name == SectionName::Responsibilities {
            notices.extend(self.shared(&points, field));
        }
        for one in &evidence {
            let source = one.source.name().to_owned();
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        Section { name: written.name, text, points, further: Vec::new(), sources, evidence }
    }

    /// Every quotation must stand in a source, and a section that claims something must have one.
    fn evidence(
        &self,
        written: &WrittenSection,
        field: &str,
        tracer: &Tracer<'_>,
        refusal: &mut Refusal,
    ) -> Vec<Evidence> {
        let mut evidence = Vec::new();
        for quotation in &written.evidence {
            if let Some(found) = tracer.find(&quotation.quote, quotation.source) {
                evidence.push(found);
            } else {
                let quote = clipped(&tidy(&quotation.quote), 160);
                self.refuse(refusal, field, "quote", &[("text", &quote)]);
            }
        }
        // Greetings and calls to apply claim nothing.
        let claims =
            !matches!(written.name, SectionName::Headline | SectionName::Intro | SectionName::Ending);
        if claims && written.evidence.is_empty() {
            self.refuse(refusal, field, "no_quote", &[]);
        }
        evidence
    }

    fn limits(
        &self,
        name: SectionName,
        text: &str,
        points: &[String],
        evidence: &[Evidence],
        field: &str,
        refusal: &mut Refusal,
    ) {
        if text.is_empty() && points.is_empty() {
            return self.refuse(refusal, field, "empty", &[]);
        }
        match name {
            SectionName::Headline | SectionName::Intro if !points.is_empty() => {
                self.refuse(refusal, field, "no_points", &[]);
            }
            SectionName::Headline => self.headline(field, text, refusal),
            SectionName::Intro => self.intro(field, text, refusal),
            SectionName::Responsibilities => {
                let count = ("count", &*points.len().to_string());
                if !(FEWEST_TASKS..=MOST_TASKS).contains(&points.len()) {
                    self.refuse(refusal, field, "points", &[count]);
                }
                if evidence.len() < points.len() {
                    let quotes = ("quotes", &*evidence.len().to_string());
                    self.refuse(refusal, field, "quote_each", &[count, quotes]);
                }
            }
            SectionName::Requirements => self.requirements(text, points, evidence, field, refusal),
            SectionName::SoftSkillsParagraph if text.is_empty() => {
                self.refuse(refusal, field, "prose", &[]);
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
    fn requirements(
        &self,
        text: &str,
        points: &[String],
        evidence: &[Evidence],
        field: &str,
        refusal: &mut Refusal,
    ) {
        let skills: Vec<&str> =
            self.material.profile.must_have_skills.iter().map(|item| item.text.as_str()).collect();
        for skill in &skills {
            if !text.contains(skill) && !points.iter().any(|point| point.contains(skill)) {
                self.refuse(refusal, field, "must_have", &[("text", &clipped(skill, 200))]);
            }
        }
        let more = points.iter().filter(|point| !skills.iter().any(|skill| point.contains(skill))).count();
        let quotes =
            evidence.iter().filter(|one| !skills.iter().any(|skill| crate::same(skill, &one.quote))).count();
        if quotes < more {
            let values = [("count", &*more.to_string()), ("quotes", &*quotes.to_string())];
            self.refuse(refusal, field, "quote_each", &values);
        }
    }

    fn headline(&self, field: &str, text: &str, refusal: &mut Refusal) {
        if !self.title.is_in(text) {
            self.refuse(refusal, field, "no_title", &[("title", self.title.shown())]);
        }
    }

    fn intro(&self, field: &str, text: &str, refusal: &mut Refusal) {
        let count = words::sentences(&text.replace(self.title.shown(), "X"));
        if count == 0 {
            self.refuse(refusal, field, "empty", &[]);
        } else if count > 2 {
            self.refuse(refusal, field, "sentences", &[("count", &count.to_string())]);
        }
    }

    /// Every sentence must stand in what people brought. What does not is sent back once, and marked after that.
    fn proven(
        &self,
        field: &str,
        part: &str,
        text: &str,
        known: &[(&str, &str)],
        refusal: &mut Refusal,
        marked: &mut Vec<Unproven>,
    ) {
        let skills = &self.material.profile.must_have_skills;
        // What must be there word for word is proven.
        if skills.iter().any(|skill| skill.text == text) {
            return;
        }
        let found = self.judge.unproven(self.gate.voice.language(), part, text, known, any_claim);
        if self.tried > 0 {
            marked.extend(found);
            return;
        }
        for one in found {
            let reason = self.texts.get(&format!("project.unproven.reasons.{}", one.reason));
            let words = clipped(&one.words, 120);
            self.refuse(refusal, field, "unproven", &[("text", &words), ("reason", reason)]);
        }
    }

    /// Language, and the rules of the door.
    fn words(&self, field: &str, text: &str, refusal: &mut Refusal) {
        // What must be there word for word is fine whatever it contains.
        let mut free = text.replace(self.title.shown(), " ");
        for skill in &self.material.profile.must_have_skills {
            if !skill.text.is_empty() {
                free = free.replace(&skill.text, " ");
            }
        }
        let language = self.gate.voice.language();
        if let Some(found) =
            identify(&free).filter(|found| found.language != language && found.confidence >= 0.6)
        {
            let values = [
                ("found", self.texts.language_name(found.language)),
                ("wanted", self.texts.language_name(language)),
            ];
            self.refuse(refusal, field, "language", &values);
        }
        let findings = self.gate.check(text);
        let wrong = |finding: &&Finding| finding.level == Level::Error && finding.rule != Rule::Language;
        if let Some(finding) = findings.iter().find(wrong) {
            self.refuse(refusal, field, "gate", &[("problem", &gate_problem(finding, self.texts))]);
        }
    }

    /// What the sources say, and what the company is called.
    fn known(&self) -> Vec<(&str, &str)> {
        let sources = self.material.sources.iter().map(|(source, text)| (source.name(), text));
        let titles = [self.title.shown(), self.title.written(), "GlobalConnect"].map(|text| (NAME, text));
        sources.chain(titles).collect()
    }

    /// Says so when the tasks have little in common with the profile.
    fn shared(&self, points: &[String], field: &str) -> Option<Notice> {
        let written = words::long_words(&points.join("\n"), 4);
        let mut profile = BTreeSet::new();
        for item in self.material.profile.items() {
            profile.extend(words::long_words(&item.text, 4));
        }
        let common = written.intersection(&profile).count();
        let percent = (common * 100).checked_div(written.len())?;
        let shared = [("percent", &*percent.to_string())];
        (percent < SHARED_WORDS).then(|| Notice::say(field, self.texts, "job_ad.notice.vocabulary", &shared))
    }

    fn refuse(&self, refusal: &mut Refusal, field: &str, key: &str, values: &[(&str, &str)]) {
        let part = SectionName::ALL.into_iter().find(|name| field.ends_with(name.name()));
        let name = match part {
            Some(name) => name,
            None if field.starts_with("alternative_intros") => SectionName::Intro,
            None => SectionName::Headline,
        };
        let values: Vec<(&str, &str)> =
            values.iter().copied().chain([("section", name.display(self.texts))]).collect();
        refusal.say(field, self.texts, &format!("job_ad.section.{key}"), &values);
    }
}

/// What the door found, in the recruiter's language.
pub(super) fn gate_problem(finding: &Finding, texts: &Texts) -> String {
    let key = finding.rule.name();
    let mut problem = texts.say(&format!("project.gate.{key}"), &[("excerpt", &finding.excerpt)]);
    if let Some(suggestion) = &finding.suggestion {
        problem.push(' ');
        problem.push_str(&texts.say("project.gate.better", &[("suggestion", suggestion)]));
    }
    problem
}
