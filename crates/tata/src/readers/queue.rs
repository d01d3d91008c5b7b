//! Who reads next. Readers are few, and files of strangers can cost all the time that one may have: so no company has more
//! than one reader, companies and people take turns, and whoever brought a file that had to be stopped waits behind others.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::PLACES;

/// Files of one person that may wait; each holds a thread and its bytes in memory.
const MOST_OF_ONE: usize = 16;
/// Files that may wait altogether.
const MOST_WAITING: usize = 256;
/// How long somebody whose file was stopped waits behind others.
const BEHIND: Duration = Duration::from_mins(1);
/// People who are remembered; the order of those who came long ago is of no use to anybody.
const MOST_REMEMBERED: usize = 1000;

/// Whose file is read. On a machine of one person all are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub(crate) company: Option<String>,
    pub(crate) account: Option<String>,
}

/// Who waits for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Waiting {
    /// A person, for an answer.
    Person,
    /// Nobody: a document is being taken into a collection.
    Nobody,
}

/// A file that waits or is read.
#[derive(Debug)]
struct Claim {
    number: u64,
    owner: Owner,
    waiting: Waiting,
}

/// All files that wait or are read.
#[derive(Debug)]
pub(super) struct Queue {
    last: u64,
    /// How many were read so far.
    served: u64,
    reading: Vec<Claim>,
    waiting: Vec<Claim>,
    /// When a company and a person were served last, counted in files.
    companies: BTreeMap<Option<String>, u64>,
    people: BTreeMap<Owner, u64>,
    stopped: BTreeMap<Owner, Instant>,
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self {
            last: 0,
            served: 0,
            reading: Vec::new(),
            waiting: Vec::new(),
            companies: BTreeMap::new(),
            people: BTreeMap::new(),
            stopped: BTreeMap::new(),
        }
    }

    /// Lines a file up and gives its number; none where too many wait already.
    pub(super) fn enter(&mut self, owner: &Owner, waiting: Waiting) -> Option<u64> {
        let own = self.waiting.iter().filter(|claim| claim.owner == *owner).count();
        if own >= MOST_OF_ONE || self.waiting.len() >= MOST_WAITING {
            return None;
        }
        self.last += 1;
        self.waiting.push(Claim { number: self.last, owner: owner.clone(), waiting });
        Some(self.last)
    }

    /// Whether it is a file's turn; from then on it is read.
    pub(super) fn begin(&mut self, number: u64, now: Instant) -> bool {
        let next = self.waiting.iter().enumerate().filter(|(_, claim)| self.may_begin(claim));
        let next = next.min_by_key(|(_, claim)| self.rank(claim, now)).map(|(at, claim)| (at, claim.number));
        let Some((at, _)) = next.filter(|(_, next)| *next == number) else { return false };
        let claim = self.waiting.remove(at);
        if self.people.len() >= MOST_REMEMBERED {
            self.people.clear();
            self.companies.clear();
        }
        self.served += 1;
        self.companies.insert(claim.owner.company.clone(), self.served);
        self.people.insert(claim.owner.clone(), self.served);
        self.reading.push(claim);
        true
    }

    /// A file is read, or nobody waits for it any more.
    pub(super) fn leave(&mut self, number: u64) {
        self.reading.retain(|claim| claim.number != number);
        self.waiting.retain(|claim| claim.number != number);
    }

    /// A file cost its reader all the time or memory there is.
    pub(super) fn was_stopped(&mut self, owner: &Owner, now: Instant) {
        self.stopped.retain(|_, at| now.duration_since(*at) < BEHIND);
        self.stopped.insert(owner.clone(), now);
    }

    /// A place is always left for people, and for other companies, however many files are on their way.
    fn may_begin(&self, claim: &Claim) -> bool {
        let for_nobody = self.reading.iter().filter(|other| other.waiting == Waiting::Nobody).count();
        self.reading.len() < PLACES
            && !self.reading.iter().any(|other| other.owner.company == claim.owner.company)
            && (claim.waiting == Waiting::Person || for_nobody + 1 < PLACES)
    }

    /// The least comes first: people before documents, then whoever was served longest ago.
    fn rank(&self, claim: &Claim, now: Instant) -> (bool, Waiting, u64, u64, u64) {
        let stopped = self.stopped.get(&claim.owner);
        (
            stopped.is_some_and(|at| now.duration_since(*at) < BEHIND),
            claim.waiting,
            self.companies.get(&claim.owner.company).copied().unwrap_or_default(),
            self.people.get(&claim.owner).copied().unwrap_or_default(),
            claim.number,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(company: &str, account: &str) -> Owner {
        Owner { company: Some(company.to_owned()), account: Some(account.to_owned()) }
    }

    fn enter(queue: &mut Queue, company: &str, account: &str) -> u64 {
        queue.enter(&owner(company, account), Waiting::Person).unwrap()
    }

    #[test]
    fn one_company_never_has_all_readers() {
        let (mut queue, now) = (Queue::new(), Instant::now());
        let alice = [0; 8].map(|_| enter(&mut queue, "acme", "alice"));
        let began = alice.iter().filter(|number| queue.begin(**number, now)).count();
        assert_eq!(began, 1);
        let bob = enter(&mut queue, "other", "bob");
        assert!(queue.begin(bob, now), "a place was left for him");
    }

    #[test]
    fn companies_and_people_take_turns() {
        let (mut queue, now) = (Queue::new(), Instant::now());
        let alice = [0; 3].map(|_| enter(&mut queue, "acme", "alice"));
        let anna = enter(&mut queue, "acme", "anna");
        assert!(!queue.begin(alice[1], now), "not before the one that came first");
        assert!(queue.begin(alice[0], now));
        queue.leave(alice[0]);
        // A colleague who came later comes before somebody's second file.
        assert!(!queue.begin(alice[1], now) && queue.begin(anna, now));
        queue.leave(anna);
        assert!(queue.begin(alice[1], now));
        queue.leave(alice[1]);
        let bob = enter(&mut queue, "other", "bob");
        assert!(!queue.begin(alice[2], now) && queue.begin(bob, now) && queue.begin(alice[2], now));
    }

    #[test]
    fn whoever_was_stopped_waits_behind_others() {
        let (mut queue, now) = (Queue::new(), Instant::now());
        let anna = enter(&mut queue, "acme", "anna");
        assert!(queue.begin(anna, now));
        queue.leave(anna);
        queue.was_stopped(&owner("acme", "alice"), now);
        let alice = enter(&mut queue, "acme", "alice");
        let anna = enter(&mut queue, "acme", "anna");
        assert!(!queue.begin(alice, now) && queue.begin(anna, now));
        queue.leave(anna);
        let anna = enter(&mut queue, "acme", "anna");
        assert!(!queue.begin(anna, now + BEHIND) && queue.begin(alice, now + BEHIND), "it is forgiven");
    }

    #[test]
    fn documents_leave_a_place_to_people_and_one_person_cannot_fill_the_queue() {
        let (mut queue, now) = (Queue::new(), Instant::now());
        let first = queue.enter(&owner("acme", "a"), Waiting::Nobody).unwrap();
        let second = queue.enter(&owner("other", "b"), Waiting::Nobody).unwrap();
        assert!(queue.begin(first, now) && !queue.begin(second, now));
        let person = enter(&mut queue, "third", "c");
        assert!(queue.begin(person, now));
        let many = (0..100).filter_map(|_| queue.enter(&owner("acme", "alice"), Waiting::Person)).count();
        assert_eq!(many, MOST_OF_ONE);
        assert!(queue.enter(&owner("other", "bob"), Waiting::Person).is_some());
    }
}
