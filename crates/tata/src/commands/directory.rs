//! The company's directory that people may sign in with, where the environment names one.

use std::{sync::Arc, time::Duration};

use secrecy::ExposeSecret;
use tata_llm::{Retry, Timeouts, Transport};
use tata_web::{Fetch, Oidc, OidcOptions};

use crate::{config::Config, error::UsageError};

/// The variables.
const ISSUER: &str = "TATA_OIDC_ISSUER";
const CLIENT: &str = "TATA_OIDC_CLIENT_ID";
const SECRET: &str = "TATA_OIDC_CLIENT_SECRET";
const COMPANY: &str = "TATA_OIDC_COMPANY";
const ADMINS: &str = "TATA_OIDC_ADMINS";
const DOMAINS: &str = "TATA_OIDC_DOMAINS";

/// How long the directory has to answer.
const TIME: Duration = Duration::from_secs(10);

/// Sets the directory up, if there is one.
pub(super) fn directory(config: &Config) -> anyhow::Result<Option<Arc<Oidc>>> {
    // A compose file sets what it does not know to nothing.
    let set = |name: &str| config.variable(name).filter(|value| !value.is_empty());
    let Some(issuer) = set(ISSUER) else { return Ok(None) };
    let client_id = config.variable(CLIENT).unwrap_or_default();
    if client_id.is_empty() {
        let message = format!("{ISSUER} is set, but not {CLIENT}: the id that the directory knows Tata by");
        return Err(UsageError(message).into());
    }
    let list = |name: &str| -> Vec<String> {
        let set = config.variable(name).unwrap_or_default();
        set.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect()
    };
    let options = OidcOptions {
        issuer,
        client_id,
        client_secret: config
            .secret(SECRET)?
            .map(|secret| secret.expose_secret().to_owned())
            .filter(|secret| !secret.is_empty()),
        tenant: set(COMPANY).unwrap_or_else(|| crate::cli::DEFAULT_TENANT.to_owned()),
        admins: list(ADMINS),
        domains: list(DOMAINS),
        fetch: fetch(Transport::new(Timeouts::default(), Retry::default())?),
    };
    let oidc = Oidc::new(options).map_err(|error| UsageError(format!("{ISSUER}: {error}")))?;
    Ok(Some(Arc::new(oidc)))
}

fn fetch(transport: Transport) -> Fetch {
    Arc::new(move |request| {
        let transport = transport.clone();
        Box::pin(async move {
            transport.fetch(&request.address, &request.form, request.authorization.as_deref(), TIME).await
        })
    })
}
