//! What the project's own documents say about a bottleneck. They are quoted; where there is none, it says so. Nothing
//! is guessed.

use serde_json::Map;

use super::{
    artifact::{Cause, Cited},
    numbers::count,
    stage::FunnelStage,
};
use crate::{
    Item, Kind, Project, ScreeningTemplate, SectionName, Stored, Texts, Voice, job_ad, profile, tidy,
};

/// How many words of others are quoted per document.
const MOST_QUOTES: usize = 5;

/// How long a quotation may be.
const LONGEST_QUOTE: usize = 200;

/// The documents behind a stage and what they say.
pub(super) fn causes(stage: FunnelStage, project: &Project, voice: Voice) -> Vec<Cause> {
    let papers = Papers { project, texts: Texts::of(voice), voice };
    match stage {
        FunnelStage::JobAdViews | FunnelStage::ApplyClicks => vec![papers.job_ad(), papers.di_review()],
        FunnelStage::QualifiedApplications => {
            let ad = Some(papers.job_ad()).filter(|cause| cause.version.is_some());
            [Some(papers.profile()), ad, Some(papers.di_review())].into_iter().flatten().collect()
        }
        FunnelStage::Contacted | FunnelStage::Replied | FunnelStage::Interested => vec![papers.messages()],
        FunnelStage::TaScreenings => vec![papers.template(Kind::TaScreeningTemplate)],
        FunnelStage::HmInterviews => vec![papers.template(Kind::HmScreeningTemplate)],
        FunnelStage::ApplicationsReceived
        | FunnelStage::CandidatesSourced
        | FunnelStage::CaseInterviews
        | FunnelStage::TeamInterviews
        | FunnelStage::Tests
        | FunnelStage::References
        | FunnelStage::OffersMade
        | FunnelStage::OffersAccepted => Vec::new(),
    }
}

struct Papers<'a> {
    project: &'a Project,
    texts: &'static Texts,
    voice: Voice,
}

