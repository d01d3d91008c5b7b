//! The checks of an ad and their scores.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use tata_language::{
    book::{
        AdSection, Element, Family, Scope,
        Severity::{self, Critical, High, Low, Medium},
    },
    review::{Reading, TitleForm, places},
};

use tata_phrases::{Case, Word};

use super::{
    AdIssue,
    AdIssueKind::{self, Compliance, Content, Duplication, MissingElement, Structure},
    SectionReview, duplicates,
    sections::{Part, sections},
};

use crate::{
    Audience, Country, Gate, GermanForm, Item, Key, Language, Profile, Rule, Texts, Voice,
    lists::REVISE_REASONS,
    review::{missing_line, revise::offered, shown::shown},
};

/// Parts that every ad needs.
const REQUIRED: [AdSection; 4] =
    [AdSection::Headline, AdSection::RoleDescription, AdSection::Responsibilities, AdSection::Requirements];
/// Parts that a good ad has.
const RECOMMENDED: [AdSection; 4] =
    [AdSection::Intro, AdSection::Team, AdSection::Benefits, AdSection::CallToAction];
/// What readers need to know, and how bad it is if they do not.
const ELEMENTS: [(Element, Severity); 5] = [
    (Element::Pay, Medium),
    (Element::Contact, Medium),
    (Element::Deadline, Medium),
    (Element::Contract, Low),
    (Element::Workplace, Low),
];
/// The fewest and the most words of a part.
const LENGTHS: [(AdSection, usize, usize); 6] = [
    (AdSection::Intro, 0, 100),
    (AdSection::RoleDescription, 30, 200),
    (AdSection::Responsibilities, 15, 300),
    (AdSection::Requirements, 12, 250),
    // One sentence can say who is on the team, and one what is offered.
    (AdSection::Team, 6, usize::MAX),
    (AdSection::Benefits, 6, usize::MAX),
];
/// Running text of more words should be a list.
const LIST_FROM: usize = 30;
/// So many vague terms are tolerated in a part.
const MOST_VAGUE: usize = 2;
const BANNED_TOLD: usize = 5;
/// What each thing that readers need to know adds to the evidence, and each figure or name up to so many.
const ELEMENT_WORTH: usize = 15;
const FACT_WORTH: usize = 5;
const FACTS: usize = 5;
/// The share of an item's words that must stand in the ad.
const COVERED_PERCENT: usize = 60;

/// What a remark is about, and how bad it is.
type Grade = (AdIssueKind, Severity);

/// The checks of one ad.
pub(super) struct Check<'a> {
    reading: &'a Reading<'a>,
    texts: &'a Texts,
    detected: Option<Language>,
    country: Country,
    parts: BTreeMap<AdSection, Part>,
    issues: Vec<AdIssue>,
    /// Where the vague words that were told begin.
    vague_told: BTreeSet<usize>,
}

/// What the checks found.
pub(super) struct Checked {
    pub(super) structure: u32,
    pub(super) content: u32,
    pub(super) compliance: u32,
    pub(super) sections: Vec<SectionReview>,
    pub(super) issues: Vec<AdIssue>,
    pub(super) missing: Vec<Element>,
}

impl Checked {
    /// Structure 30, content 40, compliance 30 percent.
    pub(super) fn overall(&self) -> u32 {
        (3 * self.structure + 4 * self.content + 3 * self.compliance) / 10
    }
}

impl<'a> Check<'a> {
    pub(super) fn new(
        reading: &'a Reading<'a>,
        texts: &'a Texts,
        detected: Option<Language>,
        country: Country,
    ) -> Self {
        let parts = sections(reading);
        Self { reading, texts, detected, country, parts, issues: Vec::new(), vague_told: BTreeSet::new() }
    }

