//! To be written.

mod artifact;

use std::sync::Arc;

use tata_core::{Tool, ToolNameError};

pub use artifact::*;

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(Vec::new())
}