impl Papers<'_> {
    fn profile(&self) -> Cause {
        let kind = Kind::RequirementProfile;
        let (Some(stored), Some(profile)) = (self.project.stored(kind, ""), profile::of(self.project)) else {
            return self.missing(kind);
        };
        let number = self.number(profile.must_have_skills.len());
        let text = self.texts.say("funnel.causes.must_haves", &[("count", &number)]);
        let quotes = profile.must_have_skills.iter().map(|item| self.traced(item));
        self.cause(stored, text, quotes.take(MOST_QUOTES).collect())
    }

    fn job_ad(&self) -> Cause {
        let kind = Kind::JobAd;
        let (Some(stored), Some(ad)) = (self.project.stored(kind, ""), job_ad::of(self.project)) else {
            return self.missing(kind);
        };
        let words: usize = ad
            .sections
            .iter()
            .flat_map(|section| std::iter::once(&section.text).chain(&section.points))
            .map(|text| text.split_whitespace().count())
            .sum();
        let points = ad.section(SectionName::Requirements).map_or(0, |section| section.points.len());
        let values = [("words", &*self.number(words)), ("points", &*self.number(points))];
        let text = self.texts.say("funnel.causes.job_ad", &values);
        let headline = ad.section(SectionName::Headline).map(|section| section.text.as_str());
        let quotes = headline.and_then(|text| self.cited(kind, text)).into_iter().collect();
        self.cause(stored, text, quotes)
    }

    fn di_review(&self) -> Cause {
        let kind = Kind::DiReview;
        let Some(stored) = self.project.stored(kind, "") else { return self.missing(kind) };
        let found = stored.json["flagged_items"].as_array().into_iter().flatten();
        let findings: Vec<Cited> =
            found.filter_map(|item| self.cited(kind, item["text"].as_str()?)).collect();
        let text = match findings.len() {
            0 => self.texts.get("funnel.causes.di_clean").to_owned(),
            some => self.texts.say("funnel.causes.di_findings", &[("count", &self.number(some))]),
        };
        self.cause(stored, text, findings.into_iter().take(MOST_QUOTES).collect())
    }

    fn messages(&self) -> Cause {
        let kind = Kind::HeadhuntingMessages;
        let Some(stored) = self.project.stored(kind, "") else { return self.missing(kind) };
        let versions = stored.json["versions"].as_object().into_iter().flat_map(Map::values);
        let own = versions.filter_map(|version| version[self.voice.name()]["text"].as_str());
        let words: Vec<usize> = own.map(|text| text.split_whitespace().count()).collect();
        let text = match (words.iter().min(), words.iter().max()) {
            (Some(least), Some(most)) => {
                let values = [
                    ("count", &*self.number(words.len())),
                    ("least", &*self.number(*least)),
                    ("most", &*self.number(*most)),
                ];
                self.texts.say("funnel.causes.messages", &values)
            }
            _ => self.texts.get("funnel.causes.messages_plain").to_owned(),
        };
        // Where the messages do not say whether they use a detail, neither do we.
        let Some(detail) = stored.json.get("personalization_detail") else {
            return self.cause(stored, text, Vec::new());
        };
        let detail = detail["text"].as_str().and_then(|text| self.cited(kind, text));
        let quotes: Vec<Cited> = detail.into_iter().collect();
        let key = if quotes.is_empty() { "no_detail" } else { "detail" };
        let text = format!("{text} {}", self.texts.get(&format!("funnel.causes.{key}")));
        self.cause(stored, text, quotes)
    }

    fn template(&self, kind: Kind) -> Cause {
        let stored = self.project.stored(kind, "");
        let read = self.project.read::<ScreeningTemplate>(kind, "");
        let (Some(stored), Some(template)) = (stored, read) else { return self.missing(kind) };
        let questions = self.number(template.questions().count());
        let skills = self.number(template.skills.len());
        let values = [("questions", questions.as_str()), ("skills", skills.as_str())];
        let text = self.texts.say("funnel.causes.template", &values);
        let names = template.skills.iter().filter(|set| set.must_have);
        let quotes = names.filter_map(|set| self.cited(kind, &set.skill_name)).take(MOST_QUOTES).collect();
        self.cause(stored, text, quotes)
    }

    fn cause(&self, stored: &Stored, text: String, quotes: Vec<Cited>) -> Cause {
        let text =
            if stored.stale { format!("{text} {}", self.texts.get("funnel.causes.stale")) } else { text };
        Cause { document: stored.kind.name().to_owned(), version: Some(stored.version), text, quotes }
    }

    fn missing(&self, kind: Kind) -> Cause {
        let the = self.texts.get(&format!("project.services.{}.the", kind.name()));
        let absent = self.texts.say("funnel.causes.missing", &[("document", kind.display(self.texts))]);
        let offer = self.texts.say("project.missing_way_out", &[("missing", the)]);
        let (document, text) = (kind.name().to_owned(), format!("{absent} {offer}"));
        Cause { document, version: None, text, quotes: Vec::new() }
    }

    fn traced(&self, item: &Item) -> Cited {
        let source = self.texts.get(&format!("project.sources.{}", item.evidence.source.name()));
        Cited { text: short(&item.text), source: source.to_owned(), evidence: Some(item.evidence.clone()) }
    }

    fn cited(&self, kind: Kind, text: &str) -> Option<Cited> {
        let text = Some(short(text)).filter(|text| !text.is_empty())?;
        Some(Cited { text, source: kind.display(self.texts).to_owned(), evidence: None })
    }

    fn number(&self, number: usize) -> String {
        count(u64::try_from(number).unwrap_or(u64::MAX), self.voice.language())
    }
}

fn short(text: &str) -> String {
    let text = tidy(&text.chars().take(LONGEST_QUOTE * 4).collect::<String>());
    if text.chars().count() <= LONGEST_QUOTE {
        return text;
    }
    text.chars().take(LONGEST_QUOTE - 1).chain(['…']).collect()
}
