//! Which language a piece of text is in.

use whatlang::Lang;

use crate::{
    identify::{Identified, LanguageEvidence},
    language::Language,
    tokens::{Kind, Token},
};

/// What was found out about the language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detected {
    /// One of ours.
    Known(Language),
    /// Another one.
    Foreign,
    /// Too little to tell.
    Unsure,
}

/// Fewer words than twice these tell nothing about other languages.
const LEAST: usize = 4;
/// How sure one must be that a piece is in another language than its text.
const SURE: f32 = 0.45;

/// Which language the words are in: ours by their frequent words and letters, others by their letters alone.
pub fn detect(text: &str, tokens: &[Token<'_>]) -> Detected {
    if let Some(found) = identified(tokens) {
        return Detected::Known(found.language);
    }
    if words(tokens).count() < 2 * LEAST {
        return Detected::Unsure;
    }
    match whatlang::detect(text).filter(whatlang::Info::is_reliable).map(|info| info.lang()) {
        Some(Lang::Eng | Lang::Swe | Lang::Dan | Lang::Nob | Lang::Deu) | None => Detected::Unsure,
        Some(_) => Detected::Foreign,
    }
}

/// The language of a piece of a text that is in one: another only where there is no doubt.
pub(crate) fn detect_within(whole: Language, tokens: &[Token<'_>]) -> Language {
    identified(tokens).filter(|found| found.confidence >= SURE).map_or(whole, |found| found.language)
}

fn identified(tokens: &[Token<'_>]) -> Option<Identified> {
    LanguageEvidence::of(words(tokens).map(|word| &*word.norm)).identified()
}

fn words<'a, 't>(tokens: &'a [Token<'t>]) -> impl Iterator<Item = &'a Token<'t>> {
    tokens.iter().filter(|token| token.kind == Kind::Word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[test]
    fn five_languages_and_others() {
        let cases = [
            ("You plan the rota and report to the director.", Detected::Known(Language::En)),
            ("Du har arbetat med detta och kan hantera det.", Detected::Known(Language::Sv)),
            ("Du får ansvar for opgaver, som du har lyst til at løse.", Detected::Known(Language::Da)),
            ("Du har jobbet med dette og kan håndtere det hos oss.", Detected::Known(Language::No)),
            ("Sie arbeiten mit uns und haben die Leitung.", Detected::Known(Language::De)),
            (
                "Nous cherchons une infirmière diplômée pour notre maison de retraite à Lyon.",
                Detected::Foreign,
            ),
            ("Kubernetes", Detected::Unsure),
        ];
        for (text, language) in cases {
            assert_eq!(detect(text, &tokens(text)), language, "{text}");
        }
    }
}
