//! The requirement profile: four must-haves, the tasks and what else the sources say, every statement traced.
//!
//! A model may hand over what it found; code finds each statement in its source or refuses it. Without a model the
//! sources are read by rule. Nothing is filled in: fewer than four must-haves are asked for, more than four are put to the
//! recruiter. A draft is confirmed by an explicit edit, and only such an edit changes a confirmed profile.

mod artifact;
mod create;
mod edit;
mod fields;
mod input;
mod letter;
mod lists;
mod pay;
mod readable;
mod reading;
mod render;
mod rivals;
mod sorting;
mod statements;
mod stored;
mod values;
mod withheld;

use std::sync::Arc;

use tata_core::{Tool, ToolNameError};

use crate::{Kind, acts, module::deciding, tool};

pub(crate) use artifact::MUST_HAVES;
pub use artifact::{PayPeriod, PayRange, Profile, ProfileStatus, Size, TeamInfo};
pub use create::create_requirement_profile;
pub use edit::edit_requirement_profile;
pub use input::{Enrichments, ListEdit, ProfileEdit, ProfileInput, Replacement, Said, TeamWish};
pub use lists::LISTS;
pub(crate) use lists::{List, named as named_lists};
pub(crate) use pay::{written as written_pay, written_whole as written_whole_pay};
pub(crate) use readable::readable;
pub(crate) use reading::{MOST_SORTED, cut, cut_to_sort, people};
pub use reading::{Requirements, read_requirements};
pub(crate) use render::render;
pub(crate) use rivals::{Holding, Rivals, rivals, settle};
pub(crate) use sorting::{passing, sorted};
pub use stored::of;
pub(crate) use stored::{form_context, needed, position};
pub(crate) use withheld::cleaned;

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![
        deciding(
            tool::CREATE_REQUIREMENT_PROFILE,
            "Makes the requirement profile of a role from the notes of the start-up meeting, and from an earlier ad and the \
             hiring manager's words if there are any: exactly four must-haves, the tasks and everything else the sources \
             say, each statement with its source. Call it as soon as the recruiter has given the notes. It refuses when \
             fewer than four must-haves can be found and asks which four when there are more; it never makes one up.",
            Kind::RequirementProfile,
            Kind::RequirementProfile.requires(),
            Some(acts::REPLACES_PROFILE),
            create_requirement_profile,
        )?,
        deciding(
            tool::EDIT_REQUIREMENT_PROFILE,
            "Confirms the requirement profile when the recruiter says it is right, or changes it as the recruiter says: \
             adds, removes or replaces statements, changes title, team or pay. The only way to change a confirmed profile. \
             Pass on the recruiter's own words.",
            Kind::RequirementProfile,
            &[Kind::RequirementProfile],
            Some(acts::EDITS_PROFILE),
            edit_requirement_profile,
        )?,
    ])
}
