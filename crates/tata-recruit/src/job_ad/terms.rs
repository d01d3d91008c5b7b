//! The practical facts of an ad: terms, steps, last day, contact and the lines of the company.
//!
//! Code prints them, whoever wrote the sections around them: a candidate must find them, and find them once.

use tata_language::{Amount, tokens, values};

use super::{AdContact, Section, SectionName, compose::Composer, unworded::Line};
use crate::{
    Group, Item,
    profile::{written_pay, written_whole_pay},
    tidy,
    wording::author,
};

/// A contract of more words is a sentence that says other things as well.
const MOST_TERMS: usize = 14;

impl Composer<'_> {
    /// What a section says beside its own words. `written` are the sections that were handed over.
    pub(super) fn add_facts(&self, section: &mut Section, written: &[Section]) {
        let handed = |name: SectionName| written.iter().any(|one| one.name == name);
        match section.name {
            SectionName::TeamAndWhyGc => self.terms(section, handed(SectionName::TeamAndWhyGc)),
            SectionName::Process => self.steps(section),
            SectionName::Ending => self.closing(section, handed(SectionName::Ending)),
            SectionName::Headline
            | SectionName::Intro
            | SectionName::RoleDescription
            | SectionName::TheWhy
            | SectionName::Responsibilities
            | SectionName::Requirements
            | SectionName::SoftSkillsParagraph => {}
        }
    }

    /// Place, contract, agreement, start and pay.
    fn terms(&self, section: &mut Section, is_written: bool) {
        let mut points = Vec::new();
        let agreement = self.usable(self.material.profile.collective_agreement.as_ref());
        // The team as it is composed names the place of the profile itself.
        let place = if is_written { self.place() } else { None };
        let place = self.material.place.as_ref().map(|place| ("work_place", place)).or(place);
        let contract = self.material.contract.as_ref().map(|contract| ("contract_type", contract));
        let facts = [
            (key!("job_ad.facts.place"), place),
            (key!("job_ad.facts.contract"), contract),
            (key!("job_ad.facts.agreement"), agreement.map(|agreement| ("collective_agreement", agreement))),
        ];
        for (key, fact) in facts {
            let Some((source, item)) = fact else { continue };
            let is_contract = source == "contract_type";
            let is_long = is_contract && item.text.split_whitespace().count() > MOST_TERMS;
            if !is_long && !self.is_unworded(item, Line::Arrangement) {
                points.push(self.texts.say(key, &[("text", item.text.trim_end_matches('.'))]));
            } else {
                // "We need a manager, permanent, and I would like …": the term stands alone, the rest has to be worded.
                let terms = author::terms(&item.text, self.texts.language()).filter(|_| is_contract);
                points.extend(terms.map(|terms| self.texts.say(key, &[("text", &terms)])));
                points.push(self.unworded(item, section));
            }
            section.rests_on(source, [item]);
        }
        let starts = self.material.starts.iter().filter(|_| self.material.foreign.is_none());
        for start in starts {
            points.push(self.worded(start, Line::Arrangement, section));
            section.rests_on("dates", [start]);
        }
        if let Some(pay) = &self.material.pay {
            // What comes with it is in the words of the profile, which an ad in another language cannot have.
            let own = self.material.input.pay_range.is_some() || self.material.foreign.is_none();
            let text = if own { written_whole_pay(pay, self.texts) } else { written_pay(pay, self.texts) };
            points.push(self.texts.say(key!("job_ad.facts.pay"), &[("text", &text)]));
            section.prove("pay_range", &pay.evidence);
        }
        if !points.is_empty() {
            section.list(self.texts.get(key!("job_ad.facts.lead")), points);
        }
    }

    /// The steps, unless somebody wrote them as points.
    fn steps(&self, section: &mut Section) {
        if section.points.is_empty() {
            let steps = self.material.steps.iter();
            section.points = steps.map(|step| self.worded(step, Line::Arrangement, section)).collect();
            section.rests_on("process_steps", &self.material.steps);
        }
    }

    /// The last day, the contact, and what the company says to everybody.
    fn closing(&self, section: &mut Section, is_written: bool) {
        if let Some((date, evidence)) = self.material.apply_by.as_ref().filter(|_| is_written)
            && !self.names_day(&section.text, *date)
        {
            let date = self.texts.date(*date);
            section.say(&self.texts.say(key!("job_ad.facts.apply_by"), &[("date", &date)]));
            section.prove("apply_by", evidence);
        }
        if let Some(contact) = &self.material.contact {
            let given = self.material.input.contact.as_ref();
            if !given.is_some_and(|given| names_contact(&section.text, given)) {
                section.say(&self.frame(group!("job_ad.frames.contact"), &[("contact", &contact.text)]));
            }
            section.rests_on("contact", [contact]);
        }
        if self.material.input.accommodation_line.unwrap_or(true) {
            self.standing(section, group!("job_ad.frames.accommodation"));
        }
        if self.material.input.equal_opportunity_line == Some(true) {
            self.standing(section, group!("job_ad.frames.equal_opportunity"));
        }
    }

    /// A line of the company, unless a written section has taken it over.
    fn standing(&self, section: &mut Section, frame: Group) {
        if !self.variants(frame, &[]).iter().any(|line| section.text.contains(line)) {
            section.say(&self.frame(frame, &[]));
        }
    }

    /// Whether a text names this day.
    fn names_day(&self, text: &str, date: jiff::civil::Date) -> bool {
        let (month, day) = (date.month().unsigned_abs(), date.day().unsigned_abs());
        values(self.texts.language(), &tokens(text)).into_iter().any(|value| match value.amount {
            Amount::Date(said) => said.month == month && said.day == Some(day),
            Amount::Number(..) => false,
        })
    }

    /// Where the work is, with its source: as the recruiter says it, else as the profile does.
    pub(super) fn place(&self) -> Option<(&'static str, &Item)> {
        let team = &self.material.profile.team_info;
        let location = || Some(("team_info.location", self.usable(team.location.as_ref())?));
        self.material.place.as_ref().map(|place| ("work_place", place)).or_else(location)
    }
}

/// Whether a text names the contact with everything that was given.
fn names_contact(text: &str, contact: &AdContact) -> bool {
    let parts = [&contact.name, &contact.email, &contact.phone];
    let text = tidy(text);
    parts.into_iter().flatten().map(|part| tidy(part)).all(|part| text.contains(&part))
}
