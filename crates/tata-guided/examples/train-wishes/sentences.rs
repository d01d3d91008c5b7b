//! Labelled sentences: `label<TAB>sentence`, one a line. A line that begins with blanks goes on with the sentence before it.

use std::{fs, path::Path};

use tata_guided::wish::Wish;
use tata_language::Language;

/// A sentence and what it means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Labelled {
    /// The language of the file.
    pub(crate) language: Language,
    /// What it means.
    pub(crate) wish: Wish,
    /// The sentence.
    pub(crate) text: String,
}

/// The sentences of a folder in one language; an error names the line that cannot be used.
pub(crate) fn sentences(folder: &str, language: Language) -> Result<Vec<Labelled>, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("training").join(folder);
    let file = file.join(language.code()).with_extension("txt");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    labelled(language, &text).map_err(|bad| format!("{}: {bad}", file.display()))
}

/// All the sentences to learn from, each once, in an order that no file system decides.
pub(crate) fn training() -> Result<Vec<Labelled>, String> {
    let mut all = Language::ALL
        .map(|language| sentences("wishes", language))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .concat();
    all.sort();
    all.dedup();
    Ok(all)
}

fn labelled(language: Language, text: &str) -> Result<Vec<Labelled>, String> {
    let text = text.replace("\n    ", " ");
    text.lines()
        .map(|line| {
            let (label, said) = line
                .split_once('\t')
                .ok_or_else(|| format!("no tab between label and sentence: {line:?}"))?;
            let wish = Wish::find(label).ok_or_else(|| format!("{label:?} is no wish: {line:?}"))?;
            let said = Some(said.trim())
                .filter(|said| !said.is_empty())
                .ok_or_else(|| format!("no sentence: {line:?}"))?;
            Ok(Labelled { language, wish, text: said.to_owned() })
        })
        .collect()
}

/// A fingerprint of sentences in order; the weights carry that of the sentences they were trained on.
pub(crate) fn fingerprint(sentences: &[Labelled]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for sentence in sentences {
        let parts = [sentence.language.code(), sentence.wish.name(), &sentence.text];
        for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named_and_long_ones_go_on() {
        let check = |file: &str| labelled(Language::En, file).unwrap_err();
        assert_eq!(check("job_ad\tan ad\nanother"), "no tab between label and sentence: \"another\"");
        assert!(check("haircut\tan ad").contains("\"haircut\" is no wish"));
        assert!(check("job_ad\t ").contains("no sentence"));
        let read = labelled(Language::En, "job_ad\tan ad\n    for nurses\nmenu\thelp\n").unwrap();
        assert_eq!(
            read.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(),
            ["an ad for nurses", "help"]
        );
    }
}
