//! Names of accounts as the eye takes them.

use unicode_normalization::UnicodeNormalization;

/// A name with case, width and letters of other alphabets that look the same set aside: what has the same key could be
/// taken for one name, so it signs in to the same account and has one limit of wrong passwords.
pub fn name_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for letter in name.nfkc().flat_map(char::to_lowercase).nfkc() {
        match letter {
            // Lower case alone does not join these, as folding case does.
            'ß' => key.push_str("ss"),
            'ς' => key.push('σ'),
            _ => key.push(latin_twin(letter)),
        }
    }
    key.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The Latin letter that nobody can tell from a small Cyrillic, Greek or Armenian one. These are the ones that are drawn
/// alike in common typefaces; it is no list of all that is similar.
fn latin_twin(letter: char) -> char {
    match letter {
        'а' | 'α' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_key() {
        for alike in [
            "Anna@Acme.Example",
            "ＡＮＮＡ@acme.example",
            "\u{430}nn\u{430}@acme.example",
            " anna@acme.example ",
        ] {
            assert_eq!(name_key(alike), "anna@acme.example", "{alike}");
        }
        assert_eq!(name_key("Å\u{30a}SA"), name_key("å\u{30a}sa"));
        assert_eq!(name_key("A\u{30a}sa"), name_key("Åsa"), "one letter written in two ways");
        assert_eq!(name_key("Groß"), name_key("GROSS"));
        for other in ["anne@acme.example", "anna@acme.exampl", "annä@acme.example"] {
            assert_ne!(name_key(other), "anna@acme.example", "{other}");
        }
    }
}
