//! Which language a piece of text is in.

use whatlang::Lang;

use crate::{
    language::Language,
    lists::Lists,
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

/// Fewer words than this tell nothing.
const LEAST: usize = 4;

/// Which language the words are in: ours by their small words, others by their letters.
pub fn detect(text: &str, tokens: &[Token<'_>]) -> Detected {
    let count = words(tokens).count();
    if count < LEAST {
        return Detected::Unsure;
    }
    let mut scores = Language::ALL.map(|language| (score(language, tokens), language));
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let [(best, language), (second, _), ..] = scores;
    // Every fourth word is a small one; Danish and Norwegian share most of theirs.
    if best * 4 >= count && best > second {
        return Detected::Known(language);
    }
    if count < 2 * LEAST || best * 4 >= count {
        return Detected::Unsure;
    }
    match whatlang::detect(text).filter(whatlang::Info::is_reliable).map(|info| info.lang()) {
        Some(Lang::Eng | Lang::Swe | Lang::Dan | Lang::Nob | Lang::Deu) | None => Detected::Unsure,
        Some(_) => Detected::Foreign,
    }
}

/// The language of a piece of a text that is in one: another only where its small words leave no doubt.
pub(crate) fn detect_within(whole: Language, tokens: &[Token<'_>]) -> Language {
    let count = words(tokens).count();
    if count < LEAST {
        return whole;
    }
    let score = |language| score(language, tokens);
    let own = score(whole);
    // The common case is cheap: every fourth word is one of its own.
    if own * 4 >= count {
        return whole;
    }
    let best = Language::ALL.into_iter().max_by_key(|language| (score(*language), *language == whole));
    best.filter(|best| score(*best) * 3 >= count && score(*best) >= own * 2 + 2).unwrap_or(whole)
}

fn words<'a, 't>(tokens: &'a [Token<'t>]) -> impl Iterator<Item = &'a Token<'t>> {
    tokens.iter().filter(|token| token.kind == Kind::Word)
}

/// How many of the words are small ones of a language.
fn score(language: Language, tokens: &[Token<'_>]) -> usize {
    let lists = Lists::of(language);
    words(tokens).filter(|word| lists.listed(&word.norm)).count()
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
