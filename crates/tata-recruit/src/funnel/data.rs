//! The figures of a funnel, from the fields of a request and from a pasted table.

use std::collections::BTreeMap;

use super::{
    input::Input,
    numbers::{MOST, Tenths},
    stage::{FunnelStage, Lane},
    target::{Other, Target},
};
use crate::{Key, Notice, Refusal, Texts};

/// The most days a stage or a position can take: beyond lies a typing error.
pub(super) const MOST_DAYS: u32 = 10_000;

/// What is known. An absent figure is not in it; a zero is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Data {
    /// How many reached each stage, and the counts that are no stage.
    pub(super) counts: BTreeMap<Target, u64>,
    /// The days of each stage, and of the whole.
    pub(super) days: BTreeMap<Target, Tenths>,
}

impl Data {
    /// What the fields say; what they cannot mean is refused.
    pub(super) fn of(input: &Input, refusal: &mut Refusal, texts: &Texts) -> Self {
        let mut data = Self::default();
        let blocks = input.blocks();
        let counts = Target::counts().into_iter().filter(|target| !target.is_days());
        for target in counts.chain(Target::days()) {
            let (block, name) = target.field();
            let given = &blocks[block][name];
            if let Some(days) = given.as_f64().filter(|_| target.is_days()) {
                match Tenths::of(days, MOST_DAYS) {
                    Some(days) => drop(data.days.insert(target, days)),
                    None => refuse(refusal, target, texts, key!("funnel.refusals.days")),
                }
            } else if let Some(number) = given.as_u64() {
                if number <= MOST {
                    data.counts.insert(target, number);
                } else {
                    refuse(refusal, target, texts, key!("funnel.refusals.too_big"));
                }
            }
        }
        data
    }

    /// Adds what a table says. The fields are believed more: somebody has read the table to fill them.
    pub(super) fn add(&mut self, table: Self, notices: &mut Vec<Notice>, texts: &Texts) {
        for (target, number) in table.counts {
            let known = *self.counts.entry(target).or_insert(number);
            if let Target::Count(stage) = target
                && known != number
            {
                let values = [
                    ("stage", stage.display(texts)),
                    ("field", &texts.count(known)),
                    ("table", &texts.count(number)),
                ];
                notices.push(Notice::say(stage.field(), texts, key!("funnel.notices.two_counts"), &values));
            }
        }
        for (target, days) in table.days {
            self.days.entry(target).or_insert(days);
        }
    }

    /// LinkedIn's words in ours: accepted is interested, accepted and declined together are the replies.
    pub(super) fn translate_linkedin(&mut self, notices: &mut Vec<Notice>, texts: &Texts) {
        let mut take = |other| self.counts.remove(&Target::Other(other));
        let (accepted, declined) = (take(Other::LinkedinAccepted), take(Other::LinkedinDeclined));
        let replies = accepted.zip(declined).and_then(|(yes, no)| yes.checked_add(no));
        let mut derive = |stage: FunnelStage, number: Option<u64>| {
            let Some(number) = number.filter(|number| *number <= MOST) else { return };
            if *self.counts.entry(Target::Count(stage)).or_insert(number) != number {
                let (key, values) =
                    (key!("funnel.notices.linkedin_differs"), [("stage", stage.display(texts))]);
                notices.push(Notice::say(stage.field(), texts, key, &values));
            }
        };
        derive(FunnelStage::Interested, accepted);
        derive(FunnelStage::Replied, replies);
        if accepted.is_none() && declined.is_some() {
            let key = key!("funnel.notices.linkedin_declined_only");
            notices.push(Notice::say("sourcing.declined", texts, key, &[]));
        }
        if accepted.is_some() && declined.is_none() && self.count(FunnelStage::Replied).is_none() {
            let key = key!("funnel.notices.linkedin_accepted_only");
            notices.push(Notice::say("sourcing.accepted", texts, key, &[]));
        }
    }

    /// The stages of a lane that are known.
    pub(super) fn lane(&self, lane: Lane) -> impl DoubleEndedIterator<Item = (FunnelStage, u64)> {
        let stages = FunnelStage::ALL.into_iter().filter(move |stage| stage.lane() == lane);
        stages.filter_map(|stage| Some((stage, self.count(stage)?)))
    }

    /// How many reached a stage.
    pub(super) fn count(&self, stage: FunnelStage) -> Option<u64> {
        self.counts.get(&Target::Count(stage)).copied()
    }

    /// How many offers were declined.
    pub(super) fn offers_rejected(&self) -> Option<u64> {
        self.counts.get(&Target::Other(Other::OffersRejected)).copied()
    }

    /// How many days a stage takes.
    pub(super) fn days(&self, stage: FunnelStage) -> Option<Tenths> {
        self.days.get(&Target::Days(stage)).copied()
    }

    /// Whether a lane is known at all.
    pub(super) fn has(&self, lane: Lane) -> bool {
        self.lane(lane).next().is_some()
    }
}

/// Refuses a figure that cannot be: `why` is negative, fraction, too_big or days.
pub(super) fn refuse(refusal: &mut Refusal, target: Target, texts: &Texts, why: Key) {
    let (block, field) = target.field();
    let name = match target {
        Target::Days(stage) => stage.display(texts).to_owned(),
        Target::Count(_) | Target::Other(_) | Target::Column(_) | Target::Ignore => target.display(texts),
    };
    let values = [("name", &*name), ("most", &*MOST_DAYS.to_string())];
    let message = texts.say(why, &values);
    let kind = if target.is_days() { "days" } else { "count" };
    let way_out = texts.get(group!("funnel.refusals").key(format_args!("{kind}_way_out")));
    refusal.add(format!("{block}.{field}"), message, way_out);
}
