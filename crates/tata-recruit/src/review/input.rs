//! The text that is to be reviewed, and the language it is in.

use std::borrow::Cow;

use tata_language::identify::identify_words;
use tata_phrases::{Word, spelled};

use crate::{Country, Language, Notice, Project, Refusal, job_ad};

/// A text to be reviewed.
pub(crate) struct ReviewedText<'a> {
    pub(crate) words: Vec<Word<'a>>,
    pub(crate) language: Language,
    pub(crate) detected: Option<Language>,
    pub(crate) notices: Vec<Notice>,
}

/// How sure a guess must be to be told.
const SURE: f32 = 0.6;

/// What was given, or the ad of the project. Nothing of it is changed.
pub(crate) fn given_text<'a>(given: Option<&'a str>, project: &Project) -> Result<Cow<'a, str>, Refusal> {
    if let Some(text) = given.filter(|text| text.chars().any(char::is_alphanumeric)) {
        return Ok(Cow::Borrowed(text));
    }
    let ad = if given.is_none_or(|text| text.trim().is_empty()) { job_ad::text(project) } else { None };
    let none = || Refusal::saying("job_ad_text", project.texts(), key!("review.refuse.text"), &[]);
    ad.map(Cow::Owned).ok_or_else(none)
}

/// The country of the job in an ad: as the recruiter named it, as the project tells it, else the one that the ad speaks of.
/// Where nobody knows, the one in which its language is spoken.
pub(crate) fn country(given: Option<Country>, text: &str, language: Language, project: &Project) -> Country {
    let known = given.or_else(|| job_ad::country(project)).or_else(|| Country::of_text(text));
    known.unwrap_or(Country::of_language(language))
}

/// The words of a text, and which language they are in: the project's if nobody can tell.
pub(crate) fn reviewed<'a>(
    text: &'a str,
    wish: Option<&str>,
    short: usize,
    project: &Project,
) -> Result<ReviewedText<'a>, Refusal> {
    let texts = project.texts();
    let mut refusal = Refusal::default();
    refusal.check_length("job_ad_text", text, texts);
    refusal.or_ok()?;
    let mut notices = Vec::new();
    if text.chars().count() < short {
        notices.push(Notice::say("job_ad_text", texts, key!("review.short"), &[]));
    }
    let words = spelled(text);
    let detected =
        identify_words(&words).filter(|found| found.confidence >= SURE).map(|found| found.language);
    let fallback = detected.unwrap_or(project.voice().language());
    let language = match wish.map(str::trim).filter(|wish| !wish.is_empty()) {
        None => fallback,
        Some(wish) => Language::wished(wish).unwrap_or_else(|| {
            let key = key!("project.unsupported_language");
            notices.push(Notice::say("language", texts, key, &[("language", wish)]));
            fallback
        }),
    };
    if let Some(detected) = detected.filter(|detected| *detected != language) {
        let values = [("found", texts.language_name(detected)), ("wanted", texts.language_name(language))];
        notices.push(Notice::say("language", texts, key!("review.mismatch"), &values));
    }
    Ok(ReviewedText { words, language, detected, notices })
}
