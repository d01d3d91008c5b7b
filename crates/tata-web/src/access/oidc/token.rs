//! Whether what a directory signed holds.

use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode, decode_header,
    jwk::{Jwk, JwkSet, KeyAlgorithm, KeyOperations, PublicKeyUse},
};
use serde::Deserialize;
use serde_json::Value;

use super::error::OidcError;

/// How far clocks may be apart.
const LEEWAY: i64 = 60;

/// Ways to sign that a public key can be held against. A shared secret is none: whoever knows the public key could sign.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Somebody whom the directory knows.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Claims {
    pub(super) sub: String,
    pub(super) nonce: Option<String>,
    pub(super) exp: i64,
    /// Times may have fractions.
    pub(super) nbf: Option<f64>,
    pub(super) iat: Option<f64>,
    pub(super) azp: Option<String>,
    pub(super) aud: Value,
    pub(super) email: Option<String>,
    /// Some directories write it as text.
    pub(super) email_verified: Value,
}

impl Claims {
    /// The address, if the directory vouches for it.
    pub(super) fn verified(&self) -> Option<&str> {
        let vouched = self.email_verified == Value::Bool(true) || self.email_verified == "true";
        self.email.as_deref().filter(|_| vouched)
    }
}

/// Whom a token tells of, if it is signed by one of these keys, for us, now, and for this very sign-in.
pub(super) fn read(
    token: &str,
    keys: &JwkSet,
    issuer: &str,
    client: &str,
    nonce: &str,
    now: Timestamp,
) -> Result<Claims, OidcError> {
    let wrong = |what: &str| OidcError::Token(what.to_owned());
    let broken = |error: jsonwebtoken::errors::Error| OidcError::Token(error.to_string());
    let header = decode_header(token).map_err(broken)?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(wrong("it is signed in a way that proves nothing"));
    }
    if header.crit.is_some() {
        // It lists extensions without which the token must not be believed, and we know none (RFC 7515, 4.1.11).
        return Err(wrong("it asks for an extension that is not known here"));
    }
    let key = key(keys, header.kid.as_deref()).ok_or_else(|| wrong("its key is not the directory's"))?;
    if key.common.key_algorithm.is_some_and(|meant| !is_same(meant, header.alg)) {
        return Err(wrong("it is signed in another way than its key is for"));
    }
    let mut rules = Validation::new(header.alg);
    rules.set_audience(&[client]);
    rules.set_issuer(&[issuer]);
    rules.set_required_spec_claims(&["aud", "exp", "iss", "sub"]);
    // Our own clock says what time it is.
    (rules.validate_exp, rules.validate_nbf) = (false, false);
    let key = DecodingKey::from_jwk(key).map_err(broken)?;
    let claims = decode::<Claims>(token, &key, &rules).map_err(broken)?.claims;
    if claims.exp.saturating_add(LEEWAY) < now.as_second() {
        return Err(wrong("it is no longer good"));
    }
    let latest = now.as_duration().saturating_add(SignedDuration::from_secs(LEEWAY)).as_secs_f64();
    if claims.nbf.is_some_and(|begin| begin > latest) || claims.iat.is_some_and(|made| made > latest) {
        return Err(wrong("it is not good yet: the clocks of the directory and of this machine are apart"));
    }
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(wrong("it belongs to another sign-in"));
    }
    let many = matches!(&claims.aud, Value::Array(all) if all.len() > 1);
    if (many || claims.azp.is_some()) && claims.azp.as_deref() != Some(client) {
        return Err(wrong("it was made for somebody else"));
    }
    if claims.sub.is_empty() {
        return Err(wrong("it names nobody"));
    }
    Ok(claims)
}

/// Whether a key that is meant for one way to sign is used for that.
fn is_same(meant: KeyAlgorithm, used: Algorithm) -> bool {
    // Both are named as in RFC 7518.
    format!("{meant:?}") == format!("{used:?}")
}

/// The key by its id; without an id, the only one that signs.
fn key<'a>(keys: &'a JwkSet, id: Option<&str>) -> Option<&'a Jwk> {
    let signs = |key: &&Jwk| {
        let meant = key.common.public_key_use.as_ref();
        let operations = key.common.key_operations.as_ref();
        meant.is_none_or(|meant| *meant == PublicKeyUse::Signature)
            && operations.is_none_or(|all| all.contains(&KeyOperations::Verify))
    };
    let mut signing = keys.keys.iter().filter(signs);
    match id {
        Some(id) => signing.find(|key| key.common.key_id.as_deref() == Some(id)),
        None => signing.next().filter(|_| signing.next().is_none()),
    }
}
