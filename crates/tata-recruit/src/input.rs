//! What a tool's input says about itself: what each of its fields is (a text somebody brought, a statement, a choice), and in
//! which language its document is to be.

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

/// The fields of an input by their paths, `*` for any place in a list. What is not named must have been said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields(pub(crate) &'static [(&'static str, Rule)]);

impl Fields {
    /// The rule of a path such as `must_haves/0/text`.
    pub(crate) fn rule(&self, path: &str) -> Rule {
        self.find(path).unwrap_or(Rule::Said)
    }

    /// The same, if the path is named.
    pub(crate) fn find(&self, path: &str) -> Option<Rule> {
        let named = |pattern: &str| {
            // The names in a table are whatever somebody called them.
            if let Some(start) = pattern.strip_suffix("**") {
                return path.starts_with(start);
            }
            let mut parts = path.split('/');
            let mut whole = pattern.split('/').all(|wanted| {
                parts.next().is_some_and(|part| {
                    wanted == part || wanted == "*" && part.bytes().all(|byte| byte.is_ascii_digit())
                })
            });
            whole &= parts.next().is_none();
            whole
        };
        self.0.iter().find(|(pattern, _)| named(pattern)).map(|(_, rule)| *rule)
    }
}

/// An input whose fields are known.
pub(crate) trait Grounded {
    /// Its fields.
    const FIELDS: Fields;
}

/// An input that may say in which language its document is to be. What changes a document keeps its language.
pub(crate) trait InLanguage {
    /// The language, as somebody named it.
    fn language(&self) -> Option<&str> {
        None
    }
}
