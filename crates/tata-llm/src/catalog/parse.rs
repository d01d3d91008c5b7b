//! Reading `models.yaml`, with errors that name the line, the key and the nearest valid one.

use std::fmt;

use super::file::CatalogFile;

/// A catalog file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct CatalogError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.problem)?;
        self.hint.iter().try_for_each(|hint| write!(f, " ({hint})"))
    }
}

pub(super) fn parse(path: &str, text: &str) -> Result<CatalogFile, CatalogError> {
    if text.trim().is_empty() {
        return Ok(CatalogFile::default());
    }
    serde_saphyr::from_str(text).map_err(|error| {
        let line = error.location().map(|location| location.line()).filter(|line| *line > 0);
        let (problem, hint) = explain(error.without_snippet());
        CatalogError { path: path.to_owned(), line, problem, hint }
    })
}

/// Serde names an unknown key and the valid ones; people want the nearest.
fn explain(error: &serde_saphyr::Error) -> (String, Option<String>) {
    let (what, word, valid) = if let serde_saphyr::Error::SerdeUnknownField { field, expected, .. } = error {
        ("key", field, expected)
    } else if let serde_saphyr::Error::SerdeUnknownVariant { variant, expected, .. } = error {
        ("value", variant, expected)
    } else {
        return (error.to_string().lines().next().unwrap_or_default().to_owned(), None);
    };
    let best = near(word, valid.iter().copied()).into_iter().next();
    let meant = best.map(|best| format!("did you mean {best:?}? ")).unwrap_or_default();
    (format!("unknown {what} {word:?}"), Some(format!("{meant}valid: {}", valid.join(", "))))
}

/// Checks what only the whole catalog can tell: names that point at nothing.
pub(super) fn check(path: &str, text: &str, file: &CatalogFile) -> Result<(), CatalogError> {
    let error = |word: &str, problem: String, hint: Option<String>| {
        let line = text.lines().position(|line| line.contains(word)).map(|at| at as u64 + 1);
        CatalogError { path: path.to_owned(), line, problem, hint }
    };
    let known = || file.providers.keys().map(String::as_str);
    let unknown = |owner: String, name: &str| {
        let hint = near(name, known()).into_iter().next().map(|best| format!("did you mean {best:?}?"));
        let hint = hint.or_else(|| Some(format!("known: {}", known().collect::<Vec<_>>().join(", "))));
        error(name, format!("{owner} names the unknown provider {name:?}"), hint)
    };
    for (name, model) in &file.models {
        match model.provider.as_deref() {
            Some(provider) if file.providers.contains_key(provider) => {}
            Some(provider) => return Err(unknown(format!("model {name:?}"), provider)),
            None => {
                let hint =
                    Some(format!("add `provider:`, one of {}", known().collect::<Vec<_>>().join(", ")));
                return Err(error(name, format!("model {name:?} has no provider"), hint));
            }
        }
        if let Some(prices) = &model.prices
            && [Some(prices.input), prices.cached_input, prices.cache_write, Some(prices.output)]
                .into_iter()
                .flatten()
                .any(|price| !price.is_finite() || price < 0.0)
        {
            return Err(error(name, format!("model {name:?} has a negative price"), None));
        }
    }
    if let Some(family) = file.families.iter().find(|family| !file.providers.contains_key(&family.provider)) {
        return Err(unknown(format!("family {:?}", family.patterns), &family.provider));
    }
    for (name, provider) in &file.providers {
        if let Some(url) = &provider.base_url
            && !(url.starts_with("http://") || url.starts_with("https://"))
        {
            let problem = format!("base_url {url:?} of provider {name:?} is not an http(s) address");
            return Err(error(url, problem, None));
        }
    }
    Ok(())
}

/// The candidates that look like `word`, best first, at most three.
pub fn near<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lower = word.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
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
