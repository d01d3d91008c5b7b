//! What a directory says of itself: where to go, and with which keys it signs. It is asked now and then.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jsonwebtoken::jwk::JwkSet;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::time::Instant;

use super::{
    error::OidcError,
    fetch::{Fetch, FetchRequest, is_safe},
};

/// How long its word is good for.
const FRESH: Duration = Duration::from_hours(1);
/// How often it is asked for new keys at most: whoever sends us nonsense must not have us ask each time.
const PAUSE: Duration = Duration::from_secs(30);

/// A directory and what is known of it.
pub(super) struct Directory {
    issuer: String,
    fetch: Fetch,
    known: Mutex<Option<(Instant, Arc<Known>)>>,
}

/// What a directory says of itself.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) userinfo_endpoint: Option<String>,
    auth_methods: Option<Vec<String>>,
    pub(super) keys: JwkSet,
}

/// As it stands at the directory.
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    userinfo_endpoint: Option<String>,
    jwks_uri: String,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Known {
    /// Whether our secret may go in a header; that is so where nothing else is said.
    pub(super) fn takes_basic(&self) -> bool {
        let methods = self.auth_methods.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"))
    }
}

impl Directory {
    pub(super) fn new(issuer: String, fetch: Fetch) -> Self {
        Self { issuer, fetch, known: Mutex::default() }
    }

    /// What is known, asked anew when it is old.
    pub(super) async fn known(&self) -> Result<Arc<Known>, OidcError> {
        match self.younger_than(FRESH) {
            Some(known) => Ok(known),
            None => self.learn().await,
        }
    }

    /// What it says now, unless it was asked just before.
    pub(super) async fn renewed(&self) -> Result<Arc<Known>, OidcError> {
        match self.younger_than(PAUSE) {
            Some(known) => Ok(known),
            None => self.learn().await,
        }
    }

    fn younger_than(&self, age: Duration) -> Option<Arc<Known>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(at, _)| at.elapsed() < age).map(|(_, known)| Arc::clone(known))
    }

    async fn learn(&self) -> Result<Arc<Known>, OidcError> {
        let address = format!("{}/.well-known/openid-configuration", self.issuer.trim_end_matches('/'));
        let said: Discovery = self.ask(FetchRequest { address, ..FetchRequest::default() }).await?;
        if said.issuer != self.issuer {
            let message =
                format!("it calls itself {:?}, the configuration says {:?}", said.issuer, self.issuer);
            return Err(OidcError::Directory(message));
        }
        let places = [&said.authorization_endpoint, &said.token_endpoint, &said.jwks_uri];
        let unsafe_place = places.into_iter().chain(&said.userinfo_endpoint).find(|place| !is_safe(place));
        if let Some(place) = unsafe_place {
            return Err(OidcError::Directory(format!("it names {place:?}, which is not safe to use")));
        }
        let keys = self.ask(FetchRequest { address: said.jwks_uri, ..FetchRequest::default() }).await?;
        let known = Arc::new(Known {
            authorization_endpoint: said.authorization_endpoint,
            token_endpoint: said.token_endpoint,
            userinfo_endpoint: said.userinfo_endpoint,
            auth_methods: said.token_endpoint_auth_methods_supported,
            keys,
        });
        let mut kept = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((Instant::now(), Arc::clone(&known)));
        Ok(known)
    }

    /// Asks for something and reads it.
    pub(super) async fn ask<T: DeserializeOwned>(&self, request: FetchRequest) -> Result<T, OidcError> {
        let body = (self.fetch)(request).await.map_err(OidcError::Directory)?;
        serde_json::from_slice(&body)
            .map_err(|error| OidcError::Directory(format!("cannot be read: {error}")))
    }
}
