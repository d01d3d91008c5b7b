//! The languages that can be analysed, and which of them a text is in.

use std::fmt;

use tantivy::tokenizer::Language as Stemming;
use tata_language::{Detected, tokens};
use whatlang::Lang as Seen;

/// A language with a stemmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lang(usize);

const KNOWN: [(&str, Stemming, Seen); 18] = [
    ("en", Stemming::English, Seen::Eng),
    ("sv", Stemming::Swedish, Seen::Swe),
    ("da", Stemming::Danish, Seen::Dan),
    ("no", Stemming::Norwegian, Seen::Nob),
    ("de", Stemming::German, Seen::Deu),
    ("fi", Stemming::Finnish, Seen::Fin),
    ("nl", Stemming::Dutch, Seen::Nld),
    ("fr", Stemming::French, Seen::Fra),
    ("es", Stemming::Spanish, Seen::Spa),
    ("pt", Stemming::Portuguese, Seen::Por),
    ("it", Stemming::Italian, Seen::Ita),
    ("ro", Stemming::Romanian, Seen::Ron),
    ("hu", Stemming::Hungarian, Seen::Hun),
    ("ru", Stemming::Russian, Seen::Rus),
    ("tr", Stemming::Turkish, Seen::Tur),
    ("el", Stemming::Greek, Seen::Ell),
    ("ar", Stemming::Arabic, Seen::Ara),
    ("ta", Stemming::Tamil, Seen::Tam),
];

/// As much of a text as tells its language.
const LOOK_AT: usize = 4_000;

/// Fewer words are a question or a heading, and no prose.
const PROSE: usize = 12;

impl Lang {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KNOWN.len()).map(Self)
    }

    /// Its code: `en`.
    pub fn code(self) -> &'static str {
        KNOWN.get(self.0).map_or("", |(code, ..)| code)
    }

    /// The language of a code or a tag: `nb-NO` is Norwegian.
    pub fn find(tag: &str) -> Option<Self> {
        let tag = tag.trim().to_lowercase();
        let code = tag.split(['-', '_']).next().unwrap_or_default();
        let code = if matches!(code, "nb" | "nn") { "no" } else { code };
        KNOWN.iter().position(|(known, ..)| *known == code).map(Self)
    }

    pub(crate) fn stemming(self) -> Option<Stemming> {
        KNOWN.get(self.0).map(|(_, stemming, _)| *stemming)
    }

    /// The language a text is in, if it is long enough to tell.
    pub fn detect(text: &str) -> Option<Self> {
        let end = text.char_indices().nth(LOOK_AT).map_or(text.len(), |(at, _)| at);
        let text = text.get(..end).unwrap_or_default();
        if let Detected::Known(language) = tata_language::detect(text, &tokens(text)) {
            return Self::find(language.code());
        }
        let seen = whatlang::detect(text).filter(whatlang::Info::is_reliable);
        let seen = seen.and_then(|seen| KNOWN.iter().position(|(.., known)| *known == seen.lang()).map(Self));
        seen.or_else(|| Self::of_lines(text)).or_else(|| Self::among_neighbours(text))
    }

    /// Danish, Norwegian or Swedish, for prose that is one of them but hardly tells which: the stemmer of a neighbour does
    /// more good than none.
    fn among_neighbours(text: &str) -> Option<Self> {
        if text.split_whitespace().count() < PROSE {
            return None;
        }
        let seen = whatlang::detect(text)?.lang();
        let is_neighbour = matches!(seen, Seen::Swe | Seen::Dan | Seen::Nob);
        KNOWN.iter().position(|(.., known)| is_neighbour && *known == seen).map(Self)
    }

    /// The language of a text that is mixed, such as a guide with commands in it: that of most of its lines.
    fn of_lines(text: &str) -> Option<Self> {
        let mut letters = std::collections::BTreeMap::<Self, usize>::new();
        for line in text.lines() {
            if let Detected::Known(language) = tata_language::detect(line, &tokens(line))
                && let Some(lang) = Self::find(language.code())
            {
                *letters.entry(lang).or_default() += line.len();
            }
        }
        let told: usize = letters.values().sum();
        letters.into_iter().find(|(_, count)| count * 3 > told * 2).map(|(lang, _)| lang)
    }

    /// The same language in the words of the checker of claims, where it has lists for it.
    pub fn spoken(self) -> Option<tata_language::Language> {
        tata_language::Language::find(self.code())
    }
}

/// The language that most of these texts are in.
pub(crate) fn usual<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Lang> {
    let mut counts = std::collections::BTreeMap::<Lang, usize>::new();
    for lang in texts.filter_map(Lang::detect) {
        *counts.entry(lang).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(lang, _)| lang)
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prose is stored in its language, also when it is short, and also when commands in English stand between it.
    #[test]
    fn short_prose_tells_its_language() {
        let cases = [
            ("da no", "Alle ansatte har ret til fem ugers ferie. Ferien aftales med lederen senest i april."),
            ("da no", "Alle ansatte har rett til fem uker ferie. Ferien avtales med lederen senest i april."),
            ("sv", "Du har arbetat med detta och kan hantera det. Alla anställda har rätt till semester."),
            (
                "de",
                "Sie arbeiten mit uns und haben die Leitung. Der Urlaub wird bis April mit uns abgestimmt.",
            ),
            ("en", "You plan the rota and report to the director. The holiday is agreed with the manager."),
            (
                "da",
                "Du får ansvar for opgaver, som du har lyst til at løse.\n\nd-i netcfg/choose_interface auto\n\n\
                 d-i partman-auto/method string regular",
            ),
        ];
        for (codes, text) in cases {
            let told = Lang::detect(text).map(Lang::code);
            assert!(told.is_some_and(|told| codes.split(' ').any(|code| code == told)), "{text}: {told:?}");
        }
        assert_eq!(Lang::detect("GlobalConnect, Kubernetes, 2026"), None);
    }
}
