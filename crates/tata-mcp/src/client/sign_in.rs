//! Signing in to a server, where it wants that: OAuth as the protocol describes it, done by the SDK. A person does it in
//! their browser; we keep the token.

use std::sync::Arc;

use rmcp::transport::auth::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession, CredentialStore,
    StoredCredentials,
};
use secrecy::{ExposeSecret, SecretString};

use super::{http, options::Answer};
use crate::{McpError, error::words};

/// How a person signs in.
#[derive(Clone)]
pub struct SignIn {
    /// Where the browser comes back to, e.g. [`crate::Loopback::address`].
    pub redirect_uri: String,
    /// Takes the person to the page where they sign in. Without it only what was kept is used.
    pub visit: Option<Visit>,
    /// Where tokens are kept; without it, as long as the program runs.
    pub vault: Option<Arc<dyn Vault>>,
    /// The name by which the server knows us, where it gave us one.
    pub client_id: Option<String>,
    /// The secret that belongs to it.
    pub client_secret: Option<SecretString>,
    /// The address of a document about us, for servers that know clients by it.
    pub client_document: Option<String>,
}

/// Shows the address to the person and brings the address that the browser came back to.
pub type Visit = Arc<dyn Fn(String) -> Answer<Result<String, String>> + Send + Sync>;

impl SignIn {
    /// Whether a token was kept for this address. One that cannot be read is none.
    pub(super) fn has_kept(&self, url: &str) -> bool {
        self.vault.as_ref().is_some_and(|vault| matches!(vault.load(url), Ok(Some(_))))
    }
}

/// Keeps tokens between runs. What is kept is a secret.
pub trait Vault: Send + Sync {
    /// What was kept for this address.
    fn load(&self, address: &str) -> Result<Option<SecretString>, String>;
    /// Keeps, or with nothing forgets.
    fn save(&self, address: &str, secret: Option<SecretString>) -> Result<(), String>;
}

/// A client with the token there is, if any.
pub(super) async fn with_token(
    server: &str,
    url: &str,
    sign_in: &SignIn,
) -> Result<AuthClient<reqwest::Client>, McpError> {
    let mut manager = manager(url, sign_in).await.map_err(|error| refused(server, &error))?;
    if sign_in.vault.is_some() {
        // A token that cannot be used leads to a new sign-in, which is what follows anyway.
        drop(manager.initialize_from_store().await);
    }
    Ok(AuthClient::new(http::client(server)?, manager))
}

/// Has the person sign in.
pub(super) async fn sign_in(
    server: &str,
    url: &str,
    sign_in: &SignIn,
    challenge: &str,
) -> Result<AuthClient<reqwest::Client>, McpError> {
    let wrong = |error: AuthError| refused(server, &error);
    let Some(visit) = &sign_in.visit else {
        return Err(McpError::Unauthorized { server: server.to_owned(), problem: None });
    };
    let mut manager = manager(url, sign_in).await.map_err(wrong)?;
    let found = manager.resolve_metadata_from_challenge(Some(challenge)).await.map_err(wrong)?;
    manager.set_metadata(found.metadata);
    let mut request = AuthorizationRequest::new(&sign_in.redirect_uri)
        .with_client_name("Tata")
        .with_initial_scope_selection()
        .with_challenge(challenge);
    if let Some(id) = &sign_in.client_id {
        request = request.with_preregistered_client(id);
    }
    if let Some(secret) = &sign_in.client_secret {
        request = request.with_client_secret(secret.expose_secret());
    }
    if let Some(document) = &sign_in.client_document {
        request = request.with_client_metadata_url(document);
    }
    let session = AuthorizationSession::new(manager, request).await.map_err(|(_, error)| wrong(error))?;
    let back = visit(session.get_authorization_url().to_owned()).await;
    let back =
        back.map_err(|problem| McpError::Unauthorized { server: server.to_owned(), problem: Some(problem) })?;
    session.handle_callback_url(&back).await.map_err(wrong)?;
    Ok(AuthClient::new(http::client(server)?, session.auth_manager))
}

async fn manager(url: &str, sign_in: &SignIn) -> Result<AuthorizationManager, AuthError> {
    let mut manager = AuthorizationManager::new(url).await?;
    if let Some(vault) = &sign_in.vault {
        manager.set_credential_store(Kept { vault: Arc::clone(vault), address: url.to_owned() });
    }
    Ok(manager)
}

fn refused(server: &str, error: &AuthError) -> McpError {
    McpError::Unauthorized { server: server.to_owned(), problem: Some(words(&error.to_string())) }
}

/// A vault as the SDK wants it.
struct Kept {
    vault: Arc<dyn Vault>,
    address: String,
}

#[async_trait::async_trait]
impl CredentialStore for Kept {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let kept = self.vault.load(&self.address).map_err(AuthError::InternalError)?;
        // What cannot be read is as good as none: the person signs in again.
        Ok(kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok()))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let text = serde_json::to_string(&credentials)
            .map_err(|error| AuthError::InternalError(error.to_string()))?;
        self.vault.save(&self.address, Some(text.into())).map_err(AuthError::InternalError)
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.vault.save(&self.address, None).map_err(AuthError::InternalError)
    }
}
