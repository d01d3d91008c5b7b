//! The stems of the published Gender Decoder (`data/coding/decoder.txt`) by their letters.

use std::{collections::BTreeMap, path::Path};

use tata_phrases::build::{self, List};

/// How many feminine and masculine stems were published.
const STEMS: [usize; 2] = [50, 52];

/// 1 if a stem is feminine, 2 if it is masculine.
pub(crate) fn trie(path: &Path) -> Result<Vec<u8>, String> {
    let mut list = List::read(path)?;
    let lists = [list.entries("feminine")?, list.entries("masculine")?];
    list.end()?;
    if lists.each_ref().map(Vec::len) != STEMS {
        return Err(format!("{}: these are not the published stems", path.display()));
    }
    let mut all: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (list, code) in lists.iter().zip([1, 2]) {
        for stem in list {
            *all.entry(stem.as_bytes()).or_default() |= code;
        }
    }
    Ok(build::trie(&all.into_iter().collect::<Vec<_>>()))
}
