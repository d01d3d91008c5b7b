//! Which language a piece of text is in.

use whatlang::Lang;

use crate::{
    identify::LanguageEvidence,
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

/// Fewer words say nothing about other languages, and little about ours.
const SHORT: usize = 8;
/// How sure one must be of a short text.
const LIKELY: f32 = 0.4;
/// How sure one must be that a piece is in another language than its text.
const SURE: f32 = 0.45;

/// Which language the words are in: ours by their frequent words and letters, others by their letters alone.
pub fn detect(text: &str, tokens: &[Token<'_>]) -> Detected {
    let evidence = evidence(tokens);
    let short = words(tokens).count() < SHORT;
    let likely = || evidence.leading().filter(|found| short && found.confidence >= LIKELY);
    let found = evidence.identified().or_else(likely);
    if let Some(found) = found {
        return Detected::Known(found.language);
    }
    if short {
        return Detected::Unsure;
    }
    match whatlang::detect(text).filter(whatlang::Info::is_reliable).map(|info| info.lang()) {
        Some(Lang::Eng | Lang::Swe | Lang::Dan | Lang::Nob | Lang::Deu) | None => Detected::Unsure,
        Some(_) => Detected::Foreign,
    }
}

/// The language of a piece of a text that is in one: another only where there is no doubt.
pub(crate) fn detect_within(whole: Language, tokens: &[Token<'_>]) -> Language {
    let found = evidence(tokens).identified().filter(|found| found.confidence >= SURE);
    found.map_or(whole, |found| found.language)
}

fn evidence(tokens: &[Token<'_>]) -> LanguageEvidence {
    LanguageEvidence::of(words(tokens).map(|word| &*word.norm))
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
            ("Vem vann cupen i Brasilien förra sommaren?", Detected::Known(Language::Sv)),
            ("Kubernetes", Detected::Unsure),
        ];
        for (text, language) in cases {
            assert_eq!(detect(text, &tokens(text)), language, "{text}");
        }
    }
}
