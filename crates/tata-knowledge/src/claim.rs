//! What in an answer states a fact, and what only says that there is none.

use tata_language::{Kind, tokens};

/// The longest sentence that says no more than that nothing was found, in words.
const LONGEST: usize = 40;

/// Who speaks for themselves: "I could not find".
const SPEAKERS: [&str; 8] = ["i", "we", "jag", "vi", "jeg", "ich", "wir", "man"];
const NOTHING: [&str; 10] =
    ["nothing", "none", "inget", "ingenting", "inga", "intet", "ingen", "nichts", "keine", "kein"];
const NEGATIONS: [&str; 24] = [
    "not",
    "no",
    "nothing",
    "none",
    "cannot",
    "don't",
    "doesn't",
    "didn't",
    "couldn't",
    "can't",
    "inte",
    "ej",
    "inget",
    "ingen",
    "inga",
    "ingenting",
    "ikke",
    "intet",
    "nicht",
    "nichts",
    "kein",
    "keine",
    "keinen",
    "keinerlei",
];
/// What answers are looked for in, as words begin.
const PLACES: [&str; 21] = [
    "document",
    "dokument",
    "source",
    "källa",
    "källo",
    "kilde",
    "quelle",
    "search",
    "sökning",
    "søgning",
    "søk",
    "suche",
    "result",
    "ergebnis",
    "passage",
    "information",
    "uppgift",
    "oplysning",
    "opplysning",
    "angabe",
    "svar",
];
/// What documents do when they tell something, as words begin.
const TELLS: [&str; 56] = [
    "say",
    "mention",
    "contain",
    "state",
    "tell",
    "give",
    "cover",
    "answer",
    "include",
    "has",
    "have",
    "show",
    "describe",
    "specif",
    "found",
    "find",
    "säg",
    "nämn",
    "innehåll",
    "står",
    "ange",
    "framgå",
    "finns",
    "har",
    "svara",
    "hitta",
    "gav",
    "siger",
    "nævn",
    "indehold",
    "oplys",
    "fremgå",
    "find",
    "fandt",
    "fundet",
    "gav",
    "sier",
    "nevn",
    "innehold",
    "opplys",
    "finn",
    "fant",
    "funnet",
    "sag",
    "erwähn",
    "enthalt",
    "enthält",
    "steh",
    "nenn",
    "beantwort",
    "hab",
    "hat",
    "gib",
    "geht",
    "gefunden",
    "ergab",
];
/// What somebody does who looks for an answer, as words begin.
const LOOKS: [&str; 23] = [
    "find",
    "found",
    "know",
    "answer",
    "see",
    "tell",
    "say",
    "hitta",
    "vet",
    "svara",
    "fandt",
    "finder",
    "ved",
    "svare",
    "fant",
    "finne",
    "gefunden",
    "finden",
    "weiß",
    "sagen",
    "beantworten",
    "funnet",
    "fundet",
];
/// After these comes something else.
const TURNS: [&str; 9] = ["but", "however", "men", "dock", "dog", "aber", "jedoch", "doch", "sondern"];
/// What comes before the titles that a search names when it found nothing.
const NEAREST: [&str; 9] =
    ["nearest", "closest", "närmast", "närmaste", "nærmest", "nærmeste", "nächsten", "ehesten", "nahe"];

/// Whether a sentence states something that a source must prove. A question does not, nor thanks, nor that nothing was
/// found: that is what an honest answer says without a source.
pub(crate) fn states_a_fact(sentence: &str, question: &str) -> bool {
    let found = tokens(sentence);
    let words: Vec<String> = found
        .iter()
        .filter(|token| token.kind == Kind::Word)
        .map(|token| token.text.to_lowercase())
        .collect();
    let sentence = sentence.trim();
    if sentence.ends_with('?') || sentence.ends_with('!') && words.len() <= 3 {
        return false;
    }
    let asked: Vec<String> = tokens(question).iter().map(|token| token.text.to_lowercase()).collect();
    let brings_a_number = found.iter().any(|token| {
        token.text.chars().any(|c| c.is_ascii_digit()) && !asked.contains(&token.text.to_lowercase())
    });
    if is_any(&words, &NEAREST) {
        return false;
    }
    brings_a_number || words.len() > LONGEST || is_any(&words, &TURNS) || !says_nothing_was_found(&words)
}

fn says_nothing_was_found(words: &[String]) -> bool {
    if !is_any(words, &NEGATIONS) {
        return false;
    }
    let of_documents = begins_any(words, &PLACES) && begins_any(words, &TELLS);
    let of_a_search = (is_any(words, &SPEAKERS) || is_any(words, &NOTHING)) && begins_any(words, &LOOKS);
    of_documents || of_a_search
}

fn is_any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

fn begins_any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.iter().any(|stem| word.starts_with(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_nothing_was_found_is_no_fact() {
        let honest = [
            "I could not find anything about that in the documents.",
            "The documents do not say how many parking places there are.",
            "Nothing was found above the threshold.",
            "I don't know.",
            "The nearest titles are: Travel policy; Parental leave.",
            "Do you want me to look elsewhere?",
            "You're welcome!",
            "I dokumenten står det inget om detta som är säkert nog.",
            "Jag hittade inget om parkeringsplatser i Kiruna.",
            "Dokumenten innehåller ingen uppgift om detta.",
            "Dokumenterne siger ikke noget om dette, som er sikkert nok.",
            "Jeg fandt ikke noget om det i dokumenterne.",
            "Dokumentene sier ikke noe om dette som er sikkert nok.",
            "Jeg fant ingenting om dette.",
            "In den Dokumenten steht dazu nichts, was sicher genug wäre.",
            "Ich habe dazu nichts gefunden.",
        ];
        for sentence in honest {
            assert!(!states_a_fact(sentence, "How many parking places are there in Kiruna?"), "{sentence}");
        }
    }

    #[test]
    fn an_invention_is_a_fact_however_it_is_put() {
        let invented = [
            "Kontoret i Kiruna har 12 parkeringsplatser.",
            "The office in Kiruna has twelve parking places.",
            "The documents do not say so, but the office has twelve parking places.",
            "The documents do not mention the 12 parking places.",
            "Taxis are not paid.",
            "The policy does not allow dogs.",
            "Yes.",
            "Fredag er fri.",
            "Der er fri hver fredag.",
            "Der Urlaub beträgt dreißig Tage.",
        ];
        for sentence in invented {
            assert!(states_a_fact(sentence, "How many parking places are there in Kiruna?"), "{sentence}");
        }
    }
}
