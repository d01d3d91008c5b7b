//! Sections that were handed over: each claim must rest on a source, each limit must hold.

use std::collections::BTreeSet;

use super::{
    JobAdInput, Section, SectionName, WrittenSection, compose::FEWEST_TASKS, compose::MOST_TASKS,
    language_name, material::Material, title::Title, words,
};
use crate::{
    Evidence, Finding, Gate, GermanForm, Language, Level, Notice, Refusal, Rule, Texts, Tracer, Voice,
    identify, tidy,
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
    pub(super) texts: &'a Texts,
}

/// The words and numbers that a text may use.
struct Known {
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Written<'_> {
    /// The sections that were handed over, with their evidence. What is wrong goes into the refusal, by section.
    pub(super) fn verify(&self, refusal: &mut Refusal, notices: &mut Vec<Notice>) -> Vec<Section> {
        let input = self.input;
        if input.sections.is_empty()
            && input.alternative_headlines.is_empty()
            && input.alternative_intros.is_empty()
        {
            return Vec::new();
        }
        let known = self.known();
        let tracer = Tracer::new(&self.material.sources);
        let mut sections: Vec<Section> = Vec::new();
        for section in &input.sections {
            let field = format!("sections.{}", section.name.name());
            if sections.iter().any(|one| one.name == section.name) {
                self.refuse(refusal, &field, "twice", &[]);
                continue;
            }
            sections.push(self.section(section, &field, &tracer, &known, refusal, notices));
        }
        for (at, headline) in input.alternative_headlines.iter().enumerate() {
            let field = format!("alternative_headlines[{at}]");
            self.headline(&field, &tidy(headline), refusal);
            self.words(&field, &tidy(headline), &known, refusal);
        }
        for (at, intro) in input.alternative_intros.iter().enumerate() {
            let field = format!("alternative_intros[{at}]");
            self.intro(&field, &tidy(intro), refusal);
            self.words(&field, &tidy(intro), &known, refusal);
        }
        sections
    }

