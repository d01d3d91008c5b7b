//! Who may sign in, and by what they are known then.

use tata_core::{AccessToken, Account, Accounts, DirectoryPerson, StoreFuture, name_key};

use super::MemoryStore;
use crate::change::{name_taken, no_account};

impl Accounts for MemoryStore {
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            let key = name_key(&account.name);
            let taken = |known: &Account| {
                let same_person = account.person.is_some() && known.person == account.person;
                known.id != account.id && (name_key(&known.name) == key || same_person)
            };
            if state.accounts.values().any(taken) {
                return Err(name_taken(&account.name));
            }
            state.accounts.insert(account.id.clone(), account);
            Ok(())
        })
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { Ok(self.state().accounts.get(&id).cloned()) })
    }

    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>> {
        let key = name_key(&name);
        Box::pin(
            async move { Ok(self.state().accounts.values().find(|one| name_key(&one.name) == key).cloned()) },
        )
    }

    fn account_of_person(&self, person: DirectoryPerson) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move {
            let state = self.state();
            Ok(state.accounts.values().find(|one| one.person.as_ref() == Some(&person)).cloned())
        })
    }

    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(async move {
            let state = self.state();
            let fits = |one: &&Account| tenant.as_ref().is_none_or(|tenant| one.tenant == *tenant);
            let mut found: Vec<Account> = state.accounts.values().filter(fits).cloned().collect();
            found.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(found)
        })
    }

    fn save_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            if !state.accounts.contains_key(&token.account) {
                return Err(no_account(&token.account));
            }
            state.tokens.insert(token.hash.clone(), token);
            Ok(())
        })
    }

    fn renew_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if let Some(known) = self.state().tokens.get_mut(&token.hash) {
                *known = token;
            }
            Ok(())
        })
    }

    fn token(&self, hash: String) -> StoreFuture<'_, Option<(AccessToken, Account)>> {
        Box::pin(async move {
            let state = self.state();
            let found = state.tokens.get(&hash);
            Ok(found.and_then(|token| Some((token.clone(), state.accounts.get(&token.account)?.clone()))))
        })
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>> {
        Box::pin(async move {
            let state = self.state();
            let mut found: Vec<AccessToken> =
                state.tokens.values().filter(|one| one.account == account).cloned().collect();
            found.sort_by(|a, b| (a.created_at, &a.hash).cmp(&(b.created_at, &b.hash)));
            Ok(found)
        })
    }

    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool> {
        Box::pin(async move { Ok(self.state().tokens.remove(&hash).is_some()) })
    }
}
