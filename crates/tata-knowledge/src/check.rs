//! Answers of a model, held against the passages they cite.

use std::sync::Arc;

use tata_core::{AnswerCheck, AnswerToCheck, CheckedAnswer, CheckedSentence, Citation, Gap};
use tata_language::{Detected, Language, claims, detect, tokens};

use crate::{Lang, claim::states_a_fact, language::usual};

/// The reason of a sentence that names no source.
const NO_SOURCE: &str = "source";

/// Holds answers against what they cite. Where an answer has nothing but documents to rest on, a sentence that states a
/// fact and names no source is unproven as well, also after a search that found nothing; elsewhere only what cites is
/// judged.
pub fn answer_check(all_from_documents: bool) -> AnswerCheck {
    Arc::new(move |given: &AnswerToCheck<'_>| {
        let mut checked = check_answer(given.answer, given.sources, language_of(given));
        let only_documents = all_from_documents || given.only_searched;
        checked.sentences.retain(|sentence| {
            !sentence.cites.is_empty() || only_documents && states_a_fact(&sentence.text, given.question)
        });
        checked
    })
}

/// The language that an answer is read in. One sentence is too short to tell: then the question tells, then what is
/// cited. Nothing is taken for English that could be read otherwise.
fn language_of(given: &AnswerToCheck<'_>) -> Language {
    let (_, named) = numbers(given.answer);
    let cited = given.sources.iter().filter(|source| named.contains(&source.number));
    let quotes: Vec<&str> = cited.map(|source| source.quote.as_str()).collect();
    let likely = || usual(quotes.iter().copied()).and_then(Lang::spoken);
    let passages = quotes.iter().find_map(|quote| known_language(quote)).or_else(likely);
    let (own, asked) = (known_language(given.answer), known_language(given.question));
    if let Some(own) = own.filter(|own| asked == Some(*own)) {
        return own;
    }
    // A few words of Danish are easily taken for Norwegian: a passage is longer and tells better.
    let nearest = |told: Language| {
        passages.filter(|language| is_scandinavian(*language) && is_scandinavian(told)).unwrap_or(told)
    };
    let guessed = || Lang::detect(given.answer).and_then(Lang::spoken);
    own.or(asked).map(nearest).or(passages).or_else(guessed).unwrap_or(Language::En)
}

fn known_language(text: &str) -> Option<Language> {
    match detect(text, &tokens(text)) {
        Detected::Known(language) => Some(language),
        Detected::Foreign | Detected::Unsure => None,
    }
}

fn is_scandinavian(language: Language) -> bool {
    matches!(language, Language::Sv | Language::Da | Language::No)
}

/// Checks an answer that a model wrote: numbers that stand for nothing go, each sentence is held against what it cites.
/// It saw the quotations and no more, so they are what counts.
pub fn check_answer(text: &str, sources: &[Citation], language: Language) -> CheckedAnswer {
    let (cleaned, removed) = without_unknown(text, sources);
    let mut sentences: Vec<CheckedSentence> = Vec::new();
    for line in claims::check(language, &cleaned, &[]) {
        for (from, piece) in behind_numbers(line.text) {
            let start = line.span.start + from;
            let end = start + piece.trim_end().chars().count();
            let (bare, cites) = numbers(piece);
            if bare.chars().any(char::is_alphabetic) {
                sentences.push(CheckedSentence {
                    text: bare,
                    start,
                    end,
                    cites,
                    ..CheckedSentence::default()
                });
            } else if let Some(before) = sentences.last_mut() {
                // A number after the full stop belongs to the sentence before.
                before.cites.extend(cites);
                before.end = end;
            }
        }
    }
    for sentence in &mut sentences {
        judge(sentence, sources, language);
    }
    let is_cited = |source: &&Citation| sentences.iter().any(|one| one.cites.contains(&source.number));
    let citations = sources.iter().filter(is_cited).cloned().collect();
    CheckedAnswer { text: cleaned, citations, sentences, removed }
}

/// Holds a sentence against the passages it names.
fn judge(sentence: &mut CheckedSentence, sources: &[Citation], language: Language) {
    let named: Vec<(&str, &str)> = sources
        .iter()
        .filter(|source| sentence.cites.contains(&source.number))
        .map(|source| (source.title.as_str(), source.quote.as_str()))
        .collect();
    if named.is_empty() {
        sentence.unproven.push("no source is named".to_owned());
        sentence.gaps.push(Gap { text: String::new(), reason: NO_SOURCE.to_owned() });
    }
    let judged = claims::check(language, &sentence.text, &named);
    sentence.supported = !named.is_empty() && judged.iter().all(claims::Sentence::supported);
    for part in judged.iter().flat_map(|judged| &judged.unproven) {
        sentence.unproven.push(format!("{}: {}", part.text, part.reason.explained()));
        sentence.gaps.push(Gap { text: part.text.to_owned(), reason: part.reason.name().to_owned() });
    }
}

