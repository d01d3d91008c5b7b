//! Reads small files of each format, and hostile ones; writes documents and reads them back.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
#![expect(clippy::format_collect, reason = "texts for tests are made as they read best")]

mod files;
mod formats;
mod hostile;
mod ics;
mod properties;
mod render;
mod samples;
mod sheets;
mod transcripts;
mod write;
