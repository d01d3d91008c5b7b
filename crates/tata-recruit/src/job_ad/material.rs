//! Everything an ad may say: the profile, and what came with the call. All of it has its place in a source.

use jiff::{Timestamp, civil::Date};

use super::{JobAdInput, days::Days, practical, ready, title::Title};
use crate::{
    Country, Evidence, Item, Language, Notice, PayRange, Profile, Refusal, Source, Sources, Texts,
    clip::clipped, profile::written_whole_pay, same, tidy,
};

/// The most statements of the company context that are proposed at once.
const PROPOSALS: usize = 5;
/// The most statements of the company context that are looked at.
const MOST_STATEMENTS: usize = 2000;

/// What an ad may say.
pub(super) struct Material<'a> {
    pub(super) profile: &'a Profile,
    pub(super) input: &'a JobAdInput,
    pub(super) title: Title,
    /// The language of the profile, where it is not that of the ad: its free text stays out.
    pub(super) foreign: Option<Language>,
    pub(super) sources: Sources,
    pub(super) facts: Vec<Item>,
    pub(super) steps: Vec<Item>,
    pub(super) place: Option<Item>,
    pub(super) contract: Option<Item>,
    pub(super) contact: Option<Item>,
    pub(super) apply_by: Option<(Date, Evidence)>,
    /// The last day to apply, where it came with the call.
    pub(super) given_day: Option<Date>,
    /// When the work begins.
    pub(super) starts: Vec<Item>,
    /// Days of the profile that may be of no concern to candidates.
    pub(super) other_days: Vec<Item>,
    pub(super) pay: Option<PayRange>,
    /// Statements of the company context that nobody has approved.
    pub(super) proposals: Vec<String>,
    /// How many more there are.
    pub(super) more_proposals: usize,
}

impl Material<'_> {
    /// The country of the job; where nothing tells it, the one in which the profile's language is spoken.
    pub(super) fn country(&self) -> Country {
        let place = || Country::of_place(&self.place.as_ref()?.text);
        let country = self.profile.job_country().or_else(place);
        country.unwrap_or(Country::of_language(self.profile.written_in()))
    }
}

impl<'a> Material<'a> {
    /// Reads the input. What is wrong goes into the refusal, what was filtered into the notices.
    pub(super) fn gather(
        profile: &'a Profile,
        input: &'a JobAdInput,
        language: Language,
        now: Timestamp,
        own: &Texts,
        refusal: &mut Refusal,
        notices: &mut Vec<Notice>,
    ) -> Self {
        let mut clean = |field: &str, text: &str| {
            let (text, found) = without_module_letters(text);
            if found {
                let key = key!("job_ad.notice.module_names");
                notices.push(Notice::say(field, own, key, &[]));
            }
            text
        };
        let mut sources = profile.sources.clone();
        let given = [
            (Source::StartupNotes, "startup_notes", &input.startup_notes),
            (Source::OldJobAd, "old_job_ad", &input.old_job_ad),
        ];
        for (source, field, text) in given {
            let text = clean(field, text.as_deref().unwrap_or_default());
            let known = sources.get(source).is_some_and(|known| known.contains(text.trim()));
            if !text.trim().is_empty() && !known {
                sources.extend(source, &text);
            }
        }

        let facts = facts(input, &mut clean, &mut sources, own, refusal);
        let context = clean("company_context", input.company_context.as_deref().unwrap_or_default());
        let (proposals, more_proposals) = proposals(&context, &facts);
        let mut said =
            |field: &str, text: &str| sources.say(Source::RecruiterInput, &tidy(&clean(field, text)));
        let contact_line =
            input.contact.as_ref().and_then(|contact| practical::contact_line(contact, own, refusal));
        let apply_by = practical::apply_by(input.apply_by.as_deref().unwrap_or_default(), now, own, refusal);
        let pay = input.pay_range.as_ref().and_then(|pay| practical::pay(pay, own, refusal));
        let foreign = ready::content_language(profile).filter(|found| *found != language);
        let days = Days::of(profile, foreign.unwrap_or(language), now);
        let steps: Vec<Item> =
            input.process_steps.iter().filter_map(|step| said("process_steps", step)).collect();
        let contract = input.contract_type.as_deref().and_then(|text| said("contract_type", text));
        // What the profile says in another language stays out, as all of its free text does.
        let own_steps = || if foreign.is_none() { profile.process_steps.clone() } else { Vec::new() };
        let own_contract = || employment(profile).filter(|_| foreign.is_none());
        Self {
            profile,
            input,
            title: Title::of(&profile.position_title, language),
            foreign,
            facts,
            proposals,
            more_proposals,
            steps: if steps.is_empty() { own_steps() } else { steps },
            place: input.work_place.as_deref().and_then(|text| said("work_place", text)),
            contract: contract.or_else(own_contract),
            contact: contact_line.and_then(|line| said("contact", &line)),
            apply_by: apply_by
                .and_then(|date| Some((date, said("apply_by", &date.to_string())?.evidence)))
                .or(days.apply_by),
            given_day: apply_by,
            starts: days.starts,
            other_days: days.others,
            pay: match pay {
                Some(pay) => {
                    let evidence = said("pay_range", &written_whole_pay(&pay, own));
                    evidence.map(|item| PayRange { evidence: item.evidence, ..pay })
                }
                None => profile.pay_range.clone(),
            },
            sources,
        }
    }
}