/// The pieces of a sentence that ends before its number: "30 days. [1] Lunch" is two. With the character each begins at.
fn behind_numbers(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let (mut piece, mut rest, mut ended) = (0, 0, false);
    while let Some((before, _, after)) = text.get(rest..).and_then(next_number) {
        // Several numbers may follow one full stop.
        let is_bare = before.trim().is_empty();
        ended = before.trim_end().ends_with(['.', '!', '?']) || is_bare && ended;
        rest = text.len() - after.len();
        let goes_on = next_number(after).is_some_and(|(before, ..)| before.trim().is_empty());
        if ended && !goes_on && after.starts_with(char::is_whitespace) {
            let end = rest + (after.len() - after.trim_start().len());
            pieces.push((piece, end));
            (piece, rest) = (end, end);
        }
    }
    pieces.push((piece, text.len()));
    let cut = |(from, to): (usize, usize)| {
        let before = text.get(..from)?.chars().count();
        Some((before, text.get(from..to).filter(|piece| !piece.trim().is_empty())?))
    };
    pieces.into_iter().filter_map(cut).collect()
}

/// The text without numbers in brackets that stand for no source.
fn without_unknown(text: &str, known: &[Citation]) -> (String, Vec<u32>) {
    let mut cleaned = String::with_capacity(text.len());
    let mut removed = Vec::new();
    let mut rest = text;
    while let Some((before, number, after)) = next_number(rest) {
        if known.iter().any(|source| source.number == number) {
            cleaned.push_str(before);
            cleaned.push_str(&format!("[{number}]"));
        } else {
            cleaned.push_str(before.trim_end());
            removed.push(number);
        }
        rest = after;
    }
    cleaned.push_str(rest);
    (cleaned, removed)
}

/// A sentence without its numbers, and the numbers.
fn numbers(text: &str) -> (String, Vec<u32>) {
    let mut bare = String::new();
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, number, after)) = next_number(rest) {
        bare.push_str(before.trim_end());
        found.push(number);
        rest = after;
    }
    bare.push_str(rest);
    (bare.trim().to_owned(), found)
}