    /// All checks.
    pub(super) fn run(mut self, profile: Option<&Profile>) -> Checked {
        let structure = self.structure();
        let sections: Vec<SectionReview> =
            AdSection::ALL.into_iter().map(|section| self.section(section)).collect();
        let found: Vec<u32> =
            sections.iter().filter(|part| part.found).map(|part| part.quality_score).collect();
        let quality =
            found.iter().sum::<u32>().checked_div(u32::try_from(found.len()).unwrap_or(0)).unwrap_or(0);
        let compliance = self.compliance();
        self.inclusion();
        self.duplication();
        let missing = self.elements();
        // Words alone say little: what readers need to know and what can be checked counts as well.
        let content = quality.midpoint(self.evidence(missing.len()));
        if let Some(profile) = profile {
            self.profile(profile);
        }
        let mut issues = self.issues;
        issues.sort_by_key(|issue| (issue.start, std::cmp::Reverse(issue.severity)));
        for (at, issue) in issues.iter_mut().enumerate() {
            issue.number = at + 1;
        }
        Checked { structure, content, compliance, sections, issues, missing }
    }

    /// A remark; the texts of `key` say what it is and what to do.
    fn note(&mut self, key: Key, grade: Grade, values: &[(&str, &str)]) -> &mut AdIssue {
        let description = self.texts.say(key, values);
        let suggestion = self.texts.say(key.with("_fix"), values);
        self.push(rule(key), grade, description, suggestion)
    }

    /// A remark about a part as a whole.
    fn note_part(&mut self, section: AdSection, key: Key, grade: Grade, values: &[(&str, &str)]) {
        let name = self.texts.get(group!("review.sections").key(section.name()));
        let values: Vec<(&str, &str)> = values.iter().copied().chain([("section", name)]).collect();
        self.note(key, grade, &values).location = Some(section);
    }

    /// A remark about some words of the ad, which its texts may quote.
    fn note_at(&mut self, span: Range<usize>, key: Key, grade: Grade, values: &[(&str, &str)]) {
        let text = shown(self.reading.cut(span.start, span.end));
        let values: Vec<(&str, &str)> = values.iter().copied().chain([("text", text.as_str())]).collect();
        self.note(key, grade, &values);
        self.at(span);
    }

    fn push(&mut self, rule: &str, grade: Grade, description: String, suggestion: String) -> &mut AdIssue {
        let (category, severity) = grade;
        self.issues.push_mut(AdIssue {
            number: 0,
            category,
            severity,
            description,
            location: None,
            suggestion,
            text: None,
            start: None,
            end: None,
            bytes: None,
            alternatives: Vec::new(),
            rule: rule.to_owned(),
        })
    }

    /// Says where the last remark is.
    fn at(&mut self, span: Range<usize>) {
        let reading = self.reading;
        let word = reading.words.partition_point(|word| word.end <= span.start);
        let location = self.parts.iter().find(|(_, part)| part.has(word)).map(|(section, _)| *section);
        if let Some(issue) = self.issues.last_mut() {
            issue.text = Some(reading.cut(span.start, span.end).to_owned());
            issue.bytes = Some((reading.byte(span.start), reading.byte(span.end)));
            (issue.start, issue.end) = (Some(span.start), Some(span.end));
            issue.location = location;
        }
    }

    /// Better words in quotation marks.
    fn quoted(&self, words: &[impl AsRef<str>]) -> String {
        let quoted =
            words.iter().map(|text| self.texts.say(key!("review.ad.place"), &[("text", text.as_ref())]));
        quoted.collect::<Vec<_>>().join(", ")
    }

    fn structure(&mut self) -> u32 {
        let mut score: u32 = 100;
        for (sections, key, severity, cost) in [
            (REQUIRED, key!("review.issues.missing_required"), High, 20),
            (RECOMMENDED, key!("review.issues.missing_recommended"), Low, 5),
        ] {
            for section in sections {
                if !self.is_told(section) {
                    score = score.saturating_sub(cost);
                    self.note_part(section, key, (Structure, severity), &[]);
                }
            }
        }
        score
    }

