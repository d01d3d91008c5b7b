//! Turns that run: one person may have some of all that the server runs at once, a company more, and there is always room
//! for others. A turn counts until it is over, whether or not anybody waits for it.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tata_core::{Account, SessionId, TurnHost};

use crate::Problem;

/// One person may have this part of all turns.
const PART_OF_A_PERSON: usize = 8;
/// A company may have this part.
const PART_OF_A_COMPANY: usize = 2;

/// Whose turns run.
#[derive(Default)]
pub(crate) struct Running {
    sessions: Mutex<HashMap<SessionId, Turn>>,
}

struct Turn {
    account: String,
    tenant: String,
    /// The host does not know of it yet.
    starts: bool,
}

/// A turn that is about to run.
pub(crate) struct Starting<'a> {
    all: &'a Running,
    session: SessionId,
}

impl Running {
    /// Counts one more turn of somebody, if they may have it.
    pub(crate) fn start(
        &self,
        host: &TurnHost,
        account: &Account,
        session: SessionId,
    ) -> Result<Starting<'_>, Problem> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|id, turn| turn.starts || host.is_running(*id));
        // One that runs there already is counted, and the host says what comes of another.
        let others = || sessions.iter().filter(|(id, _)| **id != session).map(|(_, turn)| turn);
        let most = |part: usize| (host.most() / part).max(1);
        let (of_one, of_company) = (most(PART_OF_A_PERSON), most(PART_OF_A_COMPANY));
        if others().filter(|turn| turn.account == account.id).count() >= of_one {
            return Err(too_many("You", of_one));
        }
        if others().filter(|turn| turn.tenant == account.tenant).count() >= of_company {
            return Err(too_many("Your company", of_company));
        }
        let (account, tenant) = (account.id.clone(), account.tenant.clone());
        sessions.insert(session, Turn { account, tenant, starts: true });
        Ok(Starting { all: self, session })
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        let mut sessions = self.all.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = sessions.get_mut(&self.session) {
            turn.starts = false;
        }
    }
}

fn too_many(who: &str, most: usize) -> Problem {
    let detail = format!(
        "{who} may have {most} answers being given at once, and as many are. Wait for one to end, or stop one \
         (POST /api/v1/sessions/ID/cancel, or the button below the answer)."
    );
    Problem::busy("too_many_turns", detail, 5)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tata_core::AccountRole;
    use tata_store::MemoryStore;

    use super::*;

    fn account(tenant: &str, name: &str) -> Account {
        let now = jiff::Timestamp::UNIX_EPOCH;
        Account::new(tenant.to_owned(), name.to_owned(), AccountRole::Recruiter, String::new(), now)
    }

    #[test]
    fn one_person_does_not_take_all_turns_and_neither_does_a_company() {
        let host = TurnHost::new(Arc::new(MemoryStore::new()), Arc::new(|_| {}), 16, None);
        let running = Running::default();
        let people: Vec<Account> = (0..4).map(|number| account("acme", &format!("p{number}"))).collect();
        let mut turns = Vec::new();
        for person in &people {
            for _ in 0..2 {
                turns.push(running.start(&host, person, SessionId::random()).ok().unwrap());
            }
            let refused = running.start(&host, person, SessionId::random()).err().unwrap();
            assert!(refused.detail.contains("Wait for one to end"), "{refused:?}");
        }
        assert!(
            running.start(&host, &account("acme", "more"), SessionId::random()).is_err(),
            "the company has eight"
        );
        assert!(running.start(&host, &account("other", "carl"), SessionId::random()).is_ok());
        // They are over: the host runs none of them.
        turns.clear();
        assert!(running.start(&host, &people[0], SessionId::random()).is_ok());
    }
}
