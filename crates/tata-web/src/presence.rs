//! Whoever may no longer do something does not go on doing it: their open streams end and their turns are cancelled, on
//! every replica, whichever of them was told.

use std::{
    collections::HashMap,
    future::{Future, pending},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use tata_core::{SessionId, StoreError, TokenKind};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::state::App;

/// How often the store is asked who still may. What is changed in this process is looked at at once.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// What is being done by people who were let in.
#[derive(Clone, Default)]
pub(crate) struct Presence {
    /// By the hash of their token: all streams of one sign-in are looked after together.
    watched: Arc<Mutex<HashMap<String, Weak<Watch>>>>,
    changed: Arc<Notify>,
}

/// The streams of one sign-in. Whoever holds it keeps it being looked after.
#[derive(Default)]
struct Watch {
    over: CancellationToken,
}

/// What somebody may go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    All,
    /// Their sign-in has ended, or they may do something else now: streams end, and what was asked for goes on.
    Turns,
    Nothing,
}

impl Presence {
    /// An account or a token has changed.
    pub(crate) fn look_again(&self) {
        self.changed.notify_waiters();
    }

    /// Until the caller may no longer listen.
    pub(crate) fn until_over(&self, app: &App) -> impl Future<Output = ()> + Send + use<> {
        let watch = app.token.as_ref().map(|token| self.watch(app, &token.hash));
        async move {
            match watch {
                Some(watch) => watch.over.cancelled().await,
                // There is one person.
                None => pending().await,
            }
        }
    }

    fn watch(&self, app: &App, token: &str) -> Arc<Watch> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watch) = watched.get(token).and_then(Weak::upgrade) {
            return watch;
        }
        watched.retain(|_, watch| watch.strong_count() > 0);
        let watch = Arc::new(Watch::default());
        watched.insert(token.to_owned(), Arc::downgrade(&watch));
        tokio::spawn(look_after_streams(app.clone(), Arc::downgrade(&watch)));
        watch
    }

    /// Looks after a turn that the caller has begun, until it is over here.
    pub(crate) fn look_after_turn(app: &App, session: SessionId) {
        if app.account.is_some() {
            tokio::spawn(look_after_turn(app.clone(), session));
        }
    }
}

async fn look_after_streams(app: App, watch: Weak<Watch>) {
    loop {
        wait(&app).await;
        let Some(watch) = watch.upgrade() else { return };
        if standing(&app).await != Standing::All {
            watch.over.cancel();
            return;
        }
    }
}

async fn look_after_turn(app: App, session: SessionId) {
    loop {
        wait(&app).await;
        let host = &app.services.host;
        if !host.is_running(session) {
            return;
        }
        if standing(&app).await == Standing::Nothing {
            tracing::info!(%session, "a turn is cancelled: its person may no longer work here");
            host.cancel(session);
            return;
        }
    }
}

async fn wait(app: &App) {
    tokio::select! {
        () = tokio::time::sleep(LOOK_EVERY) => {}
        () = app.presence.changed.notified() => {}
    }
}

/// What the caller may still do. Nobody is thrown out because the store cannot be asked.
async fn standing(app: &App) -> Standing {
    match ask(app).await {
        Ok(standing) => standing,
        Err(error) => {
            tracing::warn!(%error, "it could not be looked up who may still work here");
            Standing::All
        }
    }
}

async fn ask(app: &App) -> Result<Standing, StoreError> {
    let Some(known) = &app.account else { return Ok(Standing::All) };
    let found = app.accounts.account(known.id.clone()).await?;
    let Some(account) = found.filter(|account| !account.disabled && account.tenant == known.tenant) else {
        return Ok(Standing::Nothing);
    };
    let Some(token) = &app.token else { return Ok(Standing::All) };
    let found = app.accounts.token(token.hash.clone()).await?;
    if found.is_some_and(|(token, _)| token.is_valid(app.services.clock.now())) {
        return Ok(if account.role == known.role { Standing::All } else { Standing::Turns });
    }
    // Who signs out or closes the browser has their answer finished. A key that was ended, or a password that an admin has
    // replaced, may be in the wrong hands.
    let taken_away = token.kind == TokenKind::ApiKey || account.password != known.password;
    Ok(if taken_away { Standing::Nothing } else { Standing::Turns })
}
