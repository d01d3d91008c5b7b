//! A question to terms.

use crate::{Lang, LexicalQuery, analysis::each_term};

/// A language with a smaller share of the chunks than this does not change how a question is read.
const SHARE: u64 = 20;
/// More words than this is no question but a text: its first ones do.
const MOST_WORDS: usize = 64;

/// The terms of a question, in its language and in those of the index: nobody knows in which language the word stands
/// that it asks for.
pub fn lexical_query(text: &str, lang: Option<Lang>, languages: &[(Option<Lang>, u64)]) -> LexicalQuery {
    let readings = readings(text, lang, languages);
    // One group for each word by its place: the forms that each reading gives it.
    let mut groups: Vec<(usize, Vec<String>)> = Vec::new();
    for (rank, lang) in readings.into_iter().enumerate() {
        each_term(lang, text, |token| {
            let group = groups.iter_mut().find(|(place, _)| *place == token.offset_from);
            match group {
                Some((_, forms)) if forms.contains(&token.text) => {}
                Some((_, forms)) => forms.push(token.text.clone()),
                // A stop word of the question's own language stays one.
                None if rank == 0 => groups.push((token.offset_from, vec![token.text.clone()])),
                None => {}
            }
        });
    }
    let mut query = LexicalQuery::default();
    // A word that is said twice counts twice, as BM25 has it.
    query.groups.extend(groups.into_iter().map(|(_, forms)| forms).take(MOST_WORDS));
    query
}

/// How a question is read: first in the language it is in, then in the other languages of the index. Its own language
/// counts however few documents are in it: most of a company's may be in English, and the one that answers is not.
fn readings(text: &str, lang: Option<Lang>, languages: &[(Option<Lang>, u64)]) -> Vec<Option<Lang>> {
    let total: u64 = languages.iter().map(|(_, count)| count).sum();
    let there = |wanted: Lang| languages.iter().any(|(lang, count)| *lang == Some(wanted) && *count > 0);
    let detected = || Lang::detect(text).filter(|own| there(*own));
    let own = lang.or_else(detected).or_else(|| by_small_words(text, languages));
    let mut readings: Vec<Option<Lang>> = own.map(Some).into_iter().collect();
    for (lang, count) in languages {
        // A short question may be in any language of the index; so may a document whose language nobody could tell.
        let counts = *count * SHARE >= total || own.is_none() || lang.is_none();
        if counts && *count > 0 && !readings.contains(lang) {
            readings.push(*lang);
        }
    }
    if readings.is_empty() {
        readings.push(Lang::detect(text));
    }
    readings
}

/// The language of the index whose small words a short question has: in another one they would count as what is asked for.
/// None where that tells nothing.
fn by_small_words(text: &str, languages: &[(Option<Lang>, u64)]) -> Option<Lang> {
    let told = |lang: Lang| {
        let mut terms = 0_usize;
        each_term(Some(lang), text, |_| terms += 1);
        (terms, lang)
    };
    let there = languages.iter().filter(|(_, count)| *count > 0).filter_map(|(lang, _)| *lang);
    let counts: Vec<(usize, Lang)> = there.map(told).collect();
    let least = counts.iter().map(|(terms, _)| *terms).min()?;
    let most = counts.iter().map(|(terms, _)| *terms).max()?;
    counts.iter().find(|(terms, _)| *terms == least && least < most).map(|(_, lang)| *lang)
}
