//! Where a line of notes may go.

use serde::{Deserialize, Serialize};
use tata_language::named;

named! {
    /// A place for a line of notes.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Place {
        /// A requirement.
        Must = "must",
        /// Good to have.
        Good = "good",
        /// A task.
        Task = "task",
        /// A reason to choose the role.
        Reason = "reason",
        /// A personal quality.
        Trait = "trait",
        /// About the company.
        Company = "company",
        /// About the team.
        Team = "team",
        /// Pay.
        Pay = "pay",
        /// Where the work is done.
        Place = "place",
        /// A date.
        Date = "date",
        /// The form of employment, and its hours.
        Employment = "employment",
        /// A step of the recruitment.
        Process = "process",
        /// Whom to ask.
        Contact = "contact",
        /// What is hard about the role.
        Challenge = "challenge",
        /// How success is measured.
        Measure = "measure",
        /// Nowhere: the person leaves it out.
        Out = "out",
    }
}
