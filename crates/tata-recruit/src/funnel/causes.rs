//! What the project's own documents say about a bottleneck. They are quoted; where there is none, it says so. Nothing
//! is guessed.

use serde_json::{Map, Value};

use super::{
    artifact::{Cause, Cited},
    stage::FunnelStage,
};
use crate::{
    Item, Kind, Project, ScreeningTemplate, SectionName, Stored, Texts, Voice, clip, job_ad, profile, tidy,
};

/// How many words of others are quoted per document.
const MOST_QUOTES: usize = 5;

/// How long a quotation may be.
const LONGEST_QUOTE: usize = 200;

/// The documents behind a stage and what they say.
pub(super) fn causes(stage: FunnelStage, project: &Project, voice: Voice) -> Vec<Cause> {
    let papers = Papers { project, texts: Texts::of(voice), voice };
    let (_, documents) = stage.remedy();
    let cause = |(at, kind): (usize, &Kind)| {
        // An ad that is not there is asked for only where it is most of it.
        let optional = *kind == Kind::JobAd && at > 0;
        papers.cause(*kind).or_else(|| (!optional).then(|| papers.missing(*kind)))
    };
    documents.iter().enumerate().filter_map(cause).collect()
}

struct Papers<'a> {
    project: &'a Project,
    texts: &'static Texts,
    voice: Voice,
}

impl Papers<'_> {
    /// What a document says; nothing if there is none.
    fn cause(&self, kind: Kind) -> Option<Cause> {
        let stored = self.project.stored(kind, "")?;
        let (mut text, quotes) = match kind {
            Kind::RequirementProfile => self.profile()?,
            Kind::JobAd => self.job_ad()?,
            Kind::DiReview => self.di_review(stored),
            Kind::HeadhuntingMessages => self.messages(stored),
            Kind::TaScreeningTemplate | Kind::HmScreeningTemplate => self.template(kind)?,
            Kind::CandidateReport
            | Kind::FunnelReport
            | Kind::JobAdReview
            | Kind::CalendarInvite
            | Kind::ProjectSettings => return None,
        };
        if stored.stale {
            text = format!("{text} {}", self.texts.get(key!("funnel.causes.stale")));
        }
        let quotes = quotes.into_iter().take(MOST_QUOTES).collect();
        Some(Cause { document: kind.name().to_owned(), version: Some(stored.version), text, quotes })
    }

    fn profile(&self) -> Option<(String, Vec<Cited>)> {
        let profile = profile::of(self.project)?;
        let number = self.number(profile.must_have_skills.len());
        let text = self.texts.say(key!("funnel.causes.must_haves"), &[("count", &number)]);
        Some((text, profile.must_have_skills.iter().map(|item| self.traced(item)).collect()))
    }

    fn job_ad(&self) -> Option<(String, Vec<Cited>)> {
        let ad = job_ad::of(self.project)?;
        let texts = ad.sections.iter().flat_map(|section| section.points.iter().chain([&section.text]));
        let words: usize = texts.map(|text| text.split_whitespace().count()).sum();
        let points = ad.section(SectionName::Requirements).map_or(0, |section| section.points.len());
        let values = [("words", &*self.number(words)), ("points", &*self.number(points))];
        let text = self.texts.say(key!("funnel.causes.job_ad"), &values);
        let headline = ad.section(SectionName::Headline).map(|section| section.text.as_str());
        Some((text, headline.and_then(|text| self.cited(Kind::JobAd, text)).into_iter().collect()))
    }

    fn di_review(&self, stored: &Stored) -> (String, Vec<Cited>) {
        let found = stored.json["flagged_items"].as_array().into_iter().flatten();
        let cited = |item: &Value| self.cited(Kind::DiReview, item["text"].as_str()?);
        let findings: Vec<Cited> = found.filter_map(cited).collect();
        let text = match findings.len() {
            0 => self.texts.get(key!("funnel.causes.di_clean")).to_owned(),
            some => self.texts.say(key!("funnel.causes.di_findings"), &[("count", &self.number(some))]),
        };
        (text, findings)
    }

    fn messages(&self, stored: &Stored) -> (String, Vec<Cited>) {
        let versions = stored.json["versions"].as_object().into_iter().flat_map(Map::values);
        let own = versions.filter_map(|version| version[self.voice.name()]["text"].as_str());
        let words: Vec<usize> = own.map(|text| text.split_whitespace().count()).collect();
        let text = match (words.iter().min(), words.iter().max()) {
            (Some(least), Some(most)) => {
                let [count, least, most] = [words.len(), *least, *most].map(|number| self.number(number));
                let values = [("count", &*count), ("least", &*least), ("most", &*most)];
                self.texts.say(key!("funnel.causes.messages"), &values)
            }
            _ => self.texts.get(key!("funnel.causes.messages_plain")).to_owned(),
        };
        // Where the messages do not say whether they use a detail, neither do we.
        let Some(detail) = stored.json.get("personalization_detail") else { return (text, Vec::new()) };
        let detail = detail["text"].as_str().and_then(|text| self.cited(stored.kind, text));
        let key =
            if detail.is_none() { key!("funnel.causes.no_detail") } else { key!("funnel.causes.detail") };
        let text = format!("{text} {}", self.texts.get(key));
        (text, detail.into_iter().collect())
    }

    fn template(&self, kind: Kind) -> Option<(String, Vec<Cited>)> {
        let template: ScreeningTemplate = self.project.read(kind, "")?;
        let questions = self.number(template.questions().count());
        let skills = self.number(template.skills.len());
        let values = [("questions", questions.as_str()), ("skills", skills.as_str())];
        let text = self.texts.say(key!("funnel.causes.template"), &values);
        let names = template.skills.iter().filter(|set| set.must_have);
        Some((text, names.filter_map(|set| self.cited(kind, &set.skill_name)).collect()))
    }

    fn missing(&self, kind: Kind) -> Cause {
        let absent = self.texts.say(key!("funnel.causes.missing"), &[("document", kind.display(self.texts))]);
        let (document, text) = (kind.name().to_owned(), format!("{absent} {}", kind.offer(self.texts)));
        Cause { document, version: None, text, quotes: Vec::new() }
    }

    fn traced(&self, item: &Item) -> Cited {
        let source = item.evidence.source.display(self.texts).to_owned();
        Cited { text: short(&item.text), source, evidence: Some(item.evidence.clone()) }
    }

    fn cited(&self, kind: Kind, text: &str) -> Option<Cited> {
        let text = Some(short(text)).filter(|text| !text.is_empty())?;
        Some(Cited { text, source: kind.display(self.texts).to_owned(), evidence: None })
    }

    fn number(&self, number: usize) -> String {
        self.texts.count(u64::try_from(number).unwrap_or(u64::MAX))
    }
}

fn short(text: &str) -> String {
    let text = tidy(clip::start(text, LONGEST_QUOTE * 4));
    let is_short = clip::start(&text, LONGEST_QUOTE).len() == text.len();
    if is_short { text } else { format!("{}…", clip::start(&text, LONGEST_QUOTE - 1)) }
}
