//! The figures of a funnel, from the fields of a request and from a pasted table.

use std::collections::BTreeMap;

use super::{
    input::Input,
    numbers::{MOST, Tenths, count},
    stage::{FunnelStage, Lane},
};
use crate::{Notice, Refusal, Texts, Voice};

/// The most days a stage or a position can take: beyond lies a typing error.
pub(super) const MOST_DAYS: u32 = 10_000;

/// What is known. An absent stage is not in it; a zero is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Data {
    pub(super) counts: BTreeMap<FunnelStage, u64>,
    pub(super) days: BTreeMap<FunnelStage, Tenths>,
    pub(super) offers_rejected: Option<u64>,
    pub(super) linkedin_accepted: Option<u64>,
    pub(super) linkedin_declined: Option<u64>,
    pub(super) time_to_fill: Option<Tenths>,
}

impl Data {
    /// What the fields say; what they cannot mean is refused.
    pub(super) fn of(input: &Input, refusal: &mut Refusal, texts: &Texts) -> Self {
        let mut data = Self::default();
        let mut limit = |field: String, number: Option<u64>| {
            if number.is_some_and(|number| number > MOST) {
                refuse_count(refusal, &field, texts, "too_big");
            }
            number.filter(|number| *number <= MOST)
        };
        for (stage, number) in input.counts() {
            if let Some(number) = limit(stage.field(), number) {
                data.counts.insert(stage, number);
            }
        }
        data.offers_rejected = limit("process.offers_rejected".to_owned(), input.process.offers_rejected);
        data.linkedin_accepted = limit("sourcing.accepted".to_owned(), input.sourcing.accepted);
        data.linkedin_declined = limit("sourcing.declined".to_owned(), input.sourcing.declined);
        for (stage, days) in input.time.days() {
            if let Some(days) = read_days(&format!("time.{}", stage.name()), days, refusal, texts) {
                data.days.insert(stage, days);
            }
        }
        data.time_to_fill = read_days("time.time_to_fill", input.time.time_to_fill, refusal, texts);
        data
    }

    /// Adds what a table says. The fields are believed more: somebody has read the table to fill them.
    pub(super) fn add(&mut self, table: Self, notices: &mut Vec<Notice>, texts: &Texts, voice: Voice) {
        for (stage, number) in table.counts {
            let known = *self.counts.entry(stage).or_insert(number);
            if known != number {
                let language = voice.language();
                let values = [
                    ("stage", stage.display(texts)),
                    ("field", &count(known, language)),
                    ("table", &count(number, language)),
                ];
                notices.push(Notice::new(stage.field(), texts.say("funnel.notices.two_counts", &values)));
            }
        }
        for (stage, days) in table.days {
            self.days.entry(stage).or_insert(days);
        }
        self.offers_rejected = self.offers_rejected.or(table.offers_rejected);
        self.linkedin_accepted = self.linkedin_accepted.or(table.linkedin_accepted);
        self.linkedin_declined = self.linkedin_declined.or(table.linkedin_declined);
        self.time_to_fill = self.time_to_fill.or(table.time_to_fill);
    }

    /// LinkedIn's words in ours: accepted is interested, accepted and declined together are the replies.
    pub(super) fn translate_linkedin(&mut self, notices: &mut Vec<Notice>, texts: &Texts) {
        let (accepted, declined) = (self.linkedin_accepted.take(), self.linkedin_declined.take());
        let replies = accepted.zip(declined).and_then(|(yes, no)| yes.checked_add(no));
        let mut derive = |stage: FunnelStage, number: Option<u64>| {
            let Some(number) = number.filter(|number| *number <= MOST) else { return };
            if *self.counts.entry(stage).or_insert(number) != number {
                let values = [("stage", stage.display(texts))];
                notices
                    .push(Notice::new(stage.field(), texts.say("funnel.notices.linkedin_differs", &values)));
            }
        };
        derive(FunnelStage::Interested, accepted);
        derive(FunnelStage::Replied, replies);
        match (accepted, declined) {
            (None, Some(_)) => {
                let text = texts.get("funnel.notices.linkedin_declined_only");
                notices.push(Notice::new("sourcing.declined", text));
            }
            (Some(_), None) if !self.counts.contains_key(&FunnelStage::Replied) => {
                let text = texts.get("funnel.notices.linkedin_accepted_only");
                notices.push(Notice::new("sourcing.accepted", text));
            }
            (None, None) | (Some(_), _) => {}
        }
    }

    /// The stages of a lane that are known.
    pub(super) fn lane(&self, lane: Lane) -> impl DoubleEndedIterator<Item = (FunnelStage, u64)> {
        self.counts
            .iter()
            .map(|(stage, number)| (*stage, *number))
            .filter(move |(stage, _)| stage.lane() == lane)
    }

    /// Whether a lane is known at all.
    pub(super) fn has(&self, lane: Lane) -> bool {
        self.lane(lane).next().is_some()
    }
}

/// Refuses a count that cannot be: `why` is negative, fraction or too_big.
pub(super) fn refuse_count(refusal: &mut Refusal, field: &str, texts: &Texts, why: &str) {
    let message = texts.say(&format!("funnel.refusals.{why}"), &[("name", display(field, texts))]);
    refusal.add(field, message, texts.get("funnel.refusals.count_way_out"));
}

fn read_days(field: &str, days: Option<f64>, refusal: &mut Refusal, texts: &Texts) -> Option<Tenths> {
    let given = days?;
    let days = Tenths::of(given, MOST_DAYS);
    if days.is_none() {
        refuse_days(refusal, field, texts);
    }
    days
}

/// Refuses days that cannot be.
pub(super) fn refuse_days(refusal: &mut Refusal, field: &str, texts: &Texts) {
    let most = MOST_DAYS.to_string();
    let values = [("name", display(field, texts)), ("most", most.as_str())];
    let message = texts.say("funnel.refusals.days", &values);
    refusal.add(field, message, texts.get("funnel.refusals.days_way_out"));
}

/// A field as people call it.
fn display<'a>(field: &str, texts: &'a Texts) -> &'a str {
    let name = field.rsplit('.').next().unwrap_or(field);
    let stage = texts.get(&format!("funnel.stages.{name}"));
    if stage.is_empty() { texts.get(&format!("funnel.others.{name}")) } else { stage }
}
