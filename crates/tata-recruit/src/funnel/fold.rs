//! Names of rows and columns in the form in which they are compared. The build uses it too.

use tata_phrases::runs;
use unicode_normalization::UnicodeNormalization;

/// No name of a row or a column is longer.
const LONGEST: usize = 120;

/// The words of a name, in small letters.
pub(crate) fn words(name: &str) -> Vec<String> {
    let plain: String = name.chars().take(LONGEST).nfc().flat_map(char::to_lowercase).collect();
    runs(&plain).map(str::to_owned).collect()
}

/// The words that say something, in the order of the alphabet; all of them where none does.
pub(crate) fn key(name: &str, is_filler: impl Fn(&str) -> bool) -> String {
    let all = words(name);
    let mut telling: Vec<&String> = all.iter().filter(|word| !is_filler(word)).collect();
    if telling.is_empty() {
        telling = all.iter().collect();
    }
    telling.sort_unstable();
    telling.dedup();
    telling.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}
