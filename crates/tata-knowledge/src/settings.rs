//! The retrieval section of an agent: this crate parses it, nobody else knows its keys.

use serde::Deserialize;
use serde_saphyr::Spanned;
use tata_core::{FileError, from_yaml};

use crate::{Fusion, KnowledgeError};

/// The most results of one search.
pub const MOST_RESULTS: usize = 20;

/// How an agent searches.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrievalSettings {
    /// Results of one search, 1..20.
    pub top_k_retrieval: usize,
    /// The score below which nothing is shown, 0..1.
    pub retrieval_score_threshold: f32,
    /// The collection.
    pub collection_name: String,
    /// The server that has the collection, where it is another one than the program's.
    pub qdrant_url: Option<String>,
    /// The most results of one document; 0 for any number.
    pub per_url: usize,
    /// How words and meaning become one ranking.
    pub fusion: Fusion,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            top_k_retrieval: 5,
            retrieval_score_threshold: 0.3,
            collection_name: "web_documents".to_owned(),
            qdrant_url: None,
            per_url: 3,
            fusion: Fusion::default(),
        }
    }
}

/// An agent's file as far as it is about searching.
#[derive(Default, Deserialize)]
#[serde(default)]
struct AgentFile {
    retrieval: Section,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Section {
    #[serde(alias = "top_k_retrieval")]
    top_k: Option<Spanned<usize>>,
    #[serde(alias = "retrieval_score_threshold")]
    score_threshold: Option<Spanned<f32>>,
    #[serde(alias = "collection_name")]
    collection: Option<Spanned<String>>,
    qdrant_url: Option<Spanned<String>>,
    per_url: Option<usize>,
    fusion: Option<Fusion>,
}

impl RetrievalSettings {
    /// Reads the section of an agent's file; a file without one has the usual settings. Every bad value is named with its
    /// line and its range.
    pub fn of_agent(path: &str, text: &str) -> Result<Self, Vec<FileError>> {
        let file: AgentFile = from_yaml(path, text).map_err(|error| vec![error.without_secret()])?;
        let Section { top_k, score_threshold, collection, qdrant_url, per_url, fusion } = file.retrieval;
        let lines = [
            ("top_k_retrieval", top_k.as_ref().map(|value| value.referenced.line())),
            ("retrieval_score_threshold", score_threshold.as_ref().map(|value| value.referenced.line())),
            ("collection_name", collection.as_ref().map(|value| value.referenced.line())),
            ("qdrant_url", qdrant_url.as_ref().map(|value| value.referenced.line())),
        ];
        let usual = Self::default();
        let settings = Self {
            top_k_retrieval: top_k.map_or(usual.top_k_retrieval, |value| value.value),
            retrieval_score_threshold: score_threshold
                .map_or(usual.retrieval_score_threshold, |value| value.value),
            collection_name: collection.map_or(usual.collection_name, |value| value.value),
            qdrant_url: qdrant_url.map(|value| value.value),
            per_url: per_url.unwrap_or(usual.per_url),
            fusion: fusion.unwrap_or(usual.fusion),
        };
        let problems: Vec<FileError> = settings
            .problems()
            .into_iter()
            .map(|(field, problem)| FileError {
                path: path.to_owned(),
                line: lines.iter().find(|(name, _)| *name == field).and_then(|(_, line)| *line),
                problem: format!("{field} is {problem}"),
                hint: None,
            })
            .collect();
        if problems.is_empty() { Ok(settings) } else { Err(problems) }
    }

    /// Refuses a bad value by its name, with its range.
    pub fn check(&self) -> Result<(), KnowledgeError> {
        match self.problems().into_iter().next() {
            Some((field, message)) => Err(KnowledgeError::Configuration { field, message }),
            None => Ok(()),
        }
    }

    fn problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        if !(1..=MOST_RESULTS).contains(&self.top_k_retrieval) {
            let message = format!("{}, but must be a number from 1 to {MOST_RESULTS}", self.top_k_retrieval);
            problems.push(("top_k_retrieval", message));
        }
        if !(0.0..=1.0).contains(&self.retrieval_score_threshold) {
            let message = format!("{}, but must be a number from 0 to 1", self.retrieval_score_threshold);
            problems.push(("retrieval_score_threshold", message));
        }
        problems.extend(bad_collection(&self.collection_name).map(|message| ("collection_name", message)));
        if let Some(url) = self.qdrant_url.as_ref().filter(|url| !is_address(url)) {
            problems.push((
                "qdrant_url",
                format!("{url:?}, but must be an address that begins with http:// or https://"),
            ));
        }
        problems
    }
}

/// Whether something looks like the address of a server.
pub(crate) fn is_address(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// A collection is a folder and a name in an address: letters, digits, `-` and `_`.
pub(crate) fn check_collection(name: &str) -> Result<(), KnowledgeError> {
    match bad_collection(name) {
        Some(message) => Err(KnowledgeError::Configuration { field: "collection_name", message }),
        None => Ok(()),
    }
}

fn bad_collection(name: &str) -> Option<String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let fine = !name.is_empty() && name.len() <= 64 && name.chars().all(good);
    (!fine).then(|| format!("{name:?}, but must be 1 to 64 letters, digits, `-` or `_`"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;

    /// B1: the defaults of the specification, and each bad value by name.
    #[test]
    fn the_defaults_are_those_of_the_specification() {
        let usual = RetrievalSettings::of_agent("a.yaml", "system_prompt: p\n").unwrap();
        assert_eq!((usual.top_k_retrieval, usual.collection_name.as_str()), (5, "web_documents"));
        assert!((usual.retrieval_score_threshold - 0.3).abs() < 1e-6 && usual.qdrant_url.is_none());
        let text = "retrieval:\n  top_k: 21\n  collection: ' '\n  qdrant_url: x\n";
        let told = RetrievalSettings::of_agent("a.yaml", text).unwrap_err();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "a.yaml, line 2: top_k_retrieval is 21, but must be a number from 1 to 20");
        assert!(told[1].starts_with("a.yaml, line 3: collection_name is \" \", but must be"), "{told:?}");
        assert!(
            told[2].starts_with("a.yaml, line 4: qdrant_url is \"x\", but must be an address"),
            "{told:?}"
        );
        let key = RetrievalSettings::of_agent("a.yaml", "retrieval: { qdrant_api_key: x }").unwrap_err();
        assert!(key[0].to_string().contains("set QDRANT_API_KEY in the environment instead"), "{key:?}");
    }

    proptest! {
        /// Every value outside its range is named with the line it stands on.
        #[test]
        fn bad_values_are_named_with_their_lines(top_k in 0..30_usize, threshold in -0.5..1.5_f32, blank in any::<bool>()) {
            let gap = if blank { "\n" } else { "" };
            let text = format!("retrieval:\n{gap}  top_k: {top_k}\n  score_threshold: {threshold}\n");
            let mut wrong = Vec::new();
            let shift = u64::from(blank);
            if !(1..=20).contains(&top_k) { wrong.push(2 + shift); }
            if !(0.0..=1.0).contains(&threshold) { wrong.push(3 + shift); }
            let told = RetrievalSettings::of_agent("a.yaml", &text).err().unwrap_or_default();
            let lines: Vec<u64> = told.iter().filter_map(|problem| problem.line).collect();
            prop_assert_eq!(lines, wrong);
        }
    }
}