    /// Whether readers learn what a part is for: from the part itself, or from another one that tells the same.
    fn is_told(&self, section: AdSection) -> bool {
        let has = |section: AdSection| self.parts.contains_key(&section);
        let elsewhere = match section {
            // What the job is stands in a good first paragraph, or in the tasks.
            AdSection::RoleDescription => has(AdSection::Intro) || has(AdSection::Responsibilities),
            AdSection::Intro => has(AdSection::RoleDescription),
            // "Apply by 10 January" calls on readers to apply.
            AdSection::CallToAction => self.reading.says(Element::Deadline),
            AdSection::Headline
            | AdSection::Responsibilities
            | AdSection::Requirements
            | AdSection::SoftSkills
            | AdSection::GoodToHaves
            | AdSection::Team
            | AdSection::Company
            | AdSection::Benefits
            | AdSection::Process => false,
        };
        has(section) || elsewhere
    }

    fn section(&mut self, section: AdSection) -> SectionReview {
        let part = self.parts.get(&section).cloned();
        let found = part.is_some();
        let part = part.unwrap_or_default();
        let before = self.issues.len();
        let mut lost = 0;
        if found {
            lost += self.length(section, &part);
            let should_be_list = matches!(section, AdSection::Responsibilities | AdSection::Requirements);
            // Style: told, and free of charge.
            if should_be_list && !part.has_bullets && part.count() > LIST_FROM {
                self.note_part(section, key!("review.issues.no_bullets"), (Content, Low), &[]);
            }
            lost += self.vague(&part);
        }
        let places = part.words.iter().map(|words| self.reading.span(words.start, words.end - 1));
        let places = places.map(|span| [span.start, span.end]).collect();
        let said = &self.issues[before..];
        SectionReview {
            section,
            found,
            quality_score: if found { 100u32.saturating_sub(lost) } else { 0 },
            word_count: part.count(),
            places,
            issues: said.iter().map(|issue| issue.description.clone()).collect(),
            suggestions: said.iter().map(|issue| issue.suggestion.clone()).collect(),
        }
    }

    /// What a part loses for being too short or too long.
    fn length(&mut self, section: AdSection, part: &Part) -> u32 {
        let Some((_, least, most)) = LENGTHS.into_iter().find(|(of, ..)| *of == section) else { return 0 };
        let count = part.count();
        let (key, name, limit, cost) = if count < least {
            (key!("review.issues.too_few_words"), "least", least, 20)
        } else if count > most {
            (key!("review.issues.too_many_words"), "most", most, 10)
        } else {
            return 0;
        };
        let values = [("count", &*count.to_string()), (name, &*limit.to_string())];
        self.note_part(section, key, (Content, Medium), &values);
        cost
    }

    /// What a part loses for words that say little. They are told one by one, also where they cost nothing.
    fn vague(&mut self, part: &Part) -> u32 {
        let found: Vec<_> =
            self.reading.found.vague.iter().filter(|(_, hit)| part.has(hit.first)).copied().collect();
        for (entry, hit) in &found {
            let span = self.reading.span(hit.first, hit.last);
            if self.is_explained(hit.first) {
                continue;
            }
            if !self.vague_told.insert(span.start) {
                continue;
            }
            let alternatives = [("alternatives", &*self.quoted(entry.alternatives))];
            self.note_at(span, key!("review.issues.vague"), (Content, Low), &alternatives);
        }
        let found = found.iter().filter(|(_, hit)| !self.is_explained(hit.first)).count();
        if found > MOST_VAGUE { u32::try_from(found * 5).unwrap_or(100) } else { 0 }
    }

    /// Whether the sentence of a word gives a figure or a reason, or names the thing itself before an "or": then it says
    /// more than the words in question.
    fn is_explained(&self, word: usize) -> bool {
        let before = word.checked_sub(1).and_then(|at| self.reading.words.get(at));
        if before.is_some_and(|before| matches!(&*before.text, "or" | "eller" | "oder" | "bzw")) {
            return true;
        }
        let Some(sentence) = self.reading.sentences.get(self.reading.sentence_of(word)) else { return false };
        let words = self.reading.words.get(sentence.clone()).unwrap_or_default();
        words.iter().any(|word| {
            let figure = word.text.starts_with(|letter: char| letter.is_ascii_digit());
            figure || REVISE_REASONS.binary_search(&&*word.text).is_ok()
        })
    }

