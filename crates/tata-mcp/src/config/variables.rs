//! Variables in texts: `${VAR}`, `${VAR:-otherwise}`, `${env:VAR}`.
//!
//! One pass: what a variable holds is never looked at for further variables.

/// Why a text cannot be used.
pub(super) enum Problem {
    /// A variable without a value, and nothing to use instead.
    Unset(String),
    /// Not a variable at all.
    Malformed(String),
}

enum Part<'a> {
    Text(&'a str),
    Variable { name: &'a str, otherwise: Option<&'a str> },
}

/// The text with the values in it. A variable that is empty counts as set, unless something to use instead is given.
pub(super) fn expand(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, Problem> {
    let mut whole = String::with_capacity(text.len());
    for part in parts(text) {
        match part? {
            Part::Text(text) => whole.push_str(text),
            Part::Variable { name, otherwise } => match (lookup(name), otherwise) {
                (Some(value), otherwise) if !(value.is_empty() && otherwise.is_some()) => {
                    whole.push_str(&value);
                }
                (_, Some(otherwise)) => whole.push_str(otherwise),
                (_, None) => return Err(Problem::Unset(name.to_owned())),
            },
        }
    }
    Ok(whole)
}

/// The variables that a text names.
pub(super) fn names(text: &str) -> Vec<String> {
    parts(text)
        .filter_map(|part| match part {
            Ok(Part::Variable { name, .. }) => Some(name.to_owned()),
            Ok(Part::Text(_)) | Err(_) => None,
        })
        .collect()
}

fn parts(text: &str) -> impl Iterator<Item = Result<Part<'_>, Problem>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(begin) = rest.find("${") else { return Some(Ok(Part::Text(std::mem::take(&mut rest)))) };
        if begin > 0 {
            let (before, after) = rest.split_at(begin);
            rest = after;
            return Some(Ok(Part::Text(before)));
        }
        let Some((inner, after)) = rest.strip_prefix("${").and_then(|inner| inner.split_once('}')) else {
            rest = "";
            return Some(Err(Problem::Malformed("has \"${\" without its \"}\"".to_owned())));
        };
        rest = after;
        Some(variable(inner))
    })
}

fn variable(inner: &str) -> Result<Part<'_>, Problem> {
    let (name, otherwise) = inner.split_once(":-").map_or((inner, None), |(name, text)| (name, Some(text)));
    let name = name.strip_prefix("env:").unwrap_or(name);
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if first && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(Part::Variable { name, otherwise });
    }
    Err(Problem::Malformed(format!(
        "has ${{{inner}}}, which is not known here; ${{VAR}}, ${{VAR:-otherwise}} and ${{env:VAR}} are"
    )))
}
