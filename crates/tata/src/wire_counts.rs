//! How calls and results found each other on the wire, over all runs of this program: `tata doctor` prints it.

use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Seek as _, Write as _},
    path::Path,
};

use tata_llm::{Counts, Metrics};

/// The file in the folder for state.
const FILE: &str = "wire-counts.json";

/// Adds what this process counted, and writes it to the log. Counting is no reason to fail.
pub(crate) fn keep(folder: &Path) {
    let counts = Metrics::of_process();
    if counts.requests == 0 {
        return;
    }
    tracing::info!(
        requests = counts.requests,
        retries = counts.retries,
        call_ids_extracted = counts.call_ids_extracted,
        call_ids_failed = counts.call_ids_failed,
        call_id_fallbacks = counts.call_id_fallbacks,
        results_correlated = counts.results_correlated,
        results_uncorrelated = counts.results_uncorrelated,
        "what went over the wire"
    );
    if let Err(error) = add(&folder.join(FILE), counts) {
        tracing::warn!(error = error.to_string(), "the counts of the wire were not kept");
    }
}

/// What all runs counted; none if there is nothing yet, or nothing that can be read.
pub(crate) fn total(folder: &Path) -> Option<Counts> {
    let text = std::fs::read_to_string(folder.join(FILE)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Several programs may end at once: one adds after the other.
fn add(path: &Path, counts: Counts) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(path)?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let before: Counts = serde_json::from_str(&text).unwrap_or_default();
    let text = serde_json::to_string(&before.plus(counts))?;
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}
