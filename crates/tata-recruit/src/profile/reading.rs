//! What the sources say, put together: notes before the hiring manager before an earlier ad, nothing twice.

use crate::{
    Item, MUST_HAVES, Size, Source, Sources,
    notes::{self, Category, Notes, PaySaid, gist},
};

/// The most tasks taken from one source.
pub(super) const TASKS_PER_SOURCE: usize = 5;
/// The most statements of one kind that are looked at; more are no notes.
const MOST_STATEMENTS: usize = 300;
/// An earlier ad adds tasks only where the other sources name fewer.
const ENOUGH_TASKS: usize = 3;

/// What can be read in sources without a model; every statement is a quotation.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// As many as were found.
    pub must_haves: Vec<Item>,
    /// At most five per source.
    pub responsibilities: Vec<Item>,
    /// Welcome, not required.
    pub good_to_haves: Vec<Item>,
    /// Personal qualities.
    pub soft_skills: Vec<Item>,
    /// Why somebody would want the role.
    pub motivations: Vec<Item>,
    /// How success is measured.
    pub performance_measures: Vec<Item>,
    /// What is hard.
    pub challenges: Vec<Item>,
    /// What an earlier ad asks for in addition, although the other sources suffice.
    pub offered: Vec<Item>,
    /// Tasks beyond the limit of their source, or of an earlier ad that was not needed.
    pub further_tasks: Vec<Item>,
    /// Requirements with a question mark.
    pub open: Vec<Item>,
    /// What the notes and the hiring manager say with a label or a figure, and nothing was read in.
    pub unused: Vec<Item>,
    /// Pairs of statements that cannot both be true.
    pub contradictions: Vec<(Item, Item)>,
    pub(crate) location: Option<Item>,
    pub(crate) style: Option<Item>,
    pub(crate) unit: Option<Item>,
    pub(crate) mission: Option<Item>,
    pub(crate) agreement: Option<Item>,
    pub(crate) team_size: Option<Size>,
    pub(crate) pay: Option<PaySaid>,
}

/// Reads the notes, the hiring manager's words and an earlier ad. The title tells who is meant by "the controller".
pub fn read_requirements(sources: &Sources, position_title: &str) -> Requirements {
    let read = |source: Source| sources.get(source).map(|text| notes::read(text, source, position_title));
    let order = [Source::StartupNotes, Source::HiringManagerInput, Source::OldJobAd];
    let all: Vec<(Source, Notes)> =
        order.iter().filter_map(|source| Some((*source, read(*source)?))).collect();
    let mut found = Requirements::default();
    let good = gather(&all, Category::Good, &[], &mut found.contradictions);
    let mut must = gather(&all, Category::Must, &good, &mut found.contradictions);
    withdraw(&all, &mut must, &mut found.contradictions);
    // What is welcome in one source and required in a less trusted one stays welcome.
    found.good_to_haves =
        good.into_iter().filter(|item| !must.iter().any(|must| is_same(must, item))).collect();
    if let Some(at) = must.iter().position(|item| item.evidence.source == Source::OldJobAd)
        && at >= MUST_HAVES
    {
        found.offered = must.split_off(at);
    }
    found.must_haves = must;
    tasks(&all, &mut found);
    found.soft_skills = gather(&all, Category::Soft, &[], &mut Vec::new());
    found.motivations = gather(&all, Category::Motive, &[], &mut Vec::new());
    found.challenges = gather(&all, Category::Challenge, &[], &mut Vec::new());
    found.performance_measures = gather(&all, Category::Measure, &[], &mut Vec::new());
    let first = |category: Category| all.iter().find_map(|(_, notes)| notes.of(category).next().cloned());
    found.location = first(Category::Location);
    found.style = first(Category::Style);
    found.unit = first(Category::Unit);
    found.mission = first(Category::Mission);
    found.agreement = first(Category::Agreement);
    let sizes = || all.iter().filter_map(|(_, notes)| notes.team_size.clone());
    found.team_size = sizes().next().map(|(people, evidence)| Size { people, evidence });
    found.pay = all.iter().find_map(|(_, notes)| notes.pay.clone());
    let today = all.iter().filter(|(source, _)| *source != Source::OldJobAd);
    found.unused = today.flat_map(|(_, notes)| notes.unused.iter().cloned()).take(MOST_STATEMENTS).collect();
    found.open = all.iter().flat_map(|(_, notes)| notes.open.iter().cloned()).take(MOST_STATEMENTS).collect();
    let quoted =
        |evidence: &crate::Evidence| Item { text: crate::tidy(&evidence.quote), evidence: evidence.clone() };
    let mut differing = Vec::new();
    let mut known: Option<(u32, crate::Evidence)> = None;
    for (people, evidence) in sizes() {
        match &known {
            Some((other, place)) if *other != people => differing.push((quoted(place), quoted(&evidence))),
            Some(_) => {}
            None => known = Some((people, evidence)),
        }
    }
    let places: Vec<&Item> =
        all.iter().filter_map(|(_, notes)| notes.of(Category::Location).next()).collect();
    if let Some((first, rest)) = places.split_first() {
        let other = rest.iter().find(|place| !is_related(&gist(&place.text).0, &gist(&first.text).0));
        differing.extend(other.map(|other| ((*first).clone(), (*other).clone())));
    }
    let pays: Vec<&PaySaid> = all.iter().filter_map(|(_, notes)| notes.pay.as_ref()).collect();
    if let [first, rest @ ..] = pays.as_slice() {
        let other = rest.iter().find(|other| (other.min, other.max) != (first.min, first.max));
        differing.extend(other.map(|other| (quoted(&first.evidence), quoted(&other.evidence))));
    }
    found.contradictions.extend(differing);
    found
}

