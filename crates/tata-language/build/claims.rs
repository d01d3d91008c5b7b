//! What claims are judged by: what the lists of a language say of its words, and of all words of a stem.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use tata_phrases::{
    Trie,
    build::{self, List, Output},
    folded,
};

use crate::{
    cue::{Critical, Cue, CueSet, Kin, Listed, Numeral},
    language::Language,
    stem::stem,
};

/// A shorter stem says too little about its kin.
const SHORTEST_STEM: usize = 5;

/// The lists of a language as Rust; what finds their words is written beside it.
pub(crate) fn lists(language: Language, output: &Output) -> Result<String, String> {
    let mut words: BTreeMap<String, Listed> = BTreeMap::new();
    let mut stems: BTreeMap<String, Kin> = BTreeMap::new();
    let endings = entries(normalised("endings", language)?)?;
    let endings: BTreeSet<Vec<u8>> = endings.iter().map(|ending| ending.bytes().rev().collect()).collect();
    let endings = trie(endings.iter());
    let stem = |word: &str| stem(language, Trie::of(&endings), word);
    for word in entries(normalised("ordinary", language)?)? {
        let stem = stem(&word);
        if stem.chars().count() >= SHORTEST_STEM {
            stems.entry(stem).or_default().ordinary = true;
        }
        words.entry(word).or_default().ordinary = true;
    }
    let mut phrases: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (cue, entry) in sections(normalised("cues", language)?, Cue::find)? {
        match entry.split_once(' ') {
            Some((first, rest)) => {
                let rest: Vec<&'static str> = rest.to_owned().leak().split(' ').collect();
                phrases.entry(first.to_owned()).or_default().push((&*rest.leak(), CueSet::of(cue)));
            }
            None => words.entry(entry).or_default().cues.add(CueSet::of(cue)),
        }
    }
    for (first, phrases) in phrases {
        words.entry(first).or_default().phrases = phrases.leak();
    }
    for (critical, entry) in sections(normalised("critical", language)?, Critical::find)? {
        if critical != Critical::Superlative {
            stems.entry(stem(&entry)).or_default().critical = Some(critical);
        }
        words.entry(entry).or_default().critical = Some(critical);
    }
    let synonyms = normalised("synonyms", language)?;
    synonyms.refuse("is no set", |line| !line.contains(' '))?;
    let mut sets: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (set, line) in (0..).zip(entries(synonyms)?) {
        for word in line.split(' ') {
            sets.entry(stem(word)).or_default().insert(set);
        }
    }
    for (stem, sets) in sets {
        stems.entry(stem).or_default().synonyms = sets.into_iter().collect::<Vec<_>>().leak();
    }
    let mut numbers = read("numbers", language)?;
    let numeral = |word: &str, number: &str| numeral(number).filter(|_| folded(word) == word);
    for (word, numeral) in numbers.section("")?.pairs_as(numeral)? {
        words.entry(word).or_default().numeral = Some(numeral);
    }
    numbers.end()?;
    let mut text = format!("Lists {{ language: Language::{language:?},\n");
    for (name, bytes) in
        [("endings", endings.clone()), ("words", trie(words.keys())), ("stems", trie(stems.keys()))]
    {
        let file = format!("{}.{name}", language.name());
        output.write(&file, bytes)?;
        text.push_str(&format!("{name}: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")),\n"));
    }
    let (listed, kin): (Vec<_>, Vec<_>) = (words.values().collect(), stems.values().collect());
    let rows = format!("listed: {listed:?},\nkin: {kin:?} }}");
    // Lists in what is known of a word are slices there.
    Ok(text + &rows.replace('[', "&["))
}

fn read(kind: &str, language: Language) -> Result<List, String> {
    List::read(&Path::new("data").join(kind).join(format!("{}.txt", language.name())))
}

/// A list whose entries are compared with the words of texts.
fn normalised(kind: &str, language: Language) -> Result<List, String> {
    let list = read(kind, language)?;
    list.refuse("is not in small letters and plain signs", |entry| folded(entry) != entry).map(|()| list)
}

/// The entries of a list without sections.
fn entries(mut list: List) -> Result<Vec<String>, String> {
    let entries = list.section("")?.sorted()?;
    list.end().map(|()| entries)
}

/// The entries of all sections, each with what its section stands for.
fn sections<T: Copy>(list: List, find: impl Fn(&str) -> Option<T>) -> Result<Vec<(T, String)>, String> {
    let sections = list.each(|section| {
        let unknown = || section.problem(&format!("there is no [{}]", section.name));
        let kind = find(&section.name).ok_or_else(unknown)?;
        Ok(section.sorted()?.into_iter().map(move |entry| (kind, entry)))
    })?;
    Ok(sections.into_iter().flatten().collect())
}

/// Words in order, each with its place.
fn trie<'w>(words: impl Iterator<Item = &'w (impl AsRef<[u8]> + 'w)>) -> Vec<u8> {
    build::trie(&words.map(AsRef::as_ref).zip(0..).collect::<Vec<_>>())
}

/// A number, as the lists say at their beginning.
fn numeral(text: &str) -> Option<Numeral> {
    let number = |text: &str| text.replace('_', "").parse().ok();
    if let Some(scale) = text.strip_prefix('x') {
        number(scale).map(Numeral::Scale)
    } else if let Some(month) = text.strip_prefix('m') {
        month.parse().ok().map(Numeral::Month)
    } else if let Some(order) = text.strip_suffix('.') {
        number(order).map(Numeral::Order)
    } else if let Some(turn) = text.strip_suffix('?') {
        number(turn).map(Numeral::Turn)
    } else {
        number(text).map(Numeral::Count)
    }
}
