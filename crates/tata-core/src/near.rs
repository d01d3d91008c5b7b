//! What somebody may have meant.

/// The candidates that look like `word`, best first, at most three.
pub fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let lower = word.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let name = candidate.to_lowercase();
            // Part of a name ("sonnet") is as good a hint as a slip in it; dots and dashes are often mistaken.
            let part = if lower.len() > 2 && name.contains(&lower) { 0.9 } else { 0.0 };
            (strsim::jaro_winkler(&lower.replace('.', "-"), &name.replace('.', "-")).max(part), candidate)
        })
        .filter(|(score, _)| *score > 0.82)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}