/// Takes out what a source of at least the same rank says is not required; a lesser source only contradicts.
fn withdraw(all: &[(Source, Notes)], must: &mut Vec<Item>, contradictions: &mut Vec<(Item, Item)>) {
    let not: Vec<Known> = all
        .iter()
        .flat_map(|(_, notes)| notes.of(Category::Not).take(MOST_STATEMENTS))
        .map(Known::new)
        .collect();
    let not: Vec<&Known> = not.iter().filter(|not| (1..=4).contains(&not.words.len())).collect();
    must.retain(|item| {
        let known = Known::new(item);
        let Some(not) = not.iter().find(|not| not.words.iter().all(|word| known.words.contains(word))) else {
            return true;
        };
        if not.item.evidence.source != item.evidence.source {
            contradictions.push((item.clone(), not.item.clone()));
        }
        not.item.evidence.source > item.evidence.source
    });
}

fn tasks(all: &[(Source, Notes)], found: &mut Requirements) {
    let gathered = gather(all, Category::Task, &[], &mut Vec::new());
    let trusted = gathered.iter().filter(|item| item.evidence.source != Source::OldJobAd).count();
    for item in gathered {
        let source = item.evidence.source;
        let from_source = found.responsibilities.iter().filter(|item| item.evidence.source == source).count();
        let needed = source != Source::OldJobAd || trusted < ENOUGH_TASKS;
        if from_source < TASKS_PER_SOURCE && needed {
            found.responsibilities.push(item);
        } else {
            found.further_tasks.push(item);
        }
    }
}

/// A statement and what it is compared by.
struct Known {
    item: Item,
    text: String,
    words: Vec<String>,
    numbers: Vec<u32>,
}

impl Known {
    fn new(item: &Item) -> Self {
        let (words, numbers) = gist(&item.text);
        Self { item: item.clone(), text: item.text.to_lowercase(), words, numbers }
    }

    /// Whether both say the same: one has all the words of the other, and no other number.
    fn is_same(&self, other: &Self) -> bool {
        let numbers = self.numbers == other.numbers || self.numbers.is_empty() || other.numbers.is_empty();
        self.text == other.text || (numbers && is_related(&self.words, &other.words))
    }

    /// Whether both are about the same but give different numbers.
    fn differs(&self, other: &Self) -> bool {
        if self.numbers.is_empty() || other.numbers.is_empty() || self.numbers == other.numbers {
            return false;
        }
        let long = |words: &[String]| words.iter().filter(|word| word.chars().count() > 3).count();
        let shared = self.words.iter().filter(|word| word.chars().count() > 3 && other.words.contains(word));
        let (shared, least) = (shared.count(), long(&self.words).min(long(&other.words)));
        shared >= 2 && shared * 2 >= least
    }
}

/// The statements of a category, the most trusted first, nothing twice. `others` are statements of another category
/// that these may contradict.
fn gather(
    all: &[(Source, Notes)],
    category: Category,
    others: &[Item],
    contradictions: &mut Vec<(Item, Item)>,
) -> Vec<Item> {
    let others: Vec<Known> = others.iter().map(Known::new).collect();
    let mut items: Vec<Known> = Vec::new();
    for (_, notes) in all {
        let mut own: Vec<Known> = Vec::new();
        for item in notes.of(category).take(MOST_STATEMENTS).map(Known::new) {
            if own.iter().any(|known| known.text == item.text) {
                continue;
            }
            if let Some(other) = items.iter().find(|known| known.differs(&item)) {
                contradictions.push((other.item.clone(), item.item));
                continue;
            }
            if let Some(other) = others.iter().find(|other| other.is_same(&item)) {
                contradictions.push((other.item.clone(), item.item.clone()));
                if other.item.evidence.source < item.item.evidence.source {
                    continue;
                }
            }
            if !items.iter().any(|known| known.is_same(&item)) {
                own.push(item);
            }
        }
        items.extend(own);
    }
    items.into_iter().map(|known| known.item).collect()
}

/// Whether two statements say the same.
pub(super) fn is_same(one: &Item, other: &Item) -> bool {
    Known::new(one).is_same(&Known::new(other))
}

/// Whether one has all the words of the other.
fn is_related(one: &[String], other: &[String]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    !short.is_empty() && short.iter().all(|word| long.contains(word))
}