    fn compliance(&mut self) -> u32 {
        let language = self.reading.language;
        // Banned words are known from the reading, so the gate need not look for them once more.
        let gate = Gate {
            voice: Voice::new(language, GermanForm::Sie),
            audience: Audience::Colleagues,
            verbatim: &[],
        };
        let findings = gate.check(self.reading.text);
        let mut lost = 0;
        // Dashes before points are how Markdown and most editors write lists: nothing to remark.
        let mut emoji = findings.iter().filter(|finding| finding.rule == Rule::Emoji);
        let count = emoji.clone().count().to_string();
        if let Some(first) = emoji.next() {
            lost += 15;
            let grade = (Compliance, Medium);
            self.note_at(first.start..first.end, key!("review.issues.emoji"), grade, &[("count", &count)]);
        }
        for finding in findings.iter().filter(|finding| finding.rule == Rule::CompanyName).take(1) {
            let text = [("text", &*shown(&finding.excerpt))];
            self.note(key!("review.issues.company_name"), (Compliance, Low), &text).alternatives =
                vec!["GlobalConnect".to_owned()];
            self.at(finding.start..finding.end);
        }
        // A text that is in another language as a whole was told before.
        let mixed = self.detected.is_none_or(|detected| detected == language);
        for finding in findings.iter().filter(|finding| mixed && finding.rule == Rule::Language).take(3) {
            let (span, text) = (finding.start..finding.end, shown(&finding.excerpt));
            let grade = (Compliance, Medium);
            self.note_at(span, key!("review.issues.language_mix"), grade, &[("text", &text)]);
        }
        lost += self.banned();
        100u32.saturating_sub(lost)
    }

    fn banned(&mut self) -> u32 {
        let found = self.reading.found.banned.iter().filter(|(entry, _)| entry.scope == Scope::All);
        let found: Vec<_> = found.copied().collect();
        for (entry, hit) in found.iter().take(BANNED_TOLD) {
            let span = self.reading.span(hit.first, hit.last);
            let text = shown(self.reading.cut(span.start, span.end));
            let key = match entry.family {
                Family::Hype => key!("review.issues.banned_hype"),
                Family::Exclusionary => key!("review.issues.banned_exclusionary"),
            };
            let description = self.texts.say(key, &[("text", &text)]);
            let quoted = [("suggestion", &*self.quoted(&[entry.suggestion]))];
            let suggestion = self.texts.say(key!("review.issues.banned_fix"), &quoted);
            self.push(rule(key), (Compliance, High), description, suggestion).alternatives =
                vec![entry.suggestion.to_owned()];
            self.at(span);
        }
        u32::try_from(found.len() * 5).unwrap_or(30).min(30)
    }

    /// What the inclusion review calls high, unless it was told as a banned word.
    fn inclusion(&mut self) {
        for place in places(self.reading, TitleForm::default()) {
            let told = self.issues.iter().any(|issue| {
                let meets = |start: usize, end: usize| start < place.end && place.start < end;
                issue.rule.starts_with("banned")
                    && issue.start.zip(issue.end).is_some_and(|(start, end)| meets(start, end))
            });
            if place.severity < High || told {
                continue;
            }
            let text = shown(self.reading.cut(place.start, place.end));
            let reason = format_args!("{}.{}", place.category.name(), place.reason);
            let reason = self.texts.get(group!("review.reasons").key(reason));
            let bytes = (self.reading.byte(place.start), self.reading.byte(place.end));
            let original = (self.reading.text, self.reading.language);
            let fitting = offered(&place.alternatives, Some(bytes), original);
            let fitting: Vec<&str> = fitting.into_iter().map(|(_, words)| words).collect();
            let quoted = self.quoted(&fitting);
            let values = [("text", text.as_str()), ("reason", reason), ("alternatives", &quoted)];
            let anew = self.texts.get(key!("review.di.anew"));
            let issue = self.note(key!("review.issues.inclusion"), (Compliance, High), &values);
            if fitting.is_empty() {
                anew.clone_into(&mut issue.suggestion);
            }
            (issue.rule, issue.alternatives) = (place.rule, place.alternatives);
            self.at(place.start..place.end);
        }
    }