/// The form of employment as the profile has it, on one line.
fn employment(profile: &Profile) -> Option<Item> {
    let first = profile.employment.first()?;
    let all: Vec<&str> = profile.employment.iter().map(|item| item.text.as_str()).collect();
    Some(Item { text: all.join(", "), evidence: first.evidence.clone() })
}

/// The facts the recruiter approved. One without a source is refused: somebody must be able to look it up.
fn facts(
    input: &JobAdInput,
    clean: &mut impl FnMut(&str, &str) -> String,
    sources: &mut Sources,
    own: &Texts,
    refusal: &mut Refusal,
) -> Vec<Item> {
    let mut facts: Vec<Item> = Vec::new();
    for fact in input.approved_company_facts.iter().filter(|fact| !fact.text.trim().is_empty()) {
        if tidy(&fact.source).is_empty() {
            let text = [("text", &*clipped(&tidy(&fact.text), 120))];
            refusal.say("approved_company_facts", own, key!("job_ad.refuse.fact_source"), &text);
            continue;
        }
        let text = clean("approved_company_facts", &fact.text);
        if !facts.iter().any(|known| same(&known.text, &text)) {
            facts.extend(sources.say(Source::CompanyContext, &tidy(&text)));
        }
    }
    facts
}

/// Statements of a text about the company that are not among the approved facts.
fn proposals(context: &str, facts: &[Item]) -> (Vec<String>, usize) {
    let mut found: Vec<String> = Vec::new();
    let mut more = 0;
    let lines = context.lines().map(|line| line.trim_start_matches(['*', '•', '-', '–', '#', ' ', '\t']));
    for statement in lines.flat_map(statements).take(MOST_STATEMENTS) {
        let statement = tidy(&statement);
        let approved = |fact: &Item| same(&fact.text, &statement) || fact.text.contains(&statement);
        let known = found.contains(&statement) || facts.iter().any(approved);
        if known || statement.split_whitespace().count() < 3 {
            continue;
        }
        if found.len() < PROPOSALS {
            found.push(clipped(&statement, 300));
        } else {
            more += 1;
        }
    }
    (found, more)
}

/// The sentences of a line.
pub(super) fn statements(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ends = |word: &&str| word.ends_with(['.', '!', '?']) && word.chars().count() > 4;
    words.split_inclusive(ends).map(|statement| statement.join(" ")).collect()
}

/// A text without "Module A" and its like, everything else untouched; and whether there was one.
pub(super) fn without_module_letters(text: &str) -> (String, bool) {
    let (mut out, mut after) = (String::with_capacity(text.len()), 0);
    for (at, letter) in text.char_indices() {
        if at < after {
            continue;
        }
        let (before, rest) = text.split_at(at);
        let opens = !before.ends_with(char::is_alphanumeric);
        match opens.then(|| module_letter(rest)).flatten() {
            Some(length) => after = at + length,
            None => out.push(letter),
        }
    }
    (out, after > 0)
}

/// How many bytes at the start of a text name a module by its letter.
fn module_letter(text: &str) -> Option<usize> {
    let starts = |name: &&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let rest = text.get(["module", "modul"].into_iter().find(starts)?.len()..)?;
    let letter = rest.trim_start_matches([' ', '\t', '\u{A0}']);
    let mut letters = letter.chars();
    let named = letters.next().is_some_and(|letter| matches!(letter.to_ascii_uppercase(), 'A'..='J'));
    let whole = !letters.next().is_some_and(char::is_alphanumeric);
    (letter.len() < rest.len() && named && whole).then(|| text.len() - letter.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_names_go_and_blanks_stay() {
        let check = |text: &str, wanted: &str| {
            assert_eq!(without_module_letters(text).0, wanted, "{text:?}");
        };
        check("Use  Module A for this\n\tplease", "Use   for this\n\tplease");
        check("MODULE  j.", ".");
        check("Modul B und Modulbau", " und Modulbau");
        check("Submodule A, module about, module K", "Submodule A, module about, module K");
        check("Modulé A module", "Modulé A module");
    }

    #[test]
    fn what_was_said_has_its_place() {
        let mut sources = Sources::default();
        for text in ["permanent,  full\ntime", "Köln 🚀 Büro", " \u{0} "] {
            if let Some(item) = sources.say(Source::RecruiterInput, &tidy(text)) {
                assert!(item.holds(&sources), "{item:?}");
            }
        }
        assert_eq!(sources.get(Source::RecruiterInput), Some("permanent, full time\nKöln Büro"));
    }
}
