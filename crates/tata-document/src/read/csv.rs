//! Rows of values as text.

use super::sheet::separated;
use crate::{Format, ReadError, Reading, limits::Guard};

pub(super) fn read(text: &str, tabs: bool, guard: &Guard) -> Result<Reading, ReadError> {
    let mut reading = Reading::new(Format::Csv);
    separated(text, tabs, guard)?.tell(&mut reading, guard)?;
    Ok(reading)
}
