//! What each field of a tool's input is: a text somebody brought, a statement, a choice.

/// How a field is held against what people brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A text that somebody brought: by its number (m4), or word for word.
    Source,
    /// A statement in somebody's own words.
    Said,
    /// A fact about the company: in somebody's own words, or word for word in a passage that a search brought. A person
    /// decides about it.
    Fact,
    /// Where such a fact stands.
    FactSource,
    /// A choice that is the person's: named by them, in words or by its number.
    Pick,
    /// A number that somebody named.
    Number,
    /// A day that somebody named, as YYYY-MM-DD.
    Day,
    /// A time of day that somebody named, as HH:MM.
    Time,
    /// A length that somebody named, in minutes.
    Minutes,
    /// A city with an office, by any of its names.
    Office,
    /// Written by the model; the module checks every sentence of it itself.
    Written,
    /// A switch, a language, a key of something that is stored: it says nothing about anybody.
    Choice,
}

/// The paths of an input's fields by their rules, several behind each other: `*` for any place in a list, `{a,b}` for one of
/// these names, `**` for whatever follows. What is not named must have been said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields(pub(crate) &'static [(Rule, &'static str)]);

impl Fields {
    /// The rule of a path such as `must_haves/0/text`.
    pub(crate) fn rule(&self, path: &str) -> Rule {
        self.find(path).unwrap_or(Rule::Said)
    }

    /// The same, if the path is named.
    pub(crate) fn find(&self, path: &str) -> Option<Rule> {
        let named = |patterns: &str| patterns.split(' ').any(|pattern| fits(pattern, path));
        self.0.iter().find(|(_, patterns)| named(patterns)).map(|(rule, _)| *rule)
    }
}

fn fits(pattern: &str, path: &str) -> bool {
    // The names in a table are whatever somebody called them.
    if let Some(start) = pattern.strip_suffix("**") {
        return path.starts_with(start);
    }
    let mut parts = path.split('/');
    let is = |wanted: &str, part: &str| match wanted {
        "*" => part.bytes().all(|byte| byte.is_ascii_digit()),
        _ => wanted.trim_matches(['{', '}']).split(',').any(|name| name == part),
    };
    pattern.split('/').all(|wanted| parts.next().is_some_and(|part| is(wanted, part)))
        && parts.next().is_none()
}