    /// How much of the ad can be checked: what readers need to know, and figures and names of things.
    fn evidence(&self, missing: usize) -> u32 {
        let parts = [
            AdSection::RoleDescription,
            AdSection::Responsibilities,
            AdSection::Requirements,
            AdSection::Team,
        ];
        let words = parts.iter().filter_map(|part| self.parts.get(part)).flat_map(|part| part.words.clone());
        let words = words.flatten().filter_map(|at| self.reading.words.get(at));
        let fact = |word: &&Word<'_>| {
            word.case == Case::Upper || word.text.chars().any(|letter| letter.is_ascii_digit())
        };
        let facts = words.filter(fact).take(FACTS).count();
        let known = ELEMENTS.len().saturating_sub(missing);
        u32::try_from(known * ELEMENT_WORTH + facts * FACT_WORTH).unwrap_or(100).min(100)
    }

    fn duplication(&mut self) {
        for words in duplicates::sentences(self.reading) {
            let span = self.reading.span(words.start, words.end - 1);
            self.note_at(span, key!("review.issues.duplicate_sentence"), (Duplication, Medium), &[]);
        }
        for (words, count) in duplicates::phrases(self.reading) {
            let span = self.reading.span(words.start, words.end - 1);
            let count = [("count", &*count.to_string())];
            self.note_at(span, key!("review.issues.repeated_phrase"), (Duplication, Low), &count);
        }
    }

    fn elements(&mut self) -> Vec<Element> {
        let reading = self.reading;
        let missing: Vec<(Element, Severity)> = ELEMENTS
            .into_iter()
            .filter(|(element, _)| {
                let in_headline = *element == Element::Workplace && self.headline_names_a_place();
                !in_headline && !reading.says(*element)
            })
            .collect();
        for (element, severity) in missing.iter().copied() {
            let description = missing_line(element, self.country, self.texts);
            let suggestion = self.texts.get(key!("review.issues.element_fix")).to_owned();
            let rule = format!("missing_{}", element.name());
            self.push(&rule, (MissingElement, severity), description, suggestion);
        }
        missing.into_iter().map(|(element, _)| element).collect()
    }

    /// "Account Manager, Oslo" says where the work is.
    fn headline_names_a_place(&self) -> bool {
        let Some(part) = self.parts.get(&AdSection::Headline) else { return false };
        let named = |words: &Range<usize>| {
            let span = self.reading.span(words.start, words.end - 1);
            Country::of_place(self.reading.cut(span.start, span.end)).is_some()
        };
        part.words.iter().any(named)
    }

    fn profile(&mut self, profile: &Profile) {
        let lists: [(Key, Severity, &[Item]); 2] = [
            (key!("review.issues.must_have_missing"), Critical, &profile.must_have_skills),
            (key!("review.issues.task_missing"), Medium, &profile.primary_responsibilities),
        ];
        for (key, severity, items) in lists {
            for item in items {
                if !self.covers(&item.text) {
                    self.note(key, (AdIssueKind::Profile, severity), &[("text", &shown(&item.text))]);
                }
            }
        }
    }

    /// Whether most of an item's words stand in the ad, in whichever form.
    fn covers(&self, item: &str) -> bool {
        let words = tata_phrases::spelled(item);
        let long: Vec<&str> =
            words.iter().map(|word| &*word.text).filter(|word| word.chars().count() > 3).collect();
        let stands = |word: &&&str| {
            let stem: String = word.chars().take(word.chars().count().saturating_sub(2).max(4)).collect();
            self.reading.words.iter().any(|found| found.text.starts_with(&stem))
        };
        let found = long.iter().filter(stands).count();
        found * 100 >= long.len() * COVERED_PERCENT
    }
}
/// The name of a remark, the same in every report.
fn rule(key: Key) -> &'static str {
    key.name().trim_start_matches("review.issues.")
}
