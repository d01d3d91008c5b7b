//! What a row, a column or a figure of a table can be.

use tata_language::named;

use super::{
    fold,
    stage::{FunnelStage, Lane},
};
use crate::{Texts, Voice};

/// What a name of a table stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// How many reached a stage.
    Count(FunnelStage),
    /// How many days a stage takes.
    Days(FunnelStage),
    /// A figure that is no stage.
    Other(Other),
    /// A column of a table with one stage per row.
    Column(Column),
    /// Not to be read.
    Ignore,
}

named! {
    /// A figure that is no stage.
    pub(super) enum Other {
        /// Offers that were declined.
        OffersRejected = "offers_rejected",
        /// LinkedIn: messages that were accepted.
        LinkedinAccepted = "linkedin_accepted",
        /// LinkedIn: messages that were declined.
        LinkedinDeclined = "linkedin_declined",
        /// Days until the position is filled.
        TimeToFill = "time_to_fill",
    }
}

named! {
    /// A column of a table with one stage per row.
    pub(super) enum Column {
        /// It names the stages.
        Stage = "stage_column",
        /// It counts.
        Count = "count_column",
        /// It has the days.
        Days = "days_column",
    }
}

impl Target {
    /// What a row or a figure can count.
    pub(super) fn counts() -> Vec<Self> {
        let stages = FunnelStage::ALL.into_iter().map(Self::Count);
        stages.chain(Other::ALL.into_iter().map(Self::Other)).chain([Self::Ignore]).collect()
    }

    /// What days can be about.
    pub(super) fn days() -> Vec<Self> {
        let stages = FunnelStage::ALL.into_iter().map(Self::Days);
        stages.chain([Self::Other(Other::TimeToFill), Self::Ignore]).collect()
    }

    /// What a column of numbers beside a column of stages can be.
    pub(super) fn columns() -> [Self; 3] {
        [Self::Column(Column::Count), Self::Column(Column::Days), Self::Ignore]
    }

    /// The count that people call so, in whatever language: a name that equals one of the choices is that choice.
    pub(super) fn called(name: &str) -> Option<Self> {
        let counts = Self::counts().into_iter().filter(|target| *target != Self::Ignore);
        Self::first_called(counts, name)
    }

    /// The target that an answer means: by its name, or by what people call it. A refusal offers only the latter.
    pub(super) fn answered(answer: &str) -> Option<Self> {
        let all = [Self::counts(), Self::days(), Self::columns().to_vec(), Self::stages_or_not()].concat();
        Self::find(answer).or_else(|| Self::first_called(all.into_iter(), answer))
    }

    fn first_called(mut targets: impl Iterator<Item = Self>, name: &str) -> Option<Self> {
        let plain = |name: &str| fold::words(name).join(" ");
        let wanted = plain(name);
        targets.find(|target| {
            Voice::ALL.into_iter().any(|voice| plain(&target.display(Texts::of(voice))) == wanted)
        })
    }

    /// The lane it belongs to.
    pub(super) fn lane(self) -> Option<Lane> {
        match self {
            Self::Count(stage) | Self::Days(stage) => Some(stage.lane()),
            Self::Other(Other::OffersRejected) => Some(Lane::Process),
            Self::Other(Other::LinkedinAccepted | Other::LinkedinDeclined) => Some(Lane::Sourcing),
            Self::Other(Other::TimeToFill) | Self::Column(_) | Self::Ignore => None,
        }
    }

    /// What a column that may name the stages can be.
    pub(super) fn stages_or_not() -> Vec<Self> {
        vec![Self::Column(Column::Stage), Self::Ignore]
    }

    /// Its name in JSON.
    pub(super) fn name(self) -> String {
        match self {
            Self::Count(stage) => stage.name().to_owned(),
            Self::Days(stage) => format!("days_in_{}", stage.name()),
            Self::Other(other) => other.name().to_owned(),
            Self::Column(column) => column.name().to_owned(),
            Self::Ignore => "ignore".to_owned(),
        }
    }

    /// The one with a name.
    pub(super) fn find(name: &str) -> Option<Self> {
        let days = || name.strip_prefix("days_in_").and_then(FunnelStage::find).map(Self::Days);
        let other = || Other::find(name).map(Self::Other);
        let column = || Column::find(name).map(Self::Column);
        let ignore = || (name == "ignore").then_some(Self::Ignore);
        FunnelStage::find(name).map(Self::Count).or_else(days).or_else(other).or_else(column).or_else(ignore)
    }

    /// The block of an input that gives it, and the field.
    pub(super) fn field(self) -> (&'static str, &'static str) {
        match self {
            Self::Count(stage) => (stage.lane().name(), stage.name()),
            Self::Days(stage) => ("time", stage.name()),
            Self::Other(Other::OffersRejected) => ("process", "offers_rejected"),
            Self::Other(Other::LinkedinAccepted) => ("sourcing", "accepted"),
            Self::Other(Other::LinkedinDeclined) => ("sourcing", "declined"),
            Self::Other(Other::TimeToFill) => ("time", "time_to_fill"),
            // What is no figure is said of a table only.
            Self::Column(_) | Self::Ignore => ("mapping", ""),
        }
    }

    /// Whether it is measured in days.
    pub(super) fn is_days(self) -> bool {
        self.field().0 == "time"
    }

    /// Whether it is a figure of the funnel.
    pub(super) fn is_figure(self) -> bool {
        !matches!(self, Self::Column(_) | Self::Ignore)
    }

    /// As people call it.
    pub(super) fn display(self, texts: &Texts) -> String {
        match self {
            Self::Count(stage) => stage.display(texts).to_owned(),
            Self::Days(stage) => {
                texts.say(key!("funnel.mapping.days_in"), &[("stage", stage.display(texts))])
            }
            Self::Other(_) => texts.get(group!("funnel.others").key(self.field().1)).to_owned(),
            Self::Column(column) => texts.get(group!("funnel.mapping").key(column.name())).to_owned(),
            Self::Ignore => texts.get(key!("funnel.mapping.ignore")).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_found_by_its_name() {
        let all = [Target::counts(), Target::days(), Target::columns().to_vec()].concat();
        for target in all {
            assert_eq!(Target::find(&target.name()), Some(target));
        }
        assert_eq!(Target::find("horoscope"), None);
    }

    #[test]
    fn every_target_is_found_by_what_people_call_it() {
        let all = [Target::counts(), Target::days(), Target::columns().to_vec()].concat();
        for voice in Voice::ALL {
            for target in &all {
                let shown = target.display(Texts::of(voice));
                assert_eq!(Target::answered(&shown), Some(*target), "{shown}");
            }
        }
        assert_eq!(Target::answered("horoscope"), None);
    }
}
