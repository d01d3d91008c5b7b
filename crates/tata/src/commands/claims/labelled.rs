//! Labelled sentences, and how well `check` does on them. `tests/claims/README.md` of tata-language has the format; its
//! tests and its bench read them by this file, too.

use tata_language::{Language, claims::check};

/// A sentence with its sources and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labelled {
    /// The line in its file.
    pub(crate) line: usize,
    /// Name and text of each source.
    pub(crate) sources: Vec<(String, String)>,
    /// What was done to it: "synonym", "changed-number".
    pub(crate) kind: String,
    /// Whether the sources say it.
    pub(crate) honest: bool,
    /// The sentence.
    pub(crate) text: String,
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The line.
    pub(crate) line: usize,
    /// What is wrong with it.
    pub(crate) what: &'static str,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Broken {}

/// A sentence that was judged wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The sentence.
    pub(crate) labelled: Labelled,
    /// What was found unproven in it; empty for one that slipped through.
    pub(crate) unproven: Vec<String>,
}

/// How many were judged rightly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// Unsupported sentences.
    pub(crate) unsupported: usize,
    /// Of these, those found.
    pub(crate) caught: usize,
    /// Honest sentences.
    pub(crate) honest: usize,
    /// Of these, those left alone.
    pub(crate) left_alone: usize,
    /// All others.
    pub(crate) mistakes: Vec<Mistake>,
}

impl Measured {
    /// The share of unsupported sentences that were caught.
    pub(crate) fn caught_share(&self) -> f64 {
        share(self.caught, self.unsupported)
    }

    /// The share of honest sentences that were left alone.
    pub(crate) fn left_alone_share(&self) -> f64 {
        share(self.left_alone, self.honest)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of labelled sentences are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Reads a file of labelled sentences.
pub(crate) fn read_labelled(text: &str) -> Result<Vec<Labelled>, Broken> {
    let mut found = Vec::new();
    let mut sources: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        let broken = |what| Broken { line: at + 1, what };
        let label = line.strip_prefix("ok: ").map(|rest| (true, rest));
        let label = label.or_else(|| line.strip_prefix("bad: ").map(|rest| (false, rest)));
        if let Some((honest, rest)) = label {
            let Some((kind, text)) = rest.split_once(" | ") else {
                return Err(broken("a labelled line is `ok: kind | sentence` or `bad: kind | sentence`"));
            };
            if sources.is_empty() {
                return Err(broken("a sentence needs a source before it: `@ name`, then its text"));
            }
            open = false;
            let (kind, text) = (kind.trim().to_owned(), text.trim().to_owned());
            found.push(Labelled { line: at + 1, sources: sources.clone(), kind, honest, text });
        } else if line.starts_with("== ") {
            sources.clear();
            open = false;
        } else if let Some(name) = line.strip_prefix("@ ") {
            sources.push((name.trim().to_owned(), String::new()));
            open = true;
        } else if let Some((_, text)) = sources.last_mut().filter(|_| open) {
            text.push_str(line);
            text.push('\n');
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            return Err(broken(
                "belongs to no source; a case begins with `== title`, a source with `@ name`",
            ));
        }
    }
    Ok(found)
}

/// Judges labelled sentences.
pub(crate) fn measure(language: Language, all: &[Labelled]) -> Measured {
    let mut measured = Measured::default();
    for labelled in all {
        let sources: Vec<(&str, &str)> =
            labelled.sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let checked = check(language, &labelled.text, &sources);
        let unproven: Vec<String> = checked
            .iter()
            .flat_map(|sentence| &sentence.unproven)
            .map(|part| format!("{} ({})", part.text, part.reason.explained()))
            .collect();
        let right = unproven.is_empty() == labelled.honest;
        if labelled.honest {
            measured.honest += 1;
            measured.left_alone += usize::from(right);
        } else {
            measured.unsupported += 1;
            measured.caught += usize::from(right);
        }
        if !right {
            measured.mistakes.push(Mistake { labelled: labelled.clone(), unproven });
        }
    }
    measured
}
