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

/// How a question is read: first in the language it is in, then in the other languages of the index.
fn readings(text: &str, lang: Option<Lang>, languages: &[(Option<Lang>, u64)]) -> Vec<Option<Lang>> {
    let total: u64 = languages.iter().map(|(_, count)| count).sum();
    let common = |(lang, count): &(Option<Lang>, u64)| (*count * SHARE >= total).then_some(*lang);
    let mut readings: Vec<Option<Lang>> = languages.iter().filter_map(common).collect();
    let own = lang.or_else(|| Lang::detect(text)).filter(|own| readings.contains(&Some(*own)));
    if let Some(own) = lang.or(own) {
        // A short question is often taken for a neighbouring language; an index in one language is not.
        readings.retain(|reading| *reading != Some(own));
        readings.insert(0, Some(own));
    }
    if readings.is_empty() {
        readings.push(lang.or_else(|| Lang::detect(text)));
    }
    readings
}
