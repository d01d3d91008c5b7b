//! Where the sources have what a word says: by form, stem, synonym, or the parts of a compound. Found once per word.

use std::rc::Rc;

use super::{
    index::{Index, Post},
    vocabulary::WordId,
};
use crate::lists::Critical;

/// Letters a part of a compound has at least, at the beginning and at the end.
const FIRST: usize = 4;
const HEAD: usize = 3;
/// What stands between the parts: "Arbeit-s-zeit", "natte-vagt".
const LINKS: [&str; 6] = ["", "s", "e", "n", "en", "er"];

/// Where a word is proven.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// One list, or for a compound that stands nowhere as such, one for each of its parts.
    pub(super) parts: Vec<Rc<[Post]>>,
}

impl Cover {
    fn of(posts: Vec<Post>) -> Self {
        Self { parts: if posts.is_empty() { Vec::new() } else { vec![posts.into()] } }
    }
}

/// The covers found so far.
#[derive(Debug, Default)]
pub(super) struct Covers {
    words: Vec<Option<Cover>>,
    names: Vec<Option<Cover>>,
}

impl Covers {
    /// Finds out about a word, if nobody has.
    pub(super) fn prepare(&mut self, index: &mut Index, id: WordId, name: bool) {
        let at = id as usize;
        let table = if name { &self.names } else { &self.words };
        if table.get(at).is_some_and(Option::is_some) {
            return;
        }
        let cover = if name { by_name(index, id) } else { by_word(index, id) };
        let table = if name { &mut self.names } else { &mut self.words };
        if table.len() <= at {
            table.resize(index.words.len().max(at + 1), None);
        }
        if let Some(place) = table.get_mut(at) {
            *place = Some(cover);
        }
    }

    pub(super) fn get(&self, id: WordId, name: bool) -> Option<&Cover> {
        let table = if name { &self.names } else { &self.words };
        table.get(id as usize).and_then(Option::as_ref)
    }
}

/// A name is proven by itself, with or without the s of a genitive or a plural, and by common words of its stem.
fn by_name(index: &mut Index, id: WordId) -> Cover {
    let Some(word) = index.words.word(id) else { return Cover::default() };
    let norm = word.norm.clone();
    let keys = word.keys.clone();
    let mut posts = index.posts(id).to_vec();
    let bare = norm.trim_end_matches("'s").trim_end_matches('\'');
    let mut forms = vec![format!("{bare}s"), format!("{bare}'s"), bare.to_owned()];
    forms.extend(bare.strip_suffix('s').map(str::to_owned));
    for form in forms {
        let other = index.words.id(&form);
        posts.extend_from_slice(index.posts(other));
    }
    for kin in keys.first().map(|key| index.kin(*key)).unwrap_or_default() {
        let common = |post: &&Post| {
            let unit = index.unit(**post);
            unit.is_some_and(|unit| matches!(unit.what, super::reading::What::Word(_)) && unit.first > 0)
        };
        posts.extend(index.posts(*kin).iter().filter(common));
    }
    posts.sort_unstable();
    posts.dedup();
    Cover::of(posts)
}

fn by_word(index: &mut Index, id: WordId) -> Cover {
    let mut posts = direct(index, id);
    if posts.is_empty() && index.words.lists.language.compounds() {
        let parts = split(index, id);
        if !parts.is_empty() {
            return Cover { parts: parts.into_iter().map(Rc::from).collect() };
        }
    }
    if posts.is_empty()
        && let Some(word) = index.words.word(id).filter(|word| word.critical.is_none())
    {
        posts = index.alike(&word.stem).flat_map(|other| index.posts(other)).copied().collect();
        posts.sort_unstable();
    }
    Cover::of(posts)
}

/// Where a word stands itself, one of its kin, or a compound that holds it.
fn direct(index: &Index, id: WordId) -> Vec<Post> {
    let Some(word) = index.words.word(id) else { return Vec::new() };
    let mut posts = Vec::new();
    if word.critical == Some(Critical::Superlative) {
        // "Large" does not prove "largest": a superlative is proven by one.
        let same = word.keys.first().map(|key| index.kin(*key)).unwrap_or_default();
        let high = |other: &&WordId| {
            index.words.word(**other).is_some_and(|other| other.critical == Some(Critical::Superlative))
        };
        posts.extend(same.iter().filter(high).flat_map(|other| index.posts(*other)));
    } else {
        let kin = word.keys.iter().flat_map(|key| index.kin(*key));
        posts.extend(kin.flat_map(|other| index.posts(*other)));
        // What a compound holds counts only where the word itself stands nowhere.
        if posts.is_empty() && index.words.lists.language.compounds() {
            posts = held(index, id);
        }
    }
    posts.sort_unstable();
    posts.dedup();
    posts
}

/// The compounds that hold a word.
fn held(index: &Index, id: WordId) -> Vec<Post> {
    let Some(word) = index.words.word(id) else { return Vec::new() };
    let letters = word.stem.chars().count();
    let mut posts = Vec::new();
    if letters >= HEAD {
        posts.extend(index.ending(&word.stem).flat_map(|other| index.posts(other)));
    }
    // "Bilmekaniker" proves no "bil": for a benefit the head of the compound counts.
    if letters >= FIRST && word.critical.is_none() {
        posts.extend(index.beginning(&word.stem).flat_map(|other| index.posts(other)));
    }
    posts
}

/// Cuts a compound where both parts are proven, or one is and the other says nothing.
fn split(index: &mut Index, id: WordId) -> Vec<Vec<Post>> {
    let Some(word) = index.words.word(id) else { return Vec::new() };
    let norm = word.norm.clone();
    let mut best = Vec::new();
    for (at, _) in norm.char_indices() {
        let (first, head) = norm.split_at(at);
        if first.chars().count() < 2 || head.chars().count() < HEAD {
            continue;
        }
        let Some(heads) = part(index, head) else { continue };
        // "Upplärning" is "lär upp", "Einarbeitung" "arbeitet ein".
        if index.words.lists.listed(first) && head.chars().count() > FIRST && !heads.is_empty() {
            best = vec![heads];
            break;
        }
        for link in LINKS {
            let Some(bare) = first.strip_suffix(link).filter(|bare| bare.chars().count() >= HEAD) else {
                continue;
            };
            let Some(firsts) = part(index, bare) else { continue };
            let parts: Vec<Vec<Post>> =
                [firsts, heads].into_iter().filter(|posts| !posts.is_empty()).collect();
            if !parts.is_empty() {
                best = parts;
            }
            break;
        }
        if !best.is_empty() {
            break;
        }
    }
    best
}

/// Where a part of a compound is proven; empty for one that says nothing by itself.
fn part(index: &mut Index, norm: &str) -> Option<Vec<Post>> {
    let id = index.words.id(norm);
    // A part is proven by its own stem: with synonyms of both halves nearly everything would be.
    let key = index.words.word(id).and_then(|word| word.keys.first().copied())?;
    let mut posts: Vec<Post> = index.kin(key).iter().flat_map(|other| index.posts(*other)).copied().collect();
    if posts.is_empty() && norm.chars().count() >= FIRST {
        posts = held(index, id);
    }
    if !posts.is_empty() {
        return Some(posts);
    }
    let word = index.words.word(id)?;
    (word.ordinary && norm.chars().count() >= FIRST).then(Vec::new)
}
