//! The charts of a document as one picture.

use super::WriteError;
use crate::{Document, render::pictures};

/// Writes them, if there are any.
pub(super) fn write(document: &Document) -> Result<String, WriteError> {
    pictures(document).ok_or(WriteError::Nothing { what: "chart", format: "svg" })
}
