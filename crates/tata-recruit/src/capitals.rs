//! Where a statement begins with a capital letter, and which words are written small or in capitals wherever they stand.

use crate::lists::{LETTERS_CAPITAL, LETTERS_SMALL};

/// A statement as it stands at the start of a point or a heading: with a capital letter, unless its first word is
/// written small wherever it stands (iOS, dbt, k8s). What is stored stays as somebody wrote it.
pub(crate) fn capitalized(statement: &str) -> String {
    let end = statement.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(statement.len());
    let (word, rest) = statement.split_at(end);
    let mut letters = statement.chars();
    let Some(first) = letters.next().filter(|letter| letter.is_lowercase()) else {
        return statement.to_owned();
    };
    if LETTERS_CAPITAL.binary_search(&word).is_ok() {
        return format!("{}{rest}", word.to_uppercase());
    }
    let inner = word.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_numeric());
    // An abbreviation such as mpls: no ordinary word is without a vowel.
    let abbreviation = end > 1 && word.is_ascii() && !word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    // The capital of "µ" is that of another letter.
    let mut capital = first.to_uppercase().filter(|capital| capital.to_lowercase().eq([first]));
    match (capital.next(), capital.next()) {
        (Some(capital), None) if !inner && !abbreviation && LETTERS_SMALL.binary_search(&word).is_err() => {
            std::iter::once(capital).chain(letters).collect()
        }
        (Some(_) | None, _) => statement.to_owned(),
    }
}

/// A text with a capital letter where another one begins with one.
pub(crate) fn capitalized_like(other: &str, text: String) -> String {
    if other.starts_with(char::is_uppercase) { capitalized(&text) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_begin_with_a_capital_letter() {
        let check = |statement: &str, shown: &str| assert_eq!(capitalized(statement), shown);
        check("varit teamledare eller arbetsledare tidigare", "Varit teamledare eller arbetsledare tidigare");
        check("ansvara för driften", "Ansvara för driften");
        check("økonomi og jura", "Økonomi og jura");
        check("in der Führung erfahren", "In der Führung erfahren");
        check("a degree", "A degree");
        check("i drift sedan 2020", "I drift sedan 2020");
        check("iOS and Android", "iOS and Android");
        check("eBay", "eBay");
        check("µ-Controller", "µ-Controller");
        check("dbt in production", "dbt in production");
        check("k8s i prod", "k8s i prod");
        check("mpls + bgp", "MPLS + bgp");
        check("crm-system", "CRM-system");
        check("nginx", "nginx");
        check("B-körkort", "B-körkort");
        check("2 år i SOC", "2 år i SOC");
        check("ßharp", "ßharp");
        check("", "");
    }
}
