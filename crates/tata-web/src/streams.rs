//! Answers that take long: streams of events, and turns that somebody waits for. Each holds a connection, so one person
//! may have some, a company more, and all together no more than leave room for short requests.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::Method;
use tata_core::Account;

use crate::Problem;

/// What a request may take long for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Long {
    /// Events are followed.
    Follows,
    /// A turn is waited for.
    Waits,
}

impl Long {
    /// Whether a route may take long.
    pub(crate) fn of(route: &str, method: &Method) -> Option<Self> {
        match route {
            "/api/v1/sessions/{id}/events" | "/api/v1/sessions/{id}/turns/{turn}/events" => {
                Some(Self::Follows)
            }
            "/mcp" if *method == Method::GET => Some(Self::Follows),
            "/mcp"
            | "/api/v1/sessions/{id}/turns"
            | "/api/v1/sessions/{id}/resume"
            | "/api/v1/sessions/{id}/decisions"
            | "/api/chat"
            | "/api/chat/{id}"
            | "/v1/chat/completions"
            | "/v1/responses"
                if *method == Method::POST =>
            {
                Some(Self::Waits)
            }
            _ => None,
        }
    }
}

/// The most at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) person: usize,
    pub(crate) company: usize,
    pub(crate) all: usize,
}

/// Those that are open.
pub(crate) struct Streams {
    most: Most,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    people: HashMap<String, usize>,
    companies: HashMap<String, usize>,
}

/// One that is open; it counts until this is gone.
pub(crate) struct Stream {
    all: Arc<Streams>,
    account: Option<Arc<Account>>,
}

impl Streams {
    pub(crate) fn new(most: Most) -> Self {
        Self { most, open: Mutex::default() }
    }

    /// Opens one more for somebody, or for the one person there is.
    pub(crate) fn open(self: &Arc<Self>, account: Option<&Arc<Account>>) -> Result<Stream, Problem> {
        let most = self.most;
        let mut open = self.all();
        let count = |rows: &HashMap<String, usize>, name: &str| rows.get(name).copied().unwrap_or_default();
        if open.all >= most.all {
            return Err(too_many("This server", most.all));
        }
        if let Some(account) = account {
            if count(&open.people, &account.id) >= most.person {
                return Err(too_many("One person", most.person));
            }
            if count(&open.companies, &account.tenant) >= most.company {
                return Err(too_many("A company", most.company));
            }
            *open.people.entry(account.id.clone()).or_default() += 1;
            *open.companies.entry(account.tenant.clone()).or_default() += 1;
        }
        open.all += 1;
        Ok(Stream { all: Arc::clone(self), account: account.cloned() })
    }

    fn all(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_many(who: &str, most: usize) -> Problem {
    let detail = format!(
        "{who} may follow or wait for {most} answers at once, and as many are open. Close one that is no longer read \
         (another tab, another program), or wait for one to end."
    );
    Problem::busy("too_many_streams", detail, 5)
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut open = self.all.all();
        open.all = open.all.saturating_sub(1);
        if let Some(account) = &self.account {
            close(&mut open.people, &account.id);
            close(&mut open.companies, &account.tenant);
        }
    }
}

/// One less; whoever has none has no row.
fn close(rows: &mut HashMap<String, usize>, name: &str) {
    if let Some(count) = rows.get_mut(name) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            rows.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use tata_core::AccountRole;

    use super::*;

    fn account(tenant: &str, name: &str) -> Arc<Account> {
        let now = jiff::Timestamp::UNIX_EPOCH;
        Arc::new(Account::new(tenant.to_owned(), name.to_owned(), AccountRole::Recruiter, String::new(), now))
    }

    #[test]
    fn one_person_leaves_room_for_others_and_one_company_too() {
        let streams = Arc::new(Streams::new(Most { person: 2, company: 3, all: 5 }));
        let (anna, bo, carl) = (account("acme", "anna"), account("acme", "bo"), account("other", "carl"));
        let (one, two) = (streams.open(Some(&anna)).unwrap(), streams.open(Some(&anna)).unwrap());
        let refused = streams.open(Some(&anna)).err().unwrap();
        assert!(refused.code == "too_many_streams" && refused.detail.contains("Close one"), "{refused:?}");
        let of_bo = streams.open(Some(&bo)).unwrap();
        assert!(streams.open(Some(&bo)).is_err(), "the company has three");
        let of_carl = [streams.open(Some(&carl)).unwrap(), streams.open(Some(&carl)).unwrap()];
        assert!(streams.open(None).is_err(), "all have five");
        drop(one);
        let again = streams.open(Some(&anna)).unwrap();
        drop((again, of_bo, of_carl, two));
        let open = streams.all();
        assert_eq!((open.all, open.people.len(), open.companies.len()), (0, 0, 0));
    }
}
