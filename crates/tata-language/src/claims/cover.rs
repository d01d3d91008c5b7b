//! Where the sources have what a word says: by form, stem, synonym, or the parts of a compound. Found once per word.

use rustc_hash::FxHashMap;

use super::{
    index::{Index, MOST, Post},
    pick::Proof,
    reading::What,
    vocabulary::{Sense, WordId},
};
use crate::{lists::Critical, stem::plain, values::Amount};

/// Letters a part of a compound has at least, at the beginning and at the end.
const FIRST: usize = 4;
const HEAD: usize = 3;
/// Bytes of the longest compound that is cut. Nobody reads a longer word.
const LONGEST: usize = 60;
/// What stands between the parts: "Arbeit-s-zeit", "natte-vagt".
const LINKS: [&str; 6] = ["", "s", "e", "n", "en", "er"];

/// Where something is proven: one list, or for a compound that stands nowhere as such, one for each of its parts.
type Cover = Vec<Proof>;

fn cover(index: &Index, posts: Vec<Post>) -> Cover {
    if posts.is_empty() { Vec::new() } else { vec![proof(index, posts)] }
}

/// Each place once, in order.
fn proof(index: &Index, mut posts: Vec<Post>) -> Proof {
    posts.sort_unstable();
    posts.dedup();
    posts.truncate(MOST);
    Proof::of(index, posts)
}

/// The covers found so far.
#[derive(Debug, Default)]
pub(super) struct Covers {
    words: FxHashMap<WordId, Cover>,
    names: FxHashMap<WordId, Cover>,
    amounts: FxHashMap<Amount, Cover>,
}

impl Covers {
    /// Where a unit is proven.
    pub(super) fn of(&mut self, index: &Index, what: What) -> &[Proof] {
        match what {
            What::Word(id) => self.words.entry(id).or_insert_with(|| by_word(index, id)),
            What::Name(id) => self.of_name(index, id),
            What::Value { amount, .. } => {
                let find = || cover(index, index.amounts(amount).collect());
                self.amounts.entry(amount).or_insert_with(find)
            }
        }
    }

    /// Where a name is proven.
    pub(super) fn of_name(&mut self, index: &Index, id: WordId) -> &[Proof] {
        self.names.entry(id).or_insert_with(|| by_name(index, id))
    }
}

/// A name is proven by itself, with or without the s of a genitive or a plural, by common words of its stem, and by its
/// synonyms: "Tue" is Tuesday.
fn by_name(index: &Index, id: WordId) -> Cover {
    let Some(word) = index.words.word(id) else { return Cover::new() };
    let mut posts = index.posts(id).to_vec();
    let bare = word.norm.trim_end_matches("'s").trim_end_matches('\'');
    let forms = [Some(bare), bare.strip_suffix('s'), Some(&format!("{bare}s")), Some(&format!("{bare}'s"))];
    for other in forms.into_iter().flatten().filter_map(|form| index.words.seen(form)) {
        posts.extend_from_slice(index.posts(other));
    }
    for kin in word.keys.first().map(|key| index.kin(*key)).unwrap_or_default() {
        let common = |post: &&Post| {
            let unit = index.unit(**post);
            unit.is_some_and(|unit| matches!(unit.what, What::Word(_)) && unit.first > 0)
        };
        posts.extend(index.posts(*kin).iter().filter(common));
    }
    let synonyms = word.keys.iter().skip(1).flat_map(|key| index.kin(*key));
    posts.extend(synonyms.flat_map(|other| index.posts(*other)));
    cover(index, posts)
}

fn by_word(index: &Index, id: WordId) -> Cover {
    let mut posts = direct(index, id);
    if posts.is_empty() && index.words.lists.language.compounds() {
        let parts = split(index, id);
        if !parts.is_empty() {
            return parts.into_iter().map(|posts| proof(index, posts)).collect();
        }
    }
    if posts.is_empty()
        && let Some(word) = index.words.word(id).filter(|word| word.critical.is_none())
    {
        posts = index.alike(&word.stem).flat_map(|other| index.posts(other)).copied().collect();
    }
    cover(index, posts)
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
            // "Bilmekaniker" proves no "bil": for a benefit the head of the compound counts.
            posts = held(index, &word.stem, word.critical.is_none());
            // Of "planering" too little is left to look for.
            if posts.is_empty() && word.stem.chars().nth(FIRST - 1).is_none() {
                let whole = plain(index.words.lists.language, &word.norm);
                posts = held(index, &whole, word.critical.is_none());
            }
        }
    }
    posts
}

/// The compounds that hold a stem as their head, or at their beginning if that counts.
fn held(index: &Index, stem: &str, beginning: bool) -> Vec<Post> {
    let letters = stem.chars().take(FIRST).count();
    let mut posts = Vec::new();
    if letters >= HEAD {
        posts.extend(index.ending(stem).flat_map(|other| index.posts(other)));
    }
    if letters >= FIRST && beginning {
        posts.extend(index.beginning(stem).flat_map(|other| index.posts(other)));
    }
    posts
}

/// Cuts a compound where both parts are proven, or one is and the other says nothing.
fn split(index: &Index, id: WordId) -> Vec<Vec<Post>> {
    let Some(norm) = index.words.word(id).map(|word| &word.norm).filter(|norm| norm.len() <= LONGEST) else {
        return Vec::new();
    };
    let mut best = Vec::new();
    for (at, _) in norm.char_indices() {
        let (first, head) = norm.split_at(at);
        if first.chars().count() < 2 || head.chars().count() < HEAD {
            continue;
        }
        let Some(heads) = part(index, head) else { continue };
        // "Upplärning" is "lär upp", "Einarbeitung" "arbeitet ein".
        if index.words.lists.word(first).ordinary && head.chars().count() > FIRST && !heads.is_empty() {
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
fn part(index: &Index, norm: &str) -> Option<Vec<Post>> {
    let lists = index.words.lists;
    let stem = lists.stem(norm);
    // A part is proven by its own stem: with synonyms of both halves nearly everything would be.
    let kin = index.words.key(&stem).map(|key| index.kin(key)).unwrap_or_default();
    let mut posts: Vec<Post> = kin.iter().flat_map(|other| index.posts(*other)).copied().collect();
    let long = norm.chars().nth(FIRST - 1).is_some();
    if !posts.is_empty() || !long {
        return (!posts.is_empty()).then_some(posts);
    }
    let sense = Sense::of(lists.word(norm), lists.kin(&stem), &stem);
    posts = held(index, &stem, sense.critical.is_none());
    (!posts.is_empty() || sense.ordinary).then_some(posts)
}
