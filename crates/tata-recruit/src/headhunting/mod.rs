//! To be written.

use std::sync::Arc;

use tata_core::{Tool, ToolNameError};

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(Vec::new())
}
