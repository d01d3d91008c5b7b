//! Where a line of notes may go.

use serde::{Deserialize, Serialize};

/// A place for a line of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A requirement.
    Must,
    /// Good to have.
    Good,
    /// A task.
    Task,
    /// A reason to choose the role.
    Reason,
    /// A personal quality.
    Trait,
    /// About the company.
    Company,
    /// About the team.
    Team,
    /// Pay.
    Pay,
    /// Where the work is done.
    Place,
    /// A date.
    Date,
    /// Whom to ask.
    Contact,
    /// What is hard about the role.
    Challenge,
    /// How success is measured.
    Measure,
    /// Nowhere: the person leaves it out.
    Out,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Must,
        Self::Good,
        Self::Task,
        Self::Reason,
        Self::Trait,
        Self::Company,
        Self::Team,
        Self::Pay,
        Self::Place,
        Self::Date,
        Self::Contact,
        Self::Challenge,
        Self::Measure,
        Self::Out,
    ];

    /// Its name in files and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Good => "good",
            Self::Task => "task",
            Self::Reason => "reason",
            Self::Trait => "trait",
            Self::Company => "company",
            Self::Team => "team",
            Self::Pay => "pay",
            Self::Place => "place",
            Self::Date => "date",
            Self::Contact => "contact",
            Self::Challenge => "challenge",
            Self::Measure => "measure",
            Self::Out => "out",
        }
    }

    /// The place with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.name() == name)
    }
}
