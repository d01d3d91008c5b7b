//! What only the whole of `models.yaml` can tell.

use tata_core::{FileError, near};

use super::file::CatalogFile;

/// Checks what only the whole catalog can tell: names that point at nothing.
pub(super) fn check(path: &str, text: &str, file: &CatalogFile) -> Result<(), FileError> {
    let error = |word: &str, problem: String, hint: Option<String>| {
        let line = text.lines().position(|line| line.contains(word)).map(|at| at as u64 + 1);
        FileError { path: path.to_owned(), line, problem, hint }
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