    fn section(
        &self,
        written: &WrittenSection,
        field: &str,
        tracer: &Tracer<'_>,
        known: &Known,
        refusal: &mut Refusal,
        notices: &mut Vec<Notice>,
    ) -> Section {
        let text = match written.name {
            SectionName::Headline | SectionName::Intro => tidy(&written.text),
            SectionName::RoleDescription
            | SectionName::TheWhy
            | SectionName::Responsibilities
            | SectionName::Requirements
            | SectionName::SoftSkillsParagraph
            | SectionName::TeamAndWhyGc
            | SectionName::Process
            | SectionName::Ending => written.text.trim().to_owned(),
        };
        let points: Vec<String> =
            written.points.iter().map(|point| tidy(point)).filter(|point| !point.is_empty()).collect();
        let evidence = self.evidence(written, field, tracer, refusal);
        self.limits(written.name, &text, &points, &evidence, field, refusal);
        let whole = std::iter::once(&text).chain(&points).map(String::as_str).collect::<Vec<_>>().join("\n");
        self.words(field, &whole, known, refusal);

        let name = self.texts.get(&format!("job_ad.names.{}", written.name.name()));
        let mut sources = vec!["written".to_owned()];
        if self.foreign.is_some() && !evidence.is_empty() {
            sources.push("translated".to_owned());
            let message = self.texts.say("job_ad.notice.translated", &[("section", name)]);
            notices.push(Notice::new(field, message));
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
                let quote = words::clipped(&tidy(&quotation.quote), 160);
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
                let count = points.len().to_string();
                if !(FEWEST_TASKS..=MOST_TASKS).contains(&points.len()) {
                    self.refuse(refusal, field, "points", &[("count", &count)]);
                }
                let (few, quotes) = (evidence.len() < points.len(), evidence.len().to_string());
                if few {
                    self.refuse(refusal, field, "quote_each", &[("count", &count), ("quotes", &quotes)]);
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
                self.refuse(refusal, field, "must_have", &[("text", &words::clipped(skill, 200))]);
            }
        }
        let more = points.iter().filter(|point| !skills.iter().any(|skill| point.contains(skill))).count();
        let quotes =
            evidence.iter().filter(|one| !skills.iter().any(|skill| crate::same(skill, &one.quote))).count();
        if quotes < more {
            let (count, quotes) = (more.to_string(), quotes.to_string());
            self.refuse(refusal, field, "quote_each", &[("count", &count), ("quotes", &quotes)]);
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

    /// Numbers, names, language and the rules of the door.
    fn words(&self, field: &str, text: &str, known: &Known, refusal: &mut Refusal) {
        // What must be there word for word is fine whatever it contains.
        let mut free = text.replace(self.title.shown(), " ");
        for skill in &self.material.profile.must_have_skills {
            if !skill.text.is_empty() {
                free = free.replace(&skill.text, " ");
            }
        }
        let unknown = words::numbers(&free).into_iter().find(|number| {
            !known.numbers.contains(&number.whole)
                && !number.parts.iter().all(|part| known.numbers.contains(part))
        });
        if let Some(number) = unknown {
            self.refuse(refusal, field, "number", &[("text", &words::clipped(&number.whole, 40))]);
        }
        let german = self.gate.voice.language() == Language::De;
        let unknown = words::names(&free, german).into_iter().find(|name| {
            words::long_words(name, 0).iter().any(|word| {
                let bare = word.strip_suffix('s');
                !known.words.contains(word) && !bare.is_some_and(|bare| known.words.contains(bare))
            })
        });
        if let Some(name) = unknown {
            self.refuse(refusal, field, "name", &[("text", &words::clipped(name, 60))]);
        }
        let language = self.gate.voice.language();
        if let Some(found) =
            identify(&free).filter(|found| found.language != language && found.confidence >= 0.6)
        {
            let values = [
                ("found", language_name(found.language, self.texts)),
                ("wanted", language_name(language, self.texts)),
            ];
            self.refuse(refusal, field, "language", &values);
        }
        let findings = self.gate.check(text);
        let wrong = |finding: &&Finding| finding.level == Level::Error && finding.rule != Rule::Language;
        if let Some(finding) = findings.iter().find(wrong) {
            self.refuse(refusal, field, "gate", &[("problem", &gate_problem(finding, self.texts))]);
        }
    }

    /// What the sources say, with the names of places and languages as the ad's language has them.
    fn known(&self) -> Known {
        let mut known = Known { words: words::vocabulary("GlobalConnect HR IT"), numbers: BTreeSet::new() };
        let title = [self.title.shown(), self.title.written()];
        for text in self.material.sources.iter().map(|(_, text)| text).chain(title) {
            known.words.extend(words::vocabulary(text));
            for number in words::numbers(text) {
                known.numbers.extend(number.parts);
                known.numbers.insert(number.whole);
            }
        }
        let lists = Language::ALL
            .map(|language| Texts::of(Voice::new(language, GermanForm::Sie)).list("job_ad.places"));
        for at in 0..lists.iter().map(|list| list.len()).max().unwrap_or_default() {
            let forms: BTreeSet<String> = lists
                .iter()
                .filter_map(|list| list.get(at))
                .flat_map(|forms| words::long_words(forms, 0))
                .collect();
            if forms.iter().any(|form| known.words.contains(form)) {
                known.words.extend(forms);
            }
        }
        known
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
        let text = || self.texts.say("job_ad.notice.vocabulary", &[("percent", &percent.to_string())]);
        (percent < SHARED_WORDS).then(|| Notice::new(field, text()))
    }

    fn refuse(&self, refusal: &mut Refusal, field: &str, key: &str, values: &[(&str, &str)]) {
        let part = SectionName::ALL.into_iter().find(|name| field.ends_with(name.name()));
        let name = match part {
            Some(name) => self.texts.get(&format!("job_ad.names.{}", name.name())),
            None if field.starts_with("alternative_intros") => self.texts.get("job_ad.names.intro"),
            None => self.texts.get("job_ad.names.headline"),
        };
        let values: Vec<(&str, &str)> = values.iter().copied().chain([("section", name)]).collect();
        let message = self.texts.say(&format!("job_ad.section.{key}"), &values);
        refusal.add(field, message, self.texts.say(&format!("job_ad.section.{key}_way_out"), &values));
    }
}

/// What the door found, in the recruiter's language.
pub(super) fn gate_problem(finding: &Finding, texts: &Texts) -> String {
    let key = match finding.rule {
        Rule::Emoji => "emoji",
        Rule::DashBullet => "dash_bullet",
        Rule::BannedWord => "banned_word",
        Rule::ModuleLetter => "module_letter",
        Rule::CompanyName => "company_name",
        Rule::NameQuestion => "name_question",
        Rule::Language => "language",
        Rule::Address => "address",
    };
    let mut problem = texts.say(&format!("project.gate.{key}"), &[("excerpt", &finding.excerpt)]);
    if let Some(suggestion) = &finding.suggestion {
        problem.push(' ');
        problem.push_str(&texts.say("project.gate.better", &[("suggestion", suggestion)]));
    }
    problem
}