/// What stands before the next `[12]`, the number, and what stands after it.
fn next_number(text: &str) -> Option<(&str, u32, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('[').map(|at| from + at) {
        let inside = text.get(open + 1..)?;
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=4).contains(&digits) && inside.as_bytes().get(digits) == Some(&b']') {
            let number = inside.get(..digits)?.parse().ok()?;
            return Some((text.get(..open)?, number, inside.get(digits + 1..)?));
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: u32, quote: &str) -> Citation {
        Citation {
            number,
            url: format!("https://example.com/{number}"),
            title: "Handbook".into(),
            headings: Vec::new(),
            page: None,
            start: 0,
            end: quote.chars().count(),
            quote: quote.into(),
            score: 0.5,
        }
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_removed() {
        let (text, removed) = without_unknown("Yes [1], and more [7]. See [x] and [0].", &[source(1, "x")]);
        assert_eq!((text.as_str(), removed), ("Yes [1], and more. See [x] and.", vec![7, 0]));
    }

    #[test]
    fn each_sentence_is_held_against_what_it_cites() {
        let sources =
            [source(1, "Employees have 30 days of holiday every year."), source(2, "Lunch costs 45 kronor.")];
        let text =
            "Employees have 30 days of holiday every year [1]. Lunch costs 60 kronor [2]. Dogs are welcome.";
        let answer = check_answer(text, &sources, Language::En);
        let told: Vec<_> = answer.sentences.iter().map(|one| (one.cites.clone(), one.supported)).collect();
        assert_eq!(told, [(vec![1], true), (vec![2], false), (vec![], false)], "{:?}", answer.sentences);
        assert_eq!(answer.citations.len(), 2);
        assert_eq!(answer.unproven().count(), 2);
        let loose = answer_check(false)(&given(text, &sources));
        assert_eq!(loose.sentences.len(), 2, "only what cites is judged: {loose:?}");
    }

    fn given<'a>(answer: &'a str, sources: &'a [Citation]) -> AnswerToCheck<'a> {
        AnswerToCheck { question: "", answer, sources, only_searched: false }
    }

    /// Where a sentence stands is told in characters, its numbers included; a number after the full stop is its own.
    #[test]
    fn a_sentence_has_its_place_and_the_numbers_behind_it() {
        let sources = [source(1, "Ledighet är 30 dagar."), source(2, "Lunch kostar 45 kronor.")];
        for text in [
            "Ledighet är 30 dagar. [1] Lunch kostar 45 kronor. [2]",
            "Ledighet är 30 dagar [1]. Lunch kostar 45 kronor [2].",
            "Ledighet är 30 dagar.[1]\nLunch kostar 45 kronor.[2]",
        ] {
            let answer = check_answer(text, &sources, Language::Sv);
            let told: Vec<_> =
                answer.sentences.iter().map(|one| (one.cites.clone(), one.supported)).collect();
            assert_eq!(told, [(vec![1], true), (vec![2], true)], "{text}: {:?}", answer.sentences);
            let places: Vec<String> = answer
                .sentences
                .iter()
                .map(|one| text.chars().skip(one.start).take(one.end - one.start).collect())
                .collect();
            let begins = ["Ledighet", "Lunch"];
            for (place, (begin, number)) in places.iter().zip(begins.into_iter().zip(["[1]", "[2]"])) {
                assert!(place.starts_with(begin) && place.contains(number), "{text}: {place}");
            }
        }
    }

    /// An answer after an empty search, or without any, is an invention; that nothing was found is none.
    #[test]
    fn an_invention_after_an_empty_search_is_marked() {
        let told = [
            ("Hur många parkeringsplatser har Kiruna?", "Kontoret i Kiruna har 12 parkeringsplatser.", 1),
            ("How many parking places?", "The office has twelve parking places.", 1),
            ("Hvor mange p-pladser er der?", "Der er tolv p-pladser ved kontoret.", 1),
            ("Hvor mange p-plasser er det?", "Det er tolv p-plasser ved kontoret.", 1),
            ("Wie viele Parkplätze gibt es?", "Das Büro hat zwölf Parkplätze.", 1),
            ("Hur många parkeringsplatser har Kiruna?", "Jag hittade inget om detta i dokumenten.", 0),
        ];
        for (question, answer, marked) in told {
            let given = AnswerToCheck { question, ..given(answer, &[]) };
            assert_eq!(answer_check(true)(&given).unproven().count(), marked, "{answer}");
            let searched = AnswerToCheck { only_searched: true, ..given };
            assert_eq!(answer_check(false)(&searched).unproven().count(), marked, "only searched: {answer}");
            assert_eq!(answer_check(false)(&given).sentences.len(), 0, "another agent may know it: {answer}");
        }
    }

    /// One sentence is too short to tell its language. These five passed as proven.
    #[test]
    fn a_short_answer_is_read_in_the_language_of_its_question_or_its_passage() {
        let da = "Medarbejdere har ret til løn under barsel. Moderen får løn i 24 uger, faderen i 16 uger. \
                  Arbejdstiden er 37 timer om ugen, og fredag slutter dagen klokken 15.";
        let sv = "Friskvårdsbidraget är 3 000 kronor per år. Bidraget är personligt och kan inte överlåtas.";
        let no = "Konfidensielle dokumenter skal ikke lagres lokalt. De lagres på selskapets server.";
        let cases = [
            ("Har bedsteforældre ret til barsel?", "Bedsteforældre har ret til to ugers barsel [1].", da),
            ("Er der fri om fredagen?", "Der er fri hver fredag [1].", da),
            ("Får faderen løn?", "Faderen har ikke ret til løn under barsel [1].", da),
            ("Kan bidraget delas?", "Bidraget kan delas med familjen [1].", sv),
            ("Hvor lagres dokumenter?", "Konfidensielle dokumenter kan lagres lokalt [1].", no),
        ];
        for (question, answer, passage) in cases {
            let sources = [source(1, passage)];
            for question in [question, ""] {
                let checked = answer_check(true)(&AnswerToCheck { question, ..given(answer, &sources) });
                assert_eq!(checked.unproven().count(), 1, "{answer} ({question}): {:?}", checked.sentences);
            }
        }
        let honest = [
            ("Hur mycket är bidraget?", "Friskvårdsbidraget är 3 000 kronor per år [1].", sv),
            ("Hvor længe får faderen løn?", "Faderen får løn i 16 uger [1].", da),
            ("Hvor lagres dokumenter?", "De lagres på selskapets server [1].", no),
        ];
        for (question, answer, passage) in honest {
            let sources = [source(1, passage)];
            let checked = answer_check(true)(&AnswerToCheck { question, ..given(answer, &sources) });
            assert_eq!(checked.unproven().count(), 0, "{answer}: {:?}", checked.sentences);
        }
    }
}
