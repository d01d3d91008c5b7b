//! The language of a document.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A language tag (BCP 47): `sv`, `de-DE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct LanguageTag(String);

impl LanguageTag {
    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without region or script, in small letters.
    pub fn primary(&self) -> String {
        self.0.split('-').next().unwrap_or_default().to_ascii_lowercase()
    }

    /// The tag with a region. Word processors choose their dictionary by it, and a bare `sv` names none.
    pub fn with_region(&self) -> String {
        if self.0.contains('-') {
            return self.0.clone();
        }
        match self.primary().as_str() {
            "en" => "en-GB",
            "sv" => "sv-SE",
            "da" => "da-DK",
            "no" | "nb" => "nb-NO",
            "nn" => "nn-NO",
            "de" => "de-DE",
            _ => return self.0.clone(),
        }
        .to_owned()
    }

    /// How the language quotes.
    pub fn quotation_marks(&self) -> (char, char) {
        match self.primary().as_str() {
            "sv" | "da" | "fi" => ('”', '”'),
            "no" | "nb" | "nn" => ('«', '»'),
            "de" => ('„', '“'),
            _ => ('“', '”'),
        }
    }
}

impl Default for LanguageTag {
    fn default() -> Self {
        Self("en".to_owned())
    }
}

/// What cannot be a tag is the tag of an undetermined language: it ends up in attributes of other formats.
impl From<String> for LanguageTag {
    fn from(tag: String) -> Self {
        let part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if tag.len() <= 35 && tag.split('-').all(part) { Self(tag) } else { Self("und".to_owned()) }
    }
}

impl From<&str> for LanguageTag {
    fn from(tag: &str) -> Self {
        Self::from(tag.to_owned())
    }
}

impl From<LanguageTag> for String {
    fn from(tag: LanguageTag) -> Self {
        tag.0
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_safe_in_an_attribute() {
        let check = |tag: &str, kept: &str| assert_eq!(LanguageTag::from(tag).as_str(), kept);
        check("de-DE", "de-DE");
        check("sv", "sv");
        check("sv\" onload=\"x", "und");
        check("", "und");
        check("sv_SE", "und");
        check(&"a-".repeat(40), "und");
        assert_eq!(LanguageTag::from("no").with_region(), "nb-NO");
        assert_eq!(LanguageTag::from("en-US").with_region(), "en-US");
        assert_eq!(LanguageTag::from("nb-NO").quotation_marks(), ('«', '»'));
    }
}
