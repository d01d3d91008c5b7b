//! Plain text: paragraphs are parted by blank lines.

use crate::{BlockKind, Format, ReadError, Reading, limits::Guard};

pub(super) fn read(text: &str, guard: &Guard) -> Result<Reading, ReadError> {
    let mut reading = Reading::new(Format::Text);
    let mut paragraph = String::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            reading.push(BlockKind::Paragraph, &paragraph, None);
            paragraph.clear();
            guard.entries(reading.blocks.len())?;
            guard.time()?;
            continue;
        }
        if !paragraph.is_empty() {
            paragraph.push('\n');
        }
        paragraph.push_str(line.trim_end().trim_matches('\0'));
    }
    reading.push(BlockKind::Paragraph, &paragraph, None);
    Ok(reading)
}
