//! Lists as the text of Rust statics.

use std::path::Path;

use super::List;

/// The languages of all lists, in the order of tables.
pub const LANGUAGES: [&str; 5] = ["en", "sv", "da", "no", "de"];

/// What is made of the list of each language (`FOLDER/CODE.txt`), as an array.
pub fn by_language(
    folder: &str,
    mut make: impl FnMut(List) -> Result<String, String>,
) -> Result<String, String> {
    let lists = LANGUAGES.map(|code| List::read(&Path::new(folder).join(format!("{code}.txt"))));
    let texts = lists.into_iter().map(|list| make(list?)).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[{}]", texts.join(",\n")))
}

/// The entries of a list without sections.
pub fn entries(mut list: List) -> Result<String, String> {
    let entries = list.section("")?.sorted()?;
    list.end().map(|()| format!("&{entries:?}"))
}

/// The sections of a list: what each name stands for in the program, and its entries.
pub fn sections(list: List, known: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let sections = list.each(|section| {
        let unknown = || section.problem(&format!("there is no [{}]", section.name));
        let name = known(&section.name).ok_or_else(unknown)?;
        Ok(format!("({name}, &{:?})", section.sorted()?))
    })?;
    Ok(format!("&[{}]", sections.join(",\n")))
}

/// A name as a variant of an enum.
pub fn variant(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters)
        })
        .collect()
}
